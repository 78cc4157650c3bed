package endpoint

import (
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/resolve"
	"sextant/l2meta/services"
)

// A route is detached if its program has the source of the route but does not serve it: nothing mounts its router, no
// scan of components covers its package, or nothing calls the function that adds it.

// needed is a router of a file, by its name, that serves nothing unless it is mounted.
type needed struct {
	file   int64
	router string
}

// keepNeed adds a mount that is a statement about routers or scans to the index. It returns false for any other mount.
func (all *mounts) keepNeed(ws *lookup.Workspace, m mount) bool {
	root := ws.Services().Root(m.file.Path)
	switch {
	case m.router == services.SomeRouter:
		all.unknown[root] = true
	case strings.HasPrefix(m.router, services.NeedsMount):
		all.needed[needed{m.file.ID, m.router[len(services.NeedsMount):]}] = true
	case strings.HasPrefix(m.router, services.Replaced):
		all.replaced[m.file.ID] = append(all.replaced[m.file.ID], m.router[len(services.Replaced):])
	case strings.HasPrefix(m.router, services.Replaces):
		all.replaces[m.router[len(services.Replaces):]] = true
	case m.router == services.NeedsScan:
		all.scanned[m.file.ID] = true
	case strings.HasPrefix(m.router, services.Scans):
		all.scans[root] = append(all.scans[root], m.router[len(services.Scans):])
	default:
		return false
	}
	return true
}

// doubt returns why the route r, at one of the places that the method of returns, is not served; "" if it may be. The
// service must mount routers of other files, each of them known; otherwise a mount may have been overlooked.
func (all *mounts) doubt(ws *lookup.Workspace, r *route, router string, at mount) string {
	root := ws.Services().Root(at.file.Path)
	switch {
	case router != "" && all.needed[needed{at.file.ID, at.router}] && all.imports[root] && !all.unknown[root]:
		return "nothing is seen to mount its router"
	case all.scanned[r.file.ID] && !all.covers(root, r.file.Package()):
		return "no scan of components is seen to cover its package"
	case all.uncalled(ws, r, router, at):
		return "nothing is seen to call the function that adds it"
	}
	return ""
}

// covers reports whether the service at root may scan a package for components. It returns true for a service that is
// not seen to scan any.
func (all *mounts) covers(root, pkg string) bool {
	scans := all.scans[root]
	return len(scans) == 0 || pkg == "" || slices.ContainsFunc(scans, func(above string) bool {
		return strings.Contains(above, "*") || strings.Contains(above, "{") || strings.HasPrefix(pkg+".", above+".")
	})
}

// uncalled reports whether nothing but tests calls the function that adds a route to a router, which is a parameter
// of the function: func addItems(r *gin.Engine). Methods do not count, because libraries may call them; nor does
// handler, which platforms call.
func (all *mounts) uncalled(ws *lookup.Workspace, r *route, router string, at mount) bool {
	adds := adder(at.file, at.owner)
	if !adds.Valid() || at.file == r.file && adds.Index == r.owner && r.handler == "" {
		return false // the function itself handles the route, which an annotation or its path declares
	}
	s := adds.Symbol()
	if len(s.Parameters) == 0 || len(s.Annotations) > 0 || !services.AddsRoutes(s.Name) ||
		strings.EqualFold(s.Name, "handler") || !ws.World.Language(at.file.Language).AddersCalled {
		return false
	}
	if router != "" && !slices.ContainsFunc(s.Parameters, func(p code.Parameter) bool { return p.Name == at.router }) {
		return false
	}
	return resolve.Derive(ws.World, uncalledKey{adds}, func() bool { return !called(ws, adds) })
}

type uncalledKey struct{ function resolve.Ref }

// adder returns the outermost function or static method around a symbol; the zero Ref if there is none, or if a type
// with methods of its objects contains it.
func adder(f *resolve.File, owner int) (found resolve.Ref) {
	for i := owner; i >= 0; i = f.Symbols[i].Parent {
		switch s := &f.Symbols[i]; s.Kind {
		case code.KindFunction:
			found = f.Ref(i)
		case code.KindMethod:
			if !slices.Contains(s.Modifiers, "static") {
				return resolve.Ref{}
			}
			found = f.Ref(i)
		case code.KindConstructor:
			return resolve.Ref{}
		}
	}
	return found
}

// called reports whether source outside of tests may call a function, hand it to another one, or give it another name.
func called(ws *lookup.Workspace, function resolve.Ref) bool {
	s := function.Symbol()
	if len(ws.World.Renaming(s.Name)) > 0 || len(ws.World.Giving(s.Name)) > 0 {
		return true
	}
	for _, id := range slices.Concat(ws.World.Calling(s.Name), ws.World.Taking(s.Name)) {
		f := ws.World.Peer(id, function.File.Language)
		if f == nil || f.Class == code.ClassTest {
			continue
		}
		for _, i := range f.UsesOf(s.Name) {
			c := f.Site(i)
			if f != function.File || c.NameSpan.StartByte < s.Span.StartByte || c.NameSpan.StartByte >= s.Span.EndByte {
				return true
			}
		}
	}
	return false
}

