package endpoint

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/resolve"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// The function that subscribes to a topic may not be the one that handles its messages. A constructor subscribes, and
// a method of its object reads:
//
//	func NewConsumer(topic string) *Consumer { …; c.Subscribe(topic); return &Consumer{c} }
//	func (c *Consumer) Run() { for { m := c.c.ReadMessage(); … } }
//
// Or the function that subscribes or reads is given another one, which handles the messages:
//
//	func OnPaid(handle func(Paid)) { conn.Subscribe("paid", func(m Msg) { handle(decode(m)) }) }
//	OnPaid(sendMail)
//
// In the second case each call that passes a function is a consumer.

type givenConsumersKey struct{}

// givenConsumers holds the consumers whose handler is not the function that subscribes.
type givenConsumers struct {
	// id of the file of the call that passes the handler, or of the reading method → consumers
	by       map[int64][]*message
	replaced map[placed]bool // calls that subscribe, whose own consumers are replaced by those in by
}

// placed is the place of a message and its topic.
type placed struct {
	file int64
	at   int
	key  string
}

func (m *message) placed() placed { return placed{m.file.ID, m.at.StartByte, m.key} }

// givenConsumers returns the consumers of the workspace whose handler is not the function that subscribes.
func (mj *messageJoiner) givenConsumers() *givenConsumers {
	out := resolve.Derive(mj.World, givenConsumersKey{}, func() *givenConsumers {
		out := &givenConsumers{map[int64][]*message{}, map[placed]bool{}}
		made := map[resolve.Ref][]*message{} // function that subscribes → its consumers
		for _, f := range mj.plainSpeaking(l2meta.RoleConsume) {
			if f.Class == code.ClassTest || f.Class == code.ClassGenerated {
				continue
			}
			for _, m := range mj.plainMessagesOf(f, l2meta.RoleConsume) {
				if inner := m.subscriber(); inner.Valid() && inner.Index >= 0 && !m.declared {
					made[inner] = append(made[inner], m)
				}
			}
		}
		for _, inner := range slices.SortedFunc(maps.Keys(made), resolve.CompareRefs) {
			mj.handOver(inner, made[inner], out)
		}
		for _, list := range out.by { // sorted below, because the order of a map is random
			slices.SortStableFunc(list, func(a, b *message) int {
				return cmp.Or(a.at.StartByte-b.at.StartByte, strings.Compare(a.key, b.key),
					strings.Compare(a.scope+a.handler, b.scope+b.handler))
			})
		}
		return out
	})
	if out == nil { // out is nil if the context has ended
		return &givenConsumers{}
	}
	return out
}

// subscriber returns the function that calls the broker's library for a consumer. It returns the
// zero Ref if the consumer is an annotation or a base type, or if its handler is known.
func (m *message) subscriber() resolve.Ref {
	switch {
	case m.answer.Valid() || m.handler != "" && m.handler != "=>" && !strings.HasPrefix(m.handler, services.ByMethod):
		return resolve.Ref{}
	case len(m.through) > 0:
		return m.through[0]
	case m.owner >= 0 && m.at.StartByte == m.file.Symbols[m.owner].NameSpan.StartByte:
		return resolve.Ref{}
	}
	return m.caller()
}

// handledInCall reports whether the call that subscribes contains a function that handles the
// messages: a function without a name, or one that calls another, as in subscribe("paid", m =>
// this.send(m)).
func (m *message) handledInCall() bool {
	if m.handler == "=>" {
		return true
	}
	whole := callAt(fetch{file: m.file, owner: m.owner, at: m.at}).Span
	calls := m.file.Calls()
	for i := range calls {
		if s := &calls[i].Span; whole.StartByte < s.StartByte && s.EndByte < whole.EndByte &&
			m.at.EndByte < s.StartByte {
			return true
		}
	}
	return false
}

// handOver adds to out the consumers of list, for which inner subscribes, if another function handles their messages.
func (mj *messageJoiner) handOver(inner resolve.Ref, list []*message, out *givenConsumers) {
	reads := inner
	if isMaker(mj.Workspace, inner) {
		list = slices.DeleteFunc(slices.Clone(list), (*message).handledInCall)
		if reads = readingMethod(mj.Workspace, inner); !reads.Valid() {
			return
		}
	}
	n := handlerParameter(reads)
	sites := mj.passingHandler(reads, n)
	if n >= 0 && len(sites) == 0 || n < 0 && reads == inner {
		return
	}
	add := func(m *message, f *resolve.File) {
		m.how = append(slices.Clip(m.how), reads.Symbol().QualifiedName+" takes its messages")
		m.rests = append(slices.Clip(m.rests), m.file.Path, reads.File.Path)
		if !slices.ContainsFunc(out.by[f.ID], m.same) {
			out.by[f.ID] = append(out.by[f.ID], m)
		}
	}
	for _, m := range list {
		out.replaced[m.placed()] = true
		if n < 0 {
			x := *m
			x.answer = reads
			add(&x, m.file)
		}
	}
	for _, s := range sites {
		meant, known := mj.carriersAt(s.callSite, list)
		if here := s.subscribes(list); len(here) > 0 { // the call passes both the topic and the handler
			meant, known = here, true
		}
		for _, m := range meant {
			x := *m
			x.file, x.owner, x.at, x.handler = s.file, s.call.Caller, s.call.NameSpan, s.handler
			x.among = m.among || !known && len(sites) > 1
			add(&x, s.file)
		}
	}
}

// handingCall is a call that passes a handler of messages to a function.
type handingCall struct {
	callSite
	handler string // expression of the handler, "=>" if it has no name
}

