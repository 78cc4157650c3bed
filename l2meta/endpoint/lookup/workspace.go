// Package lookup finds declarations for the rules of every transport: by name, by type, by import and by the call that
// resolves to them, and the service that a file belongs to.
//
// A rule has an expression of source, such as this.client or orders.Router, and asks for its declaration. The resolver
// answers that for calls alone. For other expressions, package lookup follows imports, fields and assignments by
// the facts of files. It returns nothing rather than one of several declarations that may be meant.
package lookup

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/resolve"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// Workspace is a snapshot of the index with the services of its root. It finds declarations that
// the rules of every transport look up.
type Workspace struct {
	Resolver *resolve.Resolver
	World    *resolve.World
	known    func() []Service
	list     *ServiceList // the list of services; nil before the first call of Services
}

// New returns a workspace on the snapshot of r. services returns the services of its root; it is called only
// if a question needs them.
func New(r *resolve.Resolver, services func() []Service) *Workspace {
	return &Workspace{Resolver: r, World: r.World(), known: services}
}

// Files returns the files with endpoint facts of a role, such as l2meta.RoleRoute, sorted by
// path.
func (ws *Workspace) Files(role string) (out []*resolve.File) {
	for _, id := range ws.World.Reaching(role) {
		if f := ws.World.ByID(id); f != nil {
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b *resolve.File) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// Target returns the declaration that the call of the function name at a fact resolves to, or the zero Ref.
func (ws *Workspace) Target(f *resolve.File, fact *code.Fact, name string) resolve.Ref {
	called := f.CallsOf(name)
	if fact.Kind == code.FactEndpoint && !slices.ContainsFunc(called, func(i int) bool {
		return f.Calls()[i].NameSpan.StartByte == fact.Span.StartByte
	}) {
		return ws.handedTo(f, fact, name) // a call that runs another function: run_in_thread(publish, topic)
	}
	for _, i := range called {
		if f.Calls()[i].NameSpan.StartByte != fact.Span.StartByte {
			continue
		}
		s, ok, err := ws.Resolver.At(f.Reference(i))
		if err == nil && ok && s.Outcome == resolve.Settled { // World.Err returns the error later
			return s.Target
		}
	}
	return resolve.Ref{}
}

// CalledAs returns the name by which calls refer to a function; for a constructor, the name of its
// class.
func CalledAs(ref resolve.Ref) string {
	if s := ref.Symbol(); s.Parent >= 0 && (s.Kind == code.KindConstructor || folding.IsConstructor(s.Name)) {
		return ref.File.Symbols[s.Parent].Name
	}
	return ref.Symbol().Name
}

// CallNames returns the names by which calls refer to a function: that of CalledAs, or the names under
// which files import a default export, module.exports = function (app) { … }.
func (ws *Workspace) CallNames(ref resolve.Ref) []string {
	name := CalledAs(ref)
	if name == l2meta.DefaultExport {
		return ws.Resolver.CallNames(ref)
	}
	return []string{name}
}

// handedTo returns the function called name that a call gets together with arguments for it: the
// one within the function around the call or, if there is none, the one that the expression in
// the fact names.
func (ws *Workspace) handedTo(f *resolve.File, fact *code.Fact, name string) resolve.Ref {
	for _, i := range f.Named(name) {
		if fact.Owner >= 0 && f.Symbols[i].Parent == fact.Owner && f.Symbols[i].Kind.Callable() {
			return f.Ref(i)
		}
	}
	if _, expr, ok := strings.Cut(fact.Type, "\t"+services.HandedTo); ok && expr != name {
		return ws.Named(f, expr)
	}
	return ws.Function(f, name)
}

// HasEnd reports whether the extractor has recorded an endpoint with one of the roles, such as a request, in the code
// of ref.
func HasEnd(ref resolve.Ref, roles ...string) bool {
	f := ref.File
	return slices.ContainsFunc(f.AllFacts(), func(fact code.Fact) bool {
		return fact.Kind == code.FactEndpoint && slices.Contains(roles, fact.Name) &&
			f.Callable(f.Maker(fact.Owner, fact.Span.StartByte)) == ref.Index
	})
}

// Endpoints returns the endpoint facts of a role in a file: for l2meta.RoleRoute, the routes that it serves.
func Endpoints(f *resolve.File, role string) (out []*code.Fact) {
	for i := range f.AllFacts() {
		if fact := &f.AllFacts()[i]; fact.Kind == code.FactEndpoint && fact.Name == role {
			out = append(out, fact)
		}
	}
	return out
}

// MaxFiles is the largest number of files that one search for callers or for types reads.
const MaxFiles = 1000
