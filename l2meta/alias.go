package l2meta

import (
	"strings"

	"sextant/internal/code"
)

// Alias says that a file calls the declaration named Of also by Name: {"url", "resolveUrl"} for the
// source `url = resolveUrl`. The declaration may be in another file.
type Alias struct{ Name, Of string }

// Aliases returns the alternative names under which code may call declarations of f or of files
// that f imports. These names come from assignments, `store = save`, from types, `type M = Real`,
// and from variables of a type with a call operator, `q: Query`. A name counts if f calls it. It
// also counts without a call if other files may use it: if it is bound outside of functions or is
// the member of an object.
func Aliases(f *code.File) (out []Alias) {
	called, bare, declared := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for i := range f.Imports {
		declared[f.Imports[i].Name], declared[f.Imports[i].Alias] = true, true
	}
	for i := range f.Calls {
		c := &f.Calls[i]
		called[c.Callee] = true
		bare[c.Callee] = bare[c.Callee] || c.Receiver == ""
	}
	for i := range f.Symbols {
		if k := f.Symbols[i].Kind; k.Callable() || k == code.KindClass {
			declared[f.Symbols[i].Name] = true
		}
	}
	for i := range f.Facts {
		fact := &f.Facts[i]
		name, of := LastOfPath(fact.Name), ""
		outside := fact.Owner < 0 || !f.Symbols[fact.Owner].Kind.Callable()
		switch fact.Kind {
		case code.FactAssign:
			if of = LastOfPath(fact.Type); of == "" && called[name] {
				of = madeOf(fact.Type)
			}
			root, _, _ := strings.Cut(fact.Type, ".")
			// for example, const app = { has: store.exists }; return app
			member := name != fact.Name && declared[root]
			if !called[name] && !member && !(outside && (declared[of] || of != fact.Type)) {
				continue
			}
		case code.FactAlias: // for example, type M = Real
			if of = TypeName(fact.Type); strings.HasPrefix(fact.Type, "(") {
				of = LastOfPath(fact.Type)
			}
			// A Ruby method may declare an alias: alias_method :strict, :check!
			if fact.Owner >= 0 && f.Symbols[fact.Owner].Kind.Callable() && f.Symbols[fact.Owner].Name == fact.Name {
				of = strings.Trim(fact.Type, `:"'`)
			}
			if name == "" && fact.Owner >= 0 {
				name = f.Symbols[fact.Owner].Name
			}
		case code.FactParam, code.FactVar, code.FactField: // `q: Query`, where q() calls Query.invoke
			if like, ok := strings.CutPrefix(fact.Type, "typeof "); ok && outside { // hydrate: f as typeof f
				of = LastOfPath(like)
			} else if of = TypeName(fact.Type); !called[name] {
				continue
			} else if fact.Kind != code.FactField && !outside && !bare[name] {
				continue // in fn merge(old: Self, new: Self), Vec::new() does not call the parameter
			}
		}
		if name != "" && of != "" && name != of {
			out = append(out, Alias{name, of})
		}
	}
	return out
}

// madeOf returns the class of the object that an expression constructs: "Counter" for
// `Counter()`, as in `counter = Counter(); counter(1)`. It returns "" for any other expression.
func madeOf(text string) string {
	for strings.HasPrefix(text, "(at ") { // a block in Scala: { …; new Counter() }
		_, text, _ = strings.Cut(strings.TrimSuffix(text[len("(at "):], ")"), " ")
	}
	if of, ok := strings.CutPrefix(text, `(new "`); ok { // a constructor call in Scala
		of, _, _ = strings.Cut(of, `"`)
		return TypeName(of)
	}
	callee, _, ok := strings.Cut(text, "(")
	if of := LastOfPath(callee); ok && strings.HasSuffix(text, ")") && of != "" && of[0] >= 'A' && of[0] <= 'Z' {
		return of
	}
	return ""
}

// LastOfPath returns the last name of a path, which may start with a call or a cast: "c" for
// "a.b.c", "name" for "f(x).name". It returns "" for any other expression.
func LastOfPath(text string) string {
	if scala := strings.HasPrefix(text, "(n ") ||
		strings.HasPrefix(text, "(. "); scala && !strings.Contains(text, "(call") {
		text = strings.TrimRight(text[strings.LastIndexByte(text, ' ')+1:], ")") // (. (n a) b) is the form of a.b
	}
	if i := strings.LastIndex(text, ")."); i >= 0 {
		text = text[i+1:] // for example, f(x).name or (x as T).name
	}
	start := 0
	for i := range len(text) {
		switch c := text[i]; {
		case c == '.' || c == ':' || c == '\\':
			start = i + 1
		case c != '_' && c != '$' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c < 0x80:
			return ""
		}
	}
	return text[start:]
}
