package rank

import (
	"testing"

	"sextant/internal/code"
)

// TestPrior checks that exported symbols score higher, and tests and text outside of symbols lower.
func TestPrior(t *testing.T) {
	q := Query{Kind: Ask, Prose: true}
	of := func(s code.Symbol) float64 {
		s.Span = code.Span{StartLine: 1, EndLine: 9}
		return Current.prior(&q, &Features{Class: code.ClassSource, Symbol: &s})
	}
	plain := of(code.Symbol{Kind: code.KindFunction})
	if got, want := of(code.Symbol{Kind: code.KindFunction, Exported: true}),
		plain*(1+Current.Kinds[Ask].Weights.Exported); got != want {
		t.Errorf("exported %f, not %f", got, want)
	}
	if got := of(code.Symbol{Kind: code.KindTest}); got >= plain {
		t.Errorf("a test %f, a function %f", got, plain)
	}
	if got := of(code.Symbol{Kind: code.KindComponent}); got >= plain {
		t.Errorf("a component %f, a function %f", got, plain)
	}
	if got := of(code.Symbol{Kind: code.KindConstructor}); got >= plain {
		t.Errorf("a constructor %f, a function %f", got, plain)
	}
	function := code.Symbol{Kind: code.KindFunction, Span: code.Span{StartLine: 1, EndLine: 9}}
	shown := Features{Class: code.ClassSource, Symbol: &function, Presents: true}
	if got := Current.prior(&q, &shown); got >= plain {
		t.Errorf("a function of a user interface %f, another %f", got, plain)
	}
	names := Query{Kind: Names}
	if got, want := Current.prior(&names, &shown), Current.prior(&names,
		&Features{Class: code.ClassSource, Symbol: &function}); got != want {
		t.Errorf("of a user interface %f, of another file %f, in a query of names", got, want)
	}
	if got := Current.prior(&q, &Features{Class: code.ClassSource, Symbol: &function, Migrates: true}); got >= plain {
		t.Errorf("a function of a migration %f, another %f", got, plain)
	}
	if got := Current.prior(&q, &Features{Class: code.ClassSource}); got >= plain {
		t.Errorf("text of no symbol %f, a function %f", got, plain)
	}
}

// TestScoreRisesWithEachFeature checks that of two candidates that differ in one feature, the
// better one scores higher in the kinds of query that weigh it, and never lower.
func TestScoreRisesWithEachFeature(t *testing.T) {
	function := &code.Symbol{Kind: code.KindFunction, Span: code.Span{StartLine: 1, EndLine: 9}}
	base := Features{Words: 0.4, WordRank: 0.4, Meaning: 0.4, Covered: 0.4, Held: 0.4, Length: 2, Line: 0.4, Size: 0.4,
		Busy: 0.4, Name: 0.4, Path: 0.4, Naming: 0.5, Class: code.ClassSource, Symbol: function}
	for name, better := range map[string]func(*Features){
		"words": func(f *Features) {
			f.Words = 0.8
		}, "word rank": func(f *Features) { f.WordRank = 0.8 }, "parts": func(f *Features) { f.Parts = 0.8 },
		"words of the file": func(f *Features) { f.FileWords = 0.8 }, "meaning": func(f *Features) { f.Meaning = 0.8 },
		"meaning of the file": func(f *Features) {
			f.FileMeaning = 0.8
		}, "covered": func(f *Features) { f.Covered = 0.8 }, "held": func(f *Features) { f.Held = 0.8 },
		"line": func(f *Features) {
			f.Line = 0.8
		}, "size": func(f *Features) { f.Size = 0.8 }, "calls": func(f *Features) { f.Busy = 0.8 },
		"name": func(f *Features) {
			f.Name = 0.8
		}, "path": func(f *Features) { f.Path = 0.8 }, "exactness": func(f *Features) { f.Exact = NamedSame },
		"lifted": func(f *Features) { f.Lifted = 1 }, "changed": func(f *Features) { f.Changed = true },
	} {
		rises := 0
		for kind := Words; kind <= Files; kind++ {
			for _, short := range []bool{false, true} {
				q, f := Query{Kind: kind, Short: short}, base
				_, before := Current.Score(&q, &f)
				better(&f)
				_, after := Current.Score(&q, &f)
				if after < before {
					t.Errorf("%s lowers a candidate of kind %d from %f to %f", name, kind, before, after)
				}
				if after > before {
					rises++
				}
			}
		}
		if rises == 0 {
			t.Errorf("%s changes no score", name)
		}
	}
}

