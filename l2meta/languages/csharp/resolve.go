package csharp

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/resolve"
)

// Language settles calls by namespaces, usings and declared types. A type may
// have several parts; overloads are told apart by the number of arguments and,
// as far as it shows, by their types. What is ambiguous stays open.
type Language struct{}

func (Language) Settle(w *resolve.World, f *resolve.File, c *code.Call) resolve.Verdict {
	s := resolve.Scope{W: w, File: f, At: c.Caller, Pos: c.NameSpan.StartByte}
	h := csharpHandsAt(f, c)
	switch c.Kind {
	case code.CallNew:
		return csharpConstruct(w, s, c, h, c.Callee)
	case code.CallDecorator:
		if v := csharpConstruct(w, s, c, h, c.Callee+"Attribute"); v.Outcome == resolve.Settled {
			return v
		}
		return csharpConstruct(w, s, c, h, c.Callee)
	case code.CallSuper:
		if c.Receiver != "base" {
			return csharpInitializer(w, s, c, h)
		}
	}
	if c.Receiver == "" {
		return csharpOnSelf(w, s, csharpBareCall(w, s, c, h))
	}
	return csharpMemberCall(w, s, c, h)
}

// csharpHandsAt is what call c hands over.
func csharpHandsAt(f *resolve.File, c *code.Call) csharpHands {
	h := csharpHands{count: c.Args}
	if c.Kind == code.CallReference {
		h.count, h.typeCount = -1, -1
		return h
	}
	facts := resolve.Memo(f, csharpArgumentsKey{}, func() map[int]string {
		m := map[int]string{}
		for i := range f.AllFacts() {
			if fact := &f.AllFacts()[i]; fact.Kind == code.FactArguments {
				m[fact.Span.StartByte] = fact.Type
			}
		}
		return m
	})
	text, ok := facts[c.NameSpan.StartByte]
	if !ok {
		return h
	}
	if e := resolve.ParseExpr("f"+text, csharpDialect); e.Op == resolve.OpCall && (len(e.Args) == c.Args || len(e.TypeArgs) > 0) {
		h.types, h.typeCount = e.TypeArgs, len(e.TypeArgs)
		if len(e.Args) == c.Args {
			h.args = e.Args
		}
	}
	return h
}

type csharpArgumentsKey struct{}

// csharpConstruct settles the construction of the type of that name: on its
// constructor, or on the type where none is written or they cannot be told apart.
func csharpConstruct(w *resolve.World, s resolve.Scope, c *code.Call, h csharpHands, name string) resolve.Verdict {
	if c.Receiver != "" {
		name = c.Receiver + "." + name
	}
	parts := csharpQualified(w, s.File, s.At, name, max(h.typeCount, 0))
	if len(parts) == 0 {
		if _, ok := csharpParameterOwner(s.File, s.At, name); ok {
			return resolve.Unresolved("a type parameter")
		}
		if len(csharpDecls(w, c.Callee)) == 0 {
			return resolve.ExternalTo("")
		}
		return resolve.Unresolved("no type " + name + " is in sight, or several are")
	}
	if c.Kind == code.CallDecorator { // some of its arguments may set properties
		return resolve.Resolved(parts[0], resolve.Constructed, "the attribute "+csharpFullName(parts[0]))
	}
	return resolve.Resolved(csharpConstructor(w, s, parts, h), resolve.Constructed, "constructs "+csharpFullName(parts[0]))
}

// csharpConstructor is the constructor of a type that the arguments choose, the
// type where it is its primary one, none is written, or they leave it open.
func csharpConstructor(w *resolve.World, s resolve.Scope, parts []resolve.Ref, h csharpHands) resolve.Ref {
	var fit []csharpMethod
	for _, part := range parts {
		if m := (csharpMethod{Ref: part}); len(part.Symbol().Parameters) > 0 && m.takes(csharpHands{count: h.count}) {
			fit = append(fit, m) // its primary constructor
		}
		for _, i := range part.File.Children(part.Index) {
			m := csharpMethod{Ref: part.File.Ref(i)}
			if k := m.Symbol(); k.Kind == code.KindConstructor && !slices.Contains(k.Modifiers, "static") && m.takes(csharpHands{count: h.count}) {
				fit = append(fit, m)
			}
		}
	}
	if len(fit) > 0 {
		if found := csharpChoose(w, s, fit, h); found.ok {
			return found.method.Ref
		}
	}
	return parts[0]
}

