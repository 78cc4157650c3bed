package resolve

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"sextant/internal/budget"
	"sextant/internal/code"
	"sextant/internal/store"
	"sextant/l2meta"
)

// File is one indexed file: the symbols, imports, calls and facts that were extracted from its
// bytes alone, and indexes over them. A fact is a statement about a name, such as its type. It is
// immutable and safe for concurrent use. Within one World a file is one *File, so Refs compare by
// ==.
type File struct {
	ID       int64
	Path     string // relative to the root, '/'-separated
	Dir      string // "" for the root itself
	Language string
	Class    code.Class
	Hash     code.Hash
	l2meta.Facts

	index lazy[fileIndex]
	calls lazy[fileCalls]
	reads lazy[fileCalls] // accesses of members; see access.go
	facts lazy[fileFacts]

	mu   sync.Mutex
	memo map[any]any // guarded by mu

	size atomic.Int64 // in bytes, of all fields above
	item *budget.Item // counts size; nil if the file is not kept
}

// fileIndex holds three lists of the indexes of all symbols, sorted by name, by qualified name and
// by parent. Equal symbols are in document order.
type fileIndex struct{ named, qualified, children []int }

// fileCalls holds the calls or accesses, and their indexes ordered by callee.
type fileCalls struct {
	list   []code.Call
	callee []int
}

// fileFacts holds the facts in document order, and pointers to them ordered by owner.
type fileFacts struct {
	list  []code.Fact
	owned []*code.Fact
}

func newFile(ref store.FileRef, facts l2meta.Facts) *File {
	f := &File{ID: ref.ID, Path: ref.Path, Dir: code.Dir(ref.Path), Language: ref.Language, Class: ref.Class,
		Hash: ref.Hash, Facts: facts}
	f.index.make, f.facts.make = f.makeIndex, f.unpackFacts
	f.calls.make = func() *fileCalls { return f.orderedCalls(f.Facts.Calls()) }
	f.reads.make = func() *fileCalls { return f.orderedCalls(f.Facts.Accesses()) }
	f.size.Store(f.packedBytes())
	return f
}

// packedBytes estimates the memory that f occupies before anything of it is unpacked or kept in its memo.
func (f *File) packedBytes() int64 { return int64(unsafe.Sizeof(*f)) + perFile + f.Facts.Bytes() }

// lazy is a value that is made when it is first needed, and again after it was dropped.
type lazy[T any] struct {
	make func() *T
	made atomic.Pointer[T]
	mu   sync.Mutex // held while making the value
}

