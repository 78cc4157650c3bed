package lookup

import (
	"path"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/resolve"
)

// TypeNamed returns the type that an expression names: a type of the file or its imports or, if
// there is none, the only one of that name in its service. It returns the zero Ref if there is
// none or several.
func (ws *Workspace) TypeNamed(f *resolve.File, expr string) resolve.Ref {
	name := LastName(expr)
	var near, far []resolve.Ref
	from := ws.Origins(f, FirstName(expr))
	rows, _ := ws.World.Named(name)
	for _, row := range rows {
		if !resolve.IsType(row.Kind) || row.Class == code.ClassTest ||
			!ws.World.Together(row.Language, f.Language) || ws.Services().Root(row.Path) != ws.Services().Root(f.Path) {
			continue
		}
		ref := ws.World.Ref(row)
		switch {
		case !ref.Valid():
		case ref.File == f:
			return ref
		case slices.ContainsFunc(from, func(o Origin) bool { return o.File == ref.File }):
			near = append(near, ref)
		default:
			far = append(far, ref)
		}
	}
	if len(near) == 0 {
		near = byQualified(far, expr)
	}
	if len(near) == 1 {
		return near[0]
	}
	return resolve.Ref{}
}

// MemberNamed returns the method called name of a class, or of the nearest of its bases and mixins.
func (ws *Workspace) MemberNamed(class resolve.Ref, name string, depth int) resolve.Ref {
	for _, m := range ws.Members(class) {
		if m.Symbol().Name == name {
			return m
		}
	}
	for _, fact := range class.File.FactsOf(class.Index) {
		if fact.Kind != code.FactBase && fact.Kind != code.FactImpl || depth == MaxSteps {
			continue
		}
		if base := ws.TypeNamed(class.File, fact.Type); base.Valid() && base != class {
			if m := ws.MemberNamed(base, name, depth+1); m.Valid() {
				return m
			}
		}
	}
	return resolve.Ref{}
}

type typesNamedKey struct{ name, family string }

// TypesNamed returns the types called name outside of tests, in languages of one family.
func (ws *Workspace) TypesNamed(name, language string) []resolve.Ref {
	return resolve.Derive(ws.World, typesNamedKey{name, ws.World.Family(language)}, func() (out []resolve.Ref) {
		rows, _ := ws.World.Named(name)
		for _, row := range rows {
			if resolve.IsType(row.Kind) && row.Class != code.ClassTest &&
				ws.World.Together(row.Language, language) && len(out) < resolve.MaxLineage {
				if ref := ws.World.Ref(row); ref.Valid() {
					out = append(out, ref)
				}
			}
		}
		return out
	})
}

// derives reports whether fact, a statement of a base type of sub, refers to the type base. If
// several types have that name, it refers to those that the file of sub imports; if there are
// none, to those in its folder, or else in its service.
func (ws *Workspace) derives(sub resolve.Ref, fact *code.Fact, base resolve.Ref) bool {
	name := base.Symbol().Name
	if fact.Owner != sub.Index || fact.Kind != code.FactBase && fact.Kind != code.FactImpl ||
		l2meta.TypeName(fact.Type) != name || base == sub {
		return false
	}
	twins := ws.TypesNamed(name, base.File.Language)
	if len(twins) < 2 {
		return true
	}
	from := ws.Origins(sub.File, name)
	near := func(t resolve.Ref) bool {
		return slices.ContainsFunc(from, func(o Origin) bool { return o.File == t.File })
	}
	if !slices.ContainsFunc(twins, near) {
		near = func(t resolve.Ref) bool { return t.File.Dir == sub.File.Dir }
	}
	if !slices.ContainsFunc(twins, near) {
		near = func(t resolve.Ref) bool { return ws.Services().Root(t.File.Path) == ws.Services().Root(sub.File.Path) }
	}
	return near(base)
}

type basesKey struct{ of resolve.Ref }

// BasesOf returns the bases of a type in the workspace, in the order that it names them.
func (ws *Workspace) BasesOf(t resolve.Ref) []resolve.Ref {
	return resolve.Derive(ws.World, basesKey{t}, func() (out []resolve.Ref) {
		for _, fact := range t.File.FactsOf(t.Index) {
			if fact.Kind != code.FactBase && fact.Kind != code.FactImpl {
				continue
			}
			for _, base := range ws.TypesNamed(l2meta.TypeName(fact.Type), t.File.Language) {
				if ws.derives(t, fact, base) && !slices.Contains(out, base) {
					out = append(out, base)
				}
			}
		}
		return out
	})
}

type subtypesKey struct{ of resolve.Ref }

