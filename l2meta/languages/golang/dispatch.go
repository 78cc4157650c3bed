package golang

import (
	"cmp"
	"go/ast"
	"iter"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/resolve"
)

// dispatcher relates types to the interfaces that they implement.
type dispatcher struct{ reader *reader }

// Implementations returns the methods that may run when a call resolves to the interface method r:
// those of every type of the workspace that has all methods of the interface, declared or promoted,
// with the same signatures.
func (Language) Implementations(w *resolve.World, r resolve.Ref) (out []resolve.Ref) {
	if !ofInterface(r) {
		return nil
	}
	g := dispatcher{newReader(w)}
	for _, t := range g.implementers(r.Parent()) {
		m := g.reader.member(t.File, goType{kind: named, decl: t}, r.Symbol().Name)
		if m.kind == function && !ofInterface(m.ref) && !slices.Contains(out, m.ref) {
			out = append(out, m.ref)
		}
	}
	slices.SortFunc(out, func(a, b resolve.Ref) int {
		return cmp.Or(strings.Compare(a.File.Path, b.File.Path),
			a.Index-b.Index)
	})
	return out
}

// implementersKey and shapeKey are keys under which the result of implementers is stored: the
// interface (its file and index), or the text of its methods' names and signatures
// (shapeOfMethods).
type (
	implementersKey struct {
		file  int64
		index int
	}
	shapeKey string
)

// implementers returns the types that have all methods of an interface. Interfaces with the same
// methods share the result: a hundred interfaces may have a String method and nothing else.
func (g dispatcher) implementers(i resolve.Ref) []resolve.Ref {
	t := goType{kind: named, decl: i}
	demands := g.demands(t)
	if shape, ok := g.shapeOfMethods(demands); ok {
		return resolve.DeriveRefs(g.reader.w, shapeKey(shape), func() []resolve.Ref { return g.having(demands) })
	}
	return resolve.DeriveRefs(g.reader.w, implementersKey{i.File.ID, i.Index}, func() []resolve.Ref {
		return g.having(g.demands(t)) // demands is called again, because its first result may be incomplete
	})
}

// having returns the types that have all methods in demands. It starts from the types that declare
// the method with the fewest declarations, because reading every type with a String method is slow.
func (g dispatcher) having(demands []value) (out []resolve.Ref) {
	var rarest []l2meta.Declaration
	var seed value
	own := map[string]bool{} // types that declare any of the methods, as keys of beside
	for n, d := range demands {
		rows := g.methods(d.ref.Symbol().Name)
		if n == 0 || len(rows) < len(rarest) {
			rarest, seed = rows, d
		}
		for _, row := range rows {
			owner, _, _ := strings.Cut(row.QualifiedName, ".")
			own[beside(row.Path, owner)] = true
		}
	}
	seen := map[resolve.Ref]bool{}
	for _, row := range rarest {
		t, ok := g.ownerOf(g.reader.w.Ref(row))
		if !ok || !g.meets(t, []value{seed}) {
			// a type that embeds t only promotes this method; if it declares its own, that has a
			// row of its own
			continue
		}
		whole := g.meets(t, demands)
		for _, c := range g.carriers(t) {
			same := whole && c.decl != t.decl && !own[beside(c.decl.File.Path, c.decl.Symbol().Name)]
			if same || seen[c.decl] { // all methods of c are those of t, and t is in the list
				continue
			}
			seen[c.decl] = true
			if c.decl.Symbol().Kind != code.KindInterface && g.meets(c, demands) {
				out = append(out, c.decl)
			}
		}
	}
	return out
}

// beside returns a key for a name that is declared in the directory of a file: "dir/Name".
func beside(file, name string) string { return file[:strings.LastIndexByte(file, '/')+1] + name }

// methods returns all methods called name, of types and of interfaces.
func (g dispatcher) methods(name string) (out []l2meta.Declaration) {
	rows, _ := g.reader.w.Named(name)
	for _, row := range rows {
		if row.Language == "go" && row.Kind == code.KindMethod {
			out = append(out, row)
		}
	}
	return out
}

// ownerOf returns the type that has method r: its receiver's type, or its interface. It returns
// false if r is no method of a declared type.
func (g dispatcher) ownerOf(r resolve.Ref) (goType, bool) {
	if r.Valid() && ofInterface(r) {
		return goType{kind: named, decl: r.Parent()}, true
	}
	if !r.Valid() {
		return goType{}, false
	}
	return g.receiverNamed(r)
}

