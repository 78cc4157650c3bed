package syntax

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/smacker/go-tree-sitter/golang"

	"sextant/internal/code"
)

// read returns the facts of Go source by rules, which need not be Go's own.
func read(t *testing.T, r *Rules, text string) code.File {
	t.Helper()
	return readWith(t, r, text, nil)
}

// readWith is like read. grammars returns the grammars of embedded languages.
func readWith(t *testing.T, r *Rules, text string, grammars func(string, string, []byte) *Grammar) code.File {
	t.Helper()
	r.Comments = []string{"comment"}
	tree, err := NewGrammar(golang.GetLanguage(), r).Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	w := NewWalk(tree, "a.go", "go", code.NewLineIndex([]byte(text)))
	w.Grammars = grammars
	f, err := w.Read()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// functions returns rules that declare functions and record their calls.
func functions() *Rules {
	return &Rules{Handlers: map[string]Handler{
		"function_declaration": func(w *Walk, n Node) {
			body := w.Field(n, "body")
			w.Inside(w.Declare(Decl{Kind: code.KindFunction, Node: n, Name: w.Field(n, "name"), Body: body}), body)
		},
		"call_expression": func(w *Walk, n Node) {
			callee := w.Field(n, "function")
			w.Call(code.CallPlain, n, callee, None, w.CountNamed(w.Field(n, "arguments")))
			w.Children(n)
		},
	}}
}

// TestWalkDeclares checks the span, signature, body, comment, parent and ordinal of declarations.
func TestWalkDeclares(t *testing.T) {
	f := read(t, functions(),
		"package p\n\n// F is one.\n//\n// It has two lines.\nfunc F(a int,\n\tb int) {\n\tg(h(1), 2)\n}\n\n"+
			"var x = 1 // of x\nfunc G() {}\n\n// Not of F.\n\nfunc F() { var f = func() { i() } }\n")
	var got []string
	for _, s := range f.Symbols {
		got = append(got, fmt.Sprintf("%s %d-%d %q %q #%d %q", s.QualifiedName, s.Span.StartLine, s.Span.EndLine,
			s.Signature, s.Doc, s.Ordinal, f.Text[s.Body[0]:s.Body[0]+1]))
	}
	want := []string{
		`F 6-9 "func F(a int, b int)" "F is one.\n\nIt has two lines." #0 "{"`,
		`G 12-12 "func G()" "" #0 "{"`,
		`F 16-16 "func F()" "" #1 "{"`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	var calls []string
	for _, c := range f.Calls {
		calls = append(calls, fmt.Sprintf("%s/%d in %d", c.Callee, c.Args, c.Caller))
	}
	if got := strings.Join(calls, ", "); got != "g/2 in 0, h/1 in 0, i/0 in 2" || f.BadBytes != 0 {
		t.Errorf("calls: %s; %d bytes are lost", got, f.BadBytes)
	}
}

// TestBadBytes checks that only text which the grammar cannot place counts as lost, and that the
// text around it is read.
func TestBadBytes(t *testing.T) {
	f := read(t, functions(), "package p\nfunc F() { g() }\n)))\nfunc H() { i() }\n")
	if len(f.Symbols) != 2 || len(f.Calls) != 2 || f.BadBytes < 1 || f.BadBytes > 8 {
		t.Errorf("%d symbols, %d calls, %d bytes are lost", len(f.Symbols), len(f.Calls), f.BadBytes)
	}
}

// TestMaskKeepsOffsets checks that a mask which changes the length of the text is not used, and
// that names are read from the unmasked text.
func TestMaskKeepsOffsets(t *testing.T) {
	for _, c := range []struct {
		mask func([]byte) []byte
		want string
	}{
		{func(text []byte) []byte { return []byte(strings.Replace(string(text), "@", "x", 1)) }, "f@o"},
		{func(text []byte) []byte { return []byte(strings.Replace(string(text), "@", "", 1)) }, ""},
	} {
		r := functions()
		r.Mask = c.mask
		f := read(t, r, "package p\nfunc f@o() {}\n")
		got := ""
		if len(f.Symbols) > 0 {
			got = f.Symbols[0].Name
		}
		if (got == "f@o") != (c.want == "f@o") {
			t.Errorf("the function is %q", got)
		}
	}
}

// TestHiddenNames checks which names without a symbol are recorded for a file: those of the nodes
// that Rules.Hidden selects, and all names in text that the grammar could not place.
func TestHiddenNames(t *testing.T) {
	r := functions()
	r.Hidden = map[string]func(*Walk, Node) bool{
		"interpreted_string_literal": func(w *Walk, n Node) bool { return w.Str(n) != `"skipped"` },
	}
	f := read(t, r,
		"package p\nfunc F() { g(\"F\", \"key\", \"skipped\", \"no name\", \"empty?\", \"9a\", \"key\") }\n"+
			"func H() {}\nlost words ) ( F 7x\n")
	var got []string
	for _, x := range f.Facts {
		if x.Kind == code.FactHidden {
			got = append(got, x.Name)
		}
	}
	for _, name := range []string{"key", "empty?", "lost", "words"} {
		if !slices.Contains(got, name) {
			t.Errorf("%s is not among %q", name, got)
		}
	}
	for _, name := range []string{"F", "H", "skipped", "no name", "9a", "7x"} {
		if slices.Contains(got, name) {
			t.Errorf("%s is among %q", name, got)
		}
	}
	slices.Sort(got)
	if len(slices.Compact(slices.Clone(got))) != len(got) {
		t.Errorf("a name is kept twice: %q", got)
	}
}

// TestEmbed checks that the parts of a text in another language are declared as children of the
// enclosing symbol, with their offsets in the whole text.
func TestEmbed(t *testing.T) {
	inner := functions()
	inner.Comments = []string{"comment"}
	grammar := NewGrammar(golang.GetLanguage(), inner)
	outer := &Rules{Handlers: map[string]Handler{
		"function_declaration": func(w *Walk, n Node) {
			s := w.Declare(Decl{Kind: code.KindFunction, Node: n, Name: w.Field(n, "name")})
			w.As(s, func() {
				for c := range w.Descendants(n) {
					if w.Is(c, "raw_string_literal") {
						w.EmbedRange("inner", w.Start(c)+1, w.End(c)-1)
						w.EmbedRange("unknown", w.Start(c)+1, w.End(c)-1)
					}
				}
			})
		},
	}}
	text := "package p\nfunc F() { _ = `package q\nfunc in() { g() }\n` }\n"
	f := readWith(t, outer, text, func(language, _ string, _ []byte) *Grammar {
		if language == "inner" {
			return grammar
		}
		return nil
	})
	if len(f.Symbols) != 2 || f.Symbols[1].QualifiedName != "F.in" || f.Symbols[1].Parent != 0 ||
		f.Symbols[1].Span.StartLine != 3 || string(f.Text[f.Symbols[1].Span.StartByte:][:9]) != "func in()" {
		t.Fatalf("%+v", f.Symbols)
	}
	if len(f.Calls) != 1 || f.Calls[0].Caller != 1 || f.Calls[0].Span.StartLine != 3 {
		t.Errorf("%+v", f.Calls)
	}
}

// TestSymbolsAreSorted checks that all references to symbols are renumbered when the symbols are
// sorted.
func TestSymbolsAreSorted(t *testing.T) {
	symbol := func(name string, from, to, parent int) code.Symbol {
		return code.Symbol{Name: name, Parent: parent, Span: code.Span{StartByte: from, EndByte: to}}
	}
	f := code.File{
		Symbols: []code.Symbol{symbol("c", 5, 6, 2), symbol("a", 1, 2, -1), symbol("b", 5, 9, -1), symbol("d", 5,
			9, 2)},
		Calls:    []code.Call{{Caller: 0}, {Caller: -1}},
		Accesses: []code.Call{{Caller: 2}},
		Imports:  []code.Import{{Scope: 1}},
		Facts:    []code.Fact{{Owner: 3}},
	}
	SortSymbols(&f)
	var got []string
	for _, s := range f.Symbols {
		got = append(got, fmt.Sprintf("%s<%d", s.Name, s.Parent))
	}
	if list := strings.Join(got, " "); list != "a<-1 b<-1 d<1 c<1" {
		t.Errorf("symbols %s", list)
	}
	if f.Calls[0].Caller != 3 || f.Calls[1].Caller != -1 || f.Accesses[0].Caller != 1 || f.Imports[0].Scope != 0 ||
		f.Facts[0].Owner != 2 {
		t.Errorf("%+v", f)
	}
}

// TestMendLosesOneLine checks that a text whose rest the grammar drops is read except for the line
// with the error, and that the text of the file stays as it was.
func TestMendLosesOneLine(t *testing.T) {
	r := functions()
	r.File = Mend
	rest := strings.Repeat("func H() {\n\ti()\n}\n", 20)
	damaged := "package p\nfunc F() {\n\tx := `abc\n}\n" + rest
	plain, mended := read(t, functions(), damaged), read(t, r, damaged)
	if mended.BadBytes > plain.BadBytes || len(mended.Symbols) < len(plain.Symbols) || mended.BadBytes > 64 ||
		len(mended.Symbols) != 21 {
		t.Errorf("%d symbols and %d bytes lost, without mending %d and %d", len(mended.Symbols), mended.BadBytes,
			len(plain.Symbols), plain.BadBytes)
	}
	if got := string(mended.Text); got != damaged {
		t.Error("the text of the file is the blanked one")
	}
}
