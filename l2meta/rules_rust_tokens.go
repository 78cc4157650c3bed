package l2meta

import (
	"strings"

	"sextant/internal/code"
)

// rustTokens finds calls in the arguments of a macro, which the grammar leaves
// as tokens: a name before parentheses, with the path or the receiver before it.
func rustTokens(w *walk, tree node) {
	if tree < 0 {
		return
	}
	tokens := rustTokensOf(w, tree)
	for i, t := range tokens {
		switch {
		case w.is(t, "token_repetition"):
			rustTokens(w, t)
		case w.is(t, "let"):
			rustTokenLet(w, tree, tokens, i)
		case w.is(t, "|") && (i == 0 || w.is(tokens[i-1], "(", "{", "[", ",", "=", "move")):
			rustTokenClosure(w, tree, tokens, i)
		}
		if !w.is(t, "token_tree") || i > 0 && w.is(tokens[i-1], "#") {
			continue
		}
		if i > 0 {
			rustTokenCall(w, tokens, i)
		}
		rustTokens(w, t)
	}
}

func rustTokensOf(w *walk, tree node) (out []node) {
	for t := range w.tree.children(tree) {
		if !w.isComment(t) {
			out = append(out, t)
		}
	}
	return out
}

// rustTokenCall records tokens[i], a tree, as the arguments of a call when a
// name stands before it. A pattern is none: "let Some(x)", "Some(x) =>".
func rustTokenCall(w *walk, tokens []node, i int) {
	kind, at := code.CallPlain, i-1
	if w.is(tokens[at], "!") && at > 0 {
		kind, at = code.CallMacro, at-1
	} else if !w.has(tokens[i], "(") {
		return
	}
	if w.is(tokens[at], ">", ">>") {
		if at = rustOpens(w, tokens, at) - 2; at < 0 || !w.is(tokens[at+1], "::") {
			return
		}
	}
	if !w.is(tokens[at], "identifier") {
		return
	}
	if at > 0 && w.is(tokens[at-1], "let", "fn", "struct", "enum", "macro_rules") || i+1 < len(tokens) && w.is(tokens[i+1], "=>") {
		return
	}
	from := rustReceiverStart(w, tokens, at)
	receiver := ""
	if from < at-1 {
		receiver = oneLine(w.text[w.start(tokens[from]):w.start(tokens[at-1])])
	}
	w.out.Calls = append(w.out.Calls, code.Call{
		Kind: kind, Callee: w.str(tokens[at]), Receiver: receiver, Args: rustTreeArgs(w, tokens[i]), Caller: w.encloser,
		Span: w.lines.Span(w.start(tokens[from]), w.end(tokens[i])), NameSpan: w.span(tokens[at]),
	})
}

// rustTokenLet records the name that the "let" at i binds, to the end of tree.
func rustTokenLet(w *walk, tree node, tokens []node, i int) {
	at := i + 1
	if at < len(tokens) && w.is(tokens[at], "mutable_specifier", "mut") {
		at++
	}
	if at+1 >= len(tokens) || !w.is(tokens[at], "identifier") {
		return
	}
	equals, end := -1, -1
	for j := at + 1; j < len(tokens) && end < 0; j++ {
		switch {
		case w.is(tokens[j], "=") && equals < 0:
			equals = j
		case w.is(tokens[j], ";"):
			end = j
		}
	}
	if equals < 0 || end < equals+2 {
		return
	}
	typ := ""
	if w.is(tokens[at+1], ":") && equals > at+2 {
		typ = rustTokenText(w, tokens[at+2:equals])
	}
	rustName(w, tokens[at], typ, rustTokenText(w, tokens[equals+1:end]), rustScope{w.end(tokens[end]), w.end(tree)})
}

