package php

import (
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// A Symfony controller declares its routes by attributes, #[Route('/x', methods: ['GET'])], or by
// annotations in the comments before its methods, @Route("/x", methods={"GET"}).

var commented = regexp.MustCompile(`@(?:\w+\\)*(Route|Get|Post|Put|Patch|Delete)\(`)

// readControllers records the routes that classes and their methods declare. For a file of API routes, it also
// records Laravel's default prefix /api.
func readControllers(r *services.Reader) {
	if routerOf(r) != "" {
		r.Mount(-1, r.SpanAt(0), "/api", "?api.php")
	}
	for i := range r.File.Symbols {
		s := &r.File.Symbols[i]
		if !s.Kind.Callable() || s.Parent < 0 {
			continue
		}
		class := statedOf(&r.File.Symbols[s.Parent])
		own := statedOf(s)
		if s.Name == "__invoke" && len(own) == 0 {
			own, class = class, nil
		}
		prefixes := class
		if len(prefixes) == 0 {
			prefixes = []stated{{}}
		}
		for _, route := range own {
			for _, p := range prefixes {
				methods := route.methods
				if len(methods) == 0 {
					methods = p.methods
				}
				if len(methods) == 0 {
					methods = []string{""}
				}
				for _, m := range methods {
					r.Route(i, s.NameSpan, m, strings.TrimSuffix(p.path, "/"), route.path, "")
				}
			}
		}
	}
}

// stated is a route that an attribute or a comment declares.
type stated struct {
	path    string
	methods []string
}

// statedOf returns the routes that the attributes of a declaration, or the comment before it,
// declare.
func statedOf(s *code.Symbol) (out []stated) {
	add := func(name string, args []string) {
		if name != "Route" && services.PlainVerb(name) == "" {
			return
		}
		var at stated
		said := false
		for n, a := range args {
			key, value := argument(a)
			switch {
			case key == "path" || key == "" && n == 0 && isText(value):
				at.path, said = plain(value), isText(value)
			case key == "methods" && name == "Route":
				for _, m := range folding.ListItems(strings.Trim(value, "[]{}")) {
					at.methods = append(at.methods, folding.MethodOf(m))
				}
			}
		}
		if m := services.PlainVerb(name); m != "" {
			at.methods = []string{m}
		}
		if said {
			out = append(out, at)
		}
	}
	for _, a := range s.Annotations {
		name, args := folding.Annotation(strings.TrimSuffix(strings.TrimPrefix(a, "#["), "]"))
		add(name[strings.LastIndexByte(name, '\\')+1:], args)
	}
	for _, m := range commented.FindAllStringSubmatchIndex(s.Doc, -1) {
		add(s.Doc[m[2]:m[3]], folding.ListItems(s.Doc[m[1]:]))
	}
	return out
}

// argument splits an argument into its name and its value: path and '/x' for path: '/x' and
// path='/x'. The name is "" if the argument has none.
func argument(arg string) (key, value string) {
	i := strings.IndexAny(arg, `:='"`)
	if i > 0 && (arg[i] == ':' || arg[i] == '=') && !strings.HasPrefix(arg[i:], "::") {
		return strings.TrimSpace(arg[:i]), strings.TrimSpace(arg[i+1:])
	}
	return "", arg
}
