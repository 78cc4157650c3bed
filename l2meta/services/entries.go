package services

import (
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/services/folding"
)

// No list of web frameworks is complete. But nearly all of them register a route by a path beside a
// function: srv.on("/orders", list), @Expose("/orders") on a method, { path: "/orders", run: list
// }. Each such call, annotation or list item is recorded as an entry. An entry counts as a route
// only if a request of another service leads to it.

// entryReader extracts the calls, annotations and list items of a file that may register a route.
type entryReader struct {
	*Reader
	covered map[int]bool // offsets of the callees of calls that other facts describe
	served  map[int]bool // indexes of symbols that are the owners of such a fact
}

// maxEntries is the largest number of entries of one file.
const maxEntries = 200

// keepEntries records the entries of the file, except where a route, a mount or a request is recorded.
func (r *Reader) keepEntries() {
	er := &entryReader{Reader: r, covered: map[int]bool{}, served: map[int]bool{}}
	for i := range r.out {
		switch f := &r.out[i]; f.Name {
		case l2meta.RoleFetch:
			if strings.HasPrefix(f.Type, "?") {
				continue
			}
			fallthrough
		case l2meta.RoleRoute, l2meta.RoleMount, l2meta.RolePublish, l2meta.RoleConsume, l2meta.RoleProxy:
			er.covered[f.Span.StartByte], er.served[f.Owner] = true, true
		}
	}
	from := len(r.out)
	for i := range r.File.Symbols {
		if s := &r.File.Symbols[i]; len(s.Annotations) > 0 && s.Kind.Callable() && !er.covered[s.NameSpan.StartByte] &&
			len(r.out)-from < maxEntries {
			er.annotated(i)
		}
	}
	er.eachList(maxEntries - (len(r.out) - from))
	for i := range r.File.Calls {
		if c := &r.File.Calls[i]; (c.Kind == code.CallPlain || c.Kind == code.CallNew) &&
			!er.covered[c.NameSpan.StartByte] && len(r.out)-from < maxEntries {
			er.called(c)
		}
	}
}

// annotated records the entries of the annotations of a function: @Expose("/orders"), [Answer("GET", "orders/{id}")].
// The paths are below those in the annotations of its class.
func (er *entryReader) annotated(s int) {
	symbol := &er.File.Symbols[s]
	prefixes := []string{""}
	if symbol.Parent >= 0 {
		outer := &er.File.Symbols[symbol.Parent]
		if outer.Kind == code.KindInterface {
			return // only subtypes of the type have handlers, or the type may declare a client
		}
		for _, a := range apart(outer.Annotations) {
			if e, ok := er.annotation(a, outer.NameSpan.StartByte); ok && len(e.paths) > 0 && prefixes[0] == "" {
				prefixes = e.paths
			}
		}
	}
	whole, methods, paths := er.ofAnnotations(symbol)
	if len(paths) == 0 && len(methods) > 0 && prefixes[0] != "" {
		paths = []string{""}
	}
	for _, p := range paths {
		if len(methods) == 0 {
			methods = []string{""}
		}
		for _, m := range methods {
			whole = append(whole, entry{method: m, paths: []string{p}})
		}
	}
	for _, e := range whole {
		for _, prefix := range prefixes {
			for _, path := range e.paths {
				er.Keep(l2meta.RoleEntry, s, symbol.NameSpan, e.method,
					folding.JoinURL("/"+strings.Trim(prefix, "/"), path),
					"\t"+e.router)
			}
		}
	}
}

// ofAnnotations returns the entries of those annotations of a function that contain all parts of
// a route. If there are none, it returns the methods and the paths that several annotations
// contain together: @GET @Path("/orders").
func (er *entryReader) ofAnnotations(symbol *code.Symbol) (whole []entry, methods, paths []string) {
	for _, a := range apart(symbol.Annotations) {
		e, ok := er.annotation(a, symbol.NameSpan.StartByte)
		switch {
		case !ok:
		case len(e.paths) > 0 && (e.method != "" || e.router != ""):
			whole = append(whole, e)
		case len(e.paths) > 0:
			paths = append(paths, e.paths...)
		case e.method != "":
			methods = append(methods, e.method)
		}
	}
	if len(whole) > 0 {
		return whole, nil, nil
	}
	return nil, methods, paths
}

// apart splits lists of attributes: [Post, Route("x")] yields two.
func apart(annotations []string) (out []string) {
	for _, a := range annotations {
		if strings.HasPrefix(a, "[") {
			out = append(out, folding.ListItems(a[1:])...)
		} else {
			out = append(out, a)
		}
	}
	return out
}

// entry holds the parts of a route that one annotation or call contains.
type entry struct {
	method string // HTTP method; "" if there is none
	paths  []string
	router string
}

