package endpoint

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/endpoint/hosts"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/endpoint/values"
	"sextant/l2meta/resolve"
	"sextant/l2meta/services"
)

// fetch is an HTTP request in a file.
type fetch struct {
	file   *resolve.File
	owner  int
	at     code.Span
	method string // HTTP method, "*" for any
	text   string // the folded URL, with holes
	url    hosts.Target
	// These fields are set if a call of a helper sends the request: how the unknown parts of its
	// URL were filled, the files with that evidence, and the helpers, the outermost first.
	how, rests []string
	keys       []string // settings among the filled parts
	through    []resolve.Ref
	inner      code.Span // position of the request in the innermost helper
	path       bool      // whether the call passes a part of the path
	when       string    // values of boolean parameters for which the request is sent, "2=true,5=false"
	loose      bool      // whether the URL is only passed to a function, which may request it
	twin       bool      // whether it is recognized only by its path, which is that of a route; see twinsIn
	relative   bool      // whether it is a twin with a path that has no leading slash
	alone      bool      // whether it is a twin whose path is its only argument
	library    string    // library whose default base address applies; see services.Request
	needsBase  bool      // whether it is a request only if the service sets that address
	shaped     bool      // whether it is recognized only by the name and the arguments of the call; see askedByShape
	unless     bool      // whether the method is GET unless a caller of the helper passes another one
	hops       int       // number of proxies that the request has passed
	declared   bool      // whether sextant.toml declares the request

	operation *operation // operation that the method of a generated client requests; nil for none
	sure      float64    // confidence of the request of operation
}

type fetchesKey struct{}

