package endpoint

import (
	"path"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/resolve"
)

// route is a path that a file answers, with what it is mounted below.
type route struct {
	file    *resolve.File
	owner   int
	at      code.Span
	method  string // "*" for any
	path    []string
	handler string   // an expression; "" for owner itself, "=>" for a function in its place
	rests   []string // paths of the files that mount it
}

type routesKey struct{}

// routes is every route outside of tests, by path and place.
func (j *Joiner) routes() []*route {
	return resolve.Derive(j.w, routesKey{}, func() (out []*route) {
		mounts := j.mounts()
		for _, f := range j.files(l2meta.RoleRoute) {
			if f.Class == code.ClassTest || f.Class == code.ClassGenerated {
				continue
			}
			for _, fact := range endpoints(f, l2meta.RoleRoute) {
				part := append(strings.Split(fact.Type, "\t"), "", "", "")
				r := route{file: f, owner: fact.Owner, at: fact.Span, method: part[0], path: segments(part[1]), handler: part[2]}
				below := mounted(mounts, f, part[3], 0)
				for _, m := range below {
					at := r
					at.path, at.rests = append(segments(m.prefix), r.path...), m.rests
					out = append(out, &at)
				}
				if len(below) == 0 {
					out = append(out, &r)
				}
			}
		}
		return out
	})
}

// mount is a prefix that routes of another file, or of a variable, stand below.
type mount struct {
	file   *resolve.File // that mounts
	prefix string
	router string // an expression
	rests  []string
}

func (j *Joiner) mounts() (out []mount) {
	for _, f := range j.files(l2meta.RoleMount) {
		for _, fact := range endpoints(f, l2meta.RoleMount) {
			if part := strings.Split(fact.Type, "\t"); len(part) > 2 && f.Class != code.ClassTest {
				out = append(out, mount{file: f, prefix: part[1], router: part[2]})
			}
		}
	}
	return out
}

// maxMounts bounds how deep routers stand in each other.
const maxMounts = 3

// mounted is where the routes of a router of a file stand.
func mounted(all []mount, f *resolve.File, router string, depth int) (out []mount) {
	if depth == maxMounts {
		return nil
	}
	for _, m := range all {
		if !m.mounts(f, router) {
			continue
		}
		m.rests = []string{m.file.Path}
		outer := mounted(all, m.file, "", depth+1)
		for _, o := range outer {
			out = append(out, mount{prefix: o.prefix + "/" + m.prefix, rests: append(slices.Clip(o.rests), m.file.Path)})
		}
		if len(outer) == 0 {
			out = append(out, m)
		}
	}
	return out
}

// mounts reports whether a mount is of a router of a file.
func (m *mount) mounts(f *resolve.File, router string) bool {
	name := lastName(m.router)
	if f == m.file {
		return router != "" && name == router && !strings.Contains(m.router, "require(")
	}
	list := words(m.router)
	module, ok := "", false
	if _, rest, found := strings.Cut(m.router, "require("); found {
		module, ok = strings.Trim(strings.SplitN(rest, ")", 2)[0], `"'`), true
	} else if len(list) > 0 {
		module, ok = moduleOf(m.file, list[0].text)
	}
	if !ok && strings.Contains(m.router, ".") && m.file.Language == "python" { // include("shop.urls")
		module, ok = m.router, true
	}
	if !ok || module == "" {
		return false
	}
	if f.Language == "python" {
		return isModule(f.Path, module) || isModule(f.Path, parentModule(module)) && (router == "" || router == lastStep(module))
	}
	if !strings.HasPrefix(module, ".") {
		return false
	}
	at := path.Join(m.file.Dir, module)
	stem := strings.TrimSuffix(f.Path, path.Ext(f.Path))
	return stem == strings.TrimSuffix(at, path.Ext(at)) || stem == at || stem == path.Join(at, "index")
}

// moduleOf is the module that a name is imported from, with the name where that
// is a member.
func moduleOf(f *resolve.File, name string) (string, bool) {
	for i := range f.Imports {
		m := &f.Imports[i]
		if m.Alias != name && (m.Alias != "" || m.Name != name) {
			continue
		}
		if f.Language == "python" && m.Name != "" {
			return m.Module + "." + m.Name, true
		}
		return m.Module, true
	}
	for _, fact := range named(f, name) { // const orders = require('./orders')
		if _, rest, ok := strings.Cut(fact.Type, "require("); ok {
			return strings.Trim(strings.SplitN(rest, ")", 2)[0], `"'`), true
		}
	}
	return "", false
}

