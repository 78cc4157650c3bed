package endpoint

import (
	"strings"

	"sextant/l2meta"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/endpoint/values"
	"sextant/l2meta/resolve"
	"sextant/l2meta/services"
)

// Controllers serve routes that their base types declare, below a path of their own, and clients request such routes:
// class OrderController implements OrderApi, interface OrderClient extends OrderApi. A type without a path takes the
// path of its nearest base.

// heritage finds the routes and requests that types inherit from their bases.
type heritage struct{ *values.Reader }

// surface tells whether a type serves or requests the routes of its bases, and below which paths.
type surface struct {
	does     string   // services.Serves, Asks or Declares; "" if the file does not tell
	address  string   // base address of a client
	prefixes []string // prefixes of its routes as written, empty if it has none
}

// surface returns whether a type serves or requests the routes of its bases, and below which paths, by the facts of
// its file.
func (hr *heritage) surface(t resolve.Ref) (s surface) {
	for _, fact := range lookup.Endpoints(t.File, l2meta.RoleInherit) {
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

type prefixesKey struct{ of resolve.Ref }

// prefixesOf returns the path prefixes of a type's routes: its own or, if it has none, those of
// its nearest base that has any. Prefixes may contain placeholders such as [controller].
func (hr *heritage) prefixesOf(t resolve.Ref) []string {
	return resolve.Derive(hr.World, prefixesKey{t}, func() []string {
		for _, at := range append([]resolve.Ref{t}, resolve.Descendants(t, hr.BasesOf)...) {
			if own := hr.surface(at).prefixes; len(own) > 0 {
				return own
			}
		}
		return nil
	})
}

// heir is a type that serves or requests routes that one of its bases declares.
type heir struct {
	ref     resolve.Ref
	address string // base address of a client, as written in the type from
	from    resolve.Ref
}

type heirs struct{ servers, clients []heir }

type heirsKey struct{ of resolve.Ref }

// heirsOf returns the subtypes of t that serve its routes, and those that request them. If any subtype is marked as
// serving, as by @RestController, only marked ones serve. A type derived from a client is a test double, and serves
// nothing.
func (hr *heritage) heirsOf(t resolve.Ref) heirs {
	return resolve.Derive(hr.World, heirsKey{t}, func() (out heirs) {
		var silent []heir
		below := func(at resolve.Ref) []resolve.Ref {
			if at != t && hr.surface(at).does == services.Asks {
				return nil
			}
			return hr.SubtypesOf(at)
		}
		for _, sub := range resolve.Descendants(t, below) {
			s := hr.surface(sub)
			h := heir{sub, s.address, sub}
			switch {
			case s.does == services.Asks:
				out.clients = append(out.clients, h)
			case !lookup.IsConcrete(sub):
			case s.does == services.Serves:
				out.servers = append(out.servers, h)
			default:
				silent = append(silent, h)
			}
		}
		if len(out.servers) == 0 && len(out.clients) == 0 && !lookup.IsConcrete(t) && hr.surface(t).does != services.Asks {
			out.servers = silent
		}
		for _, b := range hr.Bases(t.Symbol().Name) { // the type itself may be registered as a client
			out.clients = append(out.clients, heir{t, b.Text, b.File.Ref(b.Fact.Owner)})
		}
		return out
	})
}
