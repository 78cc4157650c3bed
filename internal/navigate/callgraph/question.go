package callgraph

import (
	"path/filepath"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// question is a question to a language server about one place in the code.
type question struct {
	about    Question
	path     string // of the file, relative to the root
	hash     code.Hash
	language string
	offset   int         // byte offset of the callee's name, or of the declared name
	callee   string      // of a call: the callee's name
	syntax   string      // of a call: its resolution from syntax, see the function syntax
	expect   resolve.Ref // of a call: the target from syntax, zero for none
}

// spot identifies a question: what it asks, and about which place.
type spot struct {
	about  Question
	path   string
	hash   code.Hash
	offset int
}

func (q *question) spot() spot { return spot{q.about, q.path, q.hash, q.offset} }

// questionOf returns the question about the target of a call.
func questionOf(l *link) *question {
	q := &question{path: l.file, hash: l.hash, language: l.language, offset: l.call.NameSpan.StartByte,
		callee: l.call.Callee, syntax: l.syntax}
	if l.outcome == linkSettled {
		q.expect = l.target
	}
	return q
}

// referencesTo returns the question for the places that refer to a symbol.
func referencesTo(ref resolve.Ref) *question {
	return &question{about: AskReferences, path: ref.File.Path, hash: ref.File.Hash, language: ref.File.Language,
		offset: ref.Symbol().NameSpan.StartByte}
}

// absolute returns the path on disk of a file of the root.
func absolute(root, file string) string { return filepath.Join(root, filepath.FromSlash(file)) }
