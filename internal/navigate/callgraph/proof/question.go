package proof

import (
	"path/filepath"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// Question is a question to a language server about one place in the code.
type Question struct {
	Path     string // of the file, relative to the root
	Language string // of the file
	about    Ask
	hash     code.Hash   // of the file
	offset   int         // byte offset of the callee's name, or of the declared name
	callee   string      // for a call: the callee's name
	syntax   string      // for a call: its resolution from syntax; see the function syntax
	expect   resolve.Ref // for a call: the target from syntax; zero if there is none
}

// Spot identifies a question: what it asks, and about which place.
type Spot struct {
	about  Ask
	path   string
	hash   code.Hash
	offset int
}

// Spot returns the identity of the question.
func (q *Question) Spot() Spot { return Spot{q.about, q.Path, q.hash, q.offset} }

// QuestionOf returns the question about the target of a call.
func QuestionOf(l *Link) *Question {
	q := &Question{Path: l.File, hash: l.hash, Language: l.Language, offset: l.Call.NameSpan.StartByte,
		callee: l.Call.Callee, syntax: l.syntax}
	if l.Outcome == Settled {
		q.expect = l.Target
	}
	return q
}

// ReferencesTo returns the question for the places that refer to a symbol.
func ReferencesTo(ref resolve.Ref) *Question {
	return &Question{about: AskReferences, Path: ref.File.Path, hash: ref.File.Hash, Language: ref.File.Language,
		offset: ref.Symbol().NameSpan.StartByte}
}

// absolute returns the path on disk of a file of the root.
func absolute(root, file string) string { return filepath.Join(root, filepath.FromSlash(file)) }
