package python

import (
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// Nameko's services call each other by name over a broker. After orders_rpc = RpcProxy("orders"),
// orders_rpc.get_order(id) runs the method get_order, decorated with rpc, of the class with name =
// "orders". The name of an event starts with the name of the service that dispatches the event.

const nameko = "nameko"

var (
	proxied     = regexp.MustCompile(`^(?:\w+\.)*(?:RpcProxy|ServiceRpc)\(\s*['"]([\w.-]+)['"]`)
	dispatcher  = regexp.MustCompile(`^(?:\w+\.)*EventDispatcher\(`)
	serviceName = regexp.MustCompile(`(?m)^[ \t]+name\s*=\s*['"]([\w.-]+)['"]`)
)

// readRemote records the remote calls and events that a file sends, and its methods that handle such calls and
// events.
func readRemote(r *services.Reader) {
	if !r.Mentions(nameko) {
		return
	}
	for i := range r.File.Calls {
		c := &r.File.Calls[i]
		if key := calledRemotely(r, c); key != "" {
			r.KeepMessage(services.Publishes, c.Caller, c.NameSpan, services.End{Broker: nameko, Key: key})
		}
	}
	for i := range r.File.Symbols {
		s := &r.File.Symbols[i]
		for _, a := range s.Annotations {
			name, args := folding.Annotation(a)
			key := ""
			if name == "rpc" {
				key = dotted(serviceAround(r, i), s.Name)
			} else if name == "event_handler" && len(args) > 1 {
				key = dotted(folding.Unquoted(args[0]), folding.Unquoted(args[1]))
			}
			if key != "" {
				r.KeepMessage(services.Consumes, i, s.NameSpan, services.End{Broker: nameko, Key: key})
			}
		}
	}
}

// calledRemotely returns the method or event that a remote call names, with the service:
// "orders.get_order". It returns "" for any other call.
func calledRemotely(r *services.Reader, c *code.Call) string {
	if c.Kind != code.CallPlain {
		return ""
	}
	receiver, method := c.Receiver, c.Callee
	if method == "call_async" || method == "call" { // orders_rpc.get_order.call_async(id)
		i := strings.LastIndexByte(receiver, '.')
		if i < 0 {
			return ""
		}
		receiver, method = receiver[:i], receiver[i+1:]
	}
	value, _ := r.Lookup(folding.LastWord(receiver), c.NameSpan.StartByte)
	if m := proxied.FindStringSubmatch(value); m != nil {
		return dotted(m[1], method)
	}
	if value, _ := r.Lookup(c.Callee, c.NameSpan.StartByte); dispatcher.MatchString(value) {
		if args := r.Arguments(c); len(args) > 0 {
			return dotted(serviceAround(r, c.Caller), r.Topic(args[0], c.NameSpan.StartByte))
		}
	}
	return ""
}

// serviceAround returns the name of the Nameko service whose class contains a symbol; "" if there
// is none.
func serviceAround(r *services.Reader, symbol int) string {
	for ; symbol >= 0; symbol = r.File.Symbols[symbol].Parent {
		s := &r.File.Symbols[symbol]
		if s.Kind != code.KindClass {
			continue
		}
		if m := serviceName.FindStringSubmatch(r.Text[s.Span.StartByte:s.Span.EndByte]); m != nil {
			return m[1]
		}
	}
	return ""
}

// dotted joins the names of a service and of a method by a dot. It returns "" if one is missing.
func dotted(service, method string) string {
	if service == "" || method == "" {
		return ""
	}
	return service + "." + method
}
