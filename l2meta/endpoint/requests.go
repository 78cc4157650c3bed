package endpoint

import (
	"maps"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/resolve"
	"sextant/l2meta/services"
)

// fetch is an HTTP request in a file.
type fetch struct {
	file   *resolve.File
	owner  int
	at     code.Span
	method string // "*" for any
	text   string // the folded URL, with holes
	url    target
	// Set for the call of a helper: the texts filled in on the way, the files that they come from,
	// and the helpers, the outermost first.
	how, rests []string
	keys       []string // settings among the texts filled in
	through    []resolve.Ref
	inner      code.Span // position of the request in the innermost helper
	path       bool      // the call passes a part of the path
	when       string    // conditions on boolean parameters: "2=true,5=false"
	loose      bool      // a URL passed to a function that may request it
	twin       bool      // a call that is given the path of a route, see twinsIn
	relative   bool      // a twin that is given a path below a base
	alone      bool      // a twin that is given nothing but its path
	shaped     bool      // only the shape of the call shows the request
	unless     bool      // the method is that of the options, if the caller of a helper passes one
	hops       int       // proxies that the request has passed
	declared   bool      // by the workspace

	operation *operation // that the client is described by, nil for none
	sure      float64    // of the call of such a client
}

type fetchesKey struct{}

// fetches returns the requests of a file.
func fetches(f *resolve.File) []fetch {
	return resolve.Memo(f, fetchesKey{}, func() (out []fetch) {
		for _, fact := range endpoints(f, l2meta.RoleFetch) {
			method, url, _ := strings.Cut(fact.Type, "\t")
			url, when, _ := strings.Cut(url, "\t")
			x := fetch{file: f, owner: fact.Owner, at: fact.Span, method: method, text: url, when: when,
				url: targetOf(unnumbered(url))}
			if x.method, x.loose = strings.CutPrefix(method, "?"); x.method == "" {
				x.method = "*"
			}
			if method == services.GetUnlessGiven {
				x.method, x.unless = "GET", true
			}
			out = append(out, x)
		}
		return out
	})
}

type allFetchesKey struct{}

// fetches returns every request of the workspace.
func (qf *requestFinder) fetches() []fetch {
	return resolve.Derive(qf.w, allFetchesKey{}, func() []fetch {
		all := append(slices.Clip(qf.direct()), qf.wrapped()...)
		inherited := qf.inherited()
		for _, id := range slices.Sorted(maps.Keys(inherited)) {
			all = append(all, inherited[id]...)
		}
		return all
	})
}

type directKey struct{}

// direct returns every request of the workspace that the source makes without a helper.
func (qf *requestFinder) direct() []fetch {
	return resolve.Derive(qf.w, directKey{}, func() (all []fetch) {
		seen := map[int64]bool{}
		for _, f := range qf.files(l2meta.RoleFetch) {
			seen[f.ID] = true
			all = append(all, qf.fetchesIn(f)...)
		}
		for _, id := range slices.Sorted(maps.Keys(qf.beside())) {
			if f := qf.w.ByID(id); f != nil && !seen[id] {
				all = append(all, qf.fetchesIn(f)...)
			}
		}
		return all
	})
}

// beside returns the files with requests that no fact of a request shows.
func (qf *requestFinder) beside() map[int64]bool {
	ids := map[int64]bool{}
	for id := range qf.declared.declaredEnds().fetches {
		ids[id] = true
	}
	for id := range qf.twinFiles() {
		ids[id] = true
	}
	for id := range qf.askingFiles() {
		ids[id] = true
	}
	for id := range qf.operationCalls() {
		ids[id] = true
	}
	return ids
}

// none reports whether the workspace makes no requests. It is cheap.
func (qf *requestFinder) none() bool {
	return len(qf.w.Reaching(l2meta.RoleFetch)) == 0 && len(qf.beside()) == 0
}

// caller returns the callable that makes a request, or the code of its file.
func (x *fetch) caller() resolve.Ref {
	return x.file.Ref(x.file.Callable(x.file.Maker(x.owner, x.at.StartByte)))
}

// callAt returns the call of a request. For a declared client, such as Feign's or Retrofit's, it
// returns the declaration.
func callAt(x fetch) code.Call {
	for _, c := range x.file.Calls() {
		if c.NameSpan.StartByte == x.at.StartByte && c.Kind != code.CallDecorator {
			return c
		}
	}
	c := code.Call{Callee: "request", Caller: x.owner, Span: x.at, NameSpan: x.at}
	if x.owner >= 0 {
		c.Callee = x.file.Symbols[x.owner].Name
	}
	return c
}
