package csharp

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// attributesOf returns the attributes of a symbol one by one: [HttpPost, Route("x")] yields two.
func attributesOf(s *code.Symbol) (out []string) {
	for _, list := range s.Annotations {
		out = append(out, folding.ListItems(strings.TrimPrefix(strings.TrimSpace(list), "["))...)
	}
	return out
}

// routesOf returns the templates of a symbol's [Route] attributes: "/" for [Route("")], which replaces the route of a
// base class, too. If it has none, it returns those of attributes of the program's own whose names suggest one,
// [V1ApiController("items")].
func routesOf(r *services.Reader, s int) (out []string) {
	var own []string
	for _, a := range attributesOf(&r.File.Symbols[s]) {
		name, args := folding.Annotation(a)
		switch {
		case name == "Route" || name == "RoutePrefix":
			if p, ok := template(r, args, r.File.Symbols[s].NameSpan.StartByte); ok {
				out = append(out, cmp.Or(p, "/"))
			}
		case ownController.MatchString(name) && !frameworkAttributes[name]:
			own = append(own, services.ByAnnotation(name, textsIn(args)))
		}
	}
	if len(out) == 0 {
		return own
	}
	return out
}

var (
	// ownController and ownAction match names of attributes that may state the route of a controller and of an action.
	ownController = regexp.MustCompile(`Controller$|Route`)
	ownAction     = regexp.MustCompile(`(?:^|[a-z])(?:Get|Post|Put|Patch|Delete|Route)(?:[A-Z]|$)`)
	// frameworkAttributes lists attributes of ASP.NET whose names look like that and which state no route.
	frameworkAttributes = map[string]bool{"ApiController": true, "Controller": true, "NonController": true,
		"RouteValue": true, "FromRoute": true}
)

// textsIn returns the texts of the positional arguments of an attribute, "" for any that is no literal.
func textsIn(args []string) (out []string) {
	for _, a := range args {
		if strings.Contains(a, "=") && !strings.HasPrefix(a, `"`) {
			continue
		}
		text, _ := folding.Quoted(a)
		out = append(out, text)
	}
	return out
}

// readOwnAttribute records the route for which an attribute of the program's own stands: that of its base, HttpPut or
// Route, with the template that its constructor passes on, or one that it sets.
//
//	class PutByIdAttribute : HttpPutAttribute { PutByIdAttribute() : base("{id}") { } }
//	class VersionedAttribute(string name) : Attribute, IRouteTemplateProvider { string Template => $"v1/{name}"; }
func readOwnAttribute(r *services.Reader, class int) {
	s := &r.File.Symbols[class]
	name, is := strings.CutSuffix(s.Name, "Attribute")
	if !is {
		return
	}
	base := ""
	for _, f := range r.File.Facts {
		if (f.Kind == code.FactBase || f.Kind == code.FactImpl) && f.Owner == class &&
			strings.HasSuffix(f.Type, "Attribute") {
			base = strings.TrimSuffix(f.Type, "Attribute")
		}
	}
	body := r.Text[s.Span.StartByte:min(s.Span.EndByte, s.Span.StartByte+folding.MaxEndpointText)]
	verb := folding.MethodOf(strings.TrimPrefix(base, "Http"))
	state := services.AnnotationRoute{Base: base}
	switch {
	case strings.HasPrefix(base, "Http") && verb != "":
		state.Known, state.Method = true, verb
	case base == "Route":
		state.Known = true
	case base == "" && strings.Contains(body, "IRouteTemplateProvider"):
		state.Known = true
		if m := ownVerb.FindStringSubmatch(body); m != nil {
			state.Method = strings.ToUpper(m[1])
		}
	case !strings.Contains(r.Text, "Route") && !strings.Contains(body, "base("):
		return
	}
	var parameters []string
	if m := regexp.MustCompile(`\b` + s.Name + `\s*\(([^()]*)\)\s*(?::\s*base\s*\(([^()]*)\))?`).
		FindStringSubmatch(body); m != nil {
		for _, p := range folding.ListItems(m[1]) {
			declared, otherwise, _ := strings.Cut(p, "=")
			words := strings.Fields(declared)
			if len(words) == 0 {
				continue
			}
			parameters = append(parameters, words[len(words)-1])
			state.Defaults = append(state.Defaults, literalOf(r, otherwise))
		}
		for _, a := range folding.ListItems(m[2]) {
			state.Given = append(state.Given, ofParameters(r, a, parameters))
		}
	}
	if m := ownTemplate.FindStringSubmatch(body); m != nil {
		state.Template = ofParameters(r, m[1], parameters)
	}
	r.KeepAnnotation(class, name, state)
}

