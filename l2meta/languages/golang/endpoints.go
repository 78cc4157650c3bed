package golang

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
	"sextant/l2meta/syntax"
)

// idioms describes how Go programs serve and request over HTTP, and exchange messages.
var idioms = &services.Idioms{
	Names: []string{
		"HandleFunc", "Handle", "Handler", "HandlerFunc", "Method", "MethodFunc", "Any", "All", "Add", "Mount",
		"Route", "Match", "NewRequest", "NewRequestWithContext", "NewClient", "Do", "Execute", "SetRequestURI",
		"InvokeMethod*", "CtxGet", "CtxPost", "AddServiceInvocationHandler",
		"SetEnvPrefix", "SetDefault", "Process", "MustProcess",
		"Router", "NSRouter", "Include", "NSInclude", "NSGet", "NSPost", "NSPut", "NSDelete", "NSPatch",
		"Ctrl*", "NSCtrl*",
	},
	Requests: requestOf,
	Routes:   readCall,
	Whole:    readWhole,
	Carriers: carriers,
	Fold:     foldURL,
	Messages: messages,
	Listens: []services.Listens{{Callee: "ListenAndServe"}, {Callee: "Run"}, {Callee: "Start"}, {Callee: "Listen"},
		{Callee: "ListenAndServeTLS"}},
	Registers: func(callee string) bool {
		return strings.HasPrefix(callee, "Register") &&
			(strings.HasSuffix(callee, "Server") || strings.Contains(callee, "Handler"))
	},
}

func readWhole(r *services.Reader) {
	readHandedOn(r)
	readConnected(r)
	readBeegoComments(r)
	if !strings.Contains(r.Text, `env:"`) && !strings.Contains(r.Text, `envconfig:"`) {
		return
	}
	for i := range r.File.Symbols {
		s := &r.File.Symbols[i]
		if s.Kind != code.KindField {
			continue
		}
		line := r.Text[s.Span.StartByte:s.Span.EndByte]
		if m := envTag.FindStringSubmatch(line); m != nil {
			otherwise := ""
			if d := defaultTag.FindStringSubmatch(line); d != nil {
				otherwise = d[1]
			}
			r.KeepText(i, s.NameSpan, s.Name, folding.SettingHole(m[1], otherwise))
		}
	}
}

// readConnected records the calls by which generated code of Connect makes a handler of an implementation:
// shopv1connect.NewOrdersHandler(&server{}). The name of its package ends with connect, also if it is imported under
// another name.
func readConnected(r *services.Reader) {
	for i := range r.File.Calls {
		c := &r.File.Calls[i]
		if !strings.HasPrefix(c.Callee, "New") || !strings.HasSuffix(c.Callee, "Handler") ||
			!strings.HasSuffix(c.Receiver, "connect") && !strings.HasSuffix(r.Imported(c.Receiver), "connect") {
			continue
		}
		text := r.Text[c.NameSpan.StartByte:min(c.Span.EndByte, c.NameSpan.StartByte+maxLiteral)]
		r.Add(code.Fact{Kind: code.FactEndpoint, Owner: c.Caller, Name: l2meta.RoleServes,
			Type: syntax.OneLine([]byte(text)), Span: c.NameSpan})
	}
}

// envTag and defaultTag match the tags of struct fields that the libraries envconfig, env and cleanenv set from
// environment variables.
var (
	envTag     = regexp.MustCompile(`\b(?:env|envconfig):"([A-Za-z]\w*)`)
	defaultTag = regexp.MustCompile(`\b(?:default|envDefault|env-default):"([^"]+)"`)
)

// clientMakers lists texts that occur in expressions that construct HTTP clients, and in the
// types of clients.
var clientMakers = []string{"http.Client", "http.DefaultClient", "resty.", "req.C(", "heimdall",
	"retryablehttp", "httpclient."}

