package services

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/services/folding"
	"sextant/l2meta/services/source"
	"sextant/l2meta/syntax"
)

// Reader extracts the routes, requests and messages of a file.
type Reader struct {
	*source.Source

	// State belongs to the rules of the language, which may keep in it what they found in the
	// file.
	State any

	out     []code.Fact
	inlines *inliner
}

// newReader returns a reader of f with the rules l.
func newReader(f *code.File, l *Idioms) *Reader {
	r := &Reader{Source: source.New(f, l.Arguments)}
	r.inlines = &inliner{Reader: r}
	return r
}

// maxPasses is the largest number of facts of one file about arguments of calls.
const maxPasses = 500

// httpEndpoints returns the facts of f about routes, requests and messages, and about values of names and arguments
// of calls that may be part of them.
func httpEndpoints(f *code.File, l *Idioms) []code.Fact {
	if f.Language == "html" && len(f.Calls) == 0 {
		return nil
	}
	r := newReader(f, l)
	d := r.Folder
	if l.Fold != nil {
		d.Hook = func(expr string, at, depth int) (string, bool) {
			return l.Fold(r, expr, at, func(inner string, at int) string { return d.Step(inner, at, depth+1) })
		}
	}
	r.out = d.Texts()
	passes, passing := 0, &passReader{r}
	for i := range f.Symbols {
		if s := &f.Symbols[i]; l.Annotated != nil && len(s.Annotations) > 0 && s.Kind.Callable() && r.Look() {
			l.Annotated(r, i)
		}
	}
	for i := range f.Calls {
		c := &f.Calls[i]
		if c.Kind == code.CallSuper && basedOn[c.Callee] && passes < maxPasses && r.Look() {
			passes += passing.keepPasses(c)
		}
		if c.Kind != code.CallPlain && c.Kind != code.CallNew {
			continue
		}
		r.keepPort(c, l)
		before := len(r.out)
		if l.mayBe(c.Callee) && r.Look() {
			if x, ok := l.request(r, c); ok {
				r.requestWays(c, x)
			} else if l.Routes != nil {
				l.Routes(r, c)
			}
		}
		if kept := len(r.out) > before; kept && !r.ofInstance(r.out[len(r.out)-1].Type) || passes == maxPasses {
			continue
		}
		passes += passing.keepPasses(c)
	}
	if l.Whole != nil {
		l.Whole(r)
	}
	r.answeredSubscriptions()
	r.calledBack()
	(&messageReader{r}).messageEndpoints(l)
	(&possibleReader{Reader: r}).possibleEnds()
	r.memberTopics()
	r.tabledHandlers()
	r.keepEntries()
	r.inlines.declareInline()
	return slices.DeleteFunc(r.out, func(f code.Fact) bool {
		return f.Name == l2meta.RoleFetch && strings.HasPrefix(f.Type, "?") && r.requested(&f) ||
			f.Name != l2meta.RoleText && strings.Contains(f.Type, builtBase) // a class that builds URLs requests none
	})
}

// requested reports whether the file certainly requests the URL of the fact passed, in the same
// symbol. passed records a call that may request that URL: URI("http://a/x") and the call that
// receives its result are one request.
func (r *Reader) requested(passed *code.Fact) bool {
	_, url, _ := strings.Cut(passed.Type, "\t")
	return slices.ContainsFunc(r.out, func(f code.Fact) bool {
		return f.Name == l2meta.RoleFetch && f.Owner == passed.Owner && f.Type != "" && f.Type[0] != '?' &&
			strings.HasSuffix(f.Type, "\t"+url)
	})
}

func (l *Idioms) request(r *Reader, c *code.Call) (Request, bool) {
	if l.Requests == nil {
		return Request{}, false
	}
	return l.Requests(r, c)
}

// mayBe reports whether calls of this name may add a route or send a request.
func (l *Idioms) mayBe(callee string) bool {
	for _, n := range l.Names {
		if start, open := strings.CutSuffix(n, "*"); open && strings.HasPrefix(callee, start) || n == callee {
			return true
		}
	}
	return Verb(callee) != ""
}

