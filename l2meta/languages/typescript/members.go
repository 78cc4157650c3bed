package typescript

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/languages/typescript/rules"
	"sextant/l2meta/resolve"
)

// member evaluates x.name.
func member(s resolve.Scope, x resolve.Value, name string) resolve.Value {
	if !s.W.Enter() {
		return resolve.Value{}
	}
	defer s.W.Leave()
	switch x.Kind {
	case resolve.Foreign:
		return foreignMember(s, x, name)
	case resolve.Module:
		if x.Ref.Index < 0 {
			if v := moduleMember(s.W, x.Ref.File, name); v.Kind != resolve.Unknown ||
				name != "then" && name != "catch" && name != "finally" {
				return v.Via(x.How)
			}
			// a dynamic import is a promise: import("m").then(…)
			return libraryMember(s.W, tsShape{form: builtin, name: "Promise"}, name, builtinType(s.File, "Promise"))
		}
		return refValue(s.W, valueNamed(x.Ref.File, membersOf(x.Ref.File, x.Ref.Index), name))
	case resolve.Class:
		return static(s.W, x, name, 0)
	case resolve.Function:
		return functionMember(s, x, name)
	case resolve.Instance:
		return typeMember(s.W, x.Type, name, 0).Via(x.How)
	}
	return resolve.Value{}
}

// functionMember returns a property of a function: a property assigned to it, or one that
// every function has.
func functionMember(s resolve.Scope, x resolve.Value, name string) resolve.Value {
	f := x.Ref.File
	for _, i := range f.Qualified(x.Ref.Symbol().QualifiedName + "." + name) {
		if p := f.Symbols[i].Parent; p != x.Ref.Index && f.Symbols[i].Kind == code.KindMethod {
			return refValue(s.W, f.Ref(i))
		}
	}
	if v := attached(s.W, x.Ref, name); v.Kind != resolve.Unknown {
		return v
	}
	for _, i := range f.Qualified(x.Ref.Symbol().QualifiedName) { // a namespace may be merged with the function
		if f.Symbols[i].Kind == code.KindNamespace {
			return refValue(s.W, valueNamed(f, membersOf(f, i), name))
		}
	}
	return ofFunctions(s.W, resolve.Type{Text: funcText, File: f, Scope: x.Ref.Index, Bind: x.Type.Bind}, name)
}

// ofFunctions returns a member that every function has.
func ofFunctions(w *resolve.World, t resolve.Type, name string) resolve.Value {
	if m, ok := tableMember(w, tsShape{form: builtin, name: "Function"}, name, t); ok {
		return libraryValue(w, m)
	}
	return resolve.Value{}
}

// attached returns the value that is assigned to a property of a function, class or object: f.cache = new Map().
func attached(w *resolve.World, r resolve.Ref, name string) resolve.Value {
	for _, fact := range r.File.FactsOf(r.Symbol().Parent) {
		if fact.Name == r.Symbol().Name+"."+name && fact.Kind != code.FactAlias && fact.Kind != code.FactNarrow {
			return factValue(w, r.File, fact, fact.Name)
		}
	}
	return resolve.Value{}
}

// maxBases is the largest number of steps that are followed from a type to its bases.
const maxBases = 24

// typeMember returns the member called name of a value of type t. The results for types without
// bindings are cached, because searching the parts of a large union is slow.
func typeMember(w *resolve.World, t resolve.Type, name string, depth int) resolve.Value {
	type key struct {
		file       int64
		scope      int
		text, name string
	}
	if t.Bind != nil || t.Scope == inLibrary || t.File == nil || strings.HasPrefix(t.Text, "#") {
		return readMember(w, t, name, depth)
	}
	return resolve.Derive(w, key{t.File.ID, t.Scope, t.Text, name}, func() resolve.Value {
		return readMember(w, t, name, 0)
	})
}

