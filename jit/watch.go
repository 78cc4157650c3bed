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

// cookieWait bounds the wait for a cookie's event. It comes within some 50 µs
// unless thousands of others are before it, and then a sweep is as quick.
const cookieWait = 200 * time.Millisecond

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

// close is for a nil instance too.
func (i *instance) close() {
	if i == nil {
		return
	}
	_ = i.notify.Close()
	<-i.ended
	_ = os.RemoveAll(i.home) // left over, it is one empty file
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

// cover watches dir and all directories below it. Each round lists again what
// the last one had not watched yet while listing: in the end every directory
// was watched before it was listed for the last time, and none is missing.
func (i *instance) cover(ctx context.Context, d *disk, dir string) error {
	for {
		var mu sync.Mutex
		var found []string
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

// silentFileSystems change without an event: the change is made elsewhere.
var silentFileSystems = map[int64]string{
	unix.NFS_SUPER_MAGIC: "nfs", unix.SMB_SUPER_MAGIC: "smb", unix.CIFS_SUPER_MAGIC: "cifs", unix.SMB2_SUPER_MAGIC: "smb2",
	unix.V9FS_MAGIC: "9p", unix.FUSE_SUPER_MAGIC: "fuse", unix.CEPH_SUPER_MAGIC: "ceph", unix.AFS_SUPER_MAGIC: "afs",
	unix.CODA_SUPER_MAGIC: "coda", unix.NCP_SUPER_MAGIC: "ncp",
}

// eventful reports whether the file system of a directory sends events for
// every change made to it.
func eventful(abs string) error {
	var st unix.Statfs_t
	if err := unix.Statfs(abs, &st); err != nil {
		return err
	}
	if name, silent := silentFileSystems[int64(st.Type)]; silent {
		return fmt.Errorf("%s is on %s: %w", abs, name, errNoEvents)
	}
	return nil
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

// sweepDirty compares the directories in which something happened, and all
// below those that are new.
func (r *Root) sweepDirty(ctx context.Context, s *sweep, dirty []string) {
	for _, dir := range dirty {
		r.sweepOne(ctx, s, dir)
	}
}

func (r *Root) sweepOne(ctx context.Context, s *sweep, dir string) {
	if s.listed(dir) {
		return
	}
	l := r.disk.scanDir(ctx, dir)
	s.compare(l)
	if l.err != nil {
		s.vanished(dir)
		return
	}
	there := make(map[string]bool, len(l.dirs))
	for _, d := range l.dirs {
		there[d] = true
		r.sweepNew(ctx, s, d)
	}
	s.orphans(dir, there)
}

// sweepNew takes up a directory that is not watched yet, with all below it.
func (r *Root) sweepNew(ctx context.Context, s *sweep, dir string) {
	w := r.watch
	w.mu.Lock()
	inst := w.inst
	w.mu.Unlock()
	if inst == nil || inst.covers(dir) {
		return
	}
	if err := inst.cover(ctx, r.disk, dir); err != nil {
		inst.fail(err)
	}
	if err := s.tree(ctx, dir); err != nil {
		return // the context's end, which the caller sees
	}
	s.vanished(dir)
}

func (i *instance) covers(dir string) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.watched[dir]
}

func (s *sweep) listed(dir string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.directories[dir]
}

// orphans notes the known files below those directories of dir that are not
// there any more.
func (s *sweep) orphans(dir string, there map[string]bool) {
	lost := s.root.table.unmet(dir, func(d string) bool {
		if d == dir {
			return true
		}
		first, _, _ := strings.Cut(strings.TrimPrefix(d[len(dir):], "/"), "/")
		return there[join(dir, first)]
	})
	s.mu.Lock()
	s.suspects = append(s.suspects, lost...)
	s.mu.Unlock()
}