// request records the request of a call if its URL determines the destination; see leads.
func (r *Reader) request(c *code.Call, x Request) {
	url, owner := r.captured(c, x.URL)
	base := x.Base
	if base == "" && r.leads(url, x.Sure) {
		base = r.base(c)
	}
	open := x.Base != "" && (strings.HasPrefix(url, "{#") || pathMember.MatchString(url))
	if base != "" && !strings.Contains(url, "://") && (open || !strings.HasPrefix(url, "{")) {
		url = folding.JoinURL(base, url)
	}
	if url = r.throughSidecar(c, url); !r.leads(url, x.Sure) {
		return
	}
	if x.Method == "POST" {
		x.Method = cmp.Or(r.overridden(c), x.Method)
	}
	when := r.Folder.When(c.NameSpan.StartByte)
	if x.Default != "" && base == "" && !strings.Contains(url, "://") {
		when += "\t" + x.Default
	} else if strings.HasPrefix(x.Default, "?") {
		return
	}
	r.Keep(l2meta.RoleFetch, owner, c.NameSpan, x.Method, url, when)
}

// captured returns the URL of the request of a call, and the function that sends it. That is the one around the call,
// unless the URL depends on the parameters of a function outside of it alone, which hands the inner one to its callers:
// makeRequest(path) { return { send: () => fetch(base + path) } }.
func (r *Reader) captured(c *code.Call, expr string) (url string, owner int) {
	url, owner = folding.CleanURL(r.Fold(expr, c.NameSpan.StartByte)), c.Caller
	for inner := owner; inner >= 0 && strings.Contains(url, "{") && !asksParameter(url); {
		s := &r.File.Symbols[inner]
		outer := r.Folder.Function(s.Span.StartByte - 1)
		if !s.Kind.Callable() || outer < 0 || outer == inner {
			break
		}
		if text := folding.CleanURL(r.Fold(expr, s.Span.StartByte-1)); asksParameter(text) {
			return text, outer
		}
		inner = outer
	}
	return url, owner
}

// asksParameter reports whether a URL has a parameter, perhaps among the arguments of a call.
func asksParameter(url string) bool {
	return strings.Contains(url, "{#") || strings.Contains(url, "%7B%23")
}

// pathMember matches a URL that begins with a constant in an object of paths: {END_POINTS.orders}/{id}.
var pathMember = regexp.MustCompile(`^\{[A-Z][A-Z_]*\.\w+\}`)

// leads reports whether a URL, folded in its file, determines the destination of a request: by a
// path, a scheme, or a variable that holds an address. If the call is certainly a request (sure),
// a parameter suffices, or a name that another file may define.
func (r *Reader) leads(url string, sure bool) bool {
	_, behind, absolute := strings.Cut(url, "://")
	switch {
	case strings.ContainsAny(strings.Map(folding.DropHoles(), url), " \n\t\"'`<>|\\^") || len(url) > 400 ||
		url == "" || url == "{}":
		return false
	case absolute:
		return behind != "" && (strings.HasPrefix(url, "http") || strings.HasPrefix(url, "ws") ||
			strings.HasPrefix(url, "lb://") ||
			strings.HasPrefix(url, "{"))
	case strings.HasPrefix(url, "/"):
		return len(url) > 1 || sure
	case strings.HasPrefix(url, "{"):
		end := strings.IndexByte(url, '}')
		return strings.HasPrefix(url[end+1:], "/") || strings.HasPrefix(url, "{env:") ||
			sure && (strings.ContainsAny(url[:end+1], "#.(:") || strings.Contains(url, "{#") || r.Binds(url[1:end]) ||
				strings.HasPrefix(url[end+1:], "{")) && !strings.Contains(url, "...")
	}
	return sure && (strings.Contains(url, "/") || r.File.Language == "csharp")
}

// base returns the address with which the client of a call was constructed, such as baseURL in
// axios.create; "" if there is none.
func (r *Reader) base(c *code.Call) string {
	return r.BaseOf(folding.LastWord(c.Receiver), c.NameSpan.StartByte)
}

// BaseOf returns the address with which the client called name was constructed, "" if there is
// none. at is the byte offset of the use.
func (r *Reader) BaseOf(name string, at int) string {
	if name == "" {
		return ""
	}
	value, where := r.Lookup(name, at)
	for _, key := range []string{"baseURL:", "baseUrl:", "prefixUrl:", "base_url=", "BaseAddress =",
		".baseUrl(", "prefix_url:"} {
		if _, rest, ok := strings.Cut(value, key); ok {
			if parts := folding.ListItems(rest); len(parts) > 0 {
				return strings.TrimRight(folding.WithoutQuery(r.FoldFor(parts[0], where, at)), "/")
			}
		}
	}
	return ""
}