// readMember returns the member called name of a value of type t. A type Omit<T, "a"> has no member a.
func readMember(w *resolve.World, t resolve.Type, name string, depth int) resolve.Value {
	if depth > maxBases {
		return resolve.Value{}
	}
	shape := readType(w, t)
	if shape.without != "" && (strings.Contains(shape.without, `"`+name+`"`) ||
		strings.Contains(shape.without, "'"+name+"'")) {
		return resolve.Value{}
	}
	switch shape.form {
	case declared:
		v, _ := declaredMember(w, shape, name, t, depth)
		return v
	case builtin:
		return libraryMember(w, shape, name, t)
	case foreign:
		return foreignTypeMember(w, shape, name)
	case union:
		return unionMember(w, shape, name, depth)
	case intersection:
		return intersectionMember(w, shape, name, depth)
	case literal:
		if v := literalMember(shape, name); v.Kind != resolve.Unknown {
			return v
		}
		return instance(literalIndex(shape), resolve.TypedWritten)
	case object:
		return objectMember(w, shape.typ.File, shape.typ.Scope, shape.name, name)
	case valueType:
		return member(top(w, t.File), shape.value, name)
	case function:
		if shape.held.Kind == resolve.Function {
			return functionMember(top(w, t.File), shape.held, name)
		}
		return ofFunctions(w, t, name)
	}
	return resolve.Value{}
}

// unionMember returns the member of a union: the member that all parts share, or that of one part if the other
// parts are known to lack it. In the latter case the code must have tested for that part before.
func unionMember(w *resolve.World, shape tsShape, name string, depth int) (hit resolve.Value) {
	var members []resolve.Value
	for _, part := range shape.args {
		if lacks(w, part, name, depth) {
			continue
		}
		v := typeMember(w, part, name, depth+1)
		if v.Kind == resolve.Unknown || len(members) > 0 && v.Kind != resolve.Instance && !alike(w, members[0], v) {
			return resolve.Value{}
		}
		members = append(members, v)
	}
	if len(members) == 0 {
		return resolve.Value{}
	}
	return anyOf(w, shape.args[0].File, members)
}

// intersectionMember returns the member that a part of an intersection declares. A declaration of
// the workspace has precedence over one of a library.
func intersectionMember(w *resolve.World, shape tsShape, name string, depth int) resolve.Value {
	library := resolve.Value{}
	for _, part := range shape.args {
		v := typeMember(w, part, name, depth+1)
		if v.Kind != resolve.Unknown && v.Kind != resolve.Foreign {
			return v
		}
		if v.Kind == resolve.Foreign && (library.Kind == resolve.Unknown || v.Origin < library.Origin) {
			library = v
		}
	}
	if v := aliasMember(w, shape, name); v.Kind != resolve.Unknown {
		return v
	}
	return library
}

// alike reports whether two values are the same function, or have the same declared type.
func alike(w *resolve.World, a, b resolve.Value) bool {
	if a.Kind != b.Kind || a.Ref != b.Ref {
		return false
	}
	if a.Kind == resolve.Instance && !same(a, b) {
		x, y := readType(w, a.Type), readType(w, b.Type)
		return x.form == declared && y.form == declared && x.ref == y.ref
	}
	return true
}

// lacks reports whether a type is known to have no member called name.
func lacks(w *resolve.World, t resolve.Type, name string, depth int) bool {
	switch shape := readType(w, t); shape.form {
	case builtin:
		_, ok := tableMember(w, shape, name, t)
		return !ok && shape.name != "Record" && tableType(shape.name) != nil &&
			globalMember(w, shape.name, name).Kind == resolve.Unknown
	case function:
		return ofFunctions(w, t, name).Kind == resolve.Unknown
	case declared:
		v, closed := declaredMember(w, shape, name, t, depth+1)
		return v.Kind == resolve.Unknown && closed && tsClosed(w, shape)
	}
	return false
}

