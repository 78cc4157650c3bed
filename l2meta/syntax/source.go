package syntax

import sitter "github.com/smacker/go-tree-sitter"

// Source is where the grammar and the rules of a language, or of a dialect that
// has a grammar of its own, come from. A grammar belongs to one source alone:
// two packages of one grammar would link duplicate C symbols. The official
// grammars (tree-sitter/…) are taken where the bundled ones fail on too many
// files; an ABI above 14 is refused at run time without an error, which
// TestEveryGrammarParses would show.
type Source struct {
	Name     string
	Language func() *sitter.Language // nil: the rules read the text, whose dialects no one grammar knows
	Rules    func() *Rules
	Defects  defects // of the grammar's external scanner
	// Dialect, when set, is the language that a text is read as: a header may
	// be of another one than its name says.
	Dialect func(path string, text []byte) string
	// Variant, when set, is the name of the source that reads the file at path,
	// the source's own or that of a dialect.
	Variant func(path string) string
}

// Grammar makes the grammar of a source.
func (s Source) Grammar() *Grammar {
	if s.Language == nil {
		return NewGrammar(nil, s.Rules())
	}
	return NewGrammar(guarded(s.Name, s.Language(), s.Defects), s.Rules())
}
