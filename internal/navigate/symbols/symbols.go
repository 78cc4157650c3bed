package symbols

import (
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/engine"
	"sextant/l2meta"
	"sextant/l2meta/resolve"
)

// Service answers file_outline and read_file, and resolves symbol references. It is safe for
// concurrent use.
type Service struct {
	*engine.Engine
	readLines int
}

// New returns a service over an engine. readLines is the largest number of lines that read_file shows
// if the request names no range; 0 means DefaultReadLines.
func New(e *engine.Engine, readLines int) *Service {
	if readLines <= 0 {
		readLines = DefaultReadLines
	}
	return &Service{Engine: e, readLines: readLines}
}

// Named is a symbol of a file with its id. Its key and its instance id are hashes, computed on demand
// because few callers need them.
type Named struct {
	Index  int
	Symbol *code.Symbol
	ID     code.SymbolID
	file   *code.File
	depth  int // number of enclosing symbols; only nameSymbols sets it
}

// NameSymbol returns the symbol s, which has the given index in f, with its id.
func NameSymbol(f *code.File, index int, s *code.Symbol) Named {
	return Named{Index: index, Symbol: s, ID: code.ID(f.Path, f.Language, s), file: f}
}

// Key returns the key of the symbol, which overloads share; see code.Key.
func (n *Named) Key() string { return code.Key(n.file.Path, n.file.Language, n.Symbol) }

// Instance returns the instance id, which changes with the text of the symbol; see code.Instance.
func (n *Named) Instance() string { return code.Instance(n.ID, n.Symbol, n.file.Text) }

// nameSymbols returns every symbol of f with its id and depth.
func nameSymbols(f *code.File) []Named {
	out := make([]Named, len(f.Symbols))
	for i := range f.Symbols {
		out[i] = NameSymbol(f, i, &f.Symbols[i])
		if p := f.Symbols[i].Parent; p >= 0 && p < i {
			out[i].depth = out[p].depth + 1
		}
	}
	return out
}

// spanHash returns the hash of the symbol's text in an instance id.
func spanHash(instance string) string {
	_, hash, _ := strings.Cut(instance, "@")
	return hash
}

// maxParents is the deepest nesting up to which each symbol carries the path of all its parents and
// the hash of its text. In a generated file that is nested much deeper, both would cost time
// quadratic in the depth.
const maxParents = 64

// outlineSymbol returns n in the form that answers have. all holds every symbol of the file, in order; at
// is the time of the answer.
func outlineSymbol(f *code.File, all []Named, n Named, at string) contract.OutlineSymbol {
	s := n.Symbol
	out := contract.OutlineSymbol{
		SymbolID: string(n.ID), SymbolLabel: s.QualifiedName, Kind: s.Kind, Name: s.Name,
		QualifiedName: s.QualifiedName,
		Span:          s.Span, Language: f.Language, Signature: s.Signature, Parameters: s.Parameters,
		Returns:     s.Returns,
		Annotations: s.Annotations, Doc: firstSentence(s.Doc), SymbolKey: n.Key(),
		CallGraphHint: GraphHint(f.Path, n, at),
	}
	exported := s.Exported
	out.Exported = &exported
	if s.Parent >= 0 {
		out.ParentSymbolID = string(all[s.Parent].ID)
	}
	for p := s.Parent; p >= 0 && len(out.ParentPath) < maxParents; p = all[p].Symbol.Parent {
		out.ParentPath = append(out.ParentPath, all[p].Symbol.Name)
	}
	slices.Reverse(out.ParentPath)
	return out
}

// RefOf returns the reference to n for suggested calls. It stays valid after edits elsewhere in the
// file, and detects edits of the symbol itself.
func RefOf(file string, n Named) contract.SymbolRef {
	return contract.SymbolRef{File: file, SymbolID: string(n.ID), SymbolInstanceID: n.Instance(),
		SymbolLabel: n.Symbol.QualifiedName}
}

// GraphHint says whether call_graph supports a symbol. It supports callables and types, in
// languages whose calls are extracted. at is the time of the answer.
func GraphHint(file string, n Named, at string) contract.CallGraphHint {
	if _, calls := l2meta.Understands(n.file.Language); !calls {
		return contract.CallGraphHint{Reason: contract.ReasonUnsupportedLanguage}
	}
	if !n.Symbol.Kind.Callable() && !IsType(n.Symbol.Kind) {
		return contract.CallGraphHint{Reason: contract.ReasonMissingSymbol}
	}
	ref := RefOf(file, n)
	return contract.CallGraphHint{Supported: true, SymbolRef: &ref, Validated: true, ValidatedAt: at}
}