// tsClosed reports whether all members of a declared type are recorded: it has no index signature,
// and no alias that is so long that only its start was recorded.
func tsClosed(w *resolve.World, shape tsShape) bool {
	for _, i := range merged(shape.ref) {
		for _, fact := range shape.ref.File.FactsOf(i) {
			if fact.Kind == code.FactField && strings.HasPrefix(fact.Name, "[") ||
				fact.Kind == code.FactAlias && rules.IsCut(fact.Type) {
				return false
			}
		}
	}
	return true
}

// aliasMember returns the member called name of an object type inside an alias: size for type Box =
// Named & { size: number }.
func aliasMember(w *resolve.World, shape tsShape, name string) resolve.Value {
	if !shape.ref.Valid() {
		return resolve.Value{}
	}
	return ownMember(w, shape.ref, shape.bind, name)
}

// declaredMember returns a member of a class, interface or alias, or of its bases. closed reports
// that all members of the type are known.
func declaredMember(w *resolve.World, shape tsShape, name string, self resolve.Type,
	depth int) (v resolve.Value, closed bool) {
	r := shape.ref
	if r.Symbol().Kind == code.KindEnum {
		return resolve.Value{Kind: resolve.Foreign, Module: "builtin"}, true
	}
	bind := &resolve.Binding{Name: "this", Type: self, Next: shape.bind}
	if v := ownMember(w, r, bind, name); v.Kind != resolve.Unknown {
		return v, true
	}
	closed = true
	foreign := resolve.Value{}
	for _, i := range merged(r) {
		for _, fact := range r.File.FactsOf(i) {
			if fact.Kind != code.FactBase {
				continue
			}
			v, whole := baseMember(w, resolve.Type{Text: fact.Type, File: r.File, Scope: i, Bind: shape.bind}, r, name,
				self, depth)
			if v.Kind == resolve.Foreign {
				foreign = v
				continue
			}
			if v.Kind != resolve.Unknown {
				return v, true
			}
			closed = closed && whole
		}
	}
	if foreign.Kind != resolve.Unknown && child(r.File, r.File.Children(r.Index), name, false).Valid() {
		return resolve.Value{}, true // the class has a member of that name, whose value is unknown
	}
	if closed && foreign.Kind == resolve.Unknown {
		if _, ok := standard.Member("Object", name); ok {
			m, _ := tableMember(w, tsShape{form: builtin, name: "Object"}, name, self)
			return libraryValue(w, m), false
		}
	}
	return foreign, closed && foreign.Kind == resolve.Unknown
}

// baseMember returns the member called name of a base type of a value of type self, and whether all members of
// the base are known.
func baseMember(w *resolve.World, base resolve.Type, of resolve.Ref, name string, self resolve.Type,
	depth int) (resolve.Value, bool) {
	if depth > maxBases {
		return resolve.Value{}, false
	}
	shape := tsBase(w, base, of)
	if shape.form == declared {
		if shape.ref == of {
			return resolve.Value{}, false
		}
		return declaredMember(w, shape, name, self, depth+1)
	}
	switch shape.form {
	case builtin:
		v := libraryMember(w, shape, name, builtinType(of.File, shape.name, shape.args...))
		if v.Origin == resolve.Handed {
			return resolve.Value{}, true // library.txt lists the type, but not the member
		}
		return v, false
	case foreign:
		if originOf(w, shape) != resolve.Outside { // the members of the base may return values of the workspace
			return resolve.Value{Kind: resolve.Foreign, Module: shape.name, Origin: resolve.Lender}, false
		}
		return resolve.Value{Kind: resolve.Foreign, Module: shape.name}, false
	case intersection, literal, union:
		return typeMember(w, base, name, depth+1), false
	case object:
		return objectMember(w, shape.typ.File, shape.typ.Scope, shape.name, name), false
	}
	return resolve.Value{}, false
}

