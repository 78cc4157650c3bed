package python

import (
	"cmp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// idioms describes how Python programs serve and request over HTTP, and exchange messages.
var idioms = &services.Idioms{
	Names: []string{"request", "urlopen", "Request", "path", "re_path", "url", "include_router", "register_blueprint",
		"blueprint", "register", "invoke_method", "add_*", "Route", "Mount", "Application", "route",
		"APIRouter", "Blueprint"},
	Requests:  requestOf,
	Routes:    readRoutes,
	Annotated: readDecorators,
	Whole: func(r *services.Reader) {
		readRemote(r)
		readSettings(r)
		readHandlers(r)
		readURLLists(r)
		classTasks(r)
	},
	Fold: fold,
	Registers: func(callee string) bool {
		return strings.HasPrefix(callee, "add_") && strings.HasSuffix(callee, "Servicer_to_server")
	},
	Messages:  messages,
	Listeners: listeners,
	Listens: []services.Listens{{Callee: "run", Index: -1, Name: "port"},
		{Callee: "run_app", Index: -1, Name: "port"}, {Callee: "HTTPServer", Index: 0},
		{Callee: "ThreadingHTTPServer", Index: 0}, {Callee: "TCPServer", Index: 0}, {Callee: "make_server", Index: 1}},
}

var (
	clients = []string{"requests", "httpx", "urllib3", "grequests"}
	makers  = []string{"requests.Session", "requests.session", "httpx.", "aiohttp.", "ClientSession", "AsyncClient(",
		"PoolManager(", "FuturesSession(", "Session()", "HTTPXClient", "CacheControl("}
)

func requestOf(r *services.Reader, c *code.Call) (x services.Request, ok bool) {
	if c.Callee == "invoke_method" {
		return byDapr(r, c)
	}
	if c.Callee == "urlopen" || c.Callee == "Request" {
		return byURLLib(r, c)
	}
	method, at := services.PlainVerb(c.Callee), 0
	args := r.Arguments(c)
	if named := folding.Keyword(args, "method"); c.Callee == "request" && named != "" {
		method = cmp.Or(folding.MethodOf(text(named)), "*")
	} else if c.Callee == "request" && len(args) > 1 {
		if method, at = folding.MethodOf(text(args[0])), 1; method == "" && !strings.ContainsAny(args[0], "\"'") {
			method = "*"
		}
	}
	if method == "" || len(args) <= at {
		return x, false
	}
	url := args[at]
	if given := folding.Keyword(args, "url"); given != "" {
		url = given
	}
	if method == "*" {
		method = ""
	}
	x = services.Request{Method: method, URL: url, Sure: c.Receiver == "requests" || c.Receiver == "httpx",
		Base: base(r, c)}
	switch name := folding.LastWord(c.Receiver); {
	case c.Receiver == "":
		return x, r.ImportsName(c.Callee, "requests") || r.ImportsName(c.Callee, "httpx")
	case strings.HasSuffix(c.Receiver, ".client") && (r.Imports("locust") || importsFrom(r, "locust")):
		x.Base, x.Sure = cmp.Or(given(r, "host", c.NameSpan.StartByte), folding.SettingHole(services.LoadedHost, "")),
			true
		return x, true
	case r.Speaks(c, nil, []string{"HTTPConnection(", "HTTPSConnection("}) && c.Callee == "request":
		x.Base, x.Sure = connection(r, name, c.NameSpan.StartByte), true
		return x, x.Base != ""
	}
	if r.Speaks(c, nil, makers) { // the client is known, so the call is a request even if its URL is not
		x.Sure = true
		return x, true
	}
	return x, r.Speaks(c, clients, nil)
}

// byDapr reads client.invoke_method("stock", "items/7", http_verb="GET"). It returns false for
// other calls.
func byDapr(r *services.Reader, c *code.Call) (x services.Request, ok bool) {
	args := r.Arguments(c)
	given := func(name string, i int) string {
		if arg := folding.Keyword(args, name); arg != "" || i >= len(args) {
			return arg
		}
		if before, _, ok := strings.Cut(args[i], "="); ok && !strings.ContainsAny(before, "\"'(") {
			return "" // the first argument is a keyword argument for something else
		}
		return args[i]
	}
	app, method := given("app_id", 0), given("method_name", 1)
	if app == "" || method == "" || !importsFrom(r, "dapr") {
		return x, false
	}
	x = services.Request{Method: "POST", URL: method, Base: "http://" + r.Fold(app, c.NameSpan.StartByte), Sure: true}
	if verb := folding.Keyword(args, "http_verb"); verb != "" {
		x.Method = folding.MethodOf(text(verb))
	}
	return x, true
}

// importsFrom reports whether a file imports from a module or a submodule of it.
func importsFrom(r *services.Reader, module string) bool {
	for i := range r.File.Imports {
		if m := r.File.Imports[i].Module; m == module || strings.HasPrefix(m, module+".") {
			return true
		}
	}
	return false
}

// byURLLib reads urlopen(url) and Request(url, method="POST") of urllib.request. It returns false
// for other calls.
func byURLLib(r *services.Reader, c *code.Call) (x services.Request, ok bool) {
	if !importsFrom(r, "urllib") && !importsFrom(r, "urllib2") && !importsFrom(r, "six.moves") {
		return x, false
	}
	args := r.Arguments(c)
	if len(args) == 0 {
		return x, false
	}
	x = services.Request{Method: "GET", URL: args[0], Sure: true}
	if given := folding.Keyword(args, "url"); given != "" {
		x.URL = given
	}
	made, _ := r.Lookup(x.URL, c.NameSpan.StartByte)
	if strings.Contains(x.URL, "Request(") || strings.Contains(made, "Request(") {
		return x, false // a Request is recorded with the call that sends it
	}
	data := folding.Keyword(args, "data")
	if data == "" && len(args) > 1 && !strings.Contains(args[1], "=") {
		data = args[1]
	}
	if data != "" && data != "None" {
		x.Method = "POST"
	}
	if m := folding.Keyword(args, "method"); m != "" {
		x.Method = folding.MethodOf(text(m))
	}
	return x, true
}

// base returns the base address with which a client is constructed: Client(base_url="…"),
// ClientSession("…"), also in a with statement, with Client(base_url="…") as client. It returns
// "" if there is none.
func base(r *services.Reader, c *code.Call) string {
	name := folding.LastWord(c.Receiver)
	if name == "" {
		return ""
	}
	used := c.NameSpan.StartByte
	made, at := r.Lookup(name, used)
	if i := r.OpenedAs(name, used); i >= 0 {
		line := r.Text[strings.LastIndexByte(r.Text[:i], '\n')+1 : i]
		if _, opened, ok := strings.Cut(line, "with "); ok {
			made, at = opened, i
		}
	}
	open := strings.IndexByte(made, '(')
	if open < 0 {
		return ""
	}
	args := folding.ListItems(made[open+1:])
	if given := folding.Keyword(args, "base_url"); given != "" {
		return r.FoldFor(given, at, used)
	}
	if strings.HasSuffix(made[:open], "ClientSession") && len(args) > 0 && !strings.Contains(args[0], "=") {
		return r.FoldFor(args[0], at, used)
	}
	return ""
}

// connection returns the address of a connection that a variable holds: http://orders:8080 for
// HTTPConnection("orders", 8080). It returns "" if the variable holds no connection.
func connection(r *services.Reader, name string, at int) string {
	made, where := r.Lookup(name, at)
	_, rest, ok := strings.Cut(made, "Connection(")
	args := folding.ListItems(rest)
	if !ok || len(args) == 0 {
		return ""
	}
	url := "http://" + r.FoldFor(args[0], where, at)
	if len(args) > 1 && strings.Trim(args[1], "0123456789") == "" {
		url += ":" + args[1]
	}
	return url
}

// given evaluates the value that the file assigns to a name. It returns the value as text; "" if
// the file assigns none.
func given(r *services.Reader, name string, at int) string {
	if value, where := r.Lookup(name, at); value != "" {
		return r.FoldFor(value, where, at)
	}
	return ""
}

// text returns the content of a string literal, which may have prefix letters: r"x". It returns ""
// for other expressions.
func text(arg string) string {
	if t, ok := folding.Quoted(strings.TrimLeft(arg, "rRbBuUfF")); ok {
		return t
	}
	return ""
}

// fold evaluates the formatting of a string literal: "%s/orders" % base. inner evaluates its
// operands. fold returns false for any other expression.
func fold(r *services.Reader, expr string, at int, inner services.Folding) (string, bool) {
	body := strings.TrimLeft(expr, "rRuUbB")
	if body == "" || body[0] != '"' && body[0] != '\'' {
		return "", false
	}
	end := strings.IndexByte(body[1:], body[0]) + 1
	rest, ok := strings.CutPrefix(strings.TrimSpace(body[max(end+1, 1):]), "%")
	if !ok || end < 1 {
		return "", false
	}
	args := []string{strings.TrimSpace(rest)}
	if list, several := strings.CutPrefix(args[0], "("); several {
		args = folding.ListItems(list)
	}
	var b strings.Builder
	for i, part := range strings.Split(body[1:end], "%") {
		if i == 0 {
			b.WriteString(part)
			continue
		}
		if part == "" || strings.IndexByte("sdirf", part[0]) < 0 {
			return "", false
		}
		if i > len(args) {
			b.WriteString("{}" + part[1:])
		} else {
			b.WriteString(inner(args[i-1], at) + part[1:])
		}
	}
	return b.String(), true
}