// Overridden returns the interface methods that method r implements; none if r is a method of an
// interface itself.
func (Language) Overridden(w *resolve.World, r resolve.Ref) (out []resolve.Ref) {
	if ofInterface(r) {
		return nil
	}
	g := dispatcher{newReader(w)}
	own, ok := g.receiverNamed(r)
	if !ok {
		return nil
	}
	rows, _ := w.Named(r.Symbol().Name)
	for _, row := range rows {
		// Only methods of interfaces matter here. These have a parent, so files with other
		// methods need not be read.
		if row.Language != "go" || row.Kind != code.KindMethod || row.Parent < 0 {
			continue
		}
		i := w.Ref(row)
		if !i.Valid() || !ofInterface(i) {
			continue
		}
		demands := g.demands(goType{kind: named, decl: i.Parent()})
		for _, t := range g.carriers(own) { // a type that embeds own may add the methods that own lacks
			if m, ok := g.implements(t, demands, r.Symbol().Name); ok && m == r {
				out = append(out, i)
				break
			}
		}
	}
	return out
}

func (Language) Admits(w *resolve.World, receiver, impl resolve.Ref) bool {
	g := dispatcher{newReader(w)}
	own, ok := g.receiverNamed(impl)
	if !ok {
		return true
	}
	demands := g.demands(goType{kind: named, decl: receiver})
	for _, t := range g.carriers(own) {
		if _, ok := g.implements(t, demands, impl.Symbol().Name); ok {
			return true
		}
	}
	return false
}

// demandsKey is the key under which the result of demands is stored for an interface without type
// arguments.
type demandsKey resolve.Ref

// demands returns the methods of an interface, including those of embedded interfaces. Interfaces
// from outside the workspace are unknown and left out.
func (g dispatcher) demands(t goType) []value {
	if len(t.args) > 0 {
		return g.demanded(t)
	}
	return resolve.Derive(g.reader.w, demandsKey(t.decl), func() []value { return g.demanded(t) })
}

// demanded computes the methods that demands returns.
func (g dispatcher) demanded(t goType) (out []value) {
	if t.kind != named || t.decl.Symbol().Kind != code.KindInterface || !g.reader.enter() {
		return nil
	}
	defer g.reader.leave()
	for _, i := range t.decl.File.Children(t.decl.Index) {
		if r := t.decl.File.Ref(i); r.Symbol().Kind == code.KindMethod {
			out = append(out, value{kind: function, ref: r, bind: g.reader.methodBinding(t, r)})
		}
	}
	for _, b := range g.reader.bases(t) {
		out = append(out, g.demands(b)...)
	}
	return out
}

// carriers yields the types that have the methods of t: t itself, the types that embed t, and the
// types that embed those, nearest first. It searches for embedding types only if the consumer
// asks for more than t.
func (g dispatcher) carriers(t goType) iter.Seq2[int, goType] {
	return func(yield func(int, goType) bool) {
		seen := map[resolve.Ref]bool{t.decl: true}
		for i, all := 0, []goType{t}; i < len(all) && i < resolve.MaxSubtypes; i++ {
			if !yield(i, all[i]) {
				return
			}
			for _, around := range g.embedding(all[i].decl) {
				if !seen[around] {
					seen[around] = true
					all = append(all, goType{kind: named, decl: around})
				}
			}
		}
	}
}

type embeddingKey string

// embedding returns the types that take over the methods of a type: the structs and interfaces
// that embed it, and the types that are declared as it. After type Events Logger, Events has the
// methods of the interface Logger.
func (g dispatcher) embedding(t resolve.Ref) []resolve.Ref {
	name := t.Symbol().Name
	return resolve.DeriveRefs(g.reader.w, embeddingKey(name), func() (out []resolve.Ref) {
		ids := slices.Concat(g.reader.w.Extending(name), g.reader.w.Renaming(name))
		slices.Sort(ids)
		for _, id := range slices.Compact(ids) {
			f := g.reader.w.Peer(id, t.File.Language)
			if f == nil {
				continue
			}
			for i := range f.Symbols {
				if resolve.IsType(f.Symbols[i].Kind) && embeds(f.Ref(i), name) {
					out = append(out, f.Ref(i))
				}
			}
		}
		return out
	})
}

// embeds reports whether r embeds a type called name, or is declared as type R name.
func embeds(r resolve.Ref, name string) bool {
	return slices.ContainsFunc(r.Facts(), func(f *code.Fact) bool {
		return (f.Kind == code.FactBase || f.Kind == code.FactAlias) && strings.Contains(f.Type, name) &&
			embeddedName(parse(r.File, f.Type)) == name
	})
}

