package endpoint

import (
	"cmp"
	"slices"

	"sextant/l2meta"
)

// routed reports whether RabbitMQ delivers the message p to the consumer c: through the default exchange, which
// routes by the queue's name, or through a binding of the queue. A consumer with a scope, the name of an exchange,
// declares its binding itself.
func (mj *messageJoiner) routed(p, c *message) (d delivery, ok bool) {
	d = delivery{message: c, strategy: StrategyTopic, confidence: confidenceTopic}
	if c.keyless && p.scope == c.scope {
		d.how = "the channel takes all messages of the exchange " + c.scope
		return d, true
	}
	if c.scope != "" { // the declaration of the consumer binds its queue to the exchange
		d.confidence, d.how, ok = meet(p, c)
		return d, ok && p.scope != ""
	}
	if p.scope == "" {
		d.confidence, d.how, ok = meet(&message{key: p.key}, &message{key: c.key})
		return d, ok
	}
	bindings := mj.bindings(c)
	// a queue is often bound with its own name as the routing key
	if len(bindings) == 0 && p.key == c.key && !hole(p.key) {
		d.confidence, d.how = confidenceAlike, "the queue, whose bindings are not known, has the name of the key "+p.key
		return d, true
	}
	for _, b := range bindings {
		if b.scope != p.scope {
			continue
		}
		if !b.carries(p.key, mj.exchangeKind(b)) {
			continue
		}
		d.how = "the queue " + c.key + " is bound to the exchange " + p.scope
		d.rests = append(d.rests, b.file.Path)
		keyless := b.key == "#" || mj.exchangeKind(b) == "fanout"
		switch unknown := hole(p.key) && !keyless; {
		case hole(p.scope) && (unknown || keyless):
			d.confidence = confidencePaths // only the names of variables are equal, not known values
		case hole(p.scope) || unknown:
			d.confidence = confidenceAlike
		}
		return d, true
	}
	return d, false
}

// throughExchange converts m, an end of a channel in the configuration, to an end of RabbitMQ if
// the configuration names an exchange. Without a routing key its topic is the exchange's name.
func (m *message) throughExchange() {
	if hole(m.scope) {
		m.scope = "" // no setting names an exchange
		return
	}
	m.broker, m.keyless = "rabbitmq", m.key == m.scope
}

// subscribed reports whether a queue of SQS is subscribed to the topic of SNS that p is published to.
func (mj *messageJoiner) subscribed(p, c *message) (d delivery, ok bool) {
	for _, b := range mj.messages(l2meta.RoleBind) {
		if b.broker == "sns" && b.scope == p.key && b.handler == c.key && !hole(c.key) && c.key != "" {
			return delivery{message: c, strategy: StrategyTopic, confidence: confidenceTopic,
				how: "the queue " + c.key + " is subscribed to the topic " + p.key, rests: []string{b.file.Path}}, true
		}
	}
	return d, false
}

// bindings returns the bindings of the queue that a consumer reads. A queue whose name the server generates can only
// be bound in the same file, or by the same call of a helper.
func (mj *messageJoiner) bindings(c *message) (out []*message) {
	for _, b := range mj.messages(l2meta.RoleBind) {
		if b.handler == "" || b.handler != c.key || hole(c.key) && !b.beside(c) {
			continue
		}
		out = append(out, b)
	}
	return out
}

// beside reports whether two ends of messages, such as a binding and a consumer, are in one file, or come from the
// same call of a helper.
func (m *message) beside(o *message) bool {
	if m.helper != nil && o.helper != nil {
		return m.helper == o.helper && m.file == o.file && m.at == o.at
	}
	return cmp.Or(m.helper, m.file) == cmp.Or(o.helper, o.file)
}

// carries reports whether the binding b delivers messages with a routing key to its queue. kind
// is the kind of its exchange: "fanout", "direct", "topic".
func (b *message) carries(key, kind string) bool {
	switch {
	case kind == "fanout" || b.key == "#" || kind == "headers":
		return true
	case kind == "direct":
		return b.key == key
	}
	return b.key == key || covers("rabbitmq", b.key, shape(key))
}

// exchangeKind returns the kind of the exchange of a binding, such as "fanout", from its
// declaration in any file.
func (mj *messageJoiner) exchangeKind(b *message) string {
	all := mj.messages(l2meta.RoleBind)
	i := slices.IndexFunc(all, func(x *message) bool { return x.scope == b.scope && len(x.types) > 0 })
	if i < 0 {
		return ""
	}
	return all[i].types[0]
}
