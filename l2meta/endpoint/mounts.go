package endpoint

import (
	"path"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/resolve"
	"sextant/l2meta/services/folding"
)

// mount is a prefix for the routes of another file, of a function, of a variable or of a whole
// service: app.use('/items', items).
type mount struct {
	file   *resolve.File // the file with the mount
	owner  int           // the symbol with the mount
	prefix string
	// router is the expression of the mounted router. Special values are "()" and "(expression)"
	// for a function, "." for the application, ".." for the service, "?router" for a default
	// that any other mount of the router replaces, services.SomeRouter for an unknown router, and
	// services.NeedsMount with a name for a router that serves nothing unless another mount names it.
	router string
	on     string // the router that it is mounted on, "" if unknown
	rests  []string
	others []lookup.Origin // routers of other files that it refers to
}

// same reports whether m and o mount the same router of the same file.
func (m mount) same(o mount) bool {
	return m.file == o.file && m.owner == o.owner && m.router == o.router
}

// mounts indexes the mounts of the workspace by the routers that they mount.
type mounts struct {
	own       map[int64][]mount // id of a file → mounts of routers in the same file
	others    map[int64][]mount // id of the router's file → mounts in other files
	functions map[resolve.Ref][]mount
	services  map[string][]mount  // root of a service → its mounts, the outermost first
	defaults  map[int64]mount     // id of a file → mount of its routes if there is no other
	needed    map[needed]bool     // routers that serve nothing unless they are mounted
	imports   map[string]bool     // roots of services that mount a router of another file
	unknown   map[string]bool     // roots of services that mount a router which is not known
	scans     map[string][]string // roots of services → packages that they scan for components, "*" for unknown ones
	scanned   map[int64]bool      // ids of files whose routes need such a scan
	replaced  map[int64][]string  // id of a file → names under which other files may replace its routes
	replaces  map[string]bool     // names under which files replace the routes of others
}

func (rf *routeFinder) mounts() *mounts {
	all := &mounts{own: map[int64][]mount{}, others: map[int64][]mount{}, functions: map[resolve.Ref][]mount{},
		services: map[string][]mount{}, defaults: map[int64]mount{},
		needed: map[needed]bool{}, imports: map[string]bool{}, unknown: map[string]bool{},
		scans: map[string][]string{}, scanned: map[int64]bool{},
		replaced: map[int64][]string{}, replaces: map[string]bool{}}
	for _, f := range rf.Files(l2meta.RoleMount) {
		if f.Class == code.ClassTest || f.Class == code.ClassGenerated {
			continue
		}
		for _, fact := range lookup.Endpoints(f, l2meta.RoleMount) {
			part := append(strings.Split(fact.Type, "\t"), "")
			if len(part) < 4 {
				continue
			}
			m := mount{file: f, owner: fact.Owner, prefix: rf.configured(f, fact.Owner, part[1]), router: part[2],
				on: part[3], rests: []string{f.Path}}
			switch {
			case all.keepNeed(rf.Workspace, m):
			case m.router == ".":
				root := rf.Services().Root(f.Path)
				all.services[root] = append(all.services[root], m)
			case m.router == "..":
				for _, root := range rf.setBy(f) {
					all.services[root] = append([]mount{m}, all.services[root]...)
				}
			case strings.HasPrefix(m.router, "?"):
				m.router = m.router[1:]
				all.defaults[f.ID] = m
			case strings.HasPrefix(m.router, "("):
				if ref := rf.mountedFunction(f, fact, m.router); ref.Valid() {
					all.functions[ref] = append(all.functions[ref], m)
				} else if routerish(m.router) {
					all.unknown[rf.Services().Root(f.Path)] = true
				}
			default:
				all.add(rf.Workspace, m)
			}
		}
	}
	return all
}

// mountedFunction returns the function that adds the routes below a mount: for "()", the target
// of the call at the mount, otherwise the function that an expression such as "(orders.Routes)"
// names.
func (rf *routeFinder) mountedFunction(f *resolve.File, fact *code.Fact, router string) resolve.Ref {
	if router != "()" {
		return rf.Named(f, strings.Trim(router, "()"))
	}
	for _, c := range f.Calls() {
		if c.NameSpan.StartByte != fact.Span.StartByte || c.Kind == code.CallDecorator {
			continue
		}
		if ref := rf.Target(f, fact, c.Callee); ref.Valid() {
			return ref
		}
		return rf.Named(f, strings.TrimLeft(c.Receiver+"."+c.Callee, "."))
	}
	return resolve.Ref{}
}

const (
	maxMounts = 4  // largest depth of routers within routers
	maxPlaces = 64 // largest number of paths at which one router is mounted
)

// of returns the places in which the router of a route is mounted, with their prefixes: /api and /v1 for
// app.use('/api', router) and app.use('/v1', router). If it is mounted nowhere, the place is its own file.
func (all *mounts) of(ws *lookup.Workspace, r *route, router string) (out []mount) {
	out = all.below(mount{file: r.file, owner: r.owner, router: router}, nil)
	for i := range out {
		root := ws.Services().Root(out[i].file.Path)
		if out[i].file == r.file && len(r.roots) == 1 { // the route belongs to a subtype in another service
			root = r.roots[0]
		}
		for _, m := range slices.Backward(all.services[root]) {
			out[i].prefix = m.prefix + "/" + out[i].prefix
			out[i].rests = append(slices.Clip(out[i].rests), m.rests...)
		}
	}
	return out
}

