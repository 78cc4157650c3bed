package workspace

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"sextant/internal/code"
)

// dir is one open directory in the root, reached without following a symbolic
// link. It is a bare file descriptor: os.File costs three more system calls and
// a finalizer per directory, a quarter of the time of a scan.
type dir struct{ fd int }

// fileKind is the kind of a directory entry. kindOther is a FIFO, a socket or a device.
type fileKind uint8

const (
	kindUnknown fileKind = iota
	kindFile
	kindDir
	kindLink
	kindOther
)

// dirent is one entry of a directory. Its kind is kindUnknown if the file system does not report it.
type dirent struct {
	name string
	kind fileKind
}

const dirFlags = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_CLOEXEC | unix.O_NOFOLLOW

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
	fd, err := ignoringEINTR(func() (int, error) { return unix.Open(root, dirFlags, 0) })
	if err != nil {
		return dir{}, &os.PathError{Op: "open", Path: root, Err: err}
	}
	return dir{fd}, nil
}

// sub opens the directory rel, at any depth below d; "" opens d again.
func (d dir) sub(rel string) (dir, error) {
	if rel == "" {
		rel = "."
	}
	fd, err := openBeneath(d.fd, rel, dirFlags)
	if err != nil {
		return dir{}, &os.PathError{Op: "open", Path: rel, Err: linkError(err)}
	}
	return dir{fd}, nil
}

// openBeneath opens rel with one openat2, or with one openat per step if the
// kernel (before 5.6) or a sandbox does not provide openat2.
func openBeneath(root int, rel string, flags int) (int, error) {
	how := &unix.OpenHow{Flags: uint64(flags &^ unix.O_NOFOLLOW),
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS}
	// O_NOFOLLOW with O_DIRECTORY would report a final link as "not a
	// directory"; RESOLVE_NO_SYMLINKS reports it as a link.
	fd, err := ignoringEINTR(func() (int, error) { return unix.Openat2(root, rel, how) })
	if !errors.Is(err, unix.ENOSYS) && !errors.Is(err, unix.EPERM) {
		return fd, err
	}
	return openSteps(root, rel, flags)
}

// openSteps opens rel one directory at a time. Like openat2, it returns ELOOP for a symbolic link.
func openSteps(root int, rel string, flags int) (fd int, err error) {
	at := root
	for step := range strings.SplitSeq(rel, "/") {
		fd, err = ignoringEINTR(func() (int, error) { return unix.Openat(at, step, flags, 0) })
		var st unix.Stat_t
		if err == unix.ENOTDIR && unix.Fstatat(at, step, &st, unix.AT_SYMLINK_NOFOLLOW) == nil &&
			st.Mode&unix.S_IFMT == unix.S_IFLNK {
			err = unix.ELOOP
		}
		if at != root {
			unix.Close(at)
		}
		if err != nil {
			return -1, err
		}
		at = fd
	}
	return fd, nil
}

// ignoringEINTR repeats call while a signal interrupts it.
func ignoringEINTR(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if err != unix.EINTR {
			return n, err
		}
	}
}

// linkError replaces the kernel's error for a symbolic link, ELOOP, by
// ErrSymlink.
func linkError(err error) error {
	switch err {
	case unix.ELOOP:
		return ErrSymlink
	case unix.ENOTDIR: // a parent is a file now, so the path does not exist any more
		return fmt.Errorf("%w (%w)", os.ErrNotExist, err)
	}
	return err
}

func (d dir) close() { unix.Close(d.fd) }

func (d dir) key() (code.StatKey, error) {
	var st unix.Stat_t
	if err := unix.Fstat(d.fd, &st); err != nil {
		return code.StatKey{}, os.NewSyscallError("fstat", err)
	}
	key, _ := keyOf(&st)
	return key, nil
}

// entries returns the entries of the directory, in the order of the file
// system.
func (d dir) entries() ([]dirent, error) {
	var buf [8192]byte
	var out []dirent
	for {
		n, err := ignoringEINTR(func() (int, error) { return unix.Getdents(d.fd, buf[:]) })
		if err != nil {
			return out, os.NewSyscallError("getdents", err)
		}
		if n == 0 {
			return out, nil
		}
		out = appendDirents(out, buf[:n])
	}
}

// appendDirents decodes records of type linux_dirent64: 8 bytes inode, 8 bytes
// offset, 2 bytes record length, 1 byte type, the name, NULs. See getdents(2).
func appendDirents(out []dirent, b []byte) []dirent {
	const nameAt = 19
	for len(b) > nameAt {
		size := int(binary.NativeEndian.Uint16(b[16:]))
		if size <= nameAt || size > len(b) {
			break
		}
		name := b[nameAt:size]
		if i := bytes.IndexByte(name, 0); i >= 0 {
			name = name[:i]
		}
		if s := string(name); s != "." && s != ".." {
			out = append(out, dirent{s, kindOfType(b[18])})
		}
		b = b[size:]
	}
	return out
}