// rustTokenClosure records the parameters of the closure whose first "|" is at i.
func rustTokenClosure(w *walk, tree node, tokens []node, i int) {
	end := i + 1
	for end < len(tokens) && !w.is(tokens[end], "|") {
		end++
	}
	if end+1 >= len(tokens) {
		return
	}
	in := rustScope{w.start(tokens[i]), w.end(tree)}
	if w.is(tokens[end+1], "token_tree") {
		in.end = w.end(tokens[end+1])
	}
	for from := i + 1; from < end; {
		to := from
		for depth := 0; to < end && (depth > 0 || !w.is(tokens[to], ",")); to++ {
			if w.is(tokens[to], "<") {
				depth++
			} else if w.is(tokens[to], ">") {
				depth--
			}
		}
		name := from
		if w.is(tokens[name], "mutable_specifier", "mut") {
			name++
		}
		if name < to && w.is(tokens[name], "identifier") {
			typ := ""
			if name+2 < to && w.is(tokens[name+1], ":") {
				typ = rustTokenText(w, tokens[name+2:to])
			}
			rustName(w, tokens[name], typ, "", in)
		}
		from = to + 1
	}
}

func rustTokenText(w *walk, tokens []node) string {
	return oneLine(w.text[w.start(tokens[0]):w.end(tokens[len(tokens)-1])])
}

