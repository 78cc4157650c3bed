package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sync/errgroup"

	"sextant/internal/budget"
	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/engine"
	"sextant/internal/navigate/symbols"
	"sextant/jit"
	"sextant/l1fts"
)

// fileMatch is a file that matches an exhaustive query. The answer to such a query, for example
// must:TODO, has every match.
type fileMatch struct {
	candidate l1fts.Candidate
	lines     int // number of matching lines; 0 if the query consists of exclude: operators alone
}

// matched holds all matches of an exhaustive query, such as must:TODO, in one state of the index, in the
// order of the answer.
type matched struct {
	key     string
	files   []fileMatch
	lines   int
	unread  int                  // number of unreadable candidates, which may match
	outside *contract.OutOfScope // matches in files outside the request's scope
	item    *budget.Item         // counts the size of the list in the budget
}

// matchCache holds the last few match lists, so that the matching files are determined once for all
// pages.
type matchCache struct {
	budget *budget.Budget

	mu   sync.Mutex
	list []*matched // guarded by mu; newest last
}

// maxMatchLists is the number of lists in the cache. Few suffice, as an agent follows one cursor at
// a time.
const maxMatchLists = 4

// get returns the matches with the given key, or nil if they are not in the cache.
func (c *matchCache) get(key string) *matched {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, m := range c.list {
		if m.key == key {
			m.item.Use()
			return m
		}
	}
	return nil
}

// put adds m to the cache, replacing an older list with the same key.
func (c *matchCache) put(m *matched) {
	m.item = c.budget.Add(m.bytes(), func() { c.drop(m) })
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = append(slices.DeleteFunc(c.list, func(old *matched) bool {
		if old.key == m.key {
			old.item.Release()
		}
		return old.key == m.key
	}), m)
	if len(c.list) > maxMatchLists {
		c.list[0].item.Release()
		c.list = slices.Delete(c.list, 0, 1)
	}
}

func (c *matchCache) drop(m *matched) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = slices.DeleteFunc(c.list, func(other *matched) bool { return other == m })
}

// bytes returns the approximate size of m.
func (m *matched) bytes() int64 {
	n := int64(len(m.key)) + int64(cap(m.files))*int64(unsafe.Sizeof(fileMatch{}))
	for i := range m.files {
		n += int64(len(m.files[i].candidate.Path))
	}
	return n
}

// enumeration finds every match of an exhaustive query, such as must:TODO.
type enumeration struct {
	*search
	matcher *l1fts.Matcher
}

// run fills in one page of all matches. again reports that a file on the page changed meanwhile, so that
// the search must be repeated.
func (e *enumeration) run(ctx context.Context) (again bool, err error) {
	a := e.answer
	e.watch.begin()
	all, err := e.matches(ctx)
	if err != nil {
		return false, err
	}
	indexed := e.sync.Mode != jit.ModeIndexing && e.sync.Pending == 0
	readable := len(e.sync.Unverified) == 0 && all.unread == 0
	a.Matches = &contract.Matches{Files: len(all.files), Lines: all.lines, OutOfScope: all.outside,
		Complete: indexed && readable, Unread: indexed && !readable}
	e.suggestWider(all.outside)
	a.Confidence = contract.High
	if len(all.files) == 0 {
		a.Confidence = contract.Low
	}
	e.watch.end("match")
	e.budget.Spend(a)
	page := &page{enumeration: e, files: all.files, lines: all.lines}
	if page.from, _ = parsePageCursor(e.req.Cursor, e.sync.Generation, &a.Warnings); !page.from.belongs(e.listed()) {
		return false, foreignCursor(e.req.Cursor)
	}
	if !e.req.CountOnly {
		again, err = page.fill(ctx)
	}
	if err != nil || again {
		return again, err
	}
	e.watch.end("page")
	a.FreshnessDecision = e.service.Freshness(e.sync, page.check)
	for _, w := range e.service.Warn(e.place, e.sync, page.check) {
		a.Warnings.Add(w)
	}
	if pointers := e.pointers(); len(pointers) > 0 {
		a.Warnings.Add(engine.PointersWarning(pointers))
	}
	if large := e.place.Root.TooLarge(e.mayMatch); len(large) > 0 {
		a.Warnings.Add(engine.TooLargeWarning(large))
	}
	a.Pagination = &contract.Pagination{Continuation: "complete", Returned: len(a.Results), Total: len(all.files)}
	if page.more {
		page.at.list = e.listed()
		a.Cursor = page.at.cursor(e.sync.Generation)
		next := e.req.Next(func(next *contract.SearchRequest) { next.Cursor = a.Cursor })
		a.Truncated = &contract.Truncation{What: "files", Shown: page.at.file - page.from.file,
			Omitted: len(all.files) - page.at.file, Cause: page.cause, Next: contract.Suggest(next)}
	}
	e.debugged(nil)
	return false, nil
}

// mayMatch reports whether a file passes the operators on files, such as path: and lang:, in any scope. Its class
// is not known.
func (e *enumeration) mayMatch(path, language string) bool { return e.named(path, language, "") }

// pointers returns the files below the searched folder whose content git-lfs has not fetched.
func (r *search) pointers() []string {
	return slices.DeleteFunc(r.place.Root.Pointers(), func(p string) bool { return !code.Within(p, r.filter.Prefix) })
}

