package typescript

import (
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// byJQuery reads $.get(url), $.post(url, data), $.getJSON(url), $.ajax({url, type}) and $.ajax(url,
// options). It returns false for other calls.
func byJQuery(r *services.Reader, c *code.Call) (x services.Request, ok bool) {
	args := r.Arguments(c)
	if len(args) == 0 {
		return x, false
	}
	switch c.Callee {
	case "get", "getJSON", "post":
		x, ok = asked(r, c, args)
		x.Method = "GET"
		if c.Callee == "post" {
			x.Method = "POST"
		}
		return x, ok
	case "ajax":
		return asked(r, c, args)
	}
	return x, false
}

// byABP reads the requests of clients that ABP generates for a page:
// abp.ajax($.extend(true, {url: abp.appPath + 'api/app/book', type: 'GET'}, ajaxParams)).
func byABP(r *services.Reader, c *code.Call) (x services.Request, ok bool) {
	args := r.Arguments(c)
	if len(args) == 0 {
		return x, false
	}
	x, ok = asked(r, c, args)
	x.URL, _, _ = strings.Cut(x.URL, " + abp.utils.buildQueryString(")
	if path, is := strings.CutPrefix(x.URL, "abp.appPath + "); is {
		x.URL = "'/' + " + path
	}
	return x, ok
}

// byNode reads http.get(url, done), and http.request(options), where the options contain the parts of the URL.
// It returns false for other calls.
func byNode(r *services.Reader, c *code.Call) (x services.Request, ok bool) {
	args := r.Arguments(c)
	if len(args) == 0 || folding.IsFunction(args[0]) {
		return x, false
	}
	object := objectOf(r, c, args[0])
	if object == "" {
		return asked(r, c, args)
	}
	host, path := folding.Property(object, "hostname"), folding.Property(object, "path")
	if host == "" {
		host = folding.Property(object, "host")
	}
	if path == "" {
		path = folding.Property(object, "pathname")
	}
	if host == "" || path == "" {
		return asked(r, c, args)
	}
	url := `"http://" + ` + host
	if port := folding.Property(object, "port"); port != "" && !strings.Contains(host, ":") {
		url += ` + ":" + ` + strings.Trim(port, `"'`)
		if strings.Trim(port, "0123456789\"'") == "" {
			url = `"http://" + ` + host + ` + ":` + strings.Trim(port, `"'`) + `"`
		}
	}
	method := folding.MethodOf(folding.Unquoted(folding.Property(object, "method")))
	return services.Request{Method: orGet(method), URL: url + " + " + path, Sure: true}, true
}

// byXHR reads xhr.open('GET', url) on an XMLHttpRequest. It returns false for other calls.
func byXHR(r *services.Reader, c *code.Call) (x services.Request, ok bool) {
	args := r.Arguments(c)
	if len(args) < 2 || folding.MethodOf(folding.Unquoted(args[0])) == "" {
		return x, false
	}
	value, _ := r.Lookup(folding.LastWord(c.Receiver), c.NameSpan.StartByte)
	if !strings.Contains(value, "XMLHttpRequest") && !strings.Contains(strings.ToLower(c.Receiver), "xhr") &&
		!strings.Contains(value, "ActiveXObject") {
		return x, false
	}
	return services.Request{Method: folding.MethodOf(folding.Unquoted(args[0])), URL: args[1], Sure: true}, true
}

// makers lists the methods that construct a client with a base address.
var makers = map[string]bool{"create": true, "extend": true, "defaults": true}

// keepInstance records the base address of the client that a call constructs. Files that import
// the client find it by this record.
func keepInstance(r *services.Reader, c *code.Call) {
	if c.Callee == "createApi" {
		base := queriesBelow(r, r.After(c))
		if base == "" { // createApi({ ...options() }), where a function of the file makes the query
			base = queriesBelow(r, r.Text)
		}
		if base != "" {
			r.KeepText(c.Caller, c.NameSpan, services.InstanceBase, base)
		}
	}
	if !makers[c.Callee] {
		return
	}
	n := namesOf(r)
	root := firstName(c.Receiver)
	if !n.library[root] && root != "axios" && root != "ky" && root != "got" && root != "$fetch" && root != "ofetch" {
		return
	}
	base := "/"
	for _, a := range r.Arguments(c) {
		object := objectOf(r, c, a)
		for _, key := range []string{"baseURL", "prefixUrl", "baseUrl", "prefix"} {
			if value := folding.Property(object, key); value != "" {
				base = r.Fold(value, c.NameSpan.StartByte)
			}
		}
	}
	r.KeepText(c.Caller, c.NameSpan, services.InstanceBase, base)
}

var (
	// defaultBase matches axios.defaults.baseURL = '/api'.
	defaultBase = regexp.MustCompile(`(?m)^[ \t]*(?:\w+\.)?(axios|Axios)\.defaults\.baseURL\s*=[^=]`)
	// fetcherOption matches the start of the fetcher that SWRConfig gives to all calls of useSWR.
	fetcherOption = regexp.MustCompile(`\bfetcher\s*:`)
)

// maxFetcher is the largest number of bytes of a fetcher.
const maxFetcher = 600

// readDefaultBases records the addresses that a file sets for all requests of a library: axios.defaults.baseURL =
// '/api', and <SWRConfig value={{fetcher: (key) => axios.get(key)}}>.
func readDefaultBases(r *services.Reader) {
	if strings.Contains(r.Text, ".defaults.baseURL") {
		for _, m := range r.Matches(defaultBase, 0, len(r.Text)) {
			value := r.Expression(m[1] - 1)
			if base := r.Fold(value, m[1]-1); value != "" {
				r.KeepDefaultBase(r.Around(m[0]), r.SpanAt(m[0]), "axios", base)
			}
		}
	}
	if !strings.Contains(r.Text, "SWRConfig") || !r.Imports("swr") {
		return
	}
	for _, m := range r.Matches(fetcherOption, 0, len(r.Text)) {
		for i := range r.File.Calls {
			c := &r.File.Calls[i]
			if c.NameSpan.StartByte < m[1] || c.NameSpan.StartByte > m[1]+maxFetcher {
				continue
			}
			x, ok := requestOf(r, c)
			if !ok {
				continue
			}
			base := strings.TrimSuffix(keyHole.ReplaceAllString(r.Fold(x.URL, c.NameSpan.StartByte), ""), "/")
			switch {
			case base == "" && x.Default != "":
				base = services.ByDefault + strings.TrimPrefix(x.Default, "?")
			case x.Base != "":
				base = folding.JoinURL(x.Base, base)
			case base == "":
				base = "/"
			}
			r.KeepDefaultBase(c.Caller, r.SpanAt(m[0]), "swr", base)
			break
		}
	}
}

// keyHole matches the key at the end of the URL that a fetcher requests: {url}, {#0:url}.
var keyHole = regexp.MustCompile(`\{[^{}]*\}$`)

// byDefault returns a request through a library that may have a default address in the service. A word without a
// slash, axios.get("orders"), is a request only if it has one.
func byDefault(x services.Request, library string) services.Request {
	x.Default = library
	if isWord(x.URL) && !isPathText(x.URL) {
		x.URL, x.Default = x.URL[:1]+"/"+x.URL[1:], "?"+library
	}
	return x
}

// byDapr reads client.invoker.invoke("stock", "items/7", HttpMethod.GET). It returns false for
// other calls.
func byDapr(r *services.Reader, c *code.Call) (x services.Request, ok bool) {
	args := r.Arguments(c)
	if len(args) < 2 {
		return x, false
	}
	x = services.Request{Method: "GET", URL: args[1], Base: "http://" + r.Fold(args[0], c.NameSpan.StartByte), Sure: true}
	if len(args) > 2 {
		x.Method = folding.MethodOf(args[2])
	}
	return x, true
}

// readInvoked records a method that other applications invoke through Dapr: server.invoker.listen("items", show,
// { method: HttpMethod.POST }). By default it is invoked by GET.
func readInvoked(r *services.Reader, c *code.Call) {
	args := r.Arguments(c)
	if len(args) < 2 {
		return
	}
	method := "GET"
	if len(args) > 2 {
		method = orGet(folding.MethodOf(folding.Property(objectOf(r, c, args[2]), "method")))
	}
	r.Route(c.Caller, c.NameSpan, method, "", "/"+strings.TrimPrefix(r.Fold(args[0], c.NameSpan.StartByte), "/"),
		handlerOf(args[1]))
}

var (
	// firstParameter matches a function up to the end of its first parameter: (url: string) of (url: string) => f(url).
	firstParameter = regexp.MustCompile(`^(?:async\s*)?(?:function\s*\w*\s*)?\(?\s*([A-Za-z_$][\w$]*)\s*[,:)=]`)
	// keyIfReady and keyAfter match a key that is null until it may be requested: ready ? "/tags" : null, and
	// ready && "/tags".
	keyIfReady = regexp.MustCompile(`(?s)^.*?\s\?\s+(.*?)\s*:\s*(?:null|undefined|false|"")$`)
	keyAfter   = regexp.MustCompile(`(?s)^.*&&\s*(.*)$`)
	// keyMaker matches the start of a function that returns a key: () => "/tags".
	keyMaker = regexp.MustCompile(`^\(\s*\)\s*=>\s*`)
)

// keyOfFetcher evaluates the parameter of a fetcher to the key of useSWR, which calls the fetcher with it: url to
// "/tags" in useSWR(ready ? "/tags" : null, (url) => api.get(url)). It returns false for any other expression.
func keyOfFetcher(r *services.Reader, expr string, at int, inner services.Folding) (string, bool) {
	if !r.Mentions("useSWR") || !isIdentifier(expr) {
		return "", false
	}
	calls := r.Enclosing(at, "useSWR", "useSWRImmutable")
	if len(calls) == 0 {
		return "", false
	}
	c := calls[len(calls)-1]
	args := r.Arguments(c)
	if len(args) < 2 || !folding.IsFunction(args[1]) {
		return "", false
	}
	m := firstParameter.FindStringSubmatch(args[1])
	from := strings.Index(r.Text[c.NameSpan.EndByte:], args[1]) + c.NameSpan.EndByte
	if m == nil || m[1] != expr || from < c.NameSpan.EndByte || at < from || at >= from+len(args[1]) {
		return "", false
	}
	text := inner(keyIn(args[0]), c.NameSpan.StartByte)
	return text, strings.Contains(text, "/")
}

// keyIn returns the key in the first argument of useSWR: "/tags" of ready ? "/tags" : null, of ready && "/tags", and of
// () => "/tags".
func keyIn(argument string) string {
	key := strings.TrimSpace(keyMaker.ReplaceAllString(argument, ""))
	if strings.HasPrefix(key, "(") && strings.HasSuffix(key, ")") {
		key = strings.TrimSpace(key[1 : len(key)-1])
	}
	for _, form := range []*regexp.Regexp{keyIfReady, keyAfter} {
		if m := form.FindStringSubmatch(key); m != nil && !strings.ContainsAny(key[:1], "`\"'[") {
			return m[1]
		}
	}
	return key
}

// isIdentifier reports whether an expression is a name without members.
func isIdentifier(expr string) bool { return identifierOnly.MatchString(expr) }

var identifierOnly = regexp.MustCompile(`^[A-Za-z_$][\w$]*$`)

// holdsPath reports whether an argument of a call is a variable that holds a path: url after const url = "/orders".
func holdsPath(r *services.Reader, c *code.Call, arg string) bool {
	return isIdentifier(arg) && strings.HasPrefix(r.Fold(arg, c.NameSpan.StartByte), "/")
}
