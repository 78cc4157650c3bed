package endpoint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/resolve"
)

// StrategyTopic is the strategy of an edge by the name of a topic, queue or subject,
// StrategyType of one by the type of the payload.
const (
	StrategyTopic = "message_topic"
	StrategyType  = "message_type"
)

// Confidences of a message's edges: one broker family and one topic on both ends,
// one type of payload on buses that go by it, and topics that are only alike.
// Each consumer of a topic gets what is published: their number changes nothing.
const (
	confidenceTopic = 0.94
	confidenceType  = 0.9
	confidenceAlike = 0.7
)

// message is an end of a message: a place that publishes it or one that consumes
// it.
type message struct {
	file   *resolve.File
	owner  int
	at     code.Span
	broker string
	key    string // folded: holes in braces
	types  []string
	scope  string // the exchange or component, "" for none or the default one
	// handler is the expression of what consumes, as in a route; of a binding the
	// queue.
	handler string
	how     []string // how its topic was read
	rests   []string // the files that say so
}

// caller returns the callable around an end, or the code of its file.
func (m *message) caller() resolve.Ref {
	return m.file.Ref(m.file.Callable(m.file.Maker(m.owner, m.at.StartByte)))
}

type messagesKey struct{ role string }

// messages returns every message of a role that the workspace has, without those of
// tests.
func (j *Joiner) messages(role string) []*message {
	return resolve.Derive(j.w, messagesKey{role}, func() (out []*message) {
		for _, f := range j.files(role) {
			if f.Class != code.ClassTest && f.Class != code.ClassGenerated {
				out = append(out, j.messagesOf(f, role)...)
			}
		}
		return out
	})
}

// messagesOf returns the messages of a role that a file states, each as often as
// there are ways to read its topic.
func (j *Joiner) messagesOf(f *resolve.File, role string) (out []*message) {
	for _, fact := range endpoints(f, role) {
		out = append(out, j.spoken(f, fact.Owner, fact.Span, fact.Type)...)
	}
	return out
}

// spoken parts what a fact says of a message.
func (j *Joiner) spoken(f *resolve.File, owner int, at code.Span, text string) (out []*message) {
	part := append(strings.Split(text, "\t"), "", "", "", "")
	var types []string
	if part[2] != "" {
		types = strings.Split(part[2], ",")
	}
	scopes := j.readings(f, owner, part[3])
	for _, r := range j.readings(f, owner, part[1]) {
		keys := []string{unnumbered(r.text)}
		if len(r.keys) > 0 && part[0] == "kafka" && !strings.ContainsAny(r.text, "{}") { // a setting may list topics
			keys = strings.Split(keys[0], ",")
		}
		for _, key := range keys {
			out = append(out, &message{
				file: f, owner: owner, at: at, broker: part[0], key: queueName(part[0], key), types: types,
				scope: unnumbered(scopes[0].text), handler: part[4], how: append(slices.Clip(r.how), scopes[0].how...),
				rests: append(slices.Clip(r.rests), scopes[0].rests...),
			})
		}
	}
	return out
}

