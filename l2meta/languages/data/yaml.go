package data

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// yamlDepth is the greatest depth of declared keys; keys at the top have depth 1. Compose
// services, workflow jobs and values of Helm charts are at depth 2. Of deeper keys, only the
// schemas and methods of an OpenAPI document are declared, at 3.
const yamlDepth = 2

// yamlRules declares the keys of the upper levels of every document. The keys of a Kubernetes
// object are declared below a symbol for the object, such as Deployment/cart. The paths of an
// OpenAPI document are declared as routes.
//
// It reads files line by line, because indentation determines the nesting of keys. The grammar
// fails on a whole document for one unknown line, such as a template of a Helm chart.
func yamlRules() *syntax.Rules {
	return &syntax.Rules{File: yamlFile}
}

// yamlKey is a key that is declared when its document ends.
type yamlKey struct {
	name               string
	value              string // the text after the colon on its line
	parent             int    // index of the enclosing key, -1 at the top
	depth              int    // 1 at the top
	nameStart, nameEnd int
	valueStart, end    int
	mapping            bool // whether it contains other keys
	doc                string
}

// yamlLevel is a key or list item that contains the current line.
type yamlLevel struct {
	indent int
	key    int // index into yamlReader.keys, -1 for a key that is not declared
	depth  int
	item   bool
}

type yamlReader struct {
	w      *syntax.Walk
	keys   []yamlKey
	open   []yamlLevel
	skip   int // indentation above which lines belong to the current scalar; -1 outside of a scalar
	quote  byte
	flow   int // number of open brackets in a flow value, [ … ] or { … }, of several lines
	action bool
	last   int // end of the last line with content
	doc    []string
}

func yamlFile(w *syntax.Walk, root syntax.Node) {
	r := yamlReader{w: w, skip: -1}
	text, base := w.Text[w.Start(root):w.End(root)], w.Start(root)
	for at := 0; at < len(text); {
		end := at
		for end < len(text) && text[end] != '\n' {
			end++
		}
		r.line(strings.TrimRight(string(text[at:end]), " \t\r"), base+at)
		at = end + 1
	}
	r.endDocument()
}

// line reads the line at byte at of the file, given without its line break and trailing white
// space.
func (r *yamlReader) line(line string, at int) {
	if at == 0 {
		line, at = strings.TrimPrefix(line, "\ufeff"), len(line)-len(strings.TrimPrefix(line, "\ufeff"))
	}
	rest := strings.TrimLeft(line, " ")
	indent := len(line) - len(rest)
	switch {
	case rest == "":
		r.doc = nil
		return
	case r.action: // a template action of several lines: {{- /* … */ -}}
		r.action = !strings.Contains(rest, "}}")
		return
	case indent == 0 && (rest == "---" || rest == "..." || strings.HasPrefix(rest, "--- ")):
		r.endDocument()
		return
	case r.skip >= 0 && indent > r.skip:
		r.last = at + len(line)
		return
	case rest[0] == '#':
		if r.quote == 0 && r.flow == 0 {
			r.doc = append(r.doc, strings.TrimPrefix(strings.TrimLeft(rest, "#"), " "))
		}
		return
	}
	r.skip = -1
	if (r.quote != 0 || r.flow > 0) && !r.opensKey(rest, indent) {
		r.scanValue(rest)
		r.last = at + len(line)
		return
	}
	r.quote, r.flow = 0, 0
	if strings.HasPrefix(rest, "{{") && yamlColon(rest) < 0 {
		r.action = !strings.Contains(rest, "}}")
		return
	}
	r.entry(rest, indent, at+indent)
	r.last = at + len(line)
	r.doc = nil
}

// opensKey reports whether a line inside an open quote or bracket shows that the quote or bracket
// is never closed: the line starts with a plain key that is indented no further than the key with
// the quote or bracket.
func (r *yamlReader) opensKey(rest string, indent int) bool {
	if len(r.open) == 0 || indent > r.open[len(r.open)-1].indent {
		return false
	}
	colon := yamlColon(rest)
	return colon > 0 && !strings.ContainsAny(rest[:colon], " ,\"'{}[]")
}

