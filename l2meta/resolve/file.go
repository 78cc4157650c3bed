package resolve

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"sextant/internal/budget"
	"sextant/internal/code"
	"sextant/internal/store"
	"sextant/l2meta"
)

// File is one file as resolution sees it: its facts, which depend on its
// bytes alone, and indexes over them. It is immutable once made and safe for
// concurrent use; within one World a file is one *File, so Refs compare by ==.
type File struct {
	ID       int64
	Path     string // relative to the root, '/'-separated
	Dir      string // "" for the root itself
	Language string
	Class    code.Class
	Hash     code.Hash
	l2meta.Facts

	index func() *fileIndex

	mu   sync.Mutex
	memo map[any]any // guarded by mu

	size atomic.Int64 // in bytes, of all above
	item *budget.Item // counts size; nil for a file that is not kept
}

// fileIndex is what most questions of a file go through.
type fileIndex struct {
	named     map[string][]int
	qualified map[string][]int
	children  map[int][]int        // by parent, -1 at the top
	facts     map[int][]*code.Fact // by owner, -1 at the top, in document order
	calls     map[string][]int     // by callee
}

func newFile(ref store.FileRef, facts l2meta.Facts) *File {
	f := &File{ID: ref.ID, Path: ref.Path, Dir: store.Dir(ref.Path), Language: ref.Language, Class: ref.Class, Hash: ref.Hash, Facts: facts}
	f.index = sync.OnceValue(f.build)
	f.size.Store(int64(unsafe.Sizeof(*f)) + perFile + f.Facts.Bytes())
	return f
}

// grow counts more bytes for f.
func (f *File) grow(bytes int64) { f.item.Resize(f.size.Add(bytes)) }

func (f *File) build() *fileIndex {
	x := &fileIndex{named: map[string][]int{}, qualified: map[string][]int{}, children: map[int][]int{}, facts: map[int][]*code.Fact{}, calls: map[string][]int{}}
	for i := range f.Symbols {
		s := &f.Symbols[i]
		x.named[s.Name] = append(x.named[s.Name], i)
		x.qualified[s.QualifiedName] = append(x.qualified[s.QualifiedName], i)
		x.children[s.Parent] = append(x.children[s.Parent], i)
	}
	for i := range f.Facts.Facts {
		fact := &f.Facts.Facts[i]
		x.facts[fact.Owner] = append(x.facts[fact.Owner], fact)
	}
	for i := range f.Calls {
		x.calls[f.Calls[i].Callee] = append(x.calls[f.Calls[i].Callee], i)
	}
	lists := len(x.named) + len(x.qualified) + len(x.children) + len(x.facts) + len(x.calls)
	f.grow(int64(perList*lists + perEntry*(3*len(f.Symbols)+len(f.Facts.Facts)+len(f.Calls))))
	return x
}

// Named is the symbols of that name, at any depth.
func (f *File) Named(name string) []int { return f.index().named[name] }

// Qualified is the symbols of that qualified name; overloads are several.
func (f *File) Qualified(name string) []int { return f.index().qualified[name] }

// Children is the symbols whose parent is symbol i; -1 asks for the top level.
func (f *File) Children(i int) []int { return f.index().children[i] }

// FactsOf is the facts that symbol i owns; -1 asks for the file's own.
func (f *File) FactsOf(i int) []*code.Fact { return f.index().facts[i] }

// CallsOf is the calls whose callee has that name.
func (f *File) CallsOf(name string) []int { return f.index().calls[name] }

// Declared is the symbol whose name stands at a byte of the file; where none
// does, the only one that is declared on that line. -1 is none.
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
			only = len(f.Symbols) // several
		} else {
			only = i
		}
	}
	if only == len(f.Symbols) {
		return -1
	}
	return only
}

// Package is the file's package, module or namespace name, "" when it states none.
func (f *File) Package() string {
	for _, fact := range f.FactsOf(-1) {
		if fact.Kind == code.FactPackage {
			return fact.Type
		}
	}
	return ""
}

// Leaf is the value at a JSON pointer of a manifest, "" when there is none.
func (f *File) Leaf(pointer string) string {
	for _, fact := range f.FactsOf(-1) {
		if fact.Kind == code.FactField && fact.Name == pointer {
			return fact.Type
		}
	}
	return ""
}

// Leaves is the facts of a manifest whose JSON pointer starts with prefix.
func (f *File) Leaves(prefix string) (out []*code.Fact) {
	for _, fact := range f.FactsOf(-1) {
		if fact.Kind == code.FactField && len(fact.Name) >= len(prefix) && fact.Name[:len(prefix)] == prefix {
			out = append(out, fact)
		}
	}
	return out
}

// Ref is symbol i of f.
func (f *File) Ref(i int) Ref { return Ref{f, i} }

// Callable is the nearest callable that encloses symbol i, i itself included;
// -1 when there is none.
func (f *File) Callable(i int) int {
	for ; i >= 0; i = f.Symbols[i].Parent {
		if f.Symbols[i].Kind.Callable() {
			return i
		}
	}
	return -1
}

// Type is the nearest type that encloses symbol i, i itself excluded; -1 when
// there is none.
func (f *File) Type(i int) int {
	for i >= 0 {
		if i = f.Symbols[i].Parent; i >= 0 && IsType(f.Symbols[i].Kind) {
			return i
		}
	}
	return -1
}

// Memo is what make gives for key, made once as long as the file is kept.
// It must depend on the file's bytes alone; make must not ask for the same key.
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

// Ref is a symbol of a file; the zero Ref is none. Index -1 is the code of the
// file itself, outside of any symbol, and has no Symbol.
type Ref struct {
	File  *File
	Index int
}

// Valid reports whether r is a symbol, or the code of a file.
func (r Ref) Valid() bool { return r.File != nil }

// Symbol is the symbol of a valid Ref.
func (r Ref) Symbol() *code.Symbol { return &r.File.Symbols[r.Index] }

// Parent is the symbol around r, the zero Ref at the top.
func (r Ref) Parent() Ref {
	if p := r.Symbol().Parent; p >= 0 {
		return Ref{r.File, p}
	}
	return Ref{}
}

// Facts is the facts that r owns.
func (r Ref) Facts() []*code.Fact { return r.File.FactsOf(r.Index) }

// ID is the symbol's id.
func (r Ref) ID() code.SymbolID {
	return code.ID(r.File.Path, r.File.Language, r.Symbol())
}

// Row is the symbol as the index gives it.
func (r Ref) Row() l2meta.Row {
	return l2meta.Row{FileID: r.File.ID, Path: r.File.Path, Language: r.File.Language, Class: r.File.Class, Index: r.Index, Symbol: *r.Symbol()}
}
