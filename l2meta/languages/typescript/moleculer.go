package typescript

import (
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// A service of Moleculer is an object, {name: "posts", version: 2, actions: {find(ctx) {…}}, events: {"user.created":
// handler}}. Other services run its actions by name over the transporter of the broker, call("v2.posts.find"), and
// emit the events that it handles.

// These are the broker names for Moleculer's two kinds of messages, calls of actions and events.
const (
	moleculerActions = "moleculer"
	moleculerEvents  = "moleculer-event"
)

var (
	// schemaStart matches the text before the object of a service.
	schemaStart = regexp.MustCompile(`(?:module\.exports\s*=|export\s+default|createService\(|parseServiceSchema\(|` +
		`:\s*ServiceSchema(?:<[^=\n]*>)?\s*=)\s*\{`)
	schemaVersion = regexp.MustCompile(`^\d+$`)
	// entryStart matches the key of a property of an object, or the name of a method.
	entryStart = regexp.MustCompile(`^(?:async\s+)?\*?\s*["']?([\w$.*-]+)["']?\s*(:|\()`)
	actionName = regexp.MustCompile(`^[\w$-]+(?:\.[\w$-]+)+$`)
)

// entry is a property or a method of an object.
type entry struct {
	key, value string // a method has no value
	at         int    // byte offset of its key in the file
}

// withoutComments returns a text of the same length with blanks in place of its comments.
func withoutComments(text string) string {
	b := []byte(text)
	for i := 0; i < len(b); i++ {
		end := i
		switch {
		case b[i] == '"' || b[i] == '\'' || b[i] == '`':
			for i++; i < len(b) && b[i] != text[end] && (b[i] != '\n' || text[end] == '`'); i++ {
				if b[i] == '\\' {
					i++
				}
			}
			continue
		case strings.HasPrefix(text[i:], "//"):
			end = i + max(0, strings.IndexByte(text[i:], '\n'))
		case strings.HasPrefix(text[i:], "/*"):
			end = i + max(0, strings.Index(text[i:], "*/")) + 2
		}
		for ; i < end; i++ {
			if b[i] != '\n' {
				b[i] = ' '
			}
		}
	}
	return string(b)
}

// entriesOf returns the entries of the object literal at a byte offset.
func entriesOf(text string, at int) (out []entry) {
	next := at + 1
	for _, item := range folding.ListItems(text[at+1:]) {
		start := next + max(0, strings.Index(text[next:], item))
		next = start + len(item)
		m := entryStart.FindStringSubmatchIndex(item)
		if m == nil {
			continue
		}
		one := entry{key: item[m[2]:m[3]], at: start + m[2]}
		if item[m[4]] == ':' {
			one.value = strings.TrimSpace(item[m[5]:])
		}
		out = append(out, one)
	}
	return out
}

func entryOf(list []entry, key string) (found entry, ok bool) {
	for _, m := range list {
		if m.key == key {
			return m, true
		}
	}
	return entry{}, false
}

// readMoleculer records the actions, and the handlers of events, that the Moleculer services in a file declare.
func readMoleculer(r *services.Reader) {
	if !strings.Contains(r.Text, "actions") && !strings.Contains(r.Text, "events") {
		return
	}
	starts := schemaStart.FindAllStringIndex(r.Text, -1)
	if len(starts) == 0 {
		return
	}
	s := schemaReader{r, withoutComments(r.Text)}
	for _, m := range starts {
		schema := entriesOf(s.text, m[1]-1)
		name, named := entryOf(schema, "name")
		full, ok := folding.Quoted(name.value)
		if !named || !ok || full == "" {
			continue
		}
		if version, ok := entryOf(schema, "version"); ok {
			text, quoted := folding.Quoted(version.value)
			if schemaVersion.MatchString(version.value) {
				text, quoted = "v"+version.value, true
			}
			if quoted {
				full = text + "." + full
			}
		}
		if list, ok := entryOf(schema, "actions"); ok {
			s.actions(full, list)
		}
		if list, ok := entryOf(schema, "events"); ok && strings.HasPrefix(list.value, "{") {
			for _, e := range entriesOf(s.text, s.offset(list)) {
				s.keep(moleculerEvents, e.key, e, s.handler(e))
			}
		}
	}
}

// schemaReader records the actions and the handlers of events in the service objects of one file.
type schemaReader struct {
	*services.Reader
	text string // text of the file, with blanks in place of comments
}

// offset returns the byte offset of an entry's value.
func (s schemaReader) offset(m entry) int {
	return m.at + max(0, strings.Index(s.text[m.at:], m.value))
}

// actions records the actions of a service. If a library function creates all of them, actions:
// MongooseAction(), it records one action that matches all names: "posts.*".
func (s schemaReader) actions(full string, list entry) {
	if !strings.HasPrefix(list.value, "{") {
		if list.value != "" {
			s.keep(moleculerActions, full+".*", list, "=>")
		}
		return
	}
	for _, a := range entriesOf(s.text, s.offset(list)) {
		if a.value != "false" { // the value false removes an action that a mixin declares
			s.keep(moleculerActions, full+"."+a.key, a, s.handler(a))
			s.rest(full, a)
		}
	}
}

var restText = regexp.MustCompile(`^(?:([A-Z]+)\b)?\s*(/\S*)?$`)

// rest records the route by which gateways publish an action: rest: "GET /:id" or rest: {method:
// "GET", path: "/:id"}. The route is below a path that is derived from the name of the service,
// /v2/posts. If rest has no path, the path is the name of the action.
func (s schemaReader) rest(full string, a entry) {
	if !strings.HasPrefix(a.value, "{") {
		return
	}
	rest, ok := entryOf(entriesOf(s.text, s.offset(a)), "rest")
	if !ok {
		return
	}
	method, _ := folding.Quoted(folding.Property(rest.value, "method"))
	path, _ := folding.Quoted(folding.Property(rest.value, "path"))
	if text, quoted := folding.Quoted(rest.value); quoted {
		m := restText.FindStringSubmatch(text)
		if m == nil {
			return
		}
		method, path = m[1], m[2]
	}
	if path == "" {
		path = "/" + a.key
	}
	s.Route(s.Around(a.at), s.SpanAt(a.at), folding.MethodOf(method), "/"+strings.ReplaceAll(full, ".", "/"), path,
		s.handler(a))
}

// handler returns the expression of the function of an action or event: a method, a function, or the property handler
// of an object.
func (s schemaReader) handler(m entry) string {
	if !strings.HasPrefix(m.value, "{") {
		if m.value == "" || folding.IsFunction(m.value) {
			return "=>"
		}
		return m.value
	}
	h, ok := entryOf(entriesOf(s.text, s.offset(m)), "handler")
	if !ok || h.value == "" || folding.IsFunction(h.value) {
		return "=>"
	}
	return h.value
}

func (s schemaReader) keep(broker, key string, at entry, handler string) {
	s.KeepMessage(services.Consumes, s.Around(at.at), s.SpanAt(at.at), services.End{Broker: broker, Key: key,
		Handler: handler})
}

// callsAction records a call of an action by its name: ctx.call("v1.posts.find", params).
func callsAction(r *services.Reader, c *code.Call) bool {
	args := r.Arguments(c)
	if len(args) == 0 {
		return false
	}
	key := r.Topic(args[0], c.NameSpan.StartByte)
	if !actionName.MatchString(key) {
		return false
	}
	r.KeepMessage(services.Publishes, c.Caller, c.NameSpan, services.End{Broker: moleculerActions, Key: key})
	return true
}

// moleculer describes the calls of a broker, or of the context of an action.
var moleculer = []services.Message{
	{Broker: moleculerActions, Role: services.Publishes, Callees: []string{"call"}, Names: []string{"ctx", "broker"},
		Read: callsAction},
	{Broker: moleculerEvents, Role: services.Publishes, Callees: []string{"emit", "broadcast"},
		Names: []string{"ctx", "broker"}, Key: []string{"0"}},
}