// SubtypesOf returns the types outside of tests that name t as a base.
func (ws *Workspace) SubtypesOf(t resolve.Ref) []resolve.Ref {
	return resolve.Derive(ws.World, subtypesKey{t}, func() []resolve.Ref {
		return ws.World.SubtypesWhere(t, func(sub resolve.Ref) bool {
			return sub.File.Class != code.ClassTest &&
				slices.ContainsFunc(sub.File.FactsOf(sub.Index),
					func(f *code.Fact) bool { return ws.derives(sub, f, t) })
		})
	})
}

// Members returns the members of a type.
func (ws *Workspace) Members(t resolve.Ref) []resolve.Ref {
	list, _ := ws.Resolver.Members(t) // World.Err returns the error later
	return list
}

// TypeNames calls add with the names of the types that the value of an expression may have, each
// with the file that gives the evidence.
func (ws *Workspace) TypeNames(f *resolve.File, from int, text string, add func(*resolve.File, string), step int) {
	name := LastName(text)
	if name == "" || step >= MaxSteps {
		return
	}
	add(f, name)
	given := Values(f, from, name)
	for _, fact := range given {
		if fact.Type != text {
			ws.TypeNames(f, fact.Owner, fact.Type, add, step+1)
		}
	}
	if len(given) > 0 || !strings.Contains(text, name+"(") {
		return
	}
	// the expression may be a call: orders.NewServer(db)
	if made := ws.Named(f, text[:strings.LastIndex(text, name+"(")]+name); made.Valid() {
		for _, fact := range made.File.FactsOf(made.Index) {
			switch fact.Kind {
			case code.FactReturn:
				ws.TypeNames(made.File, made.Index, fact.Type, add, step+1)
			case code.FactResult: // perhaps of several, (*Mailer, error)
				for _, t := range ResultTypes(fact.Type) {
					ws.TypeNames(made.File, made.Index, t, add, step+1)
				}
			}
		}
	}
}

// ResultTypes returns the names of the types in a list of results: Producer and error for "(*Producer, error)".
func ResultTypes(list string) (names []string) {
	for _, part := range strings.Split(strings.Trim(list, "()"), ",") {
		names = append(names, l2meta.TypeName(strings.TrimLeft(strings.TrimSpace(part), "*&")))
	}
	return names
}

// Declares reports whether the service of f Declares a type of that name.
func (ws *Workspace) Declares(f *resolve.File, class string) bool {
	rows, _ := ws.World.Named(class)
	return slices.ContainsFunc(rows, func(row l2meta.Declaration) bool {
		return resolve.IsType(row.Kind) && ws.Services().Root(row.Path) == ws.Services().Root(f.Path)
	})
}

// Implementing returns the members that a call of target may run, if target belongs to an interface or an abstract
// type. It omits members in tests.
func (ws *Workspace) Implementing(target resolve.Ref) (out []resolve.Ref) {
	class := target.File.Type(target.Index)
	if class < 0 || IsConcrete(target.File.Ref(class)) {
		return nil
	}
	add := func(m resolve.Ref) {
		if m.File.Class != code.ClassTest && !slices.Contains(out, m) &&
			len(m.Symbol().Parameters) == len(target.Symbol().Parameters) {
			out = append(out, m)
		}
	}
	for _, sub := range resolve.Descendants(target.File.Ref(class), ws.SubtypesOf) {
		for _, m := range ws.Members(sub) {
			if m.Symbol().Name == target.Symbol().Name {
				add(m)
			}
		}
	}
	// Go types do not name the interfaces that they implement.
	found, _ := ws.Resolver.Implementations(target, resolve.Ref{})
	for _, d := range found {
		add(d.Target)
	}
	return out
}

// IsConcrete reports whether the type t is neither an interface nor abstract.
func IsConcrete(t resolve.Ref) bool {
	return t.Symbol().Kind != code.KindInterface && !slices.Contains(t.Symbol().Modifiers, "abstract")
}

// byQualified returns the types in list whose file or qualified name ends in expr, such as Api.V1.OrdersController. A
// list of a single type is returned as it is. Case is ignored, as folders and declarations may differ in it.
func byQualified(list []resolve.Ref, expr string) (some []resolve.Ref) {
	if len(list) < 2 {
		return list
	}
	said := strings.ToLower(strings.NewReplacer("::", ".", `\`, ".").Replace(expr))
	for _, ref := range list {
		file := strings.ToLower(strings.TrimSuffix(ref.File.Path, path.Ext(ref.File.Path)))
		if strings.HasSuffix("/"+file, "/"+strings.ReplaceAll(said, ".", "/")) && strings.Contains(said, ".") {
			some = append(some, ref)
			continue
		}
		if name := strings.ToLower(strings.ReplaceAll(ref.Symbol().QualifiedName, "::", ".")); name == said ||
			strings.HasSuffix(name, "."+said) && strings.Contains(said, ".") {
			some = append(some, ref)
		}
	}
	return some
}