// entry reads the list dashes and the key in rest, which begins at byte at of the file.
func (r *yamlReader) entry(rest string, indent, at int) {
	for rest == "-" || strings.HasPrefix(rest, "- ") {
		r.closeFor(indent, true)
		depth := yamlMaxDepth // the content of lists is not declared
		r.open = append(r.open, yamlLevel{indent: indent, key: -1, depth: depth, item: true})
		trimmed := strings.TrimLeft(rest[1:], " ")
		step := len(rest) - len(trimmed)
		rest, indent, at = trimmed, indent+step, at+step
	}
	if rest == "" || rest[0] == '#' {
		return
	}
	colon := yamlColon(rest)
	if colon < 0 {
		if len(r.open) > 0 {
			indent = r.open[len(r.open)-1].indent
		}
		r.value(rest, indent)
		return
	}
	r.closeFor(indent, false)
	value := strings.TrimLeft(rest[colon+1:], " \t")
	r.key(strings.TrimRight(rest[:colon], " "), value, indent, at, at+len(rest)-len(value))
	r.value(value, indent)
}

// yamlMaxDepth exceeds the depth of all declared keys.
const yamlMaxDepth = 1 << 20

// key opens a level for a key, and stores the key if it is to be declared. at and valueStart are
// the byte offsets of its name and value.
func (r *yamlReader) key(name, value string, indent, at, valueStart int) {
	level := yamlLevel{indent: indent, key: -1, depth: 1}
	parent := -1
	if len(r.open) > 0 {
		outer := r.open[len(r.open)-1]
		parent, level.depth = outer.key, outer.depth+1
		if parent >= 0 {
			r.keys[parent].mapping = true
		}
	}
	plain := strings.Trim(name, `"'`)
	if plain != "" && level.depth <= r.depthBelow(parent) {
		level.key = len(r.keys)
		r.keys = append(r.keys, yamlKey{
			name: plain, value: yamlPlain(value), parent: parent, depth: level.depth,
			nameStart: at, nameEnd: at + len(name), valueStart: valueStart, end: at + len(name),
			doc: strings.Join(r.doc, "\n"),
		})
	}
	r.open = append(r.open, level)
}

func (r *yamlReader) depthBelow(parent int) int {
	if parent >= 0 && r.keys[parent].depth == 2 {
		if top := r.keys[parent].parent; top >= 0 && (r.keys[top].name == "components" || r.keys[top].name == "paths") {
			return yamlDepth + 1
		}
	}
	return yamlDepth
}

// value reads the text after a colon or a dash. If it is a scalar, lines below it that are indented
// by more than indent belong to it.
func (r *yamlReader) value(v string, indent int) {
	for v != "" && (v[0] == '&' || v[0] == '!') {
		_, v, _ = strings.Cut(v, " ")
		v = strings.TrimLeft(v, " ")
	}
	switch {
	case v == "" || v[0] == '#' || strings.HasPrefix(v, "{{"):
	case v[0] == '"' || v[0] == '\'':
		r.quote = v[0]
		r.scanValue(v[1:])
	case v[0] == '{' || v[0] == '[':
		r.scanValue(v)
	default:
		r.skip = indent
	}
}

// scanValue tracks quotes and brackets in s, part of a value that may continue on the next line.
func (r *yamlReader) scanValue(s string) {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case r.quote != 0:
			if c == '\\' && r.quote == '"' {
				i++
			} else if c == r.quote {
				r.quote = 0
				if r.flow == 0 {
					return
				}
			}
		case c == '#' && i > 0 && s[i-1] == ' ':
			return
		case c == '"' || c == '\'':
			if i == 0 || strings.IndexByte(" ,:{[", s[i-1]) >= 0 {
				r.quote = c
			}
		case c == '{' || c == '[':
			r.flow++
		case c == '}' || c == ']':
			r.flow = max(r.flow-1, 0)
		}
	}
}

// closeFor ends the open levels that cannot contain the next key or list item, which is indented
// by indent. dash reports that it is a list item: a list may have the same indentation as its
// key.
func (r *yamlReader) closeFor(indent int, dash bool) {
	for n := len(r.open); n > 0; n = len(r.open) {
		top := r.open[n-1]
		if top.indent < indent || dash && top.indent == indent && !top.item {
			return
		}
		if top.key >= 0 {
			r.keys[top.key].end = max(r.last, r.keys[top.key].nameEnd)
		}
		r.open = r.open[:n-1]
	}
}

