package cfamily

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

// Language resolves calls in C and C++: names visible through the includes of a file, in the scopes
// around the call; members by the declared types of their receivers; overloads by the number of
// arguments. The declaration and the definition of a function are the same target, represented by
// the definition.
type Language struct{}

func (Language) Settle(w *resolve.World, f *resolve.File, c *code.Call) resolve.Verdict {
	s := resolve.Scope{W: w, File: f, At: c.Caller, Pos: c.NameSpan.StartByte}
	switch {
	case c.Kind == code.CallNew || c.Kind == code.CallSuper:
		return settleConstruction(s, c)
	case c.Receiver == "" || isPath(s, c):
		return settlePath(s, c)
	case f.Language == "c":
		return settlePointer(s, c)
	}
	return settleMember(s, c)
}

// isPath reports whether a call's receiver is a scope, "a::b", rather than a value.
func isPath(s resolve.Scope, c *code.Call) bool {
	if s.File.Language == "c" || strings.ContainsAny(c.Receiver, "()[].") || strings.Contains(c.Receiver, "->") {
		return false
	}
	if strings.Contains(c.Receiver, "::") || strings.Contains(c.Receiver, "<") {
		return true
	}
	if c.NameSpan.StartByte-c.Span.StartByte-len(c.Receiver) != 2 || c.Receiver == "this" {
		return false
	}
	return nameValue(s, c.Receiver, 2).Kind == resolve.Unknown && local(s.File, s.At, s.Pos, c.Receiver) == nil
}

// callees resolves the path of a call, a::f, to functions or to the type that the call
// constructs. how describes the path in messages. strategy is "" for functions that are not
// members.
func callees(s resolve.Scope, segments []string) (refs []resolve.Ref, strategy resolve.Strategy, how string) {
	how = "the name " + strings.Join(segments, "::")
	name := segments[len(segments)-1]
	if len(segments) == 1 {
		for _, class := range classesAround(s.W, s.File, s.At) {
			if refs, inherited := members(s.W, class, name, 6); len(refs) > 0 {
				refs = byConst(refs, ownConst(s))
				if inherited {
					return refs, resolve.Inherited, how
				}
				return refs, resolve.SameType, how
			}
		}
	} else if seen := see(s.W, resolve.Type{Text: strings.Join(segments[:len(segments)-1], "::"), File: s.File,
		Scope: s.At}); seen.class.Valid() {
		refs, _ := members(s.W, seen.class, name, 6)
		return refs, resolve.TypedStatic, how
	}
	refs = find(s.W, s.File, s.At, segments, func(r resolve.Ref) bool {
		return r.Symbol().Kind == code.KindFunction || resolve.IsType(r.Symbol().Kind)
	})
	functions := slices.DeleteFunc(slices.Clone(refs), func(r resolve.Ref) bool { return !isFunction(r) })
	if len(functions) > 0 {
		return functions, "", how
	}
	return refs, resolve.Constructed, how
}

// settlePath resolves f(), A::f() and the construction A(…). If f is a field of an enclosing class,
// the call resolves to the field, which holds a function.
func settlePath(s resolve.Scope, c *code.Call) resolve.Verdict {
	segments := append(resolve.SplitPath(c.Receiver), c.Callee)
	if len(segments) == 1 {
		if v, ok := settleGlobal(s, c); ok {
			return v
		}
		if local(s.File, s.At, s.Pos, c.Callee) != nil {
			return resolve.ThroughValue("a local value")
		}
		if class := ownField(s, c.Callee); class.Valid() {
			return settleField(s.W, class, c.Callee, resolve.SameType)
		}
		if v, ok := settleMacro(s, c); ok {
			return v
		}
	}
	if segments[0] == "std" {
		return resolve.ExternalTo("std")
	}
	refs, strategy, how := callees(s, segments)
	if len(refs) == 0 {
		return notFound(s, c, segments, how)
	}
	if resolve.IsType(refs[0].Symbol().Kind) {
		return construct(s, segments, c.Args, how)
	}
	v := verdict(s, refs, c.Args, strategy, how)
	if len(segments) > 1 {
		return v.Directly() // B::f(…)
	}
	return onSelf(s, v)
}

// ownField returns the innermost enclosing class that has a field called name. It returns the zero
// Ref if a class at least as near has a function of that name.
func ownField(s resolve.Scope, name string) resolve.Ref {
	for _, class := range classesAround(s.W, s.File, s.At) {
		if refs, _ := members(s.W, class, name, 6); len(refs) > 0 {
			return resolve.Ref{}
		}
		if _, ok := field(s.W, class, name, 6); ok {
			return class
		}
	}
	return resolve.Ref{}
}

