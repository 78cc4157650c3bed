package jvm

import (
	"slices"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

type scalaViewsKey struct {
	file *resolve.File
	at   int
}

// scalaViews returns the implicit conversions in scope at p: from enclosing templates, imports and
// the package.
func (j scalaEvaluator) scalaViews(p place) []candidate {
	return resolve.Derive(j.w, scalaViewsKey{p.file, p.at}, func() (out []candidate) {
		add := func(r resolve.Ref) {
			if scalaIsView(r) && !slices.ContainsFunc(out, func(o candidate) bool { return o.ref == r }) {
				out = append(out, candidate{ref: r})
			}
		}
		for at := p.at; at >= 0; at = p.file.Symbols[at].Parent {
			if resolve.IsType(p.file.Symbols[at].Kind) {
				j.scalaViewsIn(p.file.Ref(at), add)
			}
			for _, c := range p.file.Children(at) {
				add(p.file.Ref(c))
			}
		}
		for i := range p.file.Imports {
			im := &p.file.Imports[i]
			at := place{file: p.file, at: im.Scope, pos: im.Span.StartByte}
			if im.Name != "*" {
				found := j.scalaImport(at, im, localName(im))
				for _, m := range found.methods {
					add(m.ref)
				}
				if found.value.kind == resolve.Class && found.value.typ.kind == declared {
					add(found.value.typ.ref)
				}
				continue
			}
			switch x := j.scalaPath(at, im.Module); {
			case x.kind == resolve.Module:
				for _, o := range j.scalaPackageObjects(p, x.pkg) {
					j.scalaViewsIn(o, add)
				}
			case x.typ.kind == declared && x.kind == resolve.Class:
				for _, o := range append(scalaObjects(x.typ.ref), j.packageObjects(im.Module)...) {
					j.scalaViewsIn(o, add)
				}
			case x.typ.kind == declared:
				j.scalaViewsIn(x.typ.ref, add)
			}
		}
		for pkg := jvmPackage(p.file, p.at); pkg != ""; pkg, _, _ = cutLast(pkg) {
			for _, o := range j.packageObjects(pkg) {
				j.scalaViewsIn(o, add)
			}
		}
		return out
	})
}

func (j scalaEvaluator) scalaPackageObjects(p place, pkg string) (out []resolve.Ref) {
	for around := jvmPackage(p.file, p.at); ; around, _, _ = cutLast(around) {
		full := pkg
		if around != "" {
			full = around + "." + pkg
		}
		if out = j.packageObjects(full); len(out) > 0 || around == "" {
			return out
		}
	}
}

// scalaViewsIn calls add for each member that a type declares or inherits.
func (j scalaEvaluator) scalaViewsIn(r resolve.Ref, add func(resolve.Ref)) {
	j.lineage(r, func(t resolve.Ref) bool {
		for _, c := range t.File.Children(t.Index) {
			add(t.File.Ref(c))
		}
		return true
	})
}

// scalaIsView reports whether r is an implicit conversion: an implicit class, or an implicit method
// with one parameter.
func scalaIsView(r resolve.Ref) bool {
	s := r.Symbol()
	if !slices.Contains(s.Modifiers, "implicit") || len(s.Parameters) == 0 || s.Kind != code.KindClass && !callable(s) {
		return false
	}
	lists := scalaExplicit(r)
	return len(lists) == 1 && len(lists[0].params) == 1
}

// scalaView returns the member called name that an implicit conversion adds to x: of the only
// conversion in scope that accepts x and has the name.
func (j scalaEvaluator) scalaView(p place, x jvmValue, name string, c *scalaCall) (only candidate, wrapped jvmValue, ok bool) {
	if x = x.asValue(); x.kind != resolve.Instance {
		return only, wrapped, false
	}
	views := slices.Clone(j.scalaViews(p))
	if x.typ.kind == declared {
		j.lineage(x.typ.ref, func(t resolve.Ref) bool {
			for _, o := range scalaObjects(t) {
				j.scalaViewsIn(o, func(r resolve.Ref) {
					if scalaIsView(r) && !slices.ContainsFunc(views, func(o candidate) bool { return o.ref == r }) {
						views = append(views, candidate{ref: r})
					}
				})
			}
			return true
		})
	}
	sure := false
	for _, view := range views {
		y := j.scalaWrapped(p, view, x)
		if y.typ.kind != declared {
			continue
		}
		m := j.members(y.typ.ref, name)
		if len(m.methods) == 0 {
			continue
		}
		takes := func(o candidate) bool { return scalaAccepts(o.ref, c.lists) }
		if len(c.lists) > 0 && x.typ.kind != declared && scalaHas(x, name) && !slices.ContainsFunc(m.methods, takes) {
			continue // the library's own member, with that number of arguments
		}
		fits := j.scalaViewFits(view, x)
		if fits == fitsNot {
			continue
		}
		fit := j.scalaNarrowed(p, m.methods, c)
		if len(fit) != 1 || ok && fit[0].ref != only.ref && sure == (fits >= 0) {
			return only, wrapped, false
		}
		if ok && sure {
			continue
		}
		only, wrapped, ok, sure = fit[0], y, true, fits >= 0
	}
	return only, wrapped, ok && sure
}

// scalaWrapped returns the result of converting x.
func (j scalaEvaluator) scalaWrapped(p place, view candidate, x jvmValue) jvmValue {
	if resolve.IsType(view.ref.Symbol().Kind) {
		t := jvmType{kind: declared, ref: view.ref, name: view.ref.Symbol().Name}
		names := parameters(view.ref)
		bind := j.scalaUnify(names, scalaExplicit(view.ref)[0].params[0].Type, x.typ, nil, 0)
		for _, name := range names {
			arg, _ := bind.Lookup(name)
			t.args = append(t.args, arg)
		}
		return of(t).via(resolve.TypedElement)
	}
	bind := j.scalaUnify(parameters(view.ref), scalaExplicit(view.ref)[0].params[0].Type, x.typ, nil, 0)
	return j.scalaWritten(view, jvmValue{}, bind).via(resolve.TypedElement)
}

// scalaViewFits returns the rank of x for the parameter of a conversion; a type parameter accepts
// anything.
func (j scalaEvaluator) scalaViewFits(view candidate, x jvmValue) int {
	param := scalaExplicit(view.ref)[0].params[0].Type
	if slices.Contains(parameters(view.ref), clean(param)) {
		return fitsObject
	}
	want := j.read(resolve.Type{Text: param, File: view.ref.File, Scope: view.ref.Index})
	if want.kind == jvmForeign && x.typ.kind == jvmForeign && (scalaKind(want.name) != "" && scalaKind(x.typ.name) == "" || scalaKind(want.name) == "" && scalaKind(x.typ.name) != "") {
		return fitsNot
	}
	return j.scalaFit(x.typ, want)
}

// scalaViewed evaluates a member that a conversion adds to x.
func (j scalaEvaluator) scalaViewed(p place, x jvmValue, name string, c *scalaCall) jvmValue {
	o, wrapped, ok := j.scalaView(p, x, name, c)
	if !ok {
		return jvmValue{}
	}
	return j.scalaGives(p, o, wrapped, c)
}
