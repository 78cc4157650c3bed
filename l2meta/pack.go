package l2meta

import (
	"fmt"
	"strings"
	"unsafe"

	"sextant/internal/code"
	"sextant/internal/packing"
)

// Facts holds the symbols, calls, names and types of a file, unpacked from its row in table
// facts. Its symbols lack Signature and Doc, and their NameSpan has only a start. Their Body only
// tells whether there is a body, which then extends from the name to the end of the symbol. The
// default value of a parameter is replaced by "…". Calls, accesses and most facts stay packed
// until requested, because queries mostly read the declarations of a file.
type Facts struct {
	Symbols []code.Symbol
	Imports []code.Import
	Exports []code.Export
	// Stated holds the facts about the file as a whole: its package, and the values in a
	// manifest, whose names begin with "/". See the function stated.
	Stated []code.Fact

	packed                 []byte // the whole row
	calls, accesses, facts section
	between                []int // for each fact of Stated, the number of other facts directly before it
}

// section is the position of the packed items of one kind.
type section struct{ start, items int }

// Bytes estimates the memory that f occupies.
func (f *Facts) Bytes() int64 {
	n := cap(f.packed) + len(f.Symbols)*int(unsafe.Sizeof(code.Symbol{})) +
		len(f.Imports)*int(unsafe.Sizeof(code.Import{})) +
		len(f.Exports)*int(unsafe.Sizeof(code.Export{})) +
		len(f.Stated)*int(unsafe.Sizeof(code.Fact{})+unsafe.Sizeof(0))
	for i := range f.Symbols {
		s := &f.Symbols[i]
		n += len(s.Parameters)*int(unsafe.Sizeof(code.Parameter{})) +
			(len(s.Annotations)+len(s.Modifiers))*int(unsafe.Sizeof(""))
	}
	return int64(n)
}

// Unpack returns the file with all data but the accesses unpacked.
func (f *Facts) Unpack() *code.File {
	return &code.File{Symbols: f.Symbols, Imports: f.Imports, Exports: f.Exports, Calls: f.Calls(), Facts: f.Facts()}
}

// Calls unpacks the call sites, in document order.
func (f *Facts) Calls() []code.Call { return items(f, f.calls, (*unpacker).call) }

// Accesses unpacks the accesses of members without a call, in document order.
func (f *Facts) Accesses() []code.Call { return items(f, f.accesses, (*unpacker).access) }

// Sites returns the number of calls.
func (f *Facts) Sites() int { return f.calls.items }

// Facts unpacks the facts, in document order.
func (f *Facts) Facts() []code.Fact {
	u, all := f.at(f.facts), len(f.Stated)+f.facts.items
	out := make([]code.Fact, 0, all)
	take := func(n int) {
		for range n {
			out = append(out, u.fact())
		}
	}
	for i, n := range f.between {
		take(n)
		out = append(out, f.Stated[i])
	}
	take(all - len(out))
	return out
}

// items unpacks the items of a section.
func items[T any](f *Facts, s section, one func(*unpacker) T) []T {
	u := f.at(s)
	out := make([]T, s.items)
	for i := range out {
		out[i] = one(u)
	}
	return out
}

// at returns an unpacker at the start of a section. It returns nil for an empty section, from
// which nothing is read.
func (f *Facts) at(s section) *unpacker {
	if s.items == 0 {
		return nil // the caller reads nothing
	}
	u := &unpacker{Reader: packing.NewReader(f.packed, packVersion)}
	u.Seek(s.start)
	return u
}

// packVersion is the version of the packed form of a file. It consists of these values, as package
// packing writes them; ± marks signed numbers.
//
//	n, then n symbols: kind name qualifiedName parent± ordinal flags span name± nameLine±
//	                   returns, annotations, modifiers, parameters
//	n, then n calls:   kind callee receiver args± caller± span nameSpan
//	n, then n accesses: callee receiver use caller± nameSpan; use is 0 for a read, 1 for an
//	                   assignment, 2 for a name that is used as a value (code.CallReference)
//	n, then n imports: module name alias typeOnly scope± span
//	n, then n exports: name local module span
//	n, then n facts:   kind owner± name type span, length of the scope; if that is not 0, the
//	                   start± of the scope relative to that of the span
//	n, then n stated facts, each after the number of other facts directly before it
//
// Calls, accesses and facts are read when they are needed: the number of their bytes is in front of
// them.
//
// Annotations and modifiers are a count and strings; parameters a count and name, type, flags each.
// name± and nameLine± are relative to the start of the symbol.
//
// A span is startByte± and startLine± relative to those of the preceding span of its list, its
// length, endLine-startLine, startColumn and endColumn.
const packVersion = 5

