package endpoint

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/internal/store"
	"sextant/l2meta/resolve"
	"sextant/l2meta/services"
)

// workspace is a snapshot of the index with the services of its root. It finds declarations that
// the rules of every transport look up.
type workspace struct {
	r     *resolve.Resolver
	w     *resolve.World
	known func() []Service
	list  *serviceList // of services; nil before the first call
}

// newWorkspace returns a workspace on the snapshot of r. services returns the services of its root; it is called only
// if a question needs them.
func newWorkspace(r *resolve.Resolver, services func() []Service) *workspace {
	return &workspace{r: r, w: r.World(), known: services}
}

// files returns the files with endpoint facts of a role, such as l2meta.RoleRoute, sorted by path.
func (ws *workspace) files(role string) (out []*resolve.File) {
	for _, id := range ws.w.Reaching(role) {
		if f := ws.w.ByID(id); f != nil {
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b *resolve.File) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// target returns the declaration that the call of the function name at a fact resolves to, or the zero Ref.
func (ws *workspace) target(f *resolve.File, fact *code.Fact, name string) resolve.Ref {
	called := f.CallsOf(name)
	if fact.Kind == code.FactEndpoint && !slices.ContainsFunc(called, func(i int) bool {
		return f.Calls()[i].NameSpan.StartByte == fact.Span.StartByte
	}) {
		return ws.handedTo(f, fact, name) // run_in_thread(publish, topic)
	}
	for _, i := range called {
		if f.Calls()[i].NameSpan.StartByte != fact.Span.StartByte {
			continue
		}
		s, ok, err := ws.r.At(resolve.SiteRef{File: &store.FileRef{ID: f.ID, Path: f.Path, Language: f.Language,
			Class: f.Class, Hash: f.Hash}, Call: i})
		if err == nil && ok && s.Outcome == resolve.Settled { // World.Err reports the error
			return s.Target
		}
	}
	return resolve.Ref{}
}

// handedTo returns the function that a call is handed with arguments for it, called name: the one within the function
// around the call, else the one that the expression in the fact names.
func (ws *workspace) handedTo(f *resolve.File, fact *code.Fact, name string) resolve.Ref {
	for _, i := range f.Named(name) {
		if fact.Owner >= 0 && f.Symbols[i].Parent == fact.Owner && f.Symbols[i].Kind.Callable() {
			return f.Ref(i)
		}
	}
	if _, expr, ok := strings.Cut(fact.Type, "\t"+services.HandedTo); ok && expr != name {
		return ws.named(f, expr)
	}
	return ws.function(f, name)
}

// hasEnd reports whether the extractor has recorded an endpoint with one of the roles, such as a request, in the code
// of ref.
func hasEnd(ref resolve.Ref, roles ...string) bool {
	f := ref.File
	return slices.ContainsFunc(f.AllFacts(), func(fact code.Fact) bool {
		return fact.Kind == code.FactEndpoint && slices.Contains(roles, fact.Name) &&
			f.Callable(f.Maker(fact.Owner, fact.Span.StartByte)) == ref.Index
	})
}

// endpoints returns the endpoint facts of a role in a file: for l2meta.RoleRoute, the routes that it serves.
func endpoints(f *resolve.File, role string) (out []*code.Fact) {
	for i := range f.AllFacts() {
		if fact := &f.AllFacts()[i]; fact.Kind == code.FactEndpoint && fact.Name == role {
			out = append(out, fact)
		}
	}
	return out
}

// maxFiles bounds the files that one search for callers or for types reads.
const maxFiles = 1000
