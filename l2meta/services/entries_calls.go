package services

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/services/folding"
	"sextant/l2meta/syntax"
)

// called records the entry of a call. The entry is a route if the arguments are a path and a
// function. It is a prefix if the arguments are a path and a router, or if the call returns a
// router for the path.
func (er *entryReader) called(c *code.Call) {
	head := er.Text[c.NameSpan.EndByte:min(c.NameSpan.EndByte+maxTemplate, len(er.Text))]
	slash := strings.IndexByte(head, '/') >= 0
	if !slash && PlainVerb(c.Callee) == "" && !strings.HasPrefix(head, `("`) && !strings.HasPrefix(head, "('") {
		return // this test is cheap and excludes most calls
	}
	object := folding.LastWord(c.Receiver)
	telling := entryWords.MatchString(c.Callee) || PlainVerb(c.Callee) != "" && hasQuotedHandler.MatchString(head)
	if !slash && PlainVerb(c.Callee) == "" && !telling || folding.Deaf[c.Callee] || folding.Deaf[object] ||
		noEntry.MatchString(c.Callee) || noRouter.MatchString(object) || syntax.IsAwaited(er.Text, c.Span.StartByte) {
		return
	}
	args := er.Arguments(c)
	if len(args) == 0 || len(args) > maxEntryArgs {
		return
	}
	method, path, at := er.pathIn(c, args, telling)
	method = cmp.Or(method, entryMethod(c.Callee, args))
	if at < 0 {
		ahead, verb := er.ahead(c)
		if method = cmp.Or(method, verb); ahead == "" || method == "" {
			return
		}
		path = ahead
		root, _ := folding.Chain(er.Receiver(c))
		object = folding.LastWord(root)
	}
	handler := er.handlerIn(c, args, at)
	if handler == "" {
		name := er.assigned(c)
		if name == "" || at < 0 || path == "/" {
			return
		}
		method, handler = "", "?"+name
	}
	path = atVariable.ReplaceAllString(folding.JoinURL(er.prefixAround(c), path), "/{$1}")
	er.Keep(l2meta.RoleEntry, c.Caller, c.NameSpan, method, path, handler+"\t"+object)
}

// pathIn returns the path among the arguments of a call and its index, which is -1 if there is
// none. If the path is in a text such as "GET /orders", method is the HTTP method in it, else "".
func (er *entryReader) pathIn(c *code.Call, args []string, telling bool) (method, path string, at int) {
	for i, arg := range args[:min(len(args), maxPathAt)] {
		arg = withoutKey(arg)
		if _, ok := folding.Quoted(arg); !ok && !constant.MatchString(arg) {
			continue
		}
		text := er.Fold(arg, c.NameSpan.StartByte)
		if verb, rest, ok := strings.Cut(text, " "); ok && verb != "" && folding.MethodOf(verb) == verb {
			method, text = verb, strings.TrimSpace(rest)
		}
		if isEntryPath(text, telling && i == 0) || text == "" && i == 0 {
			return method, text, i
		}
	}
	return "", "", -1
}

// atVariable matches variables such as /@id.
var atVariable = regexp.MustCompile(`/@(\w+)`)

const (
	maxEntryArgs = 8 // largest number of arguments of a call that registers a route
	maxPathAt    = 3 // number of leading arguments that may be its path
)

var constant = regexp.MustCompile(`^(?:\w+\.)*[A-Z][A-Z0-9_]*$`)

// handlerIn returns the handler among the arguments of a call, in the form that the method Route
// expects, ignoring the argument path. It is the last argument that is a function or names one,
// except that names of guards, such as auth, count only if there is no other. It returns "=>" for
// an unnamed function or a block, and "" if there is none.
func (er *entryReader) handlerIn(c *code.Call, args []string, path int) string {
	last := ""
	for i, arg := range slices.Backward(args) {
		if i == path {
			continue
		}
		switch h := handlerOf(wrapped(withoutKey(arg))); {
		case h == "":
		case !beforeHandler.MatchString(folding.LastWord(strings.TrimSuffix(h, "()"))):
			return h
		case last == "":
			last = h
		}
	}
	end := strings.TrimRight(er.After(c), " \n\t;")
	if last == "" && (strings.HasSuffix(end, "}") || strings.HasSuffix(end, "\tend") ||
		strings.HasSuffix(end, "\nend") || strings.HasSuffix(end, " end")) {
		return "=>"
	}
	return last
}

// handlerOf returns the expression of the handler that an argument passes; "" if the argument is no
// handler.
func handlerOf(arg string) string {
	line := syntax.OneLine([]byte(arg[:min(len(arg), maxTemplate)]))
	quoted, _ := folding.Quoted(line)
	class := classCalled.FindStringSubmatch(line)
	switch named := quotedHandler.FindStringSubmatch(quoted); {
	case named != nil:
		return strings.ReplaceAll(named[1], "\\", ".") + "." + named[2]
	case class != nil:
		return class[1] + class[2]
	case folding.IsFunction(arg):
		return "=>"
	case handlerName.MatchString(line) && folding.MethodOf(line) == "", wrapsHandler.MatchString(line):
		return strings.TrimPrefix(strings.TrimPrefix(line, "&"), "this.")
	}
	return ""
}

