package resolve

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/zeebo/xxh3"

	"sextant/internal/code"
	"sextant/l2meta"
)

// Most edits change the body of a function, and nothing that other files can see. So the ledger
// keeps, for each file, a hash of everything that other files can see. If an edit leaves the hash
// unchanged, only the file's own group is resolved again.

// shown returns a hash of the facts of a file that resolution in other files may read. Of their
// positions it includes only the order and nesting of the facts, and whether two facts are on the
// same line or on neighbouring lines.
func (l Languages) shown(language string, f *code.File, accesses []code.Call) uint64 {
	// A call of a property runs the function stored in it, which may be a local function. In a file
	// that stores functions in properties, other files may therefore depend on code inside of
	// functions.
	gives := slices.ContainsFunc(f.Facts, func(x code.Fact) bool { return x.Kind == code.FactGiven })
	h := shownHash{file: f, sealed: l[language].Sealed && !gives}
	for i := range f.Symbols {
		h.symbol(&f.Symbols[i])
	}
	for i := range f.Facts {
		h.fact(&f.Facts[i])
	}
	for _, list := range [][]code.Call{f.Calls, accesses} {
		for i := range list {
			if !h.hides(list[i].Caller) {
				h.call(&list[i])
			}
		}
	}
	for i := range f.Imports {
		m := &f.Imports[i]
		h.texts(m.Module, m.Name, m.Alias).numbers(btoi(m.TypeOnly), m.Scope).add('i', m.Span)
	}
	for i := range f.Exports {
		e := &f.Exports[i]
		h.texts(e.Name, e.Local, e.Module).add('e', e.Span)
	}
	h.names(f)
	return h.sum()
}

// names adds the names by which other files may call declarations of the file. Some of these
// names come from calls inside of functions, which the hash omits (see hides), so names adds them
// separately.
func (h *shownHash) names(f *code.File) {
	h.texts(l2meta.Bears(f)...)
	for _, a := range l2meta.Aliases(f) {
		h.texts(a.Name, a.Of)
	}
	h.add('b', code.Span{StartLine: -1, EndLine: -1})
}

// shownHash collects the hashes of facts, each with its position.
type shownHash struct {
	file   *code.File
	sealed bool
	buf    []byte // encodes the next fact
	marks  []mark
}

// mark is the start or the end of a fact in the file: its byte offset and line. hash is that of
// the fact at its start, and that of its kind at its end.
type mark struct {
	at, line int
	hash     uint64
}

func (h *shownHash) texts(list ...string) *shownHash {
	for _, s := range list {
		h.buf = append(binary.AppendUvarint(h.buf, uint64(len(s))), s...)
	}
	return h
}

func (h *shownHash) numbers(list ...int) *shownHash {
	for _, n := range list {
		h.buf = binary.AppendVarint(h.buf, int64(n))
	}
	return h
}

// add hashes the fact that buf encodes, and marks its start and end. kind distinguishes the kinds
// of facts.
func (h *shownHash) add(kind byte, at code.Span) {
	h.buf = append(h.buf, kind)
	h.marks = append(h.marks, mark{at.StartByte, at.StartLine, xxh3.Hash(h.buf)})
	h.marks = append(h.marks, mark{at.EndByte, at.EndLine, uint64(kind)})
	h.buf = h.buf[:0]
}

func (h *shownHash) symbol(s *code.Symbol) {
	h.texts(string(s.Kind), s.Name, s.QualifiedName, s.Returns).numbers(s.Parent, s.Ordinal, btoi(s.Exported),
		btoi(s.Computed), btoi(s.Body[1] > 0), len(s.Parameters), len(s.Annotations))
	for _, p := range s.Parameters {
		h.texts(p.Name, p.Type, p.Default).numbers(btoi(p.Variadic))
	}
	h.texts(s.Annotations...).texts(s.Modifiers...).add('s', s.Span)
	h.texts(s.Name).add('n', s.NameSpan)
}

// hides reports whether the code inside of symbol owner concerns no other file. It returns false
// for a constructor, because resolution in other files reads which other constructor it calls
// first.
func (h *shownHash) hides(owner int) bool {
	if !h.sealed || owner < 0 {
		return false
	}
	kind := h.file.Symbols[owner].Kind
	return kind.Callable() && kind != code.KindConstructor
}

// inside lists the kinds of facts about the code in a function.
var inside = []code.FactKind{code.FactVar, code.FactAssign, code.FactReturn, code.FactBlock, code.FactArguments,
	code.FactMade, code.FactNarrow}

func (h *shownHash) fact(x *code.Fact) {
	if x.Kind == code.FactEndpoint || h.hides(x.Owner) && slices.Contains(inside, x.Kind) {
		return
	}
	h.texts(x.Name, x.Type).numbers(int(x.Kind), x.Owner).add('f', x.Span)
	if x.Scope[1] > 0 {
		h.add('o', code.Span{StartByte: x.Scope[0], EndByte: x.Scope[1], StartLine: -1, EndLine: -1})
	}
}

func (h *shownHash) call(c *code.Call) {
	h.texts(c.Callee, c.Receiver).numbers(int(c.Kind), c.Args, c.Caller).add('c', c.Span)
	h.add('m', c.NameSpan)
}

// sum returns a hash of the facts in the order of their positions. Unless sealed is set, it
// includes whether two successive facts are on one line, on neighbouring lines or further apart. If
// sealed is set, other files do not depend on lines.
func (h *shownHash) sum() uint64 {
	slices.SortStableFunc(h.marks, func(a, b mark) int { return cmp.Compare(a.at, b.at) })
	line := 0
	for i, m := range h.marks {
		h.buf = binary.LittleEndian.AppendUint64(h.buf, m.hash)
		tied := i > 0 && h.marks[i-1].at == m.at
		h.numbers(btoi(tied))
		if m.line < 0 || h.sealed {
			continue
		}
		h.numbers(min(m.line-line, 2))
		line = m.line
	}
	return max(1, xxh3.Hash(h.buf))
}
