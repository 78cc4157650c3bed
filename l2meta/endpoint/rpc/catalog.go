package rpc

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/resolve"
)

// Joiner joins the calls of gRPC clients with the declarations that handle them.
type Joiner struct{ *lookup.Workspace }

// service is a gRPC service with all .proto files that declare it under one full name. A workspace
// often has a copy of the file for each program.
type service struct {
	pkg, name string
	methods   []string
	hints     []string          // folded names by which code may import the service: package, file, go_package
	files     []string          // the .proto files, sorted
	requests  map[string]string // name of a method → name of its request message
}

func (s *service) full(method string) string {
	if s.pkg == "" {
		return "/" + s.name + "/" + method
	}
	return "/" + s.pkg + "." + s.name + "/" + method
}

// Method is a method of a gRPC service.
type Method struct {
	*service
	name string
}

// ServiceName returns the name of the service without its package.
func (m *Method) ServiceName() string { return m.service.name }

// catalog holds the gRPC services of a workspace, and their methods by each spelling of their names: GetItem,
// get_item.
type catalog struct {
	services []*service
	methods  map[string][]Method
}

// Prepare computes the catalog, which all questions share until the index changes.
func (rj *Joiner) Prepare() { rj.catalog() }

type catalogKey struct{}

// catalog returns the gRPC services that .proto files and generated code declare, computed once per generation of the
// index. It is empty if there are none, or if the context has ended.
func (rj *Joiner) catalog() *catalog {
	c := resolve.DeriveDetached(rj.World, catalogKey{}, func() *catalog {
		c := &catalog{services: rj.declared(), methods: map[string][]Method{}}
		for _, s := range c.services {
			for _, m := range s.methods {
				for _, name := range spellings(m) {
					c.methods[name] = append(c.methods[name], Method{s, m})
				}
			}
		}
		return c
	})
	if c == nil {
		return &catalog{}
	}
	return c
}

func (rj *Joiner) declared() (list []*service) {
	known := map[string]*service{}
	for _, f := range rj.Files(l2meta.RoleRPC) {
		for i := range f.Symbols {
			r := &f.Symbols[i]
			if r.Kind != code.KindRPC || r.Parent < 0 {
				continue
			}
			name := f.Symbols[r.Parent].Name
			s := known[f.Package()+"."+name]
			if s == nil {
				s = &service{pkg: f.Package(), name: name, requests: map[string]string{}}
				known[f.Package()+"."+name] = s
				list = append(list, s)
			}
			s.add(f, r.Name)
			if len(r.Parameters) > 0 {
				s.requests[r.Name] = lookup.LastName(r.Parameters[0].Type)
			}
		}
	}
	list = append(list, rj.stubbed(known)...)
	return append(list, rj.elsewhere(list)...)
}

// stubbed returns the services that are known only from generated code, because their .proto files are outside of the
// workspace. It omits those in declared.
func (rj *Joiner) stubbed(declared map[string]*service) (list []*service) {
	known := map[string]*service{}
	for _, f := range rj.Files(l2meta.RoleRPC) {
		if f.Class != code.ClassGenerated {
			continue
		}
		for _, fact := range lookup.Endpoints(f, l2meta.RoleRPC) {
			full, name, _ := strings.Cut(strings.TrimPrefix(fact.Type, "/"), "/")
			dot := strings.LastIndexByte(full, '.')
			pkg, of := full[:max(dot, 0)], full[dot+1:]
			if name == "" || declared[pkg+"."+of] != nil {
				continue
			}
			s := known[pkg+"."+of]
			if s == nil {
				s = &service{pkg: pkg, name: of, hints: []string{lookup.Folded(pkg)}}
				known[pkg+"."+of] = s
				list = append(list, s)
			}
			if !slices.Contains(s.methods, name) {
				s.methods = append(s.methods, name)
			}
			if !slices.Contains(s.files, f.Path) {
				s.files, s.hints = append(s.files, f.Path), append(s.hints, lookup.Folded(f.Dir))
			}
		}
	}
	return list
}

