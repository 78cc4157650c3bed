package services

import (
	"cmp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/services/folding"
	"sextant/l2meta/services/source"
	"sextant/l2meta/syntax"
)

// These constants are the roles of message calls and annotations.
const (
	Publishes = l2meta.RolePublish
	Consumes  = l2meta.RoleConsume
	Binds     = l2meta.RoleBind
)

// Message describes calls that publish or consume messages.
type Message struct {
	// Broker is the family of brokers that carries the message, such as "kafka". Topics of
	// different families never match. "" means a bus that routes by the type of the payload.
	Broker string
	// Callees lists the names of the called functions. AnyCallee matches a call of any name if
	// the name or the receiver resembles one of Names.
	Callees []string
	Role    string // Publishes, Consumes or Binds
	// A call belongs to the broker if its receiver is the result of one of Makers or has such a
	// type, or if the file imports one of Modules and the receiver has one of Names. If only
	// Modules or only Names is empty, it matches anything. If all three are empty, the callee's
	// name suffices.
	Modules, Names, Makers []string
	Not                    []string // names of receivers for which a call does not count
	// Key selects the topic, Scope its container (an exchange, a component), Payload the message
	// and Handler the consumer. Each lists selectors, which are places in the call such as "0"
	// for its first argument (see package source); the first selector that finds an expression counts.
	// For RoleBind, Key selects the pattern, Scope the exchange, Payload the kind of exchange and
	// Handler the queue.
	Key, Scope, Payload, Handler []string
	// Run names calls on the same value that are passed the handler, if the subscribing call is not:
	// consumer.run({eachMessage: book}). Handler then selects from the arguments of such a call.
	Run []string
	// Method is the name of the method by which an object that Handler selects takes the messages.
	Method string
	// Carried means that a call without a topic has the topic with which its receiver was
	// constructed elsewhere; see Carrier.
	Carried bool
	// Keyless means that a call without a topic counts if its scope is known.
	Keyless bool
	// Least and Most are the least and the largest number of arguments, for functions whose calls
	// with fewer or more have another meaning; 0 means no limit.
	Least, Most int
	// Read replaces the selectors if these cannot describe the call. It reports whether it has
	// recorded the call.
	Read func(r *Reader, c *code.Call) bool
}

// Listener describes annotations by which a declaration consumes or publishes messages. The
// selectors are those of Message, applied to the arguments of the annotation.
type Listener struct {
	Name, Broker, Role string
	Modules            []string // see Message.Modules
	Key, Scope         []string
	Each               string                                          // annotation of a type's consuming methods
	ByType             bool                                            // routed by the type of the first parameter
	Read               func(r *Reader, symbol int, args []string) bool // see Message.Read
}

// Handles describes a base type whose subtypes consume messages. The type argument of the base is the type of the
// payload: IConsumer<OrderPaid>. A "*" in Base matches any text.
type Handles struct {
	Base, Broker string
	Scope        string // TypedHandlers, or ""
	Modules      []string
	Methods      []string // names of methods that may consume; a "*" at the end matches any rest
	// Fields are the names of fields that may hold the topic, such as subject; the first that is set counts. A base
	// that routes by the type of the payload has none. If Methods is empty, the subtypes publish; the topic of such a
	// subtype is recorded like a constant with the name of the first of Fields.
	Fields []string
}

// Jobs is the broker of jobs that workers find by the name of their class, in any queue. The
// scope of a publication is the queue.
const Jobs = "jobs"

// Channels is the broker of the channels of MicroProfile Reactive Messaging, which the configuration maps to topics.
const Channels = "smallrye"

// ExchangeSetting ends the name of the setting that maps such a channel to an exchange of RabbitMQ:
// mp.messaging.incoming.orders.exchange.name.
const ExchangeSetting = "exchange.name"

// Sockets is the broker of the events that socket.io carries between a server and its clients.
const Sockets = "socket.io"

// Hubs is the broker of the calls that SignalR carries between a server and its clients, by the name of a method.
const Hubs = "signalr"

// ReservedEvent reports whether an event of this name has a special meaning in socket.io or in
// the sockets below it.
func ReservedEvent(name string) bool { return reservedEvents[name] }

var reservedEvents = map[string]bool{"connect": true, "connection": true, "connect_error": true, "disconnect": true,
	"disconnecting": true, "error": true, "reconnect": true, "reconnect_attempt": true, "reconnect_error": true,
	"reconnect_failed": true, "newListener": true, "removeListener": true, "ping": true, "pong": true, "data": true,
	"end": true, "close": true, "open": true, "timeout": true, "drain": true, "lookup": true, "ready": true,
	"secureConnect": true}

// TypedHandlers is the scope of a consumer that takes the messages of one type, whatever topic of its broker carries
// them: IMessageHandler<OrderPlaced>.
const TypedHandlers = "typed"

