package l2meta

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"unsafe"

	"sextant/internal/code"
)

// Facts is what a file says of symbols, calls, names and types, as packed in
// its row. Its symbols lack signature and doc; their NameSpan has only a start,
// their Body says no more than that there is one, and "…" stands for any
// default of a parameter. Its calls and most facts stay packed until they are
// asked for: most of what is asked of other files is their declarations.
type Facts struct {
	Symbols []code.Symbol
	Imports []code.Import
	Exports []code.Export
	// Stated is what the file says of itself as a whole: its package, and the
	// leaves of a manifest.
	Stated []code.Fact

	packed       []byte // all of it
	calls, facts section
}

// section is where the items of one kind are packed.
type section struct {
	start, items int
	last         code.Span // the span before
}

// Bytes returns about how much memory f occupies.
func (f *Facts) Bytes() int64 {
	n := cap(f.packed) + len(f.Symbols)*int(unsafe.Sizeof(code.Symbol{})) + len(f.Imports)*int(unsafe.Sizeof(code.Import{})) +
		len(f.Exports)*int(unsafe.Sizeof(code.Export{})) + len(f.Stated)*int(unsafe.Sizeof(code.Fact{}))
	for i := range f.Symbols {
		s := &f.Symbols[i]
		n += len(s.Parameters)*int(unsafe.Sizeof(code.Parameter{})) + (len(s.Annotations)+len(s.Modifiers))*int(unsafe.Sizeof(""))
	}
	return int64(n)
}

// Calls unpacks the call sites, in document order.
func (f *Facts) Calls() []code.Call {
	u := f.at(f.calls)
	out := make([]code.Call, f.calls.items)
	for i := range out {
		out[i] = u.call()
	}
	return out
}

// Sites is how many calls there are.
func (f *Facts) Sites() int { return f.calls.items }

// Facts unpacks the facts, in document order.
func (f *Facts) Facts() []code.Fact {
	u := f.at(f.facts)
	out := make([]code.Fact, f.facts.items)
	for i := range out {
		out[i] = u.fact()
	}
	return out
}

// at reads from where a section starts.
func (f *Facts) at(s section) *unpacker {
	u := &unpacker{in: f.packed}
	if s.items > 0 {
		u.table()
	}
	u.in, u.last = f.packed[s.start:], s.last
	return u
}

// The packed form. Numbers are unsigned varints unless they are
// said to be signed (zigzag varints); a string is its index into the table.
//
//	version
//	n, then n strings: length, bytes           the string table
//	n, then n symbols: kind name qualifiedName parent± ordinal flags span name± nameLine± returns, annotations, modifiers, parameters
//	n, then n calls:   kind callee receiver args± caller± span nameSpan
//	n, then n imports: module name alias typeOnly scope± span
//	n, then n exports: name local module span
//	n, then n facts:   kind owner± name type span, length of the scope, and
//	                   its start± less that of the span where there is one
//
// Annotations and modifiers are a count and strings; parameters a count and name,
// type, flags each. A name is told by its distance from the symbol's start.
//
// A span is startByte± and startLine± less those of the span before it, its
// length, endLine-startLine, startColumn and endColumn.
const packVersion = 3

type packer struct {
	body    []byte
	strings []string
	index   map[string]uint64
	last    code.Span // the span before
}

func (p *packer) uint(n int)   { p.body = binary.AppendUvarint(p.body, uint64(n)) }
func (p *packer) signed(n int) { p.body = binary.AppendVarint(p.body, int64(n)) }

func (p *packer) str(s string) {
	i, ok := p.index[s]
	if !ok {
		i = uint64(len(p.strings))
		p.index[s] = i
		p.strings = append(p.strings, s)
	}
	p.body = binary.AppendUvarint(p.body, i)
}

func (p *packer) span(s code.Span) {
	p.signed(s.StartByte - p.last.StartByte)
	p.signed(s.StartLine - p.last.StartLine)
	p.uint(s.EndByte - s.StartByte)
	p.uint(s.EndLine - s.StartLine)
	p.uint(s.StartColumn)
	p.uint(s.EndColumn)
	p.last = s
}

