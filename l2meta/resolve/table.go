package resolve

import (
	"cmp"
	"hash/maphash"
	"slices"
	"sort"
)

// NameTable finds symbols by their qualified names in a list of files. It stores only hashes of
// the names, and loads the files that contain a name. It refers to no File, so a detached value
// may hold it.
type NameTable struct {
	files   []int64
	entries []nameEntry // by hash, file and symbol, once Sort has been called
}

type nameEntry struct {
	hash         uint64
	file, symbol int32
}

var nameSeed = maphash.MakeSeed()

// Add adds those symbols of f for which has reports true. Files are numbered from 0 in the order in
// which they are added.
func (t *NameTable) Add(f *File, has func(symbol int) bool) {
	n := int32(len(t.files))
	t.files = append(t.files, f.ID)
	for i := range f.Symbols {
		if has(i) {
			t.entries = append(t.entries, nameEntry{maphash.String(nameSeed, f.Symbols[i].QualifiedName), n, int32(i)})
		}
	}
}

// Sort prepares the table for Lookup.
func (t *NameTable) Sort() {
	t.entries = slices.Clip(t.entries)
	slices.SortFunc(t.entries, func(a, b nameEntry) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.file, b.file), cmp.Compare(a.symbol, b.symbol))
	})
}

// Lookup returns the symbols with a qualified name, in the order of files and symbols. It leaves
// out the files for whose numbers accepts reports false.
func (t *NameTable) Lookup(w *World, name string, accepts func(file int) bool) (out []Ref) {
	hash := maphash.String(nameSeed, name)
	from := sort.Search(len(t.entries), func(i int) bool { return t.entries[i].hash >= hash })
	for _, e := range t.entries[from:] {
		if e.hash != hash {
			break
		}
		if !accepts(int(e.file)) {
			continue
		}
		if f := w.ByID(t.files[e.file]); f != nil && f.Symbols[e.symbol].QualifiedName == name {
			out = append(out, f.Ref(int(e.symbol)))
		}
	}
	return out
}

// File returns the file that has this number in the table. It returns nil if loading the file fails.
func (t *NameTable) File(w *World, number int) *File { return w.ByID(t.files[number]) }