// Idle is the scope of the consumer of a job whose class does nothing.
const Idle = "idle"

// ByMethod is the beginning of End.Handler if the method with the name behind it handles the messages: "~ConsumeClaim"
// for the only such method of the service, "~ProcessTask NewResizer(store)" for that of an object.
const ByMethod = "~"

// AnyCallee in Message.Callees matches any name of a function.
const AnyCallee = "*"

// messageReader extracts the messages that a file publishes and consumes.
type messageReader struct{ *Reader }

// messageEndpoints records the messages that a file publishes and consumes.
func (mr *messageReader) messageEndpoints(l *Idioms) {
	open := mr.open(l)
	for i := range mr.File.Calls {
		c := &mr.File.Calls[i]
		if c.Kind != code.CallPlain && c.Kind != code.CallNew {
			continue
		}
		if len(l.Messages[c.Callee]) > 0 && !mr.Look() {
			break
		}
		if !mr.messageOf(c, l.Messages[c.Callee]) {
			mr.messageOf(c, open)
		}
	}
	mr.carriers(l)
	for i := range mr.File.Symbols {
		for _, a := range mr.File.Symbols[i].Annotations {
			if len(l.Listeners) > 0 && mr.Look() {
				mr.listener(l, i, a)
			}
		}
	}
	for i := range mr.File.Facts {
		if f := &mr.File.Facts[i]; (f.Kind == code.FactBase || f.Kind == code.FactImpl) && f.Owner >= 0 &&
			strings.ContainsAny(f.Type, "<[") && len(l.Handles) > 0 && mr.Look() {
			mr.subtype(l, f)
		}
	}
}

// open returns the descriptions of calls with any name (AnyCallee), except those none of whose Names occurs in the
// file. Case is ignored.
func (mr *messageReader) open(l *Idioms) []Message {
	if len(l.Messages[AnyCallee]) == 0 {
		return nil
	}
	lower := strings.ToLower(mr.Text)
	return slices.DeleteFunc(slices.Clone(l.Messages[AnyCallee]), func(m Message) bool {
		return !slices.ContainsFunc(m.Names, func(name string) bool { return strings.Contains(lower, name) })
	})
}

// messageOf records a call by the first description in list that matches it. It reports whether one does.
func (mr *messageReader) messageOf(c *code.Call, list []Message) bool {
	for i := range list {
		if m := &list[i]; mr.carries(c, m) && mr.messageWays(c, m) {
			return true
		}
	}
	return false
}

// carries reports whether a call belongs to the broker that m describes, judged by its receiver and the file's
// imports.
func (mr *messageReader) carries(c *code.Call, m *Message) bool {
	if m.Callees[0] == AnyCallee && namedLike(c.Callee, m.Names) {
		return c.Kind == code.CallPlain
	}
	if len(m.Not) > 0 && (namedLike(c.Receiver, m.Not)) {
		return false
	}
	if len(m.Makers) > 0 && mr.Speaks(c, nil, m.Makers) {
		return true
	}
	if slices.ContainsFunc(m.Makers, func(maker string) bool { // for example, Redis.new.publish(…)
		return strings.ContainsAny(maker, ".( ") && strings.Contains(c.Receiver, maker)
	}) {
		return true
	}
	if len(m.Makers) > 0 && len(m.Modules) == 0 && len(m.Names) == 0 {
		return false
	}
	return (len(m.Modules) == 0 || mr.importsAny(m.Modules)) && (len(m.Names) == 0 || namedLike(c.Receiver, m.Names))
}

// importsAny reports whether the file imports a module whose name contains one of modules.
func (mr *messageReader) importsAny(modules []string) bool {
	for i := range mr.File.Imports {
		for _, m := range modules {
			if strings.Contains(mr.File.Imports[i].Module, m) {
				return true
			}
		}
	}
	return false
}

// namedLike reports whether the last name of a receiver is one of names, or contains one that has
// more than three letters.
func namedLike(receiver string, names []string) bool {
	lower := strings.ToLower(receiver)
	if i := strings.IndexByte(lower, '('); i >= 0 { // the receiver is a call: channel(), getProducer("x")
		lower = lower[:i]
	}
	lower = strings.Trim(lower[strings.LastIndexAny(lower, ".>:@$!?*& ")+1:], "_")
	for _, n := range names {
		if lower == n || len(n) > 3 && strings.Contains(lower, n) {
			return true
		}
	}
	return false
}

// messageWays records a call that m describes, once for each topic that a condition in the call may choose:
// publish(late ? "late" : "paid").
func (mr *messageReader) messageWays(c *code.Call, m *Message) (ok bool) {
	mr.ways(func() { ok = mr.message(c, m) || ok })
	return ok
}

