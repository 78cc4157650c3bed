package csharp

import (
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

var (
	givenTo   = regexp.MustCompile(`(\w+)\s*=\s*(?:new\s*)?$`)
	setInside = regexp.MustCompile(`\b(Method|RequestUri)\s*=\s*`)
	typeNames = regexp.MustCompile(`typeof\((?:\w+\.)*(\w+)\)`)
)

// messageRequest reads new HttpRequestMessage(HttpMethod.Get, url), which a client sends. The method and the URL
// may also be set as properties afterwards. It returns false if the URL is not set.
func messageRequest(r *services.Reader, c *code.Call, args []string) (x services.Request, ok bool) {
	x = services.Request{Sure: true}
	if len(args) > 1 {
		x.Method, x.URL = folding.MethodOf(args[0]), args[1]
	} else {
		block := r.Text[c.NameSpan.EndByte:min(len(r.Text), c.NameSpan.EndByte+600)]
		block, _, _ = strings.Cut(block, ";")
		for _, m := range setInside.FindAllStringSubmatchIndex(block, -1) {
			value := folding.ListItems(block[m[1]:])
			if len(value) == 0 {
				continue
			}
			if block[m[2]:m[3]] == "Method" {
				x.Method = folding.MethodOf(value[0])
			} else {
				x.URL = value[0]
			}
		}
		if len(args) == 1 && x.Method == "" {
			x.Method = folding.MethodOf(args[0])
		}
	}
	if x.URL == "" {
		return x, false
	}
	if send := sender(r, c, "Send"); send != nil {
		x.Base = clientBase(r, send)
	}
	x.URL = relative(r, c, x.URL)
	return x, true
}

// sentMessage reads client.SendAsync(message), where the URL is set after the construction of the message:
// message.RequestUri = new Uri(url). If a switch sets several methods, the method is unknown. It returns
// false for other calls.
func sentMessage(r *services.Reader, c *code.Call, args []string) (x services.Request, ok bool) {
	if len(args) == 0 || !r.Mentions(args[0]+".RequestUri") {
		return x, false
	}
	method := "GET"
	for i, t := range r.Described(args[0], c.NameSpan.StartByte) {
		switch m := folding.MethodOf(t.Value); {
		case t.Name == "RequestUri":
			x.URL = t.Value
		case t.Name == "Method" && (i > 0 && method != "GET" && m != method || m == ""):
			method = ""
		case t.Name == "Method" && method != "":
			method = m
		}
	}
	x.Method, x.Base, x.Sure = method, clientBase(r, c), true
	return x, x.URL != ""
}

// sender returns the call to which the result of call c is passed, directly or through a variable:
// client.SendAsync(request) for var request = new HttpRequestMessage(…). Its name must begin with one of
// the texts in start. It returns nil if there is none.
func sender(r *services.Reader, c *code.Call, start ...string) *code.Call {
	before := strings.TrimRight(r.Text[max(0, c.Span.StartByte-120):c.Span.StartByte], " \t\r\n")
	name := ""
	if m := givenTo.FindStringSubmatch(before); m != nil {
		name = m[1]
	}
	for i := range r.File.Calls {
		send := &r.File.Calls[i]
		if send.Caller != c.Caller || send.NameSpan.StartByte == c.NameSpan.StartByte {
			continue
		}
		for _, s := range start {
			within := send.Span.StartByte < c.Span.StartByte && c.Span.EndByte <= send.Span.EndByte
			if args := r.Arguments(send); strings.HasPrefix(send.Callee, s) && len(args) > 0 &&
				(name != "" && args[0] == name || within && name == "") {
				return send
			}
		}
	}
	return nil
}

// restRequest reads RestSharp's new RestRequest("items/{id}", Method.Post), which a client
// executes. It returns false without arguments.
func restRequest(r *services.Reader, c *code.Call, args []string) (x services.Request, ok bool) {
	if len(args) == 0 {
		return x, false
	}
	x = services.Request{Sure: true}
	if send := sender(r, c, "Execute", "Get", "Post", "Put", "Delete", "Patch", "Head"); send != nil {
		x.Base = clientBase(r, send)
		x.Method = services.Verb(strings.TrimPrefix(send.Callee, "Execute"))
	}
	for _, a := range args[1:] {
		if m := folding.MethodOf(a); m != "" {
			x.Method = m
		}
	}
	if x.Method == "" {
		x.Method = "GET" // RestSharp's default
	}
	x.URL = relative(r, c, args[0])
	return x, true
}

// daprRequest reads dapr.InvokeMethodAsync(HttpMethod.Get, "stock", "items/7"). It returns false
// for other calls.
func daprRequest(r *services.Reader, c *code.Call, args []string) (x services.Request, ok bool) {
	x = services.Request{Method: "POST", Sure: true}
	if len(args) > 0 && folding.MethodOf(args[0]) != "" {
		x.Method, args = folding.MethodOf(args[0]), args[1:]
	}
	if len(args) < 2 {
		return x, false
	}
	app := r.Fold(args[0], c.NameSpan.StartByte)
	if app == "" || strings.ContainsAny(app, " \"") {
		return x, false
	}
	x.URL, x.Base = args[1], "http://"+app
	return x, true
}

// isFlurl reports whether call c ends a chain of the Flurl library, which starts with a string, a Url or a
// request of a client: "http://stock".AppendPathSegment("items").GetAsync().
func isFlurl(r *services.Reader, c *code.Call) bool {
	root, steps := folding.Chain(r.Receiver(c))
	for _, s := range steps {
		if s.Name == "AppendPathSegment" || s.Name == "AppendPathSegments" {
			return true
		}
	}
	flurl := false
	for i := range r.File.Imports {
		flurl = flurl || strings.HasPrefix(r.File.Imports[i].Module, "Flurl")
	}
	if !flurl || len(steps) == 0 && root == "" {
		return false
	}
	return strings.HasPrefix(root, `"`) || strings.HasPrefix(root, "$") ||
		len(steps) > 0 && steps[0].Name == "Request" || !isClient(r, c)
}

var (
	// sectionValue matches an expression that reads a setting from a section:
	// config.GetSection("A").GetValue<string>("B").
	sectionValue = regexp.MustCompile(
		`^[\w.]+\.GetSection\("([\w:.]+)"\)(?:\.GetValue<string>\("([\w:.]+)"\)|\["([\w:.]+)"\])!?$`)
	nameOf = regexp.MustCompile(`^nameof\((?:\w+\.)*(\w+)\)$`)
)

// foldURL evaluates an expression that constructs a URL by Flurl, Uri or UriBuilder, as far as
// the file determines it: http://a/b for new Uri(new Uri("http://a"), "b"). It returns false for
// any other expression.
func foldURL(r *services.Reader, expr string, at int, inner services.Folding) (string, bool) {
	if rest, ok := strings.CutSuffix(expr, ".Uri"); ok {
		return inner(rest, at), true
	}
	if rest, ok := strings.CutSuffix(expr, ".PathAndQuery"); ok {
		return pathOf(inner(rest, at)), true
	}
	if m := sectionValue.FindStringSubmatch(expr); m != nil {
		return folding.SettingHole(m[1]+":"+m[2]+m[3], ""), true
	}
	if m := nameOf.FindStringSubmatch(expr); m != nil {
		return m[1], true
	}
	root, steps := folding.Chain(expr)
	if len(steps) == 0 {
		return builtURL(r, expr, at, inner)
	}
	out := root
	switch first := steps[0]; {
	case first.Name == "Uri" && len(first.Args) == 2 && root == "":
		return folding.JoinURL(inner(first.Args[0], at), inner(first.Args[1], at)), len(steps) == 1
	case first.Name == "UriBuilder" && root == "" && len(first.Args) > 0 &&
		(len(first.Args) == 1 || strings.HasPrefix(first.Args[1], "{")):
		out := inner(first.Args[0], at)
		if len(first.Args) > 1 { // an object initializer: new UriBuilder(url) { Path = "/items" }
			for _, item := range folding.ListItems(first.Args[1][1:]) {
				if path := folding.Keyword([]string{item}, "Path"); path != "" {
					out = folding.JoinURL(out, inner(path, at))
				}
			}
		}
		return out, true
	case first.Name == "UriBuilder" && len(first.Args) > 1 && root == "":
		out := "http://" + inner(first.Args[1], at)
		if len(first.Args) > 3 {
			out = folding.JoinURL(out+":"+inner(first.Args[2], at), inner(first.Args[3], at))
		}
		return out, true
	case root == "" && first.Name == "Url" && len(first.Args) == 1 && !r.Declares("Url"):
		out, steps = inner(first.Args[0], at), steps[1:]
	case first.Name == "Request" && root != "":
		if value, where := r.Lookup(folding.LastWord(root), at); value != "" {
			out = madeWith(r, value, where, at)
		}
		for _, a := range first.Args {
			out = folding.JoinURL(out, inner(a, at))
		}
		steps = steps[1:]
	case root == "" || !flurlStep(first.Name):
		return "", false
	default:
		out = inner(root, at)
	}
	for _, s := range steps {
		if !flurlStep(s.Name) {
			return "", false
		}
		for _, a := range s.Args {
			if strings.HasPrefix(s.Name, "AppendPathSegment") {
				out = folding.JoinURL(out, inner(a, at))
			}
		}
	}
	return out, true
}

// pathOf returns a URL without scheme and host.
func pathOf(url string) string {
	_, behind, absolute := strings.Cut(url, "://")
	if slash := strings.IndexByte(behind, '/'); absolute && slash >= 0 {
		return behind[slash:]
	}
	return url
}

var pathSet = regexp.MustCompile(`\b(\w+)\.Path\s*=\s*`)

// builtURL evaluates a variable with a UriBuilder whose path is assigned separately, builder.Path =
// "/items", to a URL with that path. It returns false for other variables.
func builtURL(r *services.Reader, name string, at int, inner services.Folding) (string, bool) {
	value, where := r.Lookup(name, at)
	if where < at && requestMade.MatchString(value) {
		return addressSet(r, name, where, at, inner)
	}
	if where >= at || !strings.Contains(value, "UriBuilder") {
		return "", false
	}
	for _, m := range r.Matches(pathSet, where, at) {
		if r.Text[m[2]:m[3]] == name {
			path, _, _ := strings.Cut(r.Text[m[1]:at], ";")
			return folding.JoinURL(inner(value, where), inner(path, m[0])), true
		}
	}
	return "", false
}

// requestMade matches the construction of a request, of whatever library or program, without an address.
var requestMade = regexp.MustCompile(`^new\s+(?:\w+\.)*\w*Request(?:Message)?\(\)$`)

// setsAddress matches a call by which an object is given an address: request.SetUriFromString(.
var setsAddress = regexp.MustCompile(`\b(\w+)\.(?i:set|with)\w*(?:Uri|URI|Url|URL)\w*\(`)

// addressSet evaluates a variable with a request to the address that a method gives to it after its construction:
// var request = new HttpRequest(); request.SetUriFromString($"{this.serviceUri}/{path}"). It returns false if none does.
func addressSet(r *services.Reader, name string, from, to int, inner services.Folding) (string, bool) {
	for _, m := range r.Matches(setsAddress, from, to) {
		if args := folding.ListItems(r.Text[m[1]:to]); r.Text[m[2]:m[3]] == name && len(args) == 1 {
			return inner(args[0], m[0]), true
		}
	}
	return "", false
}

func flurlStep(name string) bool {
	for _, start := range []string{"AppendPathSegment", "With", "SetQuery", "AppendQuery", "Allow", "Configure",
		"BeforeCall", "AfterCall", "OnError"} {
		if strings.HasPrefix(name, start) {
			return true
		}
	}
	return false
}

// readAddress records the base address that is registered for a class of clients or for a client's name:
// AddHttpClient<Stock>(c => c.BaseAddress = …), AddRefitClient<IStock>(), RestService.For<IStock>("http://stock").
func readAddress(r *services.Reader, c *code.Call, args []string) {
	text := r.After(c)
	for _, s := range r.Behind(c) {
		if s.Name == "ConfigureHttpClient" {
			text += strings.Join(s.Args, ",")
		}
	}
	generic := ""
	if rest, ok := strings.CutPrefix(text, "<"); ok {
		generic, _, _ = strings.Cut(rest, ">")
	} else if m := typeNames.FindStringSubmatch(text); m != nil {
		generic = m[1]
	}
	name := generic[strings.LastIndexAny(generic, ", .")+1:]
	if name == "" && len(args) > 0 {
		if text := r.Fold(args[0], c.NameSpan.StartByte); !strings.ContainsAny(text, "{}\t\" ") {
			name = `"` + text + `"`
		}
	}
	url := ""
	if _, rest, ok := strings.Cut(text, "BaseAddress ="); ok {
		url = address(r, rest, c.NameSpan.StartByte, c.NameSpan.StartByte)
	} else if c.Callee == "For" && len(args) > 0 {
		url = madeAddress(r, c, args[0])
	}
	if name != "" && url != "" && url != "{}" {
		r.Keep(l2meta.RoleBase, c.Caller, c.NameSpan, "", url, name)
	}
}

// madeAddress returns the base address in an argument: the argument itself if it is a URL, or the
// base address of the client that it evaluates to.
func madeAddress(r *services.Reader, c *code.Call, arg string) string {
	at := c.NameSpan.StartByte
	if base := madeWith(r, arg, at, at); base != "" {
		return base
	}
	if base := givenBase(r, c, folding.LastWord(arg)); base != "" {
		return base
	}
	if value, where := r.Lookup(folding.LastWord(arg), at); value != "" {
		if base := madeWith(r, value, where, at); base != "" {
			return base
		}
	}
	return strings.TrimRight(r.Fold(arg, at), "/")
}

// transfers matches the methods of System.Net.WebClient that request a URL.
var transfers = regexp.MustCompile(
	`^(?:Download(?:String|Data|File)|Upload(?:String|Data|File|Values)|OpenRead)(?:Async|TaskAsync)?$`)

// transferred reads client.DownloadString(url), client.UploadString(url, data) and client.UploadString(url, "PUT",
// data) of a WebClient. It returns false for other calls.
func transferred(r *services.Reader, c *code.Call, args []string) (x services.Request, ok bool) {
	if !r.Speaks(c, []string{"webclient"}, []string{"WebClient"}) {
		return x, false
	}
	x = services.Request{Method: "GET", URL: relative(r, c, args[0]), Base: clientBase(r, c), Sure: true}
	if strings.HasPrefix(c.Callee, "Upload") {
		x.Method = "POST"
		if m, _ := folding.Quoted(args[min(1, len(args)-1)]); len(args) > 2 && folding.MethodOf(m) != "" {
			x.Method = folding.MethodOf(m)
		}
	}
	return x, true
}