// queueName returns the name of a topic or queue: of SQS and SNS the end of its URL or
// ARN. A setting is read as an address, which a topic is not.
func queueName(broker, key string) string {
	key = strings.TrimPrefix(key, "http://")
	if broker == "amqp" { // AMQP 1.0 addresses a queue of RabbitMQ so
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
	how        string // one line
	strategy   string
	confidence float64
	rests      []string // the files that say so beside both ends
}

// deliveries returns the consumers that a message reaches, the surest of each.
func (j *Joiner) deliveries(p *message) (out []delivery) {
	for _, c := range j.messages(l2meta.RoleConsume) {
		if d, ok := j.delivers(p, c); ok {
			out = append(out, d)
		}
	}
	slices.SortStableFunc(out, func(a, b delivery) int { return cmp.Compare(b.confidence, a.confidence) })
	return out
}

// delivers reports whether a message reaches a consumer.
func (j *Joiner) delivers(p, c *message) (d delivery, ok bool) {
	kin, near := kinship(p.broker, c.broker)
	if !kin {
		return d, false
	}
	d.message = c
	switch {
	case p.key == "" && c.key == "" && p.scope == "" && c.scope == "":
		types := p.types
		d.strategy, d.confidence, d.how = StrategyType, confidenceType, "both name the type of the payload"
		if p.unsaid() {
			types = j.made(p)
			d.confidence, d.how = confidenceAlike, "what the publisher calls makes the type of the payload"
		}
		ok = slices.ContainsFunc(types, func(t string) bool { return slices.Contains(c.types, t) })
	case p.broker == "celery" && p.key == "": // by its function: within one code base
		d.strategy, d.confidence, d.how = StrategyTopic, confidenceTopic, "the task is the function "+c.scope
		ok = p.scope == c.scope && (j.services().root(p.file.Path) == j.services().root(c.file.Path) ||
			brings(p.file, p.scope))
	case p.broker == "celery":
		d.strategy, d.confidence, d.how = StrategyTopic, confidenceTopic, "both name the task "+c.key
		ok = p.key == c.key
	case p.broker == "rabbitmq" && c.broker == "rabbitmq":
		d, ok = j.routed(p, c)
	default:
		d.strategy = StrategyTopic
		d.confidence, d.how, ok = meet(p, c)
	}
	if ok && !near {
		d.confidence = min(d.confidence, confidenceAlike)
	}
	return d, ok
}

// meet compares the topics of two ends.
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
	if shape(p.key) == shape(c.key) && (lastStepOf(p.key) == lastStepOf(c.key) || shape(p.key) != "{}") {
		return confidenceAlike, "both name the topic " + p.key + ", whose value is not known", true
	}
	return confidenceAlike, "the subscription " + c.key + " takes in " + p.key,
		!hole(c.key) && shape(p.key) != "{}" && covers(c.broker, c.key, shape(p.key))
}

// kin are families of brokers that speak with each other, where it is not the
// program that says which one carries its messages.
var kin = map[string][]string{
	"nestjs":   {"kafka", "rabbitmq", "nats", "redis", "mqtt"},
	"stream":   {"kafka", "rabbitmq", "smallrye"},
	"smallrye": {"kafka", "rabbitmq"},
	"amqp":     {"rabbitmq", "servicebus"},
	"":         {"masstransit", "nservicebus", "rebus", "axon"},
}

// kinship reports whether messages of one family may reach another, and whether
// that is certain.
func kinship(a, b string) (may, sure bool) {
	switch {
	case a == b:
		return true, true
	case slices.Contains(kin[a], b), slices.Contains(kin[b], a):
		return true, a == "" || b == ""
	}
	return false, false
}

func hole(text string) bool { return strings.ContainsAny(text, "{") }

