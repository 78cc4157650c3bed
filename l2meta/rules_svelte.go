package l2meta

import (
	"bytes"
	"strings"

	"sextant/internal/code"
)

// svelteRules reads a component as the page that it is: its script in its own
// language, its elements as HTML, its snippets as components.
func svelteRules() *rules {
	return &rules{
		comments: []string{"comment"},
		mask:     svelteMask,
		handlers: map[string]handler{
			"element": htmlElement, "script_element": htmlScript, "style_element": htmlStyle, "expression": svelteExpression,
		},
	}
}

// svelteMask shows the parser each expression in braces as one name, and the
// blocks it does not know as expressions: an apostrophe in a comment or an
// arrow ends them early else. Scripts and styles stay as they are.
func svelteMask(text []byte) []byte {
	masked := bytes.Clone(text)
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '<':
			if end := svelteSkip(text, i); end > i {
				i = end - 1
			}
		case '{':
			end := svelteBrace(text, i)
			if end < 0 {
				return masked
			}
			svelteHide(masked[i+1 : end])
			i = end
		}
	}
	return masked
}

// svelteSkip is the end of the script, style or comment that starts at i, i
// when none does.
func svelteSkip(text []byte, i int) int {
	for open, end := range map[string]string{"<script": "</script", "<style": "</style", "<!--": "-->"} {
		if !bytes.HasPrefix(text[i:], []byte(open)) {
			continue
		}
		if j := bytes.Index(text[i:], []byte(end)); j >= 0 {
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

// svelteHide overwrites the inside of a pair of braces. Of the grammar's own
// blocks only what could end them early is overwritten.
func svelteHide(inside []byte) {
	known := false
	for _, word := range []string{"#if", "#each", "#await", "#key", ":else", ":then", ":catch", "/if", "/each", "/await", "/key", "@html", "@debug"} {
		known = known || bytes.HasPrefix(inside, []byte(word))
	}
	for i, b := range inside {
		if !known || i > 0 && strings.IndexByte("{}[]'\"`<>", b) >= 0 {
			inside[i] = '_'
		}
	}
}

// svelteExpression declares snippets, and reads what an expression calls.
func svelteExpression(w *walk, n node) {
	text := w.line(n)
	open, _ := w.state.([]int)
	switch head, ok := strings.CutPrefix(text, "{#snippet "); {
	case ok:
		name, parameters, _ := strings.Cut(strings.TrimSuffix(head, "}"), "(")
		d := decl{kind: code.KindComponent, node: n, name: n, text: strings.TrimSpace(name)}
		if d.text == "" {
			return
		}
		for _, p := range splitTop(strings.TrimSuffix(strings.TrimSpace(parameters), ")")) {
			arg, typ, _ := strings.Cut(p, ":")
			d.parameters = append(d.parameters, code.Parameter{Name: strings.TrimSpace(arg), Type: strings.TrimSpace(typ)})
		}
		s := w.declare(d)
		w.out.Symbols[s].Signature = strings.Trim(text, "{#}")
		if at := bytes.Index(w.text[w.start(n):w.end(n)], []byte(d.text)); at >= 0 {
			w.out.Symbols[s].NameSpan = w.lines.Span(w.start(n)+at, w.start(n)+at+len(d.text))
		}
		w.state = append(open, s)
	case text == "{/snippet}" && len(open) > 0:
		w.stretch(open[len(open)-1], w.end(n))
		w.state = open[:len(open)-1]
	case strings.ContainsRune(text, '(') && !strings.HasPrefix(text, "{@") && !strings.HasPrefix(text, "{#"):
		w.embed("typescript", w.find(n, "raw_text_expr"))
	}
}
