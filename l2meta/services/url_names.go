package services

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"sextant/internal/code"
)

// definition is where a name is given a value: the text from there on.
type definition struct{ at, value int }

// maxDefinitions bounds how many definitions of a name are tried.
const maxDefinitions = 4

// defined is where a name that stands at is given a value: the nearest above
// first, then those below. What another function gives to a variable of its own
// is not among them, what one gives to a field is.
func (d *folder) defined(name string, at int) (out []definition) {
	if d.defs == nil {
		d.read()
	}
	all := d.defs[name]
	member := d.isField(name)
	above, _ := slices.BinarySearchFunc(all, at, func(def definition, at int) int { return def.at - at })
	take := func(def definition) {
		own := d.function(def.at)
		field := member || def.at > 0 && strings.IndexByte(".[\"'@>", d.text[def.at-1]) >= 0
		if len(out) < maxDefinitions && (field || own < 0 || d.f.Symbols[own].Span.Contains(code.Span{StartByte: at, EndByte: at})) {
			out = append(out, def)
		}
	}
	for i := above - 1; i >= 0; i-- {
		take(all[i])
	}
	for i := above; i < len(all); i++ {
		take(all[i])
	}
	return out
}

// isField reports whether a type of the file declares a field of that name: then
// "name = x" in its constructor gives a value to it.
func (d *folder) isField(name string) bool {
	if d.fields == nil {
		d.fields = map[string]bool{}
		for i := range d.f.Symbols {
			if s := &d.f.Symbols[i]; s.Parent >= 0 && (s.Kind == code.KindField || s.Kind == code.KindProperty) {
				d.fields[s.Name] = true
			}
		}
	}
	return d.fields[name]
}

// function is the innermost callable around a place, -1 without one.
func (d *folder) function(at int) int {
	best := -1
	for i := range d.f.Symbols {
		s := &d.f.Symbols[i]
		if s.Span.StartByte > at {
			break
		}
		if s.Kind.Callable() && at < s.Span.EndByte {
			best = i
		}
	}
	return best
}

// lookup is the value that a name is given nearest, as written, and where; ""
// where there is none.
func (d *folder) lookup(name string, at int) (value string, where int) {
	if all := d.defined(name, at); len(all) > 0 {
		return d.expression(all[0].value), all[0].at
	}
	return "", 0
}

// read finds every name that is given a value: `name =`, `name :=`,
// `name: Type =` and `x["name"] =`. It goes from each sign back to its name,
// which costs a look at the bytes and not a regular expression.
func (d *folder) read() {
	d.defs = map[string][]definition{}
	for i := 0; i < len(d.text); i++ {
		next := strings.IndexByte(d.text[i:], '=')
		if next < 0 {
			return
		}
		i += next
		value := i + 1
		for value < len(d.text) && isBlank(d.text[value]) {
			value++
		}
		if value < len(d.text) && d.text[value] == '=' { // a comparison
			i = value
			continue
		}
		before := strings.TrimSuffix(strings.TrimSuffix(d.text[:i], "||"), "??") // @client ||= …
		if at, name := nameBefore(before); name != "" {
			d.defs[name] = append(d.defs[name], definition{at, value})
			if before, more := strings.CutSuffix(trimBlank(d.text[:at]), ","); more && d.f.Language == "go" { // target, err :=
				if at, name := lastName(trimBlank(before)); name != "" {
					d.defs[name] = append(d.defs[name], definition{at, value})
				}
			}
		}
	}
}

// nameBefore is the name that the sign behind text gives a value to, and where
// it stands; "" where no name stands there.
func nameBefore(text string) (at int, name string) {
	text = trimBlank(strings.TrimSuffix(text, ":"))
	if typed := beforeType(text); len(typed) < len(text) {
		// On one line: what follows "class Orders:" or "else:" is no type.
		if of, ok := strings.CutSuffix(strings.TrimRight(typed, " \t"), ":"); ok {
			if at, name = lastName(trimBlank(of)); name != "" {
				return at, name
			}
		}
	}
	return lastName(text)
}

var reference = regexp.MustCompile(`&(?:'\w+)?\s*(?:mut)?\s*$`)

// beforeType is text without a type at its end: "a: surf::Client", "A: &'static str".
func beforeType(text string) string {
	typed := strings.TrimRightFunc(text, inType)
	for strings.HasSuffix(typed, "::") {
		typed = strings.TrimRightFunc(strings.TrimSuffix(typed, "::"), inType)
	}
	if i := strings.LastIndexByte(typed, '&'); i >= 0 && len(typed)-i < 24 {
		typed = reference.ReplaceAllString(typed, "")
	}
	return typed
}

// lastName is the name that text ends with, which may be a key: x["name"].
func lastName(text string) (at int, name string) {
	if n := len(text); n > 2 && text[n-1] == ']' && (text[n-2] == '"' || text[n-2] == '\'') {
		text = text[:n-2]
	}
	at = len(text)
	for at > 0 && (isLetter(text[at-1]) || text[at-1] == '_' || text[at-1] == '$') {
		at--
	}
	return at, text[at:]
}

func inType(r rune) bool {
	return r < utf8.RuneSelf && (isLetter(byte(r)) || strings.IndexByte("_.<>[]?", byte(r)) >= 0)
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' }

func trimBlank(s string) string { return strings.TrimRight(s, " \t\n\r\f") }
