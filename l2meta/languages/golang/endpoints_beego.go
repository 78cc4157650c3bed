package golang

import (
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// readBeego records the routes that beego takes from methods of a controller; ok is false for any other call:
//
//	web.Router("/items/:id", &controllers.Items{}, "get:Show;put,patch:Update")
//	web.CtrlGet("/items", controllers.Items.List)
//	web.NewNamespace("/v1", web.NSRouter("/items", &controllers.Items{}, "get:List"), web.NSInclude(&Orders{}))
func readBeego(r *services.Reader, c *code.Call, args []string) (ok bool) {
	name := strings.TrimPrefix(c.Callee, "NS")
	verb := services.PlainVerb(strings.TrimPrefix(name, "Ctrl"))
	if name != "Router" && name != "Include" && verb == "" || !ofBeego(r) {
		return false
	}
	prefix := namespaceOf(r, c)
	switch {
	case name == "Include":
		for _, a := range args {
			r.Mount(c.Caller, c.NameSpan, prefix, strings.TrimSuffix(strings.TrimPrefix(a, "&"), "{}"))
		}
	case len(args) < 2:
		return false
	case verb != "" && (name != c.Callee || strings.HasPrefix(name, "Ctrl")):
		handler := strings.NewReplacer("(*", "", "(", "", ")", "").Replace(args[1])
		if strings.HasPrefix(args[1], "func") {
			handler = args[1]
		}
		keepBeego(r, c, verb, prefix, args[0], handler)
	case verb != "":
		return false
	case len(args) == 2: // each method of the controller that is named after a method of HTTP
		for _, m := range []string{"Get", "Post", "Put", "Delete", "Patch"} {
			keepBeego(r, c, strings.ToUpper(m), prefix, args[0], args[1]+"."+m)
		}
	default:
		for _, mapping := range args[2:] {
			keepMapping(r, c, prefix, args, mapping)
		}
	}
	return true
}

// keepMapping records the routes of a mapping of beego, "get:Show;put,patch:Update".
func keepMapping(r *services.Reader, c *code.Call, prefix string, args []string, mapping string) {
	for _, part := range strings.Split(r.Fold(mapping, c.NameSpan.StartByte), ";") {
		verbs, method, ok := strings.Cut(strings.TrimSpace(part), ":")
		if !ok {
			continue
		}
		for _, v := range strings.Split(verbs, ",") {
			if v = strings.TrimSpace(v); v == "*" {
				keepBeego(r, c, "", prefix, args[0], args[1]+"."+method)
			} else if v = folding.MethodOf(strings.ToUpper(v)); v != "" {
				keepBeego(r, c, v, prefix, args[0], args[1]+"."+method)
			}
		}
	}
}

// keepBeego records a route whose path is an expression. A part that may be left out, /items/?:id, makes two routes.
func keepBeego(r *services.Reader, c *code.Call, method, prefix, path, handler string) {
	template, ok := r.Path(path, c.NameSpan.StartByte)
	if !ok {
		return
	}
	template = beegoPath(template)
	if before, _, optional := strings.Cut(template, "/?:"); optional {
		r.Route(c.Caller, c.NameSpan, method, prefix, before, handler)
		template = strings.Replace(template, "/?:", "/:", 1)
	}
	r.Route(c.Caller, c.NameSpan, method, prefix, template, handler)
}

// beegoPath returns a path of beego in the form of other routers: /files/{rest...} for /files/*, and /items/:id for
// /items/:id:int and /items/:id([0-9]+).
func beegoPath(path string) string {
	path = beegoVariable.ReplaceAllString(path, "$1")
	if above, ok := strings.CutSuffix(path, "/*"); ok {
		return above + "/{rest...}"
	}
	return path
}

var beegoVariable = regexp.MustCompile(`(:\w+)(?::\w+|\([^()]*\))`)

// namespaceOf returns the path of the namespaces of beego around a call.
func namespaceOf(r *services.Reader, c *code.Call) (prefix string) {
	for _, outer := range r.Enclosing(c.NameSpan.StartByte, "NewNamespace", "NSNamespace") {
		if args := r.Arguments(outer); len(args) > 0 {
			if p, ok := r.Path(args[0], outer.NameSpan.StartByte); ok {
				prefix = strings.TrimSuffix(folding.JoinURL(prefix, p), "/")
			}
		}
	}
	return prefix
}

// readBeegoComments records the routes in comments of a controller's methods, which serve if Include or NSInclude
// names the controller: // @router /items/:id [get,put].
func readBeegoComments(r *services.Reader) {
	if !r.Mentions("@router ") {
		return
	}
	needs := map[string]bool{}
	for i := range r.File.Symbols {
		s := &r.File.Symbols[i]
		class, _, ok := strings.Cut(s.QualifiedName, ".")
		if s.Kind != code.KindMethod || !ok {
			continue
		}
		for _, m := range beegoComment.FindAllStringSubmatch(s.Doc, -1) {
			if !needs[class] {
				needs[class] = true
				r.Mount(-1, s.NameSpan, "/", services.NeedsMount+class)
			}
			for _, v := range strings.Split(m[2], ",") {
				if v = folding.MethodOf(strings.ToUpper(strings.TrimSpace(v))); v != "" {
					r.Route(i, s.NameSpan, v, "", beegoPath(m[1]), "", class)
				}
			}
		}
	}
}

var beegoComment = regexp.MustCompile(`(?m)^\s*@router\s+(/\S*)\s+\[([\w, ]+)\]`)

// ofBeego reports whether a file imports the server of beego.
func ofBeego(r *services.Reader) bool {
	for i := range r.File.Imports {
		if strings.Contains(r.File.Imports[i].Module, "beego") {
			return true
		}
	}
	return false
}
