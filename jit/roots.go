package jit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"sextant/internal/lang"
	"sextant/internal/store"
	"sextant/internal/workspace"
)

// Roots holds all tracked roots of one home folder. Each is opened on first use. It is safe for
// concurrent use, and several processes may share the home.
type Roots struct {
	opt       Options
	catalog   *store.Catalog
	checkouts workspace.Checkouts

	mu   sync.Mutex
	open map[string]*Root         // guarded by mu; path → open root
	lost map[string]*atomic.Int64 // guarded by mu; path → number of databases that were given up
	// guarded by mu; path → lock that the methods opened and shut hold while they work on the root
	turns   map[string]*sync.Mutex
	closed  bool           // guarded by mu
	opening sync.WaitGroup // running calls of opened and shut; incremented under mu while not closed
}

// Tracked is one root of the catalog.
type Tracked struct {
	Path   string // absolute, symbolic links resolved
	Policy Policy
}

// Open opens the catalog of opt.Home. It opens no root.
func Open(ctx context.Context, opt Options) (*Roots, error) {
	opt, err := opt.withDefaults()
	if err != nil {
		return nil, err
	}
	catalog, err := store.OpenCatalog(ctx, opt.Home, opt.Clock)
	if err != nil {
		return nil, err
	}
	return &Roots{opt: opt, catalog: catalog, open: map[string]*Root{}, lost: map[string]*atomic.Int64{},
		turns: map[string]*sync.Mutex{}}, ctx.Err()
}

// Close ends all background work and closes all roots.
func (rs *Roots) Close() error {
	rs.mu.Lock()
	was := rs.closed
	rs.closed = true
	rs.mu.Unlock()
	if was {
		return nil
	}
	rs.opening.Wait()
	rs.mu.Lock()
	defer rs.mu.Unlock()
	var errs []error
	for _, r := range rs.open {
		errs = append(errs, r.Close())
	}
	clear(rs.open)
	return errors.Join(append(errs, rs.catalog.Close())...)
}

// ReturnMemory frees the caches of the databases of all roots. The next answer reads its data
// from disk again, which takes milliseconds.
func ReturnMemory() { store.ReturnMemory() }

// List returns every tracked root, ordered by path.
func (rs *Roots) List(ctx context.Context) ([]Tracked, error) {
	roots, err := rs.catalog.Roots(ctx)
	if err != nil {
		return nil, fmt.Errorf("list roots: %w", err)
	}
	list := make([]Tracked, 0, len(roots))
	for _, r := range roots {
		p, err := policyOf(r)
		if err != nil {
			return nil, err
		}
		list = append(list, Tracked{Path: r.Path, Policy: p})
	}
	return list, nil
}

// Resolve returns the tracked root that path belongs to, and the path relative
// to it ('/'-separated, "" for the root itself). If roots are nested, it takes
// the innermost. path must be absolute, but need not exist; symbolic links are
// followed. The error is ErrNotTracked if there is no such root. A path in
// another checkout does not belong to the root around that checkout. A root
// without a database gets an empty one.
func (rs *Roots) Resolve(ctx context.Context, path string) (root *Root, rel string, err error) {
	owner, rel, err := rs.owner(ctx, path)
	if err != nil {
		return nil, "", err
	}
	root, err = rs.opened(ctx, owner)
	if err != nil {
		return nil, "", fmt.Errorf("resolve %s: %w", path, err)
	}
	return root, rel, nil
}

// Owner returns the path of the root that Resolve would return, without
// building its index.
func (rs *Roots) Owner(ctx context.Context, path string) (root, rel string, err error) {
	owner, rel, err := rs.owner(ctx, path)
	return owner.Path, rel, err
}

// owner does the work of Owner and Resolve.
func (rs *Roots) owner(ctx context.Context, path string) (owner store.Root, rel string, err error) {
	real, err := realPath(path)
	if err != nil {
		return owner, "", err
	}
	owner, found, err := rs.nearest(ctx, real)
	if err != nil {
		return owner, "", fmt.Errorf("resolve %s: %w", path, err)
	}
	if !found || rs.checkouts.Apart(owner.Path, real) != "" {
		return store.Root{}, "", fmt.Errorf("resolve %s: %w", path, ErrNotTracked)
	}
	return owner, filepath.ToSlash(strings.Trim(strings.TrimPrefix(real, owner.Path), string(filepath.Separator))), nil
}

