package endpoint

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/endpoint/hosts"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/endpoint/values"
	"sextant/l2meta/resolve"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// inheritable returns the routes that result from a route that a type's member declares: the one that the type itself
// serves, and one for each subtype that serves it, such as class OrderController implements OrderApi.
func (hr *heritage) inheritable(r route) (out []*route) {
	t := r.file.Type(r.owner)
	if t < 0 || r.handler != "" && r.handler != services.Heirs {
		return []*route{&r}
	}
	class, owner := r.file.Ref(t), r.file.Ref(r.owner)
	own, below := hr.surface(class), hr.heirsOf(class)
	rest, place := behindOwn(r.path, own.prefixes, owner)
	serves := own.does == services.Serves && lookup.IsConcrete(class)
	alone := len(below.servers) == 0 && (lookup.IsConcrete(class) || len(below.clients) == 0)
	above := hr.prefixesOf(class)
	switch {
	case r.handler == services.Heirs && (!serves || len(above) == 0):
	case !serves && !alone:
	case len(own.prefixes) == 0 && len(above) > 0:
		out = hr.standingIn(r, class, owner, rest)
	default:
		r.handler = ""
		out = append(out, &r)
	}
	if place > 0 {
		return out // the heirs are already added for the first prefix of the type
	}
	for _, h := range below.servers {
		member := hr.replaced(h.ref, owner)
		if member != owner && slices.ContainsFunc(lookup.Endpoints(member.File, l2meta.RoleRoute),
			func(f *code.Fact) bool { return f.Owner == member.Index }) {
			continue // the overriding member has a route of its own
		}
		out = append(out, hr.standingIn(r, h.ref, member, rest)...)
	}
	return out
}

// standingIn returns the routes by which a member of a type serves r, whose path without a prefix is rest: one below
// each path prefix of the type.
func (hr *heritage) standingIn(r route, class, member resolve.Ref, rest []string) (out []*route) {
	prefixes := hr.prefixesOf(class)
	if len(prefixes) == 0 {
		prefixes = []string{""}
	}
	for _, p := range prefixes {
		at := r
		at.path = append(withNames(p, member, class), rest...)
		at.handler, at.answer, at.rests = "", member, []string{class.File.Path}
		at.roots = []string{hr.Services().Root(class.File.Path)}
		out = append(out, &at)
	}
	return out
}

// placed puts the routes for which annotations stand in their places in the path of r. It returns false if r is only a
// route by an annotation that is not known.
func (hr *heritage) placed(r *route, written string) bool {
	method, path, ok := hr.stated(r.file, written)
	if path == written {
		return true
	}
	if r.method == "*" && method != "" {
		r.method = method
	}
	if !ok && r.method == "*" {
		return false
	}
	r.path = hosts.Segments(path)
	if t := r.file.Type(r.owner); t >= 0 {
		r.path = withNames(path, r.file.Ref(r.owner), r.file.Ref(t))
	}
	if !ok && len(r.path) == 0 && r.handler == "" {
		r.handler = services.Heirs
	}
	return true
}

// behindOwn removes from a path the first of the prefixes that it starts with, and returns the
// rest and the index of the prefix. If it starts with none, behindOwn returns the whole path and
// 0. In a prefix, [controller] and [action] are placeholders for the names of the member's class
// and of the member.
func behindOwn(path, prefixes []string, member resolve.Ref) (rest []string, place int) {
	class := member.File.Ref(member.File.Type(member.Index))
	for i, p := range prefixes {
		if own := withNames(p, member, class); len(own) <= len(path) && slices.Equal(own, path[:len(own)]) {
			return path[len(own):], i
		}
	}
	return path, 0
}

// withNames returns the segments of a prefix, with its placeholders [controller] and [action]
// replaced by names.
func withNames(prefix string, member, class resolve.Ref) []string {
	controller := strings.ToLower(strings.TrimSuffix(class.Symbol().Name, "Controller"))
	return hosts.Segments(strings.NewReplacer("[controller]", controller, "[action]",
		strings.ToLower(member.Symbol().Name)).Replace(prefix))
}

// replaced returns the member of a type that overrides a member declared by a base; the declared
// member if there is none.
func (hr *heritage) replaced(class, declared resolve.Ref) resolve.Ref {
	s := declared.Symbol()
	for _, t := range append([]resolve.Ref{class}, resolve.Descendants(class, hr.BasesOf)...) {
		if t == declared.File.Ref(declared.File.Type(declared.Index)) {
			break
		}
		for _, m := range hr.Members(t) {
			if o := m.Symbol(); o.Name == s.Name && len(o.Parameters) == len(s.Parameters) && lookup.IsConcrete(t) {
				return m
			}
		}
	}
	return declared
}

