package rules

import (
	"bytes"
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/languages/data"
	"sextant/l2meta/syntax"
)

// VueRules reads a single-file component of Vue: its scripts in their languages, its elements as
// HTML, and the calls in the expressions of its template. An expression is in double braces or is
// the value of a directive: @click, :title, v-if.
func VueRules() *syntax.Rules {
	return &syntax.Rules{
		Comments: []string{"comment"},
		Mask:     vueMask,
		Handlers: map[string]syntax.Handler{
			"element": data.HTMLElement, "script_element": data.HTMLScript, "style_element": data.HTMLStyle,
			"attribute": vueAttribute, "text": vueText,
		},
	}
}

// vueMask replaces the text in double braces by one word for the parser, because HTML would read
// "a < b" as a tag. It also replaces the name of each component. It keeps scripts and styles.
func vueMask(text []byte) []byte {
	masked := bytes.Clone(text)
	for i := 0; i < len(masked); i++ {
		switch end := svelteSkip(text, i); {
		case text[i] == '<' && end > i:
			i = end - 1
		case bytes.HasPrefix(text[i:], mustacheOpen):
			length := bytes.Index(text[i:], mustacheClose)
			if length < 0 {
				maskComponents(masked)
				return masked
			}
			for j := i + len(mustacheOpen); j < i+length; j++ {
				masked[j] = '_'
			}
			i += length
		}
	}
	maskComponents(masked)
	return masked
}

var mustacheOpen, mustacheClose = []byte("{{"), []byte("}}")

// vueText records the calls in the double braces of a text.
func vueText(w *syntax.Walk, n syntax.Node) {
	for at, end := w.Start(n), w.End(n); at < end; {
		open := bytes.Index(w.Text[at:end], mustacheOpen)
		if open < 0 {
			return
		}
		at += open + len(mustacheOpen)
		length := bytes.Index(w.Text[at:end], mustacheClose)
		if length < 0 {
			return
		}
		embedCalls(w, at, at+length)
		at += length + len(mustacheClose)
	}
}

// vueAttribute records the calls in the value of a directive.
func vueAttribute(w *syntax.Walk, n syntax.Node) {
	name := w.Str(w.Child(n, "attribute_name"))
	value := w.Find(n, "attribute_value")
	if value <= 0 || !vueDirective(name) {
		return
	}
	start, end := w.Start(value), w.End(value)
	if name == "v-for" {
		if start = vueItems(w.Text, start, end); start < 0 {
			return
		}
	}
	if strings.HasPrefix(name, "@") || strings.HasPrefix(name, "v-on:") {
		handler(w, start, end)
	}
	for _, part := range objectValues(w.Text, start, end) {
		embedCalls(w, part[0], part[1])
	}
}

// handlerName matches the name of a function that handles an event: save, cart.save.
var handlerName = regexp.MustCompile(`^(?:([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)\.)?([A-Za-z_$][\w$]*)$`)

// handler records the function that the value of an event attribute, text between start and end,
// names without calling it: save in @click="save". The framework calls the function.
func handler(w *syntax.Walk, start, end int) {
	m := handlerName.FindStringSubmatch(string(w.Text[start:end]))
	if m == nil {
		return
	}
	w.Out.Calls = append(w.Out.Calls, code.Call{Kind: code.CallReference, Callee: m[2], Receiver: m[1], Args: -1,
		Caller: w.Encloser, Span: w.Lines.Span(start, end), NameSpan: w.Lines.Span(end-len(m[2]), end)})
}

// vueDirective reports whether the value of the attribute called name is an expression, as for
// @click, :title and v-if. The value of a slot attribute is a pattern instead.
func vueDirective(name string) bool {
	return strings.HasPrefix(name, "@") || strings.HasPrefix(name, ":") ||
		strings.HasPrefix(name, "v-") && !strings.HasPrefix(name, "v-slot")
}

// vueItems returns the offset of the list in the value of v-for: of items in "(item, i) in items"
// and "item of items". It returns -1 if there is none.
func vueItems(text []byte, start, end int) int {
	for _, word := range []string{" in ", " of "} {
		if i := bytes.Index(text[start:end], []byte(word)); i >= 0 {
			return start + i + len(word)
		}
	}
	return -1
}

// objectValues returns the ranges of the values of an object literal, such as "{ a: f(), b }".
// Parsed as a statement, the literal would be read as a block. It returns the range itself if it
// contains no such literal.
func objectValues(text []byte, start, end int) (out [][2]int) {
	for start < end && isSpace(text[start]) {
		start++
	}
	for start < end && isSpace(text[end-1]) {
		end--
	}
	if end-start < 2 || text[start] != '{' || text[end-1] != '}' {
		return [][2]int{{start, end}}
	}
	at := start + 1
	for _, part := range syntax.SplitTop(string(text[at : end-1])) {
		if colon := strings.IndexByte(part, ':'); colon >= 0 {
			i := at + bytes.Index(text[at:end], []byte(part))
			out = append(out, [2]int{i + colon + 1, i + len(part)})
			at = i + len(part)
		}
	}
	return out
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
