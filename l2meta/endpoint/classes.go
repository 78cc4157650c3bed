package endpoint

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
	"sextant/l2meta/services"
)

// A class answers a route by methods that are named after the request's, or after
// what is done with a collection: "class OrderView" of Flask, Django and Tornado,
// "resource OrderViewSet" of Django REST framework, "resource OrderController" of
// Laravel and Rails.

// byClass is the routes of a handler that is a class, one for each method that
// answers; the route itself where the class is not found.
func (j *Joiner) byClass(r route) (out []*route) {
	kind, name, _ := strings.Cut(r.handler, " ")
	r.handler = name
	class := j.typeNamed(r.file, name)
	if !class.Valid() {
		return []*route{&r}
	}
	for _, m := range j.members(class) {
		s := m.Symbol()
		if kind == "viewset" {
			out = append(out, viewAction(r, m)...)
			continue
		}
		if method := strings.ToUpper(s.Name); slices.Contains(services.Methods, method) && (r.method == "*" || r.method == method) {
			at := r
			at.method, at.answer = method, m
			out = append(out, &at)
		}
	}
	if kind == "viewset" {
		return append(out, inherited(r, class, out)...)
	}
	if len(out) == 0 {
		r.answer = class
		out = append(out, &r)
	}
	return out
}

// viewActions are what the methods of a view set answer: on one of its objects if
// detail is set.
var viewActions = []struct {
	name, method string
	detail       bool
}{
	{"list", "GET", false}, {"create", "POST", false}, {"retrieve", "GET", true}, {"update", "PUT", true}, {"partial_update", "PATCH", true}, {"destroy", "DELETE", true},
}

// viewAction is the routes that a member of a view set answers: by its name, or by
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
		name, args := services.Annotation(a)
		if name != "action" {
			continue
		}
		last := s.Name
		if p, ok := services.Quoted(services.Keyword(args, "url_path")); ok {
			last = p
		}
		methods := services.ListItems(strings.Trim(services.Keyword(args, "methods"), "[]()"))
		if len(methods) == 0 {
			methods = []string{"get"}
		}
		for _, given := range methods {
			add(services.MethodOf(given), services.Keyword(args, "detail") == "True", segments(last)...)
		}
	}
	return out
}

// inherited is the routes of a view set that its bases answer.
func inherited(r route, class resolve.Ref, own []*route) (out []*route) {
	var bases string
	for _, fact := range class.File.FactsOf(class.Index) {
		if fact.Kind == code.FactBase {
			bases += fact.Type + " "
		}
	}
	mixins := map[string]string{"list": "ListModelMixin", "create": "CreateModelMixin", "retrieve": "RetrieveModelMixin", "update": "UpdateModelMixin", "partial_update": "UpdateModelMixin", "destroy": "DestroyModelMixin"}
	for _, a := range viewActions {
		reads := a.name == "list" || a.name == "retrieve"
		has := strings.Contains(bases, "ReadOnlyModelViewSet") && reads || strings.Contains(strings.ReplaceAll(bases, "ReadOnlyModelViewSet", ""), "ModelViewSet") || strings.Contains(bases, mixins[a.name])
		if !has || slices.ContainsFunc(own, func(o *route) bool { return o.answer.Symbol().Name == a.name }) {
			continue
		}
		at := r
		at.method, at.answer, at.path = a.method, class, slices.Clone(r.path)
		if a.detail {
			at.path = append(at.path, "{id}")
		}
		out = append(out, &at)
	}
	return out
}

// typeNamed is the type that an expression of a file names: of the file, of what
// it imports, or the only one of its service.
func (j *Joiner) typeNamed(f *resolve.File, expr string) resolve.Ref {
	name := lastName(expr)
	var near, far []resolve.Ref
	from := j.origins(f, firstName(expr))
	rows, _ := j.w.Named(name)
	for _, row := range rows {
		if !resolve.IsType(row.Symbol.Kind) || row.Class == code.ClassTest || !sameFamily(row.Language, f.Language) || j.services().root(row.Path) != j.services().root(f.Path) {
			continue
		}
		ref := j.w.Ref(row)
		switch {
		case !ref.Valid():
		case ref.File == f:
			return ref
		case slices.ContainsFunc(from, func(o origin) bool { return o.file == ref.File }):
			near = append(near, ref)
		default:
			far = append(far, ref)
		}
	}
	if len(near) == 1 {
		return near[0]
	}
	if len(near) == 0 && len(far) == 1 {
		return far[0]
	}
	return resolve.Ref{}
}
