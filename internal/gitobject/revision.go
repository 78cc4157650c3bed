package gitobject

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// ErrRevision is the error for a text that names no commit of the repository.
var ErrRevision = errors.New("no such revision")

// These constants bound the work for one revision.
const (
	maxSymbolic = 5    // references in a chain, each of which refers to the next
	maxTagged   = 10   // tags in a chain, each of which refers to the next
	maxSteps    = 1e5  // commits that one suffix ~N may step back
	minDigits   = 4    // digits that an abbreviated id must have
	maxRevision = 1024 // length of a revision in bytes
)

// suffix matches a suffix of a revision that leads to an ancestor: "~3", "^", "^2".
var suffix = regexp.MustCompile(`[~^][0-9]*$`)

// Resolve returns the commit that a revision names: HEAD or @, a branch, a tag, an id or its first
// digits, each with any number of suffixes ~N and ^N. Its error wraps ErrRevision if there is no
// such commit.
func (s *Store) Resolve(revision string) (ID, error) {
	if len(revision) > maxRevision {
		return ID{}, fmt.Errorf("%w: %.40q…", ErrRevision, revision)
	}
	name := revision
	var steps []string // the last suffix first
	for {
		step := suffix.FindString(name)
		if step == "" {
			break
		}
		steps, name = append(steps, step), strings.TrimSuffix(name, step)
	}
	id, err := s.plain(name)
	for i := len(steps) - 1; i >= 0 && err == nil; i-- {
		id, err = s.ancestor(id, steps[i])
	}
	if err != nil {
		return ID{}, fmt.Errorf("resolve %q: %w", revision, err)
	}
	return id, nil
}

// plain returns the commit that a name without suffixes refers to.
func (s *Store) plain(name string) (ID, error) {
	if name == "@" || name == "" {
		name = "HEAD"
	}
	if id, ok := s.reference(name); ok {
		return s.commit(id)
	}
	if id, ok := s.parseID(name); ok {
		return s.commit(id)
	}
	id, err := s.abbreviated(name)
	if err != nil {
		return ID{}, err
	}
	return s.commit(id)
}

// pseudo matches the names of references that are files next to HEAD, such as FETCH_HEAD.
var pseudo = regexp.MustCompile(`^[A-Z]+(_[A-Z]+)*$`)

// reference returns the id of a reference. It tries the full names that the name may abbreviate in
// the order of git: refs/tags/v1, then refs/heads/v1, and so on.
func (s *Store) reference(name string) (ID, bool) {
	if !fs.ValidPath(name) || strings.ContainsAny(name, "\\\x00") {
		return ID{}, false
	}
	if pseudo.MatchString(name) {
		if id, ok := s.held(name, 0); ok {
			return id, true
		}
	}
	for _, form := range []string{"%s", "refs/%s", "refs/tags/%s", "refs/heads/%s", "refs/remotes/%s",
		"refs/remotes/%s/HEAD"} {
		if full := fmt.Sprintf(form, name); strings.HasPrefix(full, "refs/") {
			if id, ok := s.held(full, 0); ok {
				return id, true
			}
		}
	}
	return ID{}, false
}

// held returns the id that the reference with that full name points to, directly or through other
// references.
func (s *Store) held(full string, depth int) (ID, bool) {
	if depth > maxSymbolic || !fs.ValidPath(full) {
		return ID{}, false
	}
	for _, dir := range []string{s.dir, s.common} {
		if ref, ok := s.tabled(dir, full); ok && ref.to != "" {
			return s.held(ref.to, depth+1)
		} else if ok {
			return ref.id, true
		}
		text, err := readText(filepath.Join(dir, filepath.FromSlash(full)))
		if err != nil {
			continue
		}
		line, _, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
		if to, ok := strings.CutPrefix(line, "ref: "); ok {
			return s.held(strings.TrimSpace(to), depth+1)
		}
		digits, _, _ := strings.Cut(line, "\t") // FETCH_HEAD has further columns
		if id, ok := s.parseID(strings.TrimSpace(digits)); ok {
			return id, true
		}
	}
	return s.packed(full)
}