// clientRoutes returns the routes that controllers serve because they implement a client's
// interface. The paths of the client's requests are below the client's address.
func (hr *heritage) clientRoutes() (out []*route) {
	for _, f := range hr.Files(l2meta.RoleInherit) {
		for _, fact := range lookup.Endpoints(f, l2meta.RoleInherit) {
			client := f.Ref(fact.Owner)
			s := hr.surface(client)
			if s.does != services.Asks || f.Class == code.ClassTest || len(hr.heirsOf(client).servers) == 0 {
				continue
			}
			for _, asked := range fetches(f) {
				if f.Type(asked.owner) != fact.Owner || !strings.HasPrefix(asked.text, s.address) {
					continue
				}
				r := route{file: f, owner: asked.owner, at: asked.at, method: asked.method,
					path: hosts.Segments(strings.TrimPrefix(asked.text, s.address)), handler: services.Heirs}
				out = append(out, hr.inheritable(r)...)
			}
		}
	}
	return out
}

type inheritedKey struct{}

// inherited returns a map from the id of a file to the requests that clients in it send through
// routes declared by their bases: interface OrderClient extends OrderApi.
func (hr *heritage) inherited() map[int64][]fetch {
	return resolve.Derive(hr.World, inheritedKey{}, func() map[int64][]fetch {
		out := map[int64][]fetch{}
		if len(hr.World.Reaching(l2meta.RoleInherit)) == 0 {
			return out
		}
		for _, f := range hr.Files(l2meta.RoleRoute) {
			if f.Class == code.ClassTest || f.Class == code.ClassGenerated {
				continue
			}
			for _, fact := range lookup.Endpoints(f, l2meta.RoleRoute) {
				part := append(strings.Split(fact.Type, "\t"), "", "")
				t := f.Type(fact.Owner)
				if t < 0 || part[2] != "" && part[2] != services.Heirs || lookup.IsConcrete(f.Ref(t)) {
					continue
				}
				for _, h := range hr.heirsOf(f.Ref(t)).clients {
					for _, x := range hr.asked(f, fact, part, h) {
						out[x.file.ID] = append(out[x.file.ID], x)
					}
				}
			}
		}
		return out
	})
}

// asked returns the requests that the client h sends through a member that its base declares with
// a route. If the client redeclares the member without a route, the requests are attributed to
// that declaration. If it redeclares the member with a route, there are none.
func (hr *heritage) asked(f *resolve.File, fact *code.Fact, part []string, h heir) (out []fetch) {
	declared, by, at := f.Ref(fact.Owner), f.Ref(fact.Owner), fact.Span
	for _, m := range hr.Members(h.ref) {
		if m == declared || m.Symbol().Name != declared.Symbol().Name ||
			len(m.Symbol().Parameters) != len(declared.Symbol().Parameters) {
			continue
		}
		if by, at = m, m.Symbol().NameSpan; slices.ContainsFunc(m.File.AllFacts(), func(o code.Fact) bool {
			return o.Kind == code.FactEndpoint && o.Owner == m.Index && o.Name != l2meta.RoleText &&
				o.Name != l2meta.RoleMayPublish && o.Name != l2meta.RoleMayConsume
		}) {
			return nil // the redeclared member has a route of its own
		}
	}
	rest, place := behindOwn(hosts.Segments(part[1]), hr.surface(f.Ref(f.Type(fact.Owner))).prefixes, declared)
	if place > 0 {
		return nil
	}
	prefixes := hr.prefixesOf(h.ref)
	if len(prefixes) == 0 {
		prefixes = []string{""}
	}
	for _, p := range prefixes {
		path := strings.Join(append(withNames(p, declared, h.ref), rest...), "/")
		for _, r := range hr.Readings(h.from.File, h.from.Index, folding.JoinURL(h.address, path)) {
			out = append(out, fetch{file: by.File, owner: by.Index, at: at, method: part[0], text: r.Text,
				url: hosts.TargetOf(values.Unnumbered(r.Text)), how: r.How, keys: r.Keys,
				rests: append(slices.Clip(r.Rests), f.Path, h.ref.File.Path, h.from.File.Path)})
		}
	}
	return out
}
