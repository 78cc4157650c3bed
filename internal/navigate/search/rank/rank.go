// Package rank scores the candidates of a search. It is a pure function from features to a score,
// with a set of weights for each kind of query. The weights are in weights.json.
//
// Package search computes the features; this package reads no index, no file and no request.
package rank

import (
	"sextant/internal/code"
)

// Query holds the properties of a query that its weights depend on.
type Query struct {
	Kind   Kind
	Short  bool // names in the query outrank its other words
	Prose  bool // a question rather than a few names
	ByFile bool // results are files
	Docs   bool // documents are as good as source
	Ranks  bool // Meaning is a reciprocal rank rather than a cosine
}

// Kind selects the weights of a query. Package search chooses it.
type Kind uint8

// These are the kinds of query.
const (
	Words    Kind = iota // any query without vectors
	Names                // few terms
	Few                  // a question with few terms
	Ask                  // a question for a place: "where are sessions expired"
	Sentence             // a sentence that describes a function
	Files                // results are files
)

// Calls reports whether the scores for a kind of query depend on [Features.Busy], the calls in a
// function.
func (m *Model) Calls(k Kind) bool { return m.Kinds[k].Weights.Busy != 0 }

// Exactness grades how a word of the query names a symbol.
type Exactness uint8

// These are the grades of how a query names a symbol, the weakest first.
const (
	NotNamed  Exactness = iota
	NamedFold           // ignoring case
	NamedSame           // in the same letters and case
	NamedFull           // by its qualified name
)

// Features describe one candidate. Most are from 0 to 1. The fields of [Weights] with the same names
// explain them.
type Features struct {
	Words, WordRank, Parts, FileWords float64
	Meaning, FileMeaning              float64
	Covered, Held, Length, Line       float64
	Size, Busy                        float64
	Name, Path                        float64
	Exact                             Exactness
	Naming                            float64 // share of the query that is the symbol's name
	Hidden                            bool    // the scope excludes its file
	Changed                           bool    // git reports its file as changed
	Lifted                            float64 // the boost for rare literals of the query
	Class                             code.Class
	Symbol                            *code.Symbol // nil for text outside of symbols
	IsType                            bool         // Symbol is a type
	Showing                           bool         // in a folder of examples or benchmarks
	Migrates                          bool         // in a database migration
	Presents                          bool         // in a file of a user interface
}

// Score returns the candidate's own score, and the score that determines its rank, which adds the
// boosts for changed files and for rare literals. In a query of a few words, a matching name
// outranks words and meaning. Among equals, kind, export and class decide.
func (m *Model) Score(q *Query, f *Features) (worth, score float64) {
	w, all := &m.Kinds[q.Kind].Weights, &m.Factors.Values
	s := w.sum(q, f)
	named := w.Named * float64(f.Exact)
	if q.Short {
		named = all.NamedFirst * float64(f.Exact) * f.Naming
	}
	if f.Hidden {
		// For a candidate outside of the scope, the class of its file lowers s, but the boost for
		// its name is only reduced by NamedHidden. So it ranks below candidates of that name in
		// source code, and above candidates without the name.
		worth = max(s, 0)*m.prior(q, f) + named*all.NamedHidden
	} else {
		worth = max(s+named, 0) * m.prior(q, f)
	}
	score = worth
	if f.Changed {
		score *= all.Changed
	}
	return worth, score + f.Lifted
}

// sum returns the weighted sum of the features that are from 0 to 1.
func (w *Weights) sum(q *Query, f *Features) float64 {
	s := w.Words*f.Words + w.WordRank*f.WordRank + w.Parts*f.Parts + w.FileWords*f.FileWords +
		w.Covered*f.Covered + w.Held*f.Held + w.Length*f.Length + w.Line*f.Line*f.Line*f.Line +
		w.Size*f.Size + w.Busy*f.Busy
	if q.Ranks {
		s += w.Ranks * f.Meaning
	} else {
		s += w.Meaning*f.Meaning + w.FileMeaning*f.FileMeaning
	}
	if f.Symbol != nil {
		s += w.Name * f.Name
	}
	return s + w.Path*f.Path
}

// prior returns the factor for the kind of a candidate and the class of its file, which does not
// depend on the query's words.
func (m *Model) prior(q *Query, f *Features) float64 {
	w, all := &m.Kinds[q.Kind].Weights, &m.Factors.Values
	p := m.Classes.Factors[f.Class]
	if p == 0 || q.Docs {
		p = 1
	}
	if f.Symbol == nil {
		p *= 1 + w.Unowned
	} else {
		p *= m.kindPrior(q, f)
		if f.Symbol.Exported {
			p *= 1 + w.Exported
		}
		if f.Symbol.Kind == code.KindTest {
			p *= 1 + w.Test
		}
	}
	if !q.ByFile && f.Showing {
		p *= all.Showing
	}
	if f.Migrates {
		p *= all.Migrates
	}
	if q.Prose && !q.ByFile && f.Presents && !f.component() {
		p *= all.Presents
	}
	if q.Prose && f.Exact == NotNamed && !q.ByFile && (f.Symbol == nil || f.IsType) {
		p *= all.ProseType
	}
	return p
}

func (f *Features) component() bool { return f.Symbol != nil && f.Symbol.Kind == code.KindComponent }

// kindPrior returns the factor for the kind of a symbol.
func (m *Model) kindPrior(q *Query, f *Features) float64 {
	s, all := f.Symbol, &m.Factors.Values
	p := all.OtherKind
	switch {
	case f.component() && q.Prose:
		p = all.Component
	case s.Kind == code.KindConstructor && q.Prose:
		p = all.Constructor
	case s.Kind.Callable() && s.Kind != code.KindTest, f.IsType:
		p = 1
	case s.Kind == code.KindField || s.Kind == code.KindVariable || s.Kind == code.KindConstant ||
		s.Kind == code.KindProperty:
		p = all.Value
	}
	if s.Kind.Callable() && s.Span.Lines() == 1 {
		p -= all.Bodyless
	}
	return p
}