// pack writes the facts of f in the packed form.
func pack(f *code.File) []byte {
	p := &packer{index: map[string]uint64{}}
	p.symbols(f.Symbols[:min(len(f.Symbols), maxSymbols)])
	p.uint(len(f.Calls))
	for _, c := range f.Calls {
		p.uint(int(c.Kind))
		p.str(c.Callee)
		p.str(c.Receiver)
		p.signed(c.Args)
		p.signed(c.Caller)
		p.span(c.Span)
		p.span(c.NameSpan)
	}
	p.uint(len(f.Imports))
	for _, i := range f.Imports {
		p.str(i.Module)
		p.str(i.Name)
		p.str(i.Alias)
		p.uint(boolInt(i.TypeOnly))
		p.signed(i.Scope)
		p.span(i.Span)
	}
	p.uint(len(f.Exports))
	for _, e := range f.Exports {
		p.str(e.Name)
		p.str(e.Local)
		p.str(e.Module)
		p.span(e.Span)
	}
	p.uint(len(f.Facts))
	for _, c := range f.Facts {
		p.uint(int(c.Kind))
		p.signed(c.Owner)
		p.str(c.Name)
		p.str(c.Type)
		p.span(c.Span)
		p.uint(c.Scope[1] - c.Scope[0])
		if c.Scope[1] > c.Scope[0] {
			p.signed(c.Scope[0] - c.Span.StartByte)
		}
	}
	out := binary.AppendUvarint(nil, packVersion)
	out = binary.AppendUvarint(out, uint64(len(p.strings)))
	for _, s := range p.strings {
		out = binary.AppendUvarint(out, uint64(len(s)))
		out = append(out, s...)
	}
	return append(out, p.body...)
}

// The flags of a symbol and of a parameter.
const (
	flagExported = 1 << iota
	flagBody
)

const (
	flagVariadic = 1 << iota
	flagDefault
)

func (p *packer) symbols(symbols []code.Symbol) {
	p.uint(len(symbols))
	for i := range symbols {
		s := &symbols[i]
		p.str(string(s.Kind))
		p.str(s.Name)
		p.str(s.QualifiedName)
		p.signed(s.Parent)
		p.uint(s.Ordinal)
		p.uint(boolInt(s.Exported)*flagExported + boolInt(s.Body[1] > s.Body[0])*flagBody)
		p.span(s.Span)
		p.signed(s.NameSpan.StartByte - s.Span.StartByte)
		p.signed(s.NameSpan.StartLine - s.Span.StartLine)
		p.str(s.Returns)
		p.strs(s.Annotations)
		p.strs(s.Modifiers)
		p.uint(len(s.Parameters))
		for _, a := range s.Parameters {
			p.str(a.Name)
			p.str(a.Type)
			p.uint(boolInt(a.Variadic)*flagVariadic + boolInt(a.Default != "")*flagDefault)
		}
	}
}

