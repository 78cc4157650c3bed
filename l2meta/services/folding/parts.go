package folding

import (
	"regexp"
	"strings"

	"sextant/internal/code"
)

// maxApart is the largest number of bytes between the braces of a destructuring assignment.
const maxApart = 300

// takeApart records the names that a destructuring assignment sets: const { a, b: c } = object. before is the text up
// to and including the closing brace, value the offset of the object.
func (d *Definitions) takeApart(before string, value int) {
	from := max(0, len(before)-maxApart)
	open := strings.LastIndexByte(before[from:], '{')
	if open < 0 {
		return
	}
	if open += from; open == 0 || strings.IndexByte(" \t\n(", before[open-1]) < 0 ||
		strings.ContainsAny(before[open+1:len(before)-1], "};(") {
		return
	}
	for at, rest := open+1, before[open+1:len(before)-1]; rest != ""; {
		item, more, _ := strings.Cut(rest, ",")
		named, _, defaulted := strings.Cut(item, "=")
		key, name, renamed := strings.Cut(named, ":")
		if key = strings.TrimSpace(key); !renamed {
			name = key
		}
		if name = strings.TrimSpace(name); Identifier.MatchString(name) && Identifier.MatchString(key) {
			def := Definition{at: at, Value: value, key: key}
			if n := len(d.defs[name]) - 1; defaulted && n >= 0 && d.defs[name][n].at > open {
				// the default was taken for an assignment
				def.at, def.otherwise = d.defs[name][n].at, d.defs[name][n].Value
				d.defs[name] = d.defs[name][:n]
			}
			d.defs[name] = append(d.defs[name], def)
		}
		at, rest = at+len(item)+1, more
	}
}

// defaultedTo returns the text of the default value of a definition, "" for none.
func (d *Definitions) defaultedTo(def Definition) string {
	if def.otherwise == 0 {
		return ""
	}
	return d.Expression(def.otherwise)
}

// orEmpty matches the empty object beside one that may be missing: options || {}.
var orEmpty = regexp.MustCompile(`\s*(?:\|\||\?\?)\s*\{\s*\}$`)

// written returns the expression that a definition assigns to its name, without folding it:
// object.b for c in const { b: c } = object.
func (d *Definitions) written(def Definition) string {
	value := d.Expression(def.Value)
	if def.key == "" {
		return value
	}
	switch value = orEmpty.ReplaceAllString(value, ""); {
	case IsPlain(value):
		return value + "." + def.key
	case accessed.MatchString(value):
		return strings.TrimSuffix(value[strings.LastIndexByte(value, '.')+1:], "()") + "." + def.key
	}
	return ""
}

// accessed matches an object that is read through calls without arguments: Service.instance().config.values().
var accessed = regexp.MustCompile(`^\w+(?:\(\))?(?:\.\w+(?:\(\))?)+$`)

// PathStart returns the offset of the path in a folded URL without a scheme, which is that of the
// first slash outside of braces: 6 for {base}/orders. It returns -1 if there is no path.
func PathStart(url string) int {
	depth := 0
	for i := range len(url) {
		switch url[i] {
		case '{':
			depth++
		case '}':
			depth--
		case '/':
			if depth == 0 {
				return i
			}
		}
	}
	return -1
}

// JoinURL joins a base and a path with a single slash.
func JoinURL(base, path string) string {
	return strings.TrimRight(base, "/") + "/" + strings.TrimLeft(path, "/")
}

// parts returns the operands of a concatenation: "a" + b, "a" . b in PHP, "a" <> b in Elixir.
func parts(f *code.File, expr string) []string {
	if i := outside(expr, "<>"); i > 0 && f.Language == "elixir" {
		return []string{expr[:i], expr[i+len("<>"):]}
	}
	return split(expr, joiner(f))
}

func joiner(f *code.File) byte {
	if f.Language == "php" {
		return '.'
	}
	return '+'
}

// DropHoles returns a function for [strings.Map] that removes the holes of a text, the parts in braces: /orders/ for
// /orders/{id}.
func DropHoles() func(rune) rune {
	depth := 0
	return func(c rune) rune {
		switch c {
		case '{':
			depth++
			return -1
		case '}':
			depth--
			return -1
		}
		if depth > 0 {
			return -1
		}
		return c
	}
}

var queryHole = regexp.MustCompile(`(\w)\{[^{}/]*(?i:query|search|params|filter)[^{}/]*\}$`)

// ownOrigin matches the part of a folded URL that is the address of the current page: {window.location.origin}/.
var ownOrigin = regexp.MustCompile(
	`^\{(?:window\.|document\.|self\.)?location\.(?:origin\}|protocol\}//\{(?:window\.|document\.|self\.)?location\.host\})/`)

// CleanURL returns a URL without query, fragment and the address of the current page, {window.location.origin}.
func CleanURL(url string) string { return ownOrigin.ReplaceAllString(WithoutQuery(url), "/") }

// WithoutQuery returns a URL without query and fragment, even if these are in a variable:
// "/orders{query}".
func WithoutQuery(url string) string {
	url = queryHole.ReplaceAllString(url, "$1")
	depth := 0
	for i := 0; i < len(url); i++ {
		switch url[i] {
		case '{':
			depth++
		case '}':
			depth--
		case '?', '#':
			if depth == 0 {
				return url[:i]
			}
		}
	}
	return url
}

var aStep = regexp.MustCompile(`^[a-z][a-zA-Z0-9_-]+$`)

// IsStep reports whether a text may be the first segment of a path: "orders?page={n}".
func IsStep(text string) bool { return aStep.MatchString(WithoutQuery(text)) }

// MaxEndpointText is the largest number of bytes of source text that are read for one endpoint.
const MaxEndpointText = 4000
