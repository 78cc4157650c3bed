package ruby

import (
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// idioms describes how Ruby programs serve routes, make requests and exchange messages.
var idioms = &services.Idioms{
	Names: []string{"execute", "open", "request", "Request", "run_request", "send_request",
		"resources", "resource", "root", "match", "mount", "mount_proc", "map", "run", "concerns", "on", "is"},
	Requests:  requestOf,
	Routes:    readRoutes,
	Arguments: arguments,
	Messages:  messages,
}

var (
	httpClients = []string{"HTTParty", "Faraday", "RestClient", "HTTP", "Excon", "Typhoeus"}
	// made matches the start of an expression that constructs a client, up to its arguments.
	made = regexp.MustCompile(
		`\b(Faraday(?:::Connection)?\.new|HTTP\.persistent|RestClient::Resource\.new|Net::HTTP\.(?:new|start)|Excon\.new)\b`)
	// located matches members of a URI object that read it, or the part of it that a request
	// needs: uri.request_uri.
	located = regexp.MustCompile(`\.(?:request_uri|path|to_s|to_str|normalize)$`)
	// hosted matches the host of a URI object: uri.host.
	hosted = regexp.MustCompile(`\.(?:host|hostname)$`)
	// blocked matches the text before the URL in a block that sets the URL of its request:
	// req.url '/x'.
	blocked = regexp.MustCompile(`(?:\.url|\.path\s*=)[\s(]\s*`)
	baseURI = regexp.MustCompile(`(?m)^\s*base_uri[\s(]+([^\n]+?)\)?\s*$`)
)

func requestOf(r *services.Reader, c *code.Call) (x services.Request, ok bool) {
	behind := r.After(c)
	if c.Kind == code.CallNew {
		behind = strings.TrimPrefix(behind, ".new")
	}
	args := arguments(behind)
	at := c.NameSpan.StartByte
	method := methodOf(c.Callee)
	receiver := r.Receiver(c)
	switch {
	case c.Receiver == "Net::HTTP" || c.Kind == code.CallNew && c.Receiver == "Net::HTTP":
		return byNetHTTP(r, c, method, args)
	case c.Kind == code.CallNew:
		return x, false
	case c.Callee == "execute" && c.Receiver == "RestClient::Request":
		return services.Request{Method: folding.MethodOf(text(option(args, "method"))), URL: option(args, "url"),
			Sure: true}, true
	case c.Callee == "open" && (c.Receiver == "URI" || c.Receiver == "" && opensURLs(r)) && len(args) > 0:
		return services.Request{Method: "GET", URL: args[0], Sure: c.Receiver == "URI"}, true
	case (c.Callee == "run_request" || c.Callee == "send_request") && len(args) > 1:
		method, args = folding.MethodOf(text(args[0])), args[1:]
	case c.Callee == "request" && len(args) > 1: // HTTP.request(:get, url)
		method, args = folding.MethodOf(text(args[0])), args[1:]
	}
	if method == "" {
		return x, false
	}
	if base, party := partyBase(r, c); party {
		if len(args) == 0 {
			return x, false
		}
		return services.Request{Method: method, URL: args[0], Base: base, Sure: true}, true
	}
	root, _ := folding.Chain(receiver)
	base, client := baseOf(r, c, receiver, at)
	for _, name := range httpClients {
		client = client || root == name
	}
	url := urlOf(r, c, args)
	// the client comes from a base class, or from the class that includes the module
	if !client && isForeign(r, c) && relative.MatchString(url) {
		client, base = true, "{!"+folding.LastWord(receiver)+"."+services.InstanceBase+"}"
	}
	switch {
	case !client:
		return x, false
	case strings.Contains(receiver, "RestClient::Resource") || strings.HasSuffix(receiver, "]") && base != "":
		return services.Request{Method: method, URL: quote(folding.JoinURL(base, indexed(r, receiver, at))),
			Sure: true}, base != ""
	case url == "":
		return x, false
	default:
		return services.Request{Method: method, URL: wholeOf(url), Base: base, Sure: true}, true
	}
}

var (
	// ofOthers matches the names of clients that a module gets from the class that includes it, or a class from its
	// base class.
	ofOthers = regexp.MustCompile(`^@?_?(?:connection|conn|faraday|http_client|http|rest_client)$`)
	// relative matches a string literal that is a path without a host: '/orders', "orders/#{id}".
	relative = regexp.MustCompile("^[\"'](?:/|[a-z][\\w-]*(?:/|[\"'#?]))[^\\s]*$")
)

// isForeign reports whether the receiver of a call is named like a client but is not defined in its file.
func isForeign(r *services.Reader, c *code.Call) bool {
	if !ofOthers.MatchString(c.Receiver) {
		return false
	}
	name := folding.LastWord(c.Receiver)
	value, _ := r.Lookup(name, c.NameSpan.StartByte)
	return value == "" && !r.Declares(name)
}

// methodOf returns the HTTP method that a client's method is named after, or "": get, get_response,
// Post of Net::HTTP::Post.
func methodOf(callee string) string {
	callee = strings.TrimSuffix(strings.TrimSuffix(callee, "_response"), "_form")
	return services.PlainVerb(strings.TrimSuffix(callee, "!"))
}

// opensURLs reports whether open accepts URLs in a file: it does if the file requires open-uri.
func opensURLs(r *services.Reader) bool { return r.Imports("open-uri") }

// urlOf returns the expression of the URL of a request: the first argument, or the URL that is set in the block:
// post { |req| req.url '/x' }. It returns "" if there is none.
func urlOf(r *services.Reader, c *code.Call, args []string) string {
	if len(args) > 0 && !strings.HasPrefix(args[0], "&") {
		return args[0]
	}
	block := r.After(c)
	if m := blocked.FindStringIndex(block); m != nil {
		if given := arguments(" " + block[m[1]:]); len(given) > 0 {
			return strings.TrimSuffix(given[0], ")")
		}
	}
	return ""
}

// byNetHTTP reads Net::HTTP.get(uri) and Net::HTTP.get(host, path). It also reads Net::HTTP::Post.new(uri), which a
// connection sends. It returns false for other calls.
func byNetHTTP(r *services.Reader, c *code.Call, method string, args []string) (x services.Request, ok bool) {
	at := c.NameSpan.StartByte
	if method == "" || len(args) == 0 {
		return x, false
	}
	url := wholeOf(args[0])
	x = services.Request{Method: method, URL: url, Sure: true}
	if c.Kind == code.CallNew {
		x.Base, _ = connection(r, at)
		return x, true
	}
	if folded := r.Fold(url, at); len(args) > 1 && !strings.Contains(folded, "://") &&
		strings.HasPrefix(r.Fold(args[1], at), "/") {
		x.URL = quote("http://" + folded + r.Fold(args[1], at))
	}
	return x, true
}

// wholeOf returns the URI in an expression that selects a part of it: uri for uri.request_uri.
func wholeOf(expr string) string { return located.ReplaceAllString(expr, "") }

// connection returns the address of the last connection that is constructed before a byte offset in
// the same function. If there is none, it returns the address of the first one after the offset. It
// returns false if there is none either.
func connection(r *services.Reader, at int) (base string, ok bool) {
	from, to := 0, len(r.Text)
	if own := r.Around(at); own >= 0 {
		from, to = r.File.Symbols[own].Span.StartByte, r.File.Symbols[own].Span.EndByte
	}
	best := -1
	for _, m := range r.Matches(made, from, to) {
		if best < 0 || m[0] < at {
			best = m[0]
		}
	}
	if best < 0 {
		return "", false
	}
	return madeWith(r, r.Text[best:], best, at)
}

// baseOf returns the base address of the client that receives a call; ok is false if the receiver
// is no client. It looks for the construction of the client in the receiver itself, in the
// assignment of its variable, and in a method of that name.
func baseOf(r *services.Reader, c *code.Call, receiver string, at int) (base string, ok bool) {
	if m := made.FindStringIndex(receiver); m != nil {
		return madeWith(r, receiver[m[0]:], at, at)
	}
	root, _ := folding.Chain(receiver)
	root, _, _ = strings.Cut(root, "[")
	name := folding.LastWord(root)
	if value, where := r.Lookup(name, at); value != "" {
		if m := made.FindStringIndex(value); m != nil {
			return madeWith(r, value[m[0]:], where, at)
		}
		return "", false
	}
	for i := range r.File.Symbols {
		s := &r.File.Symbols[i]
		if s.Name != name || !s.Kind.Callable() {
			continue
		}
		body := r.Text[s.Span.StartByte:s.Span.EndByte]
		if m := made.FindStringIndex(body); m != nil {
			return madeWith(r, body[m[0]:], s.Span.StartByte+m[0], at)
		}
	}
	// the block of a connection: Net::HTTP.start(host) do |http|
	for _, outer := range r.Enclosing(at, "start", "HTTP") {
		text := r.Text[outer.Span.StartByte:outer.Span.EndByte]
		if m := made.FindStringIndex(text); m != nil && m[0] == 0 &&
			strings.Contains(text[:min(len(text), 200)], "|"+name+"|") {
			return madeWith(r, text, outer.NameSpan.StartByte, at)
		}
	}
	return "", false
}

// madeWith returns the address that is passed to the constructor at the start of call, which is at
// the byte offset at, for a use at another one. It returns "" and true for a constructor without an
// address, and false for a constructor of Net::HTTP without arguments.
func madeWith(r *services.Reader, call string, at, used int) (base string, ok bool) {
	m := made.FindStringIndex(call)
	args := arguments(call[m[1]:])
	if !strings.HasPrefix(call, "Net::HTTP") {
		url := option(args, "url")
		if url == "" && len(args) > 0 && !strings.Contains(args[0], ": ") && !strings.Contains(args[0], "=>") {
			url = args[0]
		}
		if url == "" {
			return "", true
		}
		return strings.TrimSuffix(r.FoldFor(url, at, used), "/"), true
	}
	if len(args) == 0 {
		return "", false
	}
	// the arguments are parts of a URI: Net::HTTP.new(uri.host, uri.port)
	if whole := hosted.ReplaceAllString(args[0], ""); whole != args[0] {
		return hostOf(r.FoldFor(whole, at, used)), true
	}
	base = "http://" + r.FoldFor(args[0], at, used)
	if len(args) > 1 && strings.Trim(args[1], "0123456789") == "" {
		base += ":" + args[1]
	} else if len(args) > 1 && !strings.Contains(args[1], ":") {
		base += ":" + r.FoldFor(args[1], at, used)
	}
	return base, true
}

// hostOf returns the scheme and the host of a URL.
func hostOf(url string) string {
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok {
		return url
	}
	host, _, _ := strings.Cut(rest, "/")
	return scheme + "://" + host
}

// indexed returns the path by which a RestClient resource is indexed: /orders for site['/orders'].
// It returns "" for other receivers.
func indexed(r *services.Reader, receiver string, at int) string {
	if i := strings.LastIndexByte(receiver, '['); i >= 0 && strings.HasSuffix(receiver, "]") {
		return r.Fold(receiver[i+1:len(receiver)-1], at)
	}
	return ""
}

// partyBase returns the base address of a class that includes HTTParty: the class that contains a
// call, or on which the call is made. ok is false if there is no such class.
func partyBase(r *services.Reader, c *code.Call) (base string, ok bool) {
	if !strings.Contains(r.Text, "include HTTParty") && !strings.Contains(r.Text, "include ::HTTParty") {
		return "", false
	}
	for i := range r.File.Symbols {
		s := &r.File.Symbols[i]
		if s.Kind != code.KindClass && s.Kind != code.KindModule {
			continue
		}
		within := s.Span.Contains(c.Span) && (c.Receiver == "" || c.Receiver == "self.class" || c.Receiver == "self")
		body := r.Text[s.Span.StartByte:s.Span.EndByte]
		if !within && c.Receiver != s.Name || !strings.Contains(body, "HTTParty") {
			continue
		}
		if m := baseURI.FindStringSubmatchIndex(body); m != nil {
			base = strings.TrimSuffix(r.Fold(body[m[2]:m[3]], s.Span.StartByte+m[2]), "/")
			if !strings.Contains(base, "://") && !strings.HasPrefix(base, "{") {
				base = "http://" + base
			}
		}
		return base, true
	}
	return "", false
}

// quote converts an evaluated text to a Ruby string literal, so that it can be used as an
// expression.
func quote(folded string) string { return "'" + folded + "'" }