// IsType reports whether a kind of symbol is a type, such as a class or an interface.
func IsType(k code.Kind) bool {
	switch k {
	case code.KindClass, code.KindStruct, code.KindInterface, code.KindTrait, code.KindEnum, code.KindType:
		return true
	}
	return false
}

// maxDoc is the largest length in bytes of the sentence of a doc comment in an outline.
const maxDoc = 240

// firstSentence returns the first sentence of a doc comment, on one line.
func firstSentence(doc string) string {
	paragraph, _, _ := strings.Cut(doc, "\n\n")
	s := strings.Join(strings.Fields(paragraph), " ")
	for i := range s {
		if (s[i] == '.' || s[i] == '!' || s[i] == '?') && i+1 < len(s) && s[i+1] == ' ' && sentenceStarts(s[i+2:]) {
			s = s[:i+1]
			break
		}
	}
	if len(s) > maxDoc {
		s = strings.ToValidUTF8(s[:maxDoc], "") + "…"
	}
	return s
}

// sentenceStarts reports whether a new sentence starts at rest. It does not after the dots in "e.g.
// this" and "v1. 2".
func sentenceStarts(rest string) bool {
	for _, r := range rest {
		return unicode.IsUpper(r) || r == '`' || r == '"' || r == '('
	}
	return false
}

// NamesFile reports whether a reference names the top-level code of the file, outside of every
// symbol.
func NamesFile(f *code.File, ref contract.SymbolRef) bool {
	s := FileSymbol(f.Path)
	id := code.ID(f.Path, f.Language, &s)
	return ref.SymbolID == string(id) || ref.SymbolID == "" && (ref.SymbolLabel == s.Name || ref.SymbolLabel == f.Path)
}

// FileSymbol returns a symbol for the code of a file outside of every symbol. Its span is the first
// line, which an editor opens the file at.
func FileSymbol(file string) code.Symbol {
	name := path.Base(file)
	return code.Symbol{Kind: code.KindFile, Name: name, QualifiedName: name, Parent: -1,
		Span: code.Span{StartLine: 1, EndLine: 1}}
}

// RowOf returns the row of a symbol. For the top-level code of a file, which is no symbol, it
// returns a row named after the file.
func RowOf(ref resolve.Ref) l2meta.Row {
	f := ref.File
	row := l2meta.Row{FileID: f.ID, Path: f.Path, Language: f.Language, Class: f.Class, Index: ref.Index}
	if ref.Index < 0 {
		row.Symbol = FileSymbol(f.Path)
		return row
	}
	row.Symbol = f.Symbols[ref.Index]
	return row
}

// RowID returns the symbol id of a stored row.
func RowID(row l2meta.Row) code.SymbolID {
	return code.ID(row.Path, row.Language, &row.Symbol)
}

// OwnerOf returns the index in rows of the innermost symbol around a line, or -1. Rows must be in
// document order, parents first.
func OwnerOf(rows []l2meta.Row, line int) int {
	owner := -1
	for i := range rows {
		s := rows[i].Symbol.Span
		if s.StartLine > line {
			break
		}
		if line <= s.EndLine {
			owner = i
		}
	}
	return owner
}

// Owners finds the innermost symbols around ascending lines, as OwnerOf does, in one pass over all rows.
type Owners struct {
	rows  []l2meta.Row // in document order, parents first
	next  int          // the first row that begins behind the last line
	stack []int        // rows that begin before and may include the next lines, innermost last
}

// NewOwners returns an Owners over the symbols of a file, in document order.
func NewOwners(rows []l2meta.Row) *Owners { return &Owners{rows: rows} }

// Of returns what OwnerOf returns for a line, which must not precede the line of an earlier call.
func (o *Owners) Of(line int) int {
	for ; o.next < len(o.rows) && o.rows[o.next].Symbol.Span.StartLine <= line; o.next++ {
		o.stack = append(o.stack, o.next)
	}
	for len(o.stack) > 0 {
		top := o.stack[len(o.stack)-1]
		if line <= o.rows[top].Symbol.Span.EndLine {
			return top
		}
		o.stack = o.stack[:len(o.stack)-1]
	}
	return -1
}

// ClassOrder returns the rank of a file class for sorting, from 0. Classes that users usually
// search for come first.
func ClassOrder(c code.Class) int {
	for i, k := range []code.Class{code.ClassSource, code.ClassConfig, code.ClassTest, code.ClassDocs, code.ClassBuild,
		code.ClassGenerated, code.ClassFixture, code.ClassVendor} {
		if c == k {
			return i
		}
	}
	return 0
}

// WordByte reports whether c can be a part of an identifier.
func WordByte(c byte) bool {
	return c == '_' || IsLetter(c) || '0' <= c && c <= '9'
}

// IsLetter reports whether c belongs to a letter. It treats every byte of a rune beyond ASCII as
// one.
func IsLetter(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= utf8.RuneSelf
}
