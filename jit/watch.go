package jit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/fsnotify/fsnotify"
	"golang.org/x/sys/unix"
)

// WatchState is what the watcher of a root is doing.
type WatchState struct {
	State       string // off, starting, watching, limited, unsupported
	Directories int    // watched
	Detail      string // why not, where there is a reason
}

// States of a watcher.
const (
	watchOff         = "off"         // not asked for, or not yet
	watchStarting    = "starting"    // adding watches; nothing is vouched for yet
	watchOn          = "watching"    // vouches
	watchLimited     = "limited"     // the system allows no more watches
	watchUnsupported = "unsupported" // the file system sends no events
)

// watcher knows in which directories something happened.
//
// It vouches by cookie: a file in a directory of ours is renamed, and its event
// awaited, on the very inotify instance that watches the root. The kernel
// queues events in order, so every event of a change made before the cookie
// has been seen by then.
//
// An event only ever marks a directory dirty. What it says is not used: a
// watched directory that is moved keeps reporting under its old name, and
// pairs of moves come apart. So a moved directory, an overflow and any error
// drop the whole instance, and a new one is built beside full sweeps.
//
// Unseen are writes through mmap, those through a hard link whose other name
// lies outside of the root, and those of other machines on a network file
// system; the stat of Verify and the periodic sweep are for them.
type watcher struct {
	root *Root

	mu      sync.Mutex
	status  string        // guarded by mu
	detail  string        // guarded by mu
	inst    *instance     // guarded by mu; nil unless on
	stopped bool          // guarded by mu
	ready   chan struct{} // guarded by mu; closed when the instance being built is, or has failed
	full    bool          // guarded by mu; the next Sync has to sweep all the same
}

func newWatcher(r *Root) *watcher {
	return &watcher{root: r, status: watchOff}
}

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

func (w *watcher) limited() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.status == watchLimited
}

// stop closes the instance; it is final.
func (w *watcher) stop() {
	w.mu.Lock()
	inst := w.inst
	w.inst, w.status, w.stopped = nil, watchOff, true
	w.mu.Unlock()
	inst.close()
}

// vouched returns the directories in which something happened since it was
// last asked, and true, when it has seen all that happened. Otherwise the
// caller sweeps everything; a new instance is built meanwhile.
//
// Where it does not vouch although inst is returned, inst goes on: what that
// sweep meets has to be watched too, see adopt.
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
		w.start()
		return nil, nil, false
	}
	var err error
	if !full {
		err = inst.awaitCookie(ctx)
	}
	dirty, broken := inst.take()
	if broken != nil {
		w.drop(inst)
		w.start()
		return nil, nil, false
	}
	return dirty, inst, err == nil && !full && len(dirty) <= maxDirty
}

// maxDirty is the number of dirty directories above which a sweep is quicker.
const maxDirty = 256

// sweepNext makes the next Sync sweep even if the watcher vouches.
func (r *Root) sweepNext() {
	if w := r.watch; w != nil {
		w.mu.Lock()
		w.full = true
		w.mu.Unlock()
	}
}

// start builds an instance in the background, unless one is there or there is
// no hope of one.
func (w *watcher) start() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stopped || w.status != watchOff {
		return
	}
	w.status, w.ready = watchStarting, make(chan struct{})
	if !w.root.spawn(w.bring) {
		w.status, w.ready = watchOff, nil
	}
}

// drop forgets a broken instance.
func (w *watcher) drop(inst *instance) {
	w.mu.Lock()
	if w.inst == inst {
		w.inst, w.status = nil, watchOff
	}
	w.mu.Unlock()
	inst.close()
}

// bring builds an instance and lets it vouch.
func (w *watcher) bring(ctx context.Context) {
	inst, err := w.build(ctx)
	w.mu.Lock()
	defer w.mu.Unlock()
	defer close(w.ready)
	switch {
	case err == nil && !w.stopped:
		// What happened before the last directory was added is not known, so
		// the first Sync on this instance sweeps.
		w.inst, w.status, w.detail, w.full = inst, watchOn, "", true
		return
	case err == nil || w.stopped:
		w.status = watchOff
	case errors.Is(err, unix.ENOSPC), errors.Is(err, unix.EMFILE), errors.Is(err, unix.ENFILE):
		w.status, w.detail = watchLimited, "raise fs.inotify.max_user_watches or max_user_instances"
	case errors.Is(err, errNoEvents):
		w.status, w.detail = watchUnsupported, err.Error()
	default:
		w.status, w.detail = watchOff, err.Error() // tried again by the next Sync
	}
	inst.close()
}

var errNoEvents = errors.New("the file system does not report every change")

// build makes an instance that watches the cookies and every directory.
func (w *watcher) build(ctx context.Context) (inst *instance, err error) {
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
	return inst, inst.cover(ctx, w.root.disk, "")
}

// sweepHomes removes the cookie directories of processes that were killed.
func sweepHomes(dir string) {
	homes, _ := filepath.Glob(filepath.Join(escapeGlob(dir), "watch-*-*"))
	for _, home := range homes {
		var pid int
		if _, err := fmt.Sscanf(filepath.Base(home), "watch-%d-", &pid); err == nil && unix.Kill(pid, 0) == unix.ESRCH {
			_ = os.RemoveAll(home)
		}
	}
}

func escapeGlob(p string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(p)
}
