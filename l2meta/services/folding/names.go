package folding

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"sextant/internal/code"
)

// Definition is an assignment to a name at the byte offset at. The assigned value starts at the offset value. If key
// is not "", the name gets that member of the value: const { key: name } = value.
type Definition struct {
	at, Value int
	key       string
	otherwise int // offset of the default value, as in const { key = "v1" } = object; 0 for none
	// index of the function around the definition plus 2; 1 if there is none; 0 if it was not
	// looked up yet
	within int
}

const (
	MaxDefinitions = 4  // largest number of definitions of a name that are folded
	maxNearest     = 64 // largest number of definitions above and below a use that are considered
)

// Defined returns the assignments to a name that is used at a byte offset: first those above, the nearest first, then
// those below. It omits assignments to local variables of other functions, but not those to fields.
func (d *Definitions) Defined(name string, at int) (out []Definition) {
	if d.defs == nil {
		d.read()
	}
	all := d.defs[name]
	if len(all) == 0 && d.f.Language == "php" {
		all = d.defs["$"+name] // in PHP, private $base = … defines $this->base
	}
	member := d.isField(name) && !namesObject[d.f.Language]
	above, _ := slices.BinarySearchFunc(all, at, func(def Definition, at int) int { return def.at - at })
	take := func(def *Definition) {
		if def.within == 0 {
			def.within = 2 + d.Function(def.at)
		}
		own := def.within - 2
		field := member || def.at > 0 && strings.IndexByte(".[\"'@>", d.Text[def.at-1]) >= 0
		if len(out) < MaxDefinitions &&
			(field || own < 0 || d.f.Symbols[own].Span.Contains(code.Span{StartByte: at, EndByte: at})) {
			out = append(out, *def)
		}
	}
	for i := above - 1; i >= max(0, above-maxNearest); i-- {
		take(&all[i])
	}
	for i := above; i < min(len(all), above+maxNearest); i++ {
		if all[i].at != at { // topic = producer.topic(topic) does not define the argument topic
			take(&all[i])
		}
	}
	return out
}

// namesObject lists the languages in which a field is always written with its object, this.name.
// There, "name = x" in a function sets a local variable, even if a field has that name.
var namesObject = map[string]bool{"go": true, "python": true, "javascript": true, "typescript": true, "svelte": true,
	"vue": true, "html": true, "php": true, "rust": true, "ruby": true, "elixir": true}

