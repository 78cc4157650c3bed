package rust

import (
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// idioms describes how Rust programs serve and request over HTTP, and exchange messages.
var idioms = &services.Idioms{
	Names: []string{
		"request", "uri", "route", "routes", "at", "nest", "nest_service", "merge", "service", "configure", "to", "mount",
		"and_then", "map", "then",
	},
	Requests:  requestOf,
	Routes:    readCall,
	Annotated: readAttributes,
	Whole:     readWhole,
	Fold:      foldText,
	Messages:  messages,
	Listeners: listeners,
}

// clientMakers lists texts that occur in the constructors and types of HTTP clients.
var clientMakers = []string{"reqwest", "Client::", "awc::", "ureq::", "surf::", "AgentBuilder", "ClientBuilder"}

func requestOf(r *services.Reader, c *code.Call) (x services.Request, ok bool) {
	args := r.Arguments(c)
	if len(args) == 0 || c.Receiver == "" {
		return x, false
	}
	last := folding.LastWord(c.Receiver)
	if c.Callee == "uri" { // Request::builder().uri("http://a")
		return builderRequest(r, c, args[0])
	}
	m, url, sure := services.PlainVerb(c.Callee), args[0], false
	if c.Callee != strings.ToLower(c.Callee) {
		return x, false
	}
	passed := false // whether the method is a parameter: client.request(method, url)
	if c.Callee == "request" && len(args) > 1 {
		m, url = folding.MethodOf(args[0]), args[1]
		passed = m == "" && strings.HasSuffix(args[0], "method")
	}
	switch {
	case m == "" && !passed:
		return x, false
	case last == "reqwest" || c.Receiver == "reqwest::blocking" || last == "ureq" || last == "surf":
		sure = true
	case c.Receiver == "Request" || strings.HasSuffix(c.Receiver, "::Request"):
		sure = true
	case r.Speaks(c, []string{"client", "http_client", "agent"}, clientMakers) || speaksType(r, c):
		sure = strings.Contains(c.Receiver, "Client::new()") || r.Speaks(c, nil, []string{"reqwest::"}) ||
			speaksType(r, c) || strings.Contains(parameterType(r, c), "reqwest::")
	default:
		return x, false
	}
	if r.HasFunction(args) {
		return x, false
	}
	return services.Request{Method: m, URL: url, Base: clientBase(r, c), Sure: sure}, true
}

// speaksType reports whether the receiver of a call is declared with the type of an HTTP client, in a file that
// imports a client library.
func speaksType(r *services.Reader, c *code.Call) bool {
	if !importsClient(r) {
		return false
	}
	return r.Speaks(c, nil, []string{"Client", "Agent"})
}

// parameterType returns the type of the parameter on which a call is made, or "" if the receiver is no parameter.
func parameterType(r *services.Reader, c *code.Call) string {
	if c.Caller < 0 {
		return ""
	}
	for _, p := range r.File.Symbols[c.Caller].Parameters {
		if p.Name == c.Receiver {
			return p.Type
		}
	}
	return ""
}

func importsClient(r *services.Reader) bool {
	for i := range r.File.Imports {
		module, _, _ := strings.Cut(r.File.Imports[i].Module, "::")
		switch module {
		case "reqwest", "awc", "ureq", "surf", "hyper":
			return true
		}
	}
	return false
}

// builderRequest reads a request that a builder constructs. The HTTP method may be set before the URL or
// after it: Request::builder().method("PUT").uri(u). It is GET by default. It returns false for other
// calls.
func builderRequest(r *services.Reader, c *code.Call, url string) (x services.Request, ok bool) {
	_, before := folding.Chain(r.Receiver(c))
	x = services.Request{Method: "GET", URL: url, Sure: true}
	for _, s := range append(before, r.Behind(c)...) {
		if s.Name == "builder" {
			ok = true
		}
		if s.Name == "method" && len(s.Args) == 1 {
			x.Method = folding.MethodOf(s.Args[0])
		}
	}
	return x, ok && strings.Contains(r.Receiver(c), "Request")
}

var baseSet = regexp.MustCompile(`set_base_url\(\s*(.*)`)

// clientBase returns the base address with which a client of the library surf is constructed, "" if
// it is unknown.
func clientBase(r *services.Reader, c *code.Call) string {
	root, _ := folding.Chain(r.Receiver(c))
	value, where := r.Lookup(folding.LastWord(root), c.NameSpan.StartByte)
	if m := baseSet.FindStringSubmatch(value); m != nil {
		if parts := folding.ListItems(m[1]); len(parts) > 0 {
			return strings.TrimRight(r.FoldFor(parts[0], where, c.NameSpan.StartByte), "/")
		}
	}
	return ""
}

// endings lists calls that return their receiver, possibly converted to a text or a URL.
var endings = map[string]bool{}

func init() {
	for _, w := range strings.Fields("unwrap expect unwrap_or_default clone to_owned to_string as_str into as_ref " +
		"parse trim_end_matches trim_end trim context map_err ok_or to_str borrow") {
		endings[w] = true
	}
}

// foldText evaluates calls of format! and Url::join, and conversions of texts, as far as the file
// determines them: http://a/b for Url::parse("http://a").unwrap().join("b"). It returns false for
// any other expression.
func foldText(r *services.Reader, expr string, at int, inner services.Folding) (string, bool) {
	for _, macro := range []string{"format!(", "std::format!(", "concat!("} {
		rest, ok := strings.CutPrefix(expr, macro)
		if !ok {
			continue
		}
		args := folding.ListItems(rest)
		if len(args) == 0 {
			return "", false
		}
		if macro == "concat!(" {
			var b strings.Builder
			for _, a := range args {
				b.WriteString(inner(a, at))
			}
			return b.String(), true
		}
		return format(args, at, inner)
	}
	for _, start := range []string{"String::from(", "Url::parse(", "url::Url::parse(", "reqwest::Url::parse(",
		"Uri::from_static(", "Some(", "Ok(", "Cow::from("} {
		if rest, ok := strings.CutPrefix(expr, start); ok {
			if args := folding.ListItems(rest); len(args) == 1 && strings.HasSuffix(expr, ")") &&
				len(rest) <= len(args[0])+2 {
				return inner(args[0], at), true
			}
		}
	}
	root, steps := folding.Chain(expr)
	if len(steps) == 0 {
		return withPath(r, expr, at, inner)
	}
	last := steps[len(steps)-1]
	dot := strings.LastIndex(expr, "."+last.Name)
	if dot <= 0 {
		return "", false
	}
	before := strings.TrimSpace(expr[:dot])
	switch {
	case strings.Contains(expr, "env::var"):
		return "", false
	case endings[last.Name]:
		return inner(before, at), true
	case last.Name == "join" && len(last.Args) == 1 && (root != "" || len(steps) > 1):
		return folding.JoinURL(inner(before, at), inner(last.Args[0], at)), true
	}
	return "", false
}

var pathSet = regexp.MustCompile(`\b(\w+)\.set_path\(`)

// withPath evaluates the variable called name if it holds a URL whose path a preceding statement
// sets: url.set_path("/items"). It returns false if there is no such statement.
func withPath(r *services.Reader, name string, at int, inner services.Folding) (string, bool) {
	if !r.Mentions(".set_path(") {
		return "", false
	}
	value, where := r.Lookup(name, at)
	if value == "" || where >= at {
		return "", false
	}
	for _, m := range r.Matches(pathSet, where, at) {
		if r.Text[m[2]:m[3]] != name {
			continue
		}
		if args := folding.ListItems(r.Text[m[1]:at]); len(args) == 1 {
			return folding.JoinURL(inner(value, where), inner(args[0], m[0])), true
		}
	}
	return "", false
}

// format evaluates format!("{}/items/{id}", base) to the text with the values in place of the
// braces. Braces may contain the position or the name of an argument, or the name of a variable;
// {} takes the next argument. It returns false if the format is no string literal.
func format(args []string, at int, inner services.Folding) (string, bool) {
	text, ok := folding.Quoted(strings.TrimPrefix(args[0], "r"))
	if !ok {
		return "", false
	}
	var b strings.Builder
	next := 1
	for {
		i := strings.IndexByte(text, '{')
		end := i + strings.IndexByte(text[max(i, 0):], '}')
		if i < 0 || end < i {
			return b.String() + text, true
		}
		b.WriteString(text[:i])
		name, _, _ := strings.Cut(text[i+1:end], ":")
		text = text[end+1:]
		switch {
		case name == "" && next < len(args):
			b.WriteString(inner(args[next], at))
			next++
		case len(name) == 1 && name[0] >= '0' && name[0] <= '9' && int(name[0]-'0')+1 < len(args):
			b.WriteString(inner(args[name[0]-'0'+1], at))
		case name == "":
			b.WriteString("{}")
		default:
			b.WriteString(inner(argumentOf(args, name), at))
		}
	}
}

// argumentOf returns the expression of a named argument: base for the name url in
// format!("{url}/a", url = base). If there is no such argument, the name is that of a variable,
// and argumentOf returns it.
func argumentOf(args []string, name string) string {
	for _, a := range args[1:] {
		if key, value, ok := strings.Cut(a, "="); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return name
}