// nearest returns the innermost tracked root that contains real, a path with
// links resolved. If that root was adopted (tracked on demand) and is part of
// the root around it, for example as a submodule, nearest returns the one
// around it: otherwise both would answer, with different ids for the same
// symbols. Until the index of the outer root is complete, the adopted root
// still answers for its own files.
func (rs *Roots) nearest(ctx context.Context, real string) (owner store.Root, found bool, err error) {
	owner, found, err = rs.catalog.Owner(ctx, real)
	if err != nil || !found {
		return owner, found, err
	}
	if a, err := askedOf(owner); err != nil || !a.Adopted {
		return owner, true, err
	}
	around, found, err := rs.nearest(ctx, filepath.Dir(owner.Path))
	if found && err == nil && rs.checkouts.Apart(around.Path, owner.Path) == "" && rs.complete(ctx, around) {
		return around, true, nil
	}
	return owner, true, err
}

// complete reports whether the index of a tracked root has been built.
func (rs *Roots) complete(ctx context.Context, t store.Root) bool {
	if this, _ := rs.Kept(t.Path); !this {
		return false
	}
	root, err := rs.opened(ctx, t)
	if err != nil {
		return false
	}
	p, err := root.build.state(ctx)
	return err == nil && p.State == StateReady
}

// Top returns the top directory of the checkout that an absolute path belongs
// to, as a prefix of path if possible; "" if path is in no checkout. A
// submodule belongs to the checkout around it.
func (rs *Roots) Top(path string) string {
	real, err := realPath(path)
	if err != nil {
		return ""
	}
	top := rs.checkouts.Top(real)
	if steps, ok := strings.CutPrefix(real, top); ok && top != "" && strings.HasSuffix(path, steps) {
		return strings.TrimSuffix(path, steps)
	}
	return top
}

// ToIndex returns the folder to index for a request about path if no root
// contains it: the top of its checkout, or else path itself or, for a file, its
// folder. It reports wide if that folder is too wide to index on demand, such
// as the home folder, or if path is not a file of a project, such as a device.
func (rs *Roots) ToIndex(path string) (dir string, wide bool) {
	dir = path
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		if dir = filepath.Dir(path); !info.Mode().IsRegular() {
			return dir, true
		}
	}
	if top := rs.Top(dir); top != "" && !workspace.TooWide(top) {
		return top, false // only a repository of dotfiles in the home folder would be too wide
	}
	return dir, workspace.TooWide(dir)
}

// ReadUntracked returns the text of a file that is in no root. Row and errors are those of
// Root.ReadUnindexed.
func (rs *Roots) ReadUntracked(path string) (text []byte, row FileRow, err error) {
	real, err := realPath(path)
	if err != nil {
		return nil, row, err
	}
	switch err := workspace.Withheld(real); {
	case errors.Is(err, workspace.ErrSecret):
		return nil, FileRow{Path: path, Skip: string(workspace.SkipSecret)}, fmt.Errorf("read %s: %w", path, ErrNotIndexed)
	case err != nil:
		return nil, row, fmt.Errorf("read %s: %w", path, err)
	}
	d, err := openDisk(filepath.Dir(real), Policy{HasSymbols: hasSymbols})
	if err != nil {
		return nil, row, fmt.Errorf("read %s: %w", path, err)
	}
	return (&Root{disk: d}).ReadUnindexed(filepath.Base(real))
}

// Apart reports whether path is below folder root, but in a checkout that is
// not part of root. Both are absolute.
func (rs *Roots) Apart(root, path string) bool {
	realRoot, errRoot := realPath(root)
	real, err := realPath(path)
	return errRoot == nil && err == nil && store.Within(real, realRoot) && rs.checkouts.Apart(realRoot, real) != ""
}

