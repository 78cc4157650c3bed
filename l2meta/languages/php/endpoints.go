package php

import (
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// idioms describes how PHP programs serve routes, make requests and exchange messages.
var idioms = &services.Idioms{
	Names: []string{"request*", "send", "Request", "curl_init", "curl_setopt*", "file_get_contents", "fopen",
		"any", "match", "map", "addRoute", "resource", "apiResource", "resources", "apiResources", "singleton",
		"apiSingleton", "view", "group", "setBasePath", "withRouting"},
	Requests: requestOf,
	Routes:   readRoutes,
	Whole: func(r *services.Reader) {
		readControllers(r)
		readIncluded(r)
		readConfig(r)
		readDynamic(r)
		readJobs(r)
	},
	Messages:  messages,
	Listeners: listeners,
}

func requestOf(r *services.Reader, c *code.Call) (x services.Request, ok bool) {
	args := r.Arguments(c)
	if c.Receiver == "" && c.Kind == code.CallPlain {
		return byFunction(r, c, args)
	}
	if c.Kind == code.CallNew { // new Request('GET', $url), which a client sends later
		sent := c.Callee == "Request" && len(args) > 1 && len(aliasesOf(r, `GuzzleHttp\Psr7\Request`)) > 0 &&
			folding.MethodOf(plain(args[0])) != ""
		if !sent {
			return x, false
		}
		return services.Request{Method: folding.MethodOf(plain(args[0])), URL: args[1], Sure: true}, true
	}
	name := strings.TrimSuffix(c.Callee, "Async")
	method := services.PlainVerb(name)
	if (name == "request" || name == "send") && len(args) > 1 {
		if method = folding.MethodOf(plain(args[0])); method == "" && (name == "send" || isText(args[0])) {
			return x, false
		}
		args = args[1:]
	} else if method == "" {
		return x, false
	}
	client, sure := clientOf(r, c)
	if !client || len(args) == 0 || slices.ContainsFunc(args, isClosure) {
		return x, false
	}
	x = services.Request{Method: method, URL: args[0], Sure: sure}
	base, joins := baseOf(r, c)
	if base == "" || strings.Contains(r.Fold(x.URL, c.NameSpan.StartByte), "://") {
		return x, true
	}
	if !joins {
		base = resolved(base, r.Fold(x.URL, c.NameSpan.StartByte))
	}
	x.Base = base
	return x, true
}

// resolved returns the start of a URI that a base URL and a reference make, up to the reference's
// path, by RFC 3986. For /x, whose leading slash replaces the path of the base, it returns
// `http://a` of `http://a/b/c`. For x, which replaces the last segment, it returns `http://a/b`.
func resolved(base, reference string) string {
	scheme, rest, ok := strings.Cut(base, "://")
	host, path, deep := strings.Cut(rest, "/")
	if !ok || !deep {
		return base
	}
	if strings.HasPrefix(reference, "/") {
		return scheme + "://" + host
	}
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		return scheme + "://" + host + "/" + path[:i]
	}
	return scheme + "://" + host
}

// isClosure reports whether an argument is an anonymous function. A call with such an argument
// declares a route and makes no request.
func isClosure(arg string) bool {
	arg = strings.TrimPrefix(arg, "static ")
	return strings.HasPrefix(arg, "function") || strings.HasPrefix(arg, "fn")
}

