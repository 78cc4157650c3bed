package ruby

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// railsPlace holds the settings for the routes at a call in config/routes.rb, which the blocks
// around the call determine.
type railsPlace struct {
	path       string         // path prefix
	module     string         // folder of the controllers: "api/v1"
	controller string         // the controller for routes that name only an action
	resource   *railsResource // the innermost resource, nil outside of resources
	shallow    bool           // whether member paths omit the outer resources
}

// railsResource is a resource in whose block routes are declared: resources :orders do … end.
type railsResource struct {
	path     string // path of the collection
	outer    string // path of the outer resources, which members of shallow resources omit
	name     string // name in the route: orders
	param    string // name of the path parameter: id
	singular bool   // whether it is declared by the call resource, so that there is only one object
}

// member returns the path of a single object of a resource.
func (s *railsResource) member() string {
	if s.singular {
		return s.path
	}
	return s.path + "/:" + s.param
}

// nested returns the path prefix of routes nested in a resource.
func (s *railsResource) nested() string {
	if s.singular {
		return s.path
	}
	return s.path + "/:" + singular(s.name) + "_" + s.param
}

var railsBlocks = []string{"namespace", "scope", "resources", "resource", "member", "collection", "new",
	"controller", "concern", "shallow"}

// readRails records the routes that one call in config/routes.rb adds. The routes in a concern
// (concern :commentable do … end) are recorded where it is used.
func readRails(r *services.Reader, c *code.Call) {
	chain := r.Enclosing(c.NameSpan.StartByte, railsBlocks...)
	at := slices.IndexFunc(chain, func(o *code.Call) bool { return o.Callee == "concern" })
	if at < 0 {
		keepRails(r, c, chain)
		return
	}
	given := arguments(r.After(chain[at]))
	if len(given) == 0 {
		return
	}
	for i := range r.File.Calls {
		use := &r.File.Calls[i]
		if use.Callee != "concerns" && use.Callee != "resources" && use.Callee != "resource" {
			continue
		}
		args := arguments(r.After(use))
		switch {
		case use.Callee == "concerns" && slices.Contains(list(strings.Join(args, " ")), text(given[0])):
			keepRails(r, c, append(r.Enclosing(use.NameSpan.StartByte, railsBlocks...), chain[at+1:]...))
		case use.Callee != "concerns" && slices.Contains(list(option(args, "concerns")), text(given[0])):
			outer := append(r.Enclosing(use.NameSpan.StartByte, railsBlocks...), use)
			keepRails(r, c, append(outer, chain[at+1:]...))
		}
	}
}

func keepRails(r *services.Reader, c *code.Call, chain []*code.Call) {
	var p railsPlace
	for _, outer := range chain {
		p = p.within(outer.Callee, arguments(r.After(outer)))
	}
	args := arguments(r.After(c))
	switch method := services.PlainVerb(c.Callee); {
	case len(args) == 0:
	case c.Callee == "resources" || c.Callee == "resource":
		for _, name := range positional(args) {
			keepResource(r, c, p, c.Callee, text(name), args)
		}
	case c.Callee == "root":
		to := text(option(args, "to"))
		if to == "" {
			to = text(args[0])
		}
		keepAction(r, c, p, "GET", "", to)
	case c.Callee == "match":
		for _, via := range list(option(args, "via")) {
			readAction(r, c, p, folding.MethodOf(via), args)
		}
	case c.Callee == "mount":
		readEngine(r, c, p, args)
	case method != "":
		readAction(r, c, p, method, args)
	}
}

// within returns the settings for the routes in the block of a call, if p has the settings around
// the call: namespace :admin adds the path /admin and the module admin.
func (p railsPlace) within(callee string, args []string) railsPlace {
	first := ""
	if given := positional(args); len(given) > 0 {
		first = text(given[0])
	}
	if controller := text(option(args, "controller")); controller != "" {
		p.controller = controller
	}
	switch callee {
	case "namespace":
		module := first
		if given := option(args, "module"); given != "" {
			module = text(given)
		}
		p.module = strings.Trim(p.module+"/"+module, "/")
		p = p.below(segment(args, first))
		p.controller, p.resource = text(option(args, "controller")), nil
	case "scope":
		path := ""
		for _, given := range positional(args) {
			path += "/" + strings.Trim(text(given), "/")
		}
		p = p.below(segment(args, path))
		p.module = strings.Trim(p.module+"/"+text(option(args, "module")), "/")
	case "controller":
		p.controller = first
	case "shallow":
		p.shallow = true
	case "resources", "resource":
		p = p.inResource(callee, first, args)
	case "member":
		if p.resource != nil {
			p.path = p.resource.member()
		}
	case "collection":
		if p.resource != nil {
			p.path = p.resource.path
		}
	case "new":
		if p.resource != nil {
			p.path = p.resource.path + "/new"
		}
	}
	return p
}

func (p railsPlace) below(path string) railsPlace {
	if path = strings.Trim(path, "/"); path != "" {
		p.path += "/" + path
	}
	return p
}

// segment returns the value of the option path among args, or the argument otherwise if there is
// no such option.
func segment(args []string, otherwise string) string {
	if given := option(args, "path"); given != "" {
		return text(given)
	}
	return otherwise
}

// inResource returns the settings for the routes in the block of a resource, if p has the settings
// around the resource.
func (p railsPlace) inResource(callee, name string, args []string) railsPlace {
	s := &railsResource{name: name, param: "id", singular: callee == "resource", outer: p.path}
	p.shallow = p.shallow || option(args, "shallow") == "true"
	if p.resource != nil && p.path == p.resource.nested() && p.shallow {
		s.outer = p.resource.outer
	}
	if given := text(option(args, "param")); given != "" {
		s.param = given
	}
	s.path = p.below(segment(args, name)).path
	if p.controller = text(option(args, "controller")); p.controller == "" {
		p.controller = name
		if s.singular {
			p.controller = plural(name)
		}
	}
	p.module = strings.Trim(p.module+"/"+text(option(args, "module")), "/")
	p.resource, p.path = s, s.nested()
	return p
}

