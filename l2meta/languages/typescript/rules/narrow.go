package rules

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// This file records tests of values: typeof x === "string", x instanceof Map, "k" in x, x.kind
// === "a", isText(x), and switches over them. Code that runs only if a test succeeded, or only if
// it failed, is recorded as the Scope of a FactNarrow. Its Name is the tested name or path, and
// its Type one of:
//
//	typeof string|number     typeof x is one of them
//	instanceof C             x is an instance of C
//	in k                     x has the key k
//	= kind "a"|Kind.B        x.kind is one of them
//	call isText              isText(x) returned true
//	self isText              x.isText() returned true; only for names that start with is or has
//
//
// A "!" before the Type means that the test failed.

// These constants bound the tests that are recorded for one file.
const (
	maxTestPath  = 4    // names in a tested path; a.b.c.d has 4
	maxClimb     = 64   // levels of operators and parentheses between a test and the statement around it
	maxLabels    = 12   // labels, such as "a" in x.kind === "a", that one test lists
	maxPieces    = 8    // pieces of code in which one test is recorded to hold
	maxNarrowing = 4000 // facts about tests that are recorded for one file
	maxTestText  = 120  // length in bytes of a tested name, key or value
)

// narrowing collects the facts of all tests in one file.
type narrowing struct {
	*syntax.Walk
	flow  flow
	facts []code.Fact
}

// narrow records the tests of a file that tell more about a value than its declaration, such as x
// instanceof Order. It runs last, because it reads the facts of the other rules.
func narrow(w *syntax.Walk) {
	n := narrowing{Walk: w, flow: readFlow(w)}
	for i := range w.Nodes {
		if len(n.facts) > maxNarrowing {
			break
		}
		switch at := syntax.Node(i); w.Kind(at) {
		case "binary_expression":
			n.comparison(at)
		case "call_expression":
			n.predicate(at)
		case "switch_statement":
			n.choice(at)
		}
	}
	w.Step(len(w.Nodes))
	n.keep()
}

// comparison records a test by a comparison operator.
func (n *narrowing) comparison(at syntax.Node) {
	left, right := n.Field(at, "left"), n.Field(at, "right")
	switch n.Kind(n.Field(at, "operator")) {
	case "===", "==":
		n.equality(at, left, right, true)
	case "!==", "!=":
		n.equality(at, left, right, false)
	case "instanceof":
		if n.Is(right, "identifier", "member_expression") {
			n.test(at, left, "instanceof "+n.short(right), true)
		}
	case "in":
		if n.Is(left, "string") {
			n.test(at, right, "in "+syntax.Unquote(n.short(left)), true)
		}
	}
}

// equality records typeof x === "string" and x.kind === "a". equal is true for === and false for !==.
func (n *narrowing) equality(at, left, right syntax.Node, equal bool) {
	if n.Is(left, "string") {
		left, right = right, left
	}
	if what := n.typeofWhat(left); what >= 0 && n.Is(right, "string") {
		n.test(at, what, "typeof "+syntax.Unquote(n.short(right)), equal)
		return
	}
	if left = n.bare(left); n.Is(left, "member_expression") && n.isLabel(right) {
		n.test(at, n.Field(left, "object"), "= "+n.Str(n.Field(left, "property"))+" "+n.short(right), equal)
	}
}

// typeofWhat returns x for the expression typeof x; syntax.None for any other expression.
func (n *narrowing) typeofWhat(at syntax.Node) syntax.Node {
	if at = n.bare(at); n.Is(at, "unary_expression") && n.Is(n.Field(at, "operator"), "typeof") {
		return n.Field(at, "argument")
	}
	return syntax.None
}

// isLabel reports whether a value can distinguish the parts of a union type: a literal or an enum
// member, as in x.kind === "circle".
func (n *narrowing) isLabel(at syntax.Node) bool {
	return n.Is(at, "string", "number", "true", "false", "member_expression") && n.End(at)-n.Start(at) <= maxTestText
}

// predicate records a call that may be a type predicate: isText(x), if it is declared as
// isText(x): x is Text.
func (n *narrowing) predicate(at syntax.Node) {
	if !n.decides(at) {
		return
	}
	f := n.Field(at, "function")
	if n.FirstNamed(n.Field(at, "arguments")) < 0 && n.Is(f, "member_expression") {
		if name := n.Str(n.Field(f, "property")); strings.HasPrefix(name, "is") || strings.HasPrefix(name, "has") {
			n.test(at, n.Field(f, "object"), "self "+name, true)
		}
		return
	}
	if arg := n.FirstNamed(n.Field(at, "arguments")); n.Is(f, "identifier", "member_expression") &&
		n.Is(arg, "identifier", "member_expression", "this") {
		n.test(at, arg, "call "+n.short(f), true)
	}
}

// decides reports whether the node at may be a condition, which decides what code runs.
func (n *narrowing) decides(at syntax.Node) bool {
	p := n.Parent(at)
	return n.Is(p, "parenthesized_expression", "unary_expression", "binary_expression") ||
		n.Is(p, "ternary_expression") && n.Field(p, "condition") == at
}