// setBy returns the roots of the services that a settings file belongs to: for application.yml
// and bootstrap.yml the service that contains the file, for any other the service with the name
// of the file, as in a configuration server.
func (rf *routeFinder) setBy(f *resolve.File) []string {
	stem := strings.TrimSuffix(path.Base(f.Path), path.Ext(f.Path))
	if first, _, _ := strings.Cut(strings.ToLower(stem), "-"); first == "application" || first == "bootstrap" {
		return []string{rf.Services().Root(f.Path)}
	}
	roots, _ := rf.RootsOf(stem)
	return roots
}

// below returns the places in which the router inner is mounted, including its own file. inside holds the routers
// that inner contains, directly or not; none of them can contain inner.
func (all *mounts) below(inner mount, inside []mount) (out []mount) {
	if len(inside) == maxMounts {
		return []mount{inner}
	}
	inside = append(slices.Clip(inside), inner)
	add := func(m mount) {
		if len(out) >= maxPlaces {
			return
		}
		outer := mount{file: m.file, owner: m.owner, router: m.on}
		if slices.ContainsFunc(inside, outer.same) {
			return
		}
		for _, o := range all.below(outer, inside) {
			o.prefix += "/" + m.prefix
			o.rests = append(slices.Clip(o.rests), m.rests...)
			out = append(out, o)
		}
	}
	// the function that makes the router may return another one, on which it mounts this one
	within := slices.ContainsFunc(all.own[inner.file.ID], func(m mount) bool {
		return inner.router != "" && m.owner == inner.owner && m.owner >= 0 && m.on != "" && m.on != inner.router &&
			lookup.FirstName(m.router) == inner.router
	})
	for at := inner.owner; at >= 0 && !within; at = inner.file.Symbols[at].Parent {
		for _, m := range all.functions[inner.file.Ref(at)] {
			if m.file != inner.file || m.owner != inner.owner {
				add(m)
			}
		}
	}
	for _, m := range all.own[inner.file.ID] {
		if inner.router != "" && lookup.FirstName(m.router) == inner.router && m.on != inner.router {
			add(m)
		}
	}
	if len(out) == 0 {
		for _, m := range all.others[inner.file.ID] {
			if m.file != inner.file && m.names(inner.file, inner.router) {
				add(m)
			}
		}
	}
	if m, ok := all.defaults[inner.file.ID]; ok && len(out) == 0 && inner.router == m.router && inner.router != "" {
		inner.prefix = m.prefix
		return []mount{inner}
	}
	if len(out) == 0 {
		inner.prefix = ""
		return []mount{inner}
	}
	return out
}

// add resolves the router that the mount m names, through the imports of its file, and adds m to the index. A mount
// only applies to routes of its own service.
func (all *mounts) add(ws *lookup.Workspace, m mount) {
	name := lookup.FirstName(m.router)
	if _, rest, ok := strings.Cut(m.router, "require("); ok { // for example, app.use('/x', require('./x'))
		module, _, _ := strings.Cut(rest, ")")
		m.others = ws.Required(m.file, strings.Trim(module, "\"'`"))
	} else if module, ok := folding.Quoted(m.router); ok { // for example, include("shop.urls")
		m.others = ws.ModuleFiles(m.file, module)
	} else if name != "" {
		all.own[m.file.ID] = append(all.own[m.file.ID], m)
		m.others = ws.Origins(m.file, name)
		for i := range m.others {
			// The router is a member of the module: orders.router.
			if m.others[i].Name == "" && ws.World.Language(m.file.Language).Modules && name != lookup.LastName(m.router) {
				m.others[i].Name = lookup.LastName(m.router)
			}
		}
		// Ruby loads a class by its name, without an import
		if len(m.others) == 0 && code.Decapitalized(name) != name {
			if class := ws.TypeNamed(m.file, name); class.Valid() {
				m.others = []lookup.Origin{{File: class.File, Name: name}}
			}
		}
	}
	root := ws.Services().Root(m.file.Path)
	if !m.known(ws, name) {
		all.unknown[root] = true
	}
	seen := map[int64]bool{}
	for _, o := range m.others {
		all.imports[root] = all.imports[root] || o.File != m.file
		if !seen[o.File.ID] {
			seen[o.File.ID] = true
			all.others[o.File.ID] = append(all.others[o.File.ID], m)
		}
	}
}

// names reports whether the mount m may refer to a router of another file f: m names the file,
// the router, or a name of f that is none of its routers and may be an alias of this router.
func (m *mount) names(f *resolve.File, router string) bool {
	for _, o := range m.others {
		if o.File == f && (o.Name == "" || o.Name == router || !routersOf(f)[o.Name]) {
			return true
		}
	}
	return false
}

type routersKey struct{}

// routersOf returns the names of the routers of a file to which the file adds routes or other routers.
func routersOf(f *resolve.File) map[string]bool {
	return resolve.Memo(f, routersKey{}, func() map[string]bool {
		out := map[string]bool{}
		for _, role := range []string{l2meta.RoleRoute, l2meta.RoleMount} {
			for _, fact := range lookup.Endpoints(f, role) {
				out[append(strings.Split(fact.Type, "\t"), "", "", "")[3]] = true
			}
		}
		return out
	})
}