// message records a call that m describes. It returns false if the call has neither a topic nor
// another property by which it could be joined with other ends of the message.
func (mr *messageReader) message(c *code.Call, m *Message) bool {
	call := mr.Select(c)
	if n := len(call.Args); n < m.Least || m.Most > 0 && n > m.Most {
		return false
	}
	if m.Read != nil {
		return m.Read(mr.Reader, c)
	}
	if m.Role == l2meta.RoleBind {
		return mr.binding(call, m)
	}
	if m.Role == Publishes && len(m.Key) == 0 && len(call.Args) > 0 &&
		folding.IsFunction(call.Args[0]) && !strings.HasPrefix(call.Args[0], "new ") {
		return false // configuration.Publish<OrderPaid>(x => …) only configures how the type is published
	}
	types := call.Types(m.Payload)
	if len(types) == 0 && m.Role == Publishes && m.Broker != "" && len(m.Key) == 0 {
		types = call.UnknownPayload(m.Payload)
	}
	keys := call.Texts(m.Key)
	if m.Carried && (len(keys) == 0 || strings.HasPrefix(keys[0], "{@")) {
		keys = []string{cmp.Or(mr.obtainedFor(c), Carried)}
	}
	scope := strings.Join(call.Texts(m.Scope), ",")
	if len(keys) == 0 && (len(m.Key) == 0 && len(types) == 0 || len(m.Key) > 0 && (!m.Keyless || scope == "")) {
		return false
	}
	owner, handler := mr.handler(call, m)
	if m.Method != "" {
		handler = byMethod(m.Method, handler)
	}
	if len(keys) == 0 {
		keys = []string{""}
	}
	for _, key := range keys {
		if m.Broker == "" && len(types) == 0 && key == "" {
			return false
		}
		mr.KeepMessage(m.Role, owner, c.NameSpan, End{m.Broker, key, strings.Join(types, ","), scope, handler})
	}
	return true
}

// byMethod returns the handler of messages that a method takes: that of an object, if its expression is known and fits
// in one line.
func byMethod(method, object string) string {
	if object == "" || folding.IsFunction(object) || strings.ContainsAny(object, "\t\n") {
		return ByMethod + method
	}
	return ByMethod + method + " " + object
}

// binding records which messages of an exchange reach a queue, or the kind of the exchange: channel.queueBind("mail",
// "orders", "paid"). It returns false if the exchange is not known, or neither the queue nor the kind is.
func (mr *messageReader) binding(call *source.Selection, m *Message) bool {
	one := func(selectors []string) string { return strings.Join(call.Texts(selectors), ",") }
	scope, queue, kind := one(m.Scope), one(m.Handler), one(m.Payload)
	if scope == "" || queue == "" && kind == "" {
		return false
	}
	mr.KeepMessage(Binds, call.Call.Caller, call.Call.NameSpan, End{m.Broker, one(m.Key), kind, scope, queue})
	return true
}

// End is the publication or the consumption of a message, or the binding of a queue, as written in a file.
type End struct {
	Broker, Key, Payload, Scope, Handler string
}

// defaultPulsar begins the full name of a Pulsar topic that is called without a tenant and a namespace.
const defaultPulsar = "persistent://public/default/"

// KeepMessage records an end of a message as "broker key type scope handler", separated by tabs.
func (r *Reader) KeepMessage(role string, owner int, at code.Span, e End) {
	if e.Broker == Binding {
		e.Key = strings.TrimPrefix(e.Key, "/")
	}
	if e.Broker == "pulsar" {
		e.Key = strings.TrimPrefix(e.Key, defaultPulsar)
	}
	if e.Handler = syntax.OneLine([]byte(e.Handler[:min(len(e.Handler), 200)])); role != Binds &&
		(folding.IsFunction(e.Handler) || strings.HasPrefix(e.Handler, "{")) {
		e.Handler = "=>"
	}
	text := strings.TrimRight(strings.Join([]string{e.Broker, e.Key, e.Payload, e.Scope, e.Handler}, "\t"), "\t")
	r.out = append(r.out, code.Fact{Kind: code.FactEndpoint, Owner: owner, Name: role, Type: text, Span: at})
}

