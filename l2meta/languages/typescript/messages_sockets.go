package typescript

import (
	"cmp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// socket.io carries named events both ways between a server and its clients: socket.emit("paid",
// order) and socket.on("paid", show). A server sends to rooms as well: io.to(room).emit("paid",
// order). Other objects have methods of these names, too. So a file counts only if it imports
// socket.io, a module of the program that is named after sockets, or a type Socket. The choice of a room needs no
// import.

var socketsBy = []string{"socket", "Socket"}

var sockets = []services.Message{
	{Broker: services.Sockets, Role: services.Publishes, Callees: []string{"emit", "emitWithAck"},
		Modules: socketsBy, Names: emitting, Read: emits},
	{Broker: services.Sockets, Role: services.Publishes, Callees: []string{"emit", "emitWithAck"},
		Modules: []string{"nestjs/websockets"}, Names: []string{"server"}, Read: emits},
	{Broker: services.Sockets, Role: services.Consumes, Callees: []string{"on", "once"},
		Modules: socketsBy, Names: []string{"socket", "getsocket", "socketref.current"}, Read: emits},
	{Broker: services.Sockets, Role: services.Publishes, Callees: []string{"emit"}, Names: toRooms,
		Read: emitsToRoom},
	{Broker: services.Sockets, Role: services.Publishes, Callees: []string{"emit", "emitWithAck"},
		Names: []string{"socket"}, Read: emitsTyped},
	{Broker: services.Sockets, Role: services.Consumes, Callees: []string{"on", "once"}, Names: []string{"socket"},
		Read: emitsTyped},
}

// toRooms lists the methods of a server or a socket that choose the receivers of an event.
var toRooms = strings.Fields("to in except")

// emitsToRoom records an event for a room: io.to(room).emit("paid", order).
func emitsToRoom(r *services.Reader, c *code.Call) bool {
	root, _ := folding.Chain(r.ChainStart(c))
	return sendsToRooms[strings.ToLower(folding.LastWord(root))] && emits(r, c)
}

// sendsToRooms lists the names of servers, and of the sockets of a server.
var sendsToRooms = map[string]bool{"io": true, "sio": true, "socket": true, "namespace": true, "nsp": true}

// emitsTyped records an event of a socket in a file that imports a type Socket: constructor(socket: Socket).
func emitsTyped(r *services.Reader, c *code.Call) bool {
	return slices.ContainsFunc(r.File.Imports, func(i code.Import) bool {
		return cmp.Or(i.Alias, i.Name) == "Socket"
	}) && emits(r, c)
}

// emitting lists the names of the values that send events. The names after sio are those of
// methods that choose the receivers: to in io.to(room).
var emitting = strings.Fields("socket io getio getsocket sio to in except broadcast volatile")

// emits records an event that a call sends or handles, unless socket.io or the sockets of Node reserve its name.
func emits(r *services.Reader, c *code.Call) bool {
	args := r.Arguments(c)
	if len(args) == 0 {
		return false
	}
	end := services.End{Broker: services.Sockets, Key: r.Topic(args[0], c.NameSpan.StartByte)}
	if end.Key == "" || services.ReservedEvent(end.Key) {
		return false
	}
	role := l2meta.RolePublish
	if c.Callee == "on" || c.Callee == "once" {
		if role = l2meta.RoleConsume; len(args) < 2 {
			return false
		}
		end.Handler = args[1]
	}
	r.KeepMessage(role, c.Caller, c.NameSpan, end)
	return true
}

// SignalR calls methods of a hub by name: connection.invoke("Send", x). The hub calls its clients
// by name, too, and a client handles such a call by connection.on("Shown", show).

var signalRBy = []string{"@microsoft/signalr", "@aspnet/signalr"}

// connections lists the names of connections to a hub, which another file may create.
var connections = strings.Fields("hub hubconnection signalr")

var hubs = []services.Message{
	{Broker: services.Hubs, Role: services.Publishes, Callees: hubCalls, Modules: signalRBy, Key: []string{"0"}},
	{Broker: services.Hubs, Role: services.Publishes, Callees: hubCalls, Names: connections, Key: []string{"0"}},
	{Broker: services.Hubs, Role: services.Consumes, Callees: []string{"on"}, Modules: signalRBy, Least: 2,
		Key: []string{"0"}, Handler: []string{"1"}},
	{Broker: services.Hubs, Role: services.Consumes, Callees: []string{"on"}, Names: connections, Least: 2,
		Key: []string{"0"}, Handler: []string{"1"}},
}

// hubCalls lists the methods of a connection that call a method of its hub.
var hubCalls = []string{"invoke", "send", "stream"}

var (
	stompBy    = []string{"stomp", "sockjs-client"} // parts of the names of modules
	stompNames = []string{"stomp", "rxstomp", "stompclient", "stompservice", "rxstompservice", "stompclientref.current"}
)

// stomp describes the clients of stompjs and RxStomp.
var stomp = []services.Message{
	{Broker: services.Stomp, Role: services.Consumes, Callees: []string{"subscribe"}, Least: 2, Read: stompAt},
	{Broker: services.Stomp, Role: services.Consumes, Callees: []string{"watch"}, Least: 1, Read: stompAt},
	{Broker: services.Stomp, Role: services.Publishes, Callees: []string{"publish"}, Least: 1, Read: stompAt},
	{Broker: services.Stomp, Role: services.Publishes, Callees: []string{"send"}, Least: 2, Read: stompAt},
}

// stompAt records client.subscribe("/topic/prices", show), rxStomp.watch("/topic/prices"), client.send("/app/say", {},
// text) and client.publish({destination: "/app/say", body}) on a client of STOMP.
func stompAt(r *services.Reader, c *code.Call) bool {
	name := strings.ToLower(folding.LastWord(c.Receiver))
	known := slices.Contains(stompNames, name) || strings.Contains(name, "client") &&
		slices.ContainsFunc(r.File.Imports, func(i code.Import) bool {
			return slices.ContainsFunc(stompBy, func(by string) bool { return strings.Contains(i.Module, by) })
		})
	args := r.Arguments(c)
	if !known || len(args) == 0 {
		return false
	}
	destination := args[0]
	if object := objectOf(r, c, destination); object != "" {
		destination = folding.Property(object, "destination")
	}
	key := r.Fold(destination, c.NameSpan.StartByte)
	if !strings.HasPrefix(key, "/") {
		return false
	}
	role, handler := l2meta.RolePublish, ""
	if c.Callee == "subscribe" || c.Callee == "watch" {
		if role = l2meta.RoleConsume; c.Callee == "subscribe" {
			handler = args[1]
		}
	}
	return r.KeepStomp(role, c.Caller, c.NameSpan, key, handler)
}