type packer struct {
	packing.Writer
	last code.Span // the preceding span
}

func (p *packer) span(s code.Span) {
	p.Signed(s.StartByte - p.last.StartByte)
	p.Signed(s.StartLine - p.last.StartLine)
	p.Uint(s.EndByte - s.StartByte)
	p.Uint(s.EndLine - s.StartLine)
	p.Uint(s.StartColumn)
	p.Uint(s.EndColumn)
	p.last = s
}

// pack writes the facts of f in the packed form.
func pack(f *code.File) []byte {
	p := &packer{}
	p.symbols(f.Symbols[:min(len(f.Symbols), maxSymbols)])
	packLater(p, f.Calls, p.call)
	packLater(p, f.Accesses, p.access)
	packList(p, f.Imports, func(i *code.Import) {
		p.String(i.Module)
		p.String(i.Name)
		p.String(i.Alias)
		p.Bool(i.TypeOnly)
		p.Signed(i.Scope)
		p.span(i.Span)
	})
	packList(p, f.Exports, func(e *code.Export) {
		p.String(e.Name)
		p.String(e.Local)
		p.String(e.Module)
		p.span(e.Span)
	})
	p.facts(f.Facts)
	return p.Bytes(packVersion)
}

// packList packs the number of items and the items.
func packList[T any](p *packer, list []T, one func(*T)) {
	p.last = code.Span{}
	p.Uint(len(list))
	for i := range list {
		one(&list[i])
	}
}

// packLater packs a list with the number of its bytes in front, so that unpacker.section can skip
// it.
func packLater[T any](p *packer, list []T, one func(*T)) {
	p.Sized(func() { packList(p, list, one) })
}

func (p *packer) call(c *code.Call) {
	p.Uint(int(c.Kind))
	p.String(c.Callee)
	p.String(c.Receiver)
	p.Signed(c.Args)
	p.Signed(c.Caller)
	p.span(c.Span)
	p.span(c.NameSpan)
}

func (p *packer) access(c *code.Call) {
	p.String(c.Callee)
	p.String(c.Receiver)
	if c.Kind == code.CallReference {
		p.Uint(useTaken)
	} else {
		p.Uint(c.Args)
	}
	p.Signed(c.Caller)
	p.span(c.NameSpan)
}

// useTaken marks a packed access that is a CallReference.
const useTaken = 2

func (p *packer) fact(c *code.Fact) {
	p.Uint(int(c.Kind))
	p.Signed(c.Owner)
	p.String(c.Name)
	p.String(c.Type)
	p.span(c.Span)
	p.Uint(c.Scope[1] - c.Scope[0])
	if c.Scope[1] > c.Scope[0] {
		p.Signed(c.Scope[0] - c.Span.StartByte)
	}
}

// facts packs the facts about the file as a whole separately from the others.
func (p *packer) facts(list []code.Fact) {
	var whole, rest []code.Fact
	var between []int
	since := 0
	for i := range list {
		if stated(&list[i]) {
			whole, between, since = append(whole, list[i]), append(between, since), 0
		} else {
			rest, since = append(rest, list[i]), since+1
		}
	}
	packLater(p, rest, p.fact)
	packList(p, whole, func(c *code.Fact) {
		p.Uint(between[0])
		between = between[1:]
		p.fact(c)
	})
}

// flagExported, flagBody and flagComputed are bits in the packed flags of a symbol, flagVariadic
// and flagDefault in those of a parameter.
const (
	flagExported = 1 << iota
	flagBody
	flagComputed
)

const (
	flagVariadic = 1 << iota
	flagDefault
)

