package folding

import (
	"cmp"
	"regexp"
	"strings"

	"sextant/l2meta/syntax"
)

// inHole removes the characters that have a meaning in folded texts, such as braces.
var inHole = strings.NewReplacer("{", "", "}", "", "/", "", "?", "", "#", "", "|", "")

// variable folds a name to its value. If the value is unknown, it returns a hole, the name in braces: {base}.
func (d *Folder) variable(expr string, at, depth int) string {
	hole := "{" + inHole.Replace(syntax.OneLine([]byte(expr[:min(len(expr), 80)]))) + "}"
	if hashHoles[d.f.Language] {
		expr = strings.TrimLeft(expr, "@")
	}
	if !IsPlain(expr) {
		return hole
	}
	name := strings.TrimRight(strings.TrimSuffix(expr, "()"), "]'\"")
	for i := len(name); i > 0; i-- {
		if c := name[i-1]; c != '_' && c != '$' && !IsLetter(c) {
			name = name[i:]
			break
		}
	}
	if s, ok := d.entry(expr, at, depth); ok {
		return s
	}
	if it, ok := d.loop[expr]; ok {
		return d.Step(it.text, it.at, depth+1)
	}
	if !strings.HasSuffix(expr, "()") {
		if s := d.given(name, expr, at, depth); s != "" {
			return s + d.addedTo(name, expr, at, depth)
		}
		if s := d.madeBelow(name, at, depth); s != "" {
			return s
		}
		part, otherwise := d.partOfParameter(expr, at)
		if p := cmp.Or(d.Parameter(expr, at), part); p != "" {
			if text, ok := d.boundHere(name, at); ok {
				return text
			}
			if text, ok := d.bound(name, at); ok && d.injects(at) {
				return text
			}
			hole = "{#" + p + ":" + hole[1:]
			if value := cmp.Or(d.defaultOf(p, at), otherwise); value != "" {
				hole, _ = withOtherwise(hole, value)
			}
			return hole
		}
		if s := d.madeWith(name, expr, at, depth); s != "" {
			return s
		}
	}
	if strings.HasSuffix(expr, "()") {
		if p := d.gotten(expr, at); p != "" {
			return "{#" + p + ":" + hole[1:]
		}
		return d.returned(name, hole, depth)
	}
	if text, ok := d.bound(name, at); ok {
		return text
	}
	return hole
}

// entry folds the value of a key of an object literal in the file: services['orders'],
// config.api.orders.
func (d *Folder) entry(expr string, at, depth int) (string, bool) {
	object, key := holderOf(expr)
	if object == "" {
		return "", false
	}
	value, where := d.object(object, at, depth)
	if value = member(value, key); value == "" || strings.HasPrefix(value, "{") || strings.HasPrefix(value, "[") {
		return "", false
	}
	return d.Step(value, where, depth+1), true
}

// object returns the text of the object literal to which an expression refers, and its offset; "" if there is none.
func (d *Folder) object(expr string, at, depth int) (string, int) {
	if depth > maxNesting {
		return "", at
	}
	if it, ok := d.loop[expr]; ok && strings.HasPrefix(it.text, "{") {
		return it.text, it.at
	}
	if value, where := d.Lookup(expr, at); strings.HasPrefix(value, "{") || strings.HasPrefix(value, "[") ||
		strings.HasPrefix(value, "array(") {
		return value, where
	}
	if holder, key := holderOf(expr); holder != "" {
		value, where := d.object(holder, at, depth+1)
		return member(value, key), where
	}
	return "", at
}

// holderOf splits a.b, a['b'] and a["b"] into the holder a and the key b. It returns "" for any other expression.
func holderOf(expr string) (holder, key string) {
	if rest, ok := strings.CutSuffix(expr, "]"); ok {
		if open := strings.LastIndexByte(rest, '['); open > 0 {
			if key, ok := Quoted(rest[open+1:]); ok {
				return rest[:open], key
			}
		}
		return "", ""
	}
	if dot := strings.LastIndexByte(expr, '.'); dot > 0 && Identifier.MatchString(expr[dot+1:]) {
		return expr[:dot], expr[dot+1:]
	}
	return "", ""
}

