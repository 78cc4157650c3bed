package cfamily

import (
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// A hidden function is declared where no symbol shows it: in text that the grammar could not
// parse, or by a macro that generates the name. It may be unknown whether a call of such a name
// leaves the workspace, so these names are recorded as FactHidden.

var (
	pasted     = regexp.MustCompile(`\w+(?:\s*##\s*\w+)+`)
	pastes     = regexp.MustCompile(`\s*##\s*`)
	macroNamed = regexp.MustCompile(`^(?:[\w*\s]+[\s*])?([A-Za-z_]\w*)\s*(?:\(|$)`)
)

// hiddenByMacro records the names that a macro may declare: "yylex" for "#define YY_DECL int
// yylex(void)", and the pattern "*_insert" for a macro whose value contains "prefix##_insert".
// isFunction is set if the macro has parameters.
func hiddenByMacro(w *syntax.Walk, value syntax.Node, parameters []code.Parameter, isFunction bool) {
	if value < 0 {
		return
	}
	text := w.Str(value)
	if !isFunction {
		if m := macroNamed.FindStringSubmatch(strings.TrimSpace(text)); m != nil {
			hide(w, m[1], w.Start(value), w.End(value))
		}
		return
	}
	if !strings.Contains(text, "##") {
		return
	}
	for _, pasted := range pasted.FindAllString(text, -1) {
		parts := pastes.Split(pasted, -1)
		literal := 0
		for i, part := range parts {
			for _, p := range parameters {
				if part == p.Name {
					parts[i] = "*"
				}
			}
			if parts[i] != "*" {
				literal += len(parts[i])
			}
		}
		if literal >= 3 { // "x##_t" would match too many names
			hide(w, strings.Join(parts, ""), w.Start(value), w.End(value))
		}
	}
}

// hiddenByErrors records undeclared names that look like the head of a function, "int f(…) {", if
// the grammar could not parse parts of the file.
func hiddenByErrors(w *syntax.Walk) {
	if w.Out.BadBytes == 0 {
		return
	}
	known := map[string]bool{}
	for i := range w.Out.Symbols {
		known[w.Out.Symbols[i].Name] = true
	}
	m := &masker{text: w.Text}
	m.lex()
	for i := 1; i+1 < len(m.tokens); i++ {
		name, before := m.word(m.tokens[i]), m.tokens[i-1]
		if name == "" || m.tokens[i+1].kind != '(' || before.kind != 'i' && before.kind != '*' || controls[name] ||
			declares[name] || controls[m.word(before)] || known[name] {
			continue
		}
		if end := m.closes(i + 1); end < 0 || m.at(end+1).kind != '{' && m.at(end+1).kind != 'i' {
			continue
		}
		known[name] = true
		hide(w, name, m.tokens[i].start, m.tokens[i].end)
	}
}

func hide(w *syntax.Walk, name string, start, end int) {
	w.Out.Facts = append(w.Out.Facts,
		code.Fact{Kind: code.FactHidden, Owner: -1, Name: name, Span: w.Lines.Span(start, end)})
}
