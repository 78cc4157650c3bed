package endpoints

import (
	"regexp"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// Helidon SE states routes as rules, of which a service is registered below a path:
//
//	routing.register("/items", new Items());
//	void routing(HttpRules rules) { rules.get("/{id}", this::show).post(this::create); }

// helidon is the package of its web server.
const helidon = "io.helidon.webserver"

// readHelidon records a rule, or the path below which a service is registered. It reports whether the file is one of
// Helidon.
func readHelidon(r *services.Reader, c *code.Call, verb string, args []string) bool {
	if !imports(r, helidon) || len(args) == 0 || c.Kind != code.CallPlain {
		return false
	}
	handler := args[len(args)-1]
	switch {
	case c.Callee == "register":
		readRegistered(r, c, args)
	case (c.Callee == "anyOf" || c.Callee == "route") && len(args) == 3:
		keepRoute(r, c, folding.MethodOf(folding.LastWord(args[0])), args[1], handler, "")
	case verb == "" && c.Callee != "any" || !isHandler.MatchString(handler):
	case len(args) == 1:
		keepRoute(r, c, verb, `"/"`, handler, "")
	case len(args) == 2:
		keepRoute(r, c, verb, args[0], handler, "")
	}
	return true
}

// isHandler matches a reference to a method, and a lambda.
var isHandler = regexp.MustCompile(`^[\w.]+::\w+$|->`)

// readRegistered records the mount of register("/items", new Items()), also if a variable holds the service.
func readRegistered(r *services.Reader, c *code.Call, args []string) {
	if len(args) != 2 {
		return
	}
	path, ok := folding.Quoted(args[0])
	if !ok {
		return
	}
	service := args[1]
	if folding.Identifier.MatchString(service) {
		service, _ = r.Lookup(service, c.NameSpan.StartByte)
	}
	if made := newObject.FindStringSubmatch(service); made != nil {
		r.MountOn(c, path, made[1], "")
	}
}

var newObject = regexp.MustCompile(`^new (\w+)\(`)
