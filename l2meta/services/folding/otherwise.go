package folding

import (
	"net/url"
	"regexp"
	"strings"

	"sextant/internal/code"
)

// An address may have a default value: base or "http://orders", base ?? DEFAULT, the default of a parameter. The hole
// of a parameter has the escaped default after the parameter's name, {#0:base|http%3A%2F%2Forders}, and the hole of a
// setting after the key.

// otherwise folds an expression such as base ?? DEFAULT to the hole of base with the default in it.
// It returns false if the expression has no default, or if that is no address.
func (d *Folder) otherwise(expr string, at, depth int) (string, bool) {
	a, b, ok := alternatives(expr)
	if !ok {
		return "", false
	}
	if literal, quoted := Quoted(b); quoted && globalMember.MatchString(a) && !strings.Contains(literal, "${") {
		return literal, true
	}
	first, second := d.Step(a, at, depth+1), d.Step(b, at, depth+1)
	if !isHole(first) || !isAddress(second) || isHole(second) && !strings.HasPrefix(second, "{env:") {
		return "", false
	}
	return withOtherwise(first, second)
}

// globalMember matches a member of the global object of a page, which the host of the page may set when it runs:
// window.baseUrl. A literal beside it is its value as far as the source tells.
var globalMember = regexp.MustCompile(`^(?:window|globalThis)(?:\??\.\w+)+$`)

// alternatives splits a || b, a ?? b, a ?: b and a or b.
func alternatives(expr string) (a, b string, ok bool) {
	for _, operator := range []string{"||", "??", "?:", " or "} {
		if i := outside(expr, operator); i > 0 {
			return strings.TrimSpace(expr[:i]), strings.TrimSpace(expr[i+len(operator):]), true
		}
	}
	return "", "", false
}

// withOtherwise adds a default value to a parameter or setting in braces: {#0:base} becomes
// {#0:base|http%3A%2F%2Forders}. ok is false for any other text in braces, and if there is a default already.
func withOtherwise(hole, value string) (text string, ok bool) {
	inner := hole[1 : len(hole)-1]
	switch {
	case strings.Contains(inner, "|"):
		return "", false
	case strings.HasPrefix(inner, "env:"):
		return SettingHole(inner[len("env:"):], value), true
	case strings.HasPrefix(inner, "#"), strings.HasPrefix(inner, "@"):
		return "{" + inner + "|" + escapes.Replace(value) + "}", true
	}
	return "", false
}

// Otherwise splits the text of a parameter's hole, "#0:base|http%3A%2F%2Forders", into the text without the default,
// and the default, "" for none. The default is the value if no caller passes one.
func Otherwise(hole string) (bare, value string) {
	bare, value, ok := strings.Cut(hole, "|")
	if text, err := url.PathUnescape(value); ok && err == nil {
		return bare, text
	}
	return bare, ""
}

// defaultOf returns the default value of a parameter of the function around a byte offset, if it is the literal of an
// address, or any literal while a topic is folded; "" otherwise. parameter is the position that [Folder.Parameter]
// returns, such as "1".
func (d *Folder) defaultOf(parameter string, at int) string {
	own := d.Function(at)
	if own < 0 || len(parameter) != 1 {
		return ""
	}
	list := d.f.Symbols[own].Parameters
	n := int(parameter[0] - '0')
	if len(list) > 0 && IsSelf(list[0]) {
		n++
	}
	if n >= len(list) {
		return ""
	}
	return d.literalDefault(list[n])
}

// literalDefault returns the default value of a parameter, if it is the literal of an address, or any literal while a
// topic is folded; "" otherwise.
func (d *Folder) literalDefault(p code.Parameter) string {
	if !d.Topical && !strings.Contains(p.Default, "://") {
		return ""
	}
	text, _ := Quoted(p.Default)
	return text
}

// isDefault reports whether a definition is the default value of the parameter that an expression names, in the head
// of the function around a byte offset. Callers may pass another value.
func (d *Folder) isDefault(expr string, def Definition, at int) bool {
	own := d.Function(at)
	if own < 0 || def.at < d.f.Symbols[own].Span.StartByte || def.at > at {
		return false
	}
	p := d.Parameter(expr, at)
	return p != "" && d.defaultOf(p, at) != "" && d.defaultOf(p, at) == Unquoted(d.written(def))
}

// IsSelf reports whether a parameter is the object of a method, such as self, which a call does not pass as an
// argument.
func IsSelf(p code.Parameter) bool {
	switch p.Name {
	case "self", "cls", "this", "&self", "&mut self":
		return true
	}
	return false
}
