package services

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/syntax"
)

// httpReader finds the routes that a file serves and the requests that it
// makes.
type httpReader struct {
	f    *code.File
	fold *folder
	out  []code.Fact
}

// httpEndpoints is the routes and requests of f.
func httpEndpoints(f *code.File) []code.Fact {
	l := httpLanguages[f.Language]
	if l == nil || !mayServe(f) {
		return nil
	}
	r := &httpReader{f: f, fold: newFolder(f)}
	for i := range f.Symbols {
		r.annotated(i)
	}
	for i := range f.Calls {
		c := &f.Calls[i]
		if c.Kind != code.CallPlain && c.Kind != code.CallNew || !httpCallee(c.Callee) {
			continue
		}
		if x, ok := l.requests(r, c); ok {
			r.request(c, x)
		} else if l.routes != nil {
			l.routes(r, c)
		}
	}
	return r.out
}

// mayServe is false for most files, at the cost of a look at their names.
func mayServe(f *code.File) bool {
	for i := range f.Symbols {
		if len(f.Symbols[i].Annotations) > 0 {
			return true
		}
	}
	return slices.ContainsFunc(f.Calls, func(c code.Call) bool { return httpCallee(c.Callee) })
}

// httpCallee reports whether calls of that name may be of a route or a request.
func httpCallee(name string) bool {
	switch name {
	case "fetch", "$fetch", "ofetch", "axios", "got", "request", "route", "use", "register", "all", "HandleFunc", "Handle", "Method", "MethodFunc", "Any", "All",
		"NewRequest", "NewRequestWithContext", "uri", "url", "exchange", "newBuilder", "target", "HttpRequestMessage", "AddHttpClient",
		"path", "re_path", "include_router", "register_blueprint", "resources", "curl_init":
		return true
	}
	return strings.HasPrefix(name, "Map") || strings.HasPrefix(name, "add_") || verb(name) != ""
}

// httpLanguage tells the calls of one language apart.
type httpLanguage struct {
	requests func(r *httpReader, c *code.Call) (request, bool)
	routes   func(r *httpReader, c *code.Call)
}

var httpLanguages = map[string]*httpLanguage{}

func init() {
	script := &httpLanguage{scriptRequests, scriptRoutes}
	jvm := &httpLanguage{jvmRequests, nil}
	for name, l := range map[string]*httpLanguage{
		"go": {goRequests, goRoutes}, "javascript": script, "typescript": script, "svelte": script, "python": {pythonRequests, pythonRoutes},
		"java": jvm, "kotlin": jvm, "scala": jvm, "csharp": {csharpRequests, csharpRoutes}, "ruby": {rubyRequests, rubyRoutes},
		"php": {phpRequests, phpRoutes}, "rust": {rustRequests, rustRoutes},
	} {
		httpLanguages[name] = l
	}
}

// request is a request as a call states it.
type request struct {
	method string // upper case, "" when it is not said
	url    string // the expression
	sure   bool   // nothing but a request is written so; else the URL has to show it
}

// arguments is those of a call, as written.
func (r *httpReader) arguments(c *code.Call) []string {
	text := r.after(c)
	i := strings.IndexByte(text, '(')
	if i < 0 {
		if r.f.Language == "ruby" { // get '/x' do
			line, _, _ := strings.Cut(text, "\n")
			return ListItems(line)
		}
		return nil
	}
	if r.f.Language == "ruby" && strings.TrimSpace(text[:i]) != "" {
		line, _, _ := strings.Cut(text, "\n")
		return ListItems(line)
	}
	return ListItems(text[i+1:])
}

// after is the text of a call behind its callee's name.
func (r *httpReader) after(c *code.Call) string {
	return r.fold.text[c.NameSpan.EndByte:min(max(c.Span.EndByte, c.NameSpan.EndByte), c.NameSpan.EndByte+maxEndpointText)]
}

// request keeps a request whose URL says where it goes.
func (r *httpReader) request(c *code.Call, x request) {
	url := cleanURL(r.fold.fold(x.url, c.NameSpan.StartByte))
	if !r.leads(url, x.sure) {
		return
	}
	if base := r.base(c); base != "" && !strings.Contains(url, "://") && !strings.HasPrefix(url, "{") {
		url = joinURL(base, url)
	}
	r.keep(l2meta.RoleFetch, c.Caller, c.NameSpan, x.method, url, "")
}

// leads reports whether a folded URL says where a request goes: by a path, a
// scheme, or the variable of an address.
func (r *httpReader) leads(url string, sure bool) bool {
	_, behind, absolute := strings.Cut(url, "://")
	switch {
	case strings.ContainsAny(strings.Map(dropHoles(), url), " \n\t\"'`<>|\\^") || len(url) > 400 || url == "" || url == "{}":
		return false
	case absolute:
		return behind != "" && (strings.HasPrefix(url, "http") || strings.HasPrefix(url, "lb://"))
	case strings.HasPrefix(url, "/"):
		return len(url) > 1 || sure
	case strings.HasPrefix(url, "{"):
		end := strings.IndexByte(url, '}')
		return strings.HasPrefix(url[end+1:], "/") || strings.HasPrefix(url, "{env:")
	}
	return sure && (strings.Contains(url, "/") || r.f.Language == "csharp")
}

