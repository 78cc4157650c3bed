package jvm

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// scalaScope finds the declarations to which names in Scala code refer.
type scalaScope struct{ *jvm }

// scalaFound is the result of resolving a name: callables in methods, or else a value.
type scalaFound struct {
	methods []candidate
	value   jvmValue
	context jvmValue // the receiver whose members the methods are
	how     resolve.Strategy
	unsure  bool     // an enclosing type with unknown bases may have the name, too
	outside string   // an external base that may have the name
	object  jvmValue // a library object that has the name, according to the table
}

func (f scalaFound) ok() bool { return len(f.methods) > 0 || f.value.kind != resolve.Unknown }

// scalaLevel is a scope that may bind a name: that of a local variable, function or class, of the
// body of a class or object, or of an import. The kind of scope determines which one of the last
// five fields is set.
type scalaLevel struct {
	start   int // byte offset at which the scope begins
	rank    int // order of scopes with the same start: local names, then class bodies, then imports
	fact    *code.Fact
	local   []candidate
	typ     resolve.Ref // class that a function declares
	context *context
	imports *code.Import
}

// lookup resolves a name without a receiver at p in the innermost scope that binds it.
func (j scalaScope) lookup(p place, name string) (out scalaFound) {
	unsure, outside := false, ""
	for _, level := range j.levels(p, name) {
		var found scalaFound
		switch {
		case level.fact != nil:
			found.value = j.values.bound(p, level.fact)
			if found.value.kind == resolve.Unknown {
				// the value hides outer bindings of the name
				found.value = jvmValue{kind: resolve.Function, reason: found.value.reason}
			}
		case level.local != nil:
			found.methods, found.how = level.local, resolve.SameScope
		case level.typ.Valid():
			found.value = named(jvmType{kind: declared, ref: level.typ, name: name})
		case level.context != nil:
			found = j.inContext(p, *level.context, name)
		default:
			found = j.imported(p, level.imports, name)
		}
		if found.ok() {
			found.unsure = unsure && level.context != nil
			return found
		}
		unsure = unsure || found.unsure
		if found.outside != "" {
			outside = found.outside
		}
	}
	out = j.ofFile(p, name)
	out.unsure, out.outside = unsure, outside
	return out
}

// levels returns the scopes at p that may bind a name, innermost first.
func (j scalaScope) levels(p place, name string) (out []scalaLevel) {
	if fact := local(p, name); fact != nil {
		start := fact.Scope[0]
		if fact.Scope[1] == 0 && fact.Owner >= 0 {
			start = p.file.Symbols[fact.Owner].Span.StartByte
		}
		out = append(out, scalaLevel{start: start, fact: fact})
	}
	if found := j.kotlin.localFunctions(p, name); len(found) > 0 {
		out = append(out, scalaLevel{start: found[0].ref.Parent().Symbol().Span.StartByte + 1, local: found})
	}
	if r, ok := scalaLocalType(p, name); ok {
		out = append(out, scalaLevel{start: r.Parent().Symbol().Span.StartByte + 1, typ: r})
	}
	for _, c := range j.values.contexts(p) {
		out = append(out, scalaLevel{start: c.start, rank: 1, context: &c})
	}
	for i := range p.file.Imports {
		im := &p.file.Imports[i]
		if im.Scope < 0 || im.Span.StartByte >= p.pos || im.Name != "*" && localName(im) != name ||
			im.Name == "*" && scalaHides(p.file, im, name) || !scalaEncloses(p.file, im.Scope, p.at) {
			continue
		}
		out = append(out, scalaLevel{start: p.file.Symbols[im.Scope].Span.StartByte, rank: 2, imports: im})
	}
	slices.SortStableFunc(out, func(a, b scalaLevel) int {
		if a.start != b.start {
			return b.start - a.start
		}
		return a.rank - b.rank
	})
	return out
}

// scalaLocalType returns the class or object called name that an enclosing function declares. It
// returns false if there is none.
func scalaLocalType(p place, name string) (resolve.Ref, bool) {
	for at := p.at; at >= 0; at = p.file.Symbols[at].Parent {
		if resolve.IsType(p.file.Symbols[at].Kind) || p.file.Symbols[at].Kind == code.KindNamespace {
			continue
		}
		var types []resolve.Ref
		for _, c := range p.file.Children(at) {
			if s := &p.file.Symbols[c]; s.Name == name && resolve.IsType(s.Kind) {
				types = append(types, p.file.Ref(c))
			}
		}
		if len(types) > 0 {
			return classFirst(types[0], types), true
		}
	}
	return resolve.Ref{}, false
}

