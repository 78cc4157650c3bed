package services

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/services/folding"
	"sextant/l2meta/services/source"
)

// No list of messaging libraries is complete. So a call, an annotation or a base type whose name
// suggests that it sends or receives something is recorded as a possible end of a message, if it
// has an argument or a type that may name the message. l2meta/endpoint knows which of these occur
// in other services, and which calls an idiom describes.

// PossibleEnd is a possible end of a message, in the form of the facts of RoleMayPublish and
// RoleMayConsume.
type PossibleEnd struct {
	// Name is the name of the callee, after that of the receiver: "bus.emit". The name of a
	// constructor begins with Constructs, that of an annotation with "@", that of a base type
	// with ":", that of a class of handlers with ByName. BySwitch is one of a switch.
	Name    string
	Topics  []string // folded texts that may name the message, with holes in braces
	Types   []string // types that the payload may have
	Handler string   // expression of the function that handles the message, as in RoleRoute
}

// Constructs is the beginning of PossibleEnd.Name if the call constructs an object.
const Constructs = "new "

// ByName is the beginning of PossibleEnd.Name if only the name of a class suggests that a method
// of it handles messages.
const ByName = "::"

// ParsePossible parses the text of a fact of RoleMayPublish or RoleMayConsume.
func ParsePossible(fact string) PossibleEnd {
	part := append(strings.Split(fact, "\t"), "", "", "")
	items := func(text, sign string) []string {
		if text == "" {
			return nil
		}
		return strings.Split(text, sign)
	}
	return PossibleEnd{part[0], items(part[1], listed), items(part[2], ","), part[3]}
}

// Callee returns the name of the callee, the annotation or the base type alone: "emit" of "bus.emit".
func (e PossibleEnd) Callee() string { return e.Name[strings.LastIndexAny(e.Name, ". @:")+1:] }

// OfBroker reports whether the name of an end mentions messages or a broker. The topic of such an
// end may be a single common word.
func (e PossibleEnd) OfBroker() bool { return ofBroker.MatchString(e.Name) }

var (
	ofBroker = regexp.MustCompile(`(?i)publi(?:sh|cation)|subscri|consum|produc|enqueue|queue|topic|exchange|broker|` +
		`\bbus\b|kafka|rabbit|amqp|nats|sqs|sns|pubsub|mqtt|messag|stream`)
	// severalWords matches a topic of several words or with a hole: order.created, OrderCreated, {ORDERS_TOPIC}.
	severalWords = regexp.MustCompile(`[.:/_*-]\w|[a-z][A-Z]|\{`)
	// handsOver matches the names of consuming calls that count without a topic, because the
	// constructor of the receiver may get the topic.
	handsOver = regexp.MustCompile(`(?i:subscri|consum|receiv|listen)|\b[oO]n[A-Z]\w*[a-z]$`)
)

// possibleReader extracts the possible ends of messages.
type possibleReader struct {
	*Reader
	kept int
}

const (
	maxPossible     = 400 // largest number of possible ends of one file
	maxPossibleArgs = 8   // largest number of arguments of a call, and of topics of one end
	maxInObject     = 3   // largest depth of nested objects whose members are read
	leastPrefix     = 4   // least number of bytes of a topic before its first hole
)

// possibleEnds records the possible ends of messages of a file.
func (pr *possibleReader) possibleEnds() {
	if pr.File.Class == code.ClassTest || pr.File.Class == code.ClassGenerated {
		return
	}
	for i := range pr.File.Calls {
		if c := &pr.File.Calls[i]; (c.Kind == code.CallPlain || c.Kind == code.CallNew) && pr.Folder.Fuel > 0 {
			pr.possibleCall(c)
		}
	}
	for i := range pr.File.Symbols {
		for _, a := range pr.File.Symbols[i].Annotations {
			pr.possibleAnnotation(i, a)
		}
	}
	for i := range pr.File.Facts {
		if f := &pr.File.Facts[i]; (f.Kind == code.FactBase || f.Kind == code.FactImpl) && f.Owner >= 0 {
			pr.possibleSubtype(f)
		}
	}
	pr.possibleHandlers()
	pr.possibleSwitches()
}

