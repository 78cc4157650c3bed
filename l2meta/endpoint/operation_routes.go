package endpoint

import (
	"maps"
	"path"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/endpoint/hosts"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/resolve"
	"sextant/l2meta/services"
)

// operationRoutes returns a route for each method that handles an operation of an OpenAPI document and is not the
// handler of another route. If some methods for an operation are in the service of its document, only these count.
func (rf *routeFinder) operationRoutes(others []*route) (out []*route) {
	all := operations(rf.Workspace)
	if len(all) == 0 {
		return nil
	}
	handled := map[resolve.Ref]bool{}
	for _, r := range others {
		if strings.HasPrefix(r.handler, services.Posted) {
			continue // a route for posted messages, whose handler is that of another route
		}
		ref, _ := rf.handler(r)
		handled[ref] = true
	}
	for _, o := range all {
		var own, far []*route
		for _, r := range rf.handling(o) {
			switch {
			case handled[r.answer]:
			case slices.ContainsFunc(o.in, func(f *resolve.File) bool { return r.of(rf.Workspace, rootOf(rf.Workspace, f)) }):
				own = append(own, r)
			default:
				far = append(far, r)
			}
		}
		if len(own) == 0 {
			own = far
		}
		out = append(out, own...)
	}
	return out
}

// rootOf returns the root of the service that contains a file, in a list of one; nil if no service does.
func rootOf(ws *lookup.Workspace, f *resolve.File) []string {
	if root := ws.Services().Root(f.Path); root != "" {
		return []string{root}
	}
	return nil
}

type handlersNamedKey struct{}

// handlersNamed returns the names of methods for operations in generated code for which the
// workspace declares a function. Most operations of a large document have none, so the names are
// looked up together.
func (rf *routeFinder) handlersNamed() map[string]bool {
	return resolve.Derive(rf.World, handlersNamedKey{}, func() map[string]bool {
		operations := operations(rf.Workspace)
		if len(operations) == 0 {
			return nil
		}
		wanted := map[string]bool{}
		languages := rf.World.LanguagesPresent()
		for _, o := range operations {
			for _, language := range languages {
				names := rf.World.Language(language).Operations
				for i := range names.Servers {
					wanted[methodName(o.id, names.Case)+names.Servers[i].Suffix] = true
				}
			}
		}
		declared := map[string]bool{}
		for _, name := range rf.World.DeclaredAmong(slices.Sorted(maps.Keys(wanted))) {
			declared[name] = true
		}
		return declared
	})
}

// handling returns a route for each method that handles the operation o, judged by its name and form.
func (rf *routeFinder) handling(o *operation) (out []*route) {
	seen := map[string]bool{}
	for _, language := range rf.World.LanguageNames() {
		names := rf.World.Language(language).Operations
		for i := range names.Servers {
			name := methodName(o.id, names.Case) + names.Servers[i].Suffix
			if seen[name] || !rf.handlersNamed()[name] {
				continue
			}
			seen[name] = true
			rows, _ := rf.World.Named(name)
			for _, row := range rows {
				if row.Class != code.ClassSource || !row.Kind.Callable() {
					continue
				}
				if ref := rf.World.Ref(row); ref.Valid() {
					out = append(out, rf.handlingBy(o, ref, name)...)
				}
			}
		}
	}
	return out
}

// handlingBy returns the route of the operation o that the method ref handles, nil if the method does not have the
// form of a handler.
func (rf *routeFinder) handlingBy(o *operation, ref resolve.Ref, name string) []*route {
	names := rf.World.Language(ref.File.Language).Operations
	for i := range names.Servers {
		s := &names.Servers[i]
		if methodName(o.id, names.Case)+s.Suffix != name || !rf.isHandler(o, ref, s) {
			continue
		}
		root := rf.Services().Root(ref.File.Path)
		r := route{file: ref.File, owner: ref.Index, at: ref.Symbol().NameSpan, method: o.method, path: o.whole(),
			answer: ref, operation: o}
		if root != "" {
			r.roots = []string{root}
		}
		for _, f := range o.in {
			r.rests = append(r.rests, f.Path)
		}
		if len(s.Mounts) > 0 {
			r.path = append(rf.mountedAt(root, s.Mounts), o.path...)
		}
		return []*route{&r}
	}
	return nil
}