// member returns the value under a key in the text of an object literal, as written: "/x" for orders in {orders:
// "/x"}. It returns "" if there is none.
func member(object, key string) string {
	open := strings.IndexAny(object, "{[(")
	if open < 0 {
		return ""
	}
	for _, item := range ListItems(object[open+1:]) {
		name, value, ok := strings.Cut(item, "=>")
		if !ok || strings.ContainsAny(name, "(") {
			name, value, ok = strings.Cut(item, ":")
		}
		if ok && strings.Trim(strings.TrimSpace(name), "\"':") == key {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// returned folds the result of a function of the file without parameters, if the result is a
// setting, a URL, a path, or a call of a function that may compose one. Otherwise it returns the
// hole of the call. It adds a string in the result, which may name a service, to the hole:
// {url() orders}.
func (d *Folder) returned(name, hole string, depth int) string {
	if text, known := d.results[name]; known {
		return cmp.Or(text, hole)
	}
	if d.results == nil {
		d.results = map[string]string{}
	}
	d.results[name] = "" // this entry ends a recursion
	text := d.resultOf(name, hole, depth)
	if text != hole {
		d.results[name] = text
	}
	return text
}

// aResult matches the text between the name of a function and the expression that it returns.
var aResult = regexp.MustCompile(`^\s*\([^()]*\)[^{};=\n]*(?:\s*\{\s*return\b|=>?|:\s*\n\s*return\b)`)

func (d *Folder) resultOf(name, hole string, depth int) string {
	at, from := -1, 0
	for _, at = range d.heads()[name] {
		end := at + len(name)
		if m := aResult.FindStringIndex(d.Text[end:min(len(d.Text), end+maxHead)]); m != nil {
			from = end + m[1]
			break
		}
	}
	if from == 0 {
		return hole
	}
	value := d.Expression(from)
	s := d.Step(value, at, depth+1)
	switch {
	case strings.HasPrefix(s, "{env:"), strings.Contains(s, "://"):
		return s
	case strings.HasPrefix(s, "/") && len(s) > 1, strings.HasPrefix(s, "{"+CallMark):
		return s // apiRoot() { return absolute("/api/v1") }
	}
	if text := stringText.FindStringSubmatch(value); text != nil {
		return hole[:len(hole)-1] + " " + text[1] + "}"
	}
	return hole
}

var memberCall = regexp.MustCompile(`^\{(?:\w+\.)+get[A-Z]\w*\(\)\}$`)

// memberHole matches a folded text that is the member of a variable, {env.ordersUrl}, or an entry of one,
// {self.URLS['orders']}, without the entry.
var memberHole = regexp.MustCompile(`^\{((?:\w+\.)+\w+)(?:\[['"][\w.-]+['"]\])?\}$`)

// TypeMember matches a folded text that is the member of a type of another file: {Topics.PAID}.
var TypeMember = regexp.MustCompile(`^\{(?:\w+\.)*[A-Z]\w*\.\w+\}$`)

// OfAddresses reports whether a folded text consists of values of other files alone, the first of which is named after
// an address: {config.getStockHost()}{config.getStockPath()}.
func OfAddresses(text string) bool {
	m := severalMembers.FindStringSubmatch(text)
	return m != nil && MentionsAddress(strings.TrimSuffix(m[1], "()"))
}

// severalMembers matches a text of at least two members in braces: {config.host}{config.path}, perhaps with a query.
var severalMembers = regexp.MustCompile(`^\{((?:\w+\.)+\w+(?:\(\))?)\}(?:\{(?:\w+\.)+\w+(?:\(\))?\})+(?:\?|$)`)

// readable reports whether the text to which a variable was folded is more informative than the
// variable's name. {base} is not.
func readable(s string) bool {
	return strings.Contains(s, "/") || strings.Contains(s, "?") && IsStep(s) || strings.Contains(s, "}{#") ||
		strings.Contains(s, "env:") || strings.Contains(s, "%3A%2F%2F") || // the text has a default value
		!strings.ContainsAny(s, "{ (")
}
