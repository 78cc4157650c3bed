package impact

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/jit"
	"sextant/l2meta/resolve"
)

// findings holds everything that a change affects, before fit cuts it.
type findings struct {
	diff       *jit.Difference
	changes    []change
	tests      []*evidence // tests with any evidence, the likeliest first
	callers    []*step     // callers in production code outside of the changed files, the surest first
	walk       *walk
	gone       int  // number of changed symbols that are not in the index
	unsearched bool // whether time ran out before the tests were searched for words
	partial    bool // whether the index is still being built
	unlinked   bool // whether calls from other services are left out, because the time did not suffice
}

// find walks from the changed symbols to their callers, and ranks the tests.
func (q *question) find(ctx context.Context, v *jit.View, generation int64, services *jit.Services,
	found *findings) error {
	tests, err := testsOf(ctx, v)
	if err != nil {
		return err
	}
	limited, cancel := context.WithDeadline(ctx, q.until)
	defer cancel()
	root := q.place.Root
	r := resolve.New(limited, v, q.service.Derived(root), generation)
	w := newWalk(limited, r, services, q.req)
	w.across = w.across && !found.unlinked
	// Until all calls of the root are resolved, finding the importers of a file must read every
	// file.
	w.importsLast = !q.service.Settled(root, generation)
	found.walk = w
	for i := range found.changes {
		if err := w.start(&found.changes[i], found); err != nil && limited.Err() == nil {
			return err
		}
	}
	if err := w.run(); err != nil {
		return err
	}
	return q.rank(ctx, v, tests, found)
}

// testsOf returns a value for every test file of the root, without evidence yet.
func testsOf(ctx context.Context, v *jit.View) (out []*evidence, err error) {
	err = v.Files(ctx, func(f jit.FileRow) error {
		if f.Class == code.ClassTest && f.Skip == "" && f.Language != "" {
			out = append(out, &evidence{id: f.ID, path: f.Path})
		}
		return nil
	})
	return out, err
}

// These constants are the weights at which the walk to callers starts; that of a changed symbol
// is 1. The weight of a caller estimates how likely its tests are about the change.
const (
	topWeight     = 1.0 // changed code outside of symbols
	besideWeight  = 0.3 // code outside of symbols, if only symbols of its file differ
	removedWeight = 0.5 // a call of a removed name
)

// start begins the walk, the search for callers of callers, at the changed symbols of one file.
func (w *walk) start(c *change, found *findings) error {
	f, err := w.r.File(c.Path)
	if err != nil {
		return err
	}
	for i := range c.symbols {
		s := &c.symbols[i]
		at := -1
		if f != nil {
			at = slices.IndexFunc(f.Symbols, func(x code.Symbol) bool {
				return x.Kind == s.Kind && x.QualifiedName == s.QualifiedName && x.Ordinal == s.Ordinal
			})
		}
		switch {
		case at >= 0:
			s.ref = f.Ref(at)
			w.begin(s.ref)
		case s.state == contract.ChangeRemoved:
			if err := w.stillCalled(s, func(*resolve.File) bool { return true }); err != nil {
				return err
			}
		default:
			found.gone++
		}
	}
	if f != nil && c.Was != "" && c.Was != c.Path {
		if err := w.leftBehind(f, c.Was); err != nil {
			return err
		}
	}
	if f != nil && (c.parsed || c.late) {
		weight := besideWeight
		if c.top || c.late {
			weight = topWeight
		}
		w.reach(&step{ref: f.Ref(-1), weight: weight, label: code.Base(c.Path)})
	}
	return nil
}

// maxLeftBehind is the largest number of symbols of a moved file whose callers are searched by name.
const maxLeftBehind = 100

// leftBehind adds the unresolved calls of the functions of a moved file to the search for
// callers. It considers the calls in the former folder of the file, and those in files that
// import something named like the former file or folder.
func (w *walk) leftBehind(f *resolve.File, was string) error {
	stem, dir := withoutEnding(path.Base(was)), code.Dir(was)
	may := func(g *resolve.File) bool {
		return code.Dir(g.Path) == dir && len(g.Imports) == 0 || slices.ContainsFunc(g.Imports, func(i code.Import) bool {
			return strings.Contains(i.Module, stem) || dir != "" && strings.Contains(i.Module, path.Base(dir))
		})
	}
	searched := 0
	for i := range f.Symbols {
		s := &f.Symbols[i]
		if s.Parent >= 0 || !s.Kind.Callable() {
			continue
		}
		if searched++; searched > maxLeftBehind {
			return nil
		}
		if err := w.stillCalled(&symbol{Symbol: *s}, may); err != nil {
			return err
		}
	}
	return nil
}

// maxStillCalled is the largest number of files that stillCalled reads for one removed symbol.
const maxStillCalled = 200