// isHandler reports whether a method with the name of an operation has the form of a handler that
// s describes: by its class's base, its signature, its module or an import.
func (rf *routeFinder) isHandler(o *operation, ref resolve.Ref, s *resolve.OperationServer) bool {
	switch f := ref.File; {
	case s.Base != nil:
		class := f.Type(ref.Index)
		return class >= 0 && lookup.IsConcrete(f.Ref(class)) &&
			slices.ContainsFunc(f.FactsOf(class), func(fact *code.Fact) bool {
				base := l2meta.TypeName(fact.Type)
				return (fact.Kind == code.FactBase || fact.Kind == code.FactImpl) && s.Base.MatchString(base) &&
					(o.isDistinctive() || isTagged(base, o) || rf.isAlone(o, f, base))
			})
	case s.Signature != nil:
		return strings.Contains(ref.Symbol().QualifiedName, ".") && s.Signature.MatchString(typesIn(ref))
	case s.Module:
		return o.module != "" && ref.Symbol().Parent < 0 &&
			strings.HasSuffix("/"+strings.TrimSuffix(f.Path, path.Ext(f.Path)), "/"+strings.ReplaceAll(o.module, ".", "/"))
	case s.Import != nil:
		root := rf.Services().Root(f.Path)
		return slices.ContainsFunc(o.in, func(d *resolve.File) bool { return rf.Services().Root(d.Path) == root }) &&
			rf.importing(root, s)
	}
	return false
}

// isAlone reports whether an operation with a common name, such as hello, has a document in the service of f, no other
// operation there has its name, and no source declares the interface base: the build generates it from the document.
func (rf *routeFinder) isAlone(o *operation, f *resolve.File, base string) bool {
	root := rf.Services().Root(f.Path)
	inside := func(of *operation) bool {
		return slices.ContainsFunc(of.in, func(d *resolve.File) bool { return rf.Services().Root(d.Path) == root })
	}
	if root == "" || !inside(o) || slices.ContainsFunc(operations(rf.Workspace), func(of *operation) bool {
		return of != o && of.id == o.id && inside(of)
	}) {
		return false
	}
	rows, _ := rf.World.Named(base)
	return !slices.ContainsFunc(rows, func(row l2meta.Declaration) bool { return row.Kind == code.KindInterface })
}

// typesIn returns the types of a function's parameters and results, as written.
func typesIn(ref resolve.Ref) string {
	var list []string
	for _, p := range ref.Symbol().Parameters {
		list = append(list, p.Type)
	}
	for _, fact := range ref.File.FactsOf(ref.Index) {
		if fact.Kind == code.FactResult {
			list = append(list, fact.Type)
		}
	}
	return strings.Join(list, " ")
}

type importingKey struct {
	root   string
	server *resolve.OperationServer
}

// importing reports whether the service at root imports a library, such as openapi-backend, to which code passes
// functions under the names of operations.
func (rf *routeFinder) importing(root string, s *resolve.OperationServer) bool {
	return resolve.Derive(rf.World, importingKey{root, s}, func() bool {
		for _, name := range givenHandlers {
			for _, id := range rf.World.Calling(name) {
				if f := rf.World.ByID(id); f != nil && rf.Services().Root(f.Path) == root &&
					slices.ContainsFunc(f.Imports, func(m code.Import) bool { return s.Import.MatchString(m.Module) }) {
					return true
				}
			}
		}
		return false
	})
}

// givenHandlers lists the names of calls that pass functions to a library under the names of
// operations: api.register({getItem}).
var givenHandlers = []string{"OpenAPIBackend", "initialize", "register", "registerHandler", "middleware"}

// mountedAt returns the path below which the service at root serves all of its operations. It is
// the last argument of a call of one of the functions in calls; nil if no such call passes a path.
func (rf *routeFinder) mountedAt(root string, calls []string) []string {
	for _, name := range calls {
		for _, id := range rf.World.Telling(l2meta.RolePass, name) {
			f := rf.World.ByID(id)
			if f == nil || f.Class == code.ClassTest || rf.Services().Root(f.Path) != root {
				continue
			}
			for _, fact := range lookup.Endpoints(f, l2meta.RolePass) {
				part := strings.Split(fact.Type, "\t")
				if last := part[len(part)-1]; part[0] == name && strings.HasPrefix(last, "/") {
					return hosts.Segments(last)
				}
			}
		}
	}
	return nil
}