// packed finds a reference in packed-refs, which has a line "ID NAME" for each.
func (s *Store) packed(full string) (ID, bool) {
	text, err := readText(filepath.Join(s.common, "packed-refs"))
	if err != nil {
		return ID{}, false
	}
	for line := range bytes.Lines(text) {
		digits, name, ok := strings.Cut(strings.TrimSpace(string(line)), " ")
		if ok && name == full {
			return s.parseID(digits)
		}
	}
	return ID{}, false
}

// digits matches the beginning of an id in hexadecimal.
var digits = regexp.MustCompile(`^[0-9a-f]+$`)

// abbreviated returns the only commit, or tag of a commit, whose id begins with prefix. The error
// wraps ErrRevision if there is none or more than one.
func (s *Store) abbreviated(prefix string) (ID, error) {
	if len(prefix) < minDigits || len(prefix) > 2*s.size || !digits.MatchString(prefix) {
		return ID{}, ErrRevision
	}
	found := map[ID]bool{}
	for _, dir := range s.objects {
		names, err := os.ReadDir(filepath.Join(dir, prefix[:2]))
		if err != nil {
			continue
		}
		for _, n := range names {
			if id, ok := s.parseID(prefix[:2] + n.Name()); ok && strings.HasPrefix(n.Name(), prefix[2:]) {
				found[id] = true
			}
		}
	}
	s.open()
	for _, p := range s.packs {
		if err := s.beginning(p, prefix, found); err != nil {
			return ID{}, err
		}
	}
	var commits []ID
	for id := range found {
		if _, err := s.commit(id); err == nil {
			commits = append(commits, id)
		}
	}
	switch len(commits) {
	case 0:
		return ID{}, ErrRevision
	case 1:
		return commits[0], nil
	}
	return ID{}, fmt.Errorf("%w: %d commits begin so; give more digits", ErrRevision, len(commits))
}

// beginning adds to found the ids in pack p that begin with prefix.
func (s *Store) beginning(p *pack, prefix string, found map[ID]bool) error {
	first, err := hex.DecodeString(prefix[:2])
	if err != nil {
		return ErrRevision
	}
	for low, high := p.rows(first[0]); low < high; low++ {
		raw, err := p.id(low, s.size)
		if err != nil {
			return err
		}
		if strings.HasPrefix(hex.EncodeToString(raw), prefix) {
			var id ID
			copy(id[:], raw)
			found[id] = true
		}
	}
	return nil
}

// ancestor takes one step back from a commit: "~3" leads three generations back, "^2" to the second
// parent.
func (s *Store) ancestor(id ID, step string) (ID, error) {
	n := 1
	if len(step) > 1 {
		var err error
		if n, err = strconv.Atoi(step[1:]); err != nil || n > maxSteps {
			return ID{}, ErrRevision
		}
	}
	back, which := n, 1
	if step[0] == '^' {
		if back, which = 1, n; n == 0 {
			return id, nil
		}
	}
	for range back {
		c, err := s.parse(id)
		if err != nil {
			return ID{}, err
		}
		if len(c.parents) < which {
			return ID{}, fmt.Errorf("%w: commit %v has %d parents here", ErrRevision, id, len(c.parents))
		}
		id = c.parents[which-1]
	}
	return id, nil
}

// commit returns the commit with that id, or the commit that the tag with that id points to.
func (s *Store) commit(id ID) (ID, error) {
	for range maxTagged {
		k, text, err := s.read(id, maxPlainBytes)
		if err != nil {
			return ID{}, err
		}
		if k == kindCommit {
			return id, nil
		}
		target, ok := field(text, "object")
		if k != kindTag || !ok {
			break
		}
		if id, ok = s.parseID(target); !ok {
			return ID{}, errCorrupt
		}
	}
	return ID{}, fmt.Errorf("%w: %v is no commit", ErrRevision, id)
}

// field returns the value of the first header line of an object that starts with name, such as
// "tree".
func field(text []byte, name string) (string, bool) {
	for line := range bytes.Lines(text) {
		key, value, ok := strings.Cut(strings.TrimSuffix(string(line), "\n"), " ")
		if !ok {
			break
		}
		if key == name {
			return value, true
		}
	}
	return "", false
}