// shape returns a topic with nothing in its holes: "orders.{}".
func shape(text string) string {
	var b strings.Builder
	depth := 0
	for _, c := range text {
		switch {
		case c == '{':
			if depth++; depth == 1 {
				b.WriteString("{}")
			}
		case c == '}':
			depth--
		case depth == 0:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// lastStepOf returns a hole without what leads to its last name: "{Topics.ORDERS}" and
// "{ORDERS}" are one constant.
func lastStepOf(text string) string {
	text = strings.Trim(text, "{}")
	return text[strings.LastIndexAny(text, ".:>$")+1:]
}

// covers reports whether the pattern of a subscription takes in a topic.
func covers(broker, pattern, topic string) bool {
	switch broker {
	case "nats": // ">" is one token at least
		return tokensMeet(strings.Split(strings.Replace(pattern, ">", "*.>", 1), "."),
			strings.Split(topic, "."), "*", ">")
	case "rabbitmq", "nestjs":
		return tokensMeet(strings.Split(pattern, "."), strings.Split(topic, "."), "*", "#")
	case "mqtt":
		return tokensMeet(strings.Split(pattern, "/"), strings.Split(topic, "/"), "+", "#")
	case "redis":
		before, behind, glob := strings.Cut(pattern, "*")
		return glob && strings.HasPrefix(topic, before) && strings.HasSuffix(topic, behind)
	}
	return false
}

// tokensMeet compares token by token: one stands for one token, rest for any number
// of them.
func tokensMeet(pattern, topic []string, one, rest string) bool {
	met := make([]bool, len(topic)+1) // by how many tokens the pattern so far takes
	met[0] = true
	for _, p := range pattern {
		next := make([]bool, len(met))
		for n := range met {
			if p == rest {
				next[n] = met[n] || n > 0 && next[n-1]
			} else {
				next[n] = n > 0 && met[n-1] && (p == one || p == topic[n-1])
			}
		}
		met = next
	}
	return met[len(topic)]
}

// published returns the crossings of the messages that ref publishes.
func (j *Joiner) published(ref resolve.Ref) (out []Crossing) {
	if len(endpoints(ref.File, l2meta.RolePublish)) == 0 {
		return nil
	}
	for _, p := range j.messagesOf(ref.File, l2meta.RolePublish) {
		if p.caller() == ref {
			out = append(out, j.publication(p)...)
		}
	}
	return out
}

// publication returns what consumes a message.
func (j *Joiner) publication(p *message) (out []Crossing) {
	base := Crossing{Kind: code.EdgeMessage, File: p.file, Call: callAt(fetch{file: p.file, owner: p.owner, at: p.at}),
		Caller: p.caller(), Via: p.via()}
	for _, d := range j.deliveries(p) {
		c := base
		c.Handler, c.At = j.handler(&route{file: d.file, owner: d.owner, at: d.at, handler: d.message.handler})
		if slices.ContainsFunc(out, func(o Crossing) bool { return o.Handler == c.Handler && o.At == c.At }) {
			continue
		}
		if d.strategy == StrategyType && d.types != nil {
			c.Via = d.types[0]
		}
		c.Confidence, c.Strategy, c.Rests = d.confidence, d.strategy,
			slices.Concat(p.rests, d.message.rests, d.rests, []string{d.file.Path})
		c.Provenance = strings.Join(slices.Concat(p.how, d.message.how,
			[]string{fmt.Sprintf("%s; consumed at %s:%d", d.how, d.file.Path, d.at.StartLine)}), "; ")
		out = append(out, c)
	}
	if len(out) > 0 || p.quiet() || p.unsaid() && len(j.made(p)) > 0 {
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

// quiet holds for what is no message where nothing consumes it: a list of Redis
// that holds data, an event that only the own program knows, a function that no
// stream is bound to.
func (p *message) quiet() bool {
	return p.broker == "stream" && hole(p.key) || p.broker == "redis-list" || p.broker == "redis-stream" ||
		p.broker == "" || p.broker == "celery"
}

// via returns a message as edges name it: by its topic, else by its exchange or type.
func (p *message) via() string {
	return cmp.Or(p.key, p.scope, strings.Join(p.types, ", "))
}

// publishers returns the messages that ref consumes, by path and place.
func (j *Joiner) publishers(ref resolve.Ref) (out []Crossing) {
	if len(endpoints(ref.File, l2meta.RoleConsume)) == 0 && len(j.w.Reaching(l2meta.RoleConsume)) == 0 {
		return nil
	}
	if !slices.ContainsFunc(j.messages(l2meta.RoleConsume), func(c *message) bool {
		return (c.file == ref.File || c.handler != "") && j.consumes(c, ref)
	}) {
		return nil
	}
	return j.publications()[ref]
}

type publicationsKey struct{}

// publications indexes the published messages by the handlers that consume them.
func (j *Joiner) publications() map[resolve.Ref][]Crossing {
	return resolve.Derive(j.w, publicationsKey{}, func() map[resolve.Ref][]Crossing {
		by := map[resolve.Ref][]Crossing{}
		for _, f := range j.files(l2meta.RolePublish) {
			for _, p := range j.messagesOf(f, l2meta.RolePublish) {
				for _, c := range j.publication(p) {
					if c.Handler.Valid() {
						by[c.Handler] = append(by[c.Handler], c)
					}
				}
			}
		}
		return by
	})
}

func (j *Joiner) consumes(c *message, ref resolve.Ref) bool {
	h, _ := j.handler(&route{file: c.file, owner: c.owner, at: c.at, handler: c.handler})
	return h == ref
}