// yamlColon returns the index of the colon after the key of a line, or -1.
func yamlColon(s string) int {
	i := 0
	switch s[0] {
	case '"', '\'':
		for i = 1; i < len(s) && s[i] != s[0]; i++ {
			if s[i] == '\\' && s[0] == '"' {
				i++
			}
		}
		for i++; i < len(s) && s[i] == ' '; i++ {
		}
		if i < len(s) && s[i] == ':' && (i+1 == len(s) || s[i+1] == ' ') {
			return i
		}
		return -1
	case '[', '|', '>', '%', '@', '`', '*', '&', '!', ']', '}', ',':
		return -1
	case '{':
		if !strings.HasPrefix(s, "{{") {
			return -1
		}
		end := strings.Index(s, "}}")
		if end < 0 {
			return -1
		}
		i = end + 2
	}
	for ; i < len(s); i++ {
		switch {
		case s[i] == ':' && (i+1 == len(s) || s[i+1] == ' ' || s[i+1] == '\t'):
			return i
		case s[i] == '#' && i > 0 && s[i-1] == ' ':
			return -1
		}
	}
	return -1
}

// yamlPlain returns a one-line scalar without its quotation marks, or without the comment that
// follows it.
func yamlPlain(v string) string {
	if v != "" && (v[0] == '"' || v[0] == '\'') {
		if end := strings.IndexByte(v[1:], v[0]); end >= 0 {
			return v[1 : 1+end]
		}
		return v[1:]
	}
	if i := strings.Index(v, " #"); i >= 0 {
		v = v[:i]
	}
	return strings.TrimSpace(v)
}

// endDocument declares the keys of the current document, and begins the next one.
func (r *yamlReader) endDocument() {
	r.closeFor(-1, false)
	w := r.w
	object := r.object()
	if object >= 0 {
		r.keys[0].doc = "" // the comment documents the object instead of its first key
	}
	symbols := make([]int, len(r.keys))
	for i, k := range r.keys {
		w.Encloser = object
		if k.parent >= 0 {
			w.Encloser = symbols[k.parent]
		}
		symbols[i] = r.declare(k)
	}
	w.Encloser = -1
	r.keys, r.open, r.doc, r.skip, r.quote, r.flow = nil, nil, nil, -1, 0, 0
}

// object declares the Kubernetes object that the document describes, and returns its symbol; -1 if
// it describes none.
func (r *yamlReader) object() int {
	kind, name := -1, -1
	for i, k := range r.keys {
		switch {
		case k.depth == 1 && k.name == "kind":
			kind = i
		case k.depth == 2 && k.name == "name" && k.parent >= 0 && r.keys[k.parent].name == "metadata":
			name = i
		}
	}
	if kind < 0 || name < 0 || r.keys[kind].value == "" || r.keys[name].value == "" {
		return -1
	}
	k, n := r.keys[kind], r.keys[name]
	r.w.Encloser = -1
	return r.w.DeclareText(syntax.TextDecl{
		Kind: code.KindConfig, Name: k.value + "/" + n.value, Start: r.keys[0].nameStart, End: max(r.last, k.nameEnd),
		NameStart: k.nameStart, NameEnd: k.nameEnd,
		Signature: syntax.OneLine([]byte("kind: " + k.value + " name: " + n.value)), Doc: r.keys[0].doc,
	})
}

func (r *yamlReader) declare(k yamlKey) int {
	d := syntax.TextDecl{Kind: code.KindProperty, Name: k.name, Start: k.nameStart, End: k.end, NameStart: k.nameStart,
		NameEnd: k.nameEnd, Doc: k.doc, Signature: k.name}
	if k.mapping {
		d.Kind = code.KindConfig
	}
	if k.end > k.valueStart && k.mapping {
		d.Body = [2]int{k.valueStart, k.end}
	} else if k.value != "" {
		d.Signature = syntax.OneLine([]byte(k.name + ": " + k.value))
	}
	if k.parent >= 0 {
		switch outer := r.keys[k.parent]; {
		case k.depth == 2 && outer.name == "paths" && strings.HasPrefix(k.name, "/"):
			d.Kind = code.KindRoute
		case k.depth == 3 && strings.HasPrefix(outer.name, "/") && yamlIsMethod(k.name):
			d.Kind, d.Name = code.KindRoute, strings.ToUpper(k.name)+" "+outer.name
			d.Signature = d.Name
		}
	}
	return r.w.DeclareText(d)
}

func yamlIsMethod(s string) bool {
	switch s {
	case "get", "put", "post", "delete", "patch", "head", "options", "trace":
		return true
	}
	return false
}
