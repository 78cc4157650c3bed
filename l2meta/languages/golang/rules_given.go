package golang

import (
	"slices"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/syntax"
)

// This file records which functions a program stores in fields, each as a code.FactGiven. The
// second column shows the Name of that fact, which identifies the field:
//
//	server{handle: serve}        (server{}).handle
//	[]server{{handle: serve}}    ([]server{}[0]).handle
//	server{serve}                server#0
//	s.handle = serve             (s).handle

// composite records the functions in a composite literal.
func composite(w *syntax.Walk, n syntax.Node) {
	typ, body := w.Field(n, "type"), w.Field(n, "body")
	switch w.Kind(typ) {
	case "type_identifier", "qualified_type", "generic_type":
		giveFields(w, text(w, typ)+"{}", text(w, typ), body)
	case "slice_type", "array_type", "map_type", "implicit_length_array_type":
		giveElements(w, text(w, typ)+"{}[0]", body)
	}
	w.Children(n)
}

// giveElements records the functions in the elements of a slice, array or map whose element type is
// omitted, as in []server{{handle: serve}}. value is an expression for an element, as text.
func giveElements(w *syntax.Walk, value string, body syntax.Node) {
	for c := range w.Named(body) {
		if w.Is(c, "keyed_element") {
			c = element(w, c, "value")
		}
		if w.Is(c, "literal_element") {
			c = w.FirstNamed(c)
		}
		if w.Is(c, "literal_value") {
			giveFields(w, value, "", c)
		}
	}
}

// element returns the key or the value of a keyed element; field is "key" or "value".
func element(w *syntax.Walk, n syntax.Node, field string) syntax.Node {
	c := w.Field(n, field)
	if c < 0 { // older grammars have neither field
		for c = range w.Named(n) {
			if field == "key" {
				break
			}
		}
	}
	if w.Is(c, "literal_element") {
		return w.FirstNamed(c)
	}
	return c
}

// giveFields records the functions in the composite literal of a struct. value is an expression for
// the struct, and typ its type, as text. Without typ it skips elements without a key.
func giveFields(w *syntax.Walk, value, typ string, body syntax.Node) {
	at := 0
	for c := range w.Named(body) {
		switch {
		case w.Is(c, "keyed_element"):
			if key := element(w, c, "key"); w.Is(key, "identifier", "field_identifier") {
				give(w, "("+value+")."+w.Str(key), element(w, c, "value"))
			}
		case w.Is(c, "literal_element"):
			if typ != "" {
				give(w, code.PlaceAt(at).Of(typ), w.FirstNamed(c))
			}
			at++
		}
	}
}

// giveAssigned records the functions in assignments to fields: s.handle = serve.
func giveAssigned(w *syntax.Walk, n syntax.Node) {
	left, right := names(w, w.Field(n, "left")), names(w, w.Field(n, "right"))
	if w.Says(w.Field(n, "operator"), "=") && len(left) == len(right) {
		for i, l := range left {
			if w.Is(l, "selector_expression") {
				give(w, "("+text(w, w.Field(l, "operand"))+")."+w.Str(w.Field(l, "field")), right[i])
			}
		}
	}
	takeAll(w, w.Field(n, "right"))
	w.Children(n)
}

// givenTo refers to a FactGiven by its index. root is the variable or function that is stored,
// serve in s.handle = serve. It is "" if a path such as s.serve is stored.
type givenTo struct {
	fact int
	root string
}

// give records that value, an expression that may be a function, is stored in a field. field is the
// Name of the fact.
func give(w *syntax.Walk, field string, value syntax.Node) {
	root := value
	for w.Is(root, "selector_expression") {
		root = w.Field(root, "operand")
	}
	name := text(w, value)
	if !w.Is(value, "identifier", "selector_expression") || l2meta.LastOfPath(name) == "" {
		return
	}
	bare := ""
	if root == value {
		bare = name
	}
	at := len(w.Out.Facts)
	if w.Give(w.Encloser, field, name, value); len(w.Out.Facts) > at {
		state := stateOf(w)
		state.given = append(state.given, givenTo{at, bare})
	}
}

// keepGiven drops each FactGiven whose stored value is no function of the package: a local
// variable, nil, or a field that the file declares.
func keepGiven(w *syntax.Walk) {
	type local struct {
		owner int
		name  string
	}
	state, locals, fields := stateOf(w), map[local]bool{}, map[string]bool{}
	if len(state.given) == 0 {
		return
	}
	for i := range w.Out.Symbols {
		if s := &w.Out.Symbols[i]; s.Kind == code.KindField {
			fields[s.Name] = true
		}
	}
	for i := range w.Out.Symbols {
		if s := &w.Out.Symbols[i]; s.Kind.Callable() {
			delete(fields, s.Name)
		}
	}
	for i := range w.Out.Facts {
		if f := &w.Out.Facts[i]; f.Kind == code.FactParam || f.Kind == code.FactVar || f.Kind == code.FactAssign {
			locals[local{f.Owner, f.Name}] = true
		}
	}
	dropped := map[int]bool{}
	for _, g := range state.given {
		f := &w.Out.Facts[g.fact]
		dropped[g.fact] = g.root == "nil" || g.root != "" && locals[local{f.Owner, g.root}] ||
			g.root == "" && fields[l2meta.LastOfPath(f.Type)]
	}
	at := -1
	w.Out.Facts = slices.DeleteFunc(w.Out.Facts, func(code.Fact) bool { at++; return dropped[at] })
}