// choice records a switch over typeof x, x.kind or true.
func (n *narrowing) choice(at syntax.Node) {
	value := n.bare(n.Field(at, "value"))
	subject, text := n.typeofWhat(value), "typeof "
	if subject < 0 && n.Is(value, "member_expression") {
		subject, text = n.Field(value, "object"), "= "+n.Str(n.Field(value, "property"))+" "
	}
	path := n.path(subject)
	if path == "" {
		return
	}
	var labels, all []string
	falls := false // whether the previous case falls through into this one
	for c := range n.Named(n.Field(at, "body")) {
		label := n.Field(c, "value")
		switch {
		case n.Is(c, "switch_default"):
			labels = nil
			if !falls && len(all) <= maxLabels {
				n.add(subject, path, "!"+text+strings.Join(all, "|"), []bound{boundIn(n.Walk, c)})
			}
			falls = falls || !n.leaves(c)
			continue
		case !n.isLabel(label):
			labels, falls = append(labels, ""), true
			continue
		}
		value := n.short(label)
		if text == "typeof " {
			value = syntax.Unquote(value)
		}
		labels, all = append(labels, value), append(all, value)
		if n.firstStatement(c) < 0 { // cases without statements share those of the next one: case "a": case "b": …
			continue
		}
		if !falls && len(labels) <= maxLabels && !slices.Contains(labels, "") {
			n.add(subject, path, text+strings.Join(labels, "|"), []bound{{n.End(label), n.End(c)}})
		}
		if falls = !n.leaves(c); !falls {
			labels = nil
		}
	}
}

// firstStatement returns the first statement of a case, or syntax.None.
func (n *narrowing) firstStatement(c syntax.Node) syntax.Node {
	label := n.Field(c, "value")
	for s := range n.Named(c) {
		if s != label {
			return s
		}
	}
	return syntax.None
}

// test records the code that runs only if a test of subject succeeded, and the code that runs
// only if it failed. The test is the expression at. holds is true if the test succeeds where the
// expression is true, and false if it succeeds where the expression is false.
func (n *narrowing) test(at, subject syntax.Node, text string, holds bool) {
	path := n.path(subject)
	if path == "" {
		return
	}
	n.add(subject, path, text, n.flow.where(n.Walk, at, holds))
	n.add(subject, path, "!"+text, n.flow.where(n.Walk, at, !holds))
}

// add records, for each piece of code in where, that the value of a path has passed the test that
// text describes, or has failed it.
func (n *narrowing) add(at syntax.Node, path, text string, where []bound) {
	for _, in := range where {
		for _, piece := range n.flow.sure(path, in) {
			n.facts = append(n.facts, code.Fact{Kind: code.FactNarrow, Owner: -1, Name: path, Type: text,
				Span: n.Span(at), Scope: piece})
		}
	}
}

// path returns the tested name or path of names, or "" for other expressions and for "this" alone.
func (n *narrowing) path(at syntax.Node) string {
	path, _ := pathOf(n.Walk, at, maxTestPath)
	if path == "this" {
		return ""
	}
	return path
}

// pathOf returns the path of a name or of members of a name, "a.b.c", with at most limit names;
// false for other expressions.
func pathOf(w *syntax.Walk, at syntax.Node, limit int) (string, bool) {
	for w.Is(at, "parenthesized_expression", "non_null_expression") {
		at = w.FirstNamed(at)
	}
	switch {
	case limit == 0:
	case w.Is(at, "identifier", "this"):
		return w.Str(at), true
	case w.Is(at, "member_expression"):
		if name := w.Field(at, "property"); w.Is(name, "property_identifier", "private_property_identifier") {
			if of, ok := pathOf(w, w.Field(at, "object"), limit-1); ok {
				return of + "." + w.Str(name), true
			}
		}
	}
	return "", false
}

func (n *narrowing) bare(at syntax.Node) syntax.Node {
	for n.Is(at, "parenthesized_expression") {
		at = n.FirstNamed(at)
	}
	return at
}

func (n *narrowing) short(at syntax.Node) string {
	if n.End(at)-n.Start(at) > maxTestText {
		return "?"
	}
	return n.Line(at)
}

// keep adds the collected facts to the file. It drops those whose name does not occur in their
// scope: neither in the receiver of a call or an access, nor in a value that is bound to a name.
func (n *narrowing) keep() {
	if len(n.facts) == 0 {
		return
	}
	asked := map[string][]int{}
	for _, f := range n.facts {
		asked[Root(f.Name)] = nil
	}
	note := func(text string, at int) {
		for name := range freeNames(text) {
			if list, ok := asked[name]; ok && (len(list) == 0 || list[len(list)-1] != at) {
				asked[name] = append(list, at)
			}
		}
	}
	for _, sites := range [][]code.Call{n.Out.Calls, n.Out.Accesses} {
		for _, c := range sites {
			n.Step(len(c.Receiver))
			note(c.Receiver, c.NameSpan.StartByte)
		}
	}
	for _, f := range n.Out.Facts {
		if f.Kind == code.FactAssign || f.Kind == code.FactVar {
			n.Step(len(f.Type))
			note(f.Type, f.Span.StartByte)
		}
	}
	for name := range asked {
		slices.Sort(asked[name])
	}
	for _, f := range n.facts {
		at := asked[Root(f.Name)]
		if i, _ := slices.BinarySearch(at, f.Scope[0]); i < len(at) && at[i] < f.Scope[1] {
			n.Out.Facts = append(n.Out.Facts, f)
		}
	}
}

// Root returns the first name of a path.
func Root(path string) string {
	name, _, _ := strings.Cut(path, ".")
	return name
}

// freeNames yields the names in a text that do not follow a dot.
func freeNames(text string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for i := 0; i < len(text); i++ {
			if !NameByte(text[i]) {
				continue
			}
			from := i
			for i < len(text) && NameByte(text[i]) {
				i++
			}
			if (from == 0 || text[from-1] != '.') && !yield(text[from:i]) {
				return
			}
		}
	}
}

// NameByte reports whether c may be part of a name.
func NameByte(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