// TestHiddenFilesComeAfterTheirEquals checks that a file outside of the scope ranks after equal
// ones, and above others if its name matches.
func TestHiddenFilesComeAfterTheirEquals(t *testing.T) {
	q := Query{Kind: Names, Short: true}
	named := Features{Words: 0.5, Meaning: 0.3, Exact: NamedSame, Naming: 1, Class: code.ClassSource,
		Symbol: &code.Symbol{Kind: code.KindFunction}}
	hidden, plain := named, named
	hidden.Hidden, hidden.Class = true, code.ClassDocs
	plain.Exact, plain.Meaning = NotNamed, 0.9
	_, a := Current.Score(&q, &named)
	_, b := Current.Score(&q, &hidden)
	_, c := Current.Score(&q, &plain)
	if !(a > b && b > c) {
		t.Errorf("named %f, hidden %f, not named %f", a, b, c)
	}
}

// byHand returns a model whose numbers are powers of two, so that a sum tells which of them it has.
func byHand() *Model {
	w := Weights{Words: 1, WordRank: 2, Parts: 4, FileWords: 8, Covered: 16, Held: 32, Length: 64, Line: 128 * 8,
		Size: 256, Busy: 512,
		Meaning: 1024, FileMeaning: 2048, Ranks: 4096, Name: 8192, Path: 16384, Named: 32768,
		Exported: 1, Unowned: 3, Test: -0.5}
	m := &Model{Kinds: map[Kind]*Fitted{Ask: {Weights: w}, Words: {}},
		Classes: Classes{Factors: map[code.Class]float64{code.ClassTest: 0.5}}}
	v := &m.Factors.Values
	v.NamedFirst, v.NamedHidden, v.Changed, v.Showing, v.ProseType = 65536, 0.5, 2, 0.25, 0.5
	v.Value, v.OtherKind, v.Bodyless = 0.5, 0.25, 0.125
	return m
}

