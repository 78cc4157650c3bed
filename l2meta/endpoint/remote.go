package endpoint

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/endpoint/values"
	"sextant/l2meta/resolve"
	"sextant/l2meta/services"
)

// Some libraries call a method of another program by the names of a type and the method: client.Call("Server.Log",
// args, &reply) of Go's net/rpc. The server only registers a value of the type, so the calls of clients tell which of
// its methods are called remotely. A node of an Erlang cluster calls any function of another one: :rpc.call(node,
// Shop.Accounts, :register, args). It is a function of a module that the caller's own program lacks.

type remoteKey struct{}

// remote returns the methods and functions that handle remote calls, each as the consumer of messages with the name
// "Type.Method".
func (mj *messageJoiner) remote() []*message {
	return resolve.Derive(mj.World, remoteKey{}, func() (out []*message) {
		types := mj.registeredTypes()
		if len(types) > 0 {
			for _, f := range mj.Files(l2meta.RolePublish) {
				for _, p := range mj.remoteCalls(f, services.NetRPC) {
					name, method, _ := strings.Cut(p.key, ".")
					for _, class := range types[name] {
						out = append(out, mj.methodsOf(class, method, p.key)...)
					}
				}
			}
		}
		for _, id := range mj.World.Telling(l2meta.RoleText, services.ErlangRPC) {
			if f := mj.World.ByID(id); f != nil {
				for _, p := range mj.remoteCalls(f, services.ErlangRPC) {
					out = append(out, mj.functionsCalled(p)...)
				}
			}
		}
		return slices.CompactFunc(out, func(a, b *message) bool { return a.file == b.file && a.owner == b.owner })
	})
}

// remoteCalls returns the remote calls of a file through one library.
func (mj *messageJoiner) remoteCalls(f *resolve.File, library string) (out []*message) {
	for _, fact := range lookup.Endpoints(f, l2meta.RolePublish) {
		if strings.HasPrefix(fact.Type, library+"\t") {
			out = append(out, spoken(mj.Reader, f, fact.Owner, fact.Span, fact.Type)...)
		}
	}
	return out
}

// functionsCalled returns the functions that a call names with their module, each as the consumer of messages with the
// topic of p. There are none if the caller's own service has the module.
func (mj *messageJoiner) functionsCalled(p *message) (out []*message) {
	i := strings.LastIndexByte(p.key, '.')
	rows, _ := mj.World.Named(p.key[i+1:])
	for _, row := range rows {
		if i < 0 || !row.Kind.Callable() || row.QualifiedName != p.key || row.Class != code.ClassSource {
			continue
		}
		if mj.Services().Root(row.Path) == mj.root(p) {
			return nil
		}
		if f := mj.World.ByID(row.FileID); f != nil && f.Language == p.file.Language && row.Index < len(f.Symbols) {
			out = append(out, &message{file: f, owner: row.Index, at: f.Symbols[row.Index].NameSpan,
				broker: services.ErlangRPC, key: p.key})
		}
	}
	return out
}

// registeredTypes returns a map from the name that clients use to the types registered under it
// for remote calls.
func (mj *messageJoiner) registeredTypes() map[string][]string {
	types := map[string][]string{}
	for _, id := range mj.World.Telling(l2meta.RoleText, services.Registered) {
		f := mj.World.ByID(id)
		if f == nil || f.Class == code.ClassTest {
			continue
		}
		for _, t := range values.Texts(f)[services.Registered] {
			if name, class, ok := strings.Cut(t.Value, "/"); ok && !slices.Contains(types[name], class) {
				types[name] = append(types[name], class)
			}
		}
	}
	return types
}

// methodsOf returns the methods with a name in the type class, each as the consumer of messages with the topic key.
func (mj *messageJoiner) methodsOf(class, method, key string) (out []*message) {
	rows, _ := mj.World.Named(method)
	for _, row := range rows {
		if row.Kind != code.KindMethod ||
			!strings.HasSuffix("."+row.QualifiedName, "."+class+"."+method) {
			continue
		}
		if f := mj.World.ByID(row.FileID); f != nil && f.Class != code.ClassTest && row.Index < len(f.Symbols) {
			out = append(out, &message{file: f, owner: row.Index, at: f.Symbols[row.Index].NameSpan,
				broker: services.NetRPC, key: key})
		}
	}
	return out
}