func (p *packer) strs(list []string) {
	p.uint(len(list))
	for _, s := range list {
		p.str(s)
	}
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

var errPacked = errors.New("packed facts are damaged")

// unpacker reads the packed form. After the first fault every read gives zero.
type unpacker struct {
	in      []byte
	strings []string
	last    code.Span // the span before
	bad     bool
}

func (u *unpacker) uint() int {
	n, size := binary.Uvarint(u.in)
	if size <= 0 || n > 1<<40 {
		u.bad, u.in = true, nil
		return 0
	}
	u.in = u.in[size:]
	return int(n)
}

func (u *unpacker) signed() int {
	n, size := binary.Varint(u.in)
	if size <= 0 {
		u.bad, u.in = true, nil
		return 0
	}
	u.in = u.in[size:]
	return int(n)
}

// count reads how many items follow; each takes at least one byte.
func (u *unpacker) count() int {
	n := u.uint()
	if n > len(u.in) {
		u.bad, u.in = true, nil
		return 0
	}
	return n
}

func (u *unpacker) str() string {
	i := u.uint()
	if i >= len(u.strings) {
		u.bad = true
		return ""
	}
	return u.strings[i]
}

func (u *unpacker) span() code.Span {
	var s code.Span
	s.StartByte = u.last.StartByte + u.signed()
	s.StartLine = u.last.StartLine + u.signed()
	s.EndByte = s.StartByte + u.uint()
	s.EndLine = s.StartLine + u.uint()
	s.StartColumn, s.EndColumn = u.uint(), u.uint()
	u.last = s
	return s
}

func (u *unpacker) table() {
	if v := u.uint(); v != packVersion {
		u.bad = true
		return
	}
	u.strings = make([]string, u.count())
	for i := range u.strings {
		n := u.count()
		u.strings[i] = unsafe.String(unsafe.SliceData(u.in), n) // what is packed is never modified
		u.in = u.in[n:]
	}
}

func (u *unpacker) strs() []string {
	n := u.count()
	if n == 0 {
		return nil
	}
	out := make([]string, n)
	for i := range out {
		out[i] = u.str()
	}
	return out
}

func (u *unpacker) symbol() (s code.Symbol) {
	s.Kind, s.Name, s.QualifiedName = code.Kind(u.str()), u.str(), u.str()
	s.Parent, s.Ordinal = u.signed(), u.uint()
	flags := u.uint()
	s.Exported = flags&flagExported != 0
	s.Span = u.span()
	s.NameSpan.StartByte = s.Span.StartByte + u.signed()
	s.NameSpan.StartLine = s.Span.StartLine + u.signed()
	if flags&flagBody != 0 {
		s.Body = [2]int{s.NameSpan.StartByte, s.Span.EndByte}
	}
	s.Returns, s.Annotations, s.Modifiers = u.str(), u.strs(), u.strs()
	if n := u.count(); n > 0 {
		s.Parameters = make([]code.Parameter, n)
	}
	for i := range s.Parameters {
		a := &s.Parameters[i]
		a.Name, a.Type = u.str(), u.str()
		flags := u.uint()
		a.Variadic = flags&flagVariadic != 0
		if flags&flagDefault != 0 {
			a.Default = "…"
		}
	}
	return s
}

func (u *unpacker) call() code.Call {
	return code.Call{Kind: code.CallKind(u.uint()), Callee: u.str(), Receiver: u.str(), Args: u.signed(), Caller: u.signed(), Span: u.span(), NameSpan: u.span()}
}

func (u *unpacker) fact() code.Fact {
	fact := code.Fact{Kind: code.FactKind(u.uint()), Owner: u.signed(), Name: u.str(), Type: u.str(), Span: u.span()}
	if size := u.uint(); size > 0 {
		start := fact.Span.StartByte + u.signed()
		fact.Scope = [2]int{start, start + size}
	}
	return fact
}

// section begins the items of one kind of b, which is all that u reads.
func (u *unpacker) section(b []byte) section {
	items := u.count()
	return section{len(b) - len(u.in), items, u.last}
}

// stated reports whether a fact is of the file as a whole.
func stated(f *code.Fact) bool {
	return f.Owner < 0 && (f.Kind == code.FactPackage || f.Kind == code.FactField && strings.HasPrefix(f.Name, "/"))
}

// unpack reads what pack wrote. It keeps b, which must not be modified any more.
func unpack(b []byte) (f Facts, err error) {
	u := &unpacker{in: b}
	f.packed = b
	u.table()
	f.Symbols = make([]code.Symbol, u.count())
	for i := range f.Symbols {
		f.Symbols[i] = u.symbol()
	}
	f.calls = u.section(b)
	for range f.calls.items {
		u.call()
	}
	f.Imports = make([]code.Import, u.count())
	for i := range f.Imports {
		f.Imports[i] = code.Import{Module: u.str(), Name: u.str(), Alias: u.str(), TypeOnly: u.uint() == 1, Scope: u.signed(), Span: u.span()}
	}
	f.Exports = make([]code.Export, u.count())
	for i := range f.Exports {
		f.Exports[i] = code.Export{Name: u.str(), Local: u.str(), Module: u.str(), Span: u.span()}
	}
	f.facts = u.section(b)
	for range f.facts.items {
		if fact := u.fact(); stated(&fact) {
			f.Stated = append(f.Stated, fact)
		}
	}
	if u.bad || len(u.in) > 0 {
		return Facts{}, fmt.Errorf("%w (%d bytes)", errPacked, len(b))
	}
	return f, nil
}