// Route records a route, unless its path contains characters that no URL path has, such as blanks
// and quotes. In Python it accepts them, because a path may be a regular expression. prefix is
// the path below which the route's router is mounted. handler is the expression of the handler;
// "" means that the symbol with the index owner handles the route. router is the variable to
// which the route is added; another file may mount that router.
func (r *Reader) Route(owner int, at code.Span, method, prefix, template, handler string, router ...string) {
	path := template
	if prefix != "" {
		path = folding.JoinURL(prefix, template)
	}
	if path == "" || path[0] != '/' {
		path = "/" + path
	}
	if strings.ContainsAny(path, " \n\t\"'`<>|\\^") && r.File.Language != "python" {
		return
	}
	handler = wrapped(handler)
	written := handler
	if handler = syntax.OneLine([]byte(handler[:min(len(handler), 200)])); folding.IsFunction(handler) {
		handler = "=>"
		if i := r.inline(at); i >= 0 {
			owner, handler = i, ""
		} else {
			r.inlines.noteInline(at, method, template, written)
		}
	}
	r.Keep(l2meta.RoleRoute, owner, at, method, path, handler+"\t"+strings.Join(router, ""))
}

// inline returns the symbol of an anonymous function that a call passes as the handler of a route, or -1. at is the
// position of the callee's name.
func (r *Reader) inline(at code.Span) (found int) {
	found = -1
	c := r.CallAt(at)
	if c == nil {
		return found
	}
	for i := range r.File.Symbols {
		s := &r.File.Symbols[i]
		within := s.Parent == c.Caller && s.NameSpan.StartByte >= at.StartByte && s.Span.EndByte <= c.Span.EndByte
		if within && (s.Kind == code.KindRoute || s.Kind == code.KindFunction) {
			found = i
		}
	}
	return found
}

// Mount records that the routes of a router are below a prefix. router is the expression of a variable or module,
// "()" for the function that the call at the position runs, "(orders.Routes)" for a function that an expression
// names, or "." for the whole application.
func (r *Reader) Mount(owner int, at code.Span, prefix, router string) {
	if prefix == "" || prefix[0] != '/' {
		prefix = "/" + prefix
	}
	if !strings.ContainsAny(prefix+router, " \n\t\"'`<>|\\^") {
		r.Keep(l2meta.RoleMount, owner, at, "", prefix, router)
	}
}

// MountOn records that the routes of a router, or of a quoted module, are below a prefix of the router on, which is
// in the same file: on.use("/x", router).
func (r *Reader) MountOn(c *code.Call, prefix, router, on string) {
	r.mountOn(c.Caller, c.NameSpan, prefix, router, on)
}

// MountAt records the same of a statement at the top of a file, such as urlpatterns = [*order_urls].
func (r *Reader) MountAt(at code.Span, prefix, router, on string) {
	r.mountOn(-1, at, prefix, router, on)
}

func (r *Reader) mountOn(owner int, at code.Span, prefix, router, on string) {
	if !strings.HasPrefix(prefix, "/") {
		prefix = "/" + prefix
	}
	router = syntax.OneLine([]byte(router[:min(len(router), 200)]))
	if !strings.ContainsAny(prefix, " \n\t\"'`<>|\\^") && router != "" {
		r.Keep(l2meta.RoleMount, owner, at, "", prefix, router+"\t"+on)
	}
}

// MayAddress reports whether the value of a name may be a part of an address, a topic or a queue, and is no secret.
func MayAddress(name, value string) bool {
	return !folding.NamesSecret(name) && (folding.MentionsAddress(name) || strings.Contains(value, "://"))
}

// InstanceBase is the name under which a file records, like a constant, the base address of the clients that it
// constructs: http://orders for axios.create({baseURL: "http://orders"}). "/" means that there is no base.
const InstanceBase = "instanceBase"

// Section is the name under which a file records, like a constant, a section of configuration that it binds to an
// object: Kafka for Configure<KafkaOptions>(configuration.GetSection("Kafka")).
const Section = "section"

// Bean returns the name under which a file records, like a constant, the topic or queue of an object that a framework
// injects. The argument is the name or the type by which the framework finds the object.
func Bean(name string) string { return "bean " + name }

// NetRPC is recorded as the broker of a call through Go's net/rpc: client.Call("Server.Log", …).
// Such a call is joined with its handler like a message, by the names of a type and its method.
// Registered is the name under which a file records the types that it registers for such calls, as
// "Name/Type".
const (
	NetRPC     = "net/rpc"
	Registered = "rpcRegistered"
)

