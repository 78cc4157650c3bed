package resolve

import "sextant/internal/code"

// plain settles bare calls within one file: a function nested in what encloses
// the call, or the only top-level one of that name. It serves the languages
// that have no rules of their own.
type plain struct{}

func (plain) settle(_ *World, f *File, c *code.Call) Verdict {
	switch {
	case c.Receiver != "":
		return open("the type of " + c.Receiver + " is not known")
	case c.Kind == code.CallMacro:
		return open("a macro")
	}
	if _, facts := f.Bindings(c.Caller, c.Callee); len(facts) > 0 {
		return funcValue("a local value of that name hides any function")
	}
	for at := c.Caller; at >= 0; at = f.Symbols[at].Parent {
		if hit, ok := only(f, f.Children(at), c.Callee); ok && f.Symbols[at].Kind.Callable() {
			return settled(f.Ref(hit), SameScope, "declared in "+f.Symbols[at].QualifiedName)
		}
	}
	if hit, ok := only(f, f.Children(-1), c.Callee); ok {
		return settled(f.Ref(hit), SameFile, "the only top-level "+c.Callee+" of the file")
	}
	return open("not declared in the file, or more than once")
}

// only is the one callable of that name among symbols.
func only(f *File, symbols []int, name string) (hit int, ok bool) {
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

func (plain) implementations(*World, Ref) []Ref { return nil }
func (plain) overridden(*World, Ref) []Ref      { return nil }
func (plain) admits(*World, Ref, Ref) bool      { return false }

func (plain) callNames(_ *World, r Ref) []string { return []string{r.Symbol().Name} }