// handlerName matches names of handlers: orders.list, h::list, [Orders::class, 'list'], Orders::class.
var handlerName = regexp.MustCompile(`^&?(?:[A-Za-z_][\w$]*(?:\.|::|->|\\))*[A-Za-z_][\w$]*!?$|` +
	`^\[\s*[\w\\]+::class\s*,\s*['"]\w+['"]\s*\]$`)

// beforeHandler matches names of middleware: functions that run before or around the handler of a
// request.
var beforeHandler = regexp.MustCompile(`(?i)auth|permi|guard|valid|middleware|limit|cors|require|ensure|check|protect`)

// classCalled matches calls that create a handler of a class: Orders.as_view(), new Orders(db).
var classCalled = regexp.MustCompile(`^(?:&?((?:\w+\.)*[A-Z]\w*)\.\w+\(\)|(?:new )?([A-Z][a-z]\w*)[({].*[)}])$`)

// hasQuotedHandler matches the arguments of a call whose last one names a handler in a string:
// "/orders", "Orders@show".
var hasQuotedHandler = regexp.MustCompile(`^\(?\s*["'][^"'\s]+["'],\s*["'][\w\\]+(?:@|::|#)\w+`)

// quotedHandler matches handlers that are named in a text: Orders@show, Shop\Orders::show/$1.
var quotedHandler = regexp.MustCompile(`^([\w\\]+)(?:@|::|#|:)(\w+)(?:/\$\d)*$`)

// noRouter matches names of objects whose calls register no routes.
var noRouter = newNameTest(`(?i)client$|axios|http$|https$|request$|fetch|session|gateway$|proxy$`)

// wrapsHandler matches calls of a function that wraps a handler: guard(orders.list).
var wrapsHandler = regexp.MustCompile(`^[A-Za-z_][\w.:]*\([\w.:$&(), ]+\)$`)

// prefixAround returns the path of the calls around c: route("/orders") { get("/{id}") { … } }.
func (er *entryReader) prefixAround(c *code.Call) (prefix string) {
	if er.Folder.Fuel -= len(er.File.Calls); er.Folder.Fuel <= 0 {
		return ""
	}
	at := c.NameSpan.StartByte
	for i := range er.File.Calls {
		o := &er.File.Calls[i]
		if o.Kind != code.CallPlain || o.Span.StartByte >= at || at >= o.Span.EndByte || o.NameSpan.EndByte >= at ||
			o.NameSpan.StartByte == at {
			continue
		}
		if noEntry.MatchString(o.Callee) {
			continue
		}
		args := er.Arguments(o)
		if len(args) == 0 {
			continue
		}
		text, ok := folding.Quoted(withoutKey(args[0]))
		if !ok {
			text, _ = er.ahead(o) // for example, scope("/orders").add(route("/{id}").get(show))
		}
		if text != "" && isEntryPath(text, true) && (!ok || isEntryPath(text, entryWords.MatchString(o.Callee))) {
			prefix = folding.JoinURL(prefix, text)
		}
	}
	return prefix
}

// ahead returns the path that is passed to a call before c in its chain, and the HTTP method in
// the name of that call: "/orders" for route("/orders").get(list), and GET as well for
// get("/orders").handler(list). It returns "" if no such call has a path.
func (er *entryReader) ahead(c *code.Call) (path, method string) {
	_, steps := folding.Chain(er.Receiver(c))
	for _, s := range slices.Backward(steps) {
		if len(s.Args) != 1 || noEntry.MatchString(s.Name) {
			continue
		}
		text, ok := folding.Quoted(s.Args[0])
		if !ok && constant.MatchString(s.Args[0]) {
			text, ok = er.Fold(s.Args[0], c.NameSpan.StartByte), true
		}
		if ok && isEntryPath(text, entryWords.MatchString(s.Name)) {
			return text, PlainVerb(s.Name)
		}
	}
	return "", ""
}

// assigned returns the variable to which the result of a call is assigned: api of api := srv.Group("/api").
func (er *entryReader) assigned(c *code.Call) string {
	start := min(c.Span.StartByte, c.NameSpan.StartByte)
	line := er.Text[strings.LastIndexByte(er.Text[:start], '\n')+1 : start]
	if m := assignment.FindStringSubmatch(line); m != nil {
		return m[1]
	}
	return ""
}

var assignment = regexp.MustCompile(`(\w+)(?:\s*:\s*[\w.<>\[\]]+)?\s*:?=\s*(?:await\s+|new\s+)?$`)
