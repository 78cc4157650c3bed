package endpoint

import (
	"path"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/resolve"
)

// typeNamed returns the type that an expression names: a type of the file or its imports, else the only one of that
// name in its service. It returns the zero Ref if there is none or several.
func (ws *workspace) typeNamed(f *resolve.File, expr string) resolve.Ref {
	name := lastName(expr)
	var near, far []resolve.Ref
	from := ws.origins(f, firstName(expr))
	rows, _ := ws.w.Named(name)
	for _, row := range rows {
		if !resolve.IsType(row.Kind) || row.Class == code.ClassTest ||
			!ws.w.Together(row.Language, f.Language) || ws.services().root(row.Path) != ws.services().root(f.Path) {
			continue
		}
		ref := ws.w.Ref(row)
		switch {
		case !ref.Valid():
		case ref.File == f:
			return ref
		case slices.ContainsFunc(from, func(o origin) bool { return o.file == ref.File }):
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

// memberNamed returns the method called name of a class, or of the nearest of its bases and mixins.
func (ws *workspace) memberNamed(class resolve.Ref, name string, depth int) resolve.Ref {
	for _, m := range ws.members(class) {
		if m.Symbol().Name == name {
			return m
		}
	}
	for _, fact := range class.File.FactsOf(class.Index) {
		if fact.Kind != code.FactBase && fact.Kind != code.FactImpl || depth == maxSteps {
			continue
		}
		if base := ws.typeNamed(class.File, fact.Type); base.Valid() && base != class {
			if m := ws.memberNamed(base, name, depth+1); m.Valid() {
				return m
			}
		}
	}
	return resolve.Ref{}
}

type typesNamedKey struct{ name, family string }

// typesNamed returns the types called name outside of tests, in languages of one family.
func (ws *workspace) typesNamed(name, language string) []resolve.Ref {
	return resolve.Derive(ws.w, typesNamedKey{name, ws.w.Family(language)}, func() (out []resolve.Ref) {
		rows, _ := ws.w.Named(name)
		for _, row := range rows {
			if resolve.IsType(row.Kind) && row.Class != code.ClassTest &&
				ws.w.Together(row.Language, language) && len(out) < resolve.MaxLineage {
				if ref := ws.w.Ref(row); ref.Valid() {
					out = append(out, ref)
				}
			}
		}
		return out
	})
}

// derives reports whether fact, a statement of a base type of sub, refers to the type base. Of
// several types with that name, it refers to those that the file of sub imports, else to those in
// its folder, else to those in its service.
func (ws *workspace) derives(sub resolve.Ref, fact *code.Fact, base resolve.Ref) bool {
	name := base.Symbol().Name
	if fact.Owner != sub.Index || fact.Kind != code.FactBase && fact.Kind != code.FactImpl ||
		l2meta.TypeName(fact.Type) != name || base == sub {
		return false
	}
	twins := ws.typesNamed(name, base.File.Language)
	if len(twins) < 2 {
		return true
	}
	from := ws.origins(sub.File, name)
	near := func(t resolve.Ref) bool {
		return slices.ContainsFunc(from, func(o origin) bool { return o.file == t.File })
	}
	if !slices.ContainsFunc(twins, near) {
		near = func(t resolve.Ref) bool { return t.File.Dir == sub.File.Dir }
	}
	if !slices.ContainsFunc(twins, near) {
		near = func(t resolve.Ref) bool { return ws.services().root(t.File.Path) == ws.services().root(sub.File.Path) }
	}
	return near(base)
}

type basesKey struct{ of resolve.Ref }

// basesOf returns the bases of a type in the workspace, in the order that it names them.
func (ws *workspace) basesOf(t resolve.Ref) []resolve.Ref {
	return resolve.Derive(ws.w, basesKey{t}, func() (out []resolve.Ref) {
		for _, fact := range t.File.FactsOf(t.Index) {
			if fact.Kind != code.FactBase && fact.Kind != code.FactImpl {
				continue
			}
			for _, base := range ws.typesNamed(l2meta.TypeName(fact.Type), t.File.Language) {
				if ws.derives(t, fact, base) && !slices.Contains(out, base) {
					out = append(out, base)
				}
			}
		}
		return out
	})
}

type subtypesKey struct{ of resolve.Ref }

// subtypesOf returns the types outside of tests that name t as a base.
func (ws *workspace) subtypesOf(t resolve.Ref) []resolve.Ref {
	return resolve.Derive(ws.w, subtypesKey{t}, func() []resolve.Ref {
		return ws.w.SubtypesWhere(t, func(sub resolve.Ref) bool {
			return sub.File.Class != code.ClassTest &&
				slices.ContainsFunc(sub.File.FactsOf(sub.Index),
					func(f *code.Fact) bool { return ws.derives(sub, f, t) })
		})
	})
}

func (ws *workspace) members(t resolve.Ref) []resolve.Ref {
	list, _ := ws.r.Members(t) // World.Err reports the error
	return list
}

// typeNames calls add with the names of the types that the value of an expression may have, each
// with the file that gives the evidence.
func (ws *workspace) typeNames(f *resolve.File, from int, text string, add func(*resolve.File, string), step int) {
	name := lastName(text)
	if name == "" || step >= maxSteps {
		return
	}
	add(f, name)
	given := values(f, from, name)
	for _, fact := range given {
		if fact.Type != text {
			ws.typeNames(f, fact.Owner, fact.Type, add, step+1)
		}
	}
	if len(given) > 0 || !strings.Contains(text, name+"(") {
		return
	}
	if made := ws.named(f, text[:strings.LastIndex(text, name+"(")]+name); made.Valid() { // orders.NewServer(db)
		for _, fact := range made.File.FactsOf(made.Index) {
			if fact.Kind == code.FactResult || fact.Kind == code.FactReturn {
				ws.typeNames(made.File, made.Index, fact.Type, add, step+1)
			}
		}
	}
}

// declares reports whether the service of f declares a type of that name.
func (ws *workspace) declares(f *resolve.File, class string) bool {
	rows, _ := ws.w.Named(class)
	return slices.ContainsFunc(rows, func(row l2meta.Declaration) bool {
		return resolve.IsType(row.Kind) && ws.services().root(row.Path) == ws.services().root(f.Path)
	})
}

// implementing returns the members that a call of target may run, if target belongs to an interface or an abstract
// type. It omits members in tests.
func (ws *workspace) implementing(target resolve.Ref) (out []resolve.Ref) {
	class := target.File.Type(target.Index)
	if class < 0 || isConcrete(target.File.Ref(class)) {
		return nil
	}
	add := func(m resolve.Ref) {
		if m.File.Class != code.ClassTest && !slices.Contains(out, m) &&
			len(m.Symbol().Parameters) == len(target.Symbol().Parameters) {
			out = append(out, m)
		}
	}
	for _, sub := range resolve.Descendants(target.File.Ref(class), ws.subtypesOf) {
		for _, m := range ws.members(sub) {
			if m.Symbol().Name == target.Symbol().Name {
				add(m)
			}
		}
	}
	found, _ := ws.r.Implementations(target, resolve.Ref{}) // Go types do not name the interfaces that they implement
	for _, d := range found {
		add(d.Target)
	}
	return out
}

func isConcrete(t resolve.Ref) bool {
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
