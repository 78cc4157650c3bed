package csharp

import (
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// idioms describes how C# programs serve and request over HTTP, and exchange messages.
var idioms = &services.Idioms{
	Names: []string{
		"HttpRequestMessage", "AddHttpClient", "AddRefitClient", "For", "RestRequest", "InvokeMethod*",
		"CreateInvokeMethodRequest", "Send", "SendAsync", "Download*", "Upload*", "OpenRead*",
		"Map*", "UsePathBase", "Verbs", "Routes",
	},
	Requests:  requestOf,
	Routes:    readCall,
	Annotated: readAttributes,
	Whole:     readWhole,
	Fold:      foldURL,
	Registers: func(callee string) bool { return callee == "MapGrpcService" },
	Messages:  messages,
	Listeners: listeners,
	Handles:   handles,
}

func requestOf(r *services.Reader, c *code.Call) (x services.Request, ok bool) {
	args := r.Arguments(c)
	if c.Kind == code.CallNew {
		switch c.Callee {
		case "HttpRequestMessage":
			return messageRequest(r, c, args)
		case "RestRequest":
			return restRequest(r, c, args)
		}
		return x, false
	}
	if strings.HasPrefix(c.Callee, "Send") {
		return sentMessage(r, c, args)
	}
	if c.Callee == "CreateInvokeMethodRequest" || strings.HasPrefix(c.Callee, "InvokeMethod") {
		return daprRequest(r, c, args)
	}
	if transfers.MatchString(c.Callee) && len(args) > 0 {
		return transferred(r, c, args)
	}
	m := services.Verb(c.Callee)
	if m == "" || !strings.HasSuffix(c.Callee, "Async") {
		return x, false
	}
	switch rest := strings.TrimSuffix(c.Callee[len(m):], "Async"); rest {
	case "", "String", "Stream", "ByteArray", "Bytes", "FromJson", "AsJson", "FromJsonAsAsyncEnumerable", "Json",
		"UrlEncoded", "Multipart":
		if isFlurl(r, c) {
			return services.Request{Method: m, URL: r.Receiver(c), Sure: true}, true
		}
		if len(args) == 0 || !isClient(r, c) && !r.Speaks(c, nil, []string{"RestClient"}) {
			return x, false
		}
		return services.Request{Method: m, URL: relative(r, c, args[0]), Base: clientBase(r, c), Sure: true}, true
	}
	return x, false
}

// isClient reports whether the receiver of a call is an HttpClient.
func isClient(r *services.Reader, c *code.Call) bool {
	return r.Speaks(c, nil, []string{"HttpClient", "CreateClient(", "CreateInvokeHttpClient(",
		"CreateInvokableHttpClient("}) ||
		strings.Contains(r.Receiver(c), "CreateClient(") ||
		strings.HasSuffix(strings.ToLower(folding.LastWord(c.Receiver)), "httpclient")
}

// relative returns the URL that a client requests, as source text. If the URL starts with an identifier,
// $"{id}/reserve", a slash is put in front of it, so that {id} is not taken for the client's base address.
func relative(r *services.Reader, c *code.Call, url string) string {
	text := r.Fold(url, c.NameSpan.StartByte)
	hole, _, _ := strings.Cut(strings.TrimPrefix(text, "{"), "}")
	if name := hole[strings.LastIndexByte(hole, ':')+1:]; strings.HasPrefix(text, "{") &&
		!strings.HasPrefix(hole, "env:") && isID(r, c, name) {
		return `"/" + ` + url
	}
	return url
}

var idName = regexp.MustCompile(`(?:^i|[a-z]I)d$`)

// isID reports whether a variable holds an identifier: a number or a GUID.
func isID(r *services.Reader, c *code.Call, name string) bool {
	if c.Caller >= 0 {
		for _, p := range r.File.Symbols[c.Caller].Parameters {
			if p.Name == name {
				switch strings.TrimSuffix(p.Type, "?") {
				case "int", "long", "uint", "ulong", "short", "Guid":
					return true
				}
			}
		}
	}
	return idName.MatchString(name)
}

var (
	createsClient = regexp.MustCompile(`CreateClient\(\s*("[^"]*"|[\w.]+)\s*\)`)
	invokesClient = regexp.MustCompile(`Create(?:Invoke|Invokable)HttpClient\(\s*(?:appId:\s*)?("[^"]*"|[\w.]+)`)
	restClient    = regexp.MustCompile(`(?:RestClient|RestClientOptions|FlurlClient)\s*\(\s*([^),]+(?:\([^)]*\))?)`)
	baseProperty  = regexp.MustCompile(`(\w+)\??\.Base(?:Address|Url)\s*=\s*`)
)

// clientBase returns the base address of the client that makes a call. The address is passed when
// the client is constructed, assigned later, or registered with a factory under a name. It
// returns "" if the file does not contain the address.
func clientBase(r *services.Reader, c *code.Call) string {
	receiver, at := r.Receiver(c), c.NameSpan.StartByte
	for range 3 { // _client = client; client = factory.CreateClient("stock")
		if base := madeWith(r, receiver, at, c.NameSpan.StartByte); base != "" {
			return base
		}
		root, _ := folding.Chain(receiver)
		name := folding.LastWord(root)
		if base := givenBase(r, c, name); base != "" || name == "" {
			return base
		}
		value, where := r.Lookup(name, at)
		if value == "" {
			return ""
		}
		receiver, at = value, where
	}
	return ""
}

// madeWith returns the base address of the client that an expression constructs, http://stock for
// new RestClient("http://stock"). For factory.CreateClient("stock") it returns {client:stock}, a
// placeholder for the address that is registered under the name. It returns "" for other expressions. The expression
// is at the byte offset at, and the client is used at another one.
func madeWith(r *services.Reader, expr string, at, used int) string {
	if m := createsClient.FindStringSubmatch(expr); m != nil {
		if name := r.Fold(m[1], at); !strings.ContainsAny(name, "{}/ ") {
			return "{client:" + name + "}"
		}
	}
	if m := invokesClient.FindStringSubmatch(expr); m != nil {
		return "http://" + r.FoldFor(m[1], at, used)
	}
	if _, rest, ok := strings.Cut(expr, "BaseAddress ="); ok {
		return address(r, rest, at, used)
	}
	if m := restClient.FindStringSubmatch(expr); m != nil {
		if base := r.FoldFor(m[1], at, used); strings.Contains(base, "://") || strings.HasPrefix(base, "{env:") ||
			strings.HasPrefix(base, "{@") {
			return strings.TrimRight(base, "/")
		}
		if value, where := r.Lookup(strings.TrimSpace(m[1]), at); strings.Contains(value, "RestClientOptions") {
			return madeWith(r, value, where, used)
		}
	}
	return ""
}

// givenBase returns the address that a statement of the class assigns to a client:
// client.BaseAddress = new Uri("http://stock"). It returns "" if there is none.
func givenBase(r *services.Reader, c *code.Call, name string) string {
	if !r.Mentions(".BaseAddress") && !r.Mentions(".BaseUrl") {
		return ""
	}
	from, to := 0, len(r.Text)
	if t := typeAround(r, c.Caller); t >= 0 {
		from, to = r.File.Symbols[t].Span.StartByte, r.File.Symbols[t].Span.EndByte
	}
	for _, m := range r.Matches(baseProperty, from, to) {
		if r.Text[m[2]:m[3]] == name {
			return address(r, r.Text[m[1]:to], m[0], c.NameSpan.StartByte)
		}
	}
	return ""
}

// typeAround returns the type around a symbol; -1 if there is none.
func typeAround(r *services.Reader, s int) int {
	for s >= 0 {
		switch r.File.Symbols[s].Kind {
		case code.KindClass, code.KindStruct, code.KindInterface, code.KindType:
			return s
		}
		s = r.File.Symbols[s].Parent
	}
	return -1
}

// address returns the value assigned to a BaseAddress, http://a for new Uri("http://a") and for new("http://a").
// It returns "" if none follows. The text is at the byte offset at, and the client is used at another one.
func address(r *services.Reader, text string, at, used int) string {
	text, _, _ = strings.Cut(strings.TrimSpace(text[:min(len(text), 400)]), ";")
	text = strings.TrimPrefix(strings.TrimSpace(text), "new")
	if i := strings.IndexByte(text, '('); i >= 0 && i < len(" System.Uri ") {
		text = text[i+1:]
	}
	parts := folding.ListItems(text)
	if len(parts) == 0 {
		return ""
	}
	return strings.TrimRight(r.FoldFor(strings.TrimSuffix(parts[0], "!"), at, used), "/")
}
