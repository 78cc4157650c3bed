package endpoints

import (
	"regexp"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// With Vert.x, a service publishes a record under a name, and other programs get a client by that name:
//
//	discovery.publish(HttpEndpoint.createRecord("stock-api", host, port, "/"), …)
//	HttpEndpoint.getClient(discovery, new JsonObject().put("name", "stock-api"), …)

// recordAsked matches code that gets a client for a record, up to the record's name.
var recordAsked = regexp.MustCompile(
	`HttpEndpoint\.(?:rxG|g)et(?:Web)?Client\(\s*\w+\s*,\s*new JsonObject\(\)\s*\.put\(\s*"name"\s*,\s*("[\w.-]+"|\w+)`)

// discovered returns the name of the record for which the file gets clients, "" if there is none or several.
func discovered(r *services.Reader) (name string) {
	if !r.Mentions("HttpEndpoint") {
		return ""
	}
	for _, m := range r.Matches(recordAsked, 0, len(r.Text)) {
		found := r.Fold(r.Text[m[2]:m[3]], m[0])
		if name != "" && name != found || !recordName.MatchString(found) {
			return ""
		}
		name = found
	}
	return name
}

var recordName = regexp.MustCompile(`^[a-z][\w.-]*$`)

// readRecord records the name under which a service publishes its routes: "stock-api" for
// HttpEndpoint.createRecord("stock-api", host, port, "/").
func readRecord(r *services.Reader, c *code.Call) {
	args := r.Arguments(c)
	if len(args) < 2 || !imports(r, "io.vertx") || c.Callee == "createRecord" &&
		folding.LastWord(c.Receiver) != "HttpEndpoint" {
		return
	}
	if name := r.Fold(args[0], c.NameSpan.StartByte); recordName.MatchString(name) {
		r.Add(code.Fact{Kind: code.FactEndpoint, Owner: -1, Name: l2meta.RoleHost, Type: "name " + name + " .",
			Span: c.NameSpan})
	}
}
