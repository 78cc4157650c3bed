package rules

import (
	"bytes"
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/languages/data"
	"sextant/l2meta/syntax"
)

// SvelteRules reads a component: its script in the script's language, its elements as HTML, its
// snippets as components. It masks the expressions and parses with the grammar of HTML, because the
// scanner of the Svelte grammar writes out of bounds for every element that is nested in two
// others.
func SvelteRules() *syntax.Rules {
	return &syntax.Rules{
		Comments: []string{"comment"},
		Mask:     svelteMask,
		File: func(w *syntax.Walk, _ syntax.Node) {
			w.State = &svelteState{expressions: svelteExpressions(w.Text)}
		},
		Handlers: map[string]syntax.Handler{
			"element": svelteBefore(data.HTMLElement), "script_element": svelteBefore(data.HTMLScript),
			"style_element":  svelteBefore(data.HTMLStyle),
			"attribute_name": svelteWithin, "attribute_value": svelteWithin, "text": svelteWithin,
			"tag_name": svelteWithin,
		},
		Finish: func(w *syntax.Walk) { svelteUntil(w, len(w.Text)) },
	}
}

// svelteState holds the expressions of a component that have not been read yet, and the snippets
// around the next one.
type svelteState struct {
	expressions [][2]int // byte ranges of the unread ones, with their braces, in document order
	snippets    []int    // symbols of the enclosing snippets
}

// svelteMask replaces each expression in braces by one word for the parser. It also replaces the
// name of each component (see maskComponents). It keeps scripts and styles.
func svelteMask(text []byte) []byte {
	masked := bytes.Clone(text)
	for _, e := range svelteExpressions(text) {
		for i := e[0]; i < e[1]; i++ {
			masked[i] = '_'
		}
	}
	maskComponents(masked)
	return masked
}

// maskComponents replaces the name of each component in the markup of masked by a name that HTML
// does not know, because HTML would read <Link> as <link>.
func maskComponents(masked []byte) {
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
		if name == len(masked) || masked[name] < 'A' || masked[name] > 'Z' {
			continue
		}
		for end := name; end < len(masked) && (syntax.IsIdentByte(masked[end]) || masked[end] == '.'); end++ {
			masked[end] = 'x'
		}
	}
}

// svelteExpressions returns the byte ranges of the expressions and blocks in braces, with their
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

// svelteParts holds the start and the end of each kind of part of a component that is not markup.
var svelteParts = [][2]string{{"<script", "</script"}, {"<style", "</style"}, {"<!--", "-->"}}

// svelteSkip returns the end of the script, style or comment that starts at i; it returns i if
// none does.
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

// svelteBrace returns the offset of the brace that closes the one at i, or -1. Braces in strings do
// not count; a string ends at the end of its line.
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
			if end := bytes.IndexByte(text[i+1:min(len(text), i+svelteString)], c); end >= 0 &&
				(c == '`' || bytes.IndexByte(text[i+1:i+1+end], '\n') < 0) {
				i += 1 + end
			}
		}
	}
	return -1
}

// svelteString is the largest length in bytes of a string in an expression. Without it, an
// apostrophe in a comment would hide the rest.
const svelteString = 2000

// svelteBefore wraps a handler of elements. The wrapper first reads the expressions that precede
// the element, because they do not belong to it.
func svelteBefore(h syntax.Handler) syntax.Handler {
	return func(w *syntax.Walk, n syntax.Node) {
		svelteUntil(w, w.Start(n))
		h(w, n)
	}
}

// svelteWithin reads the expressions up to the end of n.
func svelteWithin(w *syntax.Walk, n syntax.Node) { svelteUntil(w, w.End(n)) }

// svelteUntil reads the expressions that start before the byte offset end.
func svelteUntil(w *syntax.Walk, end int) {
	s := w.State.(*svelteState)
	for len(s.expressions) > 0 && s.expressions[0][0] < end {
		e := s.expressions[0]
		s.expressions = s.expressions[1:]
		svelteExpression(w, s, e[0], e[1])
	}
}

// svelteExpression declares snippets, and records the calls in an expression.
func svelteExpression(w *syntax.Walk, s *svelteState, start, end int) {
	text := syntax.OneLine(w.Text[start:end])
	switch head, ok := strings.CutPrefix(text, "{#snippet "); {
	case ok:
		name, parameters, _ := strings.Cut(strings.TrimSuffix(head, "}"), "(")
		d := syntax.TextDecl{Kind: code.KindComponent, Name: strings.TrimSpace(name), Start: start, End: end,
			Signature: strings.Trim(text, "{#}")}
		if d.Name == "" {
			return
		}
		for _, p := range syntax.SplitTop(strings.TrimSuffix(strings.TrimSpace(parameters), ")")) {
			arg, typ, _ := strings.Cut(p, ":")
			d.Parameters = append(d.Parameters,
				code.Parameter{Name: strings.TrimSpace(arg), Type: strings.TrimSpace(typ)})
		}
		d.NameStart, d.NameEnd, d.Doc = start, start, w.DocBefore(start)
		if at := bytes.Index(w.Text[start:end], []byte(d.Name)); at >= 0 {
			d.NameStart, d.NameEnd = start+at, start+at+len(d.Name)
		}
		symbol := w.DeclareText(d)
		w.Out.Symbols[symbol].Exported = false
		s.snippets = append(s.snippets, symbol)
	case text == "{/snippet}" && len(s.snippets) > 0:
		last := len(s.snippets) - 1
		w.Stretch(s.snippets[last], end)
		s.snippets = s.snippets[:last]
	default:
		from, to := svelteValue(w.Text, start+1, end-1)
		embedCalls(w, from, to)
		if svelteEvent.Match(w.Text[max(0, start-maxEvent):start]) {
			handler(w, from, to)
		}
	}
}

// svelteEvent matches the text before the handler of an event: ` onclick=` in <p onclick={save}>,
// or ` on:click=`.
var svelteEvent = regexp.MustCompile(`\son:?[a-zA-Z|]+=$`)

// maxEvent bounds the length in bytes of the attribute of an event.
const maxEvent = 60

// svelteValue returns the range of the expression in a tag between start and end: "user.bio" for
// the tag "@html user.bio", "items" for the each block "items as item".
func svelteValue(text []byte, start, end int) (from, to int) {
	tag := text[start:end]
	if len(tag) == 0 || bytes.IndexByte([]byte("@#:"), tag[0]) < 0 {
		return start, end
	}
	for _, keyword := range svelteKeywords {
		if !bytes.HasPrefix(tag[1:], []byte(keyword)) {
			continue
		}
		if as := bytes.LastIndex(tag, []byte(" as ")); keyword == "each " && as > 0 {
			end = start + as
		}
		return start + 1 + len(keyword), end
	}
	return start, start
}

// svelteKeywords lists the words at the start of tags and blocks that end in an expression,
// without the sign before the word (@, #, :).
var svelteKeywords = []string{"html ", "render ", "if ", "else if ", "each ", "await ", "key "}

// embedCalls records the calls of an expression in the markup of a component.
func embedCalls(w *syntax.Walk, start, end int) {
	if start < end && bytes.IndexByte(w.Text[start:end], '(') >= 0 {
		w.EmbedRange("typescript", start, end)
	}
}
