package l2meta

import (
	"bytes"
	"strings"

	"sextant/internal/code"
)

// svelteRules reads a component as the page that it is: its script in its own
// language, its elements as HTML, its snippets as components. The grammar is
// that of HTML, shown a text without expressions: the Svelte grammar's scanner
// writes behind its memory for every element within two others.
func svelteRules() *rules {
	return &rules{
		comments: []string{"comment"},
		mask:     svelteMask,
		file:     func(w *walk, _ node) { w.state = &svelteState{expressions: svelteExpressions(w.text)} },
		handlers: map[string]handler{
			"element": svelteBefore(htmlElement), "script_element": svelteBefore(htmlScript), "style_element": svelteBefore(htmlStyle),
			"attribute_name": svelteWithin, "attribute_value": svelteWithin, "text": svelteWithin, "tag_name": svelteWithin,
		},
		finish: func(w *walk) { svelteUntil(w, len(w.text)) },
	}
}

// svelteState is what is still to be read of a component.
type svelteState struct {
	expressions [][2]int // not yet read, with their braces, in document order
	snippets    []int    // symbols of snippets that are open
}

// svelteMask shows the parser each expression in braces as one word, and each
// component as an element that HTML knows nothing of: a Link is no <link>.
// Scripts and styles stay as they are.
func svelteMask(text []byte) []byte {
	masked := bytes.Clone(text)
	for _, e := range svelteExpressions(text) {
		for i := e[0]; i < e[1]; i++ {
			masked[i] = '_'
		}
	}
	for i := 0; i+1 < len(masked); i++ {
		if masked[i] != '<' {
			continue
		}
		if end := svelteSkip(masked, i); end > i {
			i = end - 1
			continue
		}
		name := i + 1
		if masked[name] == '/' {
			name++
		}
		for end := name; end < len(masked) && (isIdentByte(masked[end]) || masked[end] == '.'); end++ {
			if text[name] >= 'A' && text[name] <= 'Z' {
				masked[end] = 'x'
			}
		}
	}
	return masked
}

// svelteExpressions are the expressions and blocks in braces, with their
// braces, outside of scripts, styles and comments.
func svelteExpressions(text []byte) (out [][2]int) {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '<':
			if end := svelteSkip(text, i); end > i {
				i = end - 1
			}
		case '{':
			end := svelteBrace(text, i)
			if end < 0 {
				return out
			}
			out = append(out, [2]int{i, end + 1})
			i = end
		}
	}
	return out
}

// svelteParts are the parts of a component that are no markup, with their ends.
var svelteParts = [][2]string{{"<script", "</script"}, {"<style", "</style"}, {"<!--", "-->"}}

// svelteSkip is the end of the script, style or comment that starts at i, i
// when none does.
func svelteSkip(text []byte, i int) int {
	for _, part := range svelteParts {
		if !bytes.HasPrefix(text[i:], []byte(part[0])) {
			continue
		}
		if j := bytes.Index(text[i:], []byte(part[1])); j >= 0 {
			return i + j
		}
		return len(text)
	}
	return i
}

// svelteBrace is the partner of the brace at i, -1 without one. Braces in
// strings do not count; a string ends on its line.
func svelteBrace(text []byte, i int) int {
	depth := 0
	for ; i < len(text); i++ {
		switch c := text[i]; c {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		case '"', '\'', '`':
			if end := bytes.IndexByte(text[i+1:min(len(text), i+svelteString)], c); end >= 0 && (c == '`' || bytes.IndexByte(text[i+1:i+1+end], '\n') < 0) {
				i += 1 + end
			}
		}
	}
	return -1
}

// svelteString bounds a string in an expression, in bytes: an apostrophe of a
// comment must not hide what follows.
const svelteString = 2000

// svelteBefore is a handler of elements that first reads the expressions before
// the element, which are not the element's.
func svelteBefore(h handler) handler {
	return func(w *walk, n node) {
		svelteUntil(w, w.start(n))
		h(w, n)
	}
}

// svelteWithin reads the expressions up to the end of n.
func svelteWithin(w *walk, n node) { svelteUntil(w, w.end(n)) }

// svelteUntil reads the expressions that start before the byte offset end.
func svelteUntil(w *walk, end int) {
	s := w.state.(*svelteState)
	for len(s.expressions) > 0 && s.expressions[0][0] < end {
		e := s.expressions[0]
		s.expressions = s.expressions[1:]
		svelteExpression(w, s, e[0], e[1])
	}
}

// svelteExpression declares snippets, and reads what an expression calls.
func svelteExpression(w *walk, s *svelteState, start, end int) {
	text := oneLine(w.text[start:end])
	switch head, ok := strings.CutPrefix(text, "{#snippet "); {
	case ok:
		name, parameters, _ := strings.Cut(strings.TrimSuffix(head, "}"), "(")
		d := textDecl{kind: code.KindComponent, name: strings.TrimSpace(name), start: start, end: end, signature: strings.Trim(text, "{#}")}
		if d.name == "" {
			return
		}
		for _, p := range splitTop(strings.TrimSuffix(strings.TrimSpace(parameters), ")")) {
			arg, typ, _ := strings.Cut(p, ":")
			d.parameters = append(d.parameters, code.Parameter{Name: strings.TrimSpace(arg), Type: strings.TrimSpace(typ)})
		}
		d.nameStart, d.nameEnd, d.doc = start, start, w.docBefore(start)
		if at := bytes.Index(w.text[start:end], []byte(d.name)); at >= 0 {
			d.nameStart, d.nameEnd = start+at, start+at+len(d.name)
		}
		symbol := w.declareText(d)
		w.out.Symbols[symbol].Exported = false
		s.snippets = append(s.snippets, symbol)
	case text == "{/snippet}" && len(s.snippets) > 0:
		last := len(s.snippets) - 1
		w.stretch(s.snippets[last], end)
		s.snippets = s.snippets[:last]
	case strings.ContainsRune(text, '(') && !strings.HasPrefix(text, "{@") && !strings.HasPrefix(text, "{#"):
		w.embedRange("typescript", start+1, end-1)
	}
}
