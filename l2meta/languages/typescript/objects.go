package typescript

import (
	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
	"strings"
)

// thisAssigned returns the value that the methods of a class assign to this.name, if they agree.
func thisAssigned(w *resolve.World, f *resolve.File, class int, name string) (hit resolve.Value) {
	for _, method := range f.Children(class) {
		for _, fact := range f.FactsOf(method) {
			if fact.Name != "this."+name {
				continue
			}
			v := factValue(w, f, fact, fact.Name)
			switch {
			case v.Kind == resolve.Unknown:
			case hit.Kind == resolve.Unknown:
				hit = v
			case !same(hit, v):
				return resolve.Value{}
			}
		}
	}
	return hit
}

// objectMember returns the value of a key of an object literal. The extractor records the keys as
// facts and symbols of the symbol owner, below a path: key retry of path "options" is called
// "options.retry". The path of an object that a function returns starts with "return".
func objectMember(w *resolve.World, f *resolve.File, owner int, path, name string) resolve.Value {
	key := name
	if path != "" {
		key = path + "." + name
	}
	for _, fact := range f.FactsOf(owner) {
		if fact.Scope[1] == 0 && (fact.Name == key || path == "" && fact.Name == "this."+name) &&
			fact.Kind != code.FactAlias && fact.Kind != code.FactField {
			return factValue(w, f, fact, fact.Name)
		}
	}
	if hit := objectSymbol(f, owner, path, name); hit.Valid() {
		if hit.Symbol().Kind == code.KindProperty {
			return accessor(w, hit, nil)
		}
		return refValue(w, hit)
	}
	if path == "" && owner >= 0 {
		if v := attached(w, f.Ref(owner), name); v.Kind != resolve.Unknown {
			return v
		}
	}
	spread := "…"
	if path != "" {
		spread = path + ".…"
	}
	for _, fact := range f.FactsOf(owner) {
		if fact.Name == spread {
			if v := member(resolve.Scope{W: w, File: f, At: owner, Pos: fact.Span.StartByte}, factValue(w, f, fact, ""),
				name); v.Kind != resolve.Unknown {
				return v
			}
		}
	}
	return resolve.Value{}
}

// objectSymbol returns the function or class under a key of an object literal, which objectMember
// describes. It returns the zero Ref if there is none, or if several functions have this key.
func objectSymbol(f *resolve.File, owner int, path, name string) resolve.Ref {
	switch {
	case path == "return" || path == "this":
		path = ""
	case strings.HasPrefix(path, "return."):
		path = path[len("return."):]
	case strings.HasPrefix(path, "this."):
		path = path[len("this."):]
	}
	q := name
	if path != "" {
		q = path + "." + q
	}
	if owner >= 0 {
		q = f.Symbols[owner].QualifiedName + "." + q
	}
	hit := resolve.Ref{}
	for _, i := range f.Qualified(q) {
		switch k := f.Symbols[i].Kind; k {
		case code.KindMethod, code.KindClass, code.KindProperty:
			if hit.Valid() && k != code.KindProperty {
				return resolve.Ref{} // several functions have this key, perhaps in different objects
			}
			hit = f.Ref(i)
		}
	}
	return hit
}

// literalMember returns the property called name of an object type, such as { a: T }, by its text.
func literalMember(shape tsShape, name string) resolve.Value {
	text := shape.typ.Text
	for _, part := range properties(text[1 : len(text)-1]) {
		key, typ, ok := strings.Cut(part, ":")
		key = strings.Trim(strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(key), "readonly "), "?"), `"' `)
		if ok && key == name {
			return instance(shape.typ.With(strings.TrimSpace(typ)), resolve.TypedWritten)
		}
	}
	return resolve.Value{}
}

// literalIndex returns the type of the values of an object type with an index signature: T for {
// [key: string]: T }.
func literalIndex(shape tsShape) resolve.Type {
	text := shape.typ.Text
	for _, part := range properties(text[1 : len(text)-1]) {
		if part = strings.TrimPrefix(part, "readonly "); !strings.HasPrefix(part, "[") {
			continue
		}
		if end := closing(part, 0); end > 0 {
			if typ, ok := strings.CutPrefix(strings.TrimSpace(part[end+1:]), ":"); ok {
				return shape.typ.With(strings.TrimSpace(typ))
			}
		}
	}
	return resolve.Type{}
}

// properties splits an object type into its members.
func properties(text string) []string {
	return expr.SplitTypes(strings.ReplaceAll(text, ";", ","))
}
