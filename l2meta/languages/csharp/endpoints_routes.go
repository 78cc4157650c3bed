package csharp

import (
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// readCall records the routes of minimal APIs, Carter and FastEndpoints, and the addresses of
// registered clients.
func readCall(r *services.Reader, c *code.Call) {
	args := r.Arguments(c)
	switch c.Callee {
	case "AddHttpClient", "AddRefitClient":
		readAddress(r, c, args)
		return
	case "For":
		// RestService is Refit's, RestClient is RestEase's
		if of := folding.LastWord(c.Receiver); of == "RestService" || of == "RestClient" {
			readAddress(r, c, args)
		}
		return
	case "UsePathBase":
		if len(args) == 1 {
			if p, ok := r.Path(args[0], c.NameSpan.StartByte); ok {
				r.Mount(c.Caller, c.NameSpan, strings.TrimRight(p, "/"), ".")
			}
		}
		return
	}
	if !strings.HasPrefix(c.Callee, "Map") {
		readConfigured(r, c, args)
		return
	}
	methods, handler := []string{folding.MethodOf(strings.TrimPrefix(c.Callee, "Map"))}, 1
	switch {
	case c.Callee == "MapMethods" && len(args) > 2:
		methods, handler = nil, 2
		for _, m := range quotedTexts.FindAllString(args[1], -1) {
			methods = append(methods, folding.MethodOf(m))
		}
	case c.Callee != "Map" && methods[0] == "", len(args) < 2:
		return
	}
	template, ok := text(r, c, args[0])
	if !ok {
		return
	}
	prefix, router := groupPrefix(r, r.Receiver(c), c.NameSpan.StartByte, 0)
	prefix = folding.JoinURL("/"+strings.Trim(moduleBase(r, c), "/"), prefix)
	path := strings.TrimRight(folding.JoinURL(prefix, template), "/")
	for _, m := range methods {
		r.Route(c.Caller, c.NameSpan, m, "", "/"+strings.TrimLeft(path, "/"), args[handler], router)
	}
}

var quotedTexts = regexp.MustCompile(`"[^"]*"|HttpMethods\.\w+`)

// text returns the route template to which an argument evaluates, /items/{id} for Prefix + "/{id}". It
// returns false if the value does not look like a path.
func text(r *services.Reader, c *code.Call, arg string) (string, bool) {
	if p, ok := folding.Quoted(arg); ok {
		return p, true
	}
	p := r.Fold(arg, c.NameSpan.StartByte)
	return p, strings.Contains(p, "/") && !strings.HasPrefix(p, "{") && !strings.ContainsAny(p, " \"")
}

// groupPrefix returns the path prefix below which a router adds its routes, as far as the file
// contains it, and the variable at which the groups start: "/api/items" and app for
// app.MapGroup("/api").MapGroup("items").
func groupPrefix(r *services.Reader, router string, at, depth int) (prefix, name string) {
	root, steps := folding.Chain(router)
	for _, s := range steps {
		if s.Name == "MapGroup" && len(s.Args) == 1 {
			p := r.Fold(s.Args[0], at)
			prefix = strings.TrimRight(prefix, "/") + "/" + strings.Trim(p, "/")
		}
	}
	name = folding.LastWord(root)
	if name == "" || depth > folding.MaxFolds {
		return prefix, ""
	}
	value, where := r.Lookup(name, at)
	if value == "" || where >= at {
		return prefix, name
	}
	if _, made := folding.Chain(value); len(made) == 0 {
		return prefix, name
	}
	above, outer := groupPrefix(r, value, where, depth+1)
	if above == "" {
		outer = name
	}
	return above + prefix, outer
}

var baseCall = regexp.MustCompile(`:\s*base\(\s*"([^"]*)"\s*\)`)

// moduleBase returns the base path of a Carter module, which the module's constructor passes to the constructor of
// its base class. It returns "" if there is none.
func moduleBase(r *services.Reader, c *code.Call) string {
	t := typeAround(r, c.Caller)
	if t < 0 || !hasBase(r, t, "CarterModule") {
		return ""
	}
	s := r.File.Symbols[t].Span
	if m := baseCall.FindStringSubmatch(r.Text[s.StartByte:s.EndByte]); m != nil {
		return m[1]
	}
	return ""
}

// hasBase reports whether one of names is a base of type t, with or without type arguments.
func hasBase(r *services.Reader, t int, names ...string) bool {
	for i := range r.File.Facts {
		f := &r.File.Facts[i]
		if f.Owner != t || f.Kind != code.FactBase && f.Kind != code.FactImpl {
			continue
		}
		name, _, _ := strings.Cut(f.Type, "<")
		if slices.Contains(names, strings.TrimSpace(name[strings.LastIndexByte(name, '.')+1:])) {
			return true
		}
	}
	return false
}

// readConfigured records the routes of FastEndpoints: Get("/items/{id}") in Configure of a class.
// HandleAsync of the same class is the handler.
func readConfigured(r *services.Reader, c *code.Call, args []string) {
	if c.Receiver != "" || len(args) == 0 || c.Caller < 0 || r.File.Symbols[c.Caller].Name != "Configure" {
		return
	}
	methods, templates := []string{services.PlainVerb(c.Callee)}, args
	switch {
	case c.Callee == "Routes":
		methods = nil
		for i := range r.File.Calls {
			verbs := &r.File.Calls[i]
			if verbs.Caller == c.Caller && verbs.Callee == "Verbs" {
				for _, a := range r.Arguments(verbs) {
					methods = append(methods, folding.MethodOf(a))
				}
			}
		}
	case methods[0] == "":
		return
	}
	handler := sibling(r, c.Caller, "HandleAsync", "ExecuteAsync")
	for _, a := range templates {
		p, ok := text(r, c, a)
		for _, m := range methods {
			if ok && handler >= 0 {
				r.Route(handler, r.File.Symbols[handler].NameSpan, m, "", p, "")
			}
		}
	}
}

// sibling returns the symbol of a callable with one of the names in the type that declares the member s; -1 if there
// is none.
func sibling(r *services.Reader, s int, names ...string) int {
	for i := range r.File.Symbols {
		o := &r.File.Symbols[i]
		if o.Parent == r.File.Symbols[s].Parent && o.Parent >= 0 && o.Kind.Callable() &&
			slices.Contains(names, o.Name) {
			return i
		}
	}
	return -1
}

// readWhole records what needs a look at the whole file: route groups that are passed to
// functions, routes of controllers without attributes, sections of configuration, and routes of
// proxies.
func readWhole(r *services.Reader) {
	readProxies(r)
	readSections(r)
	cascading(r)
	if strings.Contains(r.Text, "MapGroup(") {
		for i := range r.File.Calls {
			readHandedOn(r, &r.File.Calls[i])
		}
	}
	for i := range r.File.Symbols {
		if r.File.Symbols[i].Kind != code.KindClass {
			continue
		}
		if hasBase(r, i, "Controller") {
			readConventional(r, i)
		}
		if hasBase(r, i, "Controller", "ControllerBase") {
			readActions(r, i)
		}
		if hasBase(r, i, "Hub") {
			readHub(r, i)
		}
		readEndpointClass(r, i)
		readAppService(r, i)
		readServiceController(r, i)
		readClientProxy(r, i)
		readSurface(r, i)
		readOwnAttribute(r, i)
	}
}

var (
	section = regexp.MustCompile(`\b(?:GetSection|BindConfiguration)\(\s*("[\w:.-]+"|nameof\(\w+\)|[\w.]+)\s*\)`)

	// ownSection matches the constant by which a class of options names its section.
	ownSection = regexp.MustCompile(`\bconst\s+string\s+\w*Section\w*\s*=\s*"([\w:.-]+)"`)
)

// maxSections bounds the sections of configuration that are recorded for one file.
const maxSections = 100

// readSections records the names of the sections of configuration that a file binds to objects: GetSection("Urls"),
// BindConfiguration(nameof(Urls)), and const string SectionName = "Urls" in the class of the options.
func readSections(r *services.Reader) {
	if strings.Contains(r.Text, "Section") {
		if m := ownSection.FindStringSubmatchIndex(r.Text); m != nil {
			r.KeepText(-1, r.SpanAt(m[0]), services.Section, r.Text[m[2]:m[3]])
		}
	}
	if !strings.Contains(r.Text, "GetSection(") && !strings.Contains(r.Text, "BindConfiguration(") {
		return
	}
	for _, m := range section.FindAllStringSubmatchIndex(r.Text, maxSections) {
		name := r.Fold(r.Text[m[2]:m[3]], m[0])
		if strings.HasPrefix(r.Text[m[2]:], "nameof(") {
			name = strings.Trim(r.Text[m[2]+len("nameof("):m[3]], ") ")
		}
		if !strings.ContainsAny(name, "{}() ") {
			r.KeepText(-1, r.SpanAt(m[0]), services.Section, name)
		}
	}
}

// readHandedOn records the prefix of a route group for the function that adds routes to the
// group. That function is called on the group, app.MapGroup("/orders").MapOrders(), or gets it as
// an argument, Shelves.Map(v1).
func readHandedOn(r *services.Reader, c *code.Call) {
	if c.Kind != code.CallPlain || c.Callee == "MapGroup" ||
		folding.MethodOf(strings.TrimPrefix(c.Callee, "Map")) != "" || c.Callee == "MapMethods" {
		return
	}
	groups := r.Arguments(c)
	if strings.HasPrefix(c.Callee, "Map") || strings.HasPrefix(c.Callee, "Add") || strings.HasPrefix(c.Callee, "Use") {
		groups = append(groups, r.Receiver(c))
	}
	for _, g := range groups {
		if g == "" || strings.ContainsAny(g[:1], "\"$") || strings.Contains(g, "=>") {
			continue
		}
		if prefix, _ := groupPrefix(r, g, c.NameSpan.StartByte, 0); prefix != "" {
			r.Mount(c.Caller, c.NameSpan, prefix, "()")
			return
		}
	}
}

// readEndpointClass records the routes of the attributes of a FastEndpoints class:
// [HttpDelete("/items/{id}")].
func readEndpointClass(r *services.Reader, class int) {
	for _, a := range attributesOf(&r.File.Symbols[class]) {
		name, args := folding.Annotation(a)
		method := folding.MethodOf(strings.TrimPrefix(name, "Http"))
		p, ok := folding.FirstPath(args)
		if !strings.HasPrefix(name, "Http") || method == "" || !ok {
			continue
		}
		for i := range r.File.Symbols {
			if s := &r.File.Symbols[i]; s.Parent == class && (s.Name == "HandleAsync" || s.Name == "ExecuteAsync") {
				r.Route(i, s.NameSpan, method, "", p, "")
			}
		}
	}
}

// readConventional records the routes of a controller whose actions have no route attributes, by convention:
// /items/show/{id} for ItemsController.Show.
func readConventional(r *services.Reader, class int) {
	outer := &r.File.Symbols[class]
	if len(routesOf(r, class)) > 0 || !strings.HasSuffix(outer.Name, "Controller") {
		return
	}
	controller := strings.ToLower(strings.TrimSuffix(outer.Name, "Controller"))
	for i := range r.File.Symbols {
		s := &r.File.Symbols[i]
		if s.Parent != class || s.Kind != code.KindMethod || !slices.Contains(s.Modifiers, "public") ||
			slices.Contains(s.Modifiers, "static") {
			continue
		}
		methods, stated := []string{""}, false
		for _, a := range attributesOf(s) {
			name, args := folding.Annotation(a)
			if verb := folding.MethodOf(strings.TrimPrefix(name, "Http")); strings.HasPrefix(name, "Http") &&
				verb != "" {
				methods = []string{verb}
			}
			_, path := folding.FirstPath(args)
			stated = stated || path || name == "NonAction"
		}
		for _, m := range methods {
			if !stated {
				r.Route(i, s.NameSpan, m, "", "/"+controller+"/"+strings.ToLower(s.Name)+"/{id?}", "")
			}
			if !stated && s.Name == "Index" {
				r.Route(i, s.NameSpan, m, "", "/"+controller, "")
			}
		}
	}
}
