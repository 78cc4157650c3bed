package syntax

import sitter "github.com/smacker/go-tree-sitter"

// Source provides the grammar and the rules of a language, or of a dialect with a grammar of its
// own. A grammar belongs to one source alone: two packages of one grammar would link duplicate C
// symbols. The official grammars (tree-sitter/…) replace bundled ones that fail on too many files.
// A grammar with an ABI above 14 is refused at run time without an error; TestEveryGrammarParses
// finds such a grammar.
type Source struct {
	Name string
	// nil means that no grammar covers all dialects, so that the rules read the text themselves
	Language func() *sitter.Language
	Rules    func() *Rules
	Defects  defects // bugs of the grammar's external scanner
	// Dialect, if not nil, returns the language of a text: a header may be of another language than
	// its name says.
	Dialect func(path string, text []byte) string
	// Variant, if not nil, returns the name of the source for the text of the file at path: this
	// source's own name or that of a dialect.
	Variant func(path string, text []byte) string
}

// Grammar returns a new grammar of a source.
func (s Source) Grammar() *Grammar {
	if s.Language == nil {
		return NewGrammar(nil, s.Rules())
	}
	return NewGrammar(guarded(s.Name, s.Language(), s.Defects), s.Rules())
}
