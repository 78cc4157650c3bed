package services

import (
	"strconv"
	"strings"

	"sextant/l2meta/services/folding"
)

// A program may have annotations of its own that mean one of a route: [V1ApiController("items")] for
// [Route("api/v1/items")]. Another file declares them, so that a path holds their place, [@V1ApiController(items)].

// AnnotationRoute is the route for which an annotation of the program stands.
type AnnotationRoute struct {
	Base     string   // the annotation that it extends
	Known    bool     // whether Base is one of the framework; Method is then its method, "" for any
	Method   string   //
	Defaults []string // defaults of its parameters, "" for those without one
	Given    []string // what it passes to Base: texts with the places of its parameters, see AnnotationArgument
	Template string   // a path of its own in the same form; "" for that of Base
}

// AnnotatedRoute ends the name under which KeepAnnotation records a route.
const AnnotatedRoute = ".annotatedRoute"

// ByAnnotation returns the place of the route for which an annotation with these arguments stands: [@Name(a,b)].
func ByAnnotation(name string, args []string) string {
	if len(args) == 0 {
		return "[@" + name + "]"
	}
	return "[@" + name + "(" + strings.ReplaceAll(strings.Join(args, ","), "/", "%2F") + ")]"
}

// AnnotationArgument returns the place of a parameter of an annotation, by its position.
func AnnotationArgument(position int) string { return "{#" + strconv.Itoa(position) + "}" }

// KeepAnnotation records the route for which the annotation that a symbol declares under a name stands.
func (r *Reader) KeepAnnotation(owner int, name string, a AnnotationRoute) {
	base := a.Base
	if a.Known {
		base = "=" + a.Method
	}
	r.KeepText(owner, r.File.Symbols[owner].NameSpan, name+AnnotatedRoute, strings.Join([]string{base,
		strings.Join(a.Defaults, ","), strings.Join(a.Given, ","), a.Template}, "|"))
}

// ParseAnnotation reads the text that KeepAnnotation records.
func ParseAnnotation(text string) (a AnnotationRoute) {
	part := append(strings.SplitN(text, "|", 4), "", "", "", "")
	a.Base = part[0]
	if a.Method, a.Known = strings.CutPrefix(part[0], "="); !a.Known {
		a.Method = ""
	}
	a.Defaults, a.Given, a.Template = strings.Split(part[1], ","), strings.Split(part[2], ","), part[3]
	return a
}

// With returns a text of a, Template or one of Given, with the arguments of a use in the places of its parameters.
func (a *AnnotationRoute) With(text string, args []string) string {
	for i := range max(len(args), len(a.Defaults)) {
		value := ""
		if i < len(args) {
			value = args[i]
		}
		if value == "" && i < len(a.Defaults) {
			value = a.Defaults[i]
		}
		text = strings.ReplaceAll(text, AnnotationArgument(i), value)
	}
	return folding.WithoutQuery(text)
}