func localName(i *code.Import) string {
	if i.Alias != "" {
		return i.Alias
	}
	return i.Name
}

func scalaEncloses(f *resolve.File, outer, at int) bool {
	for ; at >= 0; at = f.Symbols[at].Parent {
		if at == outer {
			return true
		}
	}
	return false
}

// inContext resolves a name as a member of an enclosing class, trait or object.
func (j scalaScope) inContext(p place, c context, name string) (out scalaFound) {
	m := j.values.membersIn(c, name)
	out.context = of(j.values.contextType(c))
	out.context.own = true
	switch {
	case len(m.methods) > 0 && !scalaHidden(m):
		out.methods, out.how = m.methods, resolve.SameType
		if c.fact == nil && !slices.ContainsFunc(m.methods, func(o candidate) bool { return o.ref.Parent() == c.ref }) {
			out.how = resolve.Inherited
		}
	case len(m.fields) > 0:
		out.value = j.field(out.context, m.fields[0])
		if out.value.kind == resolve.Unknown {
			out.value = jvmValue{kind: resolve.Function, reason: "the type of " + name + " is not known"}
		}
	default:
		if t := out.context.typ; t.kind == declared {
			if r, ok := j.types.nested(t.ref, name); ok {
				out.value = named(j.types.unaliased(jvmType{kind: declared, ref: r, name: name}))
				return out
			}
		}
		out.unsure = m.unknown
		for _, o := range m.outside {
			if !lacks(o, name) {
				out.outside, out.unsure = o, true
			}
		}
	}
	return out
}

// imported resolves name through import i, which is a wildcard or imports that name. It returns the
// zero scalaFound if the wildcard may lack the name.
func (j scalaScope) imported(p place, i *code.Import, name string) scalaFound {
	member := i.Name
	if member == "*" {
		member = name
	}
	at := place{file: p.file, at: i.Scope, pos: i.Span.StartByte}
	object := j.path(at, strings.TrimPrefix(i.Module, "_root_."))
	known := object.kind == resolve.Class && scalaHas(object, member)
	found := j.member(at, object, member)
	v := found.value
	untold := v.kind == resolve.Module || v.kind == resolve.Foreign ||
		v.kind == resolve.Class && v.typ.kind == jvmForeign && tabled(v.typ) == nil
	if i.Name == "*" && untold && !known {
		return scalaFound{} // the wildcard may or may not bind the name
	}
	found.how = resolve.Imported
	if known && found.value.kind == resolve.Foreign {
		found.object = object
	}
	return found
}

type scalaPathKey struct {
	file *resolve.File
	at   int
	path string
}

// path evaluates the path in an import, such as a.b in import a.b.c.
func (j scalaScope) path(p place, path string) jvmValue {
	return resolve.Derive(j.w, scalaPathKey{p.file, p.pos, path}, func() jvmValue {
		return j.terms.eval(p, scalaPathTerm(path))
	})
}

// ofFile resolves a name in the file and its package: first declarations of the file itself,
// then imports by name, then wildcard imports, then the rest of the package.
func (j scalaScope) ofFile(p place, name string) (out scalaFound) {
	pkg := jvmPackage(p.file, p.at)
	own := j.ofPackage(p, pkg, name)
	if own.ok() && slices.ContainsFunc(j.types.top(pkg, name), func(r resolve.Ref) bool { return r.File == p.file }) {
		return own
	}
	var all []scalaFound
	for i := range p.file.Imports {
		switch im := &p.file.Imports[i]; {
		case im.Scope >= 0 && p.file.Symbols[im.Scope].Kind != code.KindNamespace || im.Span.StartByte >= p.pos:
		case im.Name == "*" && scalaHides(p.file, im, name):
		case im.Name == "*":
			if found := j.imported(p, im, name); found.ok() {
				all = append(all, found)
			}
		case localName(im) == name:
			if found := j.imported(p, im, name); found.ok() || !j.types.inWorkspace(p.file, im.Module) {
				if !found.ok() {
					found.value = jvmValue{kind: resolve.Foreign, pkg: im.Module}
				}
				return found
			}
		}
	}
	for !own.ok() && pkg != "" {
		i := strings.LastIndexByte(pkg, '.')
		if i < 0 || !chained(p.file, pkg[:i]) {
			break
		}
		pkg = pkg[:i]
		own = j.ofPackage(p, pkg, name)
	}
	if own.ok() {
		all = append(all, own)
	}
	for i, found := range all {
		if i > 0 && !scalaSame(found, all[0]) {
			return scalaFound{}
		}
	}
	if len(all) > 0 {
		return all[0]
	}
	return j.scalaLibrary.predef(p, name)
}