// csharpInitializer settles : base(…), : this(…) and the arguments that a type
// hands to its base.
func csharpInitializer(w *resolve.World, s resolve.Scope, c *code.Call, h csharpHands) resolve.Verdict {
	t := csharpAround(s.File, s.At)
	if t < 0 {
		return resolve.Unresolved("not in a type")
	}
	self := csharpResolve(w, csharpSelf(s.File.Ref(t)))
	if c.Callee == "this" && self.known() {
		return resolve.Resolved(csharpConstructor(w, s, self.parts, h), resolve.SameType, "a constructor of its own type")
	}
	bases, foreign := csharpBases(w, self)
	for _, b := range bases {
		if b.known() && !b.isInterface() {
			return resolve.Resolved(csharpConstructor(w, s, b.parts, h), resolve.Constructed, "a constructor of the base "+csharpFullName(b.parts[0]))
		}
	}
	if foreign {
		return resolve.ExternalTo("")
	}
	return resolve.Unresolved("no base class is known")
}

// csharpBareCall settles f(…): a local function, a member of a type around,
// or what using static brings.
func csharpBareCall(w *resolve.World, s resolve.Scope, c *code.Call, h csharpHands) resolve.Verdict {
	if fact := csharpLocal(s, c.Callee); fact != nil {
		return resolve.ThroughValue("a local value")
	}
	found, level := csharpFindBare(w, s, c.Callee, h)
	switch {
	case found.ok && found.method.Symbol().Kind == code.KindFunction:
		return resolve.Resolved(found.method.Ref, resolve.SameScope, "a local function")
	case found.ok && level == csharpByUsing:
		return resolve.Resolved(found.method.Ref, resolve.Imported, "using static "+csharpFullName(found.method.Parent()))
	case found.ok && found.method.level == 0:
		return resolve.Resolved(found.method.Ref, resolve.SameType, "a member of the type around")
	case found.ok:
		return resolve.Resolved(found.method.Ref, resolve.Inherited, "declared in "+csharpFullName(found.method.Parent()))
	case found.value.Valid():
		return resolve.ThroughValue("a member that holds a function")
	case found.several:
		return resolve.Unresolved("several overloads fit")
	case found.misfit:
		return resolve.Unresolved("no overload is seen to fit")
	case found.foreign:
		return resolve.Unresolved("a base class is outside of the workspace")
	}
	return resolve.ExternalTo("")
}

const csharpByUsing = 1

// csharpUnqualified is csharpFindBare for who asks for the result alone.
func csharpUnqualified(w *resolve.World, s resolve.Scope, name string, h csharpHands) csharpFound {
	found, _ := csharpFindBare(w, s, name, h)
	return found
}

func csharpFindBare(w *resolve.World, s resolve.Scope, name string, h csharpHands) (found csharpFound, by int) {
	for at := s.At; at >= -1; at = s.File.Symbols[at].Parent {
		for _, i := range s.File.Children(at) {
			if m := &s.File.Symbols[i]; m.Kind == code.KindFunction && m.Name == name {
				return csharpFound{ok: true, method: csharpMethod{Ref: s.File.Ref(i)}}, 0
			}
		}
		if at < 0 {
			break
		}
	}
	for t := csharpAround(s.File, s.At); t >= 0; t = s.File.Type(t) {
		self := csharpResolve(w, csharpSelf(s.File.Ref(t)))
		if !self.known() {
			return csharpFound{several: true}, 0
		}
		if found = csharpMethodOf(w, s, self, name, h); found.ok || found.value.Valid() || found.several || found.misfit || found.foreign {
			return found, 0
		}
	}
	return csharpFindUsed(w, s, name, h), csharpByUsing
}