// TestScoreByHand compares scores of made-up weights with sums made by hand.
func TestScoreByHand(t *testing.T) {
	const words = 1.0 + 2 + 4 + 8 + 16 + 32 + 64 + 128 + 256 + 512 // line: 0.5 cubed
	const whole = words + 1024 + 2048 + 8192 + 16384
	symbol := func(kind code.Kind, lines int) *code.Symbol {
		return &code.Symbol{Kind: kind, Span: code.Span{StartLine: 1, EndLine: lines}}
	}
	function := symbol(code.KindFunction, 9)
	for name, c := range map[string]struct {
		change       func(*Query, *Features)
		worth, score float64
	}{
		"everything": {func(q *Query, f *Features) {}, whole, whole},
		"ranks": {func(q *Query, f *Features) {
			q.Ranks = true
		}, words + 4096 + 8192 + 16384, words + 4096 + 8192 + 16384},
		"named": {func(q *Query, f *Features) { f.Exact = NamedSame }, whole + 2*32768, whole + 2*32768},
		"named short": {func(q *Query, f *Features) { q.Short, f.Exact, f.Naming = true, NamedFull, 0.5 },
			whole + 3*32768, whole + 3*32768},
		"hidden": {func(q *Query, f *Features) { f.Hidden, f.Class, f.Exact = true, code.ClassTest, NamedSame },
			whole*0.5 + 32768, whole*0.5 + 32768},
		"hidden below zero": {func(q *Query, f *Features) { f.Hidden, f.Words = true, -1e6 }, 0, 0},
		"below zero":        {func(q *Query, f *Features) { f.Words = -1e6 }, 0, 0},
		"changed":           {func(q *Query, f *Features) { f.Changed = true }, whole, 2 * whole},
		"lifted":            {func(q *Query, f *Features) { f.Changed, f.Lifted = true, 7 }, whole, 2*whole + 7},
		"class":             {func(q *Query, f *Features) { f.Class = code.ClassTest }, whole / 2, whole / 2},
		"class, for docs":   {func(q *Query, f *Features) { q.Docs, f.Class = true, code.ClassTest }, whole, whole},
		"no symbol":         {func(q *Query, f *Features) { f.Symbol = nil }, (whole - 8192) * 4, (whole - 8192) * 4},
		"exported": {func(q *Query, f *Features) {
			s := *function
			s.Exported = true
			f.Symbol = &s
		}, whole * 2, whole * 2},
		"test": {func(q *Query, f *Features) {
			f.Symbol = symbol(code.KindTest, 9)
		}, whole * 0.25 * 0.5, whole * 0.25 * 0.5},
		"one line": {func(q *Query, f *Features) {
			f.Symbol = symbol(code.KindFunction, 1)
		}, whole * 0.875, whole * 0.875},
		"two lines": {func(q *Query, f *Features) { f.Symbol = symbol(code.KindFunction, 2) }, whole, whole},
		"value of one line": {func(q *Query, f *Features) {
			f.Symbol = symbol(code.KindVariable, 1)
		}, whole / 2, whole / 2},
		"field": {func(q *Query, f *Features) {
			f.Symbol = symbol(code.KindField, 9)
		}, whole / 2, whole / 2},
		"constant": {func(q *Query, f *Features) {
			f.Symbol = symbol(code.KindConstant, 9)
		}, whole / 2, whole / 2},
		"property": {func(q *Query, f *Features) {
			f.Symbol = symbol(code.KindProperty, 9)
		}, whole / 2, whole / 2},
		"other kind": {func(q *Query, f *Features) {
			f.Symbol = symbol(code.KindModule, 9)
		}, whole / 4, whole / 4},
		"type": {func(q *Query, f *Features) {
			f.Symbol, f.IsType = symbol(code.KindClass, 9), true
		}, whole, whole},
		"showing":          {func(q *Query, f *Features) { f.Showing = true }, whole / 4, whole / 4},
		"showing, by file": {func(q *Query, f *Features) { f.Showing, q.ByFile = true, true }, whole, whole},
		"prose":            {func(q *Query, f *Features) { q.Prose = true }, whole, whole},
		"prose, type": {func(q *Query, f *Features) {
			q.Prose, f.Symbol, f.IsType = true, symbol(code.KindClass, 9), true
		}, whole / 2, whole / 2},
		"prose, no symbol": {func(q *Query, f *Features) {
			q.Prose, f.Symbol = true, nil
		}, (whole - 8192) * 2, (whole - 8192) * 2},
		"prose, by file": {func(q *Query, f *Features) {
			q.Prose, q.ByFile, f.IsType = true, true, true
		}, whole, whole},
		"prose, named type": {func(q *Query, f *Features) {
			q.Prose, f.IsType, f.Exact = true, true, NamedFold
		}, whole + 32768, whole + 32768},
	} {
		q := Query{Kind: Ask}
		f := Features{Words: 1, WordRank: 1, Parts: 1, FileWords: 1, Meaning: 1, FileMeaning: 1, Covered: 1, Held: 1,
			Length: 1, Line: 0.5, Size: 1, Busy: 1, Name: 1, Path: 1, Class: code.ClassSource, Symbol: function}
		c.change(&q, &f)
		if worth, score := byHand().Score(&q, &f); worth != c.worth || score != c.score {
			t.Errorf("%s: worth %v and score %v, want %v and %v", name, worth, score, c.worth, c.score)
		}
	}
	if m := byHand(); !m.Calls(Ask) || m.Calls(Words) {
		t.Error("a kind uses calls if it weighs them")
	}
}

// TestRead checks that a file of weights with an unknown name, or without a kind, is refused.
func TestRead(t *testing.T) {
	for _, text := range []string{``, `{"kinds":{"words":{}}}`, `{"kinds":{"odd":{}}}`,
		`{"odd":1,` + string(weightsText[1:])} {
		if m, err := Read([]byte(text)); err == nil || m != nil {
			t.Errorf("%s: %v, %v", text, m, err)
		}
	}
	if Words.String() != "words" || Files.String() != "files" {
		t.Error("a kind has another's name")
	}
}
