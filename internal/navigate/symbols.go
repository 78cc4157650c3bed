package navigate

import (
	"slices"
	"strings"
	"unicode"

	"sextant/internal/code"
	"sextant/l2meta"
)

// named is a symbol of a file with its names. Those beside the id are hashes
// that few of the symbols of a file are asked for.
type named struct {
	index  int
	symbol *code.Symbol
	id     code.SymbolID
	file   *code.File
}

func nameSymbol(f *code.File, index int, s *code.Symbol) named {
	return named{index: index, symbol: s, id: code.ID(f.Path, f.Language, s), file: f}
}

func (n *named) key() string { return code.Key(n.file.Path, n.file.Language, n.symbol) }

func (n *named) instance() string { return code.Instance(n.id, n.symbol, n.file.Text) }

// nameSymbols derives the names of every symbol of f.
func nameSymbols(f *code.File) []named {
	out := make([]named, len(f.Symbols))
	for i := range f.Symbols {
		out[i] = nameSymbol(f, i, &f.Symbols[i])
	}
	return out
}

// spanHash is the content part of an instance id.
func spanHash(instance string) string {
	_, hash, _ := strings.Cut(instance, "@")
	return hash
}

// outlineSymbol is the contract's form of n. parents are all symbols of the
// file, in order.
func outlineSymbol(f *code.File, all []named, n named, at string) OutlineSymbol {
	s := n.symbol
	out := OutlineSymbol{
		SymbolID: string(n.id), SymbolLabel: s.QualifiedName, Kind: s.Kind, Name: s.Name, QualifiedName: s.QualifiedName,
		Span: s.Span, Language: f.Language, Signature: s.Signature, Parameters: s.Parameters, Returns: s.Returns,
		Annotations: s.Annotations, Doc: firstSentence(s.Doc), SymbolKey: n.key(), CallGraphHint: graphHint(f.Path, n, at),
	}
	exported := s.Exported
	out.Exported = &exported
	for p := s.Parent; p >= 0; p = all[p].symbol.Parent {
		out.ParentPath = append(out.ParentPath, all[p].symbol.Name)
		if out.ParentSymbolID == "" {
			out.ParentSymbolID = string(all[p].id)
		}
	}
	slices.Reverse(out.ParentPath)
	return out
}

// refOf is the reference that every suggested call carries: it survives edits
// elsewhere in the file, and notices one in the symbol itself.
func refOf(file string, n named) SymbolRef {
	return SymbolRef{File: file, SymbolID: string(n.id), SymbolInstanceID: n.instance(), SymbolLabel: n.symbol.QualifiedName}
}

// graphHint says that call_graph can be asked about callables and types of a
// language whose calls are known.
func graphHint(file string, n named, at string) CallGraphHint {
	if _, calls := l2meta.Understands(n.file.Language); !calls {
		return CallGraphHint{Reason: ReasonUnsupportedLanguage}
	}
	if !n.symbol.Kind.Callable() && !isType(n.symbol.Kind) {
		return CallGraphHint{Reason: ReasonMissingSymbol}
	}
	ref := refOf(file, n)
	return CallGraphHint{Supported: true, SymbolRef: &ref, Validated: true, ValidatedAt: at}
}

func isType(k code.Kind) bool {
	switch k {
	case code.KindClass, code.KindStruct, code.KindInterface, code.KindTrait, code.KindEnum, code.KindType:
		return true
	}
	return false
}

// maxDoc bounds the sentence shown of a doc comment, in bytes.
const maxDoc = 240

// firstSentence is the first sentence of a doc comment, on one line.
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

// sentenceStarts keeps "e.g. this" and "v1. 2" in one sentence.
func sentenceStarts(rest string) bool {
	for _, r := range rest {
		return unicode.IsUpper(r) || r == '`' || r == '"' || r == '('
	}
	return false
}
