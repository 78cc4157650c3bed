package endpoints

import (
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// http4s serves routes by the cases of a function, Akka HTTP and Pekko by nested directives:
//
//	case GET -> Root / "orders" / LongVar(id) => …
//	pathPrefix("orders") { path(LongNumber) { id => get { … } } }

// scalaServers lists the packages of these servers.
var scalaServers = []string{"org.http4s", "akka.http", "org.apache.pekko.http"}

var (
	// routeCase matches a case of http4s up to its arrow.
	routeCase = regexp.MustCompile(`\bcase\s+(?:\w+\s*@\s*)?\(?\s*(GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS)\s*->\s*` +
		`Root((?:\s*/\s*(?:"[^"\n]*"|\w+(?:\([^()\n]*\))?))*)[^\n]*?=>`)
	// routerEntry matches an entry of http4s' Router: "/api" -> routes.all(cfg).
	routerEntry = regexp.MustCompile(`^"(/[^"]*)"\s*->\s*([\w.]+)`)
	caseHead    = regexp.MustCompile(`\n\s*case\s`)
)

// readCases records the routes in the cases of an http4s function.
func readCases(r *services.Reader) {
	if !imports(r, "org.http4s") {
		return
	}
	all := r.Matches(routeCase, 0, len(r.Text))
	for _, m := range all {
		path := "/"
		for _, s := range strings.Split(r.Text[m[4]:m[5]], "/") {
			if s = strings.TrimSpace(s); s != "" {
				path = folding.JoinURL(path, "/"+pathPart(s))
			}
		}
		end := m[1] + 1
		if owner := r.Around(m[0]); owner >= 0 {
			end = r.File.Symbols[owner].Span.EndByte
		} else if next := caseHead.FindStringIndex(r.Text[m[1]:]); next != nil {
			end = m[1] + next[0]
		}
		if next := caseHead.FindStringIndex(r.Text[m[1]:max(end, m[1])]); next != nil {
			end = m[1] + next[0]
		}
		r.RouteOf([2]int{m[2], m[5]}, [2]int{m[1], end}, r.Text[m[2]:m[3]], path)
	}
}

// pathPart returns the path segment for one part of a case's pattern: orders for "orders", {id}
// for LongVar(id), {*} for Remaining.
func pathPart(part string) string {
	if text, ok := folding.Quoted(part); ok {
		return strings.Trim(text, "/")
	}
	if part == "Remaining" || part == "RemainingPath" {
		return "{*}"
	}
	if open := strings.IndexByte(part, '('); open >= 0 {
		part = strings.Trim(part[open:], "()")
	}
	return "{" + code.Decapitalized(part) + "}"
}

// readScala records the routes and mounts that a call of http4s, Akka HTTP or Pekko adds.
func readScala(r *services.Reader, c *code.Call, args []string) {
	switch {
	case c.Callee == "Router" && imports(r, "org.http4s"):
		for _, a := range args {
			if m := routerEntry.FindStringSubmatch(a); m != nil {
				r.Mount(c.Caller, c.NameSpan, m[1], "("+m[2]+")")
			}
		}
	case c.Receiver != "" || imports(r, "org.http4s"):
	case slices.Contains(pathDirectives, c.Callee) && c.Callee != "pathPrefix":
		method := ""
		// the method is combined with the path: (path("x") & get) { … }
		if m := besideVerb.FindStringSubmatch(lineAround(r, c)); m != nil {
			method = services.PlainVerb(m[1] + m[2])
			// the method is around the path: get { path("x") … }
		} else if around := r.Enclosing(c.NameSpan.StartByte, directiveVerbs...); len(around) > 0 {
			method = services.PlainVerb(around[len(around)-1].Callee)
		}
		if method != "" {
			directive(r, c, method, append(enclosing(r, c), c))
		}
	case services.PlainVerb(c.Callee) != "" && strings.HasPrefix(strings.TrimSpace(r.After(c)), "{"):
		if within := enclosing(r, c); len(within) > 0 && strings.HasPrefix(within[len(within)-1].Callee, "path") {
			directive(r, c, services.PlainVerb(c.Callee), within)
		}
	}
}

var (
	directiveVerbs = []string{"get", "post", "put", "delete", "patch", "head", "options"}
	pathDirectives = []string{"path", "pathPrefix", "pathSuffix", "pathEnd", "pathEndOrSingleSlash"}

	// besideVerb matches an HTTP method that "&" combines with another directive, as in get &
	// path("x"). combined matches the text that follows such a directive, up to the opening brace
	// of its block.
	besideVerb = regexp.MustCompile(
		`\b(get|post|put|delete|patch|head|options)\s*&|&\s*(get|post|put|delete|patch|head|options)\b`)
	combined = regexp.MustCompile(`^[^{}\n]*\)\s*\{`)
)

// lineAround returns the text of the source line in which a call's name starts.
func lineAround(r *services.Reader, c *code.Call) string {
	from := strings.LastIndexByte(r.Text[:c.NameSpan.StartByte], '\n') + 1
	line, _, _ := strings.Cut(r.Text[from:], "\n")
	return line
}

// enclosing returns the path directives around a call, the outermost first.
func enclosing(r *services.Reader, c *code.Call) (out []*code.Call) {
	at := c.NameSpan.StartByte
	for i := range r.File.Calls {
		d := &r.File.Calls[i]
		if d.NameSpan.EndByte > at || !slices.Contains(pathDirectives, d.Callee) {
			continue
		}
		end := d.Span.EndByte
		// the directive is combined with others: (path("x") & authenticated) { … }
		if m := combined.FindStringIndex(r.Text[end:]); m != nil && end < at {
			end += m[1] - 1 + len(r.Expression(end+m[1]-1))
		}
		if at < end {
			out = append(out, d)
		}
	}
	return out
}

// directive records the route of call c, a directive such as get { … }. Its path is composed from the
// arguments of the path directives around c, outermost first: /orders/{longNumber} for
// pathPrefix("orders") { path(LongNumber) { id => get { … } } }.
func directive(r *services.Reader, c *code.Call, method string, within []*code.Call) {
	path := "/"
	for _, d := range within {
		args := r.Arguments(d)
		if len(args) == 0 || strings.HasPrefix(d.Callee, "pathEnd") {
			continue
		}
		for _, part := range strings.Split(args[0], " / ") {
			path = folding.JoinURL(path, "/"+pathPart(strings.TrimSpace(part)))
		}
	}
	r.Route(c.Caller, c.NameSpan, method, "", path, "=>")
}
