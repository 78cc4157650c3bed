package rules

import (
	"bytes"
	"slices"
	"sort"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// mask rewrites syntax that the grammar does not support. import("m").T as a type becomes a name
// of the same length. Variance modifiers, "in T" and "out T", become blanks. A line break that
// ends a member becomes a semicolon. Without this, the grammar would lose the declaration around
// each of them, or everything after it.
func mask(text []byte) []byte {
	masked := text
	change := func(start, end int, with byte) {
		if &masked[0] == &text[0] {
			masked = slices.Clone(text)
		}
		for i := start; i < end; i++ {
			masked[i] = with
		}
	}
	for _, m := range importTypes(text) {
		change(m.start+len("import"), m.end, '_')
	}
	for _, at := range memberLines(text) {
		change(at, at+1, ';')
	}
	for _, word := range []string{"in ", "out "} {
		for i := 0; ; i += len(word) {
			next := bytes.Index(text[i:], []byte(word))
			if next < 0 {
				break
			}
			i += next
			if isVariance(text, i, i+len(word)) {
				change(i, i+len(word), ' ')
			}
		}
	}
	return masked
}

// isVariance reports whether text[start:end] is a variance modifier: it follows "<", "," or
// another variance modifier, and a capital letter follows it.
func isVariance(text []byte, start, end int) bool {
	if start >= 3 && string(text[start-3:start]) == "in " { // two modifiers: in out T
		start -= 3
	}
	before := bytes.TrimRight(text[max(start-syntax.MaxLine, 0):start], " \t\r\n")
	if len(before) == 0 || end >= len(text) {
		return false
	}
	next := text[end]
	capital := next >= 'A' && next <= 'Z' || bytes.HasPrefix(text[end:], []byte("out "))
	last := before[len(before)-1]
	return capital && (last == '<' || last == ',')
}

// importType is an import("module") at the start of a type.
type importType struct {
	start, end int
	module     string
}

// importTypes finds each import("module").Name that is not called. It is a type, because
// import("module") as a value is a promise, whose only members are methods.
func importTypes(text []byte) (out []importType) {
	for i := 0; ; {
		next := bytes.Index(text[i:], []byte("import("))
		if next < 0 {
			return out
		}
		start := i + next
		i = start + len("import(")
		if i >= len(text) || text[i] != '"' && text[i] != '\'' {
			continue
		}
		quote := text[i]
		length := bytes.IndexByte(text[i+1:min(len(text), i+300)], quote)
		if length < 0 {
			continue
		}
		module := text[i+1 : i+1+length]
		end := i + length + 3
		if bytes.IndexByte(module, '\n') >= 0 || !bytes.HasPrefix(text[i+length+2:], []byte(").")) {
			continue
		}
		name := end + 1
		for name < len(text) && (text[name] == '_' || text[name] == '$' ||
			text[name]|0x20 >= 'a' && text[name]|0x20 <= 'z' || text[name] >= '0' && text[name] <= '9') {
			name++
		}
		if name == end+1 || name < len(text) && text[name] == '(' {
			continue
		}
		out = append(out, importType{start, end, string(module)})
	}
}

// typeImports records the modules of import("module").Name as imports. It skips those in comments
// and strings.
func typeImports(w *syntax.Walk) {
	// In a Svelte component or a page, only the script is searched.
	for _, m := range importTypes(w.Text[w.Start(0):w.End(0)]) {
		m.start, m.end = m.start+w.Start(0), m.end+w.Start(0)
		i := sort.Search(len(w.Nodes), func(i int) bool { return w.Start(syntax.Node(i)) >= m.start })
		for i < len(w.Nodes) && w.Start(syntax.Node(i)) == m.start && w.End(syntax.Node(i)) != m.end {
			i++
		}
		if i < len(w.Nodes) && w.Start(syntax.Node(i)) == m.start {
			w.AddImport(syntax.Node(i), code.Import{Module: m.module, TypeOnly: true})
		}
	}
}
