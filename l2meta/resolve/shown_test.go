package resolve

import (
	"testing"

	"sextant/internal/code"
)

// TestShown checks which edits of a file change the hash of the facts that other files can see.
func TestShown(t *testing.T) {
	languages := Languages{"typed": {Sealed: true}, "dynamic": {}}
	at := func(from, to, line int) code.Span {
		return code.Span{StartByte: from, EndByte: to, StartLine: line, EndLine: line}
	}
	// package p; func f(x int) { y := g(x) }; var z = 1
	file := func() *code.File {
		return &code.File{
			Symbols: []code.Symbol{{Kind: code.KindFunction, Name: "f", QualifiedName: "f", Parent: -1,
				Span: at(10, 40, 2), Parameters: []code.Parameter{{Name: "x", Type: "int"}}}},
			Facts: []code.Fact{{Kind: code.FactParam, Name: "x", Type: "int", Span: at(15, 20, 2)},
				{Kind: code.FactAssign, Name: "y", Type: "g(x)", Span: at(25, 26, 2), Scope: [2]int{25, 40}},
				{Kind: code.FactAssign, Name: "z", Type: "1", Owner: -1, Span: at(50, 51, 5)}},
			Calls: []code.Call{{Callee: "g", Args: 1, Span: at(30, 34, 2), NameSpan: at(30, 31, 2)}},
		}
	}
	move := func(f *code.File, bytes, lines int) {
		shift := func(s *code.Span) {
			s.StartByte, s.EndByte = s.StartByte+bytes, s.EndByte+bytes
			s.StartLine, s.EndLine = s.StartLine+lines, s.EndLine+lines
		}
		shift(&f.Symbols[0].Span)
		for i := range f.Facts {
			if shift(&f.Facts[i].Span); f.Facts[i].Scope[1] > 0 {
				f.Facts[i].Scope[0] += bytes
				f.Facts[i].Scope[1] += bytes
			}
		}
		shift(&f.Calls[0].Span)
		shift(&f.Calls[0].NameSpan)
	}
	for _, c := range []struct {
		title          string
		edit           func(f *code.File)
		typed, dynamic bool // whether the hash changes in the language typed, and in dynamic
	}{
		{"no change", func(f *code.File) {}, false, false},
		{"a comment of three lines at the top", func(f *code.File) { move(f, 100, 3) }, false, false},
		{"a comment behind the last fact", func(f *code.File) { f.Facts[2].Span.EndByte += 5 }, false, false},
		{"an assignment at once behind the function", func(f *code.File) {
			f.Facts[2].Span.StartLine, f.Facts[2].Span.EndLine = 3, 3
		}, false, true},
		{"another call", func(f *code.File) { f.Calls[0].Callee = "h" }, false, true},
		{"a call of a variable inside, which is another name of g then", func(f *code.File) {
			f.Facts[1].Type, f.Calls[0].Callee = "g", "y"
		}, true, true},
		{"another value of a variable inside", func(f *code.File) { f.Facts[1].Type = "h(x)" }, false, true},
		{"another value of a variable outside", func(f *code.File) { f.Facts[2].Type = "2" }, true, true},
		{"another type of a parameter", func(f *code.File) { f.Facts[0].Type = "string" }, true, true},
		{"another name", func(f *code.File) { f.Symbols[0].Name = "k" }, true, true},
		{"a variable before the function", func(f *code.File) { f.Facts[2].Span = at(2, 3, 1) }, true, true},
		{"a variable inside that begins before the parameter", func(f *code.File) {
			f.Facts[1].Span = at(12, 13, 2)
		}, false, true},
		{"an import", func(f *code.File) { f.Imports = []code.Import{{Module: "m", Scope: -1}} }, true, true},
		{"an export", func(f *code.File) { f.Exports = []code.Export{{Name: "f"}} }, true, true},
	} {
		f := file()
		c.edit(f)
		for language, want := range map[string]bool{"typed": c.typed, "dynamic": c.dynamic} {
			got := languages.shown(language, f, nil) != languages.shown(language, file(), nil)
			if got != want {
				t.Errorf("%s, %s: it shows: %t", c.title, language, got)
			}
		}
	}
	access := []code.Call{{Kind: code.CallAccess, Callee: "total", Span: at(30, 34, 2), NameSpan: at(30, 34, 2)}}
	if languages.shown("dynamic", file(), access) == languages.shown("dynamic", file(), nil) {
		t.Error("an access does not show")
	}
	other := func(callee string) uint64 {
		f := file()
		f.Symbols[0].Kind, f.Calls[0].Callee = code.KindConstructor, callee
		return languages.shown("typed", f, nil)
	}
	if other("this") == other("super") {
		t.Error("the constructor that another delegates to does not show")
	}
}
