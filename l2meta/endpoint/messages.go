package endpoint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/endpoint/values"
	"sextant/l2meta/resolve"
	"sextant/l2meta/services"
)

// StrategyTopic marks an edge that was found by the name of a topic, queue or subject, StrategyType one that was
// found by the type of the payload.
const (
	StrategyTopic = "message_topic"
	StrategyType  = "message_type"
)

// These constants are the confidences of message edges: for one broker family and one topic on both ends, for one
// type of payload on buses that route by type, and for topics that are only similar. Every consumer of a topic
// receives its messages, so the number of consumers does not matter.
const (
	confidenceTopic = 0.94
	confidenceType  = 0.9
	confidenceAlike = 0.7
)

// messageJoiner joins the publications of messages with their consumers.
type messageJoiner struct {
	*values.Reader
	declared *declarer
	served   *routeFinder
}

// message is one end of a message: a call or declaration that publishes or consumes it.
type message struct {
	file   *resolve.File
	owner  int
	at     code.Span
	broker string
	key    string // the folded topic, with holes in braces
	types  []string
	scope  string // exchange or component, "" for none or the default one
	// handler is the expression of the function that consumes the message. For a binding it is the queue.
	handler string
	how     []string      // evidence for the topic
	rests   []string      // the files with that evidence
	helper  *resolve.File // file of the function that calls the broker's library, if its callers pass the topic

	through []resolve.Ref // the functions that pass the topic on, the innermost first
	answer  resolve.Ref   // the handler, if no expression in the file names it; otherwise the zero Ref
	among   bool          // whether key is one of several possible topics, of which only one is right

	declared bool // whether sextant.toml declares the message
	keyless  bool // whether its channel sends or receives every message of the exchange scope

	heir string // the subclass that gives the topic of a method of its base class, "" if that class has it
	twin *twin  // how the message was recognized; nil if an idiom describes it
}

// caller returns the callable that publishes or consumes m, or the top-level code of its file.
func (m *message) caller() resolve.Ref {
	return m.file.Ref(m.file.Callable(m.file.Maker(m.owner, m.at.StartByte)))
}

type messagesKey struct{ role string }

// messages returns every message of a role, such as l2meta.RolePublish, outside of tests and generated code.
func (mj *messageJoiner) messages(role string) []*message {
	return resolve.Derive(mj.World, messagesKey{role}, func() (out []*message) {
		for _, f := range mj.speaking(role) {
			if f.Class != code.ClassTest && f.Class != code.ClassGenerated {
				out = append(out, mj.messagesOf(f, role)...)
			}
		}
		if role == l2meta.RoleConsume {
			out = append(out, mj.remote()...)
		}
		return out
	})
}

