package rpc

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/resolve"
)

// Edge is a call of a gRPC client with a declaration that may handle it.
type Edge struct {
	File    *resolve.File
	Call    *code.Call
	Caller  resolve.Ref
	Via     string      // the full method: "/shop.Cart/GetItem"
	Handler resolve.Ref // handler of the call; the zero Ref if the workspace has no implementation of the method
	How     string      // evidence for the call and the handler, one line; "" without a handler
	Rests   []string    // paths of other files that the edge depends on
	Among   int         // number of declarations that may handle the call
	of      *service
}

// At returns the position of the handler in its file: of the declaration, or of the registration if that has the
// handler as a function without a name, outside of all declarations.
func (e *Edge) At() code.Span {
	if e.Handler.Index >= 0 {
		return e.Handler.Symbol().Span
	}
	for _, call := range lookup.Endpoints(e.Handler.File, l2meta.RoleServes) {
		if call.Owner < 0 && registersObject(call.Type, e.of) {
			return call.Span
		}
	}
	return code.Span{StartLine: 1, EndLine: 1}
}

// Calls returns an edge to each declaration that may handle the call at s, if it is a call of a
// gRPC client, or a method of one that is handed on as a value; nil for any other call. If there is
// no such declaration, it returns one edge without a handler.
func (rj *Joiner) Calls(s *resolve.Site) (out []Edge) {
	c := s.Call
	if c.Kind != code.CallPlain && c.Kind != code.CallReference || c.Receiver == "" && s.Outcome != resolve.Settled {
		return nil
	}
	if s.File.Class == code.ClassGenerated &&
		(c.Receiver == "" || s.Outcome != resolve.Settled || s.Target.File == s.File) {
		return nil // generated code calls stubs; a generated gateway calls the stub of another file
	}
	var clients []Method
	evidence, rests := "", []string(nil)
	for _, m := range rj.catalog().methods[c.Callee] {
		if e, through := rj.clientOf(s, m.service); e != "" {
			clients, evidence, rests = append(clients, m), e, through
		}
	}
	clients = pick(clients, s.File, evidence)
	n := 0
	for _, m := range clients {
		x := Edge{File: s.File, Call: c, Caller: s.Caller, Via: m.full(m.name), of: m.service,
			Rests: append(slices.Clip(m.files), rests...)}
		answers := rj.Handlers(m)
		n += len(answers)
		for _, h := range answers {
			x.Handler, x.How = h.Ref, fmt.Sprintf("%s is a client of %s; %s", evidence, m.service.name, h.how)
			x.Rests = slices.Concat(m.files, rests, h.Rests)
			out = append(out, x)
		}
		if len(answers) == 0 {
			out = append(out, x)
		}
	}
	for i := range out {
		out[i].Among = n
	}
	return out
}

// clientOf returns the source text that shows the receiver of the call at s to be a client of a service, such as
// CartClient, and the paths of other files that show it. The text is "" if the receiver is not known to be one.
func (rj *Joiner) clientOf(s *resolve.Site, of *service) (evidence string, rests []string) {
	if s.Outcome == resolve.Settled {
		// Hand-written wrappers have names like clients. Only generated types are clients.
		t := s.Target.Symbol()
		if s.Target.File.Class == code.ClassGenerated {
			owner := t.QualifiedName[:max(0, strings.LastIndexByte(t.QualifiedName, '.'))]
			if e := rj.clientWord(s.Target.File, owner, of); e != "" || rj.isShared(s.Target.File, owner, of) {
				return cmp.Or(e, owner), nil
			}
			if !strings.HasPrefix(lookup.LastName(owner), rj.World.Language(s.Target.File.Language).Stubs.Service(of.name)) {
				return "", nil // a client of another service, whose message may have the same name
			}
		}
		return rj.part(s, of), nil
	}
	return rj.clientIn(s.File, s.Call.Caller, s.Call.Receiver, of, 0)
}

// isShared reports whether owner, a type that the generated file f declares, is the interface that both the client and
// the server of a service implement, such as UsersInterface.
func (rj *Joiner) isShared(f *resolve.File, owner string, of *service) bool {
	stubs := rj.World.Language(f.Language).Stubs
	return stubs.Shared != "" && lookup.LastName(owner) == strings.Replace(stubs.Shared, "*", stubs.Service(of.name), 1)
}

