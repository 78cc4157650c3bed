package services

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
)

// annotated reads the annotations, attributes and decorators of symbol s.
func (r *httpReader) annotated(s int) {
	symbol := &r.f.Symbols[s]
	if len(symbol.Annotations) == 0 || !symbol.Kind.Callable() {
		return
	}
	switch r.f.Language {
	case "python":
		r.decorated(s)
	case "java", "kotlin", "scala":
		r.jvmAnnotated(s)
	case "typescript", "javascript":
		r.nestAnnotated(s)
	case "csharp":
		r.csharpAnnotated(s)
	case "rust":
		for _, a := range symbol.Annotations { // #[get("/x")]
			name, args := annotation(strings.TrimSuffix(strings.TrimPrefix(a, "#["), "]"))
			if p, ok := first(args); ok && plainVerb(name) != "" {
				r.route(s, symbol.NameSpan, plainVerb(name), "", p, "")
			}
		}
	case "php":
		for _, a := range symbol.Annotations {
			name, args := annotation(strings.TrimSuffix(strings.TrimPrefix(a, "#["), "]"))
			if p, ok := first(args); ok && name == "Route" {
				r.route(s, symbol.NameSpan, "", r.phpPrefix(symbol), p, "")
			}
		}
	}
}

func (r *httpReader) phpPrefix(s *code.Symbol) string {
	if s.Parent < 0 {
		return ""
	}
	for _, a := range r.f.Symbols[s.Parent].Annotations {
		if name, args := annotation(strings.TrimSuffix(strings.TrimPrefix(a, "#["), "]")); name == "Route" {
			p, _ := first(args)
			return p
		}
	}
	return ""
}

// annotation parts "@a.Get('x', y)" into the last name and the arguments.
func annotation(text string) (name string, args []string) {
	text = strings.TrimLeft(strings.TrimSpace(text), "@[")
	name, rest, ok := strings.Cut(text, "(")
	if ok {
		args = ListItems(rest)
	}
	name = strings.TrimRight(name, "] ")
	return name[strings.LastIndexAny(name, ".:")+1:], args
}

// first is the text of the first argument, or of the one that is the path.
func first(args []string) (string, bool) {
	all := paths(args)
	if len(all) == 0 {
		return "", false
	}
	return all[0], true
}