func requestOf(r *services.Reader, c *code.Call) (x services.Request, ok bool) {
	args := r.Arguments(c)
	switch {
	case c.Callee == "NewRequest" && len(args) >= 2 && folding.MethodOf(args[0]) != "":
		return services.Request{Method: folding.MethodOf(args[0]), URL: args[1], Sure: true}, true
	case c.Callee == "NewRequest" && len(args) >= 2:
		return services.Request{URL: args[1], Sure: true}, strings.HasSuffix(c.Receiver, "http")
	case c.Callee == "NewRequestWithContext" && len(args) >= 3:
		return services.Request{Method: folding.MethodOf(args[1]), URL: args[2], Sure: true}, true
	case strings.HasPrefix(c.Callee, "InvokeMethod") && len(args) >= 4:
		return daprRequest(r, c, args), true
	// go-kit's NewClient(method, url, …)
	case c.Callee == "NewClient" && len(args) >= 3 && folding.MethodOf(args[0]) != "":
		return services.Request{Method: folding.MethodOf(args[0]), URL: args[1], Sure: true}, true
	case c.Callee == "SetRequestURI" && len(args) == 1: // fasthttp's req.SetRequestURI(url)
		return services.Request{URL: args[0], Sure: true}, true
	case c.Callee == "Do" && len(args) == 1:
		return literalRequest(r, c, args[0])
	case c.Callee == "Execute" && len(args) == 2 && folding.MethodOf(args[0]) != "":
		return services.Request{Method: folding.MethodOf(args[0]), URL: args[1], Base: baseURL(r, c), Sure: true},
			true
	case len(args) == 0:
		return x, false
	case c.Callee == "PostForm" || services.PlainVerb(c.Callee) != "" && c.Callee != strings.ToUpper(c.Callee):
		return clientRequest(r, c, args)
	}
	return x, false
}

// clientRequest reads http.Get(url), client.Get(url), and resty's R().Get(url); ok is false for any other call.
func clientRequest(r *services.Reader, c *code.Call, args []string) (x services.Request, ok bool) {
	for len(args) > 1 && beforeURL.MatchString(args[0]) {
		args = args[1:]
	}
	x = services.Request{Method: services.Verb(c.Callee), URL: args[0], Sure: c.Receiver == "http"}
	if r.HasFunction(args) {
		return x, false
	}
	if root, steps := folding.Chain(r.Receiver(c)); made(steps, "R") || made(steps, "NewRequest") ||
		r.Speaks(c, nil, []string{".R()", "resty.Request"}) {
		x.Base, x.Sure = baseURL(r, c), true
		return x, root != ""
	}
	if c.Receiver == "http" || wrapsHTTP(r, c.Receiver) ||
		r.Speaks(c, []string{"resty", "httpClient", "grequests"}, clientMakers) {
		x.Base = baseURL(r, c)
		return x, true
	}
	// The type of the client is not known here, so its name must end in "client", or it must be a package of the
	// program's own that is named after HTTP, and the URL must have a scheme.
	named := strings.HasSuffix(strings.ToLower(folding.LastWord(c.Receiver)), "client") ||
		strings.HasPrefix(c.Receiver, "http") && r.Imported(c.Receiver) != ""
	return x, named && strings.HasPrefix(r.Fold(args[0], c.NameSpan.StartByte), "http")
}

// beforeURL matches the arguments that precede the URL in packages that wrap net/http:
// otelhttp.Get(ctx, url), ctxhttp.Get(ctx, client, url).
var beforeURL = regexp.MustCompile(`^(?:ctx|\w*[cC]tx|.*\bContext\(\)|context\.\w+\(\)|nil|(?:\w+\.)*\w*[cC]lient|` +
	`http\.DefaultClient)$`)

// wrapsHTTP reports whether name is that of an imported package that wraps net/http: otelhttp,
// ctxhttp, retryablehttp.
func wrapsHTTP(r *services.Reader, name string) bool {
	return strings.HasSuffix(name, "http") && r.Imported(name) != ""
}

func made(steps []folding.Step, name string) bool {
	for _, s := range steps {
		if s.Name == name {
			return true
		}
	}
	return false
}

// daprRequest reads client.InvokeMethod(ctx, "stock", "items/7", "get").
func daprRequest(r *services.Reader, c *code.Call, args []string) services.Request {
	verb, _ := folding.Quoted(args[3])
	if verb == "" {
		verb = args[3]
	}
	return services.Request{Method: folding.MethodOf(verb), URL: args[2],
		Base: "http://" + r.Fold(args[1], c.NameSpan.StartByte), Sure: true}
}

// literalRequest reads client.Do(req) with req = &http.Request{Method: …, URL: …}. It returns false
// for other arguments.
func literalRequest(r *services.Reader, c *code.Call, arg string) (x services.Request, ok bool) {
	value, _ := r.Lookup(folding.LastWord(arg), c.NameSpan.StartByte)
	if value == "" {
		value = arg
	}
	_, fields, ok := strings.Cut(value, "http.Request{")
	if !ok {
		return x, false
	}
	x = services.Request{Method: folding.MethodOf(folding.Property("{"+fields, "Method")),
		URL: folding.Property("{"+fields, "URL"), Sure: true}
	return x, x.URL != ""
}