func (p *packer) symbols(symbols []code.Symbol) {
	p.Uint(len(symbols))
	for i := range symbols {
		s := &symbols[i]
		p.String(string(s.Kind))
		p.String(s.Name)
		p.String(s.QualifiedName)
		p.Signed(s.Parent)
		p.Uint(s.Ordinal)
		p.Uint(boolInt(s.Exported)*flagExported + boolInt(s.Body[1] > s.Body[0])*flagBody +
			boolInt(s.Computed)*flagComputed)
		p.span(s.Span)
		p.Signed(s.NameSpan.StartByte - s.Span.StartByte)
		p.Signed(s.NameSpan.StartLine - s.Span.StartLine)
		p.String(s.Returns)
		p.Strings(s.Annotations)
		p.Strings(s.Modifiers)
		p.Uint(len(s.Parameters))
		for _, a := range s.Parameters {
			p.String(a.Name)
			p.String(a.Type)
			p.Uint(boolInt(a.Variadic)*flagVariadic + boolInt(a.Default != "")*flagDefault)
		}
	}
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// unpacker unpacks the packed form.
type unpacker struct {
	*packing.Reader
	last code.Span // the preceding span
}

func (u *unpacker) span() code.Span {
	var s code.Span
	s.StartByte = u.last.StartByte + u.Signed()
	s.StartLine = u.last.StartLine + u.Signed()
	s.EndByte = s.StartByte + u.Uint()
	s.EndLine = s.StartLine + u.Uint()
	s.StartColumn, s.EndColumn = u.Uint(), u.Uint()
	u.last = s
	return s
}

func (u *unpacker) symbol() (s code.Symbol) {
	s.Kind, s.Name, s.QualifiedName = code.Kind(u.String()), u.String(), u.String()
	s.Parent, s.Ordinal = u.Signed(), u.Uint()
	flags := u.Uint()
	s.Exported, s.Computed = flags&flagExported != 0, flags&flagComputed != 0
	s.Span = u.span()
	s.NameSpan.StartByte = s.Span.StartByte + u.Signed()
	s.NameSpan.StartLine = s.Span.StartLine + u.Signed()
	if flags&flagBody != 0 {
		s.Body = [2]int{s.NameSpan.StartByte, s.Span.EndByte}
	}
	s.Returns, s.Annotations, s.Modifiers = u.String(), u.Strings(), u.Strings()
	if n := u.Count(); n > 0 {
		s.Parameters = make([]code.Parameter, n)
	}
	for i := range s.Parameters {
		a := &s.Parameters[i]
		a.Name, a.Type = u.String(), u.String()
		flags := u.Uint()
		a.Variadic = flags&flagVariadic != 0
		if flags&flagDefault != 0 {
			a.Default = "…"
		}
	}
	return s
}

func (u *unpacker) call() code.Call {
	return code.Call{Kind: code.CallKind(u.Uint()), Callee: u.String(), Receiver: u.String(), Args: u.Signed(),
		Caller: u.Signed(), Span: u.span(), NameSpan: u.span()}
}

func (u *unpacker) access() code.Call {
	c := code.Call{Kind: code.CallAccess, Callee: u.String(), Receiver: u.String(), Args: u.Uint(), Caller: u.Signed(),
		NameSpan: u.span()}
	if c.Args == useTaken {
		c.Kind, c.Args = code.CallReference, 0
	}
	c.Span = c.NameSpan
	return c
}

func (u *unpacker) fact() code.Fact {
	fact := code.Fact{Kind: code.FactKind(u.Uint()), Owner: u.Signed(), Name: u.String(),
		Type: u.String(), Span: u.span()}
	if size := u.Uint(); size > 0 {
		start := fact.Span.StartByte + u.Signed()
		fact.Scope = [2]int{start, start + size}
	}
	return fact
}

// section skips the packed items of one kind, and returns where they are.
func (u *unpacker) section() section {
	start := u.Skip()
	end := u.Offset()
	u.Seek(start)
	s := section{items: u.Count(), start: u.Offset()}
	u.Seek(end)
	return s
}

// unpackList unpacks the number of items and the items.
func unpackList[T any](u *unpacker, one func(*unpacker) T) []T {
	u.last = code.Span{}
	out := make([]T, u.Count())
	for i := range out {
		out[i] = one(u)
	}
	return out
}

// stated reports whether a fact is about the file as a whole: its package, or a value in a
// manifest.
func stated(f *code.Fact) bool {
	return f.Owner < 0 && (f.Kind == code.FactPackage || f.Kind == code.FactField && strings.HasPrefix(f.Name, "/"))
}

// unpack unpacks the output of pack. It keeps b, which must not be modified afterwards.
func unpack(b []byte) (f Facts, err error) {
	u := &unpacker{Reader: packing.NewReader(b, packVersion)}
	f.packed = b
	f.Symbols = unpackList(u, (*unpacker).symbol)
	f.calls, f.accesses = u.section(), u.section()
	f.Imports = unpackList(u, func(u *unpacker) code.Import {
		return code.Import{Module: u.String(), Name: u.String(), Alias: u.String(), TypeOnly: u.Bool(),
			Scope: u.Signed(), Span: u.span()}
	})
	f.Exports = unpackList(u, func(u *unpacker) code.Export {
		return code.Export{Name: u.String(), Local: u.String(), Module: u.String(), Span: u.span()}
	})
	f.facts = u.section()
	left, short := f.facts.items, false
	f.Stated = unpackList(u, func(u *unpacker) code.Fact {
		n := u.Uint()
		if short = short || n > left; !short {
			f.between, left = append(f.between, n), left-n
		}
		return u.fact()
	})
	if err := u.End(); err != nil {
		return Facts{}, err
	}
	if short {
		return Facts{}, fmt.Errorf("%w: facts are missing", packing.ErrDamaged)
	}
	return f, nil
}
