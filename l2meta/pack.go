package l2meta

import (
	"encoding/binary"
	"errors"
	"fmt"
	"unsafe"

	"sextant/internal/code"
)

// Facts is what a file says of symbols, calls, names and types, as packed in
// its row. Its symbols lack signature and doc; their NameSpan has only a start,
// their Body says no more than that there is one, and "…" stands for any
// default of a parameter.
type Facts struct {
	Symbols []code.Symbol
	Calls   []code.Call
	Imports []code.Import
	Exports []code.Export
	Facts   []code.Fact

	texts int // bytes that their strings share
}

// Bytes is about how much memory f occupies.
func (f *Facts) Bytes() int64 {
	n := f.texts + len(f.Symbols)*int(unsafe.Sizeof(code.Symbol{})) + len(f.Calls)*int(unsafe.Sizeof(code.Call{})) +
		len(f.Imports)*int(unsafe.Sizeof(code.Import{})) + len(f.Exports)*int(unsafe.Sizeof(code.Export{})) + len(f.Facts)*int(unsafe.Sizeof(code.Fact{}))
	for i := range f.Symbols {
		s := &f.Symbols[i]
		n += len(s.Parameters)*int(unsafe.Sizeof(code.Parameter{})) + (len(s.Annotations)+len(s.Modifiers))*int(unsafe.Sizeof(""))
	}
	return int64(n)
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
	texts   int       // bytes of all strings
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
	n := u.count()
	u.strings = make([]string, 0, n)
	// All strings share one copy of the table, and nothing keeps what follows it.
	table := u.in
	for range n {
		u.in = u.in[u.count():]
	}
	if u.bad {
		return
	}
	whole := string(table[:len(table)-len(u.in)])
	u.texts = len(whole)
	for at := 0; len(u.strings) < n; {
		size, head := binary.Uvarint(table[at:])
		at += head
		u.strings = append(u.strings, whole[at:at+int(size)])
		at += int(size)
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

// unpack reads what pack wrote.
func unpack(b []byte) (f Facts, err error) {
	u := &unpacker{in: b}
	u.table()
	f.texts = u.texts
	f.Symbols = make([]code.Symbol, u.count())
	for i := range f.Symbols {
		f.Symbols[i] = u.symbol()
	}
	f.Calls = make([]code.Call, u.count())
	for i := range f.Calls {
		f.Calls[i] = code.Call{Kind: code.CallKind(u.uint()), Callee: u.str(), Receiver: u.str(), Args: u.signed(), Caller: u.signed(), Span: u.span(), NameSpan: u.span()}
	}
	f.Imports = make([]code.Import, u.count())
	for i := range f.Imports {
		f.Imports[i] = code.Import{Module: u.str(), Name: u.str(), Alias: u.str(), TypeOnly: u.uint() == 1, Scope: u.signed(), Span: u.span()}
	}
	f.Exports = make([]code.Export, u.count())
	for i := range f.Exports {
		f.Exports[i] = code.Export{Name: u.str(), Local: u.str(), Module: u.str(), Span: u.span()}
	}
	f.Facts = make([]code.Fact, u.count())
	for i := range f.Facts {
		fact := code.Fact{Kind: code.FactKind(u.uint()), Owner: u.signed(), Name: u.str(), Type: u.str(), Span: u.span()}
		if size := u.uint(); size > 0 {
			start := fact.Span.StartByte + u.signed()
			fact.Scope = [2]int{start, start + size}
		}
		f.Facts[i] = fact
	}
	if u.bad || len(u.in) > 0 {
		return Facts{}, fmt.Errorf("%w (%d bytes)", errPacked, len(b))
	}
	return f, nil
}