// scalaHides reports whether a wildcard import excludes a name. That is so if the import excludes
// it explicitly or renames it: java.nio.file.{Path => _, _}.
func scalaHides(f *resolve.File, all *code.Import, name string) bool {
	return f.Language == "scala" && slices.ContainsFunc(f.Imports, func(i code.Import) bool {
		return i.Module == all.Module && i.Scope == all.Scope && i.Name == name && i.Alias != ""
	})
}

// scalaSame reports whether two results refer to the same declarations.
func scalaSame(a, b scalaFound) bool {
	if len(a.methods) != len(b.methods) {
		return false
	}
	for i := range a.methods {
		if a.methods[i].ref != b.methods[i].ref {
			return false
		}
	}
	return len(a.methods) > 0 || a.value.kind == b.value.kind && same(a.value.typ, b.value.typ)
}

// ofPackage resolves name as a member of package pkg.
func (j scalaScope) ofPackage(p place, pkg, name string) (out scalaFound) {
	for _, o := range j.scalaTypes.packageObjects(pkg) {
		if found := j.member(p, named(jvmType{kind: declared, ref: o}), name); found.ok() {
			found.how = resolve.SamePackage
			return found
		}
	}
	for _, r := range j.types.top(pkg, name) {
		if callable(r.Symbol()) {
			out.methods, out.how = append(out.methods, candidate{ref: r}), resolve.SamePackage
		}
	}
	if len(out.methods) > 0 {
		return out
	}
	if r, ok := j.types.topType(p.file, pkg, name); ok {
		out.value = named(j.types.unaliased(jvmType{kind: declared, ref: r, name: name}))
	}
	return out
}

// named evaluates a name without a receiver.
func (j scalaScope) named(p place, name string) jvmValue {
	switch name {
	case "this":
		return j.values.this(p, "")
	case "super":
		v := j.values.this(p, "")
		v.super, v.own = true, false
		return v
	}
	found := j.lookup(p, name)
	switch {
	case len(found.methods) > 0:
		return j.scalaOverloads.resultOf(p, found.methods, found.context, &scalaCall{})
	case found.value.kind == resolve.Function:
		return jvmValue{reason: found.value.reason}
	case found.value.kind != resolve.Unknown:
		if v := j.scalaLibrary.ofTables(p, found.object, name, &scalaCall{}); v.kind != resolve.Unknown {
			return v
		}
		return found.value
	case found.unsure && !scalaPackages[name] || typeLike(name):
		return jvmValue{}
	}
	return jvmValue{kind: resolve.Module, pkg: name}
}

// member resolves x.name.
func (j scalaScope) member(p place, x jvmValue, name string) (out scalaFound) {
	out.context, out.how = x, x.strategy()
	switch {
	case x.kind == resolve.Module:
		return j.inPackage(p, x.pkg, name)
	case x.kind == resolve.Foreign:
		out.value = x
	case x.kind == resolve.Class && x.typ.kind == declared:
		return j.static(x, name)
	case x.kind == resolve.Class:
		out.value = j.scalaLibrary.static(x, name)
	case x.kind == resolve.Instance && x.typ.kind == declared && isObject(x.typ.ref) &&
		!j.members.named(x.typ.ref, name).found():
		if r, ok := j.types.nested(x.typ.ref, name); ok {
			out.value = named(j.types.unaliased(jvmType{kind: declared, ref: r, name: name}))
		}
	case x.kind == resolve.Instance && x.typ.kind == declared:
		m := j.members.named(x.typ.ref, name)
		if !m.found() {
			return j.demanded(p, x, name)
		}
		if x.super {
			m.methods = slices.DeleteFunc(slices.Clone(m.methods), func(c candidate) bool { return c.depth == 0 })
		}
		if len(m.methods) > 0 && !scalaHidden(m) {
			out.methods = m.methods
			if x.own && m.methods[0].ref.Parent() != x.typ.ref {
				out.how = resolve.Inherited
			}
		} else if len(m.fields) > 0 {
			out.value = j.field(x, m.fields[0])
			if out.value.kind == resolve.Unknown {
				out.value = jvmValue{kind: resolve.Function, reason: "the type of " + name + " is not known"}
			}
		}
	}
	return out
}