// dropHoles maps a text to what stands outside of its holes.
func dropHoles() func(rune) rune {
	depth := 0
	return func(c rune) rune {
		switch c {
		case '{':
			depth++
			return -1
		case '}':
			depth--
			return -1
		}
		if depth > 0 {
			return -1
		}
		return c
	}
}

// cleanURL is a URL without query and fragment.
func cleanURL(url string) string {
	depth := 0
	for i := 0; i < len(url); i++ {
		switch url[i] {
		case '{':
			depth++
		case '}':
			depth--
		case '?', '#':
			if depth == 0 {
				return url[:i]
			}
		}
	}
	return url
}

// base is the address that the client of a call was made with: baseURL of
// axios.create, the base of a session.
func (r *httpReader) base(c *code.Call) string {
	name := lastWord(c.Receiver)
	if name == "" {
		return ""
	}
	value, where := r.fold.lookup(name, c.NameSpan.StartByte)
	for _, key := range []string{"baseURL:", "baseUrl:", "prefixUrl:", "base_url=", "BaseAddress =", ".baseUrl(", "prefix_url:"} {
		if _, rest, ok := strings.Cut(value, key); ok {
			if parts := ListItems(rest); len(parts) > 0 {
				return strings.TrimRight(cleanURL(r.fold.fold(parts[0], where)), "/")
			}
		}
	}
	return ""
}

// lastWord is the last name of a receiver, without what it is called with.
func lastWord(receiver string) string {
	receiver = strings.TrimSpace(receiver)
	if i := strings.IndexByte(receiver, '('); i >= 0 {
		return ""
	}
	for i := len(receiver); i > 0; i-- {
		if c := receiver[i-1]; c != '_' && c != '$' && !isLetter(c) {
			return receiver[i:]
		}
	}
	return receiver
}

// route keeps a route of a template that is readable. prefix is what it is
// mounted below, handler the expression of what answers, "" for the symbol;
// router is the variable that it was added to, which may be mounted elsewhere.
func (r *httpReader) route(owner int, at code.Span, method, prefix, template, handler string, router ...string) {
	path := template
	if prefix != "" {
		path = joinURL(prefix, template)
	}
	if path == "" || path[0] != '/' {
		path = "/" + path
	}
	if strings.ContainsAny(path, " \n\t\"'`<>|\\^") && r.f.Language != "python" {
		return
	}
	if handler = syntax.OneLine([]byte(handler[:min(len(handler), 200)])); isFunction(handler) {
		handler = "=>"
	}
	r.keep(l2meta.RoleRoute, owner, at, method, path, handler+"\t"+strings.Join(router, ""))
}

// keep records an endpoint: its Type is "METHOD path handler", METHOD "*" where
// any will do.
func (r *httpReader) keep(role string, owner int, at code.Span, method, path, handler string) {
	if method == "" {
		method = "*"
	}
	text := strings.TrimSpace(strings.ToUpper(method) + "\t" + path + "\t" + handler)
	r.out = append(r.out, code.Fact{Kind: code.FactEndpoint, Owner: owner, Name: role, Type: text, Span: at})
}

// path folds an argument to the template of a route; false where it is none.
func (r *httpReader) path(arg string, at int) (string, bool) {
	if arg == "" || !strings.ContainsAny(arg, "\"'`") && !plainName.MatchString(arg) {
		return "", false
	}
	path := r.fold.fold(arg, at)
	return path, strings.HasPrefix(path, "/") || strings.HasPrefix(path, "{") && strings.Contains(path, "}/")
}

// quoted is the text of an argument that is a plain string.
func quoted(arg string) (string, bool) {
	if len(arg) < 2 || strings.IndexByte("\"'`", arg[0]) < 0 || skipString(arg, 0) != len(arg)-1 {
		return "", false
	}
	return arg[1 : len(arg)-1], true
}

// methodOf is the HTTP method that a text names: "POST", http.MethodPost,
// HttpMethod.Post.
func methodOf(text string) string {
	word := strings.ToUpper(text[strings.LastIndexAny(text, ".:")+1:])
	word = strings.TrimPrefix(strings.Trim(word, "\"'` "), "METHOD")
	if slices.Contains(httpMethods, word) {
		return word
	}
	return ""
}

var httpMethods = []string{"GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"}

// enclosing is the calls of one of names around a place, the outermost first.
func (r *httpReader) enclosing(at int, names ...string) (out []*code.Call) {
	for i := range r.f.Calls {
		c := &r.f.Calls[i]
		if c.Span.StartByte < at && at < c.Span.EndByte && c.NameSpan.EndByte < at && slices.Contains(names, c.Callee) {
			out = append(out, c)
		}
	}
	return out
}

// isFunction reports whether a handler is a function without a name.
func isFunction(text string) bool {
	for _, start := range []string{"func(", "function", "async ", "fn ", "fn(", "static fn", "static function", "lambda", "|", "move |", "delegate"} {
		if strings.HasPrefix(text, start) {
			return true
		}
	}
	return strings.Contains(text, "=>")
}
