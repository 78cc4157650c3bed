// Package rpc joins the calls of gRPC clients with the declarations that handle them.
//
// An edge needs the same method on both ends. The client's type names the service (NewCartClient, CartStub,
// Cart.CartClient …), the server's base type or registration names it (UnimplementedCartServer, CartServicer,
// CartImplBase, addService(…Cart.service, …)), and a .proto or generated code declares the method. Each language spells
// the names of methods in its own way, and a workspace often has a copy of the .proto for each program, so one call may
// have several handlers.
package rpc

import (
	"slices"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// Ends returns the declarations that handle the method that a symbol of a .proto declares, sorted by path and
// position, and the callables that call it, sorted by path for each spelling of its name. It returns nil for any other
// symbol.
func (rj *Joiner) Ends(rpc resolve.Ref) (handlers, clients []resolve.Ref) {
	m, ok := rj.DeclaredBy(rpc)
	if !ok {
		return nil, nil
	}
	for _, h := range rj.Handlers(m) {
		handlers = append(handlers, h.Ref)
	}
	for _, name := range spellings(m.name) {
		for _, f := range rj.calling(name) {
			for _, i := range f.CallsOf(name) {
				for _, x := range rj.callsAt(f, i, m) {
					if !slices.Contains(clients, x.Caller) {
						clients = append(clients, x.Caller)
					}
				}
			}
		}
	}
	return handlers, clients
}

// DeclaredBy returns the method that a symbol of a .proto declares, and false for any other symbol.
func (rj *Joiner) DeclaredBy(rpc resolve.Ref) (Method, bool) {
	s := rpc.Symbol()
	if s.Kind != code.KindRPC || s.Parent < 0 {
		return Method{}, false
	}
	for _, m := range rj.catalog().methods[s.Name] {
		if m.name == s.Name && m.service.name == rpc.File.Symbols[s.Parent].Name && m.pkg == rpc.File.Package() {
			return m, true
		}
	}
	return Method{}, false
}
