package gitobject

import (
	"bytes"
	"container/heap"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// commit holds the fields of a git commit that this package needs.
type commit struct {
	tree    ID
	parents []ID
	date    int64 // time of the commit, in seconds since 1970
}

// parse reads the commit with that id. The header of a commit has lines "NAME VALUE", up to an
// empty line.
func (s *Store) parse(id ID) (c commit, err error) {
	k, text, err := s.read(id, maxPlainBytes)
	if err == nil && k != kindCommit {
		err = errCorrupt
	}
	if err != nil {
		return c, fmt.Errorf("read commit %v: %w", id, err)
	}
	for line := range bytes.Lines(text) {
		key, value, ok := strings.Cut(strings.TrimSuffix(string(line), "\n"), " ")
		if !ok {
			break
		}
		switch key {
		case "tree":
			c.tree, ok = s.parseID(value)
		case "parent":
			var p ID
			if p, ok = s.parseID(value); ok {
				c.parents = append(c.parents, p)
			}
		case "committer":
			c.date = dateOf(value)
		}
		if !ok {
			return c, errCorrupt
		}
	}
	return c, nil
}

// dateOf returns the seconds in "Name <mail> 1700000000 +0100"; 0 if there are none.
func dateOf(who string) int64 {
	words := strings.Fields(who)
	if len(words) < 2 {
		return 0
	}
	n, _ := strconv.ParseInt(words[len(words)-2], 10, 64)
	return n
}

// Tree returns the tree of a commit.
func (s *Store) Tree(id ID) (ID, error) {
	c, err := s.parse(id)
	return c.tree, err
}

// maxHistory bounds the commits that MergeBase reads.
const maxHistory = 200_000

// These are the marks of the commits that MergeBase visits: reachable from a, from b, from both.
const (
	ofA    = 1
	ofB    = 2
	common = ofA | ofB
	// past marks the ancestors of a common ancestor, which are no merge bases.
	// Dates alone do not show which of two commits is the ancestor: many are
	// made within one second.
	past = 4
)

// MergeBase returns the newest common ancestor of a and b that is not an ancestor of another common
// ancestor. A commit counts as an ancestor of itself. The error wraps ErrRevision if there is none.
func (s *Store) MergeBase(ctx context.Context, a, b ID) (ID, error) {
	marks := map[ID]uint8{}
	var queue newest
	var found []ID
	mark := func(id ID, with uint8) error {
		if marks[id]|with == marks[id] {
			return nil
		}
		marks[id] |= with
		c, err := s.parse(id)
		heap.Push(&queue, dated{id, c})
		return err
	}
	if err := mark(a, ofA); err != nil {
		return ID{}, err
	}
	if err := mark(b, ofB); err != nil {
		return ID{}, err
	}
	isOpen := func(c dated) bool { return marks[c.id]&past == 0 }
	for n := 0; n < maxHistory && len(queue) > 0 && (len(found) > 1 || slices.ContainsFunc(queue, isOpen)); n++ {
		if err := ctx.Err(); err != nil {
			return ID{}, err
		}
		c := heap.Pop(&queue).(dated)
		with := marks[c.id]
		if with&common == common {
			if with&past == 0 {
				found = append(found, c.id)
			}
			with |= past
		}
		found = slices.DeleteFunc(found, func(id ID) bool { return marks[id]&past != 0 })
		for _, p := range c.parents {
			if err := mark(p, with); err != nil {
				return ID{}, err
			}
		}
	}
	if len(found) > 0 {
		return found[0], nil
	}
	return ID{}, fmt.Errorf("%w: %v and %v have no common ancestor here", ErrRevision, a, b)
}

// dated is a commit in the queue of MergeBase, with its id.
type dated struct {
	id ID
	commit
}

// newest is a queue of commits, the newest first.
type newest []dated

func (q newest) Len() int           { return len(q) }
func (q newest) Less(i, j int) bool { return q[i].date > q[j].date }
func (q newest) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *newest) Push(x any)        { *q = append(*q, x.(dated)) }
func (q *newest) Pop() any {
	old := *q
	last := old[len(old)-1]
	*q = old[:len(old)-1]
	return last
}

// Unborn reports whether HEAD names a branch without a commit, as in a new
// repository.
func (s *Store) Unborn() bool {
	branch := ""
	if ref, ok := s.tabled(s.dir, "HEAD"); ok {
		branch = ref.to
	} else if text, err := readText(filepath.Join(s.dir, "HEAD")); err == nil {
		line := strings.TrimSpace(string(text))
		if to, symbolic := strings.CutPrefix(line, "ref: "); symbolic {
			branch = to
		}
	}
	if branch == "" {
		return false
	}
	_, born := s.held(branch, 0)
	return !born
}