// part returns the evidence that the call at s goes through an interface that repeats methods of a gRPC client, or "".
// A person wrote the interface, or a framework's generator of clients. The evidence is either that the method takes
// the client's call options and the request message of a method of the service, or that the receiver comes from a
// .proto file loaded at run time.
func (rj *Joiner) part(s *resolve.Site, of *service) string {
	t := s.Target.Symbol()
	if t.Parent < 0 || s.Target.File.Symbols[t.Parent].Kind != code.KindInterface {
		return ""
	}
	stubs := rj.World.Language(s.File.Language).Stubs
	if option := func(p code.Parameter) bool { return lookup.LastName(p.Type) == stubs.Option }; stubs.Option != "" &&
		slices.ContainsFunc(t.Parameters, option) {
		for _, p := range t.Parameters {
			if name := lookup.LastName(p.Type); name != "" && name == of.requests[spelledIn(of, t.Name)] {
				return t.QualifiedName + ", which takes " + strings.TrimLeft(p.Type, "*&") + ","
			}
		}
	}
	if !stubs.Loaded || s.Target.File.Class == code.ClassGenerated {
		return ""
	}
	for _, fact := range lookup.Named(s.File, lookup.LastName(s.Call.Receiver)) {
		_, given, ok := strings.Cut(fact.Type, ".getService")
		given = given[strings.LastIndexByte(given, '(')+1:]
		if name := strings.TrimSuffix(lookup.Folded(given), "name"); ok && name != "" &&
			(name == lookup.Folded(of.name) || lookup.Folded(given) == lookup.Folded(of.name)) {
			return "getService(" + strings.Trim(given, "() ") + ")"
		}
	}
	return ""
}

// spelledIn returns the method of s of which name is a spelling, GetItem for get_item, or "".
func spelledIn(s *service, name string) string {
	for _, m := range s.methods {
		if slices.Contains(spellings(m), name) {
			return m
		}
	}
	return ""
}

// clientIn returns the part of an expression or type that names a client of a service, or "". It traces the last name
// of the expression to the values assigned to it, and to the results of the function that it calls: client = await
// get_client().
func (rj *Joiner) clientIn(f *resolve.File, from int, text string, of *service, step int) (evidence string,
	rests []string) {
	// for example, (*client).GetItem in Go
	if inner, ok := strings.CutPrefix(text, "("); ok && strings.HasSuffix(inner, ")") {
		text = strings.TrimLeft(strings.TrimSuffix(inner, ")"), "*&")
	}
	if e := rj.clientWord(f, text, of); e != "" || step >= lookup.MaxSteps {
		return e, nil
	}
	text = rj.source(f, text)
	name := lookup.LastName(text)
	if name == "" {
		return "", nil
	}
	at, known := f, lookup.Values(f, from, name)
	if len(known) == 0 && strings.HasSuffix(text, ")") {
		at, known = rj.returned(f, from, name)
	}
	for _, fact := range known {
		if fact.Type == text {
			continue
		}
		if e, through := rj.clientIn(at, fact.Owner, fact.Type, of, step+1); e != "" {
			if at != f {
				through = append(through, at.Path)
			}
			return e, through
		}
	}
	return "", nil
}

// clientWord returns the name in a text that names a client of a service, with its qualifiers. It returns "" if none
// does.
func (rj *Joiner) clientWord(f *resolve.File, text string, of *service) string {
	for _, maker := range rj.World.Language(f.Language).Stubs.Makers {
		if i := strings.Index(text, maker+"("); i >= 0 && rj.makesClients(f) {
			if args := lookup.Arguments(text[i:]); len(args) > 0 && lookup.LastName(args[0]) == of.name {
				return maker + "(" + args[0] + ")"
			}
		}
	}
	for _, w := range lookup.Words(text) {
		name := w.Text
		if !rj.isClient(f, w, of) {
			whole := lookup.Imported(f, name)
			if whole == "" || whole[strings.LastIndexAny(whole, "./\\")+1:] == name ||
				!rj.isClient(f, lookup.Word{Text: whole[strings.LastIndexAny(whole, "./\\")+1:]}, of) {
				continue
			}
			return whole
		}
		i := strings.Index(text, name)
		start := i
		for start > 0 && (lookup.Letter(text[start-1]) || strings.IndexByte(".:\\", text[start-1]) >= 0) {
			start--
		}
		return text[start : i+len(name)]
	}
	return ""
}

