package endpoint

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/resolve"
	"sextant/l2meta/services"
)

// Some libraries call a method of another program by the names of a type and the method: client.Call("Server.Log",
// args, &reply) of Go's net/rpc. The server only registers a value of the type, so the calls of clients tell which of
// its methods are called remotely.

type remoteKey struct{}

// remote returns the methods that handle remote calls, each as the consumer of messages with the name "Type.Method".
func (mj *messageJoiner) remote() []*message {
	return resolve.Derive(mj.w, remoteKey{}, func() (out []*message) {
		types := mj.registeredTypes()
		if len(types) == 0 {
			return nil
		}
		for _, f := range mj.files(l2meta.RolePublish) {
			for _, fact := range endpoints(f, l2meta.RolePublish) {
				if !strings.HasPrefix(fact.Type, services.NetRPC+"\t") {
					continue
				}
				for _, p := range mj.spoken(f, fact.Owner, fact.Span, fact.Type) {
					name, method, _ := strings.Cut(p.key, ".")
					for _, class := range types[name] {
						out = append(out, mj.methodsOf(class, method, p.key)...)
					}
				}
			}
		}
		return slices.CompactFunc(out, func(a, b *message) bool { return a.file == b.file && a.owner == b.owner })
	})
}

// registeredTypes returns the types registered for remote calls, by the name that clients use.
func (mj *messageJoiner) registeredTypes() map[string][]string {
	types := map[string][]string{}
	for _, id := range mj.w.Telling(l2meta.RoleText, services.Registered) {
		f := mj.w.ByID(id)
		if f == nil || f.Class == code.ClassTest {
			continue
		}
		for _, t := range texts(f)[services.Registered] {
			if name, class, ok := strings.Cut(t.value, "/"); ok && !slices.Contains(types[name], class) {
				types[name] = append(types[name], class)
			}
		}
	}
	return types
}

// methodsOf returns the methods with a name in the type class, each as the consumer of messages with the topic key.
func (mj *messageJoiner) methodsOf(class, method, key string) (out []*message) {
	rows, _ := mj.w.Named(method)
	for _, row := range rows {
		if row.Kind != code.KindMethod ||
			!strings.HasSuffix("."+row.QualifiedName, "."+class+"."+method) {
			continue
		}
		if f := mj.w.ByID(row.FileID); f != nil && f.Class != code.ClassTest && row.Index < len(f.Symbols) {
			out = append(out, &message{file: f, owner: row.Index, at: f.Symbols[row.Index].NameSpan,
				broker: services.NetRPC, key: key})
		}
	}
	return out
}
