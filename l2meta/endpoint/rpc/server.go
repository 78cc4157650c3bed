package rpc

import (
	"cmp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/resolve"
)

// Handler is a declaration that handles a method of a gRPC service.
type Handler struct {
	Ref   resolve.Ref
	how   string   // evidence for the handler, one line
	Rests []string // paths of the files with evidence, besides Ref's own
}

type handlersKey struct {
	pkg, service, method string
}

// Handlers returns the declarations that handle a method, sorted by path and position. If any of
// their types is registered with a server, only those count. Handlers in tests count only if there
// are no others.
func (rj *Joiner) Handlers(m Method) []Handler {
	return resolve.Derive(rj.World, handlersKey{m.pkg, m.service.name, m.name}, func() []Handler {
		var all []Handler
		registered := rj.registered(m.service)
		for _, t := range rj.implementations(m.service) {
			for _, member := range besides(spelled(rj.Members(t.Ref), m.name), t.Ref.File) {
				all = append(all, Handler{member, t.how, t.Rests})
			}
		}
		all = append(all, rj.objects(m)...)
		// a double in a test answers no program
		all = slices.DeleteFunc(all, func(h Handler) bool { return h.Ref.File.Class == code.ClassTest })
		all = keep(all, func(h Handler) bool {
			if h.Ref.Index < 0 {
				return false // server.addService(S.service, {getItem: (call, done) => …}) outside of functions
			}
			t := h.Ref.File.Type(h.Ref.Index)
			owner, _, _ := strings.Cut(h.Ref.Symbol().QualifiedName, ".")
			return t >= 0 && registered[h.Ref.File.Symbols[t].Name] || registered[owner]
		})
		slices.SortStableFunc(all, func(a, b Handler) int {
			return cmp.Or(strings.Compare(a.Ref.File.Path, b.Ref.File.Path), cmp.Compare(a.Ref.Index, b.Ref.Index))
		})
		return slices.CompactFunc(all, func(a, b Handler) bool { return a.Ref == b.Ref })
	})
}