// tsBase reads the type that a class or interface extends. A class extends the value of an
// expression, which may be a variable.
func tsBase(w *resolve.World, base resolve.Type, of resolve.Ref) tsShape {
	outer := base
	outer.Scope = of.Symbol().Parent
	if of.Symbol().Kind != code.KindClass {
		return readType(w, base)
	}
	name, args := base.Text, []resolve.Type(nil)
	if i := strings.IndexByte(name, '<'); i > 0 && strings.HasSuffix(name, ">") {
		name, args = name[:i], withAll(base, expr.SplitTypes(name[i+1:len(name)-1]))
	}
	v := whole(w, evalText(resolve.Scope{W: w, File: of.File, At: of.Symbol().Parent, Pos: of.Symbol().Span.StartByte},
		name))
	switch v.Kind {
	case resolve.Class:
		return tsShape{form: declared, ref: v.Ref, bind: resolve.Bind(parameters(v.Ref), args, nil)}
	case resolve.Foreign:
		if v.Type.Scope == inLibrary {
			if made, ok := typeOf(constructed(top(w, of.File), v.Type, &expr.Expr{}, args)); ok {
				return readType(w, made)
			}
		}
		return tsShape{form: foreign, name: v.Module, args: args, origin: v.Origin}
	case resolve.Function:
		return tsShape{form: object, typ: resolve.Type{Text: objectText, File: v.Ref.File,
			Scope: v.Ref.Index, Bind: nil}}
	}
	return tsShape{}
}

// ownMember returns the instance member called name that r itself declares.
func ownMember(w *resolve.World, r resolve.Ref, bind *resolve.Binding, name string) resolve.Value {
	for _, i := range merged(r) {
		if hit := child(r.File, r.File.Children(i), name, false); hit.Valid() {
			return declaredValue(w, hit, bind)
		}
	}
	// the function is assigned to the prototype
	for _, i := range r.File.Qualified(r.Symbol().QualifiedName + "." + name) {
		if r.File.Symbols[i].Parent < 0 && r.File.Symbols[i].Kind == code.KindMethod {
			return resolve.Value{Kind: resolve.Function, Ref: r.File.Ref(i), Type: resolve.Type{Bind: bind}}
		}
	}
	return resolve.Value{}
}

// child returns the member called name among the children of a type. Of overloads it returns the
// implementation, else the first one. It prefers a method that the class declares to a function
// that one of its methods assigns: this.flush = () => {}. static selects the static members.
func child(f *resolve.File, children []int, name string, static bool) (hit resolve.Ref) {
	for _, i := range children {
		s := &f.Symbols[i]
		if s.Name != name || s.Kind == code.KindConstructor || slices.Contains(s.Modifiers, "static") != static {
			continue
		}
		// a function that is assigned to a declared field is the field's value
		if s.Kind == code.KindField && len(s.Returns) > 0 {
			return f.Ref(i)
		}
		if !hit.Valid() || s.Body[1] > 0 && hit.Symbol().Body[1] == 0 ||
			isAssigned(f, children, hit.Index) && !isAssigned(f, children, i) {
			hit = f.Ref(i)
		}
	}
	return hit
}

// isAssigned reports whether a member is inside of another member of its class, which assigns it
// to a property of this.
func isAssigned(f *resolve.File, children []int, member int) bool {
	return slices.ContainsFunc(children, func(i int) bool {
		return i != member && within(f.Symbols[member].Span, f.Symbols[i].Span)
	})
}

