package typescript

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// readWhole records proxy rules, and the routes that no call adds. These are the routes of files
// that have one because of their path, as in Next.js, and the routes of a plain Node server,
// which compares the URL of the request.
func readWhole(r *services.Reader) {
	readProxies(r)
	readDefaultBases(r)
	readMoleculer(r)
	readDescribed(r)
	readModules(r)
	for i := range r.File.Symbols {
		readController(r, i)
	}
	dir, base := path.Split(r.File.Path)
	stem := strings.TrimSuffix(base, path.Ext(base))
	steps := strings.Split(strings.Trim(dir, "/"), "/")
	switch {
	case stem == "route" && slices.Contains(steps, "app"):
		keepMethods(r, fileRoute(steps[lastIndex(steps, "app")+1:]))
	case stem == "+server" && slices.Contains(steps, "routes"):
		keepMethods(r, fileRoute(steps[lastIndex(steps, "routes")+1:]))
	case slices.Contains(steps, "pages"):
		if below := steps[lastIndex(steps, "pages")+1:]; len(below) > 0 && below[0] == "api" &&
			!strings.HasPrefix(stem, "_") {
			if stem != "index" {
				below = append(slices.Clip(below), stem)
			}
			keepDefault(r, fileRoute(below))
		}
	}
	if len(namesOf(r).node) > 0 && strings.Contains(r.Text, "createServer") {
		keepCompared(r)
	}
}

func lastIndex(list []string, s string) int {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i] == s {
			return i
		}
	}
	return -1
}

// fileRoute returns the route template for the folders of a path: /orders/{id} for app/(shop)/orders/[id]. A folder
// [...path] matches any number of segments.
func fileRoute(steps []string) string {
	var b strings.Builder
	for _, s := range steps {
		switch {
		case s == "" || strings.HasPrefix(s, "(") || strings.HasPrefix(s, "@"):
			continue
		case strings.HasPrefix(s, "["):
			name := strings.Trim(s, "[]")
			if rest, ok := strings.CutPrefix(name, "..."); ok {
				name = rest + "..."
			}
			s = "{" + name + "}"
		}
		b.WriteString("/" + s)
	}
	return b.String()
}

// keepMethods records a route for each exported function that is named after an HTTP method.
func keepMethods(r *services.Reader, template string) {
	for i := range r.File.Symbols {
		s := &r.File.Symbols[i]
		if s.Parent < 0 && s.Exported && slices.Contains(folding.Methods, s.Name) {
			r.Route(i, s.NameSpan, s.Name, "", template, "")
		}
	}
}

// keepDefault records a route for the default export of a file, if that is a function, possibly inside a wrapper.
func keepDefault(r *services.Reader, template string) {
	for i := range r.File.Symbols {
		s := &r.File.Symbols[i]
		if s.Parent >= 0 || !s.Kind.Callable() {
			continue
		}
		if s.Name == "default" ||
			s.Exported && strings.Contains(r.Text[s.Span.StartByte:s.NameSpan.StartByte], "default") {
			r.Route(i, s.NameSpan, "", "", template, "")
			return
		}
	}
	for _, e := range r.File.Exports {
		if e.Name != "default" {
			continue
		}
		handler := e.Local
		if m := defaultOf.FindStringSubmatch(r.Text); handler == "" && m != nil {
			handler = handlerOf(m[1])
			if handler == m[1] && strings.Contains(handler, "(") {
				handler = folding.ListItems(handler[strings.IndexByte(handler, '(')+1:])[0]
			}
		}
		r.Route(-1, e.Span, "", "", template, handler)
		return
	}
}

var defaultOf = regexp.MustCompile(`(?m)^export default\s+([\w.]+(?:\([\w., ()]+\))?)\s*;?\s*$`)

var (
	compared = regexp.MustCompile("(?:\\.url|pathname|\\bpath|\\burl)\\s*={2,3}\\s*[\"'`](/[^\"'`\\s]*)[\"'`]")
	switched = regexp.MustCompile("\\bcase\\s+[\"'`](/[^\"'`\\s]*)[\"'`]\\s*:")
	methodIs = regexp.MustCompile("method\\s*={2,3}\\s*[\"'`]([A-Z]+)[\"'`]")
)

// keepCompared records the paths with which a server compares the URL of a request: if (req.url === '/x').
func keepCompared(r *services.Reader) {
	keep := func(at int, template, method string) {
		r.Route(r.Around(at), r.SpanAt(at), method, "", template, "=>")
	}
	for _, m := range compared.FindAllStringSubmatchIndex(r.Text, 100) {
		method := ""
		line := r.Text[strings.LastIndexByte(r.Text[:m[0]], '\n')+1:]
		line, _, _ = strings.Cut(line, "\n")
		if given := methodIs.FindStringSubmatch(line); given != nil {
			method = folding.MethodOf(given[1])
		}
		keep(m[0], r.Text[m[2]:m[3]], method)
	}
	if strings.Contains(r.Text, "switch") &&
		(strings.Contains(r.Text, ".url)") || strings.Contains(r.Text, "athname)")) {
		for _, m := range switched.FindAllStringSubmatchIndex(r.Text, 100) {
			keep(m[0], r.Text[m[2]:m[3]], "")
		}
	}
}

