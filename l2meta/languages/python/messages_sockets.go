package python

import (
	"sextant/internal/code"
	"sextant/l2meta/services"
)

// python-socketio and Flask-SocketIO exchange the events of socket.io. A program emits one by
// sio.emit("paid", order). It handles one by a function with the decorator @sio.on("paid"), or by
// a function called paid with the decorator @sio.event.

var socketsBy = []string{"socketio"}

var sockets = []services.Message{
	{Broker: services.Sockets, Role: services.Publishes, Callees: []string{"emit", "send_event"}, Modules: socketsBy,
		Read: emits},
}

// emits records an event that a call sends, unless socket.io reserves its name.
func emits(r *services.Reader, c *code.Call) bool {
	args := r.Arguments(c)
	if len(args) == 0 {
		return false
	}
	key := r.Topic(args[0], c.NameSpan.StartByte)
	if key == "" || services.ReservedEvent(key) {
		return false
	}
	r.KeepMessage(services.Publishes, c.Caller, c.NameSpan, services.End{Broker: services.Sockets, Key: key})
	return true
}

// handlesEvent records the event that a decorated function handles: the argument of the decorator, else the name of
// the function.
func handlesEvent(r *services.Reader, symbol int, args []string) bool {
	s := &r.File.Symbols[symbol]
	key := s.Name
	if len(args) > 0 {
		key = r.Topic(args[0], s.Span.StartByte)
	}
	if key == "" || services.ReservedEvent(key) {
		return false
	}
	r.KeepMessage(services.Consumes, symbol, s.NameSpan, services.End{Broker: services.Sockets, Key: key})
	return true
}