// static returns the static member called name of a class or enum.
func static(w *resolve.World, c resolve.Value, name string, depth int) resolve.Value {
	f := c.Ref.File
	if c.Ref.Symbol().Kind == code.KindEnum {
		return instance(builtinType(f, "number"), resolve.TypedWritten)
	}
	if hit := child(f, f.Children(c.Ref.Index), name, true); hit.Valid() {
		return declaredValue(w, hit, c.Type.Bind)
	}
	for _, i := range f.Qualified(c.Ref.Symbol().QualifiedName) {
		if f.Symbols[i].Kind == code.KindNamespace { // a namespace may be merged with the class or enum
			if v := refValue(w, valueNamed(f, membersOf(f, i), name)); v.Kind != resolve.Unknown {
				return v
			}
		}
	}
	for _, i := range f.Qualified(c.Ref.Symbol().QualifiedName + "." + name) {
		if f.Symbols[i].Parent < 0 && f.Symbols[i].Kind == code.KindMethod {
			return resolve.Value{Kind: resolve.Function, Ref: f.Ref(i)}
		}
	}
	if v := attached(w, c.Ref, name); v.Kind != resolve.Unknown {
		return v
	}
	if depth > maxBases {
		return resolve.Value{}
	}
	for _, fact := range c.Ref.Facts() {
		if fact.Kind != code.FactBase {
			continue
		}
		switch shape := tsBase(w, resolve.Type{Text: fact.Type, File: f, Scope: c.Ref.Index}, c.Ref); shape.form {
		case declared:
			return static(w, resolve.Value{Kind: resolve.Class, Ref: shape.ref}, name, depth+1)
		case foreign:
			return resolve.Value{Kind: resolve.Foreign, Module: shape.name}
		}
	}
	return resolve.Value{}
}

// declaredValue returns the value of r, a member of a type. bind binds the type parameters of that type.
func declaredValue(w *resolve.World, r resolve.Ref, bind *resolve.Binding) resolve.Value {
	switch s := r.Symbol(); s.Kind {
	case code.KindClass:
		return resolve.Value{Kind: resolve.Class, Ref: r}
	case code.KindField, code.KindProperty:
		return field(w, r, bind)
	case code.KindConstant:
		return refValue(w, r)
	}
	return resolve.Value{Kind: resolve.Function, Ref: r, Type: resolve.Type{Bind: bind}}
}

// field evaluates a field or an accessor.
func field(w *resolve.World, r resolve.Ref, bind *resolve.Binding) resolve.Value {
	s := r.Symbol()
	for _, i := range r.File.Qualified(s.QualifiedName) { // the getter and the setter have the same name
		if r.File.Symbols[i].Parent != s.Parent {
			continue
		}
		if v := accessor(w, r.File.Ref(i), bind); v.Kind != resolve.Unknown {
			return v
		}
	}
	if s.Parent < 0 {
		return resolve.Value{}
	}
	for _, fact := range r.File.FactsOf(s.Parent) {
		if fact.Name != s.Name {
			continue
		}
		switch fact.Kind {
		case code.FactField:
			v := instance(resolve.Type{Text: fact.Type, File: r.File, Scope: s.Parent, Bind: bind},
				resolve.TypedWritten)
			if k := r.File.Symbols[s.Parent].Kind; k == code.KindInterface || k == code.KindType ||
				k == code.KindClass && s.Kind == code.KindField {
				v.Property = r
			}
			return v
		case code.FactAssign:
			if fact.Type == "{}" {
				return instance(resolve.Type{Text: objectText, File: r.File, Scope: r.Index, Bind: nil},
					resolve.TypedValue)
			}
			if v := evalAt(w, r.File, r.Index, fact); v.Kind != resolve.Unknown {
				return v.Via(resolve.TypedValue)
			}
		}
	}
	return thisAssigned(w, r.File, s.Parent, s.Name)
}

func accessor(w *resolve.World, r resolve.Ref, bind *resolve.Binding) resolve.Value {
	for _, fact := range r.Facts() {
		if fact.Kind == code.FactResult && fact.Name == "" {
			return instance(resolve.Type{Text: fact.Type, File: r.File, Scope: r.Index, Bind: bind},
				resolve.TypedWritten)
		}
	}
	if r.Symbol().Kind == code.KindProperty && r.Symbol().Body[1] > 0 {
		return inferred(w, r)
	}
	return resolve.Value{}
}

// same reports whether two values have the same kind and declaration.
func same(a, b resolve.Value) bool {
	return a.Kind == b.Kind && a.Ref == b.Ref && a.Type.Text == b.Type.Text && a.Type.File == b.Type.File &&
		a.Type.Scope == b.Type.Scope
}