func (l *lazy[T]) get() *T {
	if v := l.made.Load(); v != nil {
		return v
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	v := l.made.Load()
	if v == nil {
		v = l.make()
		l.made.Store(v)
	}
	return v
}

// pack drops all that f can unpack or compute again. Requests and routes of a whole workspace refer to tens of
// thousands of files, which stay in memory as long as they do.
func (f *File) pack() {
	f.index.made.Store(nil)
	f.calls.made.Store(nil)
	f.reads.made.Store(nil)
	f.facts.made.Store(nil)
	f.mu.Lock()
	f.memo = nil
	f.mu.Unlock()
	f.size.Store(f.packedBytes())
}

// grow adds bytes to the size of f.
func (f *File) grow(bytes int64) { f.item.Resize(f.size.Add(bytes)) }

func (f *File) makeIndex() *fileIndex {
	n := len(f.Symbols)
	f.grow(3 * 8 * int64(n))
	return &fileIndex{
		named: ordered(n, func(a, b int) int { return strings.Compare(f.Symbols[a].Name, f.Symbols[b].Name) }),
		qualified: ordered(n, func(a, b int) int {
			return strings.Compare(f.Symbols[a].QualifiedName, f.Symbols[b].QualifiedName)
		}),
		children: ordered(n, func(a, b int) int { return f.Symbols[a].Parent - f.Symbols[b].Parent }),
	}
}

func (f *File) orderedCalls(list []code.Call) *fileCalls {
	c := &fileCalls{list: list}
	c.callee = ordered(len(c.list), func(a, b int) int { return strings.Compare(c.list[a].Callee, c.list[b].Callee) })
	f.grow(int64(len(c.list)) * int64(unsafe.Sizeof(code.Call{})+8))
	return c
}

func (f *File) unpackFacts() *fileFacts {
	x := &fileFacts{list: f.Facts.Facts()}
	x.owned = make([]*code.Fact, len(x.list))
	for i := range x.list {
		x.owned[i] = &x.list[i]
	}
	slices.SortStableFunc(x.owned, func(a, b *code.Fact) int { return a.Owner - b.Owner })
	f.grow(int64(len(x.list)) * int64(unsafe.Sizeof(code.Fact{})+8))
	return x
}

// unpacked returns everything that is stored of f, except for the accesses.
func (f *File) unpacked() *code.File {
	return &code.File{Symbols: f.Symbols, Imports: f.Imports, Exports: f.Exports, Calls: f.Calls(), Facts: f.AllFacts()}
}

// ordered returns the numbers from 0 to n-1 in the order of compare; equal ones stay in ascending
// order.
func ordered(n int, compare func(a, b int) int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	slices.SortStableFunc(out, compare)
	return out
}

// equal returns the elements of an ordered list for which compare returns 0. The caller must not
// modify the result.
func equal[T any](list []T, compare func(T) int) []T {
	from := sort.Search(len(list), func(i int) bool { return compare(list[i]) >= 0 })
	to := from + sort.Search(len(list)-from, func(i int) bool { return compare(list[from+i]) > 0 })
	return list[from:to:to]
}

// Named returns the indexes of the symbols of a name, at any depth.
func (f *File) Named(name string) []int {
	return equal(f.index.get().named, func(i int) int { return strings.Compare(f.Symbols[i].Name, name) })
}

// Qualified returns the indexes of the symbols of a qualified name; overloads share one.
func (f *File) Qualified(name string) []int {
	return equal(f.index.get().qualified, func(i int) int { return strings.Compare(f.Symbols[i].QualifiedName, name) })
}

// Children returns the indexes of the symbols whose parent is symbol i; -1 means the top level.
func (f *File) Children(i int) []int {
	return equal(f.index.get().children, func(c int) int { return cmp.Compare(f.Symbols[c].Parent, i) })
}

// Calls returns the call sites, in document order.
func (f *File) Calls() []code.Call { return f.calls.get().list }

// CallsOf returns the indexes of the calls whose callee has that name.
func (f *File) CallsOf(name string) []int { return f.calls.get().of(name) }

func (c *fileCalls) of(name string) []int {
	return equal(c.callee, func(i int) int { return strings.Compare(c.list[i].Callee, name) })
}

// UsesOf returns the indexes of the sites, in the numbering of Site, that call a function of that name
// or use it as a value.
func (f *File) UsesOf(name string) []int {
	out := slices.Clone(f.CallsOf(name))
	for _, i := range f.reads.get().of(name) {
		if f.Accesses()[i].Kind == code.CallReference {
			out = append(out, f.Sites()+i)
		}
	}
	return out
}

// Accesses returns the members that are accessed without a call, in document order.
func (f *File) Accesses() []code.Call { return f.reads.get().list }

// Site returns call site i of the file: a call or an access. Accesses are numbered after the calls.
func (f *File) Site(i int) *code.Call {
	if n := f.Sites(); i >= n {
		return &f.Accesses()[i-n]
	}
	return &f.Calls()[i]
}

// AllFacts returns the facts, in document order.
func (f *File) AllFacts() []code.Fact { return f.facts.get().list }

// FactsOf returns the facts whose owner is symbol i, such as the types of its parameters, in
// document order; -1 means the file itself.
func (f *File) FactsOf(i int) []*code.Fact {
	return equal(f.facts.get().owned, func(fact *code.Fact) int { return cmp.Compare(fact.Owner, i) })
}

// Declared returns the symbol whose name covers a byte offset. If there is none it returns the only
// symbol declared on that line, or -1.
func (f *File) Declared(offset, line int) int {
	only := -1
	for i := range f.Symbols {
		s := &f.Symbols[i]
		if start := s.NameSpan.StartByte; start <= offset && offset < start+len(s.Name) {
			return i
		}
		if s.NameSpan.StartLine != line {
			continue
		}
		if only >= 0 {
			only = len(f.Symbols) // there are several symbols on the line
		} else {
			only = i
		}
	}
	if only == len(f.Symbols) {
		return -1
	}
	return only
}

// Package returns the file's package, module or namespace name; "" if it states none.
func (f *File) Package() string {
	for i := range f.Stated {
		if f.Stated[i].Kind == code.FactPackage {
			return f.Stated[i].Type
		}
	}
	return ""
}

// Leaf returns the value at a JSON pointer of a manifest, such as /name in package.json; "" if
// there is none.
func (f *File) Leaf(pointer string) string {
	for i := range f.Stated {
		if f.Stated[i].Kind == code.FactField && f.Stated[i].Name == pointer {
			return f.Stated[i].Type
		}
	}
	return ""
}

// Leaves returns the facts of a manifest whose JSON pointers start with prefix.
func (f *File) Leaves(prefix string) (out []*code.Fact) {
	for i := range f.Stated {
		if f.Stated[i].Kind == code.FactField && strings.HasPrefix(f.Stated[i].Name, prefix) {
			out = append(out, &f.Stated[i])
		}
	}
	return out
}

// Ref returns the Ref of symbol i of f.
func (f *File) Ref(i int) Ref { return Ref{f, i} }

// Callable returns the nearest symbol with code that encloses symbol i, or i itself: a callable, or a
// property with a getter; -1 if there is none.
func (f *File) Callable(i int) int {
	for ; i >= 0; i = f.Symbols[i].Parent {
		if f.Symbols[i].Runs() {
			return i
		}
	}
	return -1
}

// Type returns the nearest type that encloses symbol i, without i itself; -1 if there is none.
func (f *File) Type(i int) int {
	for i >= 0 {
		if i = f.Symbols[i].Parent; i >= 0 && IsType(f.Symbols[i].Kind) {
			return i
		}
	}
	return -1
}

// Memo returns the result of make for key, computed once while the file is kept. The result must
// depend on the file's bytes alone, and make must not call Memo with the same key.
func Memo[K comparable, V any](f *File, key K, make func() V) V {
	f.mu.Lock()
	if v, ok := f.memo[key]; ok {
		f.mu.Unlock()
		return v.(V)
	}
	f.mu.Unlock()
	v := make()
	f.mu.Lock()
	if f.memo == nil {
		f.memo = map[any]any{}
	}
	_, had := f.memo[key]
	f.memo[key] = v
	f.mu.Unlock()
	if !had {
		f.grow(entryBytes(key, v))
	}
	return v
}

// IsType reports whether symbols of kind k have members and can be the type of
// a value.
func IsType(k code.Kind) bool {
	switch k {
	case code.KindClass, code.KindStruct, code.KindInterface, code.KindTrait, code.KindEnum, code.KindType:
		return true
	}
	return false
}

// Ref identifies a symbol of a file; the zero Ref means none. Index -1 means the code of the file
// outside of any symbol, and has no Symbol.
type Ref struct {
	File  *File
	Index int
}

// Valid reports whether r refers to a symbol or to the code of a file.
func (r Ref) Valid() bool { return r.File != nil }

// CompareRefs compares declarations by the paths of their files and then as in the file. An invalid Ref precedes all
// others.
func CompareRefs(a, b Ref) int {
	switch {
	case !a.Valid() && !b.Valid():
		return 0
	case !a.Valid():
		return -1
	case !b.Valid():
		return 1
	}
	return cmp.Or(strings.Compare(a.File.Path, b.File.Path), a.Index-b.Index)
}

// Symbol returns the symbol of a valid Ref.
func (r Ref) Symbol() *code.Symbol { return &r.File.Symbols[r.Index] }

// Parent returns the symbol that encloses r; the zero Ref at the top level.
func (r Ref) Parent() Ref {
	if p := r.Symbol().Parent; p >= 0 {
		return Ref{r.File, p}
	}
	return Ref{}
}

// Member returns the first direct child of r that has the name and one of the kinds. It returns the
// zero Ref if there is none, or if r is the zero Ref.
func (r Ref) Member(name string, kinds ...code.Kind) Ref {
	if !r.Valid() {
		return Ref{}
	}
	for _, i := range r.File.Children(r.Index) {
		if s := &r.File.Symbols[i]; s.Name == name && slices.Contains(kinds, s.Kind) {
			return r.File.Ref(i)
		}
	}
	return Ref{}
}

// Facts returns the facts whose owner is r, such as the types of its parameters and local
// variables, in document order.
func (r Ref) Facts() []*code.Fact { return r.File.FactsOf(r.Index) }

// ID returns the symbol's id.
func (r Ref) ID() code.SymbolID {
	return code.ID(r.File.Path, r.File.Language, r.Symbol())
}

// Row returns the symbol as a row of the index.
func (r Ref) Row() l2meta.Row {
	return l2meta.Row{FileID: r.File.ID, Path: r.File.Path, Language: r.File.Language, Class: r.File.Class,
		Index: r.Index, Symbol: *r.Symbol()}
}