var (
	ownVerb     = regexp.MustCompile(`HttpMethods\s*=>[^;]*"(\w+)"`)
	ownTemplate = regexp.MustCompile(`\bTemplate\s*(?:=>|=)\s*([^;]+);`)
	hole        = regexp.MustCompile(`\{(\w+)\}`)
)

// literalOf returns the text of a literal or of a constant of the file.
func literalOf(r *services.Reader, expr string) string {
	expr = strings.TrimSpace(expr)
	if text, ok := folding.Quoted(expr); ok || expr == "" {
		return text
	}
	if value, _ := r.Lookup(expr, len(r.Text)); value != "" {
		text, _ := folding.Quoted(value)
		return text
	}
	return ""
}

// ofParameters returns the text of an expression in a constructor, with the position of a parameter in place of each:
// api/v{#0}/{#1} for $"api/v{version}/{resource}".
func ofParameters(r *services.Reader, expr string, parameters []string) string {
	expr = strings.TrimSpace(expr)
	if i := slices.Index(parameters, expr); i >= 0 {
		return services.AnnotationArgument(i)
	}
	if strings.Trim(expr, "0123456789") == "" {
		return expr
	}
	text, interpolated := strings.CutPrefix(expr, "$")
	if text = literalOf(r, text); !interpolated {
		return text
	}
	return hole.ReplaceAllStringFunc(text, func(h string) string {
		if i := slices.Index(parameters, strings.Trim(h, "{}")); i >= 0 {
			return services.AnnotationArgument(i)
		}
		return h
	})
}

// verbatimPattern matches the constraint of a path parameter by a regular expression.
var verbatimPattern = regexp.MustCompile(`:regex\([^{}]*\)`)

// template returns the path among the arguments of an attribute, as in [Route("items/{id}")]; false if
// there is none.
func template(r *services.Reader, args []string, at int) (string, bool) {
	if len(args) > 0 && strings.HasPrefix(args[0], `@"`) { // [HttpGet(@"{name:regex([[a-z]]+?\.txt)}")]
		args = append([]string{verbatimPattern.ReplaceAllString(args[0][1:], "")}, args[1:]...)
	}
	if p, ok := folding.FirstPath(args); ok {
		return p, true
	}
	if len(args) == 0 || strings.Contains(args[0], "=") {
		return "", false
	}
	p := r.Fold(args[0], at)
	return p, p != "" && !strings.ContainsAny(p, " \"") && (!strings.HasPrefix(p, "{") || strings.Contains(p, "}/"))
}

