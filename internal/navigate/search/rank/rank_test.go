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
		return q.prior(&Features{Class: code.ClassSource, Symbol: &s})
	}
	plain := of(code.Symbol{Kind: code.KindFunction})
	if got, want := of(code.Symbol{Kind: code.KindFunction, Exported: true}), plain*(1+ofAsk.exported); got != want {
		t.Errorf("exported %f, not %f", got, want)
	}
	if got := of(code.Symbol{Kind: code.KindTest}); got >= plain {
		t.Errorf("a test %f, a function %f", got, plain)
	}
	if got := q.prior(&Features{Class: code.ClassSource}); got >= plain {
		t.Errorf("text of no symbol %f, a function %f", got, plain)
	}
}

// TestScoreRisesWithEachFeature checks that of two candidates that differ in one feature, the
// better one scores higher in the kinds of query that weigh it, and never lower.
func TestScoreRisesWithEachFeature(t *testing.T) {
	function := &code.Symbol{Kind: code.KindFunction, Span: code.Span{StartLine: 1, EndLine: 9}}
	base := Features{Words: 0.4, WordRank: 0.4, Meaning: 0.4, Covered: 0.4, Held: 0.4, Length: 2, Line: 0.4, Size: 0.4, Busy: 0.4, Name: 0.4, Path: 0.4,
		Naming: 0.5, Class: code.ClassSource, Symbol: function}
	for name, better := range map[string]func(*Features){
		"words": func(f *Features) { f.Words = 0.8 }, "word rank": func(f *Features) { f.WordRank = 0.8 }, "parts": func(f *Features) { f.Parts = 0.8 },
		"words of the file": func(f *Features) { f.FileWords = 0.8 }, "meaning": func(f *Features) { f.Meaning = 0.8 },
		"meaning of the file": func(f *Features) { f.FileMeaning = 0.8 }, "covered": func(f *Features) { f.Covered = 0.8 }, "held": func(f *Features) { f.Held = 0.8 },
		"line": func(f *Features) { f.Line = 0.8 }, "size": func(f *Features) { f.Size = 0.8 }, "calls": func(f *Features) { f.Busy = 0.8 },
		"name": func(f *Features) { f.Name = 0.8 }, "path": func(f *Features) { f.Path = 0.8 }, "exactness": func(f *Features) { f.Exact = NamedSame },
		"lifted": func(f *Features) { f.Lifted = 1 }, "changed": func(f *Features) { f.Changed = true },
	} {
		rises := 0
		for kind := Words; kind <= Files; kind++ {
			for _, short := range []bool{false, true} {
				q, f := Query{Kind: kind, Short: short}, base
				_, before := q.Score(&f)
				better(&f)
				_, after := q.Score(&f)
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
	named := Features{Words: 0.5, Meaning: 0.3, Exact: NamedSame, Naming: 1, Class: code.ClassSource, Symbol: &code.Symbol{Kind: code.KindFunction}}
	hidden, plain := named, named
	hidden.Hidden, hidden.Class = true, code.ClassDocs
	plain.Exact, plain.Meaning = NotNamed, 0.9
	_, a := q.Score(&named)
	_, b := q.Score(&hidden)
	_, c := q.Score(&plain)
	if !(a > b && b > c) {
		t.Errorf("named %f, hidden %f, not named %f", a, b, c)
	}
}