// spelled returns the members of a type whose name is a spelling of a method. If several
// spellings match, it returns the members with the first of them: in Go, GetItem handles the
// method, and a getItem beside it is a private method.
func spelled(members []resolve.Ref, method string) (out []resolve.Ref) {
	for _, name := range spellings(method) {
		for _, m := range members {
			if m.Symbol().Name == name {
				out = append(out, m)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// besides returns the members that are in f, the file in which their type implements the service,
// or all if none is. In Rust, a method of the same name in another file may be in an impl block
// that is unrelated to the service.
func besides(members []resolve.Ref, f *resolve.File) []resolve.Ref {
	var some []resolve.Ref
	for _, m := range members {
		if m.File == f {
			some = append(some, m)
		}
	}
	if len(some) > 0 {
		return some
	}
	return members
}

// keep returns the handlers in list that satisfy a condition, or all of list if none does.
func keep(list []Handler, so func(Handler) bool) []Handler {
	var some []Handler
	for _, h := range list {
		if so(h) {
			some = append(some, h)
		}
	}
	if len(some) == 0 {
		return list
	}
	return some
}

type implementationsKey struct{ pkg, service string }

// implementations returns the types that extend a server base type of a service, such as CartServicer, or are
// registered with a server, and their subtypes.
func (rj *Joiner) implementations(s *service) []Handler {
	return resolve.Derive(rj.World, implementationsKey{s.pkg, s.name}, func() (out []Handler) {
		for _, language := range rj.World.LanguageNames() {
			stubs := rj.World.Language(language).Stubs
			for _, base := range stubs.Servers {
				name := strings.Replace(base.Name, "*", stubs.Service(s.name), 1)
				within := strings.Replace(base.Within, "*", s.name, 1)
				for _, t := range rj.subtypes(name, language, within) {
					if rj.ofPackage(s, t) && !rj.isStub(t.Ref, s) {
						out = append(out, t)
					}
				}
			}
		}
		known := func(ref resolve.Ref) bool {
			return slices.ContainsFunc(out, func(h Handler) bool { return h.Ref == ref })
		}
		for _, t := range rj.handedOver(s) {
			if !known(t.Ref) {
				out = append(out, t)
			}
		}
		for i := 0; i < len(out) && len(out) < lookup.MaxFiles; i++ {
			t := out[i].Ref
			for _, sub := range rj.subtypes(t.Symbol().Name, t.File.Language, "") {
				if lookup.SharesFolder(sub.Ref.File, t.File) && !known(sub.Ref) {
					out = append(out, Handler{sub.Ref, sub.how + ", which " + out[i].how,
						append(sub.Rests, t.File.Path)})
				}
			}
		}
		return out
	})
}

// subtypes returns the types of a language that extend a base type, outside of generated code.
func (rj *Joiner) subtypes(base, language, within string) (out []Handler) {
	for _, id := range rj.World.Extending(base) {
		f := rj.World.Peer(id, language)
		if f == nil || f.Class == code.ClassGenerated || f.Language != language {
			continue
		}
		for i := range f.AllFacts() {
			fact := &f.AllFacts()[i]
			if fact.Kind != code.FactBase && fact.Kind != code.FactImpl || fact.Owner < 0 ||
				l2meta.TypeName(fact.Type) != base {
				continue
			}
			if bare := strings.ReplaceAll(fact.Type, ".", "::"); within == "" || bare == within ||
				strings.HasSuffix(bare, "::"+within) || strings.Contains(bare, within+"::") {
				out = append(out, Handler{Ref: f.Ref(fact.Owner),
					how: f.Symbols[fact.Owner].Name + " extends " + fact.Type})
			}
		}
	}
	return out
}

// isStub reports whether a type that implements the interface of a service is its client, as its name shows.
func (rj *Joiner) isStub(t resolve.Ref, s *service) bool {
	return rj.World.Language(t.File.Language).Stubs.Shared != "" &&
		rj.isClient(t.File, lookup.Word{Text: t.Symbol().Name}, s)
}

// ofPackage reports whether a type that was found by the name of a service may implement s,
// rather than a service of that name in another package. It returns true unless the evidence
// shows another package.
func (rj *Joiner) ofPackage(s *service, t Handler) bool {
	twins := rj.twins(s)
	if len(twins) < 2 {
		return true
	}
	_, base, _ := strings.Cut(t.how, " extends ")
	return slices.ContainsFunc(pick(twins, t.Ref.File, base), func(m Method) bool {
		return m.service == s || m.pkg == s.pkg
	})
}

// twins returns one method of each service with the name of s, in any package, including s.
func (rj *Joiner) twins(s *service) (out []Method) {
	for _, name := range s.methods {
		for _, m := range rj.catalog().methods[name] {
			if m.service.name == s.name && !slices.ContainsFunc(out, func(o Method) bool {
				return o.service == m.service
			}) {
				out = append(out, m)
			}
		}
	}
	return out
}

// handedOver returns the types whose values are passed to a server as implementations of a service.
// Such types need not extend a base type of the service.
func (rj *Joiner) handedOver(s *service) (out []Handler) {
	rj.registrationsOf(s, func(f *resolve.File, owner int, given string) {
		before := len(out)
		rj.TypeNames(f, owner, given, func(in *resolve.File, name string) {
			if t := rj.TypeNamed(in, name); t.Valid() && !rj.isGeneratedBase(t, s) {
				out = append(out, Handler{t, "it is registered at " + f.Path, []string{f.Path}})
			}
		}, 0)
		if len(out) == before {
			out = append(out, rj.formed(f, s)...)
		}
	})
	return out
}

// isGeneratedBase reports whether a type is generated and implements nothing of a service s itself: an
// interface, or a base with empty methods, like UnimplementedCartServer. Frameworks also generate types
// whose methods call the code of the program, and the program registers them.
func (rj *Joiner) isGeneratedBase(t resolve.Ref, s *service) bool {
	if t.File.Class != code.ClassGenerated {
		return false
	}
	stubs := rj.World.Language(t.File.Language).Stubs
	return t.Symbol().Kind == code.KindInterface || slices.ContainsFunc(stubs.Servers, func(b resolve.StubBase) bool {
		return t.Symbol().Name == strings.Replace(b.Name, "*", stubs.Service(s.name), 1)
	})
}

// formed returns the types of the service of f, which registers a server of unknown type, that have every method of s
// with its request. In Go such a type implements s without naming it.
func (rj *Joiner) formed(f *resolve.File, s *service) (out []Handler) {
	if rj.World.Language(f.Language).Stubs.Option == "" || len(s.methods) == 0 {
		return nil
	}
	rows, _ := rj.World.Named(s.methods[0])
	for _, row := range rows {
		if row.Class != code.ClassSource || row.Language != f.Language || !row.Kind.Callable() ||
			rj.Services().Root(row.Path) != rj.Services().Root(f.Path) {
			continue
		}
		ref := rj.World.Ref(row)
		if !ref.Valid() {
			continue
		}
		class, _, _ := strings.Cut(ref.Symbol().QualifiedName, ".")
		t := rj.TypeNamed(ref.File, class)
		if t.Valid() && t.Symbol().Kind != code.KindInterface && rj.fulfils(t, s) {
			out = append(out, Handler{t, "it has the methods of " + s.name + ", registered at " + f.Path,
				[]string{f.Path}})
		}
	}
	return out
}

// fulfils reports whether a type has every method of a service, each with the message of its request or the stream
// that generated code names after the method, Shop_UploadServer, as a parameter.
func (rj *Joiner) fulfils(t resolve.Ref, s *service) bool {
	members := rj.Members(t)
	for _, name := range s.methods {
		if !slices.ContainsFunc(members, func(m resolve.Ref) bool {
			return m.Symbol().Name == name && slices.ContainsFunc(m.Symbol().Parameters, func(p code.Parameter) bool {
				return s.requests[name] != "" && slices.ContainsFunc(lookup.Words(p.Type),
					func(w lookup.Word) bool { return w.Text == s.requests[name] || w.Text == s.name+"_"+name+"Server" })
			})
		}) {
			return false
		}
	}
	return true
}

type registeredKey struct{ pkg, service string }

// registered returns the names of types whose values are passed to a server as implementations of a
// service, outside of tests.
func (rj *Joiner) registered(s *service) map[string]bool {
	return resolve.Derive(rj.World, registeredKey{s.pkg, s.name}, func() map[string]bool {
		out := map[string]bool{}
		rj.registrationsOf(s, func(f *resolve.File, owner int, given string) {
			rj.TypeNames(f, owner, given, func(_ *resolve.File, name string) { out[name] = true }, 0)
		})
		return out
	})
}

// registrationsOf calls visit with each expression that is passed to a server as an implementation
// of a service, outside of tests, and the symbol around it.
func (rj *Joiner) registrationsOf(s *service, visit func(f *resolve.File, owner int, given string)) {
	for _, f := range rj.Files(l2meta.RoleServes) {
		if f.Class == code.ClassTest || f.Class == code.ClassGenerated {
			continue
		}
		for _, call := range lookup.Endpoints(f, l2meta.RoleServes) {
			if given, ok := rj.implementationOf(f, call.Type, s); ok {
				visit(f, call.Owner, given)
			}
		}
	}
}

// implementationOf returns the expression that a registration passes as the implementation of s,
// and false if it registers another service.
func (rj *Joiner) implementationOf(f *resolve.File, call string, s *service) (string, bool) {
	stubs := rj.World.Language(f.Language).Stubs
	if stubs.Given == nil {
		return "", false
	}
	return stubs.Given(call, lookup.Arguments(call), stubs.Service(s.name))
}

// answered returns the gRPC methods that ref handles. It finds them by the name of ref, and by the
// objects of handlers in which ref is a member, {getItem: items.get}, or has a function without a name.
func (rj *Joiner) answered(ref resolve.Ref) (out []Method) {
	c := rj.catalog()
	if len(c.methods) == 0 {
		return nil
	}
	var list []Method
	if ref.Index >= 0 {
		list = c.methods[ref.Symbol().Name]
	}
	if rj.World.Language(ref.File.Language).Stubs.Loaded {
		list = append(slices.Clip(list), rj.objectMethods()[ref]...)
	}
	for _, m := range list {
		is := func(h Handler) bool { return h.Ref == ref }
		if slices.ContainsFunc(rj.Handlers(m), is) && !slices.ContainsFunc(out, func(o Method) bool {
			return o.service == m.service && o.name == m.name
		}) {
			out = append(out, m)
		}
	}
	return out
}
