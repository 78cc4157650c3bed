package endpoints

import (
	"regexp"

	"sextant/internal/code"
	"sextant/l2meta/services"
)

// MicroProfile Reactive Messaging names channels in the code. The configuration may map a channel
// to a topic, mp.messaging.incoming.NAME.topic; otherwise the topic is the channel's name.

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
	name, ok := services.Quoted(expr)
	if !ok {
		return false
	}
	direction := "incoming"
	if role == services.Publishes {
		direction = "outgoing"
	}
	key := services.SettingHole("mp.messaging."+direction+"."+name+".topic", name)
	r.KeepMessage(role, owner, at, services.End{Broker: "smallrye", Key: key})
	return true
}

// injected matches the declaration of an emitter and its channel: @Channel("orders") Emitter<Order> orders.
var injected = regexp.MustCompile(`@Channel\(\s*("[^"]+")\s*\)[^;@{}]{0,80}?Emitter<[^;{}]{0,80}?>\s+(\w+)`)

// emitted records orders.send(order), where orders is an emitter.
func emitted(r *services.Reader, c *code.Call) bool {
	name := services.LastWord(c.Receiver)
	for _, m := range injected.FindAllStringSubmatch(r.Text, -1) {
		if m[2] == name {
			return keepChannel(r, c.Caller, c.NameSpan, m[1], services.Publishes)
		}
	}
	return false
}
