package jit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/fsnotify/fsnotify"
	"golang.org/x/sys/unix"

	"sextant/internal/store"
)

// WatchState is the state of a root's watcher.
type WatchState struct {
	State       string // off, starting, watching, limited, unsupported
	Directories int    // number of watched directories
	Detail      string // why the watcher is not watching; "" if it is
}

// These constants are the states of a watcher. A watcher vouches for a root if it has proven that
// it has seen all changes.
const (
	watchOff         = "off"         // the root must not be watched, or the watcher has not started
	watchStarting    = "starting"    // the watcher is adding watches and does not vouch yet
	watchOn          = "watching"    // the watcher vouches for the root
	watchLimited     = "limited"     // the system allows no more watches
	watchUnsupported = "unsupported" // the file system sends no events
)

// watcher records the directories in which files have changed.
//
// It proves by a cookie that it has seen all changes: it renames a file in a
// folder of its own, which the same inotify instance watches, and waits for the
// event. The kernel queues events in order. So when the event of the cookie
// arrives, the events of all earlier changes have arrived too. The watcher then
// "vouches" for the root: no other directory has changed.
//
// An event only marks a directory as dirty; its details are not used. A watched
// directory that was moved still reports events under its old name, and the two
// events of a move may be separated. Therefore a moved directory, a queue
// overflow or any error discards the whole instance. While a new one is built,
// each Sync sweeps the root.
//
// The watcher does not see writes through mmap, writes through a hard link
// outside the root, and writes of other machines to a network file system. They
// are found by the stat of Verify and the periodic sweep.
type watcher struct {
	root *Root

	mu      sync.Mutex
	status  string        // guarded by mu
	detail  string        // guarded by mu
	inst    *instance     // guarded by mu; instance in use; nil unless status is watchOn
	stopped bool          // guarded by mu; whether stop was called
	ready   chan struct{} // guarded by mu; closed when the instance has been built or building it has failed
	full    bool          // guarded by mu; whether the next Sync must compare all files
}

func newWatcher(r *Root) *watcher {
	return &watcher{root: r, status: watchOff}
}

// state returns the state of the watcher, for Status.
func (w *watcher) state() WatchState {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := WatchState{State: w.status, Detail: w.detail}
	if w.inst != nil {
		w.inst.mu.Lock()
		s.Directories = len(w.inst.watched)
		w.inst.mu.Unlock()
	}
	return s
}

// limited reports whether the system allows no more watches.
func (w *watcher) limited() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.status == watchLimited
}

// stop closes the instance. The watcher cannot be started again.
func (w *watcher) stop() {
	w.mu.Lock()
	inst := w.inst
	w.inst, w.status, w.stopped = nil, watchOff, true
	w.mu.Unlock()
	inst.close()
}

// vouched returns the directories that have changed since the last call. ok reports that the
// watcher has seen all changes and that few directories have changed. Otherwise, the caller must
// compare all files.
//
// If ok is false and inst is not nil, that instance stays in use: the caller must pass the
// directories that it finds to inst.adopt. If inst is nil, it passes them to watchAll.
func (r *Root) vouched(ctx context.Context) (dirty []string, inst *instance, ok bool) {
	w := r.watch
	if w == nil {
		return nil, nil, false
	}
	w.mu.Lock()
	inst, on, full := w.inst, w.status == watchOn, w.full
	w.full = false
	w.mu.Unlock()
	if !on {
		return nil, nil, false
	}
	var err error
	if !full {
		err = inst.awaitCookie(ctx)
	}
	dirty, broken := inst.take()
	if broken != nil {
		w.drop(inst)
		return nil, nil, false
	}
	return dirty, inst, err == nil && !full && len(dirty) <= maxDirty
}

// maxDirty is the number of dirty directories above which a sweep is faster.
const maxDirty = 256

// sweepNext makes the next Sync compare all files, even if the watcher has seen all changes.
func (r *Root) sweepNext() {
	if w := r.watch; w != nil {
		w.mu.Lock()
		w.full = true
		w.mu.Unlock()
	}
}

// watchAll starts the watcher, if the root has one, with the directories that a sweep has found.
func (r *Root) watchAll(dirs []string) {
	if r.watch != nil {
		r.watch.start(dirs)
	}
}

// start builds an instance in the background that watches dirs, unless there is one or an earlier build has found that
// the system or its limits do not allow one.
func (w *watcher) start(dirs []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stopped || w.status != watchOff {
		return
	}
	w.status, w.ready = watchStarting, make(chan struct{})
	if !w.root.group.Go(func(ctx context.Context) { w.bring(ctx, dirs) }) {
		w.status, w.ready = watchOff, nil
	}
}

// drop discards a broken instance.
func (w *watcher) drop(inst *instance) {
	w.mu.Lock()
	if w.inst == inst {
		w.inst, w.status = nil, watchOff
	}
	w.mu.Unlock()
	inst.close()
}

// bring builds an instance for the watcher that watches dirs, and compares all files once, so that the watcher vouches
// for the root before the next question. If building fails, it sets the watcher's state by the error: limited,
// unsupported or off.
func (w *watcher) bring(ctx context.Context, dirs []string) {
	if w.install(w.build(dirs)) {
		_, _ = w.root.sync(ctx) // an error leaves the comparison to the next question
	}
}

// install puts an instance into use, and reports whether it did. err says why there is none.
func (w *watcher) install(inst *instance, err error) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	defer close(w.ready)
	switch {
	case err == nil && !w.stopped:
		// Changes before the last directory was added are unknown, so the first
		// Sync with this instance must sweep.
		w.inst, w.status, w.detail, w.full = inst, watchOn, "", true
		return true
	case err == nil || w.stopped:
		w.status = watchOff
	case errors.Is(err, unix.ENOSPC), errors.Is(err, unix.EMFILE), errors.Is(err, unix.ENFILE):
		w.status, w.detail = watchLimited, "raise fs.inotify.max_user_watches or max_user_instances"
	case errors.Is(err, errNoEvents):
		w.status, w.detail = watchUnsupported, err.Error()
	default:
		w.status, w.detail = watchOff, err.Error() // the next Sync starts the watcher again
	}
	inst.close()
	return false
}

var errNoEvents = errors.New("the file system does not report every change")

// build returns an instance that watches dirs, directories of the root, and the folder of the cookie (see watcher). The
// first sweep with the instance adds the directories that have appeared since.
func (w *watcher) build(dirs []string) (inst *instance, err error) {
	sweepHomes(w.root.dir)
	home, err := os.MkdirTemp(w.root.dir, fmt.Sprintf("watch-%d-", os.Getpid()))
	if err != nil {
		return nil, err
	}
	notify, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, errors.Join(err, os.Remove(home))
	}
	inst = &instance{notify: notify, root: w.root.path, home: home, ended: make(chan struct{}),
		watched: map[string]bool{}, dirty: map[string]bool{}}
	go inst.listen()
	if err := notify.Add(home); err != nil {
		return inst, err
	}
	inst.adopt(dirs)
	return inst, inst.failure()
}

// sweepHomes removes the folders that the watchers of killed processes made for their cookies.
func sweepHomes(dir string) {
	for _, home := range store.GlobIn(dir, "watch-*-*") {
		var pid int
		if _, err := fmt.Sscanf(filepath.Base(home), "watch-%d-", &pid); err == nil && unix.Kill(pid, 0) == unix.ESRCH {
			_ = os.RemoveAll(home)
		}
	}
}
