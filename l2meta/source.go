package l2meta

import sitter "github.com/smacker/go-tree-sitter"

// source is where the grammar and the rules of a language, or of a dialect that
// has a grammar of its own, come from. A grammar belongs to one source alone:
// two packages of one grammar would link duplicate C symbols. The official
// grammars (tree-sitter/…) are taken where the bundled ones fail on too many
// files; an ABI above 14 is refused at run time without an error, which
// TestEveryGrammarParses would show.
type source struct {
	name     string
	language func() *sitter.Language // nil: the rules read the text, whose dialects no one grammar knows
	rules    func() *rules
	defects  defects // of the grammar's external scanner
	// dialect, when set, is the language that a text is read as: a header may
	// be of another one than its name says.
	dialect func(path string, text []byte) string
	// variant, when set, is the name of the source that reads the file at path,
	// the source's own or that of a dialect.
	variant func(path string) string
}

// grammar makes the grammar of a source.
func (s source) grammar() *grammar {
	if s.language == nil {
		return newGrammar(nil, s.rules())
	}
	return newGrammar(guarded(s.name, s.language(), s.defects), s.rules())
}
