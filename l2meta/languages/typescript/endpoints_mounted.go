package typescript

import (
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// routerAssigned matches the start of a line up to the construction of the router that it assigns to a variable.
var routerAssigned = regexp.MustCompile(
	`^\s*(?:export\s+)?(?:const|let|var)\s+(\w+)\s*(?::[^=]*)?=\s*(?:new\s+)?(?:\w+\.|require\([\w@/"'-]+\)\.)?$`)

// readRouter records that the router which a call makes has no effect unless something mounts it: const router =
// express.Router(), const items = new Router().
func readRouter(r *services.Reader, c *code.Call) {
	if !importsRouters(r) || r.Mentions("listen(") || r.Mentions("serverless(") {
		return
	}
	line := r.Text[strings.LastIndexByte(r.Text[:c.NameSpan.StartByte], '\n')+1 : c.NameSpan.StartByte]
	if m := routerAssigned.FindStringSubmatch(line); m != nil {
		r.Mount(c.Caller, c.NameSpan, "", services.NeedsMount+m[1])
	}
}

// importsRouters reports whether the file imports a library whose routers have to be mounted.
func importsRouters(r *services.Reader) bool {
	for i := range r.File.Imports {
		switch r.File.Imports[i].Module {
		case "express", "express-promise-router", "koa-router", "@koa/router":
			return true
		}
	}
	return false
}

// isMiddleware reports whether the argument of a mount is a function of a library and no router: cors, or limiter
// after const limiter = rateLimit(…).
func isMiddleware(r *services.Reader, c *code.Call, arg string) bool {
	if strings.Trim(arg, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$") != "" || mayRoute(arg) {
		return false
	}
	if fromLibrary(r, arg) {
		return true
	}
	value, _ := r.Lookup(arg, c.NameSpan.StartByte)
	made := madeBy(value)
	if made == "" || madeHere(value) {
		return false
	}
	first, _, _ := strings.Cut(made, ".")
	return fromLibrary(r, first) && !mayRoute(made)
}

// mayRoute reports whether a name sounds like that of a router or of a function that makes one.
func mayRoute(name string) bool {
	lower := strings.ToLower(name)
	for _, word := range []string{"rout", "api", "app", "controller", "endpoint", "plugin"} {
		if strings.Contains(lower, word) {
			return true
		}
	}
	return false
}

// fromLibrary reports whether the file imports a name from a package that is not of the program.
func fromLibrary(r *services.Reader, name string) bool {
	for i := range r.File.Imports {
		m := &r.File.Imports[i]
		if (m.Alias == name || m.Alias == "" && (m.Name == name || m.Module == name)) && !isOwnModule(m.Module) {
			return true
		}
	}
	return false
}

// readModules records the controllers that modules of NestJS list, @Module({controllers: [Items]}), and that the
// controllers of the file serve nothing unless a module does.
func readModules(r *services.Reader) {
	if !r.Mentions("@nestjs/common") {
		return
	}
	for i := range r.File.Symbols {
		class := &r.File.Symbols[i]
		if class.Kind != code.KindClass || len(class.Annotations) == 0 {
			continue
		}
		if prefixes, _ := controllerOf(class); len(prefixes) > 0 {
			r.Keep(l2meta.RoleMount, i, class.NameSpan, "", "/", services.NeedsMount+class.Name)
		}
	}
	for at := 0; ; {
		i := strings.Index(r.Text[at:], "controllers")
		if i < 0 {
			return
		}
		at += i + len("controllers")
		if value, ok := strings.CutPrefix(strings.TrimLeft(r.Text[at:], " "), ":"); ok {
			keepControllers(r, at, strings.TrimLeft(value[:min(len(value), maxControllers)], " \n\t"))
		}
	}
}

const maxControllers = 4000 // length in bytes of a list of controllers that is read

// keepControllers records the controllers of a list. Any other value, and any other item, may be any controller.
func keepControllers(r *services.Reader, at int, value string) {
	keep := func(router string) {
		r.Keep(l2meta.RoleMount, r.Around(at), r.SpanAt(at), "", "/", router)
	}
	list, ok := strings.CutPrefix(value, "[")
	if !ok {
		keep(services.SomeRouter)
		return
	}
	for _, item := range folding.ListItems(list) {
		if className.MatchString(item) {
			keep(item)
		} else {
			keep(services.SomeRouter)
		}
	}
}

var className = regexp.MustCompile(`^[A-Z]\w*$`)