// listener records the messages that a declaration consumes or publishes because of an annotation.
func (mr *messageReader) listener(l *Idioms, symbol int, annotation string) {
	name, args := folding.Annotation(annotation)
	s := &mr.File.Symbols[symbol]
	for i := range l.Listeners {
		a := &l.Listeners[i]
		if a.Name != name || len(a.Modules) > 0 && !mr.importsAny(a.Modules) {
			continue
		}
		if a.Read != nil {
			if a.Read(mr.Reader, symbol, args) {
				return
			}
			continue
		}
		on := mr.SelectAt(args, s.Span.StartByte)
		scope, payload := strings.Join(on.Texts(a.Scope), ","), ""
		if a.ByType {
			if len(s.Parameters) == 0 || !s.Kind.Callable() {
				continue
			}
			payload = folding.TypeWord(s.Parameters[0].Type)
		}
		keys := on.Texts(a.Key)
		if a.ByType && payload != "" && len(a.Key) == 0 {
			keys = []string{""}
		}
		for _, on := range mr.annotated(symbol, a.Each) {
			for _, key := range keys {
				mr.KeepMessage(a.Role, on, mr.File.Symbols[on].NameSpan, End{a.Broker, key, payload, scope, ""})
			}
		}
		return
	}
}

// annotated returns the methods of a type that have an annotation, or the symbol itself if there are none.
func (mr *messageReader) annotated(symbol int, annotation string) (methods []int) {
	if annotation != "" && !mr.File.Symbols[symbol].Kind.Callable() {
		for i := range mr.File.Symbols {
			if mr.File.Symbols[i].Parent == symbol && slices.ContainsFunc(mr.File.Symbols[i].Annotations,
				func(a string) bool { name, _ := folding.Annotation(a); return name == annotation }) {
				methods = append(methods, i)
			}
		}
	}
	if len(methods) == 0 {
		return []int{symbol}
	}
	return methods
}

// subtype records the messages that a type consumes or publishes because of a base type that
// l.Handles describes: the payload that the base names, class X : IConsumer<OrderPaid>, or the
// topic that a field of the type holds.
func (mr *messageReader) subtype(l *Idioms, f *code.Fact) {
	base, payload, _ := strings.Cut(f.Type, "<")
	base = base[strings.LastIndexAny(base, ".:\\")+1:]
	payload = folding.TypeWord(folding.FirstItem(strings.TrimSuffix(payload, ">")))
	for i := range l.Handles {
		h := &l.Handles[i]
		start, end, open := strings.Cut(h.Base, "*")
		if base != h.Base && (!open || len(base) < len(start)+len(end) || !strings.HasPrefix(base, start) ||
			!strings.HasSuffix(base, end)) {
			continue
		}
		if payload == "" || len(h.Modules) > 0 && !mr.importsAny(h.Modules) {
			continue
		}
		if len(h.Fields) > 0 {
			mr.fieldTopic(h, f.Owner)
			return
		}
		if s := mr.consuming(h, f.Owner, payload); s >= 0 {
			mr.KeepMessage(Consumes, s, mr.File.Symbols[s].NameSpan,
				End{Broker: h.Broker, Payload: payload, Scope: h.Scope})
			return
		}
	}
}

// consuming returns the index of the first method of a type that may consume a type of payload, -1 if there is none.
func (mr *messageReader) consuming(h *Handles, owner int, payload string) int {
	return slices.IndexFunc(mr.File.Symbols, func(m code.Symbol) bool {
		return m.Parent == owner && slices.ContainsFunc(m.Parameters[:min(len(m.Parameters), maxPayloadAt)],
			func(p code.Parameter) bool { return strings.Contains(p.Type, payload) }) &&
			slices.ContainsFunc(h.Methods, func(name string) bool {
				start, open := strings.CutSuffix(name, "*")
				return m.Name == name || open && strings.HasPrefix(m.Name, start)
			})
	})
}

// fieldTopic records the topic that a field of a type holds: subject = Subjects.Paid.
func (mr *messageReader) fieldTopic(h *Handles, owner int) {
	topic, rank, method := "", len(h.Fields), -1
	for i := range mr.File.Symbols {
		s := &mr.File.Symbols[i]
		if s.Parent != owner {
			continue
		}
		if n := slices.Index(h.Fields, s.Name); n >= 0 && n < rank {
			_, value, ok := strings.Cut(mr.Text[s.NameSpan.EndByte:s.Span.EndByte], "=")
			if text := mr.Topic(strings.TrimRight(value, "; \n"), s.NameSpan.StartByte); ok && text != "" {
				topic, rank = text, n
			}
		}
		if slices.Contains(h.Methods, s.Name) {
			method = i
		}
	}
	switch at := mr.File.Symbols[owner].NameSpan; {
	case topic == "":
	case method >= 0:
		mr.KeepMessage(Consumes, method, mr.File.Symbols[method].NameSpan, End{Broker: h.Broker, Key: topic})
	case len(h.Methods) == 0:
		mr.KeepText(owner, at, h.Fields[0], topic)
	}
}

// ByCallee indexes descriptions of message calls by the names of the called functions.
func ByCallee(list ...[]Message) map[string][]Message {
	out := map[string][]Message{}
	for _, m := range slices.Concat(list...) {
		for _, callee := range m.Callees {
			out[callee] = append(out[callee], m)
		}
	}
	return out
}