// matches returns the list of all matches, from the cache if the index has not changed.
func (e *enumeration) matches(ctx context.Context) (*matched, error) {
	key := fmt.Sprintf("%s\x00%d\x00%s\x00%s\x00%s\x00%v", e.place.Root.Path(), e.sync.Generation, e.query.Raw,
		e.filter.Prefix, e.req.Scope, e.filter.Dirs)
	// Only a request with a cursor uses a cached list: the one made for the latest first page. A
	// new list reads the disk, since a file that was edited and restored meanwhile, or that was
	// unreadable for a while, is missing from the list although the generation is the same.
	if m := e.service.matches.get(key); m != nil && e.req.Cursor != "" && e.sync.Mode != jit.ModeIndexing {
		return m, nil
	}
	var candidates []l1fts.Candidate
	rank := map[string]int{}
	everywhere := e.filter
	everywhere.Classes = nil
	err := e.place.Root.View(ctx, func(v *jit.View) (err error) {
		if candidates, err = e.service.Words(e.place.Root).Candidates(ctx, v, withTraits(e.query), everywhere); err !=
			nil || e.query.Text == "" {
			return err
		}
		return e.rankFiles(ctx, v, rank)
	})
	if err != nil {
		return nil, err
	}
	m := &matched{key: key}
	if m.files, m.unread, err = e.decide(ctx, candidates); err != nil {
		return nil, err
	}
	e.leaveOut(m)
	for _, f := range m.files {
		m.lines += f.lines
	}
	slices.SortStableFunc(m.files, func(a, b fileMatch) int {
		ra, rb := rank[a.candidate.Path], rank[b.candidate.Path]
		return cmp.Or(cmp.Compare(rb, ra),
			cmp.Compare(symbols.ClassOrder(a.candidate.Class), symbols.ClassOrder(b.candidate.Class)),
			cmp.Compare(a.candidate.Path, b.candidate.Path))
	})
	e.service.matches.put(m)
	return m, nil
}

// leaveOut removes the files outside of the scope from m, and counts them in m.outside.
func (e *enumeration) leaveOut(m *matched) {
	if len(e.filter.Classes) == 0 {
		return
	}
	out := &contract.OutOfScope{Classes: map[string]int{}}
	m.files = slices.DeleteFunc(m.files, func(f fileMatch) bool {
		if slices.Contains(e.filter.Classes, f.candidate.Class) {
			return false
		}
		out.Files++
		out.Lines += f.lines
		out.Classes[string(f.candidate.Class)]++
		return true
	})
	if out.Files > 0 {
		m.outside = out
	}
}

// suggestWider adds to out the call that also searches the files outside of the scope.
func (e *enumeration) suggestWider(out *contract.OutOfScope) {
	if out == nil {
		return
	}
	wide := e.req.Next(func(next *contract.SearchRequest) { next.Scope, next.Cursor = contract.ScopeMixed, "" })
	e.answer.Hints = &contract.Hints{NextSteps: []contract.Action{*contract.Suggest(wide).Because(
		fmt.Sprintf("Scope %s leaves out %s in %s; this looks at every indexed file.", e.req.Scope,
			contract.Plural(out.Lines, "line"), contract.Plural(out.Files, "file")))}}
}

// rankFiles sets the highest numbers in rank for the files that match the query's words best; other
// files stay at 0.
func (e *enumeration) rankFiles(ctx context.Context, v *jit.View, rank map[string]int) error {
	hits, _, err := e.service.Words(e.place.Root).Search(ctx, v, e.query,
		l1fts.SearchOptions{Limit: lexicalDepth, Filter: e.filter})
	for i, h := range hits {
		if rank[h.Path] == 0 {
			rank[h.Path] = len(hits) - i
		}
	}
	return err
}

// decide reads the candidates in parallel and returns those that match. Files that are gone or
// unreadable do not match; they count as unread. For a file that has changed since it was
// indexed, the current text counts.
func (e *enumeration) decide(ctx context.Context,
	candidates []l1fts.Candidate) (out []fileMatch, unread int, err error) {
	found := make([]*fileMatch, len(candidates))
	var missed atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	const block = 64 // files per task: a goroutine per file would cost more than reading a small file
	for from := 0; from < len(candidates); from += block {
		g.Go(func() error {
			var text []byte // buffer with the text of the last file
			for i := from; i < min(from+block, len(candidates)); i++ {
				if err := ctx.Err(); err != nil {
					return err
				}
				read, err := e.place.Root.ReadNow(candidates[i].Path, text)
				switch {
				case err == nil:
					text = read
					if found[i], err = e.decideOne(ctx, candidates[i], read); err != nil {
						return err
					}
				case isGone(err):
					missed.Add(1)
				default:
					return err
				}
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, 0, err
	}
	for _, m := range found {
		if m != nil {
			out = append(out, *m)
		}
	}
	return out, int(missed.Load()), nil
}

// decideOne returns the match of a file whose current content is text, or nil if it does not match.
// It does not retain text.
func (e *enumeration) decideOne(ctx context.Context, c l1fts.Candidate, text []byte) (*fileMatch, error) {
	lines, ok, err := e.linesIn(ctx, text, c.FileID)
	if err != nil || !ok {
		return nil, err
	}
	return &fileMatch{candidate: c, lines: len(lines)}, nil
}

// isGone reports whether err says that a file cannot be read, or not any more.
func isGone(err error) bool {
	return errors.Is(err, jit.ErrMoved) || errors.Is(err, jit.ErrNotIndexed) || errors.Is(err, jit.ErrUnverified)
}
