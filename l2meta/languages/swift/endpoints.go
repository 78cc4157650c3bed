package swift

import (
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// idioms describes how Swift programs serve and request over HTTP: Vapor and Hummingbird, URLSession, Alamofire,
// Moya.
var idioms = &services.Idioms{
	Names: []string{"dataTask", "data", "upload", "uploadTask", "downloadTask", "download", "request", "send", "on",
		"webSocket"},
	Requests: requestOf,
	Routes:   readRoute,
	Whole:    readTargets,
	Fold:     foldURL,
}

// label returns the value of a labelled argument: .post for method in request(url, method: .post); "" if there is
// none.
func label(args []string, name string) string {
	for _, a := range args {
		if rest, ok := strings.CutPrefix(a, name+":"); ok {
			return strings.TrimSpace(rest)
		}
	}
	return ""
}

func requestOf(r *services.Reader, c *code.Call) (x services.Request, ok bool) {
	args := r.Arguments(c)
	if len(args) == 0 || c.Kind != code.CallPlain {
		return x, false
	}
	last := folding.LastWord(c.Receiver)
	method := folding.MethodOf(strings.TrimPrefix(label(args, "method"), "."))
	switch verb := services.PlainVerb(c.Callee); {
	case c.Callee == "request" || c.Callee == "download" || c.Callee == "upload": // AF.request(url, method: .post)
		if last != "AF" && last != "Alamofire" && !r.Speaks(c, nil, []string{"Session(", "SessionManager"}) {
			return x, false
		}
		if method == "" {
			method = "GET"
		}
		return services.Request{Method: method, URL: plain(args), Sure: true}, true
	case c.Callee == "send" && r.Mentions("HTTPClient.connect"): // of Vapor 3
		return connected(r, c, args[0])
	case c.Callee == "send":
		return x, false
	case verb != "" && strings.HasSuffix(strings.ToLower(last), "client") && !strings.HasPrefix(args[0], "{"):
		return services.Request{Method: verb, URL: args[0], Sure: true}, true // req.client.post("http://orders/x")
	case verb == "" && strings.Contains(strings.ToLower(c.Receiver), "session"):
		return session(r, c, args)
	}
	return x, false
}

// plain returns the first of args, without its label: url for "to: url".
func plain(args []string) string {
	if name, rest, ok := strings.Cut(args[0], ":"); ok && !strings.ContainsAny(name, "\"( ") {
		return strings.TrimSpace(rest)
	}
	return args[0]
}

// session reads session.dataTask(with: request) and session.data(from: url). A request is a variable that is
// constructed with a URL, and whose HTTP method is set later. It returns false for other calls.
func session(r *services.Reader, c *code.Call, args []string) (x services.Request, ok bool) {
	for _, name := range []string{"with", "from", "for"} {
		expr := label(args, name)
		if expr == "" {
			continue
		}
		x = services.Request{Method: "GET", URL: expr, Sure: true}
		value, _ := r.Lookup(folding.LastWord(expr), c.NameSpan.StartByte)
		if rest, made := strings.CutPrefix(value, "URLRequest("); made {
			x.URL = label(folding.ListItems(rest), "url")
			x.Method = methodSet(r, c, expr)
		}
		return x, x.URL != ""
	}
	return x, false
}

var setsMethod = regexp.MustCompile(`\b(\w+)\.httpMethod\s*=\s*(?:"(\w+)"|HTTPMethod\.(\w+)|\.(\w+)|(\w+))`)

// methodSet returns the HTTP method that a statement before a call sets in a request variable; GET
// if there is no such statement, "" if its value is not known.
func methodSet(r *services.Reader, c *code.Call, request string) (method string) {
	method = "GET"
	from := 0
	if c.Caller >= 0 {
		from = r.File.Symbols[c.Caller].Span.StartByte
	}
	for _, m := range r.Matches(setsMethod, from, c.NameSpan.StartByte) {
		if r.Text[m[2]:m[3]] != request {
			continue
		}
		method = "" // unknown, for example the value of a parameter
		for i := 4; i+1 < len(m); i += 2 {
			if m[i] >= 0 {
				method = folding.MethodOf(r.Text[m[i]:m[i+1]])
			}
		}
	}
	return method
}

// connected reads a request of Vapor 3, which is sent to the host to which the function has
// connected: HTTPClient.connect(hostname: "orders", port: 8081, on: worker). sent is the expression
// of the HTTPRequest. ok is false if the file does not show how the request is made.
func connected(r *services.Reader, c *code.Call, sent string) (x services.Request, ok bool) {
	value, at := r.Lookup(folding.LastWord(sent), c.NameSpan.StartByte)
	_, rest, made := strings.Cut(value, "HTTPRequest(")
	if !made {
		return x, false
	}
	args := folding.ListItems(rest)
	x = services.Request{Method: folding.MethodOf(strings.TrimPrefix(label(args, "method"), ".")),
		URL: label(args, "url"), Sure: true}
	for i := range r.File.Calls {
		o := &r.File.Calls[i]
		if o.Callee != "connect" || folding.LastWord(o.Receiver) != "HTTPClient" || o.Caller != c.Caller {
			continue
		}
		to := r.Arguments(o)
		if x.Base = "http://" + r.Fold(label(to, "hostname"), at); label(to, "port") != "" {
			x.Base += ":" + label(to, "port")
		}
	}
	return x, x.URL != "" && x.Base != ""
}

// foldURL returns the URL of URL(string: text), URI(string: text) or URLComponents(string: text),
// with the paths that are appended to it. It returns false for any other expression.
func foldURL(r *services.Reader, expr string, at int, inner services.Folding) (string, bool) {
	expr = strings.TrimRight(expr, "!?")
	for _, start := range []string{"URL(", "URI(", "URLComponents("} {
		rest, ok := strings.CutPrefix(expr, start)
		if !ok {
			continue
		}
		args := folding.ListItems(rest)
		text := label(args, "string")
		if text == "" {
			return "", false
		}
		if base := label(args, "relativeTo"); base != "" {
			return folding.JoinURL(inner(base, at), "/"+strings.TrimPrefix(inner(text, at), "/")), true
		}
		return inner(text, at), true
	}
	root, steps := folding.Chain(expr)
	if root == "" || len(steps) == 0 {
		return "", false
	}
	out := inner(root, at)
	for _, s := range steps {
		switch {
		case (s.Name == "appendingPathComponent" || s.Name == "appending") && len(s.Args) > 0:
			out = folding.JoinURL(out, "/"+strings.TrimPrefix(inner(plain(s.Args), at), "/"))
		case s.Name != "absoluteString":
			return "", false
		}
	}
	return out, true
}

var (
	targetPath   = regexp.MustCompile(`^\s*:\s*String\s*\{\s*(?:return\s+)?("[^"\n]*")\s*\}`)
	targetMethod = regexp.MustCompile(`^\s*:\s*(?:Moya\.|HTTP|Alamofire\.)?(?:HTTP)?Method\s*\{\s*(?:return\s+)?\.(\w+)\s*\}`)
)

// readTargets records the requests that types describe for the library Moya. Such a type has
// members that return the path, the method and the base URL of a request.
func readTargets(r *services.Reader) {
	if !r.Mentions("Moya") {
		return
	}
	member := func(of int, name string, pattern *regexp.Regexp) string {
		for i := range r.File.Symbols {
			if s := &r.File.Symbols[i]; s.Parent == of && s.Name == name {
				if m := pattern.FindStringSubmatch(r.Text[s.NameSpan.EndByte:s.Span.EndByte]); m != nil {
					return m[1]
				}
			}
		}
		return ""
	}
	for i := range r.File.Symbols {
		s := &r.File.Symbols[i]
		path, method := member(i, "path", targetPath), folding.MethodOf(member(i, "method", targetMethod))
		if path == "" || method == "" {
			continue
		}
		r.Keep(l2meta.RoleFetch, i, s.NameSpan, method,
			"{baseURL}/"+strings.Trim(r.Fold(path, s.NameSpan.StartByte), "/"), "")
	}
}
