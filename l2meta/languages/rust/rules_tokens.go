package rust

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// rustTokens records the calls in the arguments of a macro. The grammar leaves the arguments as
// tokens, so rustTokens takes a name before parentheses for a call, with the path or the receiver
// before it.
func rustTokens(w *syntax.Walk, tree syntax.Node) {
	if tree < 0 {
		return
	}
	tokens := tokensOf(w, tree)
	for i, t := range tokens {
		switch {
		case w.Is(t, "token_repetition"):
			rustTokens(w, t)
		case w.Is(t, "let"):
			tokenLet(w, tree, tokens, i)
		case w.Is(t, "|") && (i == 0 || w.Is(tokens[i-1], "(", "{", "[", ",", "=") || w.Says(tokens[i-1], "move")):
			tokenClosure(w, tree, tokens, i)
		}
		if !w.Is(t, "token_tree") || i > 0 && w.Is(tokens[i-1], "#") {
			continue
		}
		if i > 0 {
			tokenCall(w, tokens, i)
		}
		rustTokens(w, t)
	}
}

func tokensOf(w *syntax.Walk, tree syntax.Node) (out []syntax.Node) {
	for t := range w.Tree.Children(tree) {
		if !w.IsComment(t) {
			out = append(out, t)
		}
	}
	return out
}

// tokenCall records a call if a name precedes tokens[i], a token tree: text in brackets that the grammar
// leaves unparsed, here the arguments of the call. It skips patterns: "let Some(x)", "Some(x) =>".
func tokenCall(w *syntax.Walk, tokens []syntax.Node, i int) {
	kind, at := code.CallPlain, i-1
	if w.Is(tokens[at], "!") && at > 0 {
		kind, at = code.CallMacro, at-1
	} else if !w.Has(tokens[i], "(") {
		return
	}
	if w.Is(tokens[at], ">", ">>") {
		if at = opens(w, tokens, at) - 2; at < 0 || !w.Is(tokens[at+1], "::") {
			return
		}
	}
	if !w.Is(tokens[at], "identifier") {
		return
	}
	if at > 0 && w.Is(tokens[at-1], "let", "fn", "struct", "enum", "macro_rules") ||
		i+1 < len(tokens) && w.Is(tokens[i+1], "=>") {
		return
	}
	from := receiverStart(w, tokens, at)
	receiver := ""
	if from < at-1 {
		receiver = syntax.OneLine(w.Text[w.Start(tokens[from]):w.Start(tokens[at-1])])
	}
	w.Out.Calls = append(w.Out.Calls, code.Call{
		Kind: kind, Callee: w.Str(tokens[at]), Receiver: receiver, Args: treeArgs(w, tokens[i]), Caller: w.Encloser,
		Span: w.Lines.Span(w.Start(tokens[from]), w.End(tokens[i])), NameSpan: w.Span(tokens[at]),
	})
}

// tokenLet records the name that the token "let" at index i binds, x for `let x: T = f();`, in
// scope to the end of tree. It skips patterns other than a name.
func tokenLet(w *syntax.Walk, tree syntax.Node, tokens []syntax.Node, i int) {
	at := i + 1
	if at < len(tokens) && w.Is(tokens[at], "mutable_specifier", "mut") {
		at++
	}
	if at+1 >= len(tokens) || !w.Is(tokens[at], "identifier") {
		return
	}
	equals, end := -1, -1
	for j := at + 1; j < len(tokens) && end < 0; j++ {
		switch {
		case w.Is(tokens[j], "=") && equals < 0:
			equals = j
		case w.Is(tokens[j], ";"):
			end = j
		}
	}
	if equals < 0 || end < equals+2 {
		return
	}
	typ := ""
	if w.Is(tokens[at+1], ":") && equals > at+2 {
		typ = tokenText(w, tokens[at+2:equals])
	}
	rustName(w, tokens[at], typ, tokenText(w, tokens[equals+1:end]), scope{w.End(tokens[end]), w.End(tree)})
}