// keepPossible records a possible end of a message if it has a topic or a type, or a function
// that handles it.
func (pr *possibleReader) keepPossible(way Direction, owner int, at code.Span, e PossibleEnd) {
	role := l2meta.RoleMayConsume
	if way == Out {
		role = l2meta.RoleMayPublish
	}
	if len(e.Topics) > 0 && !e.OfBroker() {
		e.Topics = slices.DeleteFunc(e.Topics, func(t string) bool { return !severalWords.MatchString(t) })
	}
	if len(e.Topics) == 0 && len(e.Types) == 0 && (way == Out || !handsOver.MatchString(e.Name) || e.Handler == "") ||
		pr.kept == maxPossible {
		return
	}
	text := strings.Join([]string{e.Name, strings.Join(e.Topics, listed), strings.Join(e.Types, ","), e.Handler}, "\t")
	pr.out = append(pr.out, code.Fact{Kind: code.FactEndpoint, Owner: owner, Name: role,
		Type: strings.TrimRight(text, "\t"), Span: at})
	pr.kept++
}

// endsOrAsks matches the names of functions that end a subscription, unbind("paid", f), or that ask whether to publish,
// should_notify(tenant, "paid"). They neither publish nor consume.
var endsOrAsks = regexp.MustCompile(`^(?i:un_?(?:bind|subscribe|listen|register|observe|watch|consume))|` +
	`^(?:off|remove|should|can|could|may|is|was|has|did|will)(?:[A-Z_]|$)`)

// possibleCall records a call if it may be an end of a message.
func (pr *possibleReader) possibleCall(c *code.Call) {
	object := objectName(c.Receiver)
	way, binds := wayOf(c.Callee, object), IsBinding(c.Callee)
	if way == Unclear && !binds || folding.Deaf[c.Callee] || folding.Deaf[object] || noMessages.MatchString(object) ||
		namesThing.MatchString(c.Callee) || choosesQueue.MatchString(c.Callee) || endsOrAsks.MatchString(c.Callee) {
		return
	}
	args := pr.Arguments(c)
	if len(args) == 0 || len(args) > maxPossibleArgs ||
		// Publish<OrderPaid>(x => …) only configures the type
		way == Out && folding.IsFunction(args[0]) && !strings.HasPrefix(args[0], "new ") {
		return
	}
	end := PossibleEnd{Name: strings.TrimPrefix(object+"."+c.Callee, ".")}
	if c.Kind == code.CallNew {
		end.Name = Constructs + c.Callee
	}
	for _, a := range args {
		pr.possibleArgument(&end, a, c.NameSpan.StartByte, 0)
	}
	call := pr.Select(c)
	switch {
	case way == About && looksUp.MatchString(c.Callee): // kafka.getCallback(topic, callback)
		return
	case binds || way == About && end.Handler != "":
		way = In
		end.Types = consumed(call)
	case way == In:
		if end.Handler == "" {
			end.Handler = cmp.Or(pr.madeWithHandler(call), pr.ownFunction(args))
		}
		if end.Handler != "" {
			end.Types = consumed(call)
		}
	case way == About: // for example, AddEvent(new OrderPaidEvent())
		way, end.Topics, end.Types = Out, nil, payload(call)
		if len(end.Types) != 1 || !namesEvent.MatchString(end.Types[0]) {
			return
		}
	case way == Out:
		end.Types = payload(call)
	}
	if !setsUp.MatchString(c.Callee) || binds || way == In && end.Handler != "" {
		pr.keepPossible(way, c.Caller, c.NameSpan, end)
	}
}

// ownFunction returns the first argument that is the name of a function of the file: onOrderPaid(conn, sendMail). It
// returns "" if there is none.
func (pr *possibleReader) ownFunction(args []string) string {
	for _, a := range args {
		name := strings.TrimPrefix(strings.TrimPrefix(a, "this."), "self.")
		if folding.Identifier.MatchString(name) && pr.Folder.Declares(name) {
			return a
		}
	}
	return ""
}

// objectName returns the last name of a receiver: bus for this.bus and for getBus(x).bus.
func objectName(receiver string) string {
	receiver, _, _ = strings.Cut(receiver, "(")
	return strings.TrimPrefix(folding.LastWord(receiver), "$")
}

// wayOf returns the direction of a call by the name of the callee, or else by that of the receiver.
func wayOf(callee, object string) Direction {
	way, of := DirectionOf(callee), DirectionOf(object)
	if way == Unclear || way == About && of != Unclear {
		return of
	}
	return way
}

// IsBinding reports whether the name of a function is typical of one that routes messages of a
// broker to a queue.
func IsBinding(name string) bool {
	return strings.Contains(name, "bind") || strings.Contains(name, "Bind")
}

