package endpoints

import (
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// MicroProfile Reactive Messaging names channels in the code. The configuration may map a channel
// to a topic, mp.messaging.incoming.NAME.topic, or to an exchange with routing keys,
// mp.messaging.outgoing.NAME.default-routing-key; otherwise the topic is the channel's name.

// destinations lists, by role, the settings of a channel that may hold its topic. The first one
// that is set counts. The name of an exchange is the last one: it counts for a channel without
// routing keys.
var destinations = map[string][]string{
	services.Publishes: {"topic", "default-routing-key", "address", services.ExchangeSetting},
	services.Consumes:  {"topic", "topics", "routing-keys", services.ExchangeSetting},
}

func incoming(r *services.Reader, symbol int, args []string) bool {
	return channel(r, symbol, args, services.Consumes)
}

func outgoing(r *services.Reader, symbol int, args []string) bool {
	return channel(r, symbol, args, services.Publishes)
}

func channel(r *services.Reader, symbol int, args []string, role string) bool {
	if len(args) == 0 {
		return false
	}
	s := &r.File.Symbols[symbol]
	return keepChannel(r, symbol, s.NameSpan, args[0], role)
}

func keepChannel(r *services.Reader, owner int, at code.Span, expr, role string) bool {
	name, ok := folding.Quoted(expr)
	if !ok {
		name = r.Topic(expr, at.StartByte)
	}
	if name == "" || strings.Contains(name, "{") {
		return false
	}
	direction := "incoming"
	if role == services.Publishes {
		direction = "outgoing"
	}
	prefix, key := "mp.messaging."+direction+"."+name+".", name
	for _, setting := range slices.Backward(destinations[role]) {
		key = folding.SettingHole(prefix+setting, key)
	}
	scope := folding.SettingHole(prefix+services.ExchangeSetting, "")
	r.KeepMessage(role, owner, at, services.End{Broker: services.Channels, Key: key, Scope: scope})
	return true
}

// injected matches the declaration of an emitter and its channel: @Channel("orders") Emitter<Order> orders, and
// @Channel("orders") lateinit var orders: Emitter<Order> in Kotlin.
var injected = regexp.MustCompile(`@(?:\w+:)?Channel\(\s*([^()\s]+)\s*\)` +
	`(?:\s*@\w+(?::\w+)?(?:\([^()]*\))?|\s*//[^\n]*)*` +
	`(?:\s+\w+)*?\s+(?:\w*Emitter<[^;{}]{0,80}?>\s+(\w+)|va[lr]\s+(\w+)\s*:\s*\w*Emitter<)`)

// emitted records the publication orders.send(order), where orders is an emitter.
func emitted(r *services.Reader, c *code.Call) bool {
	name := folding.LastWord(c.Receiver)
	for _, m := range injected.FindAllStringSubmatch(r.Text, -1) {
		if m[2]+m[3] == name {
			return keepChannel(r, c.Caller, c.NameSpan, m[1], services.Publishes)
		}
	}
	return false
}