// receiverNamed returns the type that method r is declared on; false if r is no method.
func (g dispatcher) receiverNamed(r resolve.Ref) (goType, bool) {
	owner, _, method := strings.Cut(r.Symbol().QualifiedName, ".")
	if !method || r.Symbol().Kind != code.KindMethod {
		return goType{}, false
	}
	v, found := g.reader.declared(r.File, g.reader.packages.own(r.File), owner)
	return v.typ, found && v.kind == typeName && v.typ.kind == named
}

// implements returns the method called name of t, if t has all methods in demands and name is one
// of them; otherwise false.
func (g dispatcher) implements(t goType, demands []value, name string) (method resolve.Ref, ok bool) {
	m := g.reader.member(t.decl.File, t, name)
	if m.kind != function || ofInterface(m.ref) || !g.meets(t, demands) {
		return resolve.Ref{}, false
	}
	return m.ref, slices.ContainsFunc(demands, func(d value) bool { return d.ref.Symbol().Name == name })
}

// meets reports whether t has all methods in demands, with the same signatures.
func (g dispatcher) meets(t goType, demands []value) bool {
	for _, d := range demands {
		m := g.reader.member(t.decl.File, t, d.ref.Symbol().Name)
		if m.kind != function || !g.identical(g.reader.signature(d), g.reader.signature(m)) {
			return false
		}
	}
	return true
}

// identical reports whether two types may be the same. Unknown types and type parameters match any
// type.
func (g dispatcher) identical(a, b goType) bool {
	if a.kind == unknown || b.kind == unknown || a.kind == parameter || b.kind == parameter || !g.reader.enter() {
		return true
	}
	defer g.reader.leave()
	if a.kind != b.kind {
		return emptyInterface(a) && emptyInterface(b)
	}
	switch a.kind {
	case named:
		return a.decl == b.decl && g.allIdentical(a.args, b.args)
	case foreign:
		return a.module == b.module && a.name == b.name && g.allIdentical(a.args, b.args)
	case predeclared:
		return synonym(a.name) == synonym(b.name)
	case literal:
		return g.identicalForms(a, b)
	}
	return g.allIdentical(a.args, b.args)
}

func (g dispatcher) allIdentical(a, b []goType) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !g.identical(a[i], b[i]) {
			return false
		}
	}
	return true
}

func emptyInterface(t goType) bool {
	x, ok := t.form.(*ast.InterfaceType)
	return t.kind == predeclared && t.name == "any" || t.kind == literal && ok && x.Methods.NumFields() == 0
}

func synonym(name string) string {
	switch name {
	case "byte":
		return "uint8"
	case "rune":
		return "int32"
	}
	return name
}

// identicalForms reports whether two type literals may be the same: []T and []T, func(A) B and
// func(A) B. Of interfaces and structs only the numbers of members are compared.
func (g dispatcher) identicalForms(a, b goType) bool {
	same := func(x, y ast.Expr) bool { return g.identical(g.reader.typ(a.place, x), g.reader.typ(b.place, y)) }
	switch x := a.form.(type) {
	case *ast.StarExpr:
		y, ok := b.form.(*ast.StarExpr)
		return ok && same(x.X, y.X)
	case *ast.ArrayType:
		y, ok := b.form.(*ast.ArrayType)
		return ok && (x.Len == nil) == (y.Len == nil) && same(x.Elt, y.Elt)
	case *ast.MapType:
		y, ok := b.form.(*ast.MapType)
		return ok && same(x.Key, y.Key) && same(x.Value, y.Value)
	case *ast.ChanType:
		y, ok := b.form.(*ast.ChanType)
		return ok && x.Dir == y.Dir && same(x.Value, y.Value)
	case *ast.FuncType:
		y, ok := b.form.(*ast.FuncType)
		return ok && variadic(x) == variadic(y) &&
			g.allIdentical(g.reader.fieldTypes(a.place, x.Params), g.reader.fieldTypes(b.place, y.Params)) &&
			g.allIdentical(g.reader.fieldTypes(a.place, x.Results), g.reader.fieldTypes(b.place, y.Results))
	case *ast.InterfaceType:
		y, ok := b.form.(*ast.InterfaceType)
		return ok && x.Methods.NumFields() == y.Methods.NumFields()
	case *ast.StructType:
		y, ok := b.form.(*ast.StructType)
		return ok && x.Fields.NumFields() == y.Fields.NumFields()
	}
	return false
}

func variadic(f *ast.FuncType) bool {
	n := len(f.Params.List)
	if n == 0 {
		return false
	}
	_, ok := f.Params.List[n-1].Type.(*ast.Ellipsis)
	return ok
}
