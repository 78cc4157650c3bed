package php

import (
	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
	"strings"
)

// member finds the method called name of type t. If t is a union of several classes, it returns
// the one declaration that all of them share.
func member(w *resolve.World, t resolve.Type, name string) (out phpFound) {
	if t.File == nil {
		return phpFound{several: true}
	}
	alternatives := alternatives(t.Text)
	for i, text := range alternatives {
		found := memberOfAll(w, t, text, name)
		switch {
		case !found.ok && len(alternatives) > 1:
			return phpFound{several: true, foreign: found.foreign, magic: found.magic}
		case i > 0 && found.Ref != out.Ref:
			return phpFound{several: true}
		}
		out = found
	}
	return out
}

// memberOfAll finds the method called name in one of the parts of an intersection type, A&B.
func memberOfAll(w *resolve.World, t resolve.Type, text, name string) (out phpFound) {
	for _, part := range split(text, '&') {
		c := classOf(w, t, strings.TrimSpace(part))
		switch {
		case c.known():
			found := methodOf(w, c.ref, name, 0)
			if found.ok {
				return found
			}
			out.foreign = out.foreign || found.foreign
			out.magic = out.magic || found.magic
			out.several = out.several || found.several
		case c.foreign:
			out.foreign = true
		}
	}
	return out
}

// Member evaluates $x->name, $x?->name and A::$name.
func (p evaluator) Member(s resolve.Scope, x resolve.Value, e *expr.Expr) resolve.Value {
	if e.Sep != "->" && e.Sep != "?->" && e.Sep != "::" || x.Kind != resolve.Instance && x.Kind != resolve.Class {
		return resolve.Value{}
	}
	// A later call shows whether the name denotes a method. Until then it is treated as a
	// property.
	v := p.property(x, strings.TrimPrefix(e.Name, "$"))
	if v.Kind == resolve.Unknown {
		v = resolve.Value{Kind: resolve.Function}
	}
	v.Module = e.Name
	if v.Kind == resolve.Function {
		v.Type, v.How = x.Type, x.How
		return v
	}
	return v
}

// property evaluates a property or constant of x.
func (p evaluator) property(x resolve.Value, name string) resolve.Value {
	if x.Type.File == nil {
		return resolve.Value{}
	}
	alternatives := alternatives(x.Type.Text)
	if len(alternatives) != 1 {
		return resolve.Value{}
	}
	for _, part := range split(alternatives[0], '&') {
		if c := classOf(p.w, x.Type, strings.TrimSpace(part)); c.known() {
			if v := p.propertyOf(c.ref, name, 0); v.Kind != resolve.Unknown {
				if f := v.Type.File; v.Kind == resolve.Instance && f != nil && v.Type.Bind == nil && v.Type.Scope >= 0 {
					v.Type.Bind = argumentsOf(p.w, f.Ref(v.Type.Scope), x.Type)
				}
				return v.Via(x.How)
			}
		}
	}
	return resolve.Value{}
}

// propertyOf evaluates a property of a class: by the declared type in the class or a base,
// otherwise by the class's assignments.
func (p evaluator) propertyOf(r resolve.Ref, name string, depth int) resolve.Value {
	if depth > 16 {
		return resolve.Value{}
	}
	for _, fact := range r.Facts() {
		if fact.Kind == code.FactField && fact.Name == name && fact.Type != "" && !vague[fact.Type] {
			return instance(resolve.Type{Text: fact.Type, File: r.File, Scope: r.Index}, resolve.TypedWritten)
		}
	}
	for _, b := range bases(p.w, r) {
		if b.known() {
			if v := p.propertyOf(b.ref, name, depth+1); v.Kind != resolve.Unknown {
				return v
			}
		}
	}
	return p.assignedTo(r, name)
}

// assignedTo evaluates all assignments to a property in a class, and returns the value on which
// they agree. If they do not agree, it returns a value of kind Function without a name, so that the
// search for the property ends.
func (p evaluator) assignedTo(r resolve.Ref, name string) (out resolve.Value) {
	for _, fact := range r.Facts() {
		if fact.Kind != code.FactAssign || fact.Name != name {
			continue
		}
		v, empty := p.assigned(r, fact)
		if empty {
			continue
		}
		if v.Kind != resolve.Instance || out.Kind == resolve.Instance && !p.same(out.Type, v.Type) {
			return resolve.Value{Kind: resolve.Function}
		}
		out = v
	}
	return out
}

// vague lists the declared types that do not identify a receiver's class.
var vague = map[string]bool{"array": true, "mixed": true, "object": true, "?array": true,
	"iterable": true, "callable": true}

type assignedKey struct {
	file int64
	fact *code.Fact
}

// assigned evaluates an assignment to a property of $this. It reports true if the assigned value
// is null or [], which does not show the type of the property.
func (p evaluator) assigned(r resolve.Ref, fact *code.Fact) (resolve.Value, bool) {
	if strings.EqualFold(fact.Type, "null") || fact.Type == "[]" {
		return resolve.Value{}, true
	}
	v := resolve.Derive(p.w, assignedKey{r.File.ID, fact}, func() resolve.Value {
		at := r.Index
		for i := at + 1; i < len(r.File.Symbols) && r.File.Symbols[i].Span.StartByte <= fact.Span.StartByte; i++ {
			if fact.Span.StartByte < r.File.Symbols[i].Span.EndByte && r.File.Symbols[i].Kind.Callable() {
				at = i
			}
		}
		return eval(resolve.Scope{W: p.w, File: r.File, At: at, Pos: fact.Span.StartByte}, p.w,
			expr.Parse(fact.Type, dialect))
	})
	return v, false
}
