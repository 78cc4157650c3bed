package swift

import (
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// Vapor adds a route by the segments of its path, below the groups of its router:
//
//	let api = app.grouped("api", "v1")
//	api.get("orders", ":id", use: orders.show)

// readRoute records a route of Vapor or Hummingbird.
func readRoute(r *services.Reader, c *code.Call) {
	args := r.Arguments(c)
	verb := services.PlainVerb(c.Callee)
	if !r.Imports("Vapor") && !r.Imports("Hummingbird") || c.Receiver == "" {
		return
	}
	if c.Callee == "on" && len(args) > 0 { // app.on(.POST, "orders", use: add)
		verb, args = folding.MethodOf(strings.TrimPrefix(args[0], ".")), args[1:]
	}
	if verb == "" {
		return
	}
	path, handler := groupsOf(r, c.Receiver, c.NameSpan.StartByte, 0), ""
	for _, a := range args {
		switch name, value, labelled := strings.Cut(a, ":"); {
		case labelled && name == "use":
			handler = strings.TrimSpace(value)
		// a labelled argument, such as body: .stream, is no part of the path
		case labelled && !strings.ContainsAny(name, `"`):
		default:
			part, ok := partOf(r, a, c.NameSpan.StartByte)
			if !ok {
				return
			}
			path = folding.JoinURL(path, "/"+part)
		}
	}
	if handler == "" {
		if !strings.Contains(r.After(c), "{") { // item.delete(on: database) is no route
			return
		}
		handler = "=>"
	}
	r.Route(c.Caller, c.NameSpan, verb, "", path, handler)
}

// partOf returns the path segment for an argument of a route: orders for "orders", {id} for
// .parameter("id"). ok is false if the argument is no part of a path. at is the byte offset at
// which names in it are evaluated.
func partOf(r *services.Reader, arg string, at int) (part string, ok bool) {
	switch {
	case strings.HasSuffix(arg, ".parameter"):
		return "{" + strings.ToLower(strings.TrimSuffix(arg, ".parameter")) + "}", true
	case arg == `"**"` || arg == "PathComponent.catchall" || arg == ".catchall":
		return "{*}", true
	case strings.HasPrefix(arg, ".constant("), strings.HasPrefix(arg, ".parameter("):
		text, quoted := folding.Quoted(strings.TrimSuffix(arg[strings.IndexByte(arg, '(')+1:], ")"))
		if strings.HasPrefix(arg, ".parameter") {
			text = "{" + text + "}"
		}
		return text, quoted
	case strings.HasPrefix(arg, `"`):
		text, quoted := folding.Quoted(arg)
		return strings.Trim(text, "/"), quoted
	}
	return "", false
}

// maxGroups bounds the nesting of groups around a route.
const maxGroups = 6

var group = regexp.MustCompile(`^(\w+)\.grouped\(([^()]*)\)`)

// groupsOf returns the path prefix of a router, from the route groups that contain it: "/api/v1"
// for api in let api = app.grouped("api", "v1"), and in app.group("api", "v1") { api in … }. depth
// counts the groups read so far. It returns "" for a router without groups.
func groupsOf(r *services.Reader, router string, at, depth int) string {
	if depth == maxGroups {
		return ""
	}
	name := folding.LastWord(router)
	if m := group.FindStringSubmatch(router); m != nil {
		return groupsOf(r, m[1], at, depth+1) + parts(r, m[2], at)
	}
	if value, where := r.Lookup(name, at); value != "" {
		if m := group.FindStringSubmatch(value); m != nil && m[1] != name {
			return groupsOf(r, m[1], where, depth+1) + parts(r, m[2], where)
		}
	}
	around := r.Enclosing(at, "group")
	for i := len(around) - 1; i >= 0; i-- {
		after := r.After(around[i])
		if block := strings.IndexByte(after, '{'); block >= 0 &&
			strings.HasPrefix(strings.TrimSpace(after[block+1:]), name+" in") {
			return groupsOf(r, around[i].Receiver, around[i].NameSpan.StartByte, depth+1) +
				parts(r, strings.Trim(strings.TrimSpace(after[:block]), "()"), at)
		}
	}
	return ""
}

// parts joins the path segments among the arguments of a group: "/api/v1" for `"api", "v1"`.
func parts(r *services.Reader, args string, at int) (path string) {
	for _, a := range folding.ListItems(args) {
		if part, ok := partOf(r, a, at); ok && part != "" {
			path += "/" + part
		}
	}
	return path
}
