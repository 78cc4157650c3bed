package endpoint

import (
	"slices"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// ends returns the declarations that handle the method that a symbol of a .proto declares, sorted by path and
// position, and the callables that call it, sorted by path for each spelling of its name. It returns nil for any other
// symbol.
func (rj *rpcJoiner) ends(rpc resolve.Ref) (handlers, clients []resolve.Ref) {
	m, ok := rj.declaredBy(rpc)
	if !ok {
		return nil, nil
	}
	for _, h := range rj.handlers(m) {
		handlers = append(handlers, h.ref)
	}
	for _, name := range spellings(m.name) {
		for _, f := range rj.calling(name) {
			for _, i := range f.CallsOf(name) {
				for _, x := range rj.callsAt(f, i, m) {
					if !slices.Contains(clients, x.caller) {
						clients = append(clients, x.caller)
					}
				}
			}
		}
	}
	return handlers, clients
}

// declaredBy returns the method that a symbol of a .proto declares, and false for any other symbol.
func (rj *rpcJoiner) declaredBy(rpc resolve.Ref) (method, bool) {
	s := rpc.Symbol()
	if s.Kind != code.KindRPC || s.Parent < 0 {
		return method{}, false
	}
	for _, m := range rj.catalog().methods[s.Name] {
		if m.name == s.Name && m.service.name == rpc.File.Symbols[s.Parent].Name && m.pkg == rpc.File.Package() {
			return m, true
		}
	}
	return method{}, false
}