// speaking returns the files with messages of a role, such as l2meta.RolePublish, sorted by path.
func (mj *messageJoiner) speaking(role string) []*resolve.File {
	out := slices.Clone(mj.plainSpeaking(role))
	if role == l2meta.RoleConsume {
		for id := range mj.givenConsumers().by {
			if f := mj.World.ByID(id); f != nil && !slices.Contains(out, f) {
				out = append(out, f)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b *resolve.File) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// plainSpeaking returns the files of speaking without those that only pass a handler.
func (mj *messageJoiner) plainSpeaking(role string) []*resolve.File {
	out := slices.Clone(mj.Files(role))
	add := func(f *resolve.File) {
		if f != nil && !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	for id := range mj.relayed(role).by {
		add(mj.World.ByID(id))
	}
	for id := range mj.carried(role).by {
		add(mj.World.ByID(id))
	}
	for id := range mj.shaped(role) {
		add(mj.World.ByID(id))
	}
	for id := range mj.declared.declaredEnds().messages[role] {
		add(mj.World.ByID(id))
	}
	slices.SortStableFunc(out, func(a, b *resolve.File) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// messagesOf returns the messages of a role, such as l2meta.RolePublish, in a file: one for each value that a topic
// may have.
func (mj *messageJoiner) messagesOf(f *resolve.File, role string) []*message {
	out := mj.plainMessagesOf(f, role)
	if role != l2meta.RoleConsume {
		return out
	}
	by := mj.givenConsumers()
	out = slices.DeleteFunc(out, func(m *message) bool { return by.replaced[m.placed()] })
	return append(out, by.by[f.ID]...)
}

// plainMessagesOf returns the messages of messagesOf without regard to functions that are given their handler.
func (mj *messageJoiner) plainMessagesOf(f *resolve.File, role string) (out []*message) {
	by := mj.relayed(role)
	for _, fact := range lookup.Endpoints(f, role) {
		if passesOn(role, fact.Type) && by.helpers[f.Ref(f.Callable(fact.Owner))] {
			continue // each call of the function counts instead of the function itself
		}
		if key := endsOf(fact.Type)[1]; key == services.Carried ||
			(ofMaker(key) || ofSelf(key)) && mj.carried(role).helpers[f.Ref(f.Callable(fact.Owner))] {
			continue // the method carried returns these messages
		}
		out = append(out, spoken(mj.Reader, f, fact.Owner, fact.Span, values.ByDefault(fact.Type))...)
	}
	out = slices.Concat(out, by.by[f.ID], mj.carried(role).by[f.ID], mj.shapedIn(f, role),
		mj.declared.declaredEnds().messages[role][f.ID])
	if role == l2meta.RoleBind {
		for i, b := range out {
			bound := *b // a copy, because callers of this function share relayed messages
			bound.handler = queueName(b.broker, values.Unnumbered(mj.Readings(f, b.owner, b.handler)[0].Text))
			out[i] = &bound
		}
	}
	return out
}

// spoken parses the text of the fact of a message, "kafka", a tab and "{Topics.PAID}", into one message for each
// value that its topic may have.
func spoken(rd *values.Reader, f *resolve.File, owner int, at code.Span, text string) (out []*message) {
	part := append(strings.Split(text, "\t"), "", "", "", "")
	var types []string
	if part[2] != "" {
		types = strings.Split(part[2], ",")
	}
	scopes := rd.Readings(f, owner, part[3])
	for _, r := range rd.Readings(f, owner, part[1]) {
		keys := []string{values.Unnumbered(r.Text)}
		if len(r.Keys) > 0 && (part[0] == "kafka" || part[0] == services.Channels) &&
			!strings.ContainsAny(r.Text, "{}") { // the value of a setting may list several topics
			keys = strings.Split(keys[0], ",")
		}
		for _, key := range keys {
			broker := part[0]
			// a channel of Spring Integration, which a flow connects to a topic
			if broker == "channel" && !hole(key) {
				broker = "kafka"
			}
			m := &message{
				file: f, owner: owner, at: at, broker: broker, key: queueName(part[0], key), types: types,
				scope: queueName(part[0], values.Unnumbered(scopes[0].Text)), handler: part[4],
				how:   append(slices.Clip(r.How), scopes[0].How...),
				rests: append(slices.Clip(r.Rests), scopes[0].Rests...),
			}
			if broker == services.Channels {
				m.throughExchange()
			}
			out = append(out, m)
		}
	}
	return out
}

// queueName returns the name of a topic or queue. For SQS and SNS that is the end of the URL or
// ARN. Values of settings are read as addresses, so it also removes "http://".
func queueName(broker, key string) string {
	key = strings.TrimPrefix(key, "http://")
	if broker == "amqp" { // the key may be the address of a RabbitMQ queue in AMQP 1.0
		key = strings.TrimPrefix(key, "/queues/")
	}
	if broker == "sqs" || broker == "sns" {
		return key[strings.LastIndexAny(key, "/:")+1:]
	}
	return key
}

// delivery is a consumer that a message reaches.
type delivery struct {
	*message
	how        string // the evidence, one line
	strategy   string
	confidence float64
	rests      []string // files with evidence besides both ends
}

// deliveries returns the consumers that a message reaches, those with the highest confidence first.
func (mj *messageJoiner) deliveries(p *message) (out []delivery) {
	for _, c := range mj.messages(l2meta.RoleConsume) {
		if d, ok := mj.delivers(p, c); ok && p.twin == nil {
			out = append(out, d)
		}
	}
	out = append(out, mj.twinDeliveries(p, out)...)
	for i, d := range out {
		// a program that tries the services by hand is no part of what they exchange
		if l := mj.Services(); l.IsTests(mj.root(p)) != l.IsTests(mj.root(d.message)) {
			out[i].confidence = min(d.confidence, confidenceSeveral)
		}
	}
	slices.SortStableFunc(out, func(a, b delivery) int { return cmp.Compare(b.confidence, a.confidence) })
	return out
}

// delivers reports whether the message p reaches the consumer c, with the evidence.
func (mj *messageJoiner) delivers(p, c *message) (d delivery, ok bool) {
	if d, ok := typedTopic(p, c); ok {
		return d, true
	}
	switch {
	case (p.broker == services.Jobs || betweenSides(p.broker)) && c.broker != p.broker:
		return d, false
	case p.broker == services.Jobs:
		return mj.runs(p, c)
	// an event goes to the other side, not to the own service
	case betweenSides(p.broker) && mj.root(p) == mj.root(c):
		return d, false
	case p.broker == services.Hubs: // SignalR ignores the case of methods
		return delivery{message: c, strategy: StrategyTopic, confidence: confidenceTopic,
			how: "both name the method " + c.key}, strings.EqualFold(p.key, c.key) && !hole(p.key)
	case p.broker == byShape || c.broker == byShape:
		return mj.shapesMeet(p, c)
	case p.broker == "sns" && c.broker == "sqs":
		return mj.subscribed(p, c)
	case p.broker == services.EventBridge:
		return mj.ruled(p, c)
	}
	kin, near := kinship(p.broker, c.broker)
	if !kin {
		return d, false
	}
	d.message = c
	switch {
	case c.scope == services.TypedHandlers && c.key == "":
		d.strategy, d.confidence, d.how = StrategyType, confidenceType, "both name the type of the payload"
		ok = p.file.Language == c.file.Language && shareType(p.types, c.types)
	case p.key == "" && c.key == "" && p.scope == "" && c.scope == "":
		types := p.types
		d.strategy, d.confidence, d.how = StrategyType, confidenceType, "both name the type of the payload"
		if p.unsaid() {
			types = mj.made(p)
			d.confidence, d.how = confidenceAlike, "what the publisher calls makes the type of the payload"
		}
		ok = shareType(types, c.types)
		if !ok && mj.derives(p, c) {
			d.confidence, d.how, ok = confidenceAlike, "the consumer names a base of the type of the payload", true
		}
	case p.broker == "celery" && p.key == "": // Celery matches functions, within one code base
		d.strategy, d.confidence, d.how = StrategyTopic, confidenceTopic, "the task is the function "+c.scope
		ok = p.scope == c.scope && (mj.Services().Root(p.file.Path) == mj.Services().Root(c.file.Path) ||
			values.Brings(p.file, p.scope))
	case p.broker == "celery" && !hole(p.key):
		d.strategy, d.confidence, d.how = StrategyTopic, confidenceTopic, "both name the task "+c.key
		ok = p.key == c.key
	case p.broker == "rabbitmq" && c.broker == "rabbitmq":
		d, ok = mj.routed(p, c)
	default:
		d.strategy = StrategyTopic
		d.confidence, d.how, ok = meet(p, c)
	}
	if ok && !near {
		d.confidence = min(d.confidence, confidenceAlike)
	}
	if p.among || c.among {
		d.confidence = min(d.confidence, confidenceSeveral)
	}
	return d, ok
}

// betweenSides reports whether a broker carries events between a server and its clients alone.
func betweenSides(broker string) bool { return broker == services.Sockets || broker == services.Hubs }

// meet compares the topics of two ends. It returns the confidence and the evidence if they match.
func meet(p, c *message) (sure float64, how string, ok bool) {
	if p.scope != "" && c.scope != "" && p.scope != c.scope && !hole(p.scope) && !hole(c.scope) {
		return 0, "", false
	}
	if p.key == "" || c.key == "" {
		return 0, "", false
	}
	if !hole(p.key) && !hole(c.key) {
		if p.key == c.key {
			return confidenceTopic, "both name the topic " + p.key, true
		}
		return confidenceTopic, "the subscription " + c.key + " takes in " + p.key, covers(c.broker, c.key, p.key)
	}
	if ofAnyObject(p.key) { // {this.topic} may have different values at both ends
		return confidenceSeveral, "both name the topic " + p.key + ", whose value is not known", p.key == c.key
	}
	if shape(p.key) == shape(c.key) && (lastStepOf(p.key) == lastStepOf(c.key) || shape(p.key) != "{}") {
		return confidenceAlike, "both name the topic " + p.key + ", whose value is not known", true
	}
	return confidenceAlike, "the subscription " + c.key + " takes in " + p.key,
		!hole(c.key) && shape(p.key) != "{}" && covers(c.broker, c.key, shape(p.key))
}

// kin lists, by library, the brokers that may carry its messages if the broker is configured outside of the program.
var kin = map[string][]string{
	"nestjs":          {"kafka", "rabbitmq", "nats", "redis", "mqtt"},
	"stream":          {"kafka", "rabbitmq", services.Channels},
	services.Channels: {"kafka", "rabbitmq"},
	"amqp":            {"rabbitmq", "servicebus"},
	"":                {"masstransit", "nservicebus", "rebus", "axon"},
}

// kinship reports whether messages of broker family a may reach consumers of family b, and whether that is certain.
func kinship(a, b string) (may, sure bool) {
	switch {
	case a == b:
		return true, true
	case slices.Contains(kin[a], b), slices.Contains(kin[b], a):
		return true, a == "" || b == ""
	}
	return false, false
}

// published returns the edges of the messages that ref publishes, and notes on those whose topic is not known.
func (mj *messageJoiner) published(ref resolve.Ref) (out []Crossing) {
	if e := keptEnds(mj.Workspace); e != nil {
		return append(unpinned(mj.Workspace, e.Sent[declarationOf(ref)]), mj.unplaced(ref)...)
	}
	if mj.mayPublish(ref) {
		for _, p := range mj.messagesOf(ref.File, l2meta.RolePublish) {
			if p.caller() == ref {
				out = append(out, mj.publication(p)...)
			}
		}
	}
	out = append(out, mj.twinsPublished(ref)...)
	return append(out, mj.unplaced(ref)...)
}

// mayPublish reports whether the function ref may publish messages. It is cheap, and false for most functions.
func (mj *messageJoiner) mayPublish(ref resolve.Ref) bool {
	return lookup.HasEnd(ref, l2meta.RolePublish, l2meta.RolePass) ||
		len(mj.carried(l2meta.RolePublish).by[ref.File.ID]) > 0 ||
		len(mj.declared.declaredEnds().messages[l2meta.RolePublish][ref.File.ID]) > 0
}

// publication returns an edge from a published message to each of its consumers. If there are none, it returns one
// edge without a handler that says so, unless p is quiet.
func (mj *messageJoiner) publication(p *message) (out []Crossing) {
	base := Crossing{Kind: code.EdgeMessage, File: p.file, Call: callAt(fetch{file: p.file, owner: p.owner, at: p.at}),
		Caller: p.caller(), Via: p.via()}
	for _, d := range mj.deliveries(p) {
		c := base
		c.Handler, c.At = mj.served.handler(&route{file: d.file, owner: d.owner, at: d.at, handler: d.message.handler,
			answer: d.message.answer})
		known := func(o Crossing) bool { return o.Handler == c.Handler && o.At == c.At }
		if !c.Handler.Valid() || slices.ContainsFunc(out, known) {
			continue
		}
		if d.strategy == StrategyType && d.types != nil {
			c.Via = d.types[0]
		}
		if p.key == "" && p.broker == "" && d.strategy == StrategyTopic {
			c.Via = cmp.Or(d.message.key, c.Via)
		}
		c.Confidence, c.Strategy, c.Rests = d.confidence, d.strategy,
			slices.Concat(p.rests, d.message.rests, d.rests, []string{d.file.Path})
		c.Provenance = strings.Join(slices.Concat(p.how, d.message.how,
			[]string{fmt.Sprintf("%s; consumed at %s:%d", d.how, d.file.Path, d.at.StartLine)}), "; ")
		if p.declared || d.message.declared {
			c = asDeclared([]Crossing{c})[0]
		}
		out = append(out, c)
	}
	if len(out) > 0 || p.quiet() {
		return out
	}
	base.Strategy, base.Why = StrategyTopic, "no consumer of "+base.Via+" is in the workspace"
	switch {
	case p.unsaid():
		base.Strategy, base.Why = StrategyType, "the type of the payload "+strings.Trim(base.Via, "{}")+" is not known"
	case hole(p.key):
		base.Why = "the topic " + p.key + " has no value that is known; no consumer of the workspace names it so"
	}
	return []Crossing{base}
}

// quiet reports whether p may not be a message at all: a Redis list of data, an event inside the program, or a
// function or channel that is bound to no stream. If p then has no consumers, that is not reported.
func (p *message) quiet() bool {
	return (p.broker == "stream" || p.broker == "channel") && hole(p.key) ||
		slices.Contains(maybeNone, p.broker) || p.twin != nil ||
		p.broker == "class" && hole(p.key) && !strings.HasSuffix(p.key, "Publisher.subject}")
}

// maybeNone lists the brokers whose ends may not be messages to other programs: lists of data,
// events and jobs of the program.
var maybeNone = []string{"", "redis-list", "redis-stream", "celery", services.Jobs, services.Sockets, services.Hubs,
	byShape}

// via returns a message in the notation of edges: its topic, else its exchange or type.
func (p *message) via() string {
	return cmp.Or(p.key, p.scope, strings.Join(p.types, ", "))
}

// publishers returns the messages that the declaration ref consumes, sorted by the path of the publishing file.
func (mj *messageJoiner) publishers(ref resolve.Ref) (out []Crossing) {
	if e := keptEnds(mj.Workspace); e != nil {
		return unpinned(mj.Workspace, e.Published[declarationOf(ref)])
	}
	if len(mj.consumedBy(ref)) == 0 && !mj.twins().handlers[ref] {
		return nil
	}
	return mj.publications().to[ref]
}

// consumedBy returns the consumers whose handler is ref.
func (mj *messageJoiner) consumedBy(ref resolve.Ref) (out []*message) {
	if len(lookup.Endpoints(ref.File, l2meta.RoleConsume)) == 0 && len(mj.World.Reaching(l2meta.RoleConsume)) == 0 &&
		len(mj.shaped(l2meta.RoleConsume)) == 0 && len(mj.remote()) == 0 &&
		len(mj.declared.declaredEnds().messages[l2meta.RoleConsume]) == 0 {
		return nil
	}
	for _, c := range mj.messages(l2meta.RoleConsume) {
		if mj.consumes(c, ref) {
			out = append(out, c)
		}
	}
	return out
}

// publications holds the edges of all published messages of the workspace.
type publications struct {
	by map[resolve.Ref][]Crossing // publisher → result of published
	to map[resolve.Ref][]Crossing // consumer → crossings that it handles
}

type publicationsKey struct{}

func (mj *messageJoiner) publications() publications {
	return resolve.Derive(mj.World, publicationsKey{}, func() publications {
		out := publications{map[resolve.Ref][]Crossing{}, map[resolve.Ref][]Crossing{}}
		add := func(p *message) {
			if mj.World.Err() != nil {
				return
			}
			edges := mj.publication(p)
			if len(edges) > 0 {
				out.by[p.caller()] = append(out.by[p.caller()], edges...)
			}
			for _, c := range edges {
				if c.Handler.Valid() {
					out.to[c.Handler] = append(out.to[c.Handler], c)
				}
			}
		}
		for _, f := range mj.speaking(l2meta.RolePublish) {
			for _, p := range mj.messagesOf(f, l2meta.RolePublish) {
				add(p)
			}
		}
		for _, p := range mj.twins().published {
			add(p)
		}
		return out
	})
}

// consumes reports whether ref is the handler of a consumed message.
func (mj *messageJoiner) consumes(c *message, ref resolve.Ref) bool {
	return (c.file == ref.File || c.handler != "" || c.answer == ref) && mj.handlerOf(c) == ref
}