// scalaHidden reports whether m has a field that hides the methods of the same name, because a
// nearer type declares it.
func scalaHidden(m members) bool {
	return len(m.fields) > 0 && !slices.ContainsFunc(m.methods, func(c candidate) bool {
		return c.depth <= m.fields[0].depth
	})
}

// demanded resolves name as a member of the types that the self-type of x's type requires: of B for
// trait A { this: B => … }.
func (j scalaScope) demanded(p place, x jvmValue, name string) (out scalaFound) {
	if !j.enter() { // self-types may require each other
		return scalaFound{context: x}
	}
	defer j.leave()
	for _, fact := range x.typ.ref.Facts() {
		if fact.Kind != code.FactVar || fact.Name != "this" || fact.Scope[1] > 0 {
			continue
		}
		self := of(j.types.read(resolve.Type{Text: fact.Type, File: x.typ.ref.File, Scope: x.typ.ref.Index}))
		if self.typ.ref == x.typ.ref {
			continue
		}
		if found := j.member(p, self, name); found.ok() {
			return found
		}
	}
	return scalaFound{context: x}
}

// inPackage resolves name as a member of package pkg. In a file of package a.b, the path c may mean
// the package a.b.c, a.c or c.
func (j scalaScope) inPackage(p place, pkg, name string) (out scalaFound) {
	for around := jvmPackage(p.file, p.at); ; around, _, _ = cutLast(around) {
		if found := j.ofPackage(p, strings.Trim(around+"."+pkg, "."), name); found.ok() {
			found.how = resolve.TypedStatic
			return found
		}
		if around == "" {
			break
		}
	}
	if typeLike(name) {
		out.value = named(library(pkg, name))
	} else if scalaPackageHas(pkg, name) {
		out.value = jvmValue{kind: resolve.Foreign, pkg: pkg}
	} else {
		out.value = jvmValue{kind: resolve.Module, pkg: pkg + "." + name}
	}
	return out
}

// static resolves name as a member of the object x, or of the companion object of the class x.
func (j scalaScope) static(x jvmValue, name string) (out scalaFound) {
	out.context, out.how = x, resolve.TypedStatic
	objects := scalaObjects(x.typ.ref)
	if x.typ.ref.File.Language != "scala" {
		objects = append(objects, x.typ.ref)
	}
	for _, o := range objects {
		context := of(jvmType{kind: declared, ref: o})
		if m := j.members.named(o, name); len(m.methods) > 0 {
			out.methods, out.context = m.methods, context
			return out
		} else if len(m.fields) > 0 {
			out.value = j.field(context, m.fields[0])
			if out.value.kind == resolve.Unknown {
				out.value = jvmValue{kind: resolve.Function, reason: "the type of " + name + " is not known"}
			}
			return out
		}
	}
	if r, ok := j.types.nested(x.typ.ref, name); ok {
		out.value = named(j.types.unaliased(jvmType{kind: declared, ref: r, name: name}))
	}
	return out
}

// field evaluates x.f for the field c.
func (j scalaScope) field(x jvmValue, c candidate) jvmValue {
	if resolve.IsType(c.ref.Symbol().Kind) {
		return j.values.field(c)
	}
	bind := j.bind(c, x)
	c.bind = nil
	v := j.values.field(c)
	if v.kind == resolve.Unknown { // the type of the field may be a type parameter of its owner
		c.bind = bind
		return j.values.field(c)
	}
	v.typ = v.typ.rebound(bind)
	if x.kind == resolve.Instance {
		v = v.via(x.how)
	}
	return v
}

// bind returns the type arguments for the type that declares member c, as seen from x: for a member of
// Box[A] and an x whose class extends Box[Order], A is Order.
func (j scalaScope) bind(c candidate, x jvmValue) *resolve.Binding {
	if x.typ.kind != declared {
		return c.bind
	}
	own := j.types.bindOf(x.typ)
	if c.bind == nil || own == nil {
		if c.bind != nil {
			return c.bind
		}
		return own
	}
	var out *resolve.Binding
	for b := c.bind; b != nil; b = b.Next {
		out = &resolve.Binding{Name: b.Name, Type: rebound(b.Type, own, 0), Next: out}
	}
	return out
}
