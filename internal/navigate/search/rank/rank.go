// Package rank scores the candidates of a search: a pure function from features to a
// score, with a set of weights for each kind of query.
//
// The features are computed by package search; nothing here reads an index, a file
// or a request.
package rank

import (
	"sextant/internal/code"
)

// Query holds the properties of a query that its weights depend on.
type Query struct {
	Kind   Kind
	Short  bool // a name in the query outranks what else it says
	Prose  bool // a question rather than a few names
	ByFile bool // results are files
	Docs   bool // documents are as good as source
	Ranks  bool // meaning is a reciprocal rank and no cosine
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
	NamedFold           // in another case
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
	Naming                            float64 // share of the query that the word makes up which names the symbol
	Hidden                            bool    // the scope leaves its file out
	Changed                           bool    // git says that its file changed
	Lifted                            float64 // by rare literals of the query
	Class                             code.Class
	Symbol                            *code.Symbol // nil for text that no symbol owns
	IsType                            bool         // Symbol is a type
	Showing                           bool         // in a folder of examples or benchmarks
}

// Score returns the worth of a candidate by itself, and the score that decides its
// place. In a query of a few words, a name in it outranks words and meaning; among
// equals, kind, export and class decide.
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
		// Its class lowers what else speaks for it, and its name less: it stands
		// below what bears the name in source, and above what does not bear it.
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

// prior returns the factor that applies to a candidate whatever the query says.
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

// kindPrior returns the prior of a symbol by its kind.
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
