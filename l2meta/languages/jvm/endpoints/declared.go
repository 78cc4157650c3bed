package endpoints

import (
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// surface is the part of a route or request that the annotations of a type set for all members of
// the type.
type surface struct {
	prefixes []string
	base     string // base address of a client
	client   bool
	serves   bool
	abstract bool // the type only declares routes; its subtypes serve them
	declared bool // the type is an interface
}

// readAnnotations reads annotated routes of Spring, JAX-RS and Micronaut, and declared clients:
// Feign, Retrofit, HTTP interfaces, MicroProfile.
func readAnnotations(r *services.Reader, s int) {
	symbol := &r.File.Symbols[s]
	t := surface{prefixes: []string{""}}
	if symbol.Parent >= 0 {
		t = typeAnnotations(r, symbol.Parent)
	}
	methods, own, mapped := []string{""}, []string{""}, false
	for _, a := range symbol.Annotations {
		name, args := folding.Annotation(a)
		given := paths(r, args, symbol.NameSpan.StartByte)
		verb := services.PlainVerb(strings.TrimSuffix(strings.TrimSuffix(name, "Mapping"), "Exchange"))
		switch {
		case name == "RequestMapping", name == "HttpExchange",
			name != strings.ToUpper(name) && verb != "" && (len(name) > len(verb) || isMicronaut(r)):
			mapped, methods = true, []string{verb}
			if m := folding.Keyword(args, "method"); m != "" {
				methods = nil
				for _, one := range strings.Split(strings.Trim(m, "{}[]"), ",") {
					methods = append(methods, folding.MethodOf(one))
				}
			}
		case name == "Path":
			mapped = true
		case name == "RequestLine" && len(args) > 0: // Feign's
			text, _ := folding.Quoted(args[0])
			verb, path, _ := strings.Cut(text, " ")
			mapped, methods, t.client, given = true, []string{folding.MethodOf(verb)}, true, []string{path}
		case folding.MethodOf(name) == name && name != "": // JAX-RS @GET, Retrofit @GET("x")
			mapped, methods = true, []string{name}
			t.client = t.client || len(given) > 0
		default:
			continue
		}
		if len(given) > 0 {
			own = given
		}
	}
	if !mapped {
		return
	}
	for _, prefix := range t.prefixes {
		for _, p := range own {
			for _, method := range methods {
				keepDeclared(r, s, method, t, prefix, p)
			}
		}
	}
}

// keepDeclared records the route or the request that a member declares.
func keepDeclared(r *services.Reader, s int, method string, t surface, prefix, path string) {
	symbol := &r.File.Symbols[s]
	whole := template("/" + strings.Trim(prefix, "/"))
	if strings.Trim(path, " /") != "" {
		whole = folding.JoinURL(whole, template(path))
	}
	if t.client && strings.Contains(path, "://") { // a request of Retrofit with a complete URL: @GET("http://a/b")
		whole = path
	} else if t.client {
		whole = t.base + folding.JoinURL("", whole)
	}
	switch {
	case t.client:
		r.Keep(l2meta.RoleFetch, s, symbol.NameSpan, method, whole, "")
	case t.abstract, t.declared && !texts.MatchString(whole):
		r.Route(s, symbol.NameSpan, method, "", whole, services.Heirs)
	default:
		r.Route(s, symbol.NameSpan, method, "", whole, "")
	}
}

// texts matches a path that has a literal segment, such as /orders/{id}.
var texts = regexp.MustCompile(`/\w`)

// readSurface records whether a type serves or requests the routes that its bases declare.
func readSurface(r *services.Reader, s int) {
	symbol := &r.File.Symbols[s]
	if len(symbol.Annotations) == 0 || symbol.Kind != code.KindClass && symbol.Kind != code.KindInterface {
		return
	}
	t := typeAnnotations(r, s)
	given := slices.DeleteFunc(slices.Clone(t.prefixes), func(p string) bool { return strings.Trim(p, "/ ") == "" })
	for i := range given {
		given[i] = template("/" + strings.Trim(given[i], "/"))
	}
	switch {
	case t.client:
		r.KeepInherit(s, services.Asks, t.base, given...)
	case t.serves:
		r.KeepInherit(s, services.Serves, "", given...)
	case len(given) > 0:
		r.KeepInherit(s, services.Declares, "", given...)
	}
}

// typeAnnotations returns the part of a route or request that the annotations of symbol s, a type,
// set for its members.
func typeAnnotations(r *services.Reader, s int) (t surface) {
	t.prefixes = []string{""}
	symbol := &r.File.Symbols[s]
	for _, a := range symbol.Annotations {
		name, args := folding.Annotation(a)
		given := paths(r, args, symbol.NameSpan.StartByte)
		switch {
		case name == "RequestMapping" || name == "Path" || name == "HttpExchange" ||
			name == "Controller" && isMicronaut(r):
			if len(given) > 0 {
				t.prefixes = given
			}
			t.serves = t.serves || symbol.Kind == code.KindClass && name != "HttpExchange"
			if name == "HttpExchange" {
				t.client = true
				if len(given) == 1 && strings.Contains(given[0], "://") {
					t.base, t.prefixes = given[0], []string{""}
				}
			}
		// Spring's @Controller, @RestController, and annotations that are composed of them
		case strings.HasSuffix(name, "Controller"):
			t.serves = true
		case name == "FeignClient":
			t.client, t.base = true, clientAddress(r, args, "url", symbol.NameSpan.StartByte)
		case name == "Client" && isMicronaut(r):
			t.client, t.base = true, clientAddress(r, args, "value", symbol.NameSpan.StartByte)
		case name == "RegisterRestClient":
			t.client, t.base = true, registered(r, symbol, args)
		}
	}
	t.abstract, t.declared = slices.Contains(symbol.Modifiers, "abstract"), symbol.Kind == code.KindInterface
	return t
}

func isMicronaut(r *services.Reader) bool {
	for i := range r.File.Imports {
		if strings.HasPrefix(r.File.Imports[i].Module, "io.micronaut.") {
			return true
		}
	}
	return false
}

// clientAddress returns the base address of a declared client, from its annotation: http://stock/v1 for
// @FeignClient(name = "stock", path = "/v1"). key names the argument that holds the URL, if there is one;
// otherwise the name of the service is the host. The argument path is the prefix of all requests.
func clientAddress(r *services.Reader, args []string, key string, at int) (base string) {
	text := func(key string) string {
		value := folding.Keyword(args, key)
		if value == "" {
			return ""
		}
		return folding.Placeholders(r.Fold(value, at))
	}
	base = text(key)
	for _, name := range []string{"name", "value", "id", "serviceId"} {
		if base == "" {
			base = text(name)
		}
	}
	if base == "" && len(args) > 0 && !strings.Contains(args[0], "=") {
		base = folding.Placeholders(r.Fold(args[0], at))
	}
	if base != "" && !strings.Contains(base, "/") && !strings.HasPrefix(base, "{") {
		base = "http://" + base
	} else if strings.HasPrefix(base, "{env:") && key != "value" && text(key) == "" {
		base = "http://" + base // the service name is a setting
	}
	if p := text("path"); p != "" {
		base = folding.JoinURL(base, p)
	}
	return strings.TrimRight(base, "/")
}

// registered returns the address of a MicroProfile client: the baseUri in its annotation, or else a
// placeholder for the setting named after its configKey or type, {env:quarkus.rest-client.stock.url}.
func registered(r *services.Reader, symbol *code.Symbol, args []string) string {
	if u, ok := folding.Quoted(folding.Keyword(args, "baseUri")); ok {
		return strings.TrimRight(folding.Placeholders(u), "/")
	}
	if key, ok := folding.Quoted(folding.Keyword(args, "configKey")); ok {
		return "{env:quarkus.rest-client." + key + ".url}"
	}
	for i := range r.File.Facts {
		if f := &r.File.Facts[i]; f.Kind == code.FactPackage && f.Type != "" {
			return "{env:quarkus.rest-client." + f.Type + "." + symbol.Name + ".url}"
		}
	}
	return "{env:quarkus.rest-client." + symbol.Name + ".url}"
}

// paths returns every path among the arguments of an annotation: "x", value = "x", path = {A +
// "/x", "y"}.
func paths(r *services.Reader, args []string, at int) (out []string) {
	for _, a := range args {
		key, value, named := strings.Cut(a, "=")
		if key = strings.TrimSpace(key); named && !strings.ContainsAny(key, "\"'`{[(") {
			switch key {
			case "value", "path", "uri", "uris", "url", "urlPatterns":
			default:
				continue
			}
			a = strings.TrimSpace(value)
		}
		if strings.HasPrefix(a, "{") || strings.HasPrefix(a, "[") || strings.HasPrefix(a, "arrayOf(") {
			a = strings.Trim(strings.TrimPrefix(a, "arrayOf("), "{}[]()")
		}
		for _, item := range folding.ListItems(a) {
			if p, ok := folding.Quoted(item); ok {
				out = append(out, folding.Placeholders(p))
			} else if p := r.Fold(item, at); !strings.ContainsAny(p, " \"") &&
				(strings.Contains(p, "/") || hole.MatchString(p)) {
				out = append(out, p)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return out
}

// hole matches a constant of another file, {METADATA} or {Paths.METADATA}, whose value is looked up later.
var hole = regexp.MustCompile(`^\{(?:\w+\.)*[A-Z]\w*\}$`)

var pattern = regexp.MustCompile(`\{\s*(\w+)\s*:\s*((?:[^{}]|\{[^{}]*\})*)\}`)

// template returns a path without the patterns of its variables: {id} for {id: [0-9]+}, {path...}
// for {path:.*}.
func template(path string) string {
	return pattern.ReplaceAllStringFunc(path, func(v string) string {
		m := pattern.FindStringSubmatch(v)
		if strings.HasPrefix(v, "{env:") { // a setting
			return v
		}
		if strings.HasPrefix(strings.TrimSpace(m[2]), ".") {
			return "{" + m[1] + "...}"
		}
		return "{" + m[1] + "}"
	})
}