// tokenClosure records the parameters of a closure, |a, b: T| …, whose first "|" is the token at index i.
func tokenClosure(w *syntax.Walk, tree syntax.Node, tokens []syntax.Node, i int) {
	end := i + 1
	for end < len(tokens) && !w.Is(tokens[end], "|") {
		end++
	}
	if end+1 >= len(tokens) {
		return
	}
	in := scope{w.Start(tokens[i]), w.End(tree)}
	if w.Is(tokens[end+1], "token_tree") {
		in.end = w.End(tokens[end+1])
	}
	for from := i + 1; from < end; {
		to := from
		for depth := 0; to < end && (depth > 0 || !w.Is(tokens[to], ",")); to++ {
			if w.Is(tokens[to], "<") {
				depth++
			} else if w.Is(tokens[to], ">") {
				depth--
			}
		}
		name := from
		if w.Is(tokens[name], "mutable_specifier", "mut") {
			name++
		}
		if name < to && w.Is(tokens[name], "identifier") {
			typ := ""
			if name+2 < to && w.Is(tokens[name+1], ":") {
				typ = tokenText(w, tokens[name+2:to])
			}
			rustName(w, tokens[name], typ, "", in)
		}
		from = to + 1
	}
}

func tokenText(w *syntax.Walk, tokens []syntax.Node) string {
	return syntax.OneLine(w.Text[w.Start(tokens[0]):w.End(tokens[len(tokens)-1])])
}