// annotation reads an annotation: @Expose("/orders"). ok is false if it is not likely to register a
// route.
func (er *entryReader) annotation(text string, at int) (e entry, ok bool) {
	head, _, _ := strings.Cut(strings.TrimLeft(text, "@#["), "(")
	name, args := folding.Annotation(text)
	if noEntry.MatchString(name) {
		return e, false
	}
	if i := strings.LastIndexByte(head, '.'); i > 0 {
		e.router = folding.LastWord(head[:i])
	}
	e.method = entryMethod(name, args)
	telling := e.method != "" || entryWords.MatchString(name)
	for i, arg := range args {
		if key := argumentKey.FindString(arg); key != "" && !pathKey.MatchString(strings.TrimRight(key, " :=")) {
			continue
		}
		if text, is := folding.Quoted(arg); is && text == "" && i == 0 && e.router != "" {
			e.paths = append(e.paths, "") // the route is at the prefix of the router itself
		}
		for _, item := range folding.ListItems(strings.Trim(withoutKey(arg), "{}[]()")) {
			quoted, is := folding.Quoted(strings.TrimPrefix(item, "r"))
			switch {
			case is && folding.MethodOf(quoted) != "", strings.ContainsAny(item, "=:") && !is:
			case !is && !constant.MatchString(item):
			default:
				if path := er.Fold(item, at); isEntryPath(path, telling) {
					e.paths = append(e.paths, path)
				}
			}
		}
		if len(e.paths) > 0 {
			break
		}
	}
	return e, telling || len(e.paths) > 0
}

// withoutKey returns an argument without its name: "x" of path = "x" and of path: "x".
func withoutKey(arg string) string {
	if m := argumentKey.FindString(arg); m != "" {
		return arg[len(m):]
	}
	return arg
}

// pathKey matches the names of arguments that are paths.
var pathKey = regexp.MustCompile(`(?i)path|value|route|template|rule|ur[il]|pattern|prefix`)

var argumentKey = regexp.MustCompile(`^\w+\s*(?:=|:)\s*`)

// isEntryPath reports whether a folded text may be the template of a route. If telling is set, the
// name of the annotation or function suggests a route; only then may the template lack the slash at
// its start.
func isEntryPath(path string, telling bool) bool {
	if strings.ContainsAny(path, " \n\t\"'`|\\^,;=") || strings.Contains(path, "://") || len(path) > maxTemplate ||
		fileLike.MatchString(path) {
		return false
	}
	return strings.HasPrefix(path, "/") && !strings.HasPrefix(path, "//") || telling && templateLike.MatchString(path)
}

const maxTemplate = 150

var (
	// templateLike matches templates without a leading slash: orders, {id}/items, [controller].
	templateLike = regexp.MustCompile(`^(?:[a-zA-Z][\w-]*|[{:<\[][\w:]+[}>\]]?)(?:/[^/\s]+)*/?$`)
	// fileLike matches paths of files.
	fileLike = regexp.MustCompile(
		`\.(?:js|ts|css|html?|png|jpe?g|svg|ico|json|ya?ml|xml|txt|md|sql|sh|pem|key|crt|log|csv)$`)
	// entryWords matches names of annotations and functions that suggest a route.
	entryWords = newNameTest(
		`(?i)route|path|mapping|endpoint|expose|controller|resource|handle|serve|action|ur[il]|web|http|rest|api`)
	// noEntry matches names of annotations and functions whose paths are no routes.
	noEntry = newNameTest(`(?i)^(?:on|off|once|emit|set|get_?env|is|has|to)$|test|mock|stub|value|propert|` +
		`config|` +
		`setting|queue|topic|kafka|rabbit|jms|message|subscri|publish|listen|json|xml|schema|column|table|` +
		`permission|role|cron|schedul|cache|param|query|header|body|cookie|swagger|openapi|response|` +
		`apioperation|client|feign|` +
		`request$|requestline|redirect|render|view|template|navigat|visit|goto|push|fetch|axios|` +
		`require|import|include_?file|read|write|open|file|dir|join|resolve|log|print|debug|info|warn|error|raise|throw|` +
		`exception|assert|expect|describe|match|replace|split|trim|starts|ends|contains|equals|compare|format|` +
		`static|asset|upload|download|cp|mv|copy|run$|exec|spawn|command|select|insert|update|where|link|href`)
)

// entryMethod returns the HTTP method that the name of an annotation or function, or one of its
// arguments, denotes; "" if there is none.
func entryMethod(name string, args []string) string {
	for _, word := range wordsOf.FindAllString(name, -1) {
		if m := PlainVerb(word); m != "" {
			return m
		}
	}
	for _, arg := range args {
		arg = strings.Trim(withoutKey(arg), "[]{}() ")
		if m := folding.MethodOf(arg); m != "" && len(arg) < maxMethod {
			return m
		}
		if m := aroundHandler.FindStringSubmatch(arg); m != nil {
			return folding.MethodOf(m[1])
		}
	}
	return ""
}

// maxMethod is the largest length in bytes of an argument that is an HTTP method, such as
// RequestMethod.DELETE.
const maxMethod = 40

// aroundHandler matches functions named after an HTTP method that take the handler: get(list), web::get().to(list).
var aroundHandler = regexp.MustCompile(`^(?:\w+(?:\.|::))*(get|post|put|delete|patch)\(`)

var wordsOf = regexp.MustCompile(`[A-Z]?[a-z]+|[A-Z]+`)
