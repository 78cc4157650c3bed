package rules

import (
	"strings"

	"sextant/l2meta/syntax"
)

// The recorded text of a value is bounded. In a longer chain of calls, long arguments are replaced,
// so that the receivers stay readable: tables.map(_).join(", ").

// longValue returns the text of a long call or construction with "_" for its long arguments, and
// "?" for anything else.
func longValue(w *syntax.Walk, value syntax.Node) string {
	if text := elided(w, value, maxElided); text != "" && len(text) <= valueLimit {
		return text
	}
	return "?"
}

// maxElided is the largest number of links of a long chain, such as a.b().c(), that are read.
const maxElided = 16

// maxArgument is the length in bytes above which an argument of a long call is replaced by "_".
const maxArgument = 60

// elided returns the text of a chain of calls in which "_" replaces long arguments; "" for any
// other expression.
func elided(w *syntax.Walk, n syntax.Node, links int) string {
	if w.End(n)-w.Start(n) <= 4*syntax.MaxLine { // the text of a longer argument would be cut anyway
		if text := w.Line(n); !IsCut(text) {
			return text
		}
	}
	lead, head, behind := "", syntax.None, ""
	switch w.Kind(n) {
	case "array":
		return "[]"
	case "object":
		return "({})"
	case "template_string":
		return `""`
	case "as_expression":
		if typ := assertion(w, n); typ != "" && len(typ) <= maxArgument {
			return "(_ as " + typ + ")"
		}
	case "call_expression":
		head = w.Field(n, "function")
	case "new_expression":
		lead, head = "new ", w.Field(n, "constructor")
	case "await_expression":
		lead, head = "await ", w.FirstNamed(n)
	case "member_expression":
		head, behind = w.Field(n, "object"), "."+w.Line(w.Field(n, "property"))
	}
	if head < 0 || links == 0 {
		return ""
	}
	text := elided(w, head, links-1)
	if text == "" {
		return ""
	}
	if behind == "" && lead != "await " {
		behind = elidedArguments(w, n)
	}
	return lead + text + behind
}

// elidedArguments returns the arguments of a long call, with "_" for long ones.
func elidedArguments(w *syntax.Walk, call syntax.Node) string {
	var args []string
	for a := range w.Named(w.Field(call, "arguments")) {
		text := w.Line(a)
		switch {
		case w.IsComment(a):
			continue
		case len(text) > maxArgument:
			text = "_"
		}
		args = append(args, text)
	}
	return w.Line(w.Field(call, "type_arguments")) + "(" + strings.Join(args, ", ") + ")"
}

// hasComment reports whether text, which is the text of n on one line, contains a comment. On one
// line, a line comment would hide everything after it. It returns false for a text that was cut.
func hasComment(w *syntax.Walk, n syntax.Node, text string) bool {
	if IsCut(text) || !strings.Contains(text, "//") && !strings.Contains(text, "/*") {
		return false
	}
	return w.Find(n, "comment") >= 0
}

// elideReceiver replaces the receiver of the last recorded call. If the receiver contains
// comments, it removes them. If its text was cut, it replaces long arguments by "_".
func elideReceiver(w *syntax.Walk, receiver syntax.Node) {
	if last := len(w.Out.Calls) - 1; receiver >= 0 && last >= 0 && hasComment(w, receiver, w.Out.Calls[last].Receiver) {
		w.Out.Calls[last].Receiver = syntax.OneLine(typeText(w, receiver))
	}
	if last := len(w.Out.Calls) - 1; receiver >= 0 && last >= 0 && IsCut(w.Out.Calls[last].Receiver) {
		if text := elided(w, receiver, maxElided); text != "" && len(text) <= valueLimit {
			w.Out.Calls[last].Receiver = text
		}
	}
}

// IsCut reports whether a text is only the beginning of a longer one, which "…" marks.
func IsCut(text string) bool { return strings.HasSuffix(text, "…") }
