package callgraph

import (
	"slices"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/l1fts"
)

const (
	// fewTests is the largest number of calls from tests that are shown in a whole graph. Each of
	// hundreds of callers may have a test or two, which would displace the callers.
	fewTests = 3
	// fewDynamic is the largest number of possible calls or implementations that are shown of one
	// symbol.
	fewDynamic = 5
	// fewTaken is the largest number of functions taken as values that are shown of one symbol, such as the handlers
	// that routes registers. Unlike a possible call, each is a fact.
	fewTaken = 20
	// fewTestSites is the largest number of calls from tests that are counted instead of shown, and whose
	// places are listed. A place takes four tokens, whereas another call of the tool takes some hundred
	// and repeats the rest of the answer.
	fewTestSites = 20
)

// folds reports whether edges of a kind are counted instead of shown if there are many.
func folds(req *contract.GraphRequest, kind contract.Fold) bool {
	return req.Format == contract.FormatText && req.View == contract.ViewGraph && !slices.Contains(req.Expand, kind)
}

// foldedEdges are edges that are counted instead of shown, such as calls from many tests. at is the
// number of edges found before; it determines to which page of the answer they belong.
type foldedEdges struct {
	kind  contract.Fold
	files []string        // for each folded edge, the file of its call
	sites []contract.Site // for each folded edge, its call site; nil if these are not listed
	at    int
}

// filtered is the kind of the edges that the request's include and exclude patterns remove.
const filtered contract.Fold = "filtered"

// keeps returns a function that reports whether the request's include and exclude patterns keep
// an edge to a symbol. It returns nil if the request has neither. It skips invalid patterns,
// which Normalize rejects.
func keeps(req *contract.GraphRequest) func(*tracedNode) bool {
	if len(req.Include)+len(req.Exclude) == 0 {
		return nil
	}
	matching := func(patterns []string) func(*tracedNode) bool {
		var tests []func(path string) bool
		for _, p := range patterns {
			if test, err := l1fts.Glob(p); err == nil {
				tests = append(tests, test)
			}
		}
		return func(n *tracedNode) bool {
			return slices.Contains(patterns, n.Service) ||
				slices.ContainsFunc(tests, func(test func(string) bool) bool { return test(n.File) })
		}
	}
	in, out := matching(req.Include), matching(req.Exclude)
	return func(n *tracedNode) bool { return (len(req.Include) == 0 || in(n)) && !out(n) }
}

// filter drops the edges that the request's include and exclude patterns exclude, and records
// them in w.folded.
func (w *walk) filter(found []tracedEdge) []tracedEdge {
	if w.keeps == nil {
		return found
	}
	left := foldedEdges{kind: filtered, at: len(w.edges)}
	found = slices.DeleteFunc(found, func(e tracedEdge) bool {
		if w.keeps(e.to) {
			return false
		}
		left.files = append(left.files, e.key.file)
		return true
	})
	if len(left.files) > 0 {
		w.folded = append(w.folded, left)
	}
	return found
}

// fold removes from found, the edges of one symbol, those that are counted instead of shown, and records
// them in w.folded.
func (w *walk) fold(found []tracedEdge) []tracedEdge {
	tests, dynamic, taken, doubles := 0, 0, 0, 0
	for i := range found {
		switch {
		case inTest(&found[i]):
			tests++
		case isDouble(&found[i]):
			doubles++
		case asValue(&found[i]):
			taken++
		case possible(&found[i]):
			dynamic++
		}
	}
	hideTests := folds(w.req, contract.FoldTests) && tests > 0 && w.tests+tests > fewTests
	if !hideTests {
		w.tests += tests
	}
	hideDynamic := folds(w.req, contract.FoldDynamic) && dynamic > fewDynamic
	hideTaken := folds(w.req, contract.FoldDynamic) && taken > fewTaken
	hideDoubles := folds(w.req, contract.FoldDynamic) && doubles > 0
	if !hideTests && !hideDynamic && !hideTaken && !hideDoubles {
		return found
	}
	hides := func(e *tracedEdge) bool {
		return asValue(e) && hideTaken || !asValue(e) && possible(e) && hideDynamic || isDouble(e) && hideDoubles
	}
	hidden := map[contract.Fold]*foldedEdges{
		contract.FoldTests:   {kind: contract.FoldTests, at: len(w.edges)},
		contract.FoldDynamic: {kind: contract.FoldDynamic, at: len(w.edges)},
	}
	var calls []tracedEdge // the edges from tests
	found = slices.DeleteFunc(found, func(e tracedEdge) bool {
		test := inTest(&e)
		switch {
		case test && hideTests:
			hidden[contract.FoldTests].files = append(hidden[contract.FoldTests].files, e.key.file)
			calls = append(calls, e)
		case !test && hides(&e):
			hidden[contract.FoldDynamic].files = append(hidden[contract.FoldDynamic].files, e.key.file)
		default:
			return false
		}
		return true
	})
	hidden[contract.FoldTests].sites = w.listed(calls)
	for _, f := range hidden {
		if len(f.files) > 0 {
			w.folded = append(w.folded, *f)
		}
	}
	return found
}

// isDouble reports whether an edge leads from code that is no test to a possible target in a test, such as the fake of
// an interface. Production code never runs it.
func isDouble(e *tracedEdge) bool {
	return !e.up && possible(e) && !asValue(e) && e.to.class == code.ClassTest && e.from.class != code.ClassTest
}

// listed returns the call sites in tests that are counted instead of shown. It returns nil if they are
// too many to list, or if the graph is deeper than 1: a call site does not say which symbol it calls.
func (w *walk) listed(calls []tracedEdge) (sites []contract.Site) {
	if len(calls) > fewTestSites || w.req.Depth > 1 {
		return nil
	}
	for _, e := range calls {
		if e.unread != nil {
			read, ok, err := w.read(e.unread)
			if err != nil || !ok {
				return nil // the calls are counted nevertheless
			}
			e = read
		}
		sites = append(sites, e.Site)
	}
	return sites
}
