package l1fts

import (
	"reflect"
	"testing"

	"sextant/internal/code"
)

// TestModulesAroundOneTypeHaveNoChunk checks that lines which only nest a type belong to the type, and that a module
// with more in it keeps its own.
func TestModulesAroundOneTypeHaveNoChunk(t *testing.T) {
	symbol := func(name string, kind code.Kind, parent, first, last int) code.Symbol {
		return code.Symbol{Name: name, QualifiedName: name, Kind: kind, Parent: parent,
			Span: code.Span{StartLine: first, EndLine: last}}
	}
	const text = "module Shop\n  module Api\n    # Orders takes orders.\n    class Orders\n      def create\n" +
		"        save\n      end\n    end\n  end\nend\n"
	nested := []code.Symbol{symbol("Shop", code.KindModule, -1, 1, 10), symbol("Api", code.KindModule, 0, 2, 9),
		symbol("Orders", code.KindClass, 1, 4, 8), symbol("create", code.KindMethod, 2, 5, 7)}
	for name, c := range map[string]struct {
		text    string
		symbols []code.Symbol
		want    []string
	}{
		"modules around a class": {text, nested, []string{"Orders", "create"}},
		"a constant beside it": {"module Shop\n  LIMIT = 20\n" + text[len("module Shop\n"):], []code.Symbol{
			symbol("Shop", code.KindModule, -1, 1, 11), symbol("Api", code.KindModule, 0, 3, 10),
			symbol("Orders", code.KindClass, 1, 5, 9), symbol("create", code.KindMethod, 2, 6, 8)},
			[]string{"Shop", "Orders", "create"}},
		"a module with one method": {"module Shop\n  def open\n    save\n  end\nend\n", []code.Symbol{
			symbol("Shop", code.KindModule, -1, 1, 5), symbol("open", code.KindMethod, 0, 2, 4)},
			[]string{"Shop", "open"}},
		"two classes": {"module Shop\n  class A\n  end\n  class B\n  end\nend\n", []code.Symbol{
			symbol("Shop", code.KindModule, -1, 1, 6), symbol("A", code.KindClass, 0, 2, 3),
			symbol("B", code.KindClass, 0, 4, 5)}, []string{"Shop", "A", "B"}},
	} {
		f := &code.File{Path: "shop.rb", Language: "ruby", Text: []byte(c.text), Symbols: c.symbols}
		cut, starts := chunks(f)
		var got []string
		lines := 0
		for _, k := range cut {
			got = append(got, f.Symbols[k.symbol].Name)
			for _, r := range k.runs {
				lines += r[1] - r[0]
			}
			if len(k.folded) > 0 {
				t.Errorf("%s: %v are named in the chunk of %s", name, k.folded, f.Symbols[k.symbol].Name)
			}
		}
		if !reflect.DeepEqual(got, c.want) || lines != len(starts)-1 {
			t.Errorf("%s: chunks of %v, want %v; %d lines of %d", name, got, c.want, lines, len(starts)-1)
		}
	}
}
