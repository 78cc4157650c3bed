package services

import (
	"strings"

	"sextant/internal/code"
)

// verb is the HTTP method that a callee's name is or starts with: "getForObject",
// "PostAsJsonAsync".
func verb(callee string) string {
	for _, m := range httpMethods {
		if len(callee) >= len(m) && strings.EqualFold(callee[:len(m)], m) {
			return m
		}
	}
	return ""
}

// plainVerb is verb for a callee that is nothing but a method.
func plainVerb(callee string) string {
	if m := verb(callee); len(m) == len(callee) {
		return m
	}
	return ""
}

// speaks reports whether a receiver is one of names, or was made from one of
// makers.
func (r *httpReader) speaks(c *code.Call, names, makers []string) bool {
	if c.Receiver == "" {
		return false
	}
	name := lastWord(c.Receiver)
	for _, n := range names {
		if name == n || c.Receiver == n {
			return true
		}
	}
	text := c.Receiver
	if name != "" {
		value, _ := r.fold.lookup(name, c.NameSpan.StartByte)
		text = value + " " + r.typed(name)
		if r.f.Language == "python" {
			if i := strings.LastIndex(r.fold.text[:c.NameSpan.StartByte], " as "+name+":"); i >= 0 { // with … as client:
				text += r.fold.text[max(0, i-100):i]
			}
		}
	}
	for _, m := range makers {
		if strings.Contains(text, m) {
			return true
		}
	}
	return false
}

// typed is the types as written of what is named so in the file.
func (r *httpReader) typed(name string) (types string) {
	for i := range r.f.Facts {
		f := &r.f.Facts[i]
		if f.Name == name && (f.Kind == code.FactField || f.Kind == code.FactVar || f.Kind == code.FactParam) {
			types += f.Type + " "
		}
	}
	return types
}

func goRequests(r *httpReader, c *code.Call) (x request, ok bool) {
	args := r.arguments(c)
	switch {
	case c.Callee == "NewRequest" && len(args) >= 2:
		return request{methodOf(args[0]), args[1], true}, true
	case c.Callee == "NewRequestWithContext" && len(args) >= 3:
		return request{methodOf(args[1]), args[2], true}, true
	case len(args) == 0:
		return x, false
	case c.Callee == "Get" || c.Callee == "Post" || c.Callee == "Head" || c.Callee == "PostForm" || c.Callee == "Put" || c.Callee == "Delete" || c.Callee == "Patch":
		if c.Receiver == "http" || r.speaks(c, []string{"otelhttp", "resty", "httpClient"}, []string{"http.Client", "resty.New", "req.C("}) || strings.HasSuffix(c.Receiver, ".R()") {
			return request{verb(c.Callee), args[0], c.Receiver == "http"}, true
		}
	}
	return x, false
}

var (
	scriptClients = []string{"axios", "got", "ky", "superagent", "needle", "$http", "httpService", "ofetch", "wretch", "httpClient"}
	scriptMakers  = []string{"axios.create", "got.extend", "ky.create", "ky.extend", "HttpClient", "HttpService", "AxiosInstance", "supertest("}
)

func scriptRequests(r *httpReader, c *code.Call) (x request, ok bool) {
	args := r.arguments(c)
	if len(args) == 0 {
		return x, false
	}
	object := ""
	for _, a := range args {
		if strings.HasPrefix(a, "{") {
			object = a
		}
	}
	method := methodOf(property(object, "method"))
	switch {
	case c.Receiver == "" && (c.Callee == "fetch" || c.Callee == "$fetch" || c.Callee == "axios" || c.Callee == "got" || c.Callee == "ofetch"), (c.Receiver == "window" || c.Receiver == "globalThis") && c.Callee == "fetch":
		if strings.HasPrefix(args[0], "{") {
			return request{orGet(method), property(args[0], "url"), true}, true
		}
		return request{orGet(method), args[0], true}, true
	case c.Receiver == "" && c.Callee == "request" && r.imports("request"):
		return request{orGet(method), args[0], true}, true
	case plainVerb(c.Callee) != "" && r.speaks(c, scriptClients, scriptMakers) && !r.hasFunction(args):
		return request{plainVerb(c.Callee), args[0], true}, true
	case c.Callee == "request" && r.speaks(c, scriptClients, scriptMakers):
		return request{orGet(method), property(args[0], "url"), true}, true
	}
	return x, false
}

func orGet(method string) string {
	if method == "" {
		return "GET"
	}
	return method
}

// imports reports whether the file brings in a module, by import or require.
func (r *httpReader) imports(module string) bool {
	for i := range r.f.Imports {
		if r.f.Imports[i].Module == module {
			return true
		}
	}
	return false
}

// hasFunction reports whether a function is among arguments: then they are of a
// route.
func (r *httpReader) hasFunction(args []string) bool {
	for _, a := range args {
		if isFunction(a) {
			return true
		}
	}
	return false
}

