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

// cookieWait bounds the wait for the event of the cookie, a file that the watcher renames to learn
// that all earlier events have arrived. The event usually arrives within 50 µs. If thousands of
// events precede it, comparing all files is as fast as waiting.
const cookieWait = 200 * time.Millisecond

// instance is one inotify instance and the changes that it has reported.
type instance struct {
	notify *fsnotify.Watcher
	root   string        // absolute path of the root
	home   string        // absolute folder of the cookies of this instance
	ended  chan struct{} // closed when listen has ended

	mu      sync.Mutex
	watched map[string]bool // guarded by mu; set of the watched directories, relative to the root
	dirty   map[string]bool // guarded by mu; set of the changed directories, relative to the root
	broken  error           // guarded by mu; why the instance may have missed changes, nil if it has not
	cookie  string          // guarded by mu; base name of the cookie that awaitCookie waits for
	seen    chan struct{}   // guarded by mu; closed when the event of the cookie has arrived or the instance has failed
	serial  int             // guarded by mu; number of the last cookie
}

// close closes the instance and waits until listen has ended. The instance may
// be nil.
func (i *instance) close() {
	if i == nil {
		return
	}
	_ = i.notify.Close()
	<-i.ended
	_ = os.RemoveAll(i.home) // if removal fails, only an empty file stays
}

// adopt watches the directories that a sweep (a comparison of all files with the table) found. It
// reports whether any directory was not watched before: changes in such a directory may have been
// missed, so it must be swept again.
func (i *instance) adopt(dirs []string) (fresh bool) {
	slices.Sort(dirs) // parents precede their children
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

// cover watches dir and all directories below it. It repeats listing them and
// watching the new ones until a listing finds no directory that is not watched.
// So every directory was watched before its last listing, and none is missed.
func (i *instance) cover(ctx context.Context, d *disk, dir string) error {
	for {
		var mu sync.Mutex
		found := []string{dir} // dir itself must be watched for events about its subdirectories
		err := d.scanTree(ctx, dir, func(l listing) {
			mu.Lock()
			defer mu.Unlock()
			// Watch excluded directories too, because a directory that is excluded
			// by its contents, such as CACHEDIR.TAG, is included again when these
			// are removed.
			found = append(append(found, l.dir), l.dirs...)
		})
		if err != nil {
			return err
		}
		slices.Sort(found) // parents precede their children
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
	// Set the entry before the watch exists: if the directory is moved, its event must find the
	// entry.
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
		return false, nil // removed since it was listed; the event of its parent reports that
	}
	return false, err
}

// listen handles the events until the instance is closed.
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

// fail marks the instance as broken: from now on it may miss changes.
func (i *instance) fail(err error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.spoil(err)
	i.wake()
}

// failure returns why the instance may have missed changes; nil if it has not.
func (i *instance) failure() error {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.broken
}

// spoil marks the instance as broken, unless it is already broken. The caller holds i.mu.
func (i *instance) spoil(err error) {
	if i.broken == nil {
		i.broken = err
	}
}

// wake ends the wait for the event of the cookie. The caller holds i.mu.
func (i *instance) wake() {
	if i.seen != nil {
		close(i.seen)
		i.seen = nil
	}
}

var errMoved = errors.New("a watched directory was moved")

// event handles one event. It marks the directory of the event as dirty, or the instance as broken
// if it may miss changes from now on.
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
	if e.Name == i.home { // the folder of the cookie was removed, as Roots.Clear does
		if e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename) {
			i.spoil(fmt.Errorf("%s is gone", i.home))
			i.wake()
		}
		return
	}
	rel, ok := i.relative(e.Name)
	if !ok {
		i.spoil(fmt.Errorf("event for %s", e.Name))
		return
	}
	if i.broken != nil {
		return // the next Sync compares all files anyway, so events until then need not be collected
	}
	if i.watched[rel] {
		i.dirty[rel] = true
		switch {
		case e.Has(fsnotify.Rename) || rel == "" && e.Has(fsnotify.Remove):
			i.spoil(fmt.Errorf("%s: %w", rel, errMoved))
		case e.Has(fsnotify.Remove):
			delete(i.watched, rel) // a new directory of that name is not watched yet
		}
		if rel == "" {
			return
		}
	}
	parent, _ := split(rel)
	i.dirty[parent] = true
	comesOrGoes := e.Has(fsnotify.Create) || e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename)
	if workspace.RuleFileName(base) || comesOrGoes && workspace.EvidenceName(base) {
		// The set of indexed and of watched directories may change, so all files must be compared.
		i.spoil(fmt.Errorf("%s: %w", rel, errRules))
	}
}

var errRules = errors.New("what is ignored may have changed")

// relative returns the root-relative path of abs, false if it is not below the
// root.
func (i *instance) relative(abs string) (string, bool) {
	if abs == i.root {
		return "", true
	}
	rel, ok := strings.CutPrefix(abs, strings.TrimSuffix(i.root, "/")+"/")
	return rel, ok
}

// take returns the dirty directories and clears their set. broken says why the instance is broken,
// nil if it is not.
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

// awaitCookie renames the cookie, a file in a watched folder, and waits for the event. Events
// arrive in order, so nil means that the events of all changes before the call have arrived. It
// must not be called concurrently.
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
	// Each cookie has its own name, so that a late event of an earlier cookie
	// is not mistaken for the event of this one.
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

// covers reports whether dir is watched.
func (i *instance) covers(dir string) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.watched[dir]
}
