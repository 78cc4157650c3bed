package endpoint

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/endpoint/hosts"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/endpoint/values"
	"sextant/l2meta/resolve"
)

// Some generated clients have a class for each path, whose objects are reached through those of the path before it:
// client.orders().byId(id).items().post(item). The class of the last object knows the whole path, and the call of its
// method is the request.

type builtCallsKey struct{}

// builtCalls returns a map from the id of a file to its requests through generated classes that know their paths.
func builtCalls(ws *lookup.Workspace) map[int64][]fetch {
	return resolve.Derive(ws.World, builtCallsKey{}, func() map[int64][]fetch {
		out := map[int64][]fetch{}
		methods, roots := map[resolve.Ref]*code.Fact{}, map[string]bool{}
		names := map[string]bool{}
		for _, f := range ws.Files(l2meta.RoleBuilt) {
			for _, fact := range lookup.Endpoints(f, l2meta.RoleBuilt) {
				methods[f.Ref(fact.Owner)] = fact
				names[f.Symbols[fact.Owner].Name] = true
				roots[ws.Services().Root(f.Path)] = true
			}
		}
		for _, name := range slices.Sorted(maps.Keys(names)) {
			for _, id := range ws.World.Calling(name) {
				at, ok := ws.World.Place(id)
				if !ok || at.Class != code.ClassSource || !roots[ws.Services().Root(at.Path)] {
					continue
				}
				f := ws.World.ByID(id)
				if f == nil || len(lookup.Endpoints(f, l2meta.RoleBuilt)) > 0 {
					continue
				}
				for _, i := range f.CallsOf(name) {
					if x, ok := builtCall(ws, f, i, methods); ok {
						out[id] = append(out[id], x)
					}
				}
			}
		}
		return out
	})
}

// builtCall returns the request of call i of f, if that runs one of the methods of generated classes.
func builtCall(ws *lookup.Workspace, f *resolve.File, i int, methods map[resolve.Ref]*code.Fact) (x fetch, ok bool) {
	c := &f.Calls()[i]
	s, ok, err := ws.Resolver.At(f.Reference(i))
	if err != nil || !ok || s.Outcome != resolve.Settled { // World.Err returns the error later
		return x, false
	}
	fact := methods[s.Target]
	if fact == nil {
		return x, false
	}
	method, path, _ := strings.Cut(fact.Type, "\t")
	text := "{" + clientOfChain(c.Receiver) + "}" + path
	return fetch{file: f, owner: c.Caller, at: c.NameSpan, method: method, text: text,
		url: hosts.TargetOf(values.Unnumbered(text)), rests: []string{s.Target.File.Path},
		how: []string{fmt.Sprintf("%s:%d builds the path", s.Target.File.Path, fact.Span.StartLine)}}, true
}

// clientOfChain returns the name of the client with which a chain of calls begins: ordersClient of
// this.ordersClient.orders().byId(id).
func clientOfChain(receiver string) string {
	for _, w := range lookup.Words(receiver) {
		if w.Text != "this" && w.Text != "self" {
			return strings.TrimLeft(w.Text, "_$")
		}
	}
	return "client"
}