// settleGlobal resolves ::f(…). The span of the call includes the "::" before the name. It returns
// false for other calls.
func settleGlobal(s resolve.Scope, c *code.Call) (resolve.Verdict, bool) {
	if s.File.Language == "c" || c.NameSpan.StartByte-c.Span.StartByte != 2 {
		return resolve.Verdict{}, false
	}
	refs := qualified(declared(s.W, s.File, c.Callee), c.Callee, isFunction)
	if len(refs) == 0 {
		return notFound(s, c, []string{c.Callee}, "the global name "+c.Callee), true
	}
	return verdict(s, refs, c.Args, "", "the global name "+c.Callee), true
}

// notFound returns the result for a call of a name that refers to no function visible in the file.
// how describes the name in the evidence.
func notFound(s resolve.Scope, c *code.Call, segments []string, how string) resolve.Verdict {
	if len(find(s.W, s.File, s.At, segments, isVariable)) > 0 {
		return resolve.ThroughValue("a variable of that name")
	}
	switch {
	case len(segments) == 1 && librarySees(s.W, s.File, c.Callee) && !replaced(s.W, s.File, c.Callee):
		return resolve.ExternalTo("") // free(p) with <stdlib.h>, even if a file that is not included declares a free
	case slices.ContainsFunc(named(s.W, c.Callee), isCallable):
		return resolve.Unresolved(how + ": not declared in what the file includes")
	case !isOfLibrary(c.Callee) && isHidden(s.W, s.File, c.Callee):
		return resolve.Unresolved(how + ": a macro, or text that is not readable, may declare it")
	}
	return resolve.ExternalTo("")
}

// replaced reports whether the workspace may replace the C library's function called name for calls
// in f: f sees a declaration of its own, or the workspace has a definition that the linker would
// use.
func replaced(w *resolve.World, f *resolve.File, name string) bool {
	return slices.ContainsFunc(declared(w, f, name), isFree) ||
		slices.ContainsFunc(named(w, name), func(r resolve.Ref) bool {
			return r.Symbol().Kind == code.KindFunction && hasBody(r) && !isStatic(r) && isFree(r) &&
				r.Symbol().QualifiedName == name
		})
}

// settleMacro resolves a call of a macro with parameters that is visible in the file; false if
// there is none. If a function or another macro of that name is visible, too, the call remains
// unresolved, because #if decides which one exists.
func settleMacro(s resolve.Scope, c *code.Call) (resolve.Verdict, bool) {
	var macros, others, aliases []resolve.Ref
	for _, r := range declared(s.W, s.File, c.Callee) {
		switch {
		case r.Symbol().Kind == code.KindMacro:
			macros = append(macros, r)
		case r.Symbol().Kind == code.KindFunction:
			others = append(others, r)
		case r.Symbol().Kind == code.KindConstant && r.Symbol().Parent < 0 && isDefine(r):
			aliases = append(aliases, r)
		}
	}
	switch {
	case len(aliases) > 0 && len(macros)+len(others) == 0 && isOfLibrary(c.Callee) && leadOutside(s.W, aliases):
		return resolve.ExternalTo(""), true
	case len(aliases) > 0:
		return resolve.Unresolved("a macro that stands for another name"), true
	case len(macros) == 0:
		return resolve.Verdict{}, false
	case isOfLibrary(c.Callee):
		return resolve.Unresolved("a macro for what the C library has, too; conditions decide"), true
	case len(macros) > 1:
		return resolve.Unresolved("several macros of that name"), true
	case len(others) > 0:
		return resolve.Unresolved("a macro and a function of that name"), true
	}
	strategy := resolve.Imported
	if macros[0].File == s.File {
		strategy = resolve.SameFile
	}
	return resolve.Resolved(macros[0], strategy, "the macro "+c.Callee), true
}

// leadOutside reports whether each macro in aliases expands to a name that the workspace does not
// declare. If #define close _close exists for one system only, a call of close leaves the
// workspace on that system and on all others.
func leadOutside(w *resolve.World, aliases []resolve.Ref) bool {
	return !slices.ContainsFunc(aliases, func(r resolve.Ref) bool {
		other := standsFor(r)
		return other == "" || slices.ContainsFunc(named(w, other), isCallable)
	})
}

// standsFor returns the name to which a macro expands: _close for #define close _close. It
// returns "" if the macro expands to anything else.
func standsFor(r resolve.Ref) string {
	for _, fact := range r.File.FactsOf(-1) {
		if fact.Kind == code.FactHidden && fact.Span.StartLine == r.Symbol().NameSpan.StartLine &&
			!strings.Contains(fact.Name, "*") {
			return fact.Name
		}
	}
	return ""
}

// isDefine reports whether a constant is a macro, which has no declared type.
func isDefine(r resolve.Ref) bool { return r.Symbol().Returns == "" }

