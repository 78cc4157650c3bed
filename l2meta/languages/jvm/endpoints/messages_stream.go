package endpoints

import (
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// Spring Cloud Stream names bindings in the code. The configuration maps each to a destination:
// spring.cloud.stream.bindings.NAME.destination.

const bindingsOf = "spring.cloud.stream.bindings."

// bridge records streamBridge.send("NAME", …) as a publication. If no destination is configured
// for a name, the name itself is the destination.
func bridge(r *services.Reader, c *code.Call) bool {
	args := r.Arguments(c)
	return len(args) > 1 && sendsTo(r, c, args[0])
}

// destinationHeader records a message that a function returns with a header that names its binding:
// MessageBuilder.withPayload(o).setHeader("spring.cloud.stream.sendto.destination", "NAME").
func destinationHeader(r *services.Reader, c *code.Call) bool {
	args := r.Arguments(c)
	return len(args) > 1 && r.Fold(args[0], c.NameSpan.StartByte) == "spring.cloud.stream.sendto.destination" &&
		sendsTo(r, c, args[1])
}

// sendsTo records that a call publishes to the binding that an expression names.
func sendsTo(r *services.Reader, c *code.Call, expr string) bool {
	name := r.Topic(expr, c.NameSpan.StartByte)
	if name == "" {
		return false
	}
	if !strings.Contains(name, "{") {
		name = folding.SettingHole(bindingsOf+name+".destination", name)
	}
	r.KeepMessage(services.Publishes, c.Caller, c.NameSpan, services.End{Broker: "stream", Key: name})
	return true
}

// functional matches the type of a bean that is a stream function.
var functional = regexp.MustCompile(`\b(Consumer|Function|Supplier)\s*<|:\s*\(.*\)\s*->`)

// functions records a bean that is a stream function: a consumer, a supplier or both. The names of its bindings are
// "name-in-0" and "name-out-0".
func functions(r *services.Reader, symbol int, _ []string) bool {
	s := &r.File.Symbols[symbol]
	if !s.Kind.Callable() {
		return false
	}
	m := functional.FindStringSubmatch(r.Text[s.Span.StartByte:min(len(r.Text), s.NameSpan.EndByte+maxSignature)])
	if m == nil {
		return false
	}
	keep := func(role, direction string) {
		key := folding.SettingHole(bindingsOf+s.Name+direction+".destination", "")
		r.KeepMessage(role, symbol, s.NameSpan, services.End{Broker: "stream", Key: key})
	}
	if m[1] != "Supplier" {
		keep(services.Consumes, "-in-0")
	}
	if m[1] == "Function" || m[1] == "Supplier" {
		keep(services.Publishes, "-out-0")
	}
	return true
}

// maxSignature bounds the length in bytes of the text that is read after the name of a function.
const maxSignature = 120
