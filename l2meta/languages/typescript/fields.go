package typescript

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/expr"
	"sextant/l2meta/resolve"
)

// This file resolves calls of functions that are stored in fields of classes: this.done(1), if a
// method assigns this.done, or the class declares done: (n: number) => void. An argument is stored
// in a field if the called function assigns its parameter, or a property of the parameter, to the
// field:
//
//	new Job(save)               this.done = done
//	new Job({ done: save })     this.done = options.done
//	job.onDone(save)            this.done = done

// classField returns the field called name that a class itself declares; the zero Ref if there is
// none.
func classField(class resolve.Ref, name string) resolve.Ref {
	if class.Valid() && class.Symbol().Kind == code.KindClass {
		for _, i := range class.File.Children(class.Index) {
			if s := &class.File.Symbols[i]; s.Name == name && s.Kind == code.KindField &&
				!slices.Contains(s.Modifiers, "static") {
				return class.File.Ref(i)
			}
		}
	}
	return resolve.Ref{}
}

// fieldIn returns the field called name of a class or of its bases; the zero Ref if there is
// none.
func fieldIn(w *resolve.World, class resolve.Ref, name string, depth int) resolve.Ref {
	if hit := classField(class, name); hit.Valid() || !class.Valid() || depth > maxBases {
		return hit
	}
	for _, fact := range class.Facts() {
		if fact.Kind != code.FactBase {
			continue
		}
		if shape := tsBase(w, resolve.Type{Text: fact.Type, File: class.File, Scope: class.Index},
			class); shape.form == declared && shape.ref != class {
			return fieldIn(w, shape.ref, name, depth+1)
		}
	}
	return resolve.Ref{}
}

// holding returns the field of x to which the call x.name(…) resolves because the function in the
// field is not known: its value v is unknown, or the field is assigned several functions. If the
// field only ever holds one function, the call resolves to that function instead, and holding
// returns the zero Ref.
func holding(w *resolve.World, x, v resolve.Value, name string) resolve.Ref {
	if x.Kind != resolve.Instance {
		return resolve.Ref{}
	}
	field := fieldIn(w, declaring(w, x), name, 0)
	if !field.Valid() {
		return resolve.Ref{}
	}
	holds := v.Kind == resolve.Unknown
	switch v.Kind {
	case resolve.Foreign:
		holds = v.Origin == resolve.Handed
	case resolve.Function:
		method := v.Ref.Parent() == field.Parent() && v.Ref.Symbol().Name == name
		holds = !method && len(assignedTo(field)) > 1
	case resolve.Instance:
		holds = readType(w, v.Type).form != valueType
	}
	if !holds {
		return resolve.Ref{}
	}
	return field
}

// assignedTo returns the facts of the assignments to a field, in its class and in the methods of
// the class.
func assignedTo(field resolve.Ref) (out []*code.Fact) {
	f, class, name := field.File, field.Symbol().Parent, field.Symbol().Name
	for _, fact := range f.FactsOf(class) {
		if fact.Kind == code.FactAssign && fact.Name == name && fact.Type != "undefined" && fact.Type != "" {
			out = append(out, fact)
		}
	}
	for _, method := range f.Children(class) {
		for _, fact := range f.FactsOf(method) {
			if fact.Kind == code.FactAssign && fact.Name == "this."+name && fact.Type != "undefined" {
				out = append(out, fact)
			}
		}
	}
	return out
}

// givenField returns the field that the Name of a code.FactGiven denotes: "Job#0" (the field that
// stores argument 0 of Job), "#arg(Job, 0).done" (the field that stores the argument's property
// done) or "(job).done". It returns the zero Ref if there is none.
func givenField(s resolve.Scope, name string) resolve.Ref {
	if called, place, ok := code.CutPlace(name); ok {
		return passed(s, expr.Parse(called, dialect), place, "")
	}
	e := expr.Parse(name, dialect)
	if e.Op != expr.OpMember {
		return resolve.Ref{}
	}
	if form, _ := formOf(e.X); form == code.FormArgument && len(e.X.Args) == 2 {
		return passed(s, e.X.Args[0], code.Place(e.X.Args[1].Text), e.Name)
	}
	return fieldIn(s.W, declaring(s.W, resolve.Eval(eval{}, s, e.X)), e.Name, 0)
}

