package python

import (
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

var (
	namedGroup = regexp.MustCompile(`\(\?P<(\w+)>(?:[^()]|\([^()]*\))*\)`)
	group      = regexp.MustCompile(`\((?:[^()]|\([^()]*\))*\)`)
	converter  = regexp.MustCompile(`<(?:\w+:)?(\w+)>`) // a parameter with a converter: <uuid:code>
	listName   = regexp.MustCompile(`(?m)^(\w+)\s*(?::[^=\n]*)?\+?=\s*\[`)
)

// template converts a regular expression to a route template: ^x/(?P<id>\d+)/$ to x/{id}.
func template(pattern string) string {
	pattern = strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(pattern, "^"), "$"), `\Z`)
	pattern = namedGroup.ReplaceAllString(pattern, "{$1}")
	pattern = group.ReplaceAllString(pattern, "{}")
	return strings.NewReplacer(`\.`, ".", `\-`, "-", `\/`, "/", "/?", "").Replace(pattern)
}

// readURLs records Django's path("x/<int:id>/", view), re_path and include.
func readURLs(r *services.Reader, c *code.Call, args []string) {
	if len(args) < 2 || !isText(args[0]) || c.Receiver != "" && c.Receiver != "urls" {
		return
	}
	p := text(args[0])
	if c.Callee != "path" {
		p = template(p)
	}
	prefix := ""
	for _, outer := range r.Enclosing(c.NameSpan.StartByte, "path", "re_path", "url") { // path("x/", include([…]))
		if given := r.Arguments(outer); len(given) > 1 && strings.HasPrefix(given[1], "include(") {
			prefix += "/" + strings.Trim(converter.ReplaceAllString(template(text(given[0])), "{$1}"), "/")
		}
	}
	inner, includes := strings.CutPrefix(args[1], "include(")
	if !includes {
		if strings.HasSuffix(args[1], ".urls") {
			return // the routes of Django's admin site
		}
		view := viewOf(r, args[1], c.NameSpan.StartByte)
		if readActions(r, c, prefix+"/"+strings.TrimPrefix(p, "/"), view) {
			return
		}
		handler := asHandler(view)
		// the handler is wrapped: csrf_exempt(show)
		if strings.Contains(handler, "(") && !strings.HasPrefix(handler, "class ") {
			if given := folding.ListItems(handler[strings.IndexByte(handler, '(')+1:]); len(given) > 0 {
				handler = asHandler(given[0])
			}
		}
		r.Route(c.Caller, c.NameSpan, "", prefix, strings.TrimPrefix(p, "/"), handler,
			urlList(r, c.NameSpan.StartByte))
		return
	}
	items := folding.ListItems(inner)
	if len(items) == 0 || strings.HasPrefix(items[0], "[") {
		return
	}
	given := strings.TrimSpace(items[0])
	// a tuple of the routes and a name: include((patterns, "name"))
	if list, ok := strings.CutPrefix(given, "("); ok {
		if parts := folding.ListItems(list); len(parts) > 0 {
			given = parts[0]
		}
	}
	p = converter.ReplaceAllString(p, "{$1}")
	r.MountOn(c, prefix+"/"+strings.Trim(p, "/"), strings.TrimSuffix(given, ".urls"), urlList(r, c.NameSpan.StartByte))
}

// urlList returns the name of the list of routes around a byte offset: api for api = [path("x",
// show)]. It returns "" if the list is called urlpatterns.
func urlList(r *services.Reader, at int) string {
	lists := r.Matches(listName, 0, at)
	if len(lists) == 0 {
		return ""
	}
	last := lists[len(lists)-1]
	if name := r.Text[last[2]:last[3]]; name != "urlpatterns" {
		return name
	}
	return ""
}

// readActions records the routes of a view set that names the method for each HTTP method,
// OrderViewSet.as_view({"get": "list", "post": "create"}). It returns false for any other view.
func readActions(r *services.Reader, c *code.Call, path, view string) bool {
	class, given, ok := strings.Cut(view, ".as_view(")
	items := folding.ListItems(given)
	if !ok || len(items) == 0 || !strings.HasPrefix(items[0], "{") {
		return false
	}
	found := false
	for _, item := range folding.ListItems(items[0][1:]) {
		key, action, _ := strings.Cut(item, ":")
		method, name := folding.MethodOf(text(strings.TrimSpace(key))), text(strings.TrimSpace(action))
		if method == "" || name == "" {
			continue
		}
		found = true
		r.Route(c.Caller, c.NameSpan, method, "", path, "action "+class+"."+name, urlList(r, c.NameSpan.StartByte))
	}
	return found
}

var (
	urlLists = regexp.MustCompile(`(?m)^(\w*(?:patterns|urls))\s*(?::[^=\n]*)?\+?=\s*`)
	oneList  = regexp.MustCompile(`^\w+(?:\.\w+)*$`)
)

// readURLLists records that a list of routes takes the routes of other lists, often of other files:
//
//	from .orders import urlpatterns as order_urls
//	urlpatterns = [*order_urls, path("health/", health)]
//	urlpatterns += stock.urlpatterns + router.urls
func readURLLists(r *services.Reader) {
	if !r.Mentions("patterns") && !r.Mentions("urls") {
		return
	}
	for _, m := range r.Matches(urlLists, 0, len(r.Text)) {
		on := r.Text[m[2]:m[3]]
		if on == "urlpatterns" {
			on = ""
		}
		for _, list := range addedLists(r.Expression(m[1])) {
			if list = strings.TrimSuffix(list, ".urls"); list != r.Text[m[2]:m[3]] {
				r.MountAt(r.SpanAt(m[2]), "/", list, on)
			}
		}
	}
}

// addedLists returns the names of the lists in an expression that joins them: a and b of [*a, path("x", x)] + b.
func addedLists(expr string) (names []string) {
	depth, from := 0, 0
	keep := func(part string) {
		part = strings.TrimSpace(part)
		if inner, is := strings.CutPrefix(part, "["); is {
			for _, item := range folding.ListItems(inner) {
				if name, spread := strings.CutPrefix(item, "*"); spread && oneList.MatchString(name) {
					names = append(names, name)
				}
			}
		} else if oneList.MatchString(part) {
			names = append(names, part)
		}
	}
	for i := range len(expr) {
		switch expr[i] {
		case '[', '(', '{':
			depth++
		case ']', ')', '}':
			depth--
		case '+':
			if depth == 0 {
				keep(expr[from:i])
				from = i + 1
			}
		}
	}
	keep(expr[from:])
	return names
}
