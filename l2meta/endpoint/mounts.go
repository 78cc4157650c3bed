package endpoint

import (
	"path"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/resolve"
)

// mount is a prefix that routes of another file, of a function, of a variable or
// of a whole service stand below.
type mount struct {
	file   *resolve.File // that mounts
	owner  int           // the symbol that does
	prefix string
	router string // an expression; "()" and "(expression)" for a function, "." for the service
	rests  []string
}

// mounts is every mount of the workspace by what stands below it.
type mounts struct {
	routers   []mount
	functions map[resolve.Ref][]mount
	services  map[string]mount // by root
}

func (j *Joiner) mounts() *mounts {
	all := &mounts{functions: map[resolve.Ref][]mount{}, services: map[string]mount{}}
	for _, f := range j.files(l2meta.RoleMount) {
		if f.Class == code.ClassTest || f.Class == code.ClassGenerated {
			continue
		}
		for _, fact := range endpoints(f, l2meta.RoleMount) {
			part := strings.Split(fact.Type, "\t")
			if len(part) < 3 {
				continue
			}
			m := mount{file: f, owner: fact.Owner, prefix: part[1], router: part[2], rests: []string{f.Path}}
			switch {
			case m.router == ".":
				all.services[j.services().root(f.Path)] = m
			case strings.HasPrefix(m.router, "("):
				if ref := j.mountedFunction(f, fact, m.router); ref.Valid() {
					all.functions[ref] = append(all.functions[ref], m)
				}
			default:
				all.routers = append(all.routers, m)
			}
		}
	}
	return all
}

// mountedFunction is the function whose routes stand below a mount: the target of
// the call at its place, "()", or what an expression names, "(orders.Routes)".
func (j *Joiner) mountedFunction(f *resolve.File, fact *code.Fact, router string) resolve.Ref {
	if router != "()" {
		return j.named(f, strings.Trim(router, "()"))
	}
	for _, c := range f.Calls() {
		if c.NameSpan.StartByte != fact.Span.StartByte || c.Kind == code.CallDecorator {
			continue
		}
		if ref := j.target(f, fact, c.Callee); ref.Valid() {
			return ref
		}
		return j.named(f, strings.TrimLeft(c.Receiver+"."+c.Callee, "."))
	}
	return resolve.Ref{}
}

// maxMounts bounds how deep routers stand in each other.
const maxMounts = 4

// of is where a route of a router of its file stands: one place at least.
func (all *mounts) of(j *Joiner, r *route, router string) (out []mount) {
	out = all.below(mount{file: r.file, owner: r.owner, router: router}, 0)
	if whole, ok := all.services[j.services().root(r.file.Path)]; ok {
		for i := range out {
			out[i].prefix = whole.prefix + "/" + out[i].prefix
			out[i].rests = append(slices.Clip(out[i].rests), whole.rests...)
		}
	}
	return out
}

// below is what an inner router comes to stand below, itself included.
func (all *mounts) below(inner mount, depth int) (out []mount) {
	if depth == maxMounts {
		return []mount{inner}
	}
	add := func(m mount) {
		for _, o := range all.below(mount{file: m.file, owner: m.owner}, depth+1) {
			o.prefix += "/" + m.prefix
			o.rests = append(slices.Clip(o.rests), m.rests...)
			out = append(out, o)
		}
	}
	for at := inner.owner; at >= 0; at = inner.file.Symbols[at].Parent {
		for _, m := range all.functions[inner.file.Ref(at)] {
			if m.file != inner.file || m.owner != inner.owner {
				add(m)
			}
		}
	}
	for _, m := range all.routers {
		if m.mounts(inner.file, inner.router) {
			add(m)
		}
	}
	if len(out) == 0 {
		inner.prefix = ""
		return []mount{inner}
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
