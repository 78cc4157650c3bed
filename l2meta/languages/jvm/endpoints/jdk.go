package endpoints

import (
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// jdkServer is the package of the HTTP server that is a part of the JDK.
const jdkServer = "com.sun.net.httpserver"

// serverPort matches the property by which a program sets the port of its server: "server.port" of Spring,
// "dw.server.applicationConnectors[0].port" of Dropwizard.
var serverPort = regexp.MustCompile(`(?i)"(?:[\w.-]*\.)?(?:server|http|applicationConnectors\[0\])\.port"`)

var handlerMade = regexp.MustCompile(`^new\s+([\w.]+)\s*\([^{]*$`)

// readContext records the route of server.createContext("/items", handler). The handler may also
// be set later: createContext("/items").setHandler(handler). The method handle of an HttpHandler
// handles requests of all HTTP methods.
func readContext(r *services.Reader, c *code.Call, args []string) {
	handler := ""
	if len(args) > 1 {
		handler = args[1]
	} else if behind := r.Behind(c); len(behind) > 0 && behind[0].Name == "setHandler" && len(behind[0].Args) == 1 {
		handler = behind[0].Args[0]
	}
	if handler == "" || len(args) == 0 {
		return
	}
	made := handler
	if value, _ := r.Lookup(folding.LastWord(handler), c.NameSpan.StartByte); value != "" &&
		!strings.ContainsAny(handler, "(:>") {
		made = value
	}
	if m := handlerMade.FindStringSubmatch(made); m != nil {
		handler = m[1] + ".handle"
	}
	keepRoute(r, c, "", args[0], handler, "")
}