// readAttributes records the routes of controllers, FastEndpoints and Azure Functions, and the
// requests of Refit interfaces.
func readAttributes(r *services.Reader, s int) {
	symbol := &r.File.Symbols[s]
	if symbol.Parent >= 0 && r.File.Symbols[symbol.Parent].Kind == code.KindInterface {
		readDeclared(r, s)
		return
	}
	var methods, own []string
	for _, a := range attributesOf(symbol) {
		name, args := folding.Annotation(a)
		if name == "Function" || name == "FunctionName" {
			readTrigger(r, s, args)
			return
		}
		method := folding.MethodOf(strings.TrimPrefix(name, "Http"))
		switch {
		case strings.HasPrefix(name, "Http") && method != "":
			methods = append(methods, method)
		case name == "NonAction": // an override hides the route of its base: no annotation of this name states one
			r.Route(s, symbol.NameSpan, "", "", services.ByAnnotation(name, nil), "")
			return
		case name == "AcceptVerbs":
			for _, a := range args {
				if m := folding.MethodOf(a); m != "" && !strings.Contains(a, "=") {
					methods = append(methods, m)
				}
			}
			if p, ok := folding.Quoted(folding.Keyword(args, "Route")); ok {
				own = append(own, p)
			}
			continue
		case name != "Route":
			continue
		}
		if p, ok := template(r, args, symbol.NameSpan.StartByte); ok {
			own = append(own, p)
		}
	}
	if len(methods) == 0 && len(own) == 0 {
		if own = ownRoutes(symbol); len(own) == 0 {
			return
		}
	}
	prefixes := []string{""}
	if symbol.Parent >= 0 {
		prefixes = append(routesOf(r, symbol.Parent), prefixes...)
	}
	if len(prefixes) > 1 {
		prefixes = prefixes[:len(prefixes)-1]
	}
	if len(methods) == 0 {
		methods = []string{""}
	}
	if len(own) == 0 {
		own = []string{""}
	}
	for _, m := range methods {
		for _, prefix := range prefixes {
			for _, p := range own {
				keepAction(r, s, m, prefix, p)
			}
		}
	}
}

// ownRoutes returns the templates of attributes of the program's own that may state the route of an action.
func ownRoutes(s *code.Symbol) (out []string) {
	for _, a := range attributesOf(s) {
		if name, args := folding.Annotation(a); ownAction.MatchString(name) && !frameworkAttributes[name] {
			out = append(out, services.ByAnnotation(name, textsIn(args)))
		}
	}
	return out
}

// readActions records the actions of a controller that have no attributes for routes: a public method answers all
// HTTP methods at the paths of [Route("orders")] on its class.
func readActions(r *services.Reader, class int) {
	prefixes := routesOf(r, class)
	if len(prefixes) == 0 || !strings.HasSuffix(r.File.Symbols[class].Name, "Controller") {
		return
	}
	for i := range r.File.Symbols {
		s := &r.File.Symbols[i]
		if s.Parent != class || s.Kind != code.KindMethod || !slices.Contains(s.Modifiers, "public") ||
			slices.Contains(s.Modifiers, "static") || slices.Contains(s.Modifiers, "override") ||
			slices.ContainsFunc(attributesOf(s), statesRoute) || !returnsResult(r, i) {
			continue
		}
		for _, p := range prefixes {
			keepAction(r, i, "", p, "")
		}
	}
}

// returnsResult reports whether a method returns the result of an action: IActionResult, Task<ActionResult<Item>>.
func returnsResult(r *services.Reader, s int) bool {
	return slices.ContainsFunc(r.File.Facts, func(f code.Fact) bool {
		return f.Kind == code.FactResult && f.Owner == s && strings.Contains(f.Type, "Result")
	})
}

// statesRoute reports whether an attribute says which requests an action answers, or that it answers none.
func statesRoute(attribute string) bool {
	name, _ := folding.Annotation(attribute)
	return strings.HasPrefix(name, "Http") || name == "Route" || name == "AcceptVerbs" || name == "NonAction" ||
		ownAction.MatchString(name)
}

// keepAction records the route of an action, which is a method of a controller.
func keepAction(r *services.Reader, s int, method, prefix, p string) {
	symbol := &r.File.Symbols[s]
	controller := ""
	if symbol.Parent >= 0 {
		controller = strings.ToLower(strings.TrimSuffix(r.File.Symbols[symbol.Parent].Name, "Controller"))
	}
	absolute := strings.HasPrefix(p, "/") || strings.HasPrefix(p, "~/")
	if symbol.Parent >= 0 && prefix == "" && !absolute &&
		(p == "" || slices.Contains(r.File.Symbols[symbol.Parent].Modifiers, "abstract")) {
		r.Route(s, symbol.NameSpan, method, "", "/"+strings.Trim(p, "/"), services.Heirs)
		return
	}
	path := "/" + strings.Trim(prefix, "/")
	if absolute {
		path = strings.TrimPrefix(p, "~")
	} else if p != "" {
		path = folding.JoinURL(path, p)
	}
	path = strings.NewReplacer("[controller]", controller, "[action]", strings.ToLower(symbol.Name)).Replace(path)
	r.Route(s, symbol.NameSpan, method, "", path, "")
}