// csharpFindUsed finds a method that using static brings. It stays open when a
// class outside of the workspace is used so too: that may have it as well.
func csharpFindUsed(w *resolve.World, s resolve.Scope, name string, h csharpHands) csharpFound {
	var fit []csharpMethod
	foreign := false
	for _, u := range csharpUsings(w, s.File) {
		if u.alias != "" {
			continue
		}
		parts := csharpQualified(w, s.File, s.At, u.module, 0)
		foreign = foreign || u.static && len(parts) == 0
		for _, part := range parts {
			for _, r := range csharpOwn(s, csharpType{parts: []resolve.Ref{part}}, name) {
				if m := (csharpMethod{Ref: r}); r.Symbol().Kind.Callable() && m.takes(h) {
					fit = append(fit, m)
				}
			}
		}
	}
	switch {
	case len(fit) == 0:
		return csharpFound{}
	case foreign:
		return csharpFound{several: true}
	}
	return csharpChoose(w, s, fit, h)
}

// csharpMemberCall settles x.f(…).
func csharpMemberCall(w *resolve.World, s resolve.Scope, c *code.Call, h csharpHands) resolve.Verdict {
	x := csharpEval(s, w, resolve.ParseExpr(c.Receiver, csharpDialect))
	switch x.Kind {
	case resolve.Foreign:
		if x.Origin != resolve.Outside && csharpMayDeclare(w, c.Callee) {
			return resolve.Unresolved("what " + c.Receiver + " gives may be of the workspace")
		}
		return resolve.ExternalTo(x.Module)
	case resolve.Module:
		if _, guess := csharpExtension(w, s, csharpType{}, c.Callee, h); guess.Valid() {
			return resolve.Unresolved("the type of the receiver is not known")
		}
		return csharpOfName(w, s, x.Module)
	case resolve.Class, resolve.Instance:
	default:
		if _, guess := csharpExtension(w, s, csharpType{}, c.Callee, h); guess.Valid() && x.Kind == resolve.Unknown {
			return resolve.Resolved(guess, resolve.UniqueName, "the only extension method of that name in sight")
		}
		return resolve.Unresolved("the type of the receiver is not known")
	}
	found, extension := csharpMember(w, s, x.Type, c.Callee, h)
	how := x.How
	if how == "" || x.Kind == resolve.Class {
		how = resolve.TypedStatic
	}
	switch {
	case found.ok && extension:
		return resolve.Resolved(found.method.Ref, how, "extends "+csharpThis(found.method.Ref)).Directly()
	case found.ok && found.method.level > 0 && (c.Receiver == "this" || c.Receiver == "base"):
		return csharpDispatched(w, s, c, x, resolve.Resolved(found.method.Ref, resolve.Inherited, "declared in "+csharpFullName(found.method.Parent())))
	case found.ok && c.Receiver == "this":
		return csharpDispatched(w, s, c, x, resolve.Resolved(found.method.Ref, resolve.SameType, "a member of the type around"))
	case found.ok:
		return csharpDispatched(w, s, c, x, resolve.Resolved(found.method.Ref, how, "the receiver is a "+csharpBare(strings.TrimPrefix(x.Type.Text, "global::"))))
	case found.value.Valid():
		return resolve.ThroughValue("a member that holds a function")
	case found.several:
		return resolve.Unresolved("several overloads fit")
	case found.unsure:
		return resolve.Unresolved("a method of the workspace may extend the type of the receiver")
	}
	t := csharpResolve(w, x.Type)
	if found.misfit {
		return resolve.Unresolved("no overload is seen to fit")
	}
	switch {
	case t.known() && !found.foreign && !csharpOutside(w, t) && !csharpEverywhere[c.Callee]:
		return resolve.Unresolved("no such member is known")
	case t.known() && slices.Contains(t.parts[0].Symbol().Modifiers, "record") && csharpEverywhere[c.Callee]:
		return resolve.Unresolved("a member that the compiler gives the record " + t.parts[0].Symbol().Name)
	}
	if !t.known() && csharpUnclear(w, x.Type.File, x.Type.Scope, t.name) {
		return resolve.Unresolved("the workspace may declare " + t.name)
	}
	if t.known() || t.name != "" {
		return resolve.ExternalTo(t.name)
	}
	return resolve.Unresolved("the type of the receiver is not known")
}