// rustOpens is the index of the "<" that the ">" at i closes, 0 without one.
func rustOpens(w *walk, tokens []node, i int) int {
	depth := 0
	for ; i > 0; i-- {
		switch w.kind(tokens[i]) {
		case ">":
			depth++
		case ">>":
			depth += 2
		case "<":
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return 0
}

// rustReceiverStart is the index of the token where the path or the expression
// before the name at i begins.
func rustReceiverStart(w *walk, tokens []node, i int) int {
	for i > 1 && w.is(tokens[i-1], ".", "::") {
		before := i - 2
		for before > 0 && (w.is(tokens[before], "?") || w.is(tokens[before], "token_tree") && rustApplied(w, tokens[before-1])) {
			before--
			if w.is(tokens[before], "!") && before > 0 {
				before--
			}
		}
		if w.is(tokens[before], ">", ">>") {
			if before = rustOpens(w, tokens, before); before > 1 && w.is(tokens[before-1], "::") {
				before--
			}
			if before > 0 && rustApplied(w, tokens[before-1]) {
				before--
			}
		}
		i = before
	}
	return i
}

// rustApplied reports whether a tree behind t is its arguments or its index.
func rustApplied(w *walk, t node) bool {
	return w.is(t, "identifier", "self", "token_tree", "?", "!", ">", ">>", "metavariable", "integer_literal")
}

// rustTokenItems declares the functions that stand in the braces of an item
// macro (cfg_if! { … }), and finds the calls in them.
func rustTokenItems(w *walk, tree node, owner string) {
	tokens := rustTokensOf(w, tree)
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		switch {
		case w.is(t, "impl"):
			if body := rustNext(w, tokens, i, "{"); body > 0 {
				rustTokenItems(w, tokens[body], join(w.ownerPath(""), rustTokenType(w, tokens[i+1:body])))
				i = body
			}
		case w.is(t, "fn") && i+2 < len(tokens) && w.is(tokens[i+1], "identifier"):
			i = rustTokenFunction(w, tokens, i, owner)
		case w.is(t, "token_tree") && w.has(t, "{"):
			rustTokenItems(w, t, owner)
		case w.is(t, "token_tree") && i > 0 && !w.is(tokens[i-1], "#"):
			rustTokenCall(w, tokens, i)
			rustTokens(w, t)
		}
	}
}

// rustNext is the index of the first tree behind i that opens with the
// delimiter, 0 when the statement ends before.
func rustNext(w *walk, tokens []node, i int, open string) int {
	for i++; i < len(tokens); i++ {
		if w.is(tokens[i], "token_tree") && w.has(tokens[i], open) {
			return i
		}
		if w.is(tokens[i], ";") {
			break
		}
	}
	return 0
}

// rustTokenType is the type name in the tokens of "impl<T> Trait for Type<T>".
func rustTokenType(w *walk, tokens []node) (name string) {
	depth := 0
	for _, t := range tokens {
		switch w.kind(t) {
		case "<":
			depth++
		case ">":
			depth--
		case ">>":
			depth -= 2
		case "where":
			return name
		case "identifier":
			if depth == 0 {
				name = w.str(t)
			}
		}
	}
	return name
}

// rustTokenFunction declares the function at the "fn" at i, and returns the
// index of its last token.
func rustTokenFunction(w *walk, tokens []node, i int, owner string) int {
	params, body := rustNext(w, tokens, i, "("), rustNext(w, tokens, i, "{")
	if params == 0 || body < params {
		return i
	}
	d := decl{kind: code.KindFunction, node: tokens[body], name: tokens[i+1], body: tokens[body], owner: owner}
	rustTokenHead(w, tokens[:i+1], &d)
	if d.parameters = rustTokenParameters(w, tokens[params]); len(d.parameters) > 0 && d.parameters[0].Name == "self" {
		d.kind = code.KindMethod
	}
	if params+2 < body && w.is(tokens[params+1], "->") {
		d.returns, _, _ = strings.Cut(oneLine(w.text[w.start(tokens[params+2]):w.end(tokens[body-1])]), " where ")
	}
	for _, a := range d.annotations {
		if strings.HasSuffix(a, "test]") {
			d.kind = code.KindTest
		}
	}
	s := w.declare(d)
	outer := w.encloser
	w.encloser = s
	rustTokens(w, tokens[body])
	w.encloser = outer
	return body
}

// rustTokenParameters reads the parameters of a function in a macro.
func rustTokenParameters(w *walk, tree node) (out []code.Parameter) {
	tokens := rustTokensOf(w, tree)
	depth, from := 0, 1
	for i := 1; i < len(tokens); i++ {
		switch w.kind(tokens[i]) {
		case "<":
			depth++
		case ">":
			depth--
		case ">>":
			depth -= 2
		}
		if last := i == len(tokens)-1; !last && (depth > 0 || !w.is(tokens[i], ",")) {
			continue
		}
		if from < i {
			text := oneLine(w.text[w.start(tokens[from]):w.end(tokens[i-1])])
			name, typ, _ := strings.Cut(text, ":")
			p := code.Parameter{Name: strings.TrimSpace(strings.TrimPrefix(name, "mut ")), Type: strings.TrimSpace(typ)}
			if typ == "" && strings.HasSuffix(name, "self") {
				p = code.Parameter{Name: "self", Type: strings.TrimSuffix(name, "self") + "Self"}
			}
			out = append(out, p)
		}
		from = i + 1
	}
	return out
}

// rustTokenHead reads the modifiers and attributes before the last token.
func rustTokenHead(w *walk, tokens []node, d *decl) {
	from := len(tokens) - 1
	d.sig = tokens[from]
	for from > 0 {
		before := tokens[from-1]
		visible := w.is(before, "token_tree") && from > 1 && w.is(tokens[from-2], "pub")
		switch {
		case w.is(before, "pub", "async", "const", "unsafe", "default", "extern"):
			d.modifiers = append([]string{w.str(before)}, d.modifiers...)
			d.exported = d.exported || w.is(before, "pub")
			d.sig = before
			from--
		case visible:
			d.modifiers = append([]string{"pub" + w.line(before)}, d.modifiers...)
			d.sig = tokens[from-2]
			from -= 2
		case w.is(before, "token_tree") && from > 1 && w.is(tokens[from-2], "#"):
			d.annotations = append([]string{"#" + w.line(before)}, d.annotations...)
			from -= 2
		default:
			d.from = tokens[from]
			return
		}
	}
	d.from = tokens[from]
}

// rustImplOwner is the owner of what a macro declares among the items of an
// implementation, "" elsewhere.
func rustImplOwner(w *walk, n node) string {
	if impl := rustImplement(w, n); impl >= 0 {
		return join(w.ownerPath(""), rustTypeName(w, w.field(impl, "type")))
	}
	return ""
}