// verdict resolves a call to the only function in refs that accepts args arguments. The call
// remains unresolved if none or several do. how describes the name in the evidence.
func verdict(s resolve.Scope, refs []resolve.Ref, args int, strategy resolve.Strategy, how string) resolve.Verdict {
	if s.File.Language == "c" {
		args = -1
	}
	if own := ofFile(refs, s.File); strategy == "" && len(own) > 0 {
		refs = own // a call in this file runs its static function, or the definition in this file
	}
	fit := overload(s.W, refs, args)
	switch {
	case strategy == "" && isOfLibrary(refs[0].Symbol().Name):
		return resolve.Unresolved(how + ": the C library has one, too; conditions decide")
	case len(fit) == 0:
		return resolve.Unresolved(how + ": no declaration takes so many arguments")
	case len(fit) > 1:
		return resolve.Unresolved(how + ": several declarations fit")
	case ambiguous(s.W, fit[0]):
		return resolve.Unresolved(how + ": defined more than once")
	}
	if strategy == "" {
		strategy = resolve.Imported
		if fit[0].File == s.File {
			strategy = resolve.SameFile
		}
	}
	return resolve.Resolved(fit[0], strategy, how)
}

// ofFile returns the functions in refs that f defines.
func ofFile(refs []resolve.Ref, f *resolve.File) (out []resolve.Ref) {
	for _, r := range refs {
		if r.File == f && hasBody(r) {
			out = append(out, r)
		}
	}
	return out
}

func settleConstruction(s resolve.Scope, c *code.Call) resolve.Verdict {
	segments := append(resolve.SplitPath(c.Receiver), c.Callee)
	return construct(s, segments, c.Args, "the type "+strings.Join(segments, "::"))
}

// construct resolves the construction of a type: to the only constructor that fits, else to the
// type. how describes the name in the evidence.
func construct(s resolve.Scope, segments []string, args int, how string) resolve.Verdict {
	if segments[0] == "std" {
		return resolve.ExternalTo("std")
	}
	seen := see(s.W, resolve.Type{Text: strings.Join(segments, "::"), File: s.File, Scope: s.At})
	if !seen.class.Valid() {
		if seen.foreign != "" {
			return resolve.ExternalTo("std")
		}
		if !slices.ContainsFunc(named(s.W, segments[len(segments)-1]), func(r resolve.Ref) bool {
			return resolve.IsType(r.Symbol().Kind)
		}) {
			return resolve.ExternalTo("")
		}
		return resolve.Unresolved(how + ": not found in what the file includes")
	}
	constructors, _ := members(s.W, seen.class, seen.class.Symbol().Name, 0)
	if fit := overload(s.W, constructors, args); len(fit) == 1 {
		return resolve.Resolved(fit[0], resolve.Constructed, how)
	}
	return resolve.Resolved(seen.class, resolve.Constructed, how)
}

// settleMember resolves x.f() and x->f() by the class of x. If white space around the separator
// hides whether it is "." or "->", settleMember tries both.
func settleMember(s resolve.Scope, c *code.Call) resolve.Verdict {
	how := "a member of " + c.Receiver
	sep := "."
	if between := c.NameSpan.StartByte - c.Span.StartByte - len(c.Receiver); between == 2 {
		sep = "->"
	} else if between != 1 {
		sep = "?"
	}
	e := expr.Parse(c.Receiver, dialect)
	x := eval(s, e, maxExpr)
	class, ok := classOf(s.W, x, sep)
	if !ok && sep == "?" {
		class, ok = classOf(s.W, x, "->")
	}
	if !ok {
		return noClass(s, x, c, how)
	}
	refs, inherited := members(s.W, class, c.Callee, 6)
	if len(refs) == 0 {
		if _, ok := field(s.W, class, c.Callee, 6); ok {
			return settleField(s.W, class, c.Callee, x.How)
		}
		if openBases(s.W, class, 4) && !slices.ContainsFunc(named(s.W, c.Callee), isFunction) &&
			!isHidden(s.W, s.File, c.Callee) {
			return resolve.ExternalTo("")
		}
		return resolve.Unresolved(how + ": its class declares none of that name")
	}
	strategy := x.How
	if inherited && strategy == resolve.SameType {
		strategy = resolve.Inherited
	}
	v := verdict(s, byConst(refs, constOf(s, x, e)), c.Args, strategy, how)
	return on(s.W, v.DirectlyIf(sep == "." && isObject(s, e)), class)
}

// noClass returns the result for a call of a member of x, whose type is no class of the workspace.
func noClass(s resolve.Scope, x resolve.Value, c *code.Call, how string) resolve.Verdict {
	if x.Kind == resolve.Instance && see(s.W, x.Type).foreign != "" {
		return resolve.ExternalTo("std")
	}
	if !slices.ContainsFunc(named(s.W, c.Callee), isFunction) && !isHidden(s.W, s.File, c.Callee) {
		return resolve.ExternalTo("")
	}
	return resolve.Unresolved("the type of " + c.Receiver + " is not known")
}

func (Language) CallNames(_ *resolve.World, r resolve.Ref) []string { return []string{r.Symbol().Name} }
