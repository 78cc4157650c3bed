package csharp

import (
	"slices"
	"strings"
	"unicode"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// ABP serves an application service as a controller without a line about routes: GET
// /api/catalog/public-product/{id} is PublicProductAppService.GetAsync(Guid id). The second segment
// is set where the host adds the controllers of a project, ConventionalControllers.Create; it is
// "app" by default. See "Auto API Controllers" in ABP's documentation.

// abpRoot is a placeholder for the segment that the host of an application service sets.
const abpRoot = "{rootPath}"

// abpVerbs lists the beginnings of method names that choose an HTTP method, in the order in which ABP
// tries them. Any other method is a POST.
var abpVerbs = []struct{ start, method string }{
	{"GetList", "GET"}, {"GetAll", "GET"}, {"Get", "GET"}, {"Put", "PUT"}, {"Update", "PUT"}, {"Delete", "DELETE"},
	{"Remove", "DELETE"}, {"Create", "POST"}, {"Add", "POST"}, {"Insert", "POST"}, {"Post", "POST"}, {"Patch", "PATCH"},
}

// readAppService records the routes of an application service of ABP: its public methods whose
// attributes state no other route. Programs without ABP have classes of such names, too.
func readAppService(r *services.Reader, class int) {
	outer := &r.File.Symbols[class]
	if !strings.HasSuffix(outer.Name, "AppService") || !strings.Contains(r.Text, "Volo.Abp") || slices.Contains(outer.Modifiers, "abstract") ||
		slices.ContainsFunc(attributesOf(outer), hidesFromABP) || len(routesOf(r, class)) > 0 ||
		!baseEndsIn(r, class, "AppService", "ApplicationService") {
		return
	}
	for _, name := range serviceInterfaces(r, class) {
		r.Mount(-1, outer.NameSpan, "", services.Replaced+name)
	}
	for i := range r.File.Symbols {
		s := &r.File.Symbols[i]
		if s.Parent != class || s.Kind != code.KindMethod || !slices.Contains(s.Modifiers, "public") ||
			slices.Contains(s.Modifiers, "static") ||
			slices.ContainsFunc(attributesOf(s), func(a string) bool { return statesRoute(a) || hidesFromABP(a) }) {
			continue
		}
		method, path := abpRoute(strings.TrimSuffix(outer.Name, "AppService"), s)
		r.Route(i, s.NameSpan, method, "", path, "")
	}
}

// readServiceController records that a controller states the routes of an application service: it
// implements the interface of the service, and forwards to it.
func readServiceController(r *services.Reader, class int) {
	outer := &r.File.Symbols[class]
	if strings.HasSuffix(outer.Name, "Controller") && len(routesOf(r, class)) > 0 {
		for _, name := range serviceInterfaces(r, class) {
			r.Mount(-1, outer.NameSpan, "", services.Replaces+name)
		}
	}
}

// serviceInterfaces returns the names of the interfaces of application services that a class
// implements.
func serviceInterfaces(r *services.Reader, class int) (out []string) {
	for _, f := range r.File.Facts {
		if f.Owner == class && (f.Kind == code.FactBase || f.Kind == code.FactImpl) && strings.HasPrefix(f.Type, "I") &&
			strings.HasSuffix(f.Type, "AppService") {
			out = append(out, f.Type)
		}
	}
	return out
}

// hidesFromABP reports whether an attribute takes a class or a method out of the API:
// [RemoteService(false)].
func hidesFromABP(attribute string) bool {
	name, args := folding.Annotation(attribute)
	return name == "RemoteService" && slices.ContainsFunc(args, func(a string) bool { return strings.HasSuffix(a, "false") })
}

// baseEndsIn reports whether the name of a base of a class, without type arguments, ends in one of
// ends.
func baseEndsIn(r *services.Reader, class int, ends ...string) bool {
	return slices.ContainsFunc(r.File.Facts, func(f code.Fact) bool {
		name, _, _ := strings.Cut(f.Type, "<")
		return f.Owner == class && (f.Kind == code.FactBase || f.Kind == code.FactImpl) &&
			slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(name, end) })
	})
}

// abpRoute returns the HTTP method and the path by which ABP serves a method of the application
// service that is called name, without its suffix.
func abpRoute(name string, s *code.Symbol) (method, path string) {
	method, action := "POST", strings.TrimSuffix(s.Name, "Async")
	for _, v := range abpVerbs {
		if rest, ok := strings.CutPrefix(action, v.start); ok {
			method, action = v.method, rest
			break
		}
	}
	path = "/api/" + abpRoot + "/" + kebab(name)
	var ids []string
	for _, p := range s.Parameters {
		switch parameter := p.Name; {
		case parameter == "id":
			path += "/{id}"
		case strings.HasSuffix(parameter, "Id"):
			ids = append(ids, parameter)
		}
	}
	if action == "" {
		return method, path
	}
	if path += "/" + kebab(action); len(ids) == 1 {
		path += "/{" + ids[0] + "}"
	}
	return method, path
}

// kebab returns a name in lower case with hyphens between its words: my-orders for MyOrders.
func kebab(name string) string {
	var b strings.Builder
	letters := []rune(name)
	for i, c := range letters {
		if unicode.IsUpper(c) && i > 0 && (!unicode.IsUpper(letters[i-1]) ||
			i+1 < len(letters) && unicode.IsLower(letters[i+1])) {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}

// readClientProxy records the requests of a client that ABP generates for an application service:
// RequestAsync(nameof(GetAsync), …) in ProductClientProxy : ClientProxyBase<IProductAppService>.
func readClientProxy(r *services.Reader, class int) {
	name, is := strings.CutSuffix(r.File.Symbols[class].Name, "ClientProxy")
	if !is || !baseEndsIn(r, class, "ClientProxyBase") {
		return
	}
	for i := range r.File.Calls {
		c := &r.File.Calls[i]
		if c.Callee != "RequestAsync" || c.Caller < 0 || r.File.Symbols[c.Caller].Parent != class {
			continue
		}
		method, path := abpRoute(name, &r.File.Symbols[c.Caller])
		r.Keep(l2meta.RoleFetch, c.Caller, c.NameSpan, method, path, "")
	}
}