// opens returns the index of the token "<" that the ">" at index i closes, or 0.
func opens(w *syntax.Walk, tokens []syntax.Node, i int) int {
	depth := 0
	for ; i > 0; i-- {
		switch w.Kind(tokens[i]) {
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

// receiverStart returns the index of the first token of the path or expression before the name at
// index i: of a, for the name c in a.b().c or a::b::c.
func receiverStart(w *syntax.Walk, tokens []syntax.Node, i int) int {
	for i > 1 && w.Is(tokens[i-1], ".", "::") && !w.Is(tokens[i-2], "(", "[", "{", ",", ";", "=") { // m!(::f())
		before := i - 2
		for before > 0 && (w.Is(tokens[before], "?") ||
			w.Is(tokens[before], "token_tree") && applied(w, tokens[before-1])) {
			before--
			if w.Is(tokens[before], "!") && before > 0 {
				before--
			}
		}
		if w.Is(tokens[before], ">", ">>") {
			if before = opens(w, tokens, before); before > 1 && w.Is(tokens[before-1], "::") {
				before--
			}
			if before > 0 && applied(w, tokens[before-1]) {
				before--
			}
		}
		i = before
	}
	return i
}

// applied reports whether a token tree after token t contains arguments or an index, as in f(x) and
// a[i].
func applied(w *syntax.Walk, t syntax.Node) bool {
	return w.Is(t, "identifier", "self", "token_tree", "?", "!", ">", ">>", "metavariable", "integer_literal")
}

// tokenItems declares the functions in the braces of a macro call that contains items, cfg_if! {
// … }, and records the calls in them. within is the implementation around the macro call, nil if
// there is none.
func tokenItems(w *syntax.Walk, tree syntax.Node, within *implementation) {
	tokens := tokensOf(w, tree)
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		switch {
		case w.Is(t, "impl"):
			if body := next(w, tokens, i, "{"); body > 0 {
				self := tokenType(w, tokens[i+1:body])
				tokenItems(w, tokens[body], &implementation{owner: syntax.Join(w.OwnerPath(""), self), self: self})
				i = body
			}
		case w.Is(t, "fn") && i+2 < len(tokens) && w.Is(tokens[i+1], "identifier"):
			owner := ""
			if within != nil {
				owner = within.owner
			}
			i = tokenFunction(w, tokens, i, owner)
		case w.Is(t, "token_tree") && w.Has(t, "{"):
			if !branch(w, tokens[:i]) || !macroItems(w, t, within) {
				tokenItems(w, t, within)
			}
		case w.Is(t, "token_tree") && i > 0 && !w.Is(tokens[i-1], "#"):
			tokenCall(w, tokens, i)
			rustTokens(w, t)
		}
	}
}

// branch reports whether braces after tokens are a branch of cfg_if! { if #[cfg(unix)] { … } else { … } }
// or of cfg_select! { unix => { … } }.
func branch(w *syntax.Walk, tokens []syntax.Node) bool {
	last := len(tokens) - 1
	return last > 0 && (w.Is(tokens[last], "=>") || w.Says(tokens[last], "else") ||
		w.Is(tokens[last-1], "#") && w.Is(tokens[last], "token_tree"))
}

// next returns the index of the first token tree after index i that begins with the delimiter open, "(" or
// "{". It returns 0 if the statement ends before.
func next(w *syntax.Walk, tokens []syntax.Node, i int, open string) int {
	for i++; i < len(tokens); i++ {
		if w.Is(tokens[i], "token_tree") && w.Has(tokens[i], open) {
			return i
		}
		if w.Is(tokens[i], ";") {
			break
		}
	}
	return 0
}

// tokenType returns the type name in the tokens of "impl<T> Trait for Type<T>".
func tokenType(w *syntax.Walk, tokens []syntax.Node) (name string) {
	depth := 0
	for _, t := range tokens {
		switch w.Kind(t) {
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
				name = w.Str(t)
			}
		}
	}
	return name
}

// tokenFunction declares the function whose keyword "fn" is the token at index i. It returns the index of
// the function's last token, or i if it has no body.
func tokenFunction(w *syntax.Walk, tokens []syntax.Node, i int, owner string) int {
	params, body := next(w, tokens, i, "("), next(w, tokens, i, "{")
	if params == 0 || body < params {
		return i
	}
	d := syntax.Decl{Kind: code.KindFunction, Node: tokens[body], Name: tokens[i+1], Body: tokens[body], Owner: owner}
	tokenHead(w, tokens[:i+1], &d)
	if d.Parameters = tokenParameters(w, tokens[params]); len(d.Parameters) > 0 && d.Parameters[0].Name == "self" {
		d.Kind = code.KindMethod
	}
	if params+2 < body && w.Is(tokens[params+1], "->") {
		d.Returns, _, _ = strings.Cut(syntax.OneLine(w.Text[w.Start(tokens[params+2]):w.End(tokens[body-1])]),
			" where ")
	}
	for _, a := range d.Annotations {
		if strings.HasSuffix(a, "test]") {
			d.Kind = code.KindTest
		}
	}
	s := w.Declare(d)
	outer := w.Encloser
	w.Encloser = s
	rustTokens(w, tokens[body])
	w.Encloser = outer
	return body
}

// tokenParameters returns the parameters of a function in a macro, from the token tree in its
// parentheses.
func tokenParameters(w *syntax.Walk, tree syntax.Node) (out []code.Parameter) {
	tokens := tokensOf(w, tree)
	depth, from := 0, 1
	for i := 1; i < len(tokens); i++ {
		switch w.Kind(tokens[i]) {
		case "<":
			depth++
		case ">":
			depth--
		case ">>":
			depth -= 2
		}
		if last := i == len(tokens)-1; !last && (depth > 0 || !w.Is(tokens[i], ",")) {
			continue
		}
		if from < i {
			text := syntax.OneLine(w.Text[w.Start(tokens[from]):w.End(tokens[i-1])])
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

// tokenHead reads the modifiers and attributes in front of a declaration into d: pub and async of
// pub async fn. The last of the tokens is the keyword of the declaration.
func tokenHead(w *syntax.Walk, tokens []syntax.Node, d *syntax.Decl) {
	from := len(tokens) - 1
	d.Sig = tokens[from]
	for from > 0 {
		before := tokens[from-1]
		visible := w.Is(before, "token_tree") && from > 1 && w.Is(tokens[from-2], "pub")
		switch {
		case w.Is(before, "pub", "async", "const", "unsafe", "default", "extern"):
			d.Modifiers = append([]string{w.Str(before)}, d.Modifiers...)
			d.Exported = d.Exported || w.Is(before, "pub")
			d.Sig = before
			from--
		case visible:
			d.Modifiers = append([]string{"pub" + w.Line(before)}, d.Modifiers...)
			d.Sig = tokens[from-2]
			from -= 2
		case w.Is(before, "token_tree") && from > 1 && w.Is(tokens[from-2], "#"):
			d.Annotations = append([]string{"#" + w.Line(before)}, d.Annotations...)
			from -= 2
		default:
			d.From = tokens[from]
			return
		}
	}
	d.From = tokens[from]
}
