package engine

import (
	"sync"
	"unsafe"

	"sextant/internal/budget"
	"sextant/internal/code"
	"sextant/l2meta/languages"
)

// parsedFiles caches the symbols of the files of one root that were parsed last: agents outline a file, then open
// symbols of it one by one, and a file of 3 MB takes seconds to parse. It holds one version of each file, found by the
// hash of its bytes, so a caller never gets the symbols of another text. It is safe for concurrent use.
type parsedFiles struct {
	budget *budget.Budget

	mu   sync.Mutex
	held map[string]*parsedFile // guarded by mu; path → the version parsed last
}

// parsedFile is one version of a file as Extract read it, without its text, calls and facts.
type parsedFile struct {
	hash    code.Hash
	file    code.File
	item    *budget.Item // set before the entry is held
	dropped bool         // guarded by parsedFiles.mu; whether the budget has no room for the entry
}

// extract returns the symbols of a file, whose bytes are text and have the given hash. The result is read-only: later
// calls return the same symbols.
func (p *parsedFiles) extract(path string, text []byte, hash code.Hash) code.File {
	if f, ok := p.find(path, hash); ok {
		f.Text = text
		return f
	}
	f, err := languages.Extract(path, text)
	if err != nil { // the parser gave up on the text: the File has no symbols, but its text is usable
		return f
	}
	kept := code.File{Path: f.Path, Language: f.Language, Lines: f.Lines, Symbols: f.Symbols, BadBytes: f.BadBytes,
		Parsed: f.Parsed}
	if hash != (code.Hash{}) {
		p.keep(path, &parsedFile{hash: hash, file: kept})
	}
	kept.Text = text
	return kept
}

// find returns the held version of a file, if its bytes have the given hash.
func (p *parsedFiles) find(path string, hash code.Hash) (code.File, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	x := p.held[path]
	if x == nil || x.hash != hash {
		return code.File{}, false
	}
	x.item.Use()
	return x.file, true
}

// keep replaces the held version of a file. It counts the new one before it takes the lock, which the budget's drop
// functions acquire.
func (p *parsedFiles) keep(path string, x *parsedFile) {
	x.item = p.budget.Add(x.bytes(), func() { p.drop(path, x) })
	p.mu.Lock()
	old := p.held[path]
	switch {
	case x.dropped:
		old = nil
	case p.held == nil:
		p.held = map[string]*parsedFile{path: x}
	default:
		p.held[path] = x
	}
	p.mu.Unlock()
	if old != nil {
		old.item.Release()
	}
}

// drop removes x, unless a newer version has replaced it.
func (p *parsedFiles) drop(path string, x *parsedFile) {
	p.mu.Lock()
	defer p.mu.Unlock()
	x.dropped = true
	if p.held[path] == x {
		delete(p.held, path)
	}
}

// bytes estimates the memory of the entry.
func (x *parsedFile) bytes() int64 {
	n := int(unsafe.Sizeof(*x)) + cap(x.file.Symbols)*int(unsafe.Sizeof(code.Symbol{}))
	for i := range x.file.Symbols {
		s := &x.file.Symbols[i]
		n += len(s.Name) + len(s.QualifiedName) + len(s.Signature) + len(s.Returns) + len(s.Doc)
		n += len(s.Parameters) * int(unsafe.Sizeof(code.Parameter{}))
		for _, a := range s.Parameters {
			n += len(a.Name) + len(a.Type) + len(a.Default)
		}
		for _, list := range [][]string{s.Annotations, s.Modifiers} {
			n += len(list) * int(unsafe.Sizeof(""))
			for _, a := range list {
				n += len(a)
			}
		}
	}
	return int64(n)
}