// Kept reports whether the disk has an index of a tracked root: this for an index that this
// version of the program can read, other for one of another version. It opens and creates
// nothing.
func (rs *Roots) Kept(root string) (this, other bool) {
	return store.Kept(rs.catalog.Dir(root), rs.opt.schemas())
}

// realPath resolves the links of an absolute path as far as the path exists.
func realPath(path string) (string, error) {
	if !filepath.IsAbs(path) {
		return "", fmt.Errorf("%s: the path is not absolute", path)
	}
	path = filepath.Clean(path)
	real, err := filepath.EvalSymlinks(path)
	if err == nil {
		return real, nil
	}
	parent := filepath.Dir(path)
	if !errors.Is(err, fs.ErrNotExist) || parent == path {
		return path, nil // a path that does not exist is not tracked under another name either
	}
	real, err = realPath(parent)
	return filepath.Join(real, filepath.Base(path)), err
}

// opened returns the open Root of a tracked root, and opens it if there is no
// valid one. That may copy a whole database; only calls for the same root wait
// for it.
func (rs *Roots) opened(ctx context.Context, t store.Root) (*Root, error) {
	turn, err := rs.turn(t.Path)
	if err != nil {
		return nil, err
	}
	defer rs.opening.Done()
	turn.Lock()
	defer turn.Unlock()
	root, stale := rs.handle(t)
	if root != nil {
		return root, nil
	}
	if stale != nil {
		if err := stale.Close(); err != nil {
			return nil, err
		}
	}
	p, err := policyOf(t)
	if err != nil {
		return nil, err
	}
	if this, _ := rs.Kept(t.Path); !this {
		rs.seed(ctx, t.Path)
	}
	if root, err = openRoot(ctx, t.Path, rs.catalog.Dir(t.Path), p, &rs.opt, rs.counter(t.Path)); err != nil {
		return nil, err
	}
	root.asked = t.Policy
	rs.mu.Lock()
	defer rs.mu.Unlock()
	rs.open[t.Path] = root
	return root, nil
}

// turn returns the lock for opening and closing the root at path. It registers
// the caller in rs.opening until the caller calls rs.opening.Done.
func (rs *Roots) turn(path string) (*sync.Mutex, error) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if rs.closed {
		return nil, ErrClosed
	}
	rs.opening.Add(1)
	if rs.turns[path] == nil {
		rs.turns[path] = &sync.Mutex{}
	}
	return rs.turns[path], nil
}

// handle returns the open Root of a tracked root: as r if it is valid, or as
// stale if the root got another policy or was cleared, by this or another
// process. Both are nil if the root is not open.
func (rs *Roots) handle(t store.Root) (r, stale *Root) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	r = rs.open[t.Path]
	if r == nil || r.asked == t.Policy && r.db.Present() {
		return r, nil
	}
	delete(rs.open, t.Path)
	return nil, r
}

// counter returns the counter of how often the database of a root was given up.
func (rs *Roots) counter(root string) *atomic.Int64 {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if rs.lost[root] == nil {
		rs.lost[root] = &atomic.Int64{}
	}
	return rs.lost[root]
}

// Losses returns how often this process gave up a database of a root that
// contains path: because it was cleared, rebuilt, damaged or closed. An answer
// is valid only if the number before its Sync equals that after its last View.
func (rs *Roots) Losses(path string) (n int64) {
	real, err := realPath(path)
	if err != nil {
		return 0
	}
	rs.mu.Lock()
	defer rs.mu.Unlock()
	for root, lost := range rs.lost {
		if store.Within(real, root) {
			n += lost.Load()
		}
	}
	return n
}

// asked is the policy of a root in the form in which the catalog stores it.
type asked struct {
	Profile          string   `json:"profile,omitempty"`
	CustomExtensions []string `json:"customExtensions,omitempty"`
	IgnorePatterns   []string `json:"ignorePatterns,omitempty"`
	MaxFileBytes     int64    `json:"maxFileBytes,omitempty"`
	Adopted          bool     `json:"adopted,omitempty"` // tracked on demand for a request, not by a user
}