// dropDoubts clears the doubts about the routes of every service of which no route is beyond doubt: its routes are
// served in a way that is not known.
func (rf *routeFinder) dropDoubts(list []*route) {
	sure := map[string]bool{}
	root := func(r *route) string {
		if len(r.roots) > 0 {
			return r.roots[0]
		}
		return rf.Services().Root(r.file.Path)
	}
	for _, r := range list {
		sure[root(r)] = sure[root(r)] || r.detached == ""
	}
	for _, r := range list {
		if !sure[root(r)] {
			r.detached = ""
		}
	}
}

// served returns the routes in list without those that are detached, unless all are.
func served(list []*route) []*route {
	if !slices.ContainsFunc(list, func(r *route) bool { return r.detached == "" }) {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(r *route) bool { return r.detached != "" })
}

// unmocked returns the routes in list without those of mocks for which the same service has a real route: the one of
// api/mock/orders.js beside that of api/orders.js.
func (rf *routeFinder) unmocked(list []*route) []*route {
	real := func(r *route) bool { return !ofMock.MatchString(r.file.Path) }
	return slices.DeleteFunc(slices.Clone(list), func(r *route) bool {
		return !real(r) && slices.ContainsFunc(list, func(o *route) bool {
			return real(o) && rf.Services().Root(o.file.Path) == rf.Services().Root(r.file.Path)
		})
	})
}

// ofMocks reports whether the first of some routes, the closest, is that of a mock.
func ofMocks(list []*route) bool { return len(list) > 0 && ofMock.MatchString(list[0].file.Path) }

// ofMock matches the paths of files in folders of mocks.
var ofMock = regexp.MustCompile(`(?i)(?:^|/)_*(?:mocks?|fakes?|stubs?)_*/`)

// ofDetached returns the confidence sure, lowered if the routes in list are detached, and the reason; "" for none.
func ofDetached(list []*route, sure float64) (float64, string) {
	if len(list) == 0 || list[0].detached == "" {
		return sure, ""
	}
	return min(sure, confidenceDetached), "; " + list[0].detached
}

// confidenceDetached bounds the confidence in a route that is not seen to be served.
const confidenceDetached = 0.4

// known reports whether the router that the mount m names by its first word is known: its own file, or the file that
// it refers to, makes or extends it. It is not for routes.items.router, where routes is a package of modules. Functions
// and names of libraries are no routers, so they count as known: app.use(cors).
func (m *mount) known(ws *lookup.Workspace, first string) bool {
	has := func(f *resolve.File, name string) bool { return routersOf(f)[name] || makesRouter(f, name) }
	if len(m.others) == 0 {
		return has(m.file, first) || isFunction(m.file, first) || isForeign(m.file, first)
	}
	whole := first == lookup.LastName(m.router) || strings.Contains(m.router, "require(")
	for _, o := range m.others {
		switch {
		case o.Name != "" && (has(o.File, o.Name) || isFunction(o.File, o.Name)):
			return true
		case o.Name == "" && whole && !ws.World.Language(o.File.Language).Modules &&
			(makesRouter(o.File, "") || !importsRouter(ws, o.File)):
			return true
		}
	}
	return false
}

func isFunction(f *resolve.File, name string) bool {
	return slices.ContainsFunc(f.Named(name), func(i int) bool { return f.Symbols[i].Kind.Callable() })
}

// isForeign reports whether a name is imported from a package with a scope, @shop/common, and does not sound like a
// router.
func isForeign(f *resolve.File, name string) bool {
	module := lookup.Imported(f, name)
	scope, _, ok := strings.Cut(module, "/")
	return ok && len(scope) > 1 && scope[0] == '@' && !routerish(name)
}

// routerish reports whether a name sounds like that of a router.
func routerish(name string) bool {
	lower := strings.ToLower(name)
	return strings.Contains(lower, "rout") || strings.Contains(lower, "api") || strings.Contains(lower, "endpoint")
}

// makesRouter reports whether a file makes a router of a name that serves nothing unless it is mounted; with the name
// "", whether it makes any.
func makesRouter(f *resolve.File, name string) bool {
	return slices.ContainsFunc(lookup.Endpoints(f, l2meta.RoleMount), func(fact *code.Fact) bool {
		part := strings.Split(fact.Type, "\t")
		return len(part) > 2 && (part[2] == services.NeedsMount+name ||
			name == "" && strings.HasPrefix(part[2], services.NeedsMount))
	})
}

// importsRouter reports whether a file imports one that makes routers, which it may pass on: module.exports =
// [require('./items')].
func importsRouter(ws *lookup.Workspace, f *resolve.File) bool {
	edges, _ := ws.Resolver.Imports(f) // World.Err returns the error later
	return slices.ContainsFunc(edges, func(e resolve.ImportEdge) bool { return makesRouter(e.Target, "") })
}