// csharpMayDeclare reports whether a file declares a method of that name.
func csharpMayDeclare(w *resolve.World, name string) bool {
	rows, all := w.Named(name)
	return !all || slices.ContainsFunc(rows, func(row l2meta.Row) bool { return row.Language == "csharp" && row.Symbol.Kind.Callable() })
}

// csharpOfName is the verdict on a member of a type or a namespace that no file
// declares. Types are written in upper case; another name is of a value.
func csharpOfName(w *resolve.World, s resolve.Scope, name string) resolve.Verdict {
	if first, _ := utf8.DecodeRuneInString(name); unicode.IsLower(first) && !strings.Contains(name, "::") {
		return resolve.Unresolved("nothing in scope is called " + name)
	}
	if csharpUnclear(w, s.File, s.At, name) {
		return resolve.Unresolved("the workspace may declare " + name)
	}
	return resolve.ExternalTo("")
}

// csharpEverywhere are the members that every value has.
var csharpEverywhere = map[string]bool{"ToString": true, "Equals": true, "GetHashCode": true, "GetType": true, "MemberwiseClone": true, "ReferenceEquals": true}

// csharpMember finds the method that a call on a value, or through the name, of
// type t means: its own, or one that extends it.
func csharpMember(w *resolve.World, s resolve.Scope, t resolve.Type, name string, h csharpHands) (found csharpFound, extension bool) {
	k := csharpResolve(w, t)
	if k.known() {
		if found = csharpMethodOf(w, s, k, name, h); found.ok || found.value.Valid() || found.several {
			return found, false
		}
	}
	for _, b := range k.any {
		if bound := csharpResolve(w, b); bound.known() {
			if found = csharpMethodOf(w, s, bound, name, h); found.ok || found.value.Valid() || found.several {
				return found, false
			}
		}
	}
	if !k.known() && k.name == "" && len(k.any) == 0 {
		return found, false
	}
	e, _ := csharpExtension(w, s, k, name, h)
	if e.ok || e.several {
		return e, e.ok
	}
	found.unsure = e.unsure
	return found, false
}

func (Language) Implementations(w *resolve.World, r resolve.Ref) (out []resolve.Ref) {
	if !r.Parent().Valid() || !resolve.IsType(r.Parent().Symbol().Kind) || !csharpIsVirtual(r) {
		return nil
	}
	for _, sub := range csharpBelow(w, r.Parent()) {
		for _, m := range csharpSameMethod(sub, r) {
			if csharpOverrides(m, r) {
				out = append(out, m)
			}
		}
	}
	return out
}

// csharpDerives reports whether sub names base as one of its bases.
func csharpDerives(w *resolve.World, sub, base resolve.Ref) bool {
	bases, _ := csharpBases(w, csharpType{parts: []resolve.Ref{sub}})
	return slices.ContainsFunc(bases, func(b csharpType) bool { return slices.Contains(b.parts, base) })
}

// csharpSameMethod is the methods of t that have r's name and number of
// parameters.
func csharpSameMethod(t, r resolve.Ref) (out []resolve.Ref) {
	for _, i := range t.File.Children(t.Index) {
		if m := &t.File.Symbols[i]; m.Kind == code.KindMethod && m.Name == r.Symbol().Name && len(m.Parameters) == len(r.Symbol().Parameters) {
			out = append(out, t.File.Ref(i))
		}
	}
	return out
}

func (Language) Overridden(w *resolve.World, r resolve.Ref) (out []resolve.Ref) {
	if !r.Parent().Valid() || !resolve.IsType(r.Parent().Symbol().Kind) {
		return nil
	}
	for _, b := range csharpSupertypes(w, csharpResolve(w, csharpSelf(r.Parent())))[1:] {
		for _, part := range b.parts {
			out = append(out, csharpSameMethod(part, r)...)
		}
	}
	return out
}

func (Language) CallNames(_ *resolve.World, r resolve.Ref) []string {
	s := r.Symbol()
	if s.Kind == code.KindConstructor || resolve.IsType(s.Kind) {
		return []string{s.Name, strings.TrimSuffix(s.Name, "Attribute"), "base", "this"}
	}
	return []string{s.Name}
}
