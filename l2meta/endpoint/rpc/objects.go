package rpc

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/resolve"
	"sextant/l2meta/services/folding"
)

// In JavaScript, handlers are passed to the server as functions in an object:
// addService(shop.Cart.service, {getItem: items.get.bind(items), addItem}).

// objects returns the functions that handle a gRPC method as members of an object that is passed to a server, or by
// an annotation.
func (rj *Joiner) objects(m Method) (out []Handler) {
	for ref, methods := range rj.objectMethods() {
		for _, o := range methods {
			if o.name == m.name && o.service.name == m.service.name && o.pkg == m.pkg {
				out = append(out, Handler{Ref: ref, how: "a server is given it as " + m.service.name + "." + m.name,
					Rests: rj.registrations(m.service)})
			}
		}
	}
	return out
}

func (rj *Joiner) registrations(s *service) (out []string) {
	for _, f := range rj.Files(l2meta.RoleServes) {
		for _, call := range lookup.Endpoints(f, l2meta.RoleServes) {
			if registersObject(call.Type, s) {
				out = append(out, f.Path)
				break
			}
		}
	}
	return out
}

// registersObject reports whether a call has the form addService(….S.service, …), addService(SService, …) or, of a
// router of Connect, service(S, …) for the service s.
func registersObject(call string, s *service) bool {
	args := lookup.Arguments(call)
	if strings.HasPrefix(call, "service(") {
		return len(args) > 1 && lookup.LastName(args[0]) == s.name
	}
	if !strings.HasPrefix(call, "addService(") || len(args) < 2 {
		return false
	}
	for _, w := range lookup.Words(args[0]) {
		if w.Text == s.name && strings.HasPrefix(w.Behind, ".service") || w.Text == s.name+"Service" ||
			w.Text == s.name+"Definition" {
			return true
		}
	}
	return false
}

type objectsKey struct{}

// objectMethods returns the gRPC methods that each function handles as a member of an object that is passed to a
// server, {getItem: items.get}, or by an annotation.
func (rj *Joiner) objectMethods() map[resolve.Ref][]Method {
	return resolve.Derive(rj.World, objectsKey{}, func() map[resolve.Ref][]Method {
		out := map[resolve.Ref][]Method{}
		for _, f := range rj.Files(l2meta.RoleServes) {
			if !rj.World.Language(f.Language).Stubs.Loaded {
				continue
			}
			for _, call := range lookup.Endpoints(f, l2meta.RoleServes) {
				for _, m := range rj.stated(call) {
					ref := f.Ref(call.Owner)
					out[ref] = append(out[ref], m)
				}
				for _, s := range rj.catalog().services {
					if !registersObject(call.Type, s) {
						continue
					}
					for _, name := range s.methods {
						if ref := rj.entry(f, call, name); ref.Valid() {
							out[ref] = append(out[ref], Method{s, name})
						}
					}
				}
			}
		}
		return out
	})
}

// stated returns the methods that an annotation names: "@Cart/GetItem" for @GrpcMethod('Cart',
// 'GetItem').
func (rj *Joiner) stated(call *code.Fact) (out []Method) {
	full, ok := strings.CutPrefix(call.Type, "@")
	of, name, _ := strings.Cut(full, "/")
	if !ok || call.Owner < 0 {
		return nil
	}
	for _, m := range rj.catalog().methods[name] {
		if m.service.name == of[strings.LastIndexByte(of, '.')+1:] && strings.EqualFold(m.name, name) {
			out = append(out, m)
		}
	}
	return out
}

// entry returns the function under the key name of the object in a registration,
// addService(shop.Cart.service, {getItem: items.get}). It returns the zero Ref if there is none.
func (rj *Joiner) entry(f *resolve.File, call *code.Fact, name string) resolve.Ref {
	object := lookup.Arguments(call.Type)[1]
	if !strings.HasPrefix(object, "{") {
		return rj.memberOf(f, call, object, name)
	}
	for _, item := range folding.ListItems(object[1:]) {
		key, value, given := strings.Cut(item, ":")
		key = strings.TrimPrefix(strings.TrimSpace(key), "async ")
		if paren := strings.IndexByte(key, '('); paren >= 0 { // a method in the object: getItem(call, done) { … }
			key, given, value = key[:paren], false, key[:paren]
		}
		if !isSpelling(strings.Trim(key, `"' `), name) {
			continue
		}
		if !given {
			value = key
		}
		value = strings.TrimSpace(value)
		if folding.IsPlain(value) && !rj.Function(f, value).Valid() { // const handler = trigger.bind(null, data)
			if held := lookup.Values(f, call.Owner, value); len(held) == 1 && strings.Contains(held[0].Type, ".bind(") {
				value = held[0].Type
			}
		}
		value, _, _ = strings.Cut(value, ".bind(")
		if ref := rj.Function(f, lookup.LastName(value)); ref.Valid() && !strings.Contains(value, "=>") &&
			!strings.HasPrefix(value, "function") {
			return ref
		}
		// An anonymous function is part of the code around the call.
		return f.Ref(f.Callable(call.Owner))
	}
	return resolve.Ref{}
}

func isSpelling(key, name string) bool {
	for _, s := range spellings(name) {
		if key == s {
			return true
		}
	}
	return false
}

// memberOf returns the member called name of the object or class instance that a variable holds.
func (rj *Joiner) memberOf(f *resolve.File, call *code.Fact, object, name string) resolve.Ref {
	holders := map[string]bool{}
	rj.TypeNames(f, call.Owner, object, func(_ *resolve.File, name string) { holders[name] = true }, 0)
	for _, s := range spellings(name) {
		rows, _ := rj.World.Named(s)
		for _, row := range rows {
			ref := rj.World.Ref(row)
			if !ref.Valid() || !row.Kind.Callable() || ref.Symbol().Parent < 0 ||
				ref.File.Language != f.Language {
				continue
			}
			if holders[ref.File.Symbols[ref.Symbol().Parent].Name] && (ref.File == f || lookup.SharesFolder(ref.File, f)) {
				return ref
			}
		}
	}
	return resolve.Ref{}
}
