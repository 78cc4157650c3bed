package services

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/services/folding"
	"sextant/l2meta/syntax"
)

// An anonymous function that handles a route is a symbol of its own: "ANY /orders" for
// mux.HandleFunc("/orders", func(w …) {…}). If the parser of the language declares no such symbol,
// inliner declares it when it knows the route. Names that are declared inside the function still
// belong to the callable around it.

// inlineHandler is an anonymous handler that has not been declared as a symbol yet.
type inlineHandler struct {
	fact    int // index of the route's fact
	call    *code.Call
	name    string
	literal [2]int // byte offsets of the start and the end of the function
}

// inliner declares the anonymous functions that handle routes.
type inliner struct {
	*Reader
	noted []inlineHandler
}

// maxWrappers is the largest number of calls around a function that are removed.
const maxWrappers = 3

// wrapped returns the function literal inside a handler such as auth(http.HandlerFunc(func …)). For any other
// handler, it returns the handler itself.
func wrapped(handler string) string {
	inner := handler
	for range maxWrappers {
		open := strings.IndexByte(inner, '(')
		if open <= 0 || !folding.IsPlain(inner[:open]) || !strings.HasSuffix(inner, ")") || folding.IsFunction(inner) {
			break
		}
		args := folding.ListItems(inner[open+1:])
		if len(args) == 0 {
			break
		}
		if inner = args[len(args)-1]; strings.HasPrefix(inner, "func(") {
			return inner
		}
	}
	return handler
}

// noteInline remembers the anonymous function that a call passes as the handler of the route that
// is recorded next. declareInline adds a symbol for the function.
func (in *inliner) noteInline(at code.Span, method, template, handler string) {
	c := in.CallAt(at)
	if c == nil {
		return
	}
	from, to := c.NameSpan.EndByte, min(max(c.Span.EndByte, c.NameSpan.EndByte), len(in.Text))
	region, start := in.Text[from:to], -1
	if handler == "=>" { // the handler is a block after the parentheses
		i := folding.Blanks(region)
		if i < len(region) && region[i] == '(' {
			i = folding.Closing(region, i)
			i += folding.Blanks(region[i:])
		}
		if i < len(region) && region[i] == '{' {
			start = i
			handler = region[i:folding.Closing(region, i)]
		}
	} else {
		start = strings.Index(region, handler)
	}
	if start >= 0 {
		literal := [2]int{from + start, from + start + len(handler)}
		in.noted = append(in.noted, inlineHandler{len(in.out), c, syntax.RouteName(method, template), literal})
	}
}

// RouteOf records a route that a part of a function handles, such as a case of a match, and adds
// a symbol for that part. head is the byte range of the text that names the route, body that of
// the part.
func (r *Reader) RouteOf(head, body [2]int, method, path string) {
	at := r.Folder.Span(head[0], head[1])
	c := &code.Call{Caller: r.Around(head[0]), NameSpan: at, Span: at}
	r.inlines.noted = append(r.inlines.noted,
		inlineHandler{len(r.out), c, syntax.RouteName(method, path), body})
	r.Keep(l2meta.RoleRoute, c.Caller, at, method, path, "=>\t")
}

// declareInline appends the functions that noteInline and RouteOf remembered to the symbols of the file, and makes
// them the handlers of their routes.
func (in *inliner) declareInline() {
	if len(in.noted) == 0 {
		return
	}
	lines := code.NewLineIndex(in.File.Text)
	declared := map[[2]int]int{}
	for _, h := range in.noted {
		s, known := declared[h.literal]
		if !known {
			s = in.declareHandler(&h, lines)
			declared[h.literal] = s
		}
		fact := &in.out[h.fact]
		fact.Owner = s
		fact.Type = strings.TrimSpace(strings.Replace(fact.Type, "\t=>", "\t", 1))
	}
}

func (in *inliner) declareHandler(h *inlineHandler, lines *code.LineIndex) int {
	f, c := in.File, h.call
	start := c.Span.StartByte
	// the call is part of a chain
	if start > c.NameSpan.StartByte || strings.ContainsAny(in.Text[start:c.NameSpan.StartByte], "(\n") {
		start = c.NameSpan.StartByte
	}
	name := c.NameSpan
	before := in.Text[c.NameSpan.EndByte:h.literal[0]] + "\""
	if i := c.NameSpan.EndByte + strings.IndexAny(before, "\"`"); i < h.literal[0] {
		name = lines.Span(i, min(folding.SkipString(in.Text, i)+1, h.literal[0]))
	}
	owner := ""
	if c.Caller >= 0 {
		owner = f.Symbols[c.Caller].QualifiedName
	}
	s := code.Symbol{
		Kind: code.KindRoute, Name: h.name, QualifiedName: syntax.Join(owner, h.name), Parent: c.Caller,
		Span: lines.Span(start, max(h.literal[1], c.NameSpan.EndByte)), NameSpan: name, Body: h.literal,
		Signature: syntax.Clip(strings.TrimRight(syntax.OneLine(f.Text[start:h.literal[0]]), ", (")+")",
			syntax.MaxLine),
	}
	for i := range f.Symbols {
		o := &f.Symbols[i]
		if o.Kind == s.Kind && o.QualifiedName == s.QualifiedName {
			s.Ordinal++
		}
		if o.Parent == c.Caller && h.literal[0] <= o.Span.StartByte && o.Span.EndByte <= h.literal[1] {
			o.Parent = len(f.Symbols)
		}
	}
	f.Symbols = append(f.Symbols, s)
	return len(f.Symbols) - 1
}