// passed returns the field in which a function stores an argument, or the argument's property
// called key if key is not "": Job.done for argument 0 of new Job({ done: save }) and key "done".
// called is the callee. It returns the zero Ref if there is none.
func passed(s resolve.Scope, called *expr.Expr, place code.Place, key string) resolve.Ref {
	v := whole(s.W, resolve.Eval(eval{}, s, called))
	var function resolve.Ref
	switch v.Kind {
	case resolve.Class:
		list := constructors(s.W, v.Ref, 0)
		if len(list) == 0 {
			return resolve.Ref{}
		}
		function = implementation(list[0])
	case resolve.Function:
		function = implementation(v.Ref)
	default:
		return resolve.Ref{}
	}
	class := function.Parent()
	at, _ := place.Index()
	parameters := function.Symbol().Parameters
	if !class.Valid() || class.Symbol().Kind != code.KindClass || at >= len(parameters) {
		return resolve.Ref{}
	}
	return keeping(function, &parameters[at], key)
}

// keeping returns the first field to which a method assigns its parameter p, or the property of p
// called key if key is not "". In constructor(private done), the parameter is a field itself. It
// returns the zero Ref if there is none.
func keeping(method resolve.Ref, p *code.Parameter, key string) resolve.Ref {
	class, want := method.Parent(), p.Name
	if field := classField(class, p.Name); key == "" && field.Valid() &&
		within(field.Symbol().NameSpan, method.Symbol().Span) {
		return field
	}
	switch {
	case strings.HasPrefix(p.Name, "{"): // the parameter is a destructuring pattern
		want = key
	case key != "":
		want += "." + key
	}
	for _, fact := range method.Facts() {
		name, ok := strings.CutPrefix(fact.Name, "this.")
		if ok && fact.Kind == code.FactAssign && firstOperand(fact.Type) == want {
			return classField(class, name)
		}
	}
	return resolve.Ref{}
}

// firstOperand returns the first operand of an expression, without optional chaining:
// options.done for "options?.done || noop".
func firstOperand(text string) string {
	text, _, _ = strings.Cut(text, " ")
	return strings.ReplaceAll(text, "?.", ".")
}

func within(a, b code.Span) bool { return b.StartByte <= a.StartByte && a.EndByte <= b.EndByte }

// GivenBy returns the names of the calls that may set a field by an argument: those of the class
// and its subclasses, if the constructor sets the field, and those of methods that set it. It also
// returns the names that are assigned to the field: done for this.done = options.done.
func (Language) GivenBy(w *resolve.World, property resolve.Ref) (out []string) {
	class := property.Parent()
	if !class.Valid() || class.Symbol().Kind != code.KindClass {
		return nil
	}
	constructs := false
	for _, i := range class.File.Children(class.Index) {
		method := class.File.Ref(i)
		s := method.Symbol()
		if s.Kind == code.KindConstructor && within(property.Symbol().NameSpan, s.Span) {
			constructs = true
		}
		for _, fact := range method.Facts() {
			if fact.Kind != code.FactAssign || fact.Name != "this."+property.Symbol().Name {
				continue
			}
			if last := l2meta.LastOfPath(firstOperand(fact.Type)); last != "" {
				out = append(out, last)
			}
			constructs = constructs || s.Kind == code.KindConstructor
			out = append(out, s.Name)
		}
	}
	if constructs {
		out = append(out, class.Symbol().Name)
		for _, sub := range below(w, class) {
			out = append(out, sub.Symbol().Name)
		}
	}
	return out
}