// controllers lists the decorators of classes whose argument is a path prefix for the routes of
// the class.
var controllers = map[string]bool{"Controller": true, "JsonController": true, "controller": true}

// readDecorators records the decorated routes of NestJS, routing-controllers and Inversify.
func readDecorators(r *services.Reader, s int) {
	symbol := &r.File.Symbols[s]
	if symbol.Parent < 0 {
		return
	}
	prefixes, version := controllerOf(&r.File.Symbols[symbol.Parent])
	for _, a := range symbol.Annotations {
		name, args := folding.Annotation(a)
		if name == "GrpcMethod" || name == "GrpcStreamMethod" {
			r.Add(answers(r, s, args))
		}
		if v := versionOf(name, args); v != "" {
			version = v
		}
	}
	for _, a := range symbol.Annotations {
		name, args := folding.Annotation(a)
		method := services.PlainVerb(strings.TrimPrefix(name, "http"))
		if method == "" && name != "All" {
			continue
		}
		paths := folding.Paths(args)
		if len(paths) == 0 {
			paths = []string{""}
		}
		for _, p := range paths {
			// the class declares routes, which controllers that extend it serve
			if len(prefixes) == 0 && decorates(r) {
				r.Route(s, symbol.NameSpan, method, "", "/"+strings.Trim(version+"/"+p, "/"), services.Heirs)
			}
		}
		for _, prefix := range prefixes {
			for _, p := range paths {
				template := strings.TrimSuffix(folding.JoinURL(version+"/"+strings.Trim(prefix, "/"), p), "/")
				r.Route(s, symbol.NameSpan, method, "", "/"+strings.TrimLeft(template, "/"), "",
					r.File.Symbols[symbol.Parent].Name)
			}
		}
	}
}

// controllerOf returns the path prefixes of the routes of a class, and the version that precedes them. It returns no
// prefixes if the class is no controller.
func controllerOf(class *code.Symbol) (prefixes []string, version string) {
	for _, a := range class.Annotations {
		name, args := folding.Annotation(a)
		if v := versionOf(name, args); v != "" {
			version = v
		}
		if !controllers[name] {
			continue
		}
		// an object as the argument: @Controller({path: 'x', version: '2'})
		if len(args) > 0 && strings.HasPrefix(args[0], "{") {
			if v, ok := folding.Quoted(folding.Property(args[0], "version")); ok {
				version = "/v" + v
			}
			args = []string{folding.Property(args[0], "path")}
		} else if len(args) > 0 && strings.HasPrefix(args[0], "[") {
			args = []string{"{" + strings.Trim(args[0], "[]") + "}"}
		}
		if prefixes = folding.Paths(args); len(prefixes) == 0 {
			prefixes = []string{""}
		}
	}
	return prefixes, version
}

// decorates reports whether the file imports the decorators of a controller library.
func decorates(r *services.Reader) bool {
	return slices.ContainsFunc(r.File.Imports, func(m code.Import) bool {
		return m.Module == "@nestjs/common" || m.Module == "routing-controllers" ||
			m.Module == "inversify-express-utils"
	})
}

// readController records that a class serves the routes that its base classes declare.
func readController(r *services.Reader, s int) {
	class := &r.File.Symbols[s]
	if class.Kind != code.KindClass || len(class.Annotations) == 0 {
		return
	}
	prefixes, version := controllerOf(class)
	for i := range prefixes {
		prefixes[i] = version + "/" + strings.Trim(prefixes[i], "/")
	}
	if len(prefixes) > 0 {
		r.KeepInherit(s, services.Serves, "", prefixes...)
	}
}

func versionOf(name string, args []string) string {
	if name == "Version" && len(args) > 0 {
		if v, ok := folding.Quoted(args[0]); ok {
			return "/v" + v
		}
	}
	return ""
}

// answers returns a fact with the gRPC method that a method of a NestJS controller handles: @GrpcMethod('Cart',
// 'GetItem'). If a name is omitted, it is that of the class or of the method.
func answers(r *services.Reader, s int, args []string) code.Fact {
	symbol := &r.File.Symbols[s]
	of, method := r.File.Symbols[symbol.Parent].Name, code.Capitalized(symbol.Name)
	if len(args) > 0 {
		of = folding.Unquoted(args[0])
	}
	if len(args) > 1 {
		method = folding.Unquoted(args[1])
	}
	return code.Fact{Kind: code.FactEndpoint, Owner: s, Name: l2meta.RoleServes, Type: "@" + of + "/" + method,
		Span: symbol.NameSpan}
}
