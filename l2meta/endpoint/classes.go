package endpoint

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/endpoint/hosts"
	"sextant/l2meta/resolve"
	"sextant/l2meta/services/folding"
)

// In some frameworks a class handles a route. The fact of the route then has one of these handlers: "class
// OrderView", whose methods are named after HTTP methods (Flask, Django, Tornado); "viewset OrderViewSet", whose
// methods are named after actions on a collection, such as list (Django REST framework); "action
// OrdersController.show", which names the method (Rails, Laravel, Slim); "offered OrdersController.show", which names
// the method of a route that exists only if the class has the method.

var classRoutes = map[string]bool{"class": true, "viewset": true, "action": true, "offered": true}

// byClass returns a route for each method that handles r in the class that r names as its handler. If there is no
// such method, the class itself handles the route. If the class is not found, byClass returns r itself.
func (rf *routeFinder) byClass(r route) (out []*route) {
	kind, name, _ := strings.Cut(r.handler, " ")
	r.handler = name
	if kind == "action" || kind == "offered" {
		return rf.byAction(r, kind == "offered")
	}
	class := rf.TypeNamed(r.file, name)
	if !class.Valid() {
		return []*route{&r}
	}
	lineage := rf.lineage(class)
	for _, m := range rf.membersOf(lineage) {
		s := m.Symbol()
		if kind == "viewset" {
			out = append(out, viewAction(r, m)...)
			continue
		}
		if method := strings.ToUpper(s.Name); slices.Contains(folding.Methods, method) &&
			(r.method == "*" || r.method == method) {
			at := r
			at.method, at.answer = method, m
			out = append(out, &at)
		}
	}
	if kind == "viewset" {
		return append(out, inherited(r, lineage, out)...)
	}
	if len(out) == 0 {
		r.answer = class
		out = append(out, &r)
	}
	return out
}

// maxLineage is the largest number of types of a lineage that are read.
const maxLineage = 16

// lineage returns a class, followed by the classes of the workspace that it extends, directly or not.
func (rf *routeFinder) lineage(class resolve.Ref) []resolve.Ref {
	out := []resolve.Ref{class}
	for i := 0; i < len(out) && len(out) < maxLineage; i++ {
		for _, base := range rf.BasesOf(out[i]) {
			if !slices.Contains(out, base) {
				out = append(out, base)
			}
		}
	}
	return out
}

// membersOf returns the members of the first class of a lineage, with those that it inherits.
func (rf *routeFinder) membersOf(lineage []resolve.Ref) (out []resolve.Ref) {
	for _, class := range lineage {
		own := len(out)
		for _, m := range rf.Members(class) {
			if !slices.ContainsFunc(out[:own], func(o resolve.Ref) bool { return o.Symbol().Name == m.Symbol().Name }) {
				out = append(out, m)
			}
		}
	}
	return out
}

// byAction returns the route r with the method that r's handler names, "OrdersController.show",
// which the class may inherit. If the class has no such method, it returns no route if offered is
// set, else r with the class as the handler. If the class is not found, the handler becomes "=>",
// an unnamed function.
func (rf *routeFinder) byAction(r route, offered bool) []*route {
	i := strings.LastIndexByte(r.handler, '.')
	class := rf.TypeNamed(r.file, r.handler[:i])
	if !class.Valid() {
		r.handler = "=>"
		return []*route{&r}
	}
	if m := rf.MemberNamed(class, r.handler[i+1:], 0); m.Valid() {
		r.answer = m
	} else if offered {
		return nil
	} else {
		r.answer = class
	}
	return []*route{&r}
}

// viewActions lists the routes that the methods of a view set handle. Those with detail set are
// routes of a single object, "/orders/{pk}".
var viewActions = []struct {
	name, method string
	detail       bool
}{
	{"list", "GET", false}, {"create", "POST", false}, {"retrieve", "GET", true}, {"update", "PUT", true},
	{"partial_update", "PATCH", true}, {"destroy", "DELETE", true},
}

// viewAction returns the routes that the member m of a view set handles: by its name, such as list, or by
// @action(detail=True, methods=["post"], url_path="x").
func viewAction(r route, m resolve.Ref) (out []*route) {
	s := m.Symbol()
	add := func(method string, detail bool, rest ...string) {
		at := r
		at.method, at.answer, at.path = method, m, slices.Clone(r.path)
		if detail {
			at.path = append(at.path, "{id}")
		}
		at.path = append(at.path, rest...)
		out = append(out, &at)
	}
	for _, a := range viewActions {
		if s.Name == a.name {
			add(a.method, a.detail)
		}
	}
	for _, a := range s.Annotations {
		name, args := folding.Annotation(a)
		if name != "action" {
			continue
		}
		last := s.Name
		if p, ok := folding.Quoted(folding.Keyword(args, "url_path")); ok {
			last = p
		}
		methods := folding.ListItems(strings.Trim(folding.Keyword(args, "methods"), "[]()"))
		if len(methods) == 0 {
			methods = []string{"get"}
		}
		for _, given := range methods {
			add(folding.MethodOf(given), folding.Keyword(args, "detail") == "True", hosts.Segments(last)...)
		}
	}
	return out
}

// inherited returns the routes that a view set inherits from base classes of Django REST framework, such as
// ModelViewSet, except those that the view set handles itself. lineage has the view set and its bases in the workspace.
func inherited(r route, lineage []resolve.Ref, own []*route) (out []*route) {
	var bases string
	for _, class := range lineage {
		for _, fact := range class.File.FactsOf(class.Index) {
			if fact.Kind == code.FactBase {
				bases += fact.Type + " "
			}
		}
	}
	mixins := map[string]string{"list": "ListModelMixin", "create": "CreateModelMixin",
		"retrieve": "RetrieveModelMixin", "update": "UpdateModelMixin", "partial_update": "UpdateModelMixin",
		"destroy": "DestroyModelMixin"}
	for _, a := range viewActions {
		reads := a.name == "list" || a.name == "retrieve"
		has := strings.Contains(bases, "ReadOnlyModelViewSet") && reads ||
			strings.Contains(strings.ReplaceAll(bases, "ReadOnlyModelViewSet", ""), "ModelViewSet") ||
			strings.Contains(bases, mixins[a.name])
		if !has || slices.ContainsFunc(own, func(o *route) bool { return o.answer.Symbol().Name == a.name }) {
			continue
		}
		at := r
		at.method, at.answer, at.path = a.method, lineage[0], slices.Clone(r.path)
		if a.detail {
			at.path = append(at.path, "{id}")
		}
		out = append(out, &at)
	}
	return out
}