// elsewhere returns the services that the workspace only implements: their .proto files and generated code are a module
// of another repository. A call such as RegisterOrdersServer(g, s) names the service, and the type of s has its methods.
// It omits services with the name of one in known.
func (rj *Joiner) elsewhere(known []*service) (list []*service) {
	named := map[string]*service{}
	for _, s := range known {
		for _, language := range rj.World.LanguageNames() {
			named[rj.World.Language(language).Stubs.Service(s.name)] = nil
		}
	}
	for _, f := range rj.Files(l2meta.RoleServes) {
		stubs := rj.World.Language(f.Language).Stubs
		if stubs.Registered == nil || f.Class == code.ClassTest || f.Class == code.ClassGenerated {
			continue
		}
		for _, call := range lookup.Endpoints(f, l2meta.RoleServes) {
			name := stubs.Registered(call.Type)
			s, seen := named[name]
			if name == "" || seen && s == nil || !seen && rj.declares(call.Type) {
				continue
			}
			if !seen {
				s = &service{name: name, requests: map[string]string{}}
				named[name] = s
				list = append(list, s)
			}
			s.files = append(s.files, f.Path)
			rj.addImplemented(s, f, call)
		}
	}
	return slices.DeleteFunc(list, func(s *service) bool { return len(s.methods) == 0 })
}

// declares reports whether the workspace declares the function that the text of a call names.
func (rj *Joiner) declares(call string) bool {
	name, _, _ := strings.Cut(call, "(")
	rows, _ := rj.World.Named(name)
	return slices.ContainsFunc(rows, func(row l2meta.Declaration) bool { return row.Kind.Callable() })
}

// addImplemented adds the methods of the type that a call in f registers as an implementation of s.
func (rj *Joiner) addImplemented(s *service, f *resolve.File, call *code.Fact) {
	given, ok := rj.implementationOf(f, call.Type, s)
	if !ok {
		return
	}
	handles := rj.World.Language(f.Language).Stubs.Handles
	rj.TypeNames(f, call.Owner, given, func(in *resolve.File, name string) {
		t := rj.TypeNamed(in, name)
		if !t.Valid() {
			return
		}
		for _, m := range rj.Members(t) {
			r := m.Symbol()
			if r.Kind.Callable() && !slices.Contains(s.methods, r.Name) && code.Capitalized(r.Name) == r.Name &&
				handles(r.Parameters) {
				s.methods = append(s.methods, r.Name)
				s.requests[r.Name] = lookup.LastName(r.Parameters[len(r.Parameters)-1].Type)
			}
		}
	}, 0)
}

// add records that the .proto file f declares a method of the service s.
func (s *service) add(f *resolve.File, method string) {
	if !slices.Contains(s.methods, method) {
		s.methods = append(s.methods, method)
	}
	if slices.Contains(s.files, f.Path) {
		return
	}
	s.files = append(s.files, f.Path)
	stem := strings.TrimSuffix(path.Base(f.Path), path.Ext(f.Path))
	s.hints = append(s.hints, lookup.Folded(s.pkg), lookup.Folded(stem+"_pb"),
		lookup.Folded(strings.TrimSuffix(f.Path, path.Ext(f.Path))))
	for _, fact := range f.FactsOf(-1) {
		if fact.Kind == code.FactEndpoint && fact.Type != "" {
			option, _, _ := strings.Cut(fact.Type, ";") // the option may be go_package = "path;name"
			s.hints = append(s.hints, lookup.Folded(option))
		}
	}
}

// spellings returns the names of a gRPC method in the supported languages: GetItem can also be
// getItem, get_item and GetItemAsync, and a method that a .proto calls get_item or getItem is GetItem in Go.
func spellings(name string) []string {
	upper := camel(name)
	out := []string{name}
	for _, s := range []string{code.Decapitalized(upper), snake(name), name + "Async", upper} {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// camel returns a name with a capital for the first letter of each word, and without underscores: GetItem for get_item.
func camel(name string) string {
	var b strings.Builder
	for _, word := range strings.Split(name, "_") {
		b.WriteString(code.Capitalized(word))
	}
	return b.String()
}

func snake(name string) string {
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		if unicode.IsUpper(r) && i > 0 &&
			(!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])) && runes[i-1] != '_' {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
