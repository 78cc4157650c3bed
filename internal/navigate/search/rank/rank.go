// Package rank scores the candidates of a search. It is a pure function from features to a score,
// with a set of weights for each kind of query.
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

// Kind selects the weights of a query.
type Kind uint8

// The kinds of query.
const (
	Words    Kind = iota // without vectors
	Names                // few words
	Few                  // a question with few terms
	Ask                  // a question about where something happens
	Sentence             // a sentence that describes a function
	Files                // results are files
)

// Calls reports whether the weights use [Features.Busy].
func (k Kind) Calls() bool { return weightsOf[k].busy != 0 }

// Exactness grades how a word of the query names a symbol.
type Exactness uint8

// The grades.
const (
	NotNamed  Exactness = iota
	NamedFold           // in the same case
	NamedSame           // letter by letter
	NamedFull           // by its qualified name
)

// Features describe one candidate. Most are from 0 to 1; see the weights of the same
// name.
type Features struct {
	Words, WordRank, Parts, FileWords float64
	Meaning, FileMeaning              float64
	Covered, Held, Length, Line       float64
	Size, Busy                        float64
	Name, Path                        float64
	Exact                             Exactness
	Naming                            float64 // share of the query in the word that names the symbol
	Hidden                            bool    // the scope excludes its file
	Changed                           bool    // git reports its file as changed
	Lifted                            float64 // the boost for rare literals of the query
	Class                             code.Class
	Symbol                            *code.Symbol // nil for text outside of symbols
	IsType                            bool         // Symbol is a type
	Showing                           bool         // in a folder of examples or benchmarks
}

// Score returns the candidate's own score, and the score that determines its rank. In a query of a
// few words, a matching name outranks words and meaning. Among equals, kind, export and class
// decide.
func (q *Query) Score(f *Features) (worth, score float64) {
	w := weightsOf[q.Kind]
	s := w.words*f.Words + w.wordRank*f.WordRank + w.parts*f.Parts + w.fileWords*f.FileWords +
		w.covered*f.Covered + w.held*f.Held + w.length*f.Length + w.line*f.Line*f.Line*f.Line + w.size*f.Size + w.busy*f.Busy
	if q.Ranks {
		s += w.ranks * f.Meaning
	} else {
		s += w.meaning*f.Meaning + w.fileMeaning*f.FileMeaning
	}
	if f.Symbol != nil {
		s += w.name * f.Name
	}
	s += w.path * f.Path
	named := w.named * float64(f.Exact)
	if q.Short {
		named = namedFirst * float64(f.Exact) * f.Naming
	}
	if f.Hidden {
		// The class lowers its other scores, and less so that for its name. It ranks below
		// candidates in source with the name, and above those without it.
		worth = max(s, 0)*q.prior(f) + named*namedHidden
	} else {
		worth = max(s+named, 0) * q.prior(f)
	}
	score = worth
	if f.Changed {
		score *= changedBoost
	}
	return worth, score + f.Lifted
}

// prior returns the factor for a candidate that does not depend on the query.
func (q *Query) prior(f *Features) float64 {
	p := classPrior[f.Class]
	if p == 0 || q.Docs {
		p = 1
	}
	w := weightsOf[q.Kind]
	if f.Symbol == nil {
		p *= 1 + w.unowned
	} else {
		p *= kindPrior(f)
		if f.Symbol.Exported {
			p *= 1 + w.exported
		}
		if f.Symbol.Kind == code.KindTest {
			p *= 1 + w.test
		}
	}
	if !q.ByFile && f.Showing {
		p *= showingPrior
	}
	if q.Prose && f.Exact == NotNamed && !q.ByFile && (f.Symbol == nil || f.IsType) {
		p *= proseType
	}
	return p
}

// kindPrior returns the factor for the kind of a symbol.
func kindPrior(f *Features) float64 {
	s := f.Symbol
	p := 0.9
	switch {
	case s.Kind.Callable() && s.Kind != code.KindTest, f.IsType:
		p = 1
	case s.Kind == code.KindField || s.Kind == code.KindVariable || s.Kind == code.KindConstant || s.Kind == code.KindProperty:
		p = 0.82
	}
	if s.Kind.Callable() && s.Span.Lines() == 1 {
		p -= 0.12 // a declaration without a body, or one that only forwards
	}
	return p
}