// paths is every path that annotation arguments state: "x", value = "x", path =
// {"x", "y"}.
func paths(args []string) (out []string) {
	for _, a := range args {
		key, value, named := strings.Cut(a, "=")
		key = strings.TrimSpace(key)
		if named && !strings.ContainsAny(key, "\"'`") {
			if key != "value" && key != "path" && key != "template" && key != "Template" && key != "rule" {
				continue
			}
			a = strings.TrimSpace(value)
		}
		for _, item := range ListItems(strings.Trim(strings.TrimPrefix(a, "arrayOf("), "{}[]()")) {
			if p, ok := quoted(strings.TrimSpace(item)); ok {
				out = append(out, p)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return out
}

// decorated reads Flask, FastAPI and what is like them: @app.get("/x"),
// @bp.route("/x", methods=["POST"]).
func (r *httpReader) decorated(s int) {
	symbol := &r.f.Symbols[s]
	for _, a := range symbol.Annotations {
		name, args := annotation(a)
		p, ok := first(args)
		if !ok || !strings.Contains(strings.SplitN(a, "(", 2)[0], ".") {
			continue
		}
		var methods []string
		switch {
		case plainVerb(name) != "":
			methods = []string{plainVerb(name)}
		case name == "route" || name == "api_route":
			for _, m := range ListItems(strings.Trim(keyword(args, "methods"), "[](){}")) {
				methods = append(methods, methodOf(m))
			}
			if len(methods) == 0 && name == "route" {
				methods = []string{"GET"}
			}
		default:
			continue
		}
		router := lastWord(strings.TrimSuffix(strings.TrimLeft(strings.SplitN(a, "(", 2)[0], "@"), "."+name))
		value, _ := r.fold.lookup(router, symbol.Span.StartByte)
		prefix := ""
		if i := strings.IndexByte(value, '('); i > 0 {
			made := ListItems(value[i+1:])
			prefix, _ = quoted(keyword(made, "prefix") + keyword(made, "url_prefix"))
		}
		for _, m := range methods {
			r.route(s, symbol.NameSpan, m, prefix, p, "", router)
		}
	}
}

// jvmAnnotated reads Spring, JAX-RS, and the clients that are declared like
// either: Feign, Retrofit.
func (r *httpReader) jvmAnnotated(s int) {
	symbol := &r.f.Symbols[s]
	prefixes, base, client := []string{""}, "", false
	if symbol.Parent >= 0 {
		for _, a := range r.f.Symbols[symbol.Parent].Annotations {
			switch name, args := annotation(a); name {
			case "RequestMapping", "Path", "HttpExchange":
				if p := paths(args); len(p) > 0 {
					prefixes = p
				}
				client = client || name == "HttpExchange"
			case "FeignClient":
				client, base = true, feign(args)
			}
		}
	}
	method, own, mapped := "", []string{""}, false
	for _, a := range symbol.Annotations {
		name, args := annotation(a)
		switch {
		case strings.HasSuffix(name, "Mapping") && (name == "RequestMapping" || plainVerb(strings.TrimSuffix(name, "Mapping")) != ""), strings.HasSuffix(name, "Exchange") && plainVerb(strings.TrimSuffix(name, "Exchange")) != "":
			mapped = true
			method = methodOf(strings.TrimSuffix(strings.TrimSuffix(name, "Mapping"), "Exchange"))
			if m := keyword(args, "method"); m != "" {
				method = methodOf(strings.Trim(m, "{}[]"))
			}
			if p := paths(args); len(p) > 0 {
				own = p
			}
		case name == "Path":
			mapped = true
			if p := paths(args); len(p) > 0 {
				own = p
			}
		case methodOf(name) == name && name != "": // JAX-RS @GET, Retrofit @GET("x")
			mapped, method = true, name
			if p, ok := first(args); ok {
				client, own = true, []string{p}
			}
		}
	}
	if !mapped {
		return
	}
	for _, prefix := range prefixes {
		for _, p := range own {
			whole := joinURL("/"+strings.Trim(prefix, "/"), p)
			if strings.TrimSpace(p) == "" {
				whole = "/" + strings.Trim(prefix, "/")
			}
			if client {
				r.keep(l2meta.RoleFetch, s, symbol.NameSpan, method, base+joinURL("", whole), "")
			} else {
				r.route(s, symbol.NameSpan, method, "", joinURL("", whole), "")
			}
		}
	}
}

// feign is the address of a Feign client: its URL, else the name of a service.
func feign(args []string) (base string) {
	if u, ok := quoted(keyword(args, "url")); ok && u != "" {
		base = placeholder.ReplaceAllString(u, "{env:$1}")
	} else if n, ok := quoted(keyword(args, "name") + keyword(args, "value") + keyword(args, "serviceId")); ok {
		base = "http://" + n
	} else if n, ok := first(args); ok {
		base = "http://" + n
	}
	if p, ok := quoted(keyword(args, "path")); ok {
		base = joinURL(base, p)
	}
	return strings.TrimRight(base, "/")
}

func (r *httpReader) nestAnnotated(s int) {
	symbol := &r.f.Symbols[s]
	prefix, controls := "", false
	if symbol.Parent >= 0 {
		for _, a := range r.f.Symbols[symbol.Parent].Annotations {
			if name, args := annotation(a); name == "Controller" {
				prefix, _ = first(args)
				controls = true
			}
		}
	}
	for _, a := range symbol.Annotations {
		name, args := annotation(a)
		if controls && plainVerb(name) != "" {
			p, _ := first(args)
			r.route(s, symbol.NameSpan, plainVerb(name), "", strings.TrimSuffix(joinURL("/"+strings.Trim(prefix, "/"), p), "/"), "")
		}
	}
}

func (r *httpReader) csharpAnnotated(s int) {
	symbol := &r.f.Symbols[s]
	prefix := ""
	if symbol.Parent >= 0 {
		outer := &r.f.Symbols[symbol.Parent]
		for _, a := range outer.Annotations {
			if name, args := annotation(a); name == "Route" {
				prefix, _ = first(args)
				prefix = strings.ReplaceAll(prefix, "[controller]", strings.ToLower(strings.TrimSuffix(outer.Name, "Controller")))
			}
		}
	}
	for _, a := range symbol.Annotations {
		name, args := annotation(a)
		method := methodOf(strings.TrimPrefix(name, "Http"))
		if !strings.HasPrefix(name, "Http") || method == "" {
			continue
		}
		p, _ := first(args)
		if strings.HasPrefix(p, "/") || strings.HasPrefix(p, "~/") {
			r.route(s, symbol.NameSpan, method, "", strings.TrimPrefix(p, "~"), "")
		} else if prefix != "" || p != "" {
			r.route(s, symbol.NameSpan, method, "", strings.TrimSuffix(joinURL("/"+strings.Trim(prefix, "/"), strings.ReplaceAll(p, "[action]", symbol.Name)), "/"), "")
		}
	}
}