// kindOfType returns the kind for a type in a directory entry; kindUnknown if the file system
// reports no types.
func kindOfType(t byte) fileKind {
	switch t {
	case unix.DT_REG:
		return kindFile
	case unix.DT_DIR:
		return kindDir
	case unix.DT_LNK:
		return kindLink
	case unix.DT_UNKNOWN:
		return kindUnknown
	}
	return kindOther
}

// stat returns the key and kind of name; it does not follow a link.
func (d dir) stat(name string) (code.StatKey, fileKind, error) {
	var st unix.Stat_t
	_, err := ignoringEINTR(func() (int, error) {
		return 0, unix.Fstatat(d.fd, name, &st, unix.AT_SYMLINK_NOFOLLOW)
	})
	if err != nil {
		return code.StatKey{}, kindUnknown, &os.PathError{Op: "stat", Path: name, Err: linkError(err)}
	}
	key, kind := keyOf(&st)
	return key, kind, nil
}

// open opens a file in the directory. It returns ErrSymlink for a link, and
// does not wait for the writer of a FIFO.
func (d dir) open(name string) (*os.File, error) {
	fd, err := ignoringEINTR(func() (int, error) { return unix.Openat(d.fd, name, fileFlags|unix.O_NOFOLLOW, 0) })
	if err != nil {
		return nil, openError(name, err)
	}
	return os.NewFile(uintptr(fd), name), nil
}

const fileFlags = unix.O_RDONLY | unix.O_CLOEXEC | unix.O_NONBLOCK | unix.O_NOCTTY

// openError converts the error of a system call to the error of opening a file.
func openError(name string, err error) error {
	cause := linkError(err)
	if err == unix.ENXIO { // a socket, or a device without a driver
		cause = ErrNotRegular
	}
	return &os.PathError{Op: "open", Path: name, Err: cause}
}

// file is an open file below a root. It is a bare file descriptor, because os.File costs three more
// system calls.
type file struct{ fd int }

// openFile opens the file rel below root. It returns ErrSymlink if a part of
// rel is a link, and does not wait for the writer of a FIFO.
func openFile(root, rel string) (file, error) {
	top, err := openTop(root)
	if err != nil {
		return file{}, err
	}
	defer top.close()
	how := &unix.OpenHow{Flags: fileFlags, Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS}
	fd, err := ignoringEINTR(func() (int, error) { return unix.Openat2(top.fd, rel, how) })
	// openat2 is missing or not permitted; see openBeneath
	if errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EPERM) {
		var d dir
		if d, err = top.sub(code.Dir(rel)); err != nil {
			return file{}, err
		}
		defer d.close()
		fd, err = ignoringEINTR(func() (int, error) {
			return unix.Openat(d.fd, code.Base(rel), fileFlags|unix.O_NOFOLLOW, 0)
		})
	}
	if err != nil {
		return file{}, openError(rel, err)
	}
	return file{fd}, nil
}

func (f file) close() { unix.Close(f.fd) }

func (f file) key() (code.StatKey, error) { return dir(f).key() }

// read reads size bytes, the size of the file by its stat key, into buf if it has room. If size is
// 0, read tries one byte, since a file in /proc of size 0 may have content. If the file has become
// longer, the caller notices it by the stat key.
func (f file) read(size int64, buf []byte) ([]byte, error) {
	buf = sized(buf, max(size, 1))
	n := 0
	for n < len(buf) {
		k, err := ignoringEINTR(func() (int, error) { return unix.Read(f.fd, buf[n:]) })
		if err != nil {
			return nil, os.NewSyscallError("read", err)
		}
		if k == 0 {
			break
		}
		n += k
	}
	return buf[:n:n], nil
}

// openOutside opens a file of the user or of git, inside the root or not. It
// follows links and does not wait for the writer of a FIFO.
func openOutside(abs string) (*os.File, error) {
	return os.OpenFile(abs, os.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY, 0)
}

// fileKey returns the key of an open file.
func fileKey(f *os.File) (code.StatKey, error) {
	var st unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &st); err != nil {
		return code.StatKey{}, &os.PathError{Op: "stat", Path: f.Name(), Err: err}
	}
	key, _ := keyOf(&st)
	return key, nil
}

// regular reports whether the mode in k is that of a regular file.
func regular(k code.StatKey) bool { return k.Mode&unix.S_IFMT == unix.S_IFREG }

// keyOf returns the key and the kind of a file.
func keyOf(st *unix.Stat_t) (code.StatKey, fileKind) {
	kind := kindOther
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		kind = kindFile
	case unix.S_IFDIR:
		kind = kindDir
	case unix.S_IFLNK:
		kind = kindLink
	}
	return code.StatKey{
		Size:  st.Size,
		MTime: st.Mtim.Nano(),
		CTime: st.Ctim.Nano(),
		Inode: st.Ino,
		Mode:  st.Mode,
	}, kind
}
