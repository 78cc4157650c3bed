package gitobject

import (
	"bufio"
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// ID is the id of an object: SHA-1 in the first 20 bytes, or SHA-256.
type ID [32]byte

// These are errors on which callers branch.
var (
	// ErrMissing says that a repository lacks an object. A partial clone lacks
	// some.
	ErrMissing = errors.New("the repository does not have the object")
	// ErrTooLarge says that an object is larger than the caller allows.
	ErrTooLarge = errors.New("the object is too large")
	errCorrupt  = errors.New("not a readable git object")
)

// These constants bound the objects and files that are read.
const (
	maxPlainBytes = 64 << 20 // bytes of a commit, a tag or a tree
	maxAlternates = 32       // object directories of one repository
	maxTextBytes  = 16 << 20 // bytes of a text file of git
)

// Store reads the objects and references of one repository. It is not safe for
// concurrent use.
type Store struct {
	dir, common string   // git directories: of the work tree (it holds HEAD), and of the repository
	objects     []string // object directories; that of the repository itself is the first
	size        int      // bytes of an object id
	packs       []*pack  // nil until the first look-up
	inflater    io.ReadCloser
	cache       baseCache
	reftables   map[string][][]byte // git directory → its reftables, the newest first; read on first use

	entriesLeft int // entries of trees that the current Differ may still look at
}

// Open returns a Store for the repository whose data is in common; dir holds
// HEAD of the work tree. It opens no pack yet. The caller closes the Store.
func Open(dir, common string) *Store {
	s := &Store{dir: dir, common: common, size: sha1.Size}
	if config, err := readText(filepath.Join(common, "config")); err == nil &&
		bytes.Contains(bytes.ToLower(config), []byte("objectformat = sha256")) {
		s.size = sha256.Size
	}
	s.alternates(filepath.Join(common, "objects"))
	return s
}

// Close closes the packs.
func (s *Store) Close() error {
	var all []error
	for _, p := range s.packs {
		all = append(all, p.index.Close(), p.data.Close())
	}
	s.packs = nil
	return errors.Join(all...)
}

// alternates adds an object directory and those that it borrows objects from,
// as its file info/alternates lists them.
func (s *Store) alternates(dir string) {
	dir = filepath.Clean(dir)
	for _, known := range s.objects {
		if known == dir {
			return
		}
	}
	if len(s.objects) == maxAlternates {
		return
	}
	s.objects = append(s.objects, dir)
	text, err := readText(filepath.Join(dir, "info", "alternates"))
	if err != nil {
		return
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if !filepath.IsAbs(line) {
			line = filepath.Join(dir, line)
		}
		s.alternates(line)
	}
}

// String returns the first digits of an id.
func (id ID) String() string { return hex.EncodeToString(id[:5]) }

// text returns all digits of an id. The number of digits depends on the repository.
func (s *Store) text(id ID) string { return hex.EncodeToString(id[:s.size]) }

// parseID parses the hexadecimal form of an id.
func (s *Store) parseID(text string) (id ID, ok bool) {
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != s.size {
		return id, false
	}
	copy(id[:], raw)
	return id, true
}

// kind is the type of an object, as packs number it.
type kind uint8

const (
	kindCommit   kind = 1
	kindTree     kind = 2
	kindBlob     kind = 3
	kindTag      kind = 4
	kindOffDelta kind = 6 // the difference to an entry, which is given by its offset
	kindRefDelta kind = 7 // the difference to an object, which is given by its id
)

var kindNames = map[string]kind{"commit": kindCommit, "tree": kindTree, "blob": kindBlob, "tag": kindTag}

// Blob returns the content of a file. It returns ErrTooLarge if the content has more than limit
// bytes.
func (s *Store) Blob(id ID, limit int64) ([]byte, error) {
	k, text, err := s.read(id, limit)
	if err == nil && k != kindBlob {
		err = errCorrupt
	}
	if err != nil {
		return nil, fmt.Errorf("read blob %v: %w", id, err)
	}
	return text, nil
}

// read returns an object of at most limit bytes.
func (s *Store) read(id ID, limit int64) (kind, []byte, error) {
	k, text, err := s.loose(id, limit)
	if !errors.Is(err, fs.ErrNotExist) {
		return k, text, err
	}
	p, at, err := s.find(id)
	if err != nil {
		return 0, nil, err
	}
	return s.unpack(p, at, limit)
}

// loose reads an object that is a file of its own. Its error is fs.ErrNotExist
// if there is none.
func (s *Store) loose(id ID, limit int64) (kind, []byte, error) {
	name := s.text(id)
	for _, dir := range s.objects {
		f, err := openRegular(filepath.Join(dir, name[:2], name[2:]))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return 0, nil, err
		}
		defer f.Close()
		return s.inflateLoose(f, limit)
	}
	return 0, nil, fs.ErrNotExist
}

// maxHead bounds the header of a loose object, "commit 123" and a NUL, in
// bytes.
const maxHead = 32

// inflateLoose reads a loose object, a deflated header and content, from f.
func (s *Store) inflateLoose(f io.Reader, limit int64) (kind, []byte, error) {
	if err := s.inflate(bufio.NewReader(f)); err != nil {
		return 0, nil, err
	}
	r := bufio.NewReader(s.inflater)
	head, err := r.Peek(maxHead)
	if err != nil && err != io.EOF {
		return 0, nil, errCorrupt
	}
	end := bytes.IndexByte(head, 0)
	if end < 0 {
		return 0, nil, errCorrupt
	}
	name, digits, _ := strings.Cut(string(head[:end]), " ")
	size, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || size < 0 || kindNames[name] == 0 {
		return 0, nil, errCorrupt
	}
	if size > limit {
		return 0, nil, ErrTooLarge
	}
	text := make([]byte, size)
	if _, err := r.Discard(end + 1); err != nil {
		return 0, nil, errCorrupt
	}
	if _, err := io.ReadFull(r, text); err != nil {
		return 0, nil, errCorrupt
	}
	return kindNames[name], text, nil
}

// openRegular opens a regular file. It does not wait for the writer of a FIFO.
func openRegular(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	st, err := f.Stat()
	if err == nil && !st.Mode().IsRegular() {
		err = fmt.Errorf("read %s: not a regular file", name)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// readText reads a regular file of at most maxTextBytes.
func readText(name string) ([]byte, error) {
	f, err := openRegular(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxTextBytes))
}