// isModule reports whether a file is that Python module, as far as its path
// tells.
func isModule(file, module string) bool {
	at := strings.ReplaceAll(strings.TrimLeft(module, "."), ".", "/")
	if at == "" {
		return false
	}
	for _, p := range []string{at + ".py", at + "/__init__.py"} {
		if file == p || strings.HasSuffix(file, "/"+p) {
			return true
		}
	}
	return false
}

func parentModule(m string) string { return m[:max(0, strings.LastIndexByte(m, '.'))] }
func lastStep(m string) string     { return m[strings.LastIndexByte(m, '.')+1:] }

// handler is the declaration that answers a route, and where it stands: for a
// function without a name what encloses it, at the route's line.
func (j *Joiner) handler(r *route) (resolve.Ref, code.Span) {
	around := r.file.Ref(r.file.Callable(r.owner))
	switch r.handler {
	case "":
		if r.owner >= 0 && (r.at.StartByte == r.file.Symbols[r.owner].NameSpan.StartByte || r.file.Symbols[r.owner].Kind == code.KindRoute) {
			return around, r.file.Symbols[r.owner].Span
		}
		return around, r.at
	case "=>":
		return around, r.at
	}
	if ref := j.named(r.file, r.handler); ref.Valid() {
		return ref, ref.Symbol().Span
	}
	return around, r.at
}

type namedKey struct {
	file int64
	expr string
}

// named is the callable that an expression of a file names: of the file, else
// the only one of its folder, else of its service.
func (j *Joiner) named(f *resolve.File, expr string) resolve.Ref {
	return resolve.Derive(j.w, namedKey{f.ID, expr}, func() resolve.Ref { return j.nameIn(f, expr) })
}

func (j *Joiner) nameIn(f *resolve.File, expr string) resolve.Ref {
	name := lastName(expr)
	if strings.Contains(expr, "::class") { // [OrderController::class, 'show']
		name = strings.Trim(expr[strings.LastIndexAny(expr, ",[")+1:], `]"' `)
	}
	rows, _ := j.w.Named(name)
	var near [3][]resolve.Ref
	service := j.services().root(f.Path)
	for _, row := range rows {
		if !row.Symbol.Kind.Callable() || row.Class == code.ClassTest || !sameFamily(row.Language, f.Language) {
			continue
		}
		far := 2
		switch {
		case row.FileID == f.ID:
			far = 0
		case code.Dir(row.Path) == f.Dir:
			far = 1
		case j.services().root(row.Path) != service:
			continue
		}
		if ref := j.w.Ref(row); ref.Valid() { // of few rows: a common name has thousands
			near[far] = append(near[far], ref)
		}
	}
	for _, list := range near {
		list = byOwner(list, expr)
		if len(list) == 1 {
			return list[0]
		}
		if len(list) > 1 {
			break
		}
	}
	return resolve.Ref{}
}

// byOwner keeps, of several, those whose type the expression names too.
func byOwner(list []resolve.Ref, expr string) []resolve.Ref {
	if len(list) < 2 {
		return list
	}
	said := folded(expr)
	var some []resolve.Ref
	for _, ref := range list {
		owner, _, member := strings.Cut(ref.Symbol().QualifiedName, ".")
		if member && strings.Contains(said, folded(owner)) || strings.Contains(said, folded(strings.TrimSuffix(path.Base(ref.File.Path), path.Ext(ref.File.Path)))) {
			some = append(some, ref)
		}
	}
	if len(some) > 0 {
		return some
	}
	return list
}

func sameFamily(a, b string) bool {
	script := func(l string) bool { return l == "javascript" || l == "typescript" || l == "svelte" }
	return a == b || script(a) && script(b)
}

// routesOf is the routes that ref answers.
func (j *Joiner) routesOf(ref resolve.Ref) (out []*route) {
	if len(j.w.Reaching(l2meta.RoleRoute)) == 0 || len(j.w.Reaching(l2meta.RoleFetch)) == 0 {
		return nil
	}
	name := ""
	if ref.Index >= 0 {
		name = ref.Symbol().Name
	}
	for _, r := range j.routes() {
		here := r.file == ref.File && r.file.Callable(r.owner) == ref.Index
		if !here && (name == "" || !strings.Contains(r.handler, name)) {
			continue
		}
		if h, _ := j.handler(r); h == ref {
			out = append(out, r)
		}
	}
	return out
}