// property is the value of a key of an object as written, "" without one.
func property(object, key string) string {
	if !strings.HasPrefix(object, "{") {
		return ""
	}
	for _, item := range ListItems(object[1:]) {
		if item == key {
			return key
		}
		if name, value, ok := strings.Cut(item, ":"); ok && strings.Trim(strings.TrimSpace(name), `"'`) == key {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

func pythonRequests(r *httpReader, c *code.Call) (x request, ok bool) {
	args := r.arguments(c)
	method, at := plainVerb(c.Callee), 0
	if c.Callee == "request" && len(args) > 1 {
		method, at = methodOf(args[0]), 1
	}
	if method == "" || len(args) <= at {
		return x, false
	}
	url := args[at]
	for _, a := range args {
		if rest, named := strings.CutPrefix(strings.ReplaceAll(a, " ", ""), "url="); named {
			url = rest
		}
	}
	client := r.speaks(c, []string{"requests", "httpx"}, []string{"requests.Session", "requests.session", "httpx.", "aiohttp.", "ClientSession", "AsyncClient("})
	if c.Receiver == "" {
		client = importsName(r.f, c.Callee, "requests") || importsName(r.f, c.Callee, "httpx")
	}
	return request{method, url, c.Receiver == "requests"}, client
}

// importsName reports whether a file imports a name from a module.
func importsName(f *code.File, name, module string) bool {
	for i := range f.Imports {
		if m := &f.Imports[i]; m.Module == module && (m.Name == name && m.Alias == "" || m.Alias == name) {
			return true
		}
	}
	return false
}

func jvmRequests(r *httpReader, c *code.Call) (x request, ok bool) {
	args := r.arguments(c)
	if len(args) == 0 {
		return x, false
	}
	switch {
	case c.Callee == "exchange" && len(args) > 1 && methodOf(args[1]) != "":
		return request{methodOf(args[1]), args[0], true}, true
	case strings.HasSuffix(c.Callee, "ForObject") || strings.HasSuffix(c.Callee, "ForEntity") || strings.HasSuffix(c.Callee, "ForLocation"):
		return request{verb(c.Callee), args[0], true}, true
	case (c.Callee == "put" || c.Callee == "delete") && r.speaks(c, []string{"restTemplate"}, []string{"RestTemplate"}):
		return request{verb(c.Callee), args[0], false}, true
	case c.Callee == "uri" || c.Callee == "url":
		method := ""
		for _, m := range httpMethods {
			if strings.HasSuffix(strings.TrimRight(c.Receiver, " "), "."+strings.ToLower(m)+"()") || strings.Contains(c.Receiver, "HttpMethod."+m+")") {
				method = m
			}
		}
		// A builder may say its method later.
		behind := r.fold.text[min(c.Span.EndByte, len(r.fold.text)):min(len(r.fold.text), c.Span.EndByte+200)]
		for _, m := range httpMethods {
			if method == "" && (strings.Contains(behind, "."+m+"(") || strings.Contains(behind, "."+strings.ToLower(m)+"(")) {
				method = m
			}
		}
		return request{method, args[0], method != ""}, method != "" || strings.Contains(c.Receiver, "newBuilder") || strings.Contains(c.Receiver, "Request.Builder")
	case c.Callee == "newBuilder" && c.Receiver == "HttpRequest":
		return request{"", args[0], true}, true
	case c.Callee == "target" && r.speaks(c, nil, []string{"ClientBuilder", "Client "}):
		return request{"", args[0], true}, true
	case r.f.Language == "kotlin" && plainVerb(c.Callee) != "" && r.speaks(c, nil, []string{"HttpClient("}):
		return request{plainVerb(c.Callee), args[0], true}, true
	}
	return x, false
}

func csharpRequests(r *httpReader, c *code.Call) (x request, ok bool) {
	args := r.arguments(c)
	if len(args) == 0 {
		return x, false
	}
	if c.Kind == code.CallNew && c.Callee == "HttpRequestMessage" && len(args) > 1 {
		return request{methodOf(args[0]), args[1], true}, true
	}
	m := verb(c.Callee)
	if m == "" || !strings.HasSuffix(c.Callee, "Async") {
		return x, false
	}
	switch rest := strings.TrimSuffix(c.Callee[len(m):], "Async"); rest {
	case "", "String", "Stream", "ByteArray", "FromJson", "AsJson", "FromJsonAsAsyncEnumerable":
		client := r.speaks(c, nil, []string{"HttpClient", "CreateClient("}) || strings.HasSuffix(strings.ToLower(lastWord(c.Receiver)), "httpclient")
		return request{m, args[0], true}, client
	}
	return x, false
}

func rubyRequests(r *httpReader, c *code.Call) (x request, ok bool) {
	args := r.arguments(c)
	m := plainVerb(c.Callee)
	if m == "" || len(args) == 0 {
		return x, false
	}
	client := r.speaks(c, []string{"HTTParty", "Faraday", "RestClient", "HTTP", "Net::HTTP", "Excon", "Typhoeus"}, []string{"Faraday.new", "HTTP.persistent"})
	return request{m, args[0], true}, client
}

func phpRequests(r *httpReader, c *code.Call) (x request, ok bool) {
	args := r.arguments(c)
	if c.Callee == "curl_init" && c.Receiver == "" && len(args) > 0 {
		return request{"", args[0], true}, true
	}
	client := r.speaks(c, []string{"Http", "$client", "$http", "client", "httpClient"}, []string{"Client(", "HttpClient"})
	switch {
	case !client || len(args) == 0 || r.hasFunction(args):
		return x, false
	case c.Callee == "request" && len(args) > 1:
		return request{methodOf(args[0]), args[1], true}, true
	case plainVerb(c.Callee) != "":
		return request{plainVerb(c.Callee), args[0], c.Receiver == "Http"}, true
	}
	return x, false
}

func rustRequests(r *httpReader, c *code.Call) (x request, ok bool) {
	args := r.arguments(c)
	m := plainVerb(c.Callee)
	if m == "" || len(args) == 0 || c.Receiver == "" {
		return x, false
	}
	client := c.Receiver == "reqwest" || r.speaks(c, []string{"client", "http_client"}, []string{"reqwest", "Client::"})
	return request{m, args[0], c.Receiver == "reqwest" || strings.Contains(c.Receiver, "Client::new()")}, client
}
