package endpoint

import (
	"slices"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// Ends returns the declarations that handle a method of a .proto, sorted by path and position, and the
// callables that call it, sorted by path for each spelling of its name, such as GetItem and get_item. It
// returns nil for any other symbol.
func (j *Joiner) Ends(rpc resolve.Ref) (handlers, clients []resolve.Ref, err error) {
	m, ok := j.rpc.declaredBy(rpc)
	if !ok {
		return nil, nil, j.w.Err()
	}
	for _, h := range j.rpc.handlers(m) {
		handlers = append(handlers, h.ref)
	}
	for _, name := range spellings(m.name) {
		for _, f := range j.rpc.calling(name) {
			for _, i := range f.CallsOf(name) {
				for _, x := range j.rpc.callsAt(f, i, m) {
					if !slices.Contains(clients, x.Caller) {
						clients = append(clients, x.Caller)
					}
				}
			}
		}
	}
	return handlers, clients, j.w.Err()
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
