package syntax

import (
	"regexp"
	"strings"
)

var (
	bracedPart = regexp.MustCompile(`\{\**(\w+)[:=?][^{}]*\}`)
	colonPart  = regexp.MustCompile(`:(\w+)(?:\([^()]*\))?[?*+]?`)
	anglePart  = regexp.MustCompile(`<(\w+)>`)
)

// RouteName returns the name of a route's unnamed handler: "GET /orders/{id}" for method get and
// template "/orders/:id". Methods "all", "any", "use" and "" become "ANY".
func RouteName(method, template string) string {
	method = strings.ToUpper(method)
	switch method {
	case "", "ALL", "ANY", "USE":
		method = "ANY"
	case "DEL":
		method = "DELETE"
	}
	path := bracedPart.ReplaceAllString(template, "{$1}")
	path = colonPart.ReplaceAllString(path, "{$1}")
	path = anglePart.ReplaceAllString(path, "{$1}")
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return method + " " + Clip(OneLine([]byte(path)), MaxLine)
}

// IsRouteMethod reports whether web frameworks have a method of that name that adds a route:
// app.get("/", …).
func IsRouteMethod(name string) bool {
	switch name {
	case "get", "post", "put", "delete", "del", "patch", "head", "options", "all", "any":
		return true
	}
	return false
}
