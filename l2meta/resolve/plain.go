package resolve

import "sextant/internal/code"

// Plain resolves bare calls within one file, to a function nested in a scope around the call or to
// the only top-level function of that name. It serves the languages that have no rules of their
// own.
type Plain struct{}

// Settle resolves a bare call within f. A call with a receiver, and one of a macro, stay open.
func (Plain) Settle(_ *World, f *File, c *code.Call) Verdict {
	switch {
	case c.Receiver != "":
		return Unresolved("the type of " + c.Receiver + " is not known")
	case c.Kind == code.CallMacro:
		return Unresolved("a macro")
	}
	if _, facts := f.Bindings(c.Caller, c.Callee); len(facts) > 0 {
		return ThroughValue("a local value of that name hides any function")
	}
	for at := c.Caller; at >= 0; at = f.Symbols[at].Parent {
		if hit, ok := Only(f, f.Children(at), c.Callee); ok && f.Symbols[at].Kind.Callable() {
			return Resolved(f.Ref(hit), SameScope, "declared in "+f.Symbols[at].QualifiedName)
		}
	}
	if hit, ok := Only(f, f.Children(-1), c.Callee); ok {
		return Resolved(f.Ref(hit), SameFile, "the only top-level "+c.Callee+" of the file")
	}
	return Unresolved("not declared in the file, or more than once")
}

// Only returns the one callable of that name among symbols; false if there is none or several.
func Only(f *File, symbols []int, name string) (hit int, ok bool) {
	for _, i := range symbols {
		if s := &f.Symbols[i]; s.Name == name && s.Kind.Callable() {
			if ok {
				return 0, false
			}
			hit, ok = i, true
		}
	}
	return hit, ok
}

func (Plain) Implementations(*World, Ref) []Ref { return nil }
func (Plain) Overridden(*World, Ref) []Ref      { return nil }
func (Plain) Admits(*World, Ref, Ref) bool      { return false }

func (Plain) CallNames(_ *World, r Ref) []string { return []string{r.Symbol().Name} }
