package php

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// A closure that answers a route is a symbol of its own, named after the route: "GET /orders/{id}"
// for Route::get('/orders/{id}', function ($id) { … }).

// state is the data that the rules keep while they walk one file.
type state struct {
	routes   map[syntax.Node]inlineRoute // closures that handle a route
	sections map[syntax.Node]section     // see sections
}

// inlineRoute describes the symbol to declare for a closure that handles a route.
type inlineRoute struct {
	name       string
	call, path syntax.Node
}

// route remembers a closure that a call passes to a router as the handler of a route.
func route(w *syntax.Walk, n syntax.Node, receiver string) {
	method, args := w.Str(w.Field(n, "name")), w.Field(n, "arguments")
	var given []syntax.Node
	for a := range w.Named(args) {
		if !w.IsComment(a) {
			given = append(given, w.FirstNamed(a))
		}
	}
	if len(given) == 3 && (method == "map" || method == "match") { // (['GET', 'HEAD'], '/x', fn)
		if verb := w.Find(given[0], "string_content"); verb >= 0 {
			method = strings.ToLower(w.Str(verb))
		}
		given = given[1:]
	}
	if len(given) != 2 || !syntax.IsRouteMethod(method) || !isRouter(receiver) {
		return
	}
	if w.Is(given[0], "string", "encapsed_string") && w.Is(given[1], "anonymous_function", "arrow_function") {
		path := w.Find(given[0], "string_content")
		if path < 0 {
			path = given[0]
		}
		stateOf(w).routes[given[1]] = inlineRoute{syntax.RouteName(method, strings.Trim(w.Str(path), `'"`)), n, path}
	}
}

func stateOf(w *syntax.Walk) *state {
	if w.State == nil {
		w.State = &state{routes: map[syntax.Node]inlineRoute{}}
	}
	return w.State.(*state)
}

// isRouter reports whether the expression before a method call is a router: Laravel's Route, $app, $router, $group.
func isRouter(receiver string) bool {
	rest := strings.TrimLeft(receiver, "$\\_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	start := strings.ToLower(receiver[:len(receiver)-len(rest)])
	start = start[strings.LastIndexByte(start, '\\')+1:]
	for _, word := range []string{"route", "router", "$app", "$router", "$routes", "$route", "$group", "$r", "$this"} {
		if start == word {
			return word != "$this" || strings.Contains(strings.ToLower(receiver), "app") ||
				strings.Contains(strings.ToLower(receiver), "route")
		}
	}
	return false
}

// routeClosure declares closure n as the handler of r.
func routeClosure(w *syntax.Walk, n syntax.Node, r inlineRoute) {
	body := w.Field(n, "body")
	s := w.Declare(syntax.Decl{Kind: code.KindRoute, Node: r.call, Name: r.path, Text: r.name, Body: max(body, 0),
		Parameters: parameters(w, w.Field(n, "parameters"))})
	signature := &w.Out.Symbols[s].Signature
	*signature = syntax.Clip(strings.TrimRight(syntax.OneLine(w.Text[w.Start(r.call):w.Start(n)]), ", ")+")",
		syntax.MaxLine)
	w.As(s, func() { closureParts(w, n) })
}