// makesClients reports whether a file imports a library whose functions make clients of a service.
func (rj *Joiner) makesClients(f *resolve.File) bool {
	return slices.ContainsFunc(f.Imports, func(m code.Import) bool {
		return slices.ContainsFunc(rj.World.Language(f.Language).Stubs.Makes,
			func(library string) bool { return strings.Contains(m.Module, library) })
	})
}

func (rj *Joiner) isClient(f *resolve.File, w lookup.Word, of *service) bool {
	stubs := rj.World.Language(f.Language).Stubs
	for _, pattern := range stubs.Clients {
		if w.Text == strings.Replace(pattern, "*", stubs.Service(of.name), 1) {
			return true
		}
	}
	if w.Text != of.name {
		return false
	}
	if strings.HasSuffix(w.Before, "Client<typeof ") && rj.makesClients(f) {
		return true
	}
	if stubs.Injected != "" && w.Behind == "" && slices.ContainsFunc(f.Imports, func(m code.Import) bool {
		return m.Module == stubs.Injected || m.Module+"."+m.Name == stubs.Injected
	}) {
		return true
	}
	for _, behind := range stubs.Nested {
		if strings.HasPrefix(w.Behind, behind) {
			return true
		}
	}
	// Code that loads .proto files at run time writes new loaded.package.S(…).
	made := stubs.Loaded && strings.HasSuffix(w.Before, ".") && strings.HasPrefix(w.Behind, "(") &&
		slices.ContainsFunc(f.Calls(), func(c code.Call) bool { return c.Kind == code.CallNew && c.Callee == of.name })
	return made && slices.ContainsFunc(f.Imports,
		func(m code.Import) bool { return strings.Contains(m.Module, "grpc") })
}

// pick chooses among the methods of services that have one name in several packages. It returns those whose package
// the evidence or the imports of f mention, or all if these do not tell the packages apart.
func pick(list []Method, f *resolve.File, evidence string) []Method {
	if len(list) < 2 {
		return list
	}
	said := []string{lookup.Folded(evidence)}
	if w := lookup.Words(evidence); len(w) > 0 {
		for _, one := range w {
			said = append(said, lookup.Folded(lookup.Imported(f, one.Text)))
		}
	}
	score := func(m Method) (best int) {
		for _, hint := range m.hints {
			for _, s := range said {
				if hint != "" && strings.Contains(s, hint) || s != "" && len(s) > 3 && strings.HasSuffix(hint, s) {
					best = max(best, len(hint))
				}
			}
		}
		return best
	}
	best := slices.MaxFunc(list, func(a, b Method) int { return cmp.Compare(score(a), score(b)) })
	var out []Method
	for _, m := range list {
		if score(m) == score(best) {
			out = append(out, m)
		}
	}
	return out
}

// Callers returns the calls of gRPC clients that the declaration ref handles.
func (rj *Joiner) Callers(ref resolve.Ref) (out []Edge) {
	for _, m := range rj.answered(ref) {
		for _, name := range spellings(m.name) {
			for _, f := range rj.calling(name) {
				for _, i := range f.CallsOf(name) {
					for _, x := range rj.callsAt(f, i, m) {
						if x.Handler == ref {
							out = append(out, x)
						}
					}
				}
			}
		}
	}
	return out
}

// callsAt returns the edges of call i of f to the handlers of the gRPC method m, or nil if it does not call m.
func (rj *Joiner) callsAt(f *resolve.File, i int, m Method) (out []Edge) {
	s, ok, err := rj.Resolver.At(f.Reference(i))
	if err != nil || !ok {
		return nil // World.Err returns the error later
	}
	return slices.DeleteFunc(rj.Calls(&s), func(x Edge) bool { return x.Via != m.full(m.name) })
}

// calling returns the files that call a function of that name, sorted by path. It returns at most maxFiles of them.
func (rj *Joiner) calling(name string) (out []*resolve.File) {
	for _, id := range rj.World.Calling(name) {
		if f := rj.World.ByID(id); f != nil && len(f.CallsOf(name)) > 0 {
			out = append(out, f)
		}
		if len(out) == lookup.MaxFiles {
			break
		}
	}
	slices.SortFunc(out, func(a, b *resolve.File) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// MayCall reports whether a file may contain a call into another service. It is cheap, and
// returns false for most files.
func (rj *Joiner) MayCall(f *resolve.File) bool {
	c := rj.catalog()
	if len(c.methods) == 0 {
		return false
	}
	return slices.ContainsFunc(f.Calls(), func(call code.Call) bool { return c.methods[call.Callee] != nil })
}