// consumed returns the type of the messages that a consuming call receives. It is the type
// argument of the call or, if there is none, the type of an argument that is a class or
// constructs a sample: subscribe<OrderPaid>(…), subscribe(OrderPaid.class, …),
// Subscribe(OrderPaid{}, …).
func consumed(s *source.Selection) []string {
	if types := s.Types([]string{"<>"}); len(types) > 0 {
		return types
	}
	for i, a := range s.Args[:min(len(s.Args), maxPayloadAt)] {
		if m := sampleOf.FindStringSubmatch(a); m != nil {
			if t := folding.TypeWord(m[1] + m[2]); t != "" {
				return []string{t}
			}
		}
		if source.ClassOf.MatchString(a) {
			return s.Types([]string{strconv.Itoa(i)})
		}
	}
	return nil
}

// sampleOf matches a value without fields and the type of C# as a value.
var sampleOf = regexp.MustCompile(`^(?:&?([A-Za-z][\w.]*)\{\s*\}|typeof\(([\w.]+)\))$`)

// madeWithHandler returns the function for messages that the constructor of a call's receiver
// got, "" if there is none: onPaid for c := NewConsumer(conn, onPaid); c.Consume(OrderPaid{}).
func (pr *possibleReader) madeWithHandler(s *source.Selection) string {
	name := folding.LastWord(s.Call.Receiver)
	if name == "" || len(s.Args) == 0 || !sampleOf.MatchString(s.Args[0]) {
		return ""
	}
	value, _ := pr.Given(name, s.Place())
	for _, a := range arguments(value) {
		if namesHandler.MatchString(a) {
			return strings.TrimPrefix(a, "&")
		}
	}
	return ""
}

// arguments returns the arguments of the call at the end of an expression.
func arguments(expr string) []string {
	open := strings.IndexByte(expr, '(')
	if open < 0 || !strings.HasSuffix(expr, ")") {
		return nil
	}
	return folding.ListItems(expr[open+1 : len(expr)-1])
}

// payload returns the types that the payload of a publishing call may have: the call's type argument, else the type of
// the first argument that has one.
func payload(s *source.Selection) []string {
	for _, sel := range []string{"<>", "0", "1", "2"} {
		if types := s.Types([]string{sel}); len(types) > 0 {
			return types
		}
	}
	return nil
}

var (
	// noMessages matches the names of objects that handle the events of a page or of a program,
	// that answer a client, store data or configure something.
	noMessages = regexp.MustCompile(`^(?i:socket|io|ws|window|document|process|observable|` +
		`store|\w*emitter|dispatcher|response|resp|res|reply|` +
		`mail\w*|sms\w*|\w*logger|log|span|tracer|metrics?|counter|router|app|server|form|button|cfg|config\w*|` +
		`options?|opts|input|element|\$|jquery|cy|page|browser|history|navigation|i18n|intl|toast\w*|modal|dialog|` +
		`\w*repository|\w*repo|db|conn|connection|hub\w*|clients|all|group|others|caller|stdout|stderr)$`)
	// setsUp matches the names of calls that prepare a topic or a queue, or look one up.
	setsUp = regexp.MustCompile(`^_?(?i:declare|assert|create|ensure|build|delete|remove|purge|check|get|set|has|` +
		`exists|list|find|configure|register|init|setup|queue_?declare|exchange_?declare|unsub|cancel|close|stop|` +
		`attr_|public_send)`)
	// looksUp matches the names of calls that return something.
	looksUp = regexp.MustCompile(`^_?(?:[gG]et|is|Is|has|Has|find|Find|list|List|check|Check)(?:_|[A-Z])`)
	// namesThing matches the names of calls that return or set a part of a message, or settings.
	namesThing = regexp.MustCompile(`^_?ids?$|_ids?$|(?:[nN]ames?|[cC]onfig\w*|[oO]ptions?|[sS]ettings?|[uU]rl|I[dD]s?|` +
		`[pP]roperties|[eE]rrors?|[eE]xception)$`)
	// choosesQueue matches the names of calls that choose the queue of a message which another call publishes: job
	// .dispatch().onQueue("mail").
	choosesQueue = regexp.MustCompile(`^(?i:all)?[oO]n(?:Queue|Connection|Topic|Channel|Exchange)$`)
	// namesEvent matches the types of payloads that are named after messages.
	namesEvent = regexp.MustCompile(`\w(?:Event|Message|Notification)$`)
)
