package ruby

import (
	"bytes"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// route declares a symbol for the block that handles a route of Sinatra or Grape: "GET
// /orders/{id}" for get '/orders/:id' do … end. It returns false for other calls.
func route(w *syntax.Walk, n syntax.Node, name string, args, block syntax.Node) bool {
	if block < 0 || !syntax.IsRouteMethod(name) || w.InCallable() {
		return false
	}
	path, at := "", w.FirstNamed(args)
	switch {
	case w.Is(at, "string"):
		path = w.Str(w.Child(at, "string_content"))
	case w.Is(at, "simple_symbol"):
		path = strings.TrimPrefix(w.Str(at), ":")
	case at >= 0:
		return false
	}
	if !strings.HasPrefix(path, "/") && !bytes.Contains(w.Text, []byte("Grape::API")) {
		return false
	}
	method := w.Field(n, "method")
	w.Call(code.CallPlain, n, method, syntax.None, rubyArgs(w, args))
	if at < 0 {
		at = method
	}
	s := w.Declare(syntax.Decl{Kind: code.KindRoute, Node: n, Name: at,
		Text: syntax.RouteName(name, path), Body: block})
	w.Inside(s, args, block)
	return true
}