// baseURL returns the base address of a client: the argument of SetBaseURL where the client is
// constructed, or in a call on it. If another file constructs the client, it returns the only
// address that this file sets; "" if there is none.
func baseURL(r *services.Reader, c *code.Call) string {
	root, steps := folding.Chain(r.Receiver(c))
	name, at := folding.LastWord(root), c.NameSpan.StartByte
	for range 2 { // twice, because the receiver may be a request: req := client.R()
		if base := baseIn(r, steps, at, at); base != "" {
			return base
		}
		value, where := r.Lookup(name, at)
		root, more := folding.Chain(value)
		if base := baseIn(r, more, where, at); base != "" {
			return base
		}
		if made(more, "R") {
			name = folding.LastWord(root)
		}
	}
	var found []string
	for i := range r.File.Calls {
		set := &r.File.Calls[i]
		if !setsBase(set.Callee) {
			continue
		}
		if args := r.Arguments(set); len(args) == 1 {
			base := r.FoldFor(args[0], set.NameSpan.StartByte, at)
			if folding.LastWord(set.Receiver) == name && set.Caller == c.Caller {
				return base
			}
			if !slices.Contains(found, base) {
				found = append(found, base)
			}
		}
	}
	if len(found) == 1 {
		return found[0]
	}
	return ""
}

func setsBase(callee string) bool {
	return callee == "SetBaseURL" || callee == "SetHostURL" || callee == "SetHost"
}

func baseIn(r *services.Reader, steps []folding.Step, at, used int) string {
	for _, s := range steps {
		if setsBase(s.Name) && len(s.Args) == 1 {
			return r.FoldFor(s.Args[0], at, used)
		}
	}
	return ""
}

// pathSet matches the assignment in u.Path = "/items", but not the variable u. A pattern that
// begins with a literal is found ten times faster.
var pathSet = regexp.MustCompile(`\.Path\s*=[^=]`)

// foldURL evaluates an expression of net/url, path or strings that constructs a URL, such as
// url.URL{Host: h, Path: p} and u.JoinPath("items"). inner evaluates its parts. foldURL returns
// false for any other expression.
func foldURL(r *services.Reader, expr string, at int, inner services.Folding) (string, bool) {
	if _, fields, ok := strings.Cut(expr, "url.URL{"); ok && len(expr)-len(fields) < 12 {
		fields = "{" + fields
		return "http://" + inner(folding.Property(fields, "Host"), at) +
			slashed(inner(folding.Property(fields, "Path"), at)), true
	}
	if strings.HasPrefix(expr, "http.Method") { // http.MethodGet, passed to a function that makes the request
		if m := folding.MethodOf(expr); m != "" {
			return m, true
		}
	}
	root, steps := folding.Chain(expr)
	if len(steps) == 0 {
		return givenPath(r, expr, at, inner)
	}
	last := steps[len(steps)-1]
	switch {
	case last.Name == "String" && len(last.Args) == 0, last.Name == "Bytes" && len(last.Args) == 0:
		return inner(strings.TrimSuffix(strings.TrimSpace(expr), "."+last.Name+"()"), at), true
	case last.Name == "JoinPath" && root != "url" && len(steps) == 1:
		out := inner(root, at)
		for _, a := range last.Args {
			out = folding.JoinURL(out, inner(a, at))
		}
		return out, true
	case root == "path" && last.Name == "Join" && len(last.Args) > 0:
		out := inner(last.Args[0], at)
		for _, a := range last.Args[1:] {
			out = folding.JoinURL(out, inner(a, at))
		}
		return out, true
	case root == "strings" && (strings.HasPrefix(last.Name, "Trim")) && len(last.Args) > 0:
		return strings.TrimSuffix(inner(last.Args[0], at), "/"), true
	}
	return "", false
}

func slashed(path string) string {
	if path == "{}" || path == "" {
		return ""
	}
	return "/" + strings.TrimLeft(path, "/")
}

// inName reports whether c may be part of an identifier.
func inName(c rune) bool { return c == '_' || unicode.IsLetter(c) || unicode.IsDigit(c) }

// givenPath evaluates the variable called name if it is a URL whose path a later statement sets:
// u.Path = "/items". It returns false if no statement sets the path.
func givenPath(r *services.Reader, name string, at int, inner services.Folding) (string, bool) {
	value, where := r.Lookup(name, at)
	if value == "" || where >= at {
		return "", false
	}
	var set string
	for _, m := range r.Matches(pathSet, where, at) {
		before := r.Text[where:m[0]]
		if before[len(strings.TrimRightFunc(before, inName)):] != name {
			continue
		}
		given, _, _ := strings.Cut(strings.TrimSpace(r.Text[m[1]-1:at]), "\n")
		set = inner(strings.ReplaceAll(given, name+".Path", `""`), m[0])
	}
	if set == "" {
		return "", false
	}
	base := inner(value, where)
	if i := strings.Index(base, "://"); i >= 0 {
		if slash := strings.IndexByte(base[i+3:], '/'); slash >= 0 {
			base = base[:i+3+slash]
		}
	}
	return base + slashed(set), true
}