// subscribes returns the messages of list that the call itself consumes.
func (c callSite) subscribes(list []*message) (here []*message) {
	for _, m := range list {
		if m.file == c.file && m.at == c.call.NameSpan {
			here = append(here, m)
		}
	}
	return here
}

// passingHandler returns the calls of a function that pass another function. n is the number of the parameter for
// it; there are no such calls if n is negative.
func (mj *messageJoiner) passingHandler(of resolve.Ref, n int) (out []handingCall) {
	if n < 0 {
		return nil
	}
	for _, c := range callsOf(mj.Workspace, of) {
		for _, fact := range lookup.Endpoints(c.file, l2meta.RoleMayConsume) {
			if fact.Span.StartByte == c.call.NameSpan.StartByte {
				if h := services.ParsePossible(fact.Type).Handler; h != "" {
					out = append(out, handingCall{c, h})
				}
				break
			}
		}
	}
	return out
}

// handlerParameter returns the number of the parameter of a function that is a handler of
// messages; -1 if there is none.
func handlerParameter(of resolve.Ref) int {
	n := 0
	for i, p := range of.Symbol().Parameters {
		if i == 0 && folding.IsSelf(p) {
			continue
		}
		if functionType.MatchString(p.Type) || p.Type == "" && functionName.MatchString(p.Name) {
			return n
		}
		n++
	}
	return -1
}

var (
	// functionType matches the types of parameters that take a function.
	functionType = regexp.MustCompile(`^(?:\w+\.)?(?:func\(|Func<|Action<|Consumer<|BiConsumer<|Callable|` +
		`callable|Closure|` +
		`Box<dyn Fn|impl Fn|Fn\(|\w*Handler\w*$|\w*Callback$)|=>|->`)
	// functionName matches the names of parameters that take a function, where they have no types.
	functionName = regexp.MustCompile(`^&?\$?(?i:cb|fn|func|on_?message|each_?message|each_?batch|` +
		`\w*handler|\w*callback|\w*listener)$`)
)

// isMaker reports whether a function constructs an object: a constructor, or a function that returns a type of its
// own file, in a language without constructors.
func isMaker(ws *lookup.Workspace, of resolve.Ref) bool {
	s := of.Symbol()
	return s.Kind == code.KindConstructor || folding.IsConstructor(s.Name) || len(madeTypes(ws, of)) > 0
}

// madeTypes returns the names of the types of its own file that a function returns, in a language whose functions
// construct objects. It returns nil for methods.
func madeTypes(ws *lookup.Workspace, of resolve.Ref) (names []string) {
	if !ws.World.Language(of.File.Language).FunctionsMake || of.Symbol().Kind != code.KindFunction {
		return nil
	}
	for _, fact := range of.File.FactsOf(of.Index) {
		if fact.Kind != code.FactResult {
			continue
		}
		for _, t := range lookup.ResultTypes(fact.Type) {
			if t == "Self" && of.Symbol().Parent >= 0 {
				t = of.File.Symbols[of.Symbol().Parent].Name
			}
			if slices.ContainsFunc(of.File.Symbols, func(s code.Symbol) bool {
				return s.Name == t && resolve.IsType(s.Kind)
			}) {
				names = append(names, t)
			}
		}
	}
	return names
}

// readingMethod returns the method that reads messages of the object which maker constructs: the
// only one that calls a reading function of a field, or the only one of these with a handler as a
// parameter. It returns the zero Ref if there is none.
func readingMethod(ws *lookup.Workspace, maker resolve.Ref) resolve.Ref {
	names := madeTypes(ws, maker)
	if class := maker.File.Type(maker.Index); class >= 0 {
		names = append(names, maker.File.Symbols[class].Name)
		// the method of a Go type
	} else if name := maker.Symbol().QualifiedName; maker.Symbol().Kind == code.KindMethod {
		names = append(names, lookup.LastName(name[:max(strings.LastIndexByte(name, '.'), 0)]))
	}
	var found []resolve.Ref
	calls := maker.File.Calls()
	for i := range calls {
		c := &calls[i]
		m := maker.File.Ref(maker.File.Callable(c.Caller))
		if m.Index < 0 || m == maker || slices.Contains(found, m) || !ofTypes(m, names) || !readsField(c) {
			continue
		}
		found = append(found, m)
	}
	if len(found) > 1 {
		found = slices.DeleteFunc(found, func(m resolve.Ref) bool { return handlerParameter(m) < 0 })
	}
	if len(found) != 1 {
		return resolve.Ref{}
	}
	return found[0]
}

// ofTypes reports whether a function is a method of a type with one of the names.
func ofTypes(m resolve.Ref, names []string) bool {
	name := m.Symbol().QualifiedName
	dot := strings.LastIndexByte(name, '.')
	return dot > 0 && slices.Contains(names, lookup.LastName(name[:dot]))
}

// readsField reports whether a call reads from a field of its object: c.reader.ReadMessage(ctx).
func readsField(c *code.Call) bool {
	return c.Kind == code.CallPlain && readingCall.MatchString(c.Callee) && ofField.MatchString(c.Receiver)
}

var (
	// readingCall matches the names of functions that read messages.
	readingCall = regexp.MustCompile(`^(?i:read|recv|receive|poll|fetch|consume|next|messages|listen|iter)`)
	// ofField matches a receiver that is a field of an object.
	ofField = regexp.MustCompile(`^(?:@\w+|\w+(?:\.|->)[\w.>-]+|_\w+)$|^\$this->`)
)
