package jvm

import (
	"slices"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// viewFinder finds Scala's implicit conversions (views), which give a value the members of another
// type.
type viewFinder struct{ *jvm }

type scalaViewsKey struct {
	file *resolve.File
	at   int
}

// visible returns the implicit conversions in scope at p: those declared in enclosing classes and
// functions, imported, or declared in the package objects of the package.
func (j viewFinder) visible(p place) []candidate {
	return resolve.Derive(j.w, scalaViewsKey{p.file, p.at}, func() (out []candidate) {
		add := func(r resolve.Ref) {
			if scalaIsView(r) && !slices.ContainsFunc(out, func(o candidate) bool { return o.ref == r }) {
				out = append(out, candidate{ref: r})
			}
		}
		for at := p.at; at >= 0; at = p.file.Symbols[at].Parent {
			if resolve.IsType(p.file.Symbols[at].Kind) {
				j.declaredIn(p.file.Ref(at), add)
			}
			for _, c := range p.file.Children(at) {
				add(p.file.Ref(c))
			}
		}
		for i := range p.file.Imports {
			im := &p.file.Imports[i]
			at := place{file: p.file, at: im.Scope, pos: im.Span.StartByte}
			if im.Name != "*" {
				found := j.names.imported(at, im, localName(im))
				for _, m := range found.methods {
					add(m.ref)
				}
				if found.value.kind == resolve.Class && found.value.typ.kind == declared {
					add(found.value.typ.ref)
				}
				continue
			}
			switch x := j.names.path(at, im.Module); {
			case x.kind == resolve.Module:
				for _, o := range j.packageObjectsAt(p, x.pkg) {
					j.declaredIn(o, add)
				}
			case x.typ.kind == declared && x.kind == resolve.Class:
				for _, o := range append(scalaObjects(x.typ.ref), j.scalaTypes.packageObjects(im.Module)...) {
					j.declaredIn(o, add)
				}
			case x.typ.kind == declared:
				j.declaredIn(x.typ.ref, add)
			}
		}
		for pkg := jvmPackage(p.file, p.at); pkg != ""; pkg, _, _ = cutLast(pkg) {
			for _, o := range j.scalaTypes.packageObjects(pkg) {
				j.declaredIn(o, add)
			}
		}
		return out
	})
}

func (j viewFinder) packageObjectsAt(p place, pkg string) (out []resolve.Ref) {
	for around := jvmPackage(p.file, p.at); ; around, _, _ = cutLast(around) {
		full := pkg
		if around != "" {
			full = around + "." + pkg
		}
		if out = j.scalaTypes.packageObjects(full); len(out) > 0 || around == "" {
			return out
		}
	}
}

// declaredIn calls add for each member that type r declares or inherits.
func (j viewFinder) declaredIn(r resolve.Ref, add func(resolve.Ref)) {
	j.types.lineage(r, func(t resolve.Ref) bool {
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

// view returns the member called name that an implicit conversion adds to x, and the converted
// value. It returns false unless exactly one conversion in scope certainly accepts x and has the
// member.
func (j viewFinder) view(p place, x jvmValue, name string, c *scalaCall) (only candidate, wrapped jvmValue, ok bool) {
	if x = x.asValue(); x.kind != resolve.Instance {
		return only, wrapped, false
	}
	views := slices.Clone(j.visible(p))
	if x.typ.kind == declared {
		j.types.lineage(x.typ.ref, func(t resolve.Ref) bool {
			for _, o := range scalaObjects(t) {
				j.declaredIn(o, func(r resolve.Ref) {
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
		y := j.wrapped(p, view, x)
		if y.typ.kind != declared {
			continue
		}
		m := j.members.named(y.typ.ref, name)
		if len(m.methods) == 0 {
			continue
		}
		takes := func(o candidate) bool { return scalaAccepts(o.ref, c.lists) }
		if len(c.lists) > 0 && x.typ.kind != declared && scalaHas(x, name) && !slices.ContainsFunc(m.methods, takes) {
			continue // the library has such a member itself, which is preferred
		}
		fits := j.fits(view, x)
		if fits == fitsNot {
			continue
		}
		fit := j.scalaOverloads.narrowed(p, m.methods, c)
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

// wrapped returns the value that the implicit conversion view makes of x: for an implicit class an object
// of the class, for a method its result.
func (j viewFinder) wrapped(p place, view candidate, x jvmValue) jvmValue {
	if resolve.IsType(view.ref.Symbol().Kind) {
		t := jvmType{kind: declared, ref: view.ref, name: view.ref.Symbol().Name}
		names := parameters(view.ref)
		bind := j.scalaOverloads.unify(names, scalaExplicit(view.ref)[0].params[0].Type, x.typ, nil, 0)
		for _, name := range names {
			arg, _ := bind.Lookup(name)
			t.args = append(t.args, arg)
		}
		return of(t).via(resolve.TypedElement)
	}
	bind := j.scalaOverloads.unify(parameters(view.ref), scalaExplicit(view.ref)[0].params[0].Type, x.typ, nil, 0)
	return j.scalaOverloads.written(view, jvmValue{}, bind).via(resolve.TypedElement)
}

// fits returns how well x fits the parameter of an implicit conversion, as a rank such as fitsExactly. A
// type parameter accepts anything.
func (j viewFinder) fits(view candidate, x jvmValue) int {
	param := scalaExplicit(view.ref)[0].params[0].Type
	if slices.Contains(parameters(view.ref), clean(param)) {
		return fitsObject
	}
	want := j.types.read(resolve.Type{Text: param, File: view.ref.File, Scope: view.ref.Index})
	if want.kind == jvmForeign && x.typ.kind == jvmForeign &&
		(scalaKind(want.name) != "" && scalaKind(x.typ.name) == "" ||
			scalaKind(want.name) == "" && scalaKind(x.typ.name) != "") {
		return fitsNot
	}
	return j.scalaOverloads.fit(x.typ, want)
}

// viewed evaluates a call of the member called name that an implicit conversion adds to x. It
// returns no value if there is none.
func (j viewFinder) viewed(p place, x jvmValue, name string, c *scalaCall) jvmValue {
	o, wrapped, ok := j.view(p, x, name, c)
	if !ok {
		return jvmValue{}
	}
	return j.scalaOverloads.gives(p, o, wrapped, c)
}
