package csharp

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

// Language resolves calls by namespaces, using directives and declared types. A type may be partial.
// The number of arguments selects the overload, and so do the types of the arguments as far as they
// are known:
//
//	void Save(int id); void Save(string name);
//	Save("a")   Save(string)
//
// An ambiguous call stays unresolved.
type Language struct{}

func (Language) Settle(w *resolve.World, f *resolve.File, c *code.Call) resolve.Verdict {
	s := resolve.Scope{W: w, File: f, At: c.Caller, Pos: c.NameSpan.StartByte}
	h := handsAt(f, c)
	switch c.Kind {
	case code.CallNew:
		return construct(w, s, c, h, c.Callee)
	case code.CallDecorator:
		if v := construct(w, s, c, h, c.Callee+"Attribute"); v.Outcome == resolve.Settled {
			return v
		}
		return construct(w, s, c, h, c.Callee)
	case code.CallSuper:
		if c.Receiver != "base" {
			return initializer(w, s, c, h)
		}
	}
	if c.Receiver == "" {
		return onSelf(w, s, bareCall(w, s, c, h))
	}
	return memberCall(w, s, c, h)
}

// handsAt returns the arguments of call c.
func handsAt(f *resolve.File, c *code.Call) hands {
	h := hands{count: c.Args}
	if c.Kind == code.CallReference {
		h.count, h.typeCount = -1, -1
		return h
	}
	facts := resolve.Memo(f, argumentsKey{}, func() map[int]string {
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
	if e := expr.Parse("f"+text, dialect); e.Op == expr.OpCall &&
		(len(e.Args) == c.Args || len(e.TypeArgs) > 0) {
		h.types, h.typeCount = e.TypeArgs, len(e.TypeArgs)
		if len(e.Args) == c.Args {
			h.args = e.Args
		}
	}
	return h
}

type argumentsKey struct{}

// construct resolves the construction of a type, new T(…) or an attribute [T(…)]: to its
// constructor, or to the type if it declares none or several fit.
func construct(w *resolve.World, s resolve.Scope, c *code.Call, h hands, name string) resolve.Verdict {
	if c.Receiver != "" {
		name = c.Receiver + "." + name
	}
	parts := qualified(w, s.File, s.At, name, max(h.typeCount, 0))
	if len(parts) == 0 {
		if _, ok := parameterOwner(s.File, s.At, name); ok {
			return resolve.Unresolved("a type parameter")
		}
		if len(decls(w, c.Callee)) == 0 {
			return resolve.ExternalTo("")
		}
		return resolve.Unresolved("no type " + name + " is in sight, or several are")
	}
	if c.Kind == code.CallDecorator { // an attribute's arguments may also set properties: [T(1, Name = "a")]
		return resolve.Resolved(parts[0], resolve.Constructed, "the attribute "+fullName(parts[0]))
	}
	return resolve.Resolved(constructor(w, s, parts, h), resolve.Constructed, "constructs "+fullName(parts[0]))
}

// constructor returns the constructor that the arguments select. It returns the type for a primary
// constructor, for a type without constructors, and if the arguments are ambiguous.
func constructor(w *resolve.World, s resolve.Scope, parts []resolve.Ref, h hands) resolve.Ref {
	var fit []method
	for _, part := range parts {
		if m := (method{Ref: part}); len(part.Symbol().Parameters) > 0 && m.takes(hands{count: h.count}) {
			fit = append(fit, m) // the type's primary constructor: class T(int id)
		}
		for _, i := range part.File.Children(part.Index) {
			m := method{Ref: part.File.Ref(i)}
			if k := m.Symbol(); k.Kind == code.KindConstructor && !slices.Contains(k.Modifiers, "static") &&
				m.takes(hands{count: h.count}) {
				fit = append(fit, m)
			}
		}
	}
	if len(fit) > 0 {
		if found := choose(w, s, fit, h); found.ok {
			return found.method.Ref
		}
	}
	return parts[0]
}

// initializer resolves the calls of constructors in ": base(…)" and ": this(…)", and in the header
// of a type: class B(int x) : A(x).
func initializer(w *resolve.World, s resolve.Scope, c *code.Call, h hands) resolve.Verdict {
	t := around(s.File, s.At)
	if t < 0 {
		return resolve.Unresolved("not in a type")
	}
	self := csharpResolve(w, self(s.File.Ref(t)))
	if c.Callee == "this" && self.known() {
		return resolve.Resolved(constructor(w, s, self.parts, h), resolve.SameType, "a constructor of its own type")
	}
	bases, foreign := bases(w, self)
	for _, b := range bases {
		if b.known() && !b.isInterface() {
			return resolve.Resolved(constructor(w, s, b.parts, h), resolve.Constructed,
				"a constructor of the base "+fullName(b.parts[0]))
		}
	}
	if foreign {
		return resolve.ExternalTo("")
	}
	return resolve.Unresolved("no base class is known")
}

// bareCall resolves f(…): a local function, a member of an enclosing type, or a member of a class
// that "using static" names.
func bareCall(w *resolve.World, s resolve.Scope, c *code.Call, h hands) resolve.Verdict {
	if fact := local(s, c.Callee); fact != nil {
		return resolve.ThroughValue("a local value")
	}
	found, level := findBare(w, s, c.Callee, h)
	switch {
	case found.ok && found.method.Symbol().Kind == code.KindFunction:
		return resolve.Resolved(found.method.Ref, resolve.SameScope, "a local function")
	case found.ok && level == byUsing:
		return resolve.Resolved(found.method.Ref, resolve.Imported, "using static "+fullName(found.method.Parent()))
	case found.ok && found.method.level == 0:
		return resolve.Resolved(found.method.Ref, resolve.SameType, "a member of the type around")
	case found.ok:
		return resolve.Resolved(found.method.Ref, resolve.Inherited, "declared in "+fullName(found.method.Parent()))
	case found.value.Valid():
		return settleMember(s, found.value, "")
	case found.several:
		return resolve.Unresolved("several overloads fit")
	case found.library:
		return resolve.ExternalTo("")
	case found.misfit:
		return resolve.Unresolved("no overload is seen to fit")
	case found.foreign:
		return resolve.Unresolved("a base class is outside of the workspace")
	}
	return resolve.ExternalTo("")
}

const byUsing = 1

// unqualified returns the method that a call without a receiver, F(), calls. It is findBare
// without the second result.
func unqualified(w *resolve.World, s resolve.Scope, name string, h hands) csharpFound {
	found, _ := findBare(w, s, name, h)
	return found
}

// findBare finds the method that F() calls: a local function around the call, else a method of the types
// around it, innermost first, else a method that a "using static" directive brings into scope. In this last
// case by is byUsing, otherwise 0.
func findBare(w *resolve.World, s resolve.Scope, name string, h hands) (found csharpFound, by int) {
	for at := s.At; at >= -1; at = s.File.Symbols[at].Parent {
		for _, i := range s.File.Children(at) {
			if m := &s.File.Symbols[i]; m.Kind == code.KindFunction && m.Name == name {
				return csharpFound{ok: true, method: method{Ref: s.File.Ref(i)}}, 0
			}
		}
		if at < 0 {
			break
		}
	}
	for t := around(s.File, s.At); t >= 0; t = s.File.Type(t) {
		self := csharpResolve(w, self(s.File.Ref(t)))
		if !self.known() {
			return csharpFound{several: true}, 0
		}
		if found = methodOf(w, s, self, name, h); found.ok || found.value.Valid() || found.several || found.misfit ||
			found.foreign || found.library {
			return found, 0
		}
	}
	return findUsed(w, s, name, h), byUsing
}

// findUsed finds the method called name among those of the classes that "using static" directives name. If
// a class of the workspace has it and one outside the workspace has or may have it, too, the result is
// several; if only a class of the library has it, the result is library.
func findUsed(w *resolve.World, s resolve.Scope, name string, h hands) csharpFound {
	var fit []method
	foreign, library := false, csharpFound{}
	for _, u := range usings(w, s.File) {
		if u.alias != "" {
			continue
		}
		parts := qualified(w, s.File, s.At, u.module, 0)
		foreign = foreign || u.static && len(parts) == 0
		if on, ok := usedStatically(w, u, parts, name, h); ok && !foreign {
			library = csharpFound{library: true, on: on}
		}
		for _, part := range parts {
			for _, r := range own(s, csharpType{parts: []resolve.Ref{part}}, name) {
				if m := (method{Ref: r}); r.Symbol().Kind.Callable() && m.takes(h) {
					fit = append(fit, m)
				}
			}
		}
	}
	switch {
	case len(fit) == 0:
		return library
	case foreign || library.library:
		return csharpFound{several: true}
	}
	return choose(w, s, fit, h)
}

// usedStatically returns the library type that a using static names, if it has a method of that
// name: using static System.Math. It returns false otherwise.
func usedStatically(w *resolve.World, u using, parts []resolve.Ref, name string, h hands) (resolve.Type, bool) {
	dot := strings.LastIndexByte(u.module, '.')
	if len(parts) > 0 || dot < 0 {
		return resolve.Type{}, false
	}
	typ := tabled(u.module[dot+1:], 0)
	if typ == nil || typ.Package != u.module[:dot] {
		return resolve.Type{}, false
	}
	t := csharpType{name: typ.Name, lib: typ}
	_, ok := tabledOwn(w, t, name, h.count)
	return t.written(), ok && !everywhere[name]
}

// memberCall resolves x.f(…).
func memberCall(w *resolve.World, s resolve.Scope, c *code.Call, h hands) resolve.Verdict {
	x := eval(s, w, expr.Parse(c.Receiver, dialect))
	switch x.Kind {
	case resolve.Foreign:
		if x.Origin != resolve.Outside && mayDeclare(w, c.Callee) {
			return resolve.Unresolved("what " + c.Receiver + " gives may be of the workspace")
		}
		return resolve.ExternalTo(x.Module)
	case resolve.Module:
		if _, guess := csharpExtension(w, s, csharpType{}, c.Callee, h); guess.Valid() {
			return resolve.Unresolved("the type of the receiver is not known")
		}
		return ofName(w, s, x.Module)
	case resolve.Class, resolve.Instance:
	default:
		if _, guess := csharpExtension(w, s, csharpType{}, c.Callee, h); guess.Valid() && x.Kind == resolve.Unknown {
			return resolve.Resolved(guess, resolve.UniqueName, "the only extension method of that name in sight")
		}
		return resolve.Unresolved("the type of the receiver is not known")
	}
	if held := invokes(w, c, x); held.Valid() {
		return settleMember(s, held, x.How)
	}
	if t := csharpResolve(w, x.Type); t.lib != nil && x.Kind == resolve.Class {
		return resolve.ExternalTo(t.lib.Package) // an extension method cannot be called on a type
	}
	found, extension := member(w, s, x.Type, c.Callee, h)
	how := x.How
	if how == "" || x.Kind == resolve.Class {
		how = resolve.TypedStatic
	}
	switch {
	case found.ok && extension:
		return resolve.Resolved(found.method.Ref, how, "extends "+this(found.method.Ref)).Directly()
	case found.ok && found.method.level > 0 && (c.Receiver == "this" || c.Receiver == "base"):
		return dispatched(w, s, c, x, resolve.Resolved(found.method.Ref, resolve.Inherited,
			"declared in "+fullName(found.method.Parent())))
	case found.ok && c.Receiver == "this":
		return dispatched(w, s, c, x, resolve.Resolved(found.method.Ref, resolve.SameType,
			"a member of the type around"))
	case found.ok:
		return dispatched(w, s, c, x, resolve.Resolved(found.method.Ref, how,
			"the receiver is a "+bare(strings.TrimPrefix(x.Type.Text, "global::"))))
	case found.value.Valid():
		return settleMember(s, found.value, how)
	case found.several:
		return resolve.Unresolved("several overloads fit")
	case found.library:
		return resolve.ExternalTo("")
	case found.unsure:
		return resolve.Unresolved("a method of the workspace may extend the type of the receiver")
	case found.misfit:
		return resolve.Unresolved("no overload is seen to fit")
	}
	return withoutMethod(w, c, x, found.foreign)
}

// withoutMethod resolves x.f(…) or T.f(…) if the workspace declares no method f for the type of the
// receiver: to a library, or not at all. foreign is set if a base outside the workspace may declare
// f.
func withoutMethod(w *resolve.World, c *code.Call, x resolve.Value, foreign bool) resolve.Verdict {
	t := csharpResolve(w, x.Type)
	switch {
	case t.known() && !foreign && !foreignBase(w, t) && !everywhere[c.Callee]:
		return resolve.Unresolved("no such member is known")
	case t.known() && slices.Contains(t.parts[0].Symbol().Modifiers, "record") && everywhere[c.Callee]:
		return resolve.Unresolved("a member that the compiler gives the record " + t.parts[0].Symbol().Name)
	}
	if !t.known() && x.Type.Scope != inLibrary && unclear(w, x.Type.File, x.Type.Scope, t.name) {
		return resolve.Unresolved("the workspace may declare " + t.name)
	}
	if t.known() || t.name != "" {
		return resolve.ExternalTo(t.name)
	}
	return resolve.Unresolved("the type of the receiver is not known")
}

// mayDeclare reports whether a C# file may declare a method of that name.
func mayDeclare(w *resolve.World, name string) bool {
	rows, all := w.Named(name)
	return !all || slices.ContainsFunc(rows, func(row l2meta.Declaration) bool {
		return row.Language == "csharp" && row.Kind.Callable()
	})
}

// ofName resolves name.f(…), where name denotes neither a type nor a namespace of the workspace. Names of
// types start with a capital, so a lower-case name is that of an unknown value; others are external.
func ofName(w *resolve.World, s resolve.Scope, name string) resolve.Verdict {
	if first, _ := utf8.DecodeRuneInString(name); unicode.IsLower(first) && !strings.Contains(name, "::") {
		return resolve.Unresolved("nothing in scope is called " + name)
	}
	if unclear(w, s.File, s.At, name) {
		return resolve.Unresolved("the workspace may declare " + name)
	}
	return resolve.ExternalTo("")
}

// everywhere lists the members that every value inherits from object.
var everywhere = map[string]bool{"ToString": true, "Equals": true, "GetHashCode": true, "GetType": true,
	"MemberwiseClone": true, "ReferenceEquals": true}

// member finds the method called name that a call calls on a value of type t, x.f(…), or on t itself,
// T.f(…): a method of t or, with extension set, an extension method.
func member(w *resolve.World, s resolve.Scope, t resolve.Type, name string,
	h hands) (found csharpFound, extension bool) {
	k := csharpResolve(w, t)
	if k.known() {
		if found = methodOf(w, s, k, name, h); found.ok || found.value.Valid() || found.several {
			return found, false
		}
	}
	for _, b := range k.any {
		if bound := csharpResolve(w, b); bound.known() {
			if found = methodOf(w, s, bound, name, h); found.ok || found.value.Valid() || found.several {
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
	if !r.Parent().Valid() || !resolve.IsType(r.Parent().Symbol().Kind) || !isVirtual(r) {
		return nil
	}
	for _, sub := range below(w, r.Parent()) {
		for _, m := range sameMember(sub, r) {
			if overrides(m, r) && (m.Symbol().Kind == code.KindMethod || m.Symbol().Computed) &&
				sameParameters(w, m, r, nil) {
				out = append(out, m)
			}
		}
	}
	return out
}

// derives reports whether sub names base as a base type.
func derives(w *resolve.World, sub, base resolve.Ref) bool {
	bases, _ := bases(w, csharpType{parts: []resolve.Ref{sub}})
	return slices.ContainsFunc(bases, func(b csharpType) bool { return slices.Contains(b.parts, base) })
}

// sameMember returns the methods of t with r's name and number of parameters, or the properties with
// the name of property r.
func sameMember(t, r resolve.Ref) (out []resolve.Ref) {
	for _, i := range t.File.Children(t.Index) {
		m := &t.File.Symbols[i]
		if m.Kind == r.Symbol().Kind && m.Name == r.Symbol().Name && len(m.Parameters) == len(r.Symbol().Parameters) {
			out = append(out, t.File.Ref(i))
		}
	}
	return out
}

func (Language) Overridden(w *resolve.World, r resolve.Ref) (out []resolve.Ref) {
	if !r.Parent().Valid() || !resolve.IsType(r.Parent().Symbol().Kind) {
		return nil
	}
	for _, b := range supertypes(w, csharpResolve(w, self(r.Parent())))[1:] {
		for _, part := range b.parts {
			out = append(out, sameMember(part, r)...)
		}
	}
	return out
}

func (Language) CallNames(w *resolve.World, r resolve.Ref) []string {
	s := r.Symbol()
	if s.Kind == code.KindConstructor || resolve.IsType(s.Kind) {
		return []string{s.Name, strings.TrimSuffix(s.Name, "Attribute"), "base", "this"}
	}
	if (Language{}).HoldsFunction(w, r) {
		return []string{s.Name, "Invoke"} // Done?.Invoke(1)
	}
	return []string{s.Name}
}