// isField reports whether a type of the file declares a field called name. In some languages, "name = x" in its
// constructor then sets the field.
func (d *Definitions) isField(name string) bool {
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

// Function returns the innermost callable around a byte offset, or -1.
func (d *Definitions) Function(at int) int {
	i := d.symbol(at)
	for i >= 0 && !d.f.Symbols[i].Kind.Callable() {
		if setter := d.setter(i, at); setter >= 0 {
			return setter
		}
		i = d.f.Symbols[i].Parent
	}
	return i
}

// setter returns the method around a byte offset that declares a field by assigning to it, self.base = base; -1 if
// there is none.
func (d *Definitions) setter(field, at int) int {
	s := &d.f.Symbols[field]
	if s.Kind != code.KindField && s.Kind != code.KindProperty {
		return -1
	}
	for i := field - 1; i > s.Parent; i-- {
		m := &d.f.Symbols[i]
		if m.Parent == s.Parent && m.Kind.Callable() {
			if at < m.Span.EndByte {
				return i
			}
			return -1
		}
	}
	return -1
}

// Lookup returns the nearest value assigned to a name, as written, and its offset; "" if there is
// none.
func (d *Definitions) Lookup(name string, at int) (value string, where int) {
	if all := d.Defined(name, at); len(all) > 0 {
		return d.written(all[0]), all[0].at
	}
	return "", 0
}

// read finds all assignments: `name =`, `name :=`, `name: Type =` and `x["name"] =`. It looks for each "=" and scans
// back to the name, which is faster than a regular expression.
func (d *Definitions) read() {
	d.defs = map[string][]Definition{}
	defer d.readWithoutSign()
	for i := 0; i < len(d.Text); i++ {
		next := strings.IndexByte(d.Text[i:], '=')
		if next < 0 {
			return
		}
		i += next
		value := i + 1
		for value < len(d.Text) && isBlank(d.Text[value]) {
			value++
		}
		if value < len(d.Text) && d.Text[value] == '=' { // "==" is a comparison
			i = value
			continue
		}
		before := strings.TrimSuffix(strings.TrimSuffix(d.Text[:i], "||"), "??") // @client ||= …
		if b := strings.TrimRight(before, " "); strings.HasSuffix(b, "}") {
			d.takeApart(b, value)
			continue
		}
		if at, name := nameBefore(before); name != "" {
			d.defs[name] = append(d.defs[name], Definition{at: at, Value: value})
			// In target, err := f(), both names are assigned.
			if before, more := strings.CutSuffix(TrimBlank(d.Text[:at]), ","); more && d.f.Language == "go" {
				if at, name := lastName(TrimBlank(before)); name != "" {
					d.defs[name] = append(d.defs[name], Definition{at: at, Value: value})
				}
			}
		}
	}
}

// withoutSign matches, by language, code that gives a name a value without "=", up to the value: option :queue,
// default: -> { create } in Ruby, @base "http://orders" in Elixir, val url by lazy { config.url } in Kotlin.
var withoutSign = map[string]*regexp.Regexp{
	"ruby": regexp.MustCompile(`\b(?:option|param|attribute|setting)[ (]+:(\w+)[^\n{]*default:\s*` +
		`(?:(?:->|proc|lambda)\s*\{\s*)?`),
	"elixir": regexp.MustCompile(`(?m)^[ \t]*@([a-z]\w*)[ \t]+`),
	"kotlin": regexp.MustCompile(`\bval\s+(\w+)(?:\s*:\s*[\w<>?.]+)?\s+by\s+lazy(?:\([^()\n]*\))?\s*\{\s*`),
}

// readWithoutSign finds the definitions that withoutSign matches.
func (d *Definitions) readWithoutSign() {
	gives := withoutSign[d.f.Language]
	if gives == nil || d.f.Language == "kotlin" && !strings.Contains(d.Text, "by lazy") {
		return
	}
	for _, m := range gives.FindAllStringSubmatchIndex(d.Text, -1) {
		name := d.Text[m[2]:m[3]]
		d.defs[name] = append(d.defs[name], Definition{at: m[2], Value: m[1]})
		slices.SortFunc(d.defs[name], func(a, b Definition) int { return a.at - b.at })
	}
}

// nameBefore returns the name at the end of text, the part of an assignment before its sign, and the offset of the
// name; "" if there is none.
func nameBefore(text string) (at int, name string) {
	text = TrimBlank(strings.TrimSuffix(text, ":"))
	if typed := beforeType(text); len(typed) < len(text) {
		// On one line, the text after "class Orders:" or "else:" is no type.
		// Nor is an atom of Elixir at the start of a line a type: :ok = declare(exchange).
		if of, ok := strings.CutSuffix(strings.TrimRight(typed, " \t"), ":"); ok &&
			!strings.HasSuffix(strings.TrimRight(of, " \t"), "\n") {
			if at, name = lastName(TrimBlank(of)); name != "" {
				return at, name
			}
		}
	}
	return lastName(text)
}

var reference = regexp.MustCompile(`^&(?:'\w+)?\s*(?:mut)?\s*$`)

// beforeType returns text without the type at its end: "a: " for "a: surf::Client", "A: " for "A: &'static str".
func beforeType(text string) string {
	typed := strings.TrimRightFunc(text, inType)
	for strings.HasSuffix(typed, "::") {
		typed = strings.TrimRightFunc(strings.TrimSuffix(typed, "::"), inType)
	}
	end := max(0, len(typed)-24)
	if i := strings.LastIndexByte(typed[end:], '&'); i >= 0 && reference.MatchString(typed[end+i:]) {
		return typed[:end+i]
	}
	return typed
}

// lastName returns the name at the end of text, which may be a key: x["name"].
func lastName(text string) (at int, name string) {
	if n := len(text); n > 2 && text[n-1] == ']' && (text[n-2] == '"' || text[n-2] == '\'') {
		text = text[:n-2]
	}
	at = len(text)
	for at > 0 && (IsLetter(text[at-1]) || text[at-1] == '_' || text[at-1] == '$') {
		at--
	}
	return at, text[at:]
}

func inType(r rune) bool {
	return r < utf8.RuneSelf && (IsLetter(byte(r)) || strings.IndexByte("_.<>[]?", byte(r)) >= 0)
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' }

// TrimBlank returns a text without the white space at its end.
func TrimBlank(s string) string { return strings.TrimRight(s, " \t\n\r\f") }

// IsPlain reports whether an expression is a name with its members, or a call of one without
// arguments.
func IsPlain(expr string) bool {
	expr = strings.TrimSuffix(expr, "()")
	for i := 0; i < len(expr); i++ {
		if c := expr[i]; !IsLetter(c) && strings.IndexByte("_$.>-[]\"'", c) < 0 {
			return false
		}
	}
	return expr != ""
}

// maxHead is the largest length in bytes of the parameters and the type of a function.
const maxHead = 400

// heads returns a map from each name before a parenthesis to its offsets: the places where the
// function of that name is declared or called.
func (d *Definitions) heads() map[string][]int {
	if d.called != nil {
		return d.called
	}
	d.called = map[string][]int{}
	for i := 0; i < len(d.Text); i++ {
		next := strings.IndexByte(d.Text[i:], '(')
		if next < 0 {
			break
		}
		i += next
		if at, name := lastName(TrimBlank(d.Text[:i])); name != "" && (at == 0 || d.Text[at-1] != '.') {
			d.called[name] = append(d.called[name], at)
		}
	}
	return d.called
}
