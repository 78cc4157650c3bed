package csharp

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// SignalR calls methods by name, both ways. A client calls a public method of a hub, connection.InvokeAsync("Send", x),
// and a server calls its clients: Clients.All.SendAsync("Shown", x), or Clients.All.Shown(x) if the hub names an
// interface of its clients. A client handles such a call by connection.On("Shown", show).

var signalRBy = []string{"Microsoft.AspNetCore.SignalR"}

var hubs = []services.Message{
	{Broker: services.Hubs, Role: services.Publishes, Callees: []string{"SendAsync", "SendCoreAsync"},
		Names: receivers, Read: toClients},
	{Broker: services.Hubs, Role: services.Publishes, Modules: []string{"SignalR.Client"},
		Callees: []string{"InvokeAsync", "InvokeCoreAsync", "SendAsync", "SendCoreAsync", "StreamAsync"}, Key: first},
	{Broker: services.Hubs, Role: services.Consumes, Callees: []string{"On"}, Modules: []string{"SignalR.Client"},
		Least: 2, Key: first, Handler: second},
	{Broker: services.Hubs, Role: services.Publishes, Callees: []string{services.AnyCallee}, Modules: signalRBy,
		Names: receivers, Read: toTypedClients},
}

// receivers lists the members of Clients that choose clients: Group in Clients.Group("shop").
var receivers = strings.Fields("all allexcept caller client clients group groupexcept groups others othersingroup " +
	"user users")

// ofClients reports whether the receiver of a call chooses clients of a hub: _hub.Clients.All.
func ofClients(r *services.Reader, c *code.Call) bool {
	return strings.Contains("."+r.Receiver(c), ".Clients.")
}

// toClients records a call of a hub's clients that states the name of the method:
// Clients.All.SendAsync("Shown", x).
func toClients(r *services.Reader, c *code.Call) bool {
	args := r.Arguments(c)
	if len(args) == 0 || !ofClients(r, c) {
		return false
	}
	key := r.Topic(args[0], c.NameSpan.StartByte)
	if key == "" {
		return false
	}
	r.KeepMessage(services.Publishes, c.Caller, c.NameSpan, services.End{Broker: services.Hubs, Key: key})
	return true
}

// toTypedClients records a call of a hub's clients by a method of their interface:
// Clients.All.Shown(x).
func toTypedClients(r *services.Reader, c *code.Call) bool {
	if !ofClients(r, c) || slices.Contains(receivers, strings.ToLower(c.Callee)) {
		return false
	}
	r.KeepMessage(services.Publishes, c.Caller, c.NameSpan, services.End{Broker: services.Hubs, Key: c.Callee})
	return true
}

// readHub records the public methods of a hub, which its clients call. It skips overrides, which
// SignalR itself calls.
func readHub(r *services.Reader, class int) {
	for i := range r.File.Symbols {
		s := &r.File.Symbols[i]
		if s.Parent != class || s.Kind != code.KindMethod || !slices.Contains(s.Modifiers, "public") ||
			slices.Contains(s.Modifiers, "override") || slices.Contains(s.Modifiers, "static") {
			continue
		}
		key := s.Name
		for _, a := range attributesOf(s) {
			if name, args := folding.Annotation(a); name == "HubMethodName" && len(args) > 0 {
				key = r.Topic(args[0], s.Span.StartByte)
			}
		}
		r.KeepMessage(services.Consumes, i, s.NameSpan, services.End{Broker: services.Hubs, Key: key})
	}
}
