package golang

import (
	"go/ast"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// Language resolves calls in Go as go/types does, as far as the recorded facts about the
// workspace's own files allow. Facts, such as that a variable has a type, hold expressions and
// types as text, which go/parser parses.
type Language struct{}

// settler resolves a call site. reader evaluates the receiver of the call.
type settler struct{ reader *reader }

func (Language) Settle(w *resolve.World, f *resolve.File, c *code.Call) resolve.Verdict {
	g := settler{newReader(w)}
	p := place{file: f, symbol: c.Caller, pos: c.NameSpan.StartByte}
	if c.Receiver == "" {
		return g.bare(p, c.Callee)
	}
	x := parse(f, c.Receiver)
	if x == nil {
		return resolve.Unresolved("the receiver cannot be read")
	}
	v := g.reader.eval(p, x)
	if v.kind == nothing {
		return resolve.Unresolved("the type of " + c.Receiver + " is not known")
	}
	return g.selected(p, v, x, c.Callee)
}

// bare resolves a call of a plain name.
func (g settler) bare(p place, name string) resolve.Verdict {
	switch v := g.reader.name(p, name); v.kind {
	case function:
		s := resolve.SamePackage
		switch {
		case v.imported:
			s = resolve.Imported
		case v.ref.File == p.file:
			s = resolve.SameFile
		}
		return resolve.Resolved(v.ref, s, "the "+name+" of package "+v.ref.File.Package())
	case typeName: // T(x) is a conversion, which calls nothing
		return resolve.ExternalTo(resolve.Builtin)
	case instance:
		return resolve.ThroughValue(name + " is a variable")
	case builtin:
		return resolve.ExternalTo(resolve.Builtin)
	case goOutside:
		return resolve.ExternalTo(v.module)
	default:
		return resolve.Unresolved(v.why(name + " is not declared in the package"))
	}
}

// selected resolves a call of x.name, where v is the value of x.
func (g settler) selected(p place, v value, x ast.Expr, name string) resolve.Verdict {
	m := g.reader.selector(p, v, name)
	switch m.kind {
	case goOutside:
		return resolve.ExternalTo(m.module)
	case typeName:
		return resolve.ExternalTo(resolve.Builtin)
	case instance:
		if m.field.Valid() && g.reader.mayHold(m.typ) {
			return resolve.Resolved(m.field, g.strategy(p, v, m, x),
				"the field "+m.field.Symbol().QualifiedName+", which holds a function")
		}
		return resolve.ThroughValue(name + " is a field or a variable")
	case function:
		made := resolve.Resolved(m.ref, g.strategy(p, v, m, x), g.provenance(v, m))
		if t := g.reader.pointee(v.typ); v.kind == instance && t.kind == named &&
			t.decl.Symbol().Kind == code.KindInterface {
			// names the receiver's type, which may embed the interface that declares the method
			return made.On(t.decl)
		}
		return made
	}
	return resolve.Unresolved(m.why("the type of the receiver has no " + name))
}

// strategy returns the strategy by which m was found, the method or function that a call selects
// from x.
func (g settler) strategy(p place, v, m value, x ast.Expr) resolve.Strategy {
	switch {
	case v.kind == packageName:
		return resolve.Imported
	case v.kind == typeName:
		return resolve.TypedStatic
	case m.depth > 0 && g.isReceiver(p, x):
		return resolve.Inherited
	case g.isReceiver(p, x):
		return resolve.SameType
	case v.how == "":
		return resolve.TypedWritten
	}
	return v.how
}

// isReceiver reports whether x is the receiver of the method around p.
func (g settler) isReceiver(p place, x ast.Expr) bool {
	name, ok := x.(*ast.Ident)
	if !ok {
		return false
	}
	fact := g.reader.local(p, name.Name)
	if fact == nil || fact.Owner < 0 {
		return false
	}
	return p.file.Symbols[fact.Owner].Kind == code.KindMethod && receiver(p.file, fact.Owner).Same(fact)
}

func (g settler) provenance(v, m value) string {
	switch {
	case v.kind == packageName:
		return "imports " + v.pkg.path
	case m.depth > 0:
		return "promoted from " + owner(m.ref)
	}
	return "a method of " + owner(m.ref)
}

// owner returns the name of the type that declares a method.
func owner(r resolve.Ref) string {
	owner, _, _ := strings.Cut(r.Symbol().QualifiedName, ".")
	return owner
}

// CallNames returns the name of r, by which calls are written. An init function has none: only the runtime calls it.
func (Language) CallNames(_ *resolve.World, r resolve.Ref) []string {
	s := r.Symbol()
	if s.Name == "init" && s.Kind == code.KindFunction && s.Parent < 0 {
		return nil
	}
	return []string{s.Name}
}