// railsActions lists the actions of a resource. An action with member set applies to a single
// object.
var railsActions = []struct {
	method, action, last string
	member               bool
}{
	{"GET", "index", "", false}, {"POST", "create", "", false}, {"GET", "new", "/new", false},
	{"GET", "show", "", true}, {"GET", "edit", "/edit", true}, {"PUT", "update", "", true},
	{"PATCH", "update", "", true}, {"DELETE", "destroy", "", true},
}

// keepResource records the routes of a resource, one for each action. A route has no effect if
// the controller has no method for its action.
func keepResource(r *services.Reader, c *code.Call, p railsPlace, callee, name string, args []string) {
	if name == "" {
		return
	}
	in := p.inResource(callee, name, args)
	only, except := option(args, "only"), list(option(args, "except"))
	for _, a := range railsActions {
		if only != "" && !slices.Contains(list(only), a.action) || slices.Contains(except, a.action) ||
			in.resource.singular && a.action == "index" {
			continue
		}
		path := in.resource.path
		if a.member {
			path = in.resource.member()
			if in.shallow && p.resource != nil {
				path = in.resource.outer + "/" + name + "/:" + in.resource.param
			}
		}
		for _, template := range optional(path + a.last) {
			r.Route(c.Caller, c.NameSpan, a.method, "", template+l2meta.AnyFormat,
				"offered "+controllerOf(in.module, in.controller)+"."+a.action)
		}
	}
}

// readAction records get '/x', to: 'orders#show', put 'x' => 'orders#put', and post :cancel inside
// a resource.
func readAction(r *services.Reader, c *code.Call, p railsPlace, method string, args []string) {
	to := text(option(args, "to"))
	if given := text(option(args, "controller")); given != "" {
		p.controller = given
	}
	var paths []string
	for _, a := range args {
		if path, target, ok := strings.Cut(a, "=>"); ok && !strings.HasPrefix(a, ":") &&
			text(strings.TrimSpace(path)) != "" {
			paths, to = append(paths, text(strings.TrimSpace(path))), text(strings.TrimSpace(target))
		}
	}
	for _, a := range positional(args) {
		if s := text(a); s != "" {
			paths = append(paths, s)
		}
	}
	if p.resource != nil {
		switch text(option(args, "on")) {
		case "member":
			p.path = p.resource.member()
		case "collection":
			p.path = p.resource.path
		}
	}
	for _, path := range paths {
		action := to
		if given := text(option(args, "action")); action == "" && given != "" {
			action = given
		}
		if action == "" {
			action = strings.Trim(path, "/")
			// the path names the controller and the action: get 'orders/recent'
			if i := strings.LastIndexByte(action, '/'); i > 0 && p.controller == "" {
				action = action[:i] + "#" + action[i+1:]
			}
		}
		keepAction(r, c, p, method, path, action)
	}
}

// keepAction records a route to "controller#action", or to an action of the controller in p.
func keepAction(r *services.Reader, c *code.Call, p railsPlace, method, path, action string) {
	controller, name, ok := strings.Cut(action, "#")
	if !ok {
		controller, name = p.controller, action
	}
	handler := "=>"
	if controller != "" && name != "" {
		handler = "action " + controllerOf(p.module, controller) + "." + name
	}
	for _, template := range optional(p.below(path).path) {
		r.Route(c.Caller, c.NameSpan, method, "", template+l2meta.AnyFormat, handler)
	}
}

// readEngine records mount Orders::API => '/api' and mount Orders::API, at: '/api'.
func readEngine(r *services.Reader, c *code.Call, p railsPlace, args []string) {
	router, at, ok := strings.Cut(args[0], "=>")
	path := text(strings.TrimSpace(at))
	if !ok {
		path = text(option(args, "at"))
	}
	if p = p.below(path); p.path != "" {
		r.MountOn(c, p.path, constantOf(strings.TrimSpace(router)), "")
	}
}

// controllerOf returns the class of a controller: Api.V1.UsersController for "users" in the folder
// "api/v1".
func controllerOf(module, controller string) string {
	if absolute, ok := strings.CutPrefix(controller, "/"); ok {
		module, controller = "", absolute
	}
	var b strings.Builder
	for _, part := range strings.Split(strings.Trim(module+"/"+controller, "/"), "/") {
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(classNamed(part))
	}
	return b.String() + "Controller"
}

// classNamed returns the name of the class that Rails expects for a name: LineItem for line_item.
func classNamed(name string) string {
	var b strings.Builder
	for _, w := range strings.Split(name, "_") {
		b.WriteString(code.Capitalized(w))
	}
	return b.String()
}

// plural and singular return the regular forms of an English noun, as Rails uses them in the names of resources and
// parameters.
func plural(name string) string {
	switch {
	case strings.HasSuffix(name, "y") && len(name) > 1 && !strings.ContainsRune("aeiou", rune(name[len(name)-2])):
		return name[:len(name)-1] + "ies"
	case strings.HasSuffix(name, "s") || strings.HasSuffix(name, "x") || strings.HasSuffix(name, "ch") ||
		strings.HasSuffix(name, "sh"):
		return name + "es"
	}
	return name + "s"
}

func singular(name string) string {
	if short, ok := strings.CutSuffix(name, "ies"); ok {
		return short + "y"
	}
	return strings.TrimSuffix(name, "s")
}