// fetches returns the requests that the extractor recorded for a file.
func fetches(f *resolve.File) []fetch {
	return resolve.Memo(f, fetchesKey{}, func() (out []fetch) {
		for _, fact := range lookup.Endpoints(f, l2meta.RoleFetch) {
			method, url, _ := strings.Cut(fact.Type, "\t")
			url, when, _ := strings.Cut(url, "\t")
			when, library, _ := strings.Cut(when, "\t")
			x := fetch{file: f, owner: fact.Owner, at: fact.Span, method: method, text: url, when: when,
				url: hosts.TargetOf(values.Unnumbered(url))}
			x.library, x.needsBase = strings.CutPrefix(library, "?")
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
	return resolve.Derive(qf.World, allFetchesKey{}, func() []fetch {
		all := append(slices.Clip(qf.direct()), qf.wrapped()...)
		inherited := qf.inherited()
		for _, id := range slices.Sorted(maps.Keys(inherited)) {
			all = append(all, inherited[id]...)
		}
		return all
	})
}

type directKey struct{}

// direct returns every request of the workspace without those that result from calling helpers.
func (qf *requestFinder) direct() []fetch {
	return resolve.Derive(qf.World, directKey{}, func() (all []fetch) {
		seen := map[int64]bool{}
		for _, f := range qf.Files(l2meta.RoleFetch) {
			seen[f.ID] = true
			all = append(all, qf.fetchesIn(f)...)
		}
		for _, id := range slices.Sorted(maps.Keys(qf.beside())) {
			if f := qf.World.ByID(id); f != nil && !seen[id] {
				all = append(all, qf.fetchesIn(f)...)
			}
		}
		return all
	})
}

// beside returns the ids of the files with requests for which there is no request fact: calls
// that sextant.toml declares, calls with the path of another service's route, calls with the
// shape of a request, and calls of generated clients.
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
	for id := range operationCalls(qf.Workspace) {
		ids[id] = true
	}
	for id := range builtCalls(qf.Workspace) {
		ids[id] = true
	}
	return ids
}

// none reports whether the workspace sends no requests. It is cheap.
func (qf *requestFinder) none() bool {
	return len(qf.World.Reaching(l2meta.RoleFetch)) == 0 && len(qf.beside()) == 0
}

// caller returns the callable that sends a request, or the top-level code of its file.
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

// requesters returns the requests that the declaration ref handles, sorted by path and position.
func (hj *httpJoiner) requesters(ref resolve.Ref) (out []Crossing) {
	if e := keptEnds(hj.Workspace); e != nil {
		return unpinned(hj.Workspace, e.Answers[declarationOf(ref)])
	}
	if hj.sent.none() || !hj.serves(ref) {
		return nil
	}
	return hj.allRequests().to[ref]
}

// requestEdges holds the edges of all requests of the workspace.
type requestEdges struct {
	by map[resolve.Ref][]Crossing // caller → result of requests
	to map[resolve.Ref][]Crossing // handler → edges, sorted by path and position
}

type allRequestsKey struct{}

func (hj *httpJoiner) allRequests() requestEdges {
	return resolve.Derive(hj.World, allRequestsKey{}, func() requestEdges {
		e := requestEdges{map[resolve.Ref][]Crossing{}, map[resolve.Ref][]Crossing{}}
		all := hj.attempts()
		if all == nil {
			return e // the query has ended
		}
		shown := hj.shownPrefixes()
		for i := range all.list {
			a := &all.list[i]
			if hj.World.Err() != nil {
				return e
			}
			edges, caller := a.edges, a.caller
			if slices.ContainsFunc(a.open, func(from sender) bool { return len(shown[from]) > 0 }) {
				edges = hj.request(*a.again)
			}
			if !a.isHelper || lookup.HasEnd(caller, l2meta.RolePass) {
				e.by[caller] = append(e.by[caller], edges...)
			}
			for _, c := range edges {
				if c.Handler.Valid() {
					e.to[c.Handler] = append(e.to[c.Handler], c)
				}
			}
		}
		for _, x := range hj.sent.passed() {
			if caller := x.caller(); x.open() && !hj.sent.isWrapped(&x) && lookup.HasEnd(caller, l2meta.RolePass) {
				e.by[caller] = append(e.by[caller], ofOpenEnd(x))
			}
		}
		for caller, list := range e.by {
			e.by[caller] = distinct(list)
		}
		for _, list := range e.to {
			slices.SortStableFunc(list, func(a, b Crossing) int {
				return cmp.Or(strings.Compare(a.File.Path, b.File.Path),
					cmp.Compare(a.Call.NameSpan.StartByte, b.Call.NameSpan.StartByte))
			})
		}
		return e
	})
}

// readings returns the URLs that a request may have.
func (qf *requestFinder) readings(x *fetch) []values.Reading {
	if out := qf.callersBases(x); len(out) > 0 {
		return out
	}
	if out := belowRegistered(qf.Reader, x); len(out) > 0 {
		return out
	}
	if x.library != "" && hosts.Literals(x.url.Path) > 0 {
		if out := qf.BelowDefault(x.file, x.library, values.ByDefault(x.text)); len(out) > 0 || x.needsBase {
			return out
		}
	}
	if x.shaped && !x.url.Absolute {
		if out := qf.BelowInstance(x.file, values.ByDefault(x.text)); len(out) > 0 {
			return out
		}
	}
	return qf.Readings(x.file, x.owner, values.ByDefault(x.text))
}

// belowRegistered returns the URLs (readings) that a request may have because its class was registered with a base
// address: the request's URL below each such address. It returns nil if the URL is absolute or no address is
// registered.
func belowRegistered(rd *values.Reader, x *fetch) (out []values.Reading) {
	class := x.file.Type(x.owner)
	if x.url.Absolute || class < 0 {
		return nil
	}
	if out = rd.Below(x.file, x.file.Symbols[class].Name, x.text); len(out) > 0 {
		return out
	}
	if len(rd.World.Reaching(l2meta.RoleBase)) == 0 {
		return nil
	}
	// the registered client may be a subtype of the class
	for _, sub := range resolve.Descendants(x.file.Ref(class), rd.SubtypesOf) {
		out = append(out, rd.Below(sub.File, sub.Symbol().Name, x.text)...)
	}
	return out[:min(len(out), values.MaxReadings)]
}

// fetchesIn returns the requests of a file. If the URL of a request contains a call that is passed
// a parameter of the enclosing function, the call is replaced by the text that it returns, so that
// callers can fill in the parameter.
func (qf *requestFinder) fetchesIn(f *resolve.File) []fetch {
	all := slices.Concat(qf.declared.withDeclared(f, fetches(f)), askedByShape(f), qf.twinsIn(f),
		operationCalls(qf.Workspace)[f.ID], builtCalls(qf.Workspace)[f.ID])
	passes := func(x fetch) bool { return strings.Contains(x.text, "{call:") && strings.Contains(x.text, "%7B%23") }
	if !slices.ContainsFunc(all, passes) {
		return all
	}
	return resolve.Derive(qf.World, fetchesInKey{f.ID}, func() []fetch {
		out := slices.Clone(all)
		for i, x := range out {
			if passes(x) {
				all := qf.Readings(f, x.owner, x.text)
				r := all[0]
				if len(all) > 1 && !strings.Contains(r.Text, "{#") {
					continue // the parameter only selects one of several texts
				}
				out[i].text, out[i].url = r.Text, hosts.TargetOf(values.Unnumbered(r.Text))
				out[i].how, out[i].rests, out[i].keys = r.How, r.Rests, r.Keys
			}
		}
		return out
	})
}

type fetchesInKey struct{ file int64 }

// fillsFirst reports whether a route that ends in a path has a variable where the path begins with a word. POST
// /devices/identifier/{}/token does not answer connect/token below an unknown base: an id is seldom a word.
func fillsFirst(path, end []string) bool {
	asked, _ := hosts.Variable(path[0])
	served, _ := hosts.Variable(end[0])
	return served && !asked
}
