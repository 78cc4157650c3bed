//go:build !linux

package workspace

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"sextant/internal/code"
)

// dir is one directory in the root, reached without following a symbolic link.
// On these systems, os.Root keeps every step inside the root. Keys have neither
// ctime nor inode: a restored mtime goes unnoticed, unless the key is racy (see
// code.RacyWindow) and the caller compares hashes.
type dir struct {
	root *os.Root
	f    *os.File
}

// fileKind is the kind of a directory entry. kindOther is a FIFO, a socket or a device.
type fileKind uint8

const (
	kindUnknown fileKind = iota
	kindFile
	kindDir
	kindLink
	kindOther
)

// dirent is one entry of a directory.
type dirent struct {
	name string
	kind fileKind
}

// openDir opens rel below root. It returns ErrSymlink if a part of rel is a
// link.
func openDir(root, rel string) (dir, error) {
	top, err := openTop(root)
	if err != nil || rel == "" {
		return top, err
	}
	defer top.close()
	return top.sub(rel)
}

// openTop opens the root itself.
func openTop(root string) (dir, error) {
	r, err := os.OpenRoot(root)
	if err != nil {
		return dir{}, err
	}
	return dirOf(r)
}

func dirOf(r *os.Root) (dir, error) {
	f, err := r.Open(".")
	if err != nil {
		r.Close()
		return dir{}, err
	}
	return dir{root: r, f: f}, nil
}

// sub opens the directory rel, at any depth below d; "" opens d again.
func (d dir) sub(rel string) (dir, error) {
	if rel == "" {
		rel = "."
	}
	r, err := openSub(d.root, filepath.FromSlash(rel))
	if err != nil {
		return dir{}, err
	}
	return dirOf(r)
}

// openSub opens the directory rel below r. It returns ErrSymlink if a part of rel
// is a link, which os.Root alone would follow.
func openSub(r *os.Root, rel string) (*os.Root, error) {
	for i := 0; i <= len(rel); i++ {
		if i < len(rel) && !os.IsPathSeparator(rel[i]) {
			continue
		}
		st, err := r.Lstat(rel[:i])
		if err != nil {
			return nil, err
		}
		if st.Mode()&fs.ModeSymlink != 0 {
			return nil, ErrSymlink
		}
		if !st.IsDir() {
			return nil, fmt.Errorf("%s: %w", rel[:i], fs.ErrNotExist)
		}
	}
	return r.OpenRoot(rel)
}

func (d dir) close() {
	d.f.Close()
	d.root.Close()
}

func (d dir) key() (code.StatKey, error) { return fileKey(d.f) }

func (d dir) entries() ([]dirent, error) {
	list, err := d.f.ReadDir(-1)
	out := make([]dirent, 0, len(list))
	for _, e := range list {
		out = append(out, dirent{e.Name(), kindOf(e.Type())})
	}
	return out, err
}

func (d dir) stat(name string) (code.StatKey, fileKind, error) {
	st, err := d.root.Lstat(name)
	if err != nil {
		return code.StatKey{}, kindUnknown, err
	}
	return keyOfInfo(st), kindOf(st.Mode().Type()), nil
}

func (d dir) open(name string) (*os.File, error) {
	_, kind, err := d.stat(name)
	if err != nil {
		return nil, err
	}
	switch kind {
	case kindLink:
		return nil, ErrSymlink
	case kindOther: // checked before opening, which would wait for the writer of a FIFO
		return nil, ErrNotRegular
	}
	return d.root.Open(name)
}

// file is an open file below a root.
type file struct{ f *os.File }

// openFile opens the file rel below root. It returns ErrSymlink if a part of
// rel is a link.
func openFile(root, rel string) (file, error) {
	d, err := openDir(root, code.Dir(rel))
	if err != nil {
		return file{}, err
	}
	defer d.close()
	f, err := d.open(code.Base(rel))
	return file{f}, err
}

func (f file) close() { f.f.Close() }

func (f file) key() (code.StatKey, error) { return fileKey(f.f) }

func (f file) read(size int64, buf []byte) ([]byte, error) { return readInto(f.f, sized(buf, size+1)) }

func openOutside(abs string) (*os.File, error) {
	st, err := os.Stat(abs)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, fmt.Errorf("open %s: %w", abs, ErrNotRegular)
	}
	return os.Open(abs)
}

func fileKey(f *os.File) (code.StatKey, error) {
	st, err := f.Stat()
	if err != nil {
		return code.StatKey{}, err
	}
	return keyOfInfo(st), nil
}

// regular reports whether the mode in k is that of a regular file.
func regular(k code.StatKey) bool { return fs.FileMode(k.Mode).IsRegular() }

func keyOfInfo(st fs.FileInfo) code.StatKey {
	return code.StatKey{Size: st.Size(), MTime: st.ModTime().UnixNano(), Mode: uint32(st.Mode())}
}

func kindOf(m fs.FileMode) fileKind {
	switch {
	case m.IsRegular():
		return kindFile
	case m.IsDir():
		return kindDir
	case m&fs.ModeSymlink != 0:
		return kindLink
	}
	return kindOther
}