// aliasesOf returns the names under which a file imports a class.
func aliasesOf(r *services.Reader, class string) (names []string) {
	dotted := strings.ReplaceAll(class, `\`, ".")
	for i := range r.File.Imports {
		m := &r.File.Imports[i]
		whole := strings.Trim(strings.ReplaceAll(m.Module, `\`, "."), ".")
		if whole != dotted && whole+"."+m.Name != dotted {
			continue
		}
		name := m.Alias
		if name == "" {
			name = class[strings.LastIndexByte(class, '\\')+1:]
		}
		names = append(names, name)
	}
	return names
}

// clientTypes lists the classes of HTTP clients whose methods named after HTTP methods send
// requests: $client->get($url).
var clientTypes = []string{`GuzzleHttp\Client`, `GuzzleHttp\ClientInterface`,
	`Symfony\Contracts\HttpClient\HttpClientInterface`,
	`Symfony\Component\HttpClient\HttpClient`, `Illuminate\Http\Client\PendingRequest`,
	`Illuminate\Http\Client\Factory`}

// clientOf reports whether the receiver of a call is an HTTP client. sure is true if the receiver's
// type or construction shows it, and false if only its name does.
func clientOf(r *services.Reader, c *code.Call) (client, sure bool) {
	receiver := r.Receiver(c)
	root, _ := folding.Chain(receiver)
	if root == "Http" || strings.HasSuffix(root, `\Http`) || strings.HasPrefix(receiver, "Http::") {
		return true, true
	}
	makers := makersOf(r)
	if r.Speaks(c, nil, makers) || madeIn(receiver, makers) {
		return true, true
	}
	if body, _ := methodBody(r, receiver); madeIn(body, makers) {
		return true, true
	}
	return r.Speaks(c, []string{"$client", "$http", "client", "http", "httpClient", "$httpClient", "guzzle",
		"$guzzle"}, nil), false
}

// makersOf returns texts that occur in the expressions and types with which the file constructs
// or declares a client.
func makersOf(r *services.Reader) []string {
	if known, ok := r.State.([]string); ok {
		return known
	}
	makers := []string{"HttpClientInterface", "PendingRequest", `GuzzleHttp\Client`, "HttpClient::create",
		"httpClient(", "HttpClientFactory", "Http::baseUrl", "Http::with", "Http::acceptJson"}
	for _, class := range clientTypes {
		for _, alias := range aliasesOf(r, class) {
			makers = append(makers, "new "+alias+"(", " "+alias+" ", "?"+alias+" ", alias+"::create",
				alias+"::forBaseUri")
		}
	}
	slices.Sort(makers)
	makers = slices.Compact(makers)
	r.State = makers
	return makers
}

func madeIn(text string, makers []string) bool {
	return slices.ContainsFunc(makers, func(m string) bool { return strings.Contains(text, m) })
}

// methodBody returns the body of the method that is called last in a receiver, and the body's
// offset: the body of client for $this->client() in $this->client()->get('/x'). The body is "" if
// the file does not declare the method.
func methodBody(r *services.Reader, receiver string) (body string, at int) {
	_, steps := folding.Chain(receiver)
	if len(steps) == 0 {
		return "", 0
	}
	for i := range r.File.Symbols {
		if s := &r.File.Symbols[i]; s.Kind.Callable() && s.Name == steps[len(steps)-1].Name {
			return r.Text[s.Span.StartByte:s.Span.EndByte], s.Span.StartByte
		}
	}
	return "", 0
}

var based = regexp.MustCompile(`['"](?:base_uri|base_url)['"]\s*=>\s*|\b(createForBaseUri|forBaseUri|baseUrl)\(\s*`)

// baseOf returns the base address of the client of a call, "" if it has none. joins is true if a
// path is appended to that address, as in Laravel, and false if it is resolved against the address
// as a URI reference.
func baseOf(r *services.Reader, c *code.Call) (base string, joins bool) {
	at := c.NameSpan.StartByte
	receiver := r.Receiver(c)
	value, where := r.Lookup(folding.LastWord(receiver), at)
	if value == "" && strings.HasPrefix(receiver, "$") && !strings.Contains(receiver, "->") {
		value, where = r.Lookup(receiver, at)
	}
	body, inside := methodBody(r, receiver)
	for _, made := range []struct {
		text string
		at   int
	}{{receiver, at}, {value, where}, {body, inside}} {
		m := based.FindStringSubmatchIndex(made.text)
		if m == nil {
			continue
		}
		items := folding.ListItems(made.text[m[1]:])
		called := ""
		if m[2] >= 0 {
			called = made.text[m[2]:m[3]]
		}
		if called == "forBaseUri" && len(items) > 1 {
			items = items[1:]
		}
		if len(items) > 0 {
			base := strings.TrimSuffix(r.FoldFor(items[0], made.at, at), "/")
			if called != "baseUrl" && strings.HasSuffix(strings.Trim(items[0], `'"`), "/") {
				base += "/"
			}
			return base, called == "baseUrl"
		}
	}
	return "", false
}

// plain returns the content of a string literal. It returns any other expression unchanged.
func plain(arg string) string { return folding.Unquoted(arg) }

func isText(arg string) bool {
	_, ok := folding.Quoted(arg)
	return ok
}

// entry returns the value of a key in an array literal: 'POST' for the key 'method' of ['method'
// => 'POST'], and 1 for X of array(X => 1). It returns "" if the array lacks the key.
func entry(array, key string) string {
	for _, item := range items(array) {
		if name, value, ok := strings.Cut(item, "=>"); ok && plain(strings.TrimSpace(name)) == key {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// items returns the elements of an array literal as written; nil for any other expression.
func items(array string) []string {
	if inner, ok := strings.CutPrefix(array, "["); ok {
		return folding.ListItems(inner)
	}
	if inner, ok := strings.CutPrefix(array, "array("); ok {
		return folding.ListItems(inner)
	}
	return nil
}
