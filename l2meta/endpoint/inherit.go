package endpoint

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/resolve"
	"sextant/l2meta/services"
)

// Controllers serve routes that their bases declare, below a path of their own, and clients request
// them: class OrderController implements OrderApi, interface OrderClient extends OrderApi. A type
// without a path takes the path of its nearest base.

// heritage finds the routes and requests that types inherit from their bases.
type heritage struct{ *reader }

// surface says how a type uses the routes and requests of its bases.
type surface struct {
	does     string   // services.Serves, Asks or Declares; "" if nothing says so
	address  string   // base address of a client
	prefixes []string // prefixes of its routes as written, empty if it has none
}

// surface returns the surface of a type, from the facts of its file.
func (hr *heritage) surface(t resolve.Ref) (s surface) {
	for _, fact := range endpoints(t.File, l2meta.RoleInherit) {
		if fact.Owner != t.Index {
			continue
		}
		part := append(strings.Split(fact.Type, "\t"), "", "")
		if s.does = part[0]; s.does == services.Asks {
			s.address, part[1] = part[1], part[2]
		}
		if part[1] != "" {
			s.prefixes = append(s.prefixes, part[1])
		}
	}
	return s
}

// derives reports whether a base that sub names is the type base: the only type of its name, else
// the one that the file imports, else that of its folder.
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

type typesNamedKey struct{ name, family string }

// typesNamed returns the types called name outside of tests, in languages of one family.
func (ws *workspace) typesNamed(name, language string) []resolve.Ref {
	return resolve.Derive(ws.w, typesNamedKey{name, ws.w.Family(language)}, func() (out []resolve.Ref) {
		rows, _ := ws.w.Named(name)
		for _, row := range rows {
			if resolve.IsType(row.Symbol.Kind) && row.Class != code.ClassTest &&
				ws.w.Together(row.Language, language) && len(out) < resolve.MaxLineage {
				if ref := ws.w.Ref(row); ref.Valid() {
					out = append(out, ref)
				}
			}
		}
		return out
	})
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

type prefixesKey struct{ of resolve.Ref }

// prefixesOf returns the path prefixes of a type's routes: its own, else those of its nearest base
// that has any. Prefixes may contain placeholders such as [controller].
func (hr *heritage) prefixesOf(t resolve.Ref) []string {
	return resolve.Derive(hr.w, prefixesKey{t}, func() []string {
		for _, at := range append([]resolve.Ref{t}, resolve.Descendants(t, hr.basesOf)...) {
			if own := hr.surface(at).prefixes; len(own) > 0 {
				return own
			}
		}
		return nil
	})
}

// heir is a type that serves or requests routes that a base of it declares.
type heir struct {
	ref     resolve.Ref
	address string // of a client, as written in the type from
	from    resolve.Ref
}

type heirs struct{ servers, clients []heir }

type heirsKey struct{ of resolve.Ref }

// heirsOf returns the subtypes of t that serve its routes, and those that request them. If any
// subtype is marked as serving, only marked ones serve. A type derived from a client is a test
// double, and serves nothing.
func (hr *heritage) heirsOf(t resolve.Ref) heirs {
	return resolve.Derive(hr.w, heirsKey{t}, func() (out heirs) {
		var silent []heir
		below := func(at resolve.Ref) []resolve.Ref {
			if at != t && hr.surface(at).does == services.Asks {
				return nil
			}
			return hr.subtypesOf(at)
		}
		for _, sub := range resolve.Descendants(t, below) {
			s := hr.surface(sub)
			h := heir{sub, s.address, sub}
			switch {
			case s.does == services.Asks:
				out.clients = append(out.clients, h)
			case !isConcrete(sub):
			case s.does == services.Serves:
				out.servers = append(out.servers, h)
			default:
				silent = append(silent, h)
			}
		}
		if len(out.servers) == 0 && len(out.clients) == 0 && !isConcrete(t) && hr.surface(t).does != services.Asks {
			out.servers = silent
		}
		for _, b := range hr.bases(t.Symbol().Name) { // the type itself is registered as a client
			out.clients = append(out.clients, heir{t, b.text, b.file.Ref(b.fact.Owner)})
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

func isConcrete(t resolve.Ref) bool {
	return t.Symbol().Kind != code.KindInterface && !slices.Contains(t.Symbol().Modifiers, "abstract")
}
