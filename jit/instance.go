package jit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
	"golang.org/x/sys/unix"

	"sextant/internal/workspace"
)

// cookieWait bounds the wait for a cookie's event. It comes within some 50 µs
// unless thousands of others are before it, and then a sweep is as quick.
const cookieWait = 200 * time.Millisecond

// instance is one inotify instance with what it has reported.
type instance struct {
	notify *fsnotify.Watcher
	root   string        // absolute
	home   string        // absolute directory of the cookies, of this instance alone
	ended  chan struct{} // closed when its reader has ended

	mu      sync.Mutex
	watched map[string]bool // guarded by mu; directories relative to the root
	dirty   map[string]bool // guarded by mu; the same, in which something happened
	broken  error           // guarded by mu; why it cannot vouch any more
	cookie  string          // guarded by mu; name that is waited for
	seen    chan struct{}   // guarded by mu; closed when cookie or the end has come
	serial  int             // guarded by mu; of the last cookie
}

// close is for a nil instance too.
func (i *instance) close() {
	if i == nil {
		return
	}
	_ = i.notify.Close()
	<-i.ended
	_ = os.RemoveAll(i.home) // left over, it is one empty file
}

// adopt watches the directories that a sweep met and that were not watched
// yet, and reports whether there were any: these have to be swept again.
func (i *instance) adopt(dirs []string) (fresh bool) {
	slices.Sort(dirs) // parents first
	for _, d := range dirs {
		added, err := i.add(d)
		if err != nil {
			i.fail(err)
			return false
		}
		fresh = fresh || added
	}
	return fresh
}

// cover watches dir and all directories below it. Each round lists again what
// the last one had not watched yet while listing: in the end every directory
// was watched before it was listed for the last time, and none is missing.
func (i *instance) cover(ctx context.Context, d *disk, dir string) error {
	for {
		var mu sync.Mutex
		found := []string{dir} // itself, too, for what is said of directories below
		err := d.scanTree(ctx, dir, func(l listing) {
			mu.Lock()
			defer mu.Unlock()
			// Its directories too: one that is left out for what it holds counts
			// again when that goes.
			found = append(append(found, l.dir), l.dirs...)
		})
		if err != nil {
			return err
		}
		slices.Sort(found) // parents first
		fresh := 0
		for _, dir := range found {
			added, err := i.add(dir)
			if err != nil {
				return err
			}
			if added {
				fresh++
			}
		}
		if fresh == 0 {
			return nil
		}
	}
}

// add watches one directory, and reports whether it was not watched before.
func (i *instance) add(dir string) (added bool, err error) {
	i.mu.Lock()
	if i.broken != nil {
		defer i.mu.Unlock()
		return false, i.broken
	}
	if i.watched[dir] {
		i.mu.Unlock()
		return false, nil
	}
	// Before the watch exists: the event of a move must find it here.
	i.watched[dir] = true
	i.mu.Unlock()
	abs := filepath.Join(i.root, filepath.FromSlash(dir))
	if err = eventful(abs); err == nil {
		err = i.notify.Add(abs)
	}
	if err == nil {
		return true, nil
	}
	i.mu.Lock()
	delete(i.watched, dir)
	i.mu.Unlock()
	if errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENOTDIR) {
		return false, nil // gone since it was listed; its parent's event says so
	}
	return false, err
}

// listen reads the events until the instance is closed.
func (i *instance) listen() {
	defer close(i.ended)
	for {
		select {
		case e, ok := <-i.notify.Events:
			if !ok {
				i.fail(fsnotify.ErrClosed)
				return
			}
			i.event(e)
		case err, ok := <-i.notify.Errors:
			if ok {
				i.fail(err)
			}
		}
	}
}

// fail makes the instance vouch for nothing any more.
func (i *instance) fail(err error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.broken == nil {
		i.broken = err
	}
	i.wake()
}

// wake ends the wait for a cookie; it wants i.mu held.
func (i *instance) wake() {
	if i.seen != nil {
		close(i.seen)
		i.seen = nil
	}
}

var errMoved = errors.New("a watched directory was moved")

func (i *instance) event(e fsnotify.Event) {
	i.mu.Lock()
	defer i.mu.Unlock()
	dir, base := filepath.Split(e.Name)
	dir = strings.TrimSuffix(dir, string(filepath.Separator))
	if dir == i.home {
		if base == i.cookie {
			i.wake()
		}
		return
	}
	if e.Name == i.home { // of the directory itself: somebody clears
		if e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename) {
			i.broken = errors.Join(i.broken, fmt.Errorf("%s is gone", i.home))
			i.wake()
		}
		return
	}
	rel, ok := i.relative(e.Name)
	if !ok {
		i.broken = errors.Join(i.broken, fmt.Errorf("event for %s", e.Name))
		return
	}
	if i.watched[rel] {
		i.dirty[rel] = true
		switch {
		case e.Has(fsnotify.Rename) || rel == "" && e.Has(fsnotify.Remove):
			i.broken = errors.Join(i.broken, fmt.Errorf("%s: %w", rel, errMoved))
		case e.Has(fsnotify.Remove):
			delete(i.watched, rel) // a directory of that name is another one
		}
		if rel == "" {
			return
		}
	}
	parent, _ := split(rel)
	i.dirty[parent] = true
	comesOrGoes := e.Has(fsnotify.Create) || e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename)
	if workspace.RuleFileName(base) || comesOrGoes && workspace.EvidenceName(base) {
		// No directory can be judged by itself then, and others are to be watched.
		i.broken = errors.Join(i.broken, fmt.Errorf("%s: %w", rel, errRules))
	}
}

var errRules = errors.New("what is ignored may have changed")

// relative is the root-relative path of an absolute one.
func (i *instance) relative(abs string) (string, bool) {
	if abs == i.root {
		return "", true
	}
	rel, ok := strings.CutPrefix(abs, strings.TrimSuffix(i.root, "/")+"/")
	return rel, ok
}

// take empties and returns the set of dirty directories.
func (i *instance) take() (dirty []string, broken error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for d := range i.dirty {
		dirty = append(dirty, d)
	}
	clear(i.dirty)
	slices.Sort(dirty)
	return dirty, i.broken
}

var errCookie = errors.New("the watcher's cookie did not come back")

// awaitCookie returns nil when all events of what happened before the call
// have been seen. One caller at a time.
func (i *instance) awaitCookie(ctx context.Context) error {
	seen := make(chan struct{})
	i.mu.Lock()
	if i.broken != nil {
		defer i.mu.Unlock()
		return i.broken
	}
	old := filepath.Join(i.home, fmt.Sprintf("c%d", i.serial))
	i.serial++
	i.cookie, i.seen = fmt.Sprintf("c%d", i.serial), seen
	name := filepath.Join(i.home, i.cookie)
	i.mu.Unlock()
	// Every cookie has a name of its own, so that a late event of an earlier
	// one is not taken for this one's.
	if err := os.Rename(old, name); err != nil {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			return fmt.Errorf("cookie: %w", err)
		}
	}
	timer := time.NewTimer(cookieWait)
	defer timer.Stop()
	select {
	case <-seen:
		return nil
	case <-timer.C:
		return errCookie
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (i *instance) covers(dir string) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.watched[dir]
}