// askedOf parses the policy of a root in the catalog.
func askedOf(t store.Root) (a asked, err error) {
	if t.Policy == "" {
		return a, nil
	}
	if err := json.Unmarshal([]byte(t.Policy), &a); err != nil {
		return a, fmt.Errorf("policy of %s: %w", t.Path, err)
	}
	return a, nil
}

// policyOf returns the policy of a root in the catalog.
func policyOf(t store.Root) (Policy, error) {
	a, err := askedOf(t)
	if err != nil {
		return Policy{}, err
	}
	return Policy{Profile: a.Profile, CustomExtensions: a.CustomExtensions, IgnorePatterns: a.IgnorePatterns,
		MaxFileBytes: a.MaxFileBytes, HasSymbols: hasSymbols}, nil
}

// hasSymbols reports whether the language of the file at path has symbols, judged by the name of the file.
func hasSymbols(path string) bool {
	l, ok := lang.Detect(path)
	return ok && l.Depth >= lang.Symbols
}

// Track adds path, an existing directory, to the tracked roots, or changes the
// policy of a tracked one. It indexes nothing; see Root.Start. After a change
// of policy, start the root again to reconcile its index.
func (rs *Roots) Track(ctx context.Context, path string, p Policy) (*Root, error) {
	return rs.track(ctx, path, asked{Profile: p.Profile, CustomExtensions: p.CustomExtensions,
		IgnorePatterns: p.IgnorePatterns, MaxFileBytes: p.MaxFileBytes})
}

// track adds or changes a root in the catalog and opens it.
func (rs *Roots) track(ctx context.Context, path string, a asked) (*Root, error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, fmt.Errorf("track %s: %w", path, err)
	}
	if info, err := os.Stat(real); err != nil || !info.IsDir() || !filepath.IsAbs(real) {
		return nil, errors.Join(fmt.Errorf("track %s: not an absolute path of a directory", path), err)
	}
	text, err := json.Marshal(a)
	if err != nil {
		return nil, fmt.Errorf("track %s: %w", path, err)
	}
	t := store.Root{Path: real, Policy: string(text), CreatedAt: rs.opt.Clock()}
	if err := rs.catalog.Put(ctx, t); err != nil {
		return nil, fmt.Errorf("track %s: %w", path, err)
	}
	r, err := rs.opened(ctx, t)
	if err != nil {
		return nil, fmt.Errorf("track %s: %w", path, err)
	}
	return r, nil
}

// shut closes the Root at path, if it is open.
func (rs *Roots) shut(path string) error {
	turn, err := rs.turn(path)
	if err != nil {
		return err
	}
	defer rs.opening.Done()
	turn.Lock()
	defer turn.Unlock()
	rs.mu.Lock()
	r := rs.open[path]
	delete(rs.open, path)
	rs.mu.Unlock()
	if r == nil {
		return nil
	}
	return r.Close()
}

// Clear stops tracking the root at path and removes its index. It returns nil
// only after the files are gone. The error is a *HeldError while another
// process builds the index, and ErrNotTracked if path is not a tracked root.
func (rs *Roots) Clear(ctx context.Context, path string) error {
	real, err := realPath(path)
	if err != nil {
		return err
	}
	owner, found, err := rs.catalog.Owner(ctx, real)
	if err != nil {
		return fmt.Errorf("clear %s: %w", path, err)
	}
	if !found || owner.Path != real {
		return fmt.Errorf("clear %s: %w", path, ErrNotTracked)
	}
	if err := rs.shut(real); err != nil { // this ends a build by this process
		return fmt.Errorf("clear %s: %w", path, err)
	}
	if err := os.MkdirAll(rs.catalog.Dir(real), 0o700); err != nil {
		return fmt.Errorf("clear %s: %w", path, err)
	}
	lock, err := store.TryLock(filepath.Join(rs.catalog.Dir(real), "op.lock"),
		Holder{PID: os.Getpid(), Version: rs.opt.Version, Action: "clear", Since: rs.opt.Clock()})
	if err != nil {
		return fmt.Errorf("clear %s: %w", path, err)
	}
	err = rs.catalog.Delete(ctx, real)
	return errors.Join(err, lock.Unlock())
}