// readSurface records that a controller serves the routes that its bases declare, below the paths
// of its [Route] attributes. It records an abstract class or interface that has such attributes
// as a type that declares routes for its subtypes.
func readSurface(r *services.Reader, class int) {
	symbol, given := &r.File.Symbols[class], routesOf(r, class)
	is := strings.HasSuffix(symbol.Name, "Controller") ||
		hasBase(r, class, "ControllerBase", "Controller", "ApiController")
	switch {
	case is && !slices.Contains(symbol.Modifiers, "abstract"):
		r.KeepInherit(class, services.Serves, "", given...)
	case len(given) > 0:
		r.KeepInherit(class, services.Declares, "", given...)
	}
}

// readDeclared records the requests that an interface of Refit or RestEase declares: [Get("/items/{id}")]. In
// RestEase, the interface may have a base path for all requests, and a request may have no path of its own.
func readDeclared(r *services.Reader, s int) {
	symbol := &r.File.Symbols[s]
	for _, a := range attributesOf(symbol) {
		name, args := folding.Annotation(a)
		method := services.PlainVerb(name)
		base := basePath(r, symbol.Parent)
		if method == "" || name == strings.ToUpper(name) || len(args) == 0 && base == "" {
			continue
		}
		if p, ok := template(r, args, symbol.NameSpan.StartByte); ok || len(args) == 0 {
			p, _, _ = strings.Cut(p, "?")
			if base != "" {
				p = folding.JoinURL(base, p)
			}
			p = strings.TrimRight(p, "/")
			r.Keep(l2meta.RoleFetch, s, symbol.NameSpan, method, "/"+strings.TrimLeft(p, "/"), "")
		}
	}
}

// basePath returns the path of RestEase's [BasePath("items")] on an interface, or "".
func basePath(r *services.Reader, class int) string {
	for _, a := range attributesOf(&r.File.Symbols[class]) {
		if name, args := folding.Annotation(a); name == "BasePath" {
			p, _ := template(r, args, r.File.Symbols[class].NameSpan.StartByte)
			return p
		}
	}
	return ""
}

var (
	trigger      = regexp.MustCompile(`\bHttpTrigger\(([^()]*)\)`)
	triggerRoute = regexp.MustCompile(`Route\s*=\s*(null|"[^"]*")`)
)

// readTrigger records the routes of an Azure Function with an HTTP trigger, below the default
// prefix "api".
func readTrigger(r *services.Reader, s int, args []string) {
	symbol := &r.File.Symbols[s]
	m := trigger.FindStringSubmatch(
		r.Text[symbol.NameSpan.EndByte:min(symbol.Span.EndByte, symbol.NameSpan.EndByte+600)])
	if m == nil || len(args) == 0 {
		return
	}
	path := strings.TrimSuffix(strings.TrimPrefix(args[0], "nameof("), ")")
	if text, ok := folding.Quoted(args[0]); ok {
		path = text
	}
	if route := triggerRoute.FindStringSubmatch(m[1]); route != nil && route[1] != "null" {
		path = strings.Trim(route[1], `"`)
	}
	var methods []string
	for _, a := range folding.ListItems(m[1]) {
		if verb, ok := folding.Quoted(a); ok && folding.MethodOf(verb) != "" {
			methods = append(methods, verb)
		}
	}
	if len(methods) == 0 {
		methods = []string{""}
	}
	for _, method := range methods {
		r.Route(s, symbol.NameSpan, method, "", folding.JoinURL("/api", path), "")
	}
}