// stillCalled adds the unresolved calls of a removed symbol's name, in the files that may call it, to the search for
// callers. Calls that resolve to another symbol of that name are left out.
func (w *walk) stillCalled(s *symbol, may func(*resolve.File) bool) error {
	if !s.Kind.Callable() || s.Kind == code.KindTest {
		return nil
	}
	ids := w.byPath(w.r.World().Calling(s.Name))
	if n := len(ids) - maxStillCalled; n > 0 {
		w.sitesCut += n
		ids = ids[:maxStillCalled]
	}
	for _, id := range ids {
		f := w.r.World().ByID(id)
		if f == nil || !may(f) {
			continue
		}
		for _, i := range f.CallsOf(s.Name) {
			call := &f.Calls()[i]
			at, ok, err := w.r.CallAt(f.Path, call.NameSpan.StartByte)
			if err != nil {
				return err
			}
			if !ok {
				continue
			}
			site, ok, err := w.r.At(at)
			if err != nil {
				return err
			}
			if ok && site.Outcome != resolve.Settled {
				w.reach(&step{ref: site.Caller, weight: removedWeight, depth: 1, line: call.NameSpan.StartLine,
					kind: code.EdgeDynamic, dynamic: true,
					next: &step{label: s.QualifiedName}})
			}
		}
	}
	return w.r.World().Err()
}

// byPath returns the ids of files in the order of their paths. Their own is that in which the files were indexed.
func (w *walk) byPath(ids []int64) []int64 {
	paths := map[int64]string{}
	for _, id := range ids {
		if f, ok := w.r.World().Place(id); ok {
			paths[id] = f.Path
		}
	}
	return slices.SortedFunc(slices.Values(ids), func(a, b int64) int { return strings.Compare(paths[a], paths[b]) })
}

// mark records which test files are themselves changed, in both lists: tests and found.changes.
func (found *findings) mark(tests []*evidence) {
	changed := map[string]*change{}
	for i := range found.changes {
		changed[found.changes[i].Path] = &found.changes[i]
	}
	for _, t := range tests {
		if c := changed[t.path]; c != nil {
			t.changed, c.test = true, true
		}
	}
}

// collect adds the symbols that were found to reach the change, by calls or imports, to the evidence of
// their test file or, in production code, to found.callers.
func (found *findings) collect(tests map[int64]*evidence) {
	changed := map[string]bool{}
	for i := range found.changes {
		changed[found.changes[i].Path] = true
	}
	for ref, s := range found.walk.known {
		if e := tests[ref.File.ID]; e != nil {
			e.add(s)
			continue
		}
		if s.next != nil && !changed[ref.File.Path] && !s.imported() && ref.File.Class != code.ClassTest {
			found.callers = append(found.callers, s)
		}
	}
	slices.SortFunc(found.callers, compareSteps)
}

// unwalked returns a sentence for each limit that cut the walk, such as "12 call sites of widely
// used symbols were not followed".
func (found *findings) unwalked() (out []string) {
	w := found.walk
	if w.left > 0 {
		why := fmt.Sprintf("after %s", contract.Plural(maxNodes, "symbol"))
		if w.late {
			why = "at the deadline (a later one goes on)"
		}
		out = append(out, fmt.Sprintf("the walk stopped %s: the callers of %s were not looked for", why,
			contract.Plural(w.left, "symbol")))
	}
	if w.sitesCut > 0 {
		out = append(out, fmt.Sprintf("%s of widely used symbols were not followed",
			contract.Plural(w.sitesCut, "call site")))
	}
	if found.unlinked {
		out = append(out, "calls between services are still being searched for, and were not followed; repeat "+
			"the call with a longer deadline")
	}
	switch n := found.gone; {
	case n > 0 && found.partial:
		out = append(out, fmt.Sprintf("the index does not have %s yet; repeat the call",
			contract.Plural(n, "changed symbol")))
	case n > 0:
		out = append(out, fmt.Sprintf("%s of the range are not in the files on disk",
			contract.Plural(n, "changed symbol")))
	}
	if n := found.late(); n > 0 {
		out = append(out, fmt.Sprintf("there was no time to compare the symbols of %s; repeat the call",
			contract.Plural(n, "changed file")))
	}
	if found.unsearched {
		out = append(out, "there was no time to search the tests for words of the change; repeat the call")
	}
	if n := found.diff.Omitted; n > 0 {
		out = append(out, fmt.Sprintf("%s more differ", contract.Plural(n, "file")))
	}
	return out
}

// late returns the number of changed files that there was no time to compare.
func (found *findings) late() (n int) {
	for i := range found.changes {
		if found.changes[i].late {
			n++
		}
	}
	return n
}

// rank ranks the tests by all kinds of evidence together.
func (q *question) rank(ctx context.Context, v *jit.View, tests []*evidence, found *findings) error {
	byID := make(map[int64]*evidence, len(tests))
	for _, t := range tests {
		byID[t.id] = t
	}
	found.mark(tests)
	found.collect(byID)
	if err := q.mention(ctx, v, byID, found); err != nil {
		return err
	}
	names := newNaming(found.changes, tests)
	most := 0.0
	for _, t := range tests {
		names.judge(t)
		most = max(most, t.words)
	}
	for _, t := range tests {
		if most > 0 {
			t.words /= most
		}
		if t.settle(); t.evidence != "" {
			found.tests = append(found.tests, t)
		}
	}
	order(found.tests)
	return nil
}

// order sorts the likeliest tests first, and those that are only shown on request last.
func order(tests []*evidence) {
	best := 0.0
	for _, t := range tests {
		if !t.changed { // a changed test's score says nothing about others
			best = max(best, t.score)
		}
	}
	for _, t := range tests {
		t.fair = t.reaches() || t.score >= fairScore*best
	}
	slices.SortFunc(tests, func(a, b *evidence) int {
		return cmp.Or(cmp.Compare(a.unasked(), b.unasked()), -cmp.Compare(a.score, b.score),
			strings.Compare(a.path, b.path))
	})
}
