package services

import (
	"strings"

	"sextant/internal/code"
)

// maxApart is the largest number of bytes between the braces of a destructuring assignment.
const maxApart = 300

// takeApart records the names that a destructuring assignment sets: const { a, b: c } = object. before is the text up
// to and including the closing brace, value the offset of the object.
func (d *folder) takeApart(before string, value int) {
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
		named, _, _ := strings.Cut(item, "=") // the name without the default value
		key, name, renamed := strings.Cut(named, ":")
		if key = strings.TrimSpace(key); !renamed {
			name = key
		}
		if name = strings.TrimSpace(name); identifier.MatchString(name) && identifier.MatchString(key) {
			d.defs[name] = append(d.defs[name], definition{at: at, value: value, key: key})
		}
		at, rest = at+len(item)+1, more
	}
}

// written returns the expression that a definition assigns to its name, without folding it:
// object.b for c in const { b: c } = object.
func (d *folder) written(def definition) string {
	value := d.expression(def.value)
	switch {
	case def.key == "":
		return value
	case isPlain(value):
		return value + "." + def.key
	}
	return ""
}

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