// Erlang is recorded as the broker of a call of a process that all nodes of an Erlang cluster know,
// "accounts.register/1", ErlangRPC as that of a call of a function of another node, "Shop.Accounts.register".
const (
	Erlang    = "erlang"
	ErlangRPC = "erlang-rpc"
)

// ofInstance reports whether the text of a fact, such as "GET\t{?store.instanceBase}/x", is that of a request through
// a client that another file may construct.
func (r *Reader) ofInstance(text string) bool {
	return strings.Contains(text, "\t{?") || strings.Contains(text, "\t{!")
}

// These constants are the three ways in which a type uses the routes that its bases declare: it
// serves them, it requests them, or it only declares its own.
const (
	Serves   = "SERVES"
	Asks     = "ASKS"
	Declares = "DECLARES"
)

// Heirs is recorded as the handler of a route that the declaring type does not serve itself, only its subtypes.
const Heirs = "heirs"

// KeepDefaultBase records the address below which a library requests all relative URLs of the service:
// axios.defaults.baseURL = "/api". base may be ByDefault with the name of another library, whose requests it makes.
func (r *Reader) KeepDefaultBase(owner int, at code.Span, library, base string) {
	r.KeepText(owner, at, library+DefaultBase, base)
}

// DefaultBase ends the name under which KeepDefaultBase records an address; ByDefault begins an address that is the
// default of another library: "=axios".
const (
	DefaultBase = ".defaultBase"
	ByDefault   = "="
)

// KeepInherit records how a type uses the routes of its bases: does is Serves, Asks or Declares. address is the base
// address of a client. prefixes are the path prefixes of the type's own routes; if there are none, the prefixes of
// its bases apply.
func (r *Reader) KeepInherit(class int, does, address string, prefixes ...string) {
	if len(prefixes) == 0 {
		prefixes = []string{""}
	}
	for _, p := range prefixes {
		if does == Asks {
			p = address + "\t" + p
		}
		r.Keep(l2meta.RoleInherit, class, r.File.Symbols[class].NameSpan, does, p, "")
	}
}

// KeepText records that a name of the file, declared in the symbol owner, has a text as its value: ORDERS =
// "/orders".
func (r *Reader) KeepText(owner int, at code.Span, name, text string) {
	r.out = append(r.out, code.Fact{Kind: code.FactEndpoint, Owner: owner, Name: l2meta.RoleText,
		Type: name + "\t" + text, Span: at})
}

// RebindText records a value as KeepText does, and drops the values that the name had in the same symbol before.
func (r *Reader) RebindText(owner int, at code.Span, name, text string) {
	r.out = slices.DeleteFunc(r.out, func(f code.Fact) bool {
		return f.Name == l2meta.RoleText && f.Owner == owner && strings.HasPrefix(f.Type, name+"\t")
	})
	r.KeepText(owner, at, name, text)
}

// Keep records a fact of a role such as l2meta.RoleRoute, with the text "METHOD path handler",
// separated by tabs. For an empty method it records "*", which means any method. For a request to
// a Dapr sidecar that publishes a message, Keep records the message instead.
func (r *Reader) Keep(role string, owner int, at code.Span, method, path, handler string) {
	if role == l2meta.RoleFetch && !strings.HasPrefix(method, "?") && r.published(owner, at, path) {
		return
	}
	if method == "" {
		method = "*"
	}
	text := strings.TrimSpace(strings.ToUpper(method) + "\t" + path + "\t" + handler)
	r.out = append(r.out, code.Fact{Kind: code.FactEndpoint, Owner: owner, Name: role, Type: text, Span: at})
}

// Kept returns the facts recorded so far, the statements about routes, requests and messages of the file. The slice
// must not be modified.
func (r *Reader) Kept() []code.Fact { return r.out }

// Add records a fact unchanged.
func (r *Reader) Add(f code.Fact) { r.out = append(r.out, f) }

// GetUnlessGiven is the method of fetch(url, options) in a function whose callers pass the options:
// GET, unless a caller passes options with another method.
const GetUnlessGiven = "GET*"

// Verb returns the HTTP method that a callee's name equals or starts with, or "": "getForObject",
// "PostAsJsonAsync".
func Verb(callee string) string {
	for _, m := range folding.Methods {
		if len(callee) >= len(m) && strings.EqualFold(callee[:len(m)], m) {
			return m
		}
	}
	return ""
}

// PlainVerb returns the HTTP method that a callee's name equals, or "".
func PlainVerb(callee string) string {
	if m := Verb(callee); len(m) == len(callee) {
		return m
	}
	return ""
}
