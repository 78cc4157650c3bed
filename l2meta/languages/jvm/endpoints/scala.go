package endpoints

import (
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// In libraries for Scala, a request is a value: Request(method = POST, uri = u) of http4s,
// HttpRequest of Akka and Pekko, POST(body, u) of http4s, basicRequest.get(u) of sttp.

// scalaRequest reads a call of a Scala client library; ok is false for any other call.
func scalaRequest(r *services.Reader, c *code.Call, args []string) (x services.Request, ok bool) {
	m := services.PlainVerb(c.Callee)
	switch {
	case c.Callee == "Request" && imports(r, "org.http4s"),
		c.Callee == "HttpRequest" && imports(r, "akka.http", "org.apache.pekko.http"):
		return requestValue(args)
	case m == c.Callee && m != "" && imports(r, "org.http4s.client.dsl", "org.http4s.dsl"): // GET(u), POST(body, u)
		url := args[0]
		if len(args) > 1 && !addresses(url) {
			url = args[1]
		}
		return services.Request{Method: m, URL: url, Sure: true}, addresses(url)
	case strings.HasPrefix(c.Callee, "expect") && imports(r, "org.http4s") && c.Receiver != "" && addresses(args[0]) &&
		!asksBy.MatchString(args[0]):
		return services.Request{Method: "GET", URL: args[0], Sure: true}, true
	case m != "" && len(args) == 1 && (imports(r, "sttp.client") || sttpRequest(c.Receiver)):
		return services.Request{Method: m, URL: args[0], Sure: true}, addresses(args[0]) || sttpRequest(c.Receiver)
	case m != "" && m != c.Callee && c.Receiver == "" && strings.Contains(r.Text, "RequestBuilding"): // Get("http://…")
		return services.Request{Method: m, URL: args[0], Sure: true}, true
	}
	return x, false
}

// requestValue reads the arguments of a request that is constructed: (method = POST, uri = u), or an HTTP
// method followed by an address, (POST, u). It returns false for other arguments.
func requestValue(args []string) (x services.Request, ok bool) {
	x = services.Request{Method: folding.MethodOf(folding.Keyword(args, "method")),
		URL: folding.Keyword(args, "uri"), Sure: true}
	for i, a := range args {
		if x.URL == "" && x.Method == "" && i+1 < len(args) && folding.MethodOf(a) != "" {
			x.Method, x.URL = folding.MethodOf(a), args[i+1]
		}
	}
	if x.Method == "" {
		x.Method = "GET"
	}
	return x, x.URL != ""
}

// asksBy matches the start of an expression that constructs a request: GET(u), Request[IO](u).
var asksBy = regexp.MustCompile(`^(?:Method\.)?[A-Z]+\(|^Request[\[(]`)

func sttpRequest(receiver string) bool {
	for _, start := range []string{"basicRequest", "quickRequest", "emptyRequest", "sttp"} {
		if strings.HasPrefix(receiver, start) {
			return true
		}
	}
	return false
}

// addresses reports whether an expression looks like an address: uri"…", Uri.unsafeFromString(u), baseUri / "x".
func addresses(expr string) bool {
	return strings.HasPrefix(expr, `uri"`) || strings.HasPrefix(expr, "Uri") || strings.Contains(expr, "://") ||
		strings.Contains(expr, ` / "`) || strings.HasPrefix(expr, `s"`) && strings.Contains(expr, "/") ||
		strings.HasSuffix(strings.ToLower(expr), "uri") || strings.HasSuffix(strings.ToLower(expr), "url")
}

// foldUri evaluates an address of http4s, sttp or Akka, as far as the file determines it: a text converted
// to a URI, Uri.unsafeFromString("http://a"), or segments appended to a base, base / "items". It returns
// false for other expressions.
func foldUri(expr string, at int, inner services.Folding) (string, bool) {
	if parts := strings.Split(expr, " / "); len(parts) > 1 && !strings.Contains(parts[0], `"`) || len(parts) > 1 &&
		strings.HasPrefix(expr, `uri"`) {
		out := inner(parts[0], at)
		for _, p := range parts[1:] {
			p, _, _ = strings.Cut(p, " +?")
			out = folding.JoinURL(out, "/"+strings.Trim(inner(strings.TrimSpace(p), at), "/"))
		}
		return out, true
	}
	for _, start := range []string{"Uri.unsafeFromString(", "Uri.fromString(", "Uri.unsafeParse(", "Uri.parse(",
		"Uri.uri(", "Uri(", "uri("} {
		if rest, ok := strings.CutPrefix(expr, start); ok {
			if args := folding.ListItems(rest); len(args) > 0 {
				return inner(args[0], at), true
			}
		}
	}
	return "", false
}
