package jit

import (
	"errors"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/fsnotify/fsnotify"
)

// TestEvents checks what each event of a watched tree marks: its directory as changed, or the instance as one that may
// miss changes from now on.
func TestEvents(t *testing.T) {
	const create, write, remove, rename, chmod = fsnotify.Create, fsnotify.Write, fsnotify.Remove, fsnotify.Rename,
		fsnotify.Chmod
	any := errors.New("any")
	for _, c := range []struct {
		path    string
		op      fsnotify.Op
		dirty   []string
		broken  error  // nil, any or one that it wraps
		dropped string // the directory that is watched no longer
	}{
		{"/r/a/b.go", write, []string{"a"}, nil, ""}, {"/r/b.go", create, []string{""}, nil, ""},
		{"/r/a/b.go", remove, []string{"a"}, nil, ""}, {"/r/a/b.go", rename, []string{"a"}, nil, ""},
		{"/r/a/b.go", chmod, []string{"a"}, nil, ""}, {"/r/new", create, []string{""}, nil, ""},
		{"/r/a", chmod, []string{"", "a"}, nil, ""}, {"/r/a", remove, []string{"", "a"}, nil, "a"},
		{"/r/a", rename, []string{"", "a"}, errMoved, ""}, {"/r/a/in", remove, []string{"a", "a/in"}, nil, "a/in"},
		{"/r", chmod, []string{""}, nil, ""}, {"/r", remove, []string{""}, errMoved, ""},
		{"/r", rename, []string{""}, errMoved, ""}, {"/root/b.go", write, nil, any, ""}, {"/other", write, nil, any, ""},
		{"/r/a/.gitignore", write, []string{"a"}, errRules, ""}, {"/r/.git", create, []string{""}, errRules, ""},
		{"/r/a/Cargo.toml", create, []string{"a"}, errRules, ""}, {"/r/a/Cargo.toml", remove, []string{"a"}, errRules, ""},
		{"/r/a/Cargo.toml", rename, []string{"a"}, errRules, ""}, {"/r/a/Cargo.toml", write, []string{"a"}, nil, ""},
		{"/h", chmod, nil, nil, ""}, {"/h", remove, nil, any, ""}, {"/h", rename, nil, any, ""},
		{"/h/c0", rename, nil, nil, ""},
	} {
		i := &instance{root: "/r", home: "/h", cookie: "c1", dirty: map[string]bool{},
			watched: map[string]bool{"": true, "a": true, "a/in": true}, seen: make(chan struct{})}
		seen := i.seen
		i.event(fsnotify.Event{Name: c.path, Op: c.op})
		dirty, broken := i.take()
		if !slices.Equal(dirty, c.dirty) || (broken == nil) != (c.broken == nil) ||
			c.broken != any && !errors.Is(broken, c.broken) {
			t.Errorf("%s %s: %q, %v; want %q, %v", c.op, c.path, dirty, broken, c.dirty, c.broken)
		}
		left := map[string]bool{"": true, "a": true, "a/in": true}
		if c.dropped != "" {
			delete(left, c.dropped)
		}
		if !maps.Equal(i.watched, left) {
			t.Errorf("%s %s: watched %v, want %v", c.op, c.path, i.watched, left)
		}
		select {
		case <-seen:
			if c.path != "/h" {
				t.Errorf("%s %s ends the wait for the cookie", c.op, c.path)
			}
		default:
			if c.path == "/h" && c.broken != nil {
				t.Errorf("%s %s leaves the wait for the cookie", c.op, c.path)
			}
		}
		if again, _ := i.take(); len(again) != 0 {
			t.Errorf("%s %s: taken again: %q", c.op, c.path, again)
		}
	}
}

// TestAfterAMissedEvent checks that a broken instance keeps its first reason and collects nothing more, but still ends
// the wait for its cookie.
func TestAfterAMissedEvent(t *testing.T) {
	first := errors.New("first")
	i := &instance{root: "/r", home: "/h", cookie: "c1", dirty: map[string]bool{}, watched: map[string]bool{"": true},
		seen: make(chan struct{})}
	seen := i.seen
	i.spoil(first)
	for _, path := range []string{"/r/a.go", "/r/.gitignore", "/r", "/elsewhere"} {
		i.event(fsnotify.Event{Name: path, Op: fsnotify.Rename})
	}
	if dirty, broken := i.take(); len(dirty) != 0 || !errors.Is(broken, first) {
		t.Errorf("%q, %v", dirty, broken)
	}
	select {
	case <-seen:
		t.Error("the cookie is seen before its event")
	default:
	}
	for range 2 { // the second event finds nobody who waits
		i.event(fsnotify.Event{Name: "/h/c1", Op: fsnotify.Create})
	}
	select {
	case <-seen:
	default:
		t.Error("the event of the cookie ends no wait")
	}
}

// TestRelativePaths checks which paths are below a root, the whole file system among them.
func TestRelativePaths(t *testing.T) {
	for _, c := range []struct {
		root, abs, want string
		ok              bool
	}{{"/r", "/r", "", true}, {"/r", "/r/a/b", "a/b", true}, {"/r", "/ra", "", false}, {"/", "/a", "a", true},
		{"/r", "/", "", false}} {
		if got, ok := (&instance{root: c.root}).relative(c.abs); ok != c.ok || ok && got != c.want {
			t.Errorf("%s in %s: %q, %t", c.abs, c.root, got, ok)
		}
	}
}

// TestWatchedOnce checks that a directory is added once, that none is added to an instance which has missed an event,
// and that a missing folder has no events.
func TestWatchedOnce(t *testing.T) {
	w := newWorld(t, seeds(), func(o *Options) { o.Watch = WatchAuto })
	w.awaitWatcher()
	w.must(os.Mkdir(w.abs("more"), 0o755))
	w.r.watch.mu.Lock()
	i := w.r.watch.inst
	w.r.watch.mu.Unlock()
	for _, dir := range []string{"sub", "sub/deep"} {
		if added, err := i.add(dir); added || err != nil {
			t.Errorf("%s, which is watched: %t, %v", dir, added, err)
		}
	}
	if added, err := i.add("more"); !added || err != nil {
		t.Errorf("a new directory: %t, %v", added, err)
	}
	missed := errors.New("missed")
	i.spoil(missed)
	if added, err := i.add("other"); added || !errors.Is(err, missed) {
		t.Errorf("after an event was missed: %t, %v", added, err)
	}
	if eventful(w.abs("nothing")) == nil {
		t.Error("a folder that does not exist has events")
	}
}

// TestSweepCountsFilesOnce checks the numbers of a report after a sweep that ran twice, since the first found a
// directory that was not watched.
func TestSweepCountsFilesOnce(t *testing.T) {
	w := newWorld(t, seeds(), func(o *Options) { o.Watch = WatchAuto })
	w.untended()
	w.awaitWatcher()
	w.write("more/e.go", "func e\n")
	w.r.sweepNext()
	rep := w.sync()
	if rep.Vouched || rep.FilesChecked != len(seeds())+1 || !slices.Equal(rep.Added, []string{"more/e.go"}) {
		t.Errorf("%+v, want a sweep of %d files", rep, len(seeds())+1)
	}
	if rep := w.sync(); !rep.Vouched {
		t.Errorf("the sweep did not add the directory to those that are watched: %+v", rep)
	}
}
