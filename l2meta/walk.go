package l2meta

import (
	"slices"
	"strings"

	"sextant/internal/code"
)

// rules is what Sextant knows of one language. Handlers decide whether the
// children of a node are visited: by calling w.children or w.inside.
type rules struct {
	handlers map[string]handler
	comments []string // node types of comments
	// mask, when set, rewrites for the parser what its grammar does not know
	// (templates in YAML, macros in Swift) into something of the same length
	// that it does; names are read from the text itself. It may return text,
	// and must not modify it.
	mask func(text []byte) []byte
	// file, when set, is called before the walk: package facts, file-wide state.
	// Without a grammar it reads the text itself.
	file handler
	// finish, when set, is called after the walk with every symbol declared.
	finish func(w *walk)
}

type handler func(w *walk, n node)

// walk is the visit of one tree.
type walk struct {
	*tree
	out      code.File
	lines    *code.LineIndex
	encloser int    // index of the symbol that encloses the node at hand, -1 at the top
	prefix   string // qualified name of a namespace that is not itself a symbol's parent
	docNodes []node // comment nodes, in document order
	// grammars finds the grammar of a language embedded in this one.
	grammars func(language, path string) *grammar
	// state is a rule set's own, for one file.
	state any
}

func newWalk(t *tree, path, language string, lines *code.LineIndex) *walk {
	w := &walk{tree: t, lines: lines, encloser: -1}
	w.out = code.File{Path: path, Language: language, Text: t.text, Parsed: true, BadBytes: t.badBytes()}
	for i := range t.nodes {
		if t.isComment(node(i)) {
			w.docNodes = append(w.docNodes, node(i))
		}
	}
	return w
}

// visit hands n to its handler, or looks into it.
func (w *walk) visit(n node) {
	if n >= 0 {
		w.visitRange(n, node(w.nodes[n].next))
	}
}

// children visits what lies below n.
func (w *walk) children(n node) {
	if n >= 0 {
		w.visitRange(n+1, node(w.nodes[n].next))
	}
}

func (w *walk) visitRange(from, to node) {
	for i := from; i < to; {
		w.step(1)
		s := w.nodes[i].symbol
		if int(s) < len(w.g.handlers) && w.g.handlers[s] != nil {
			w.g.handlers[s](w, i)
			i = node(w.nodes[i].next)
			continue
		}
		i++
	}
}

// inside visits nodes as parts of symbol s: what they declare is its child,
// what they call is called by it.
func (w *walk) inside(s int, nodes ...node) {
	outer := w.encloser
	w.encloser = s
	for _, n := range nodes {
		if n > 0 { // the root is part of no symbol: 0 is a part that is unset
			w.visit(n)
		}
	}
	w.encloser = outer
}

// insideChildren is inside for the children of n, for a node whose own handler
// is at work.
func (w *walk) insideChildren(s int, n node) {
	outer := w.encloser
	w.encloser = s
	w.children(n)
	w.encloser = outer
}

// decl is a declaration on its way to a symbol. kind, node, and name or text
// are needed; the zero value of the rest means "has none" (the nodes default
// to none through declare's use of optional).
type decl struct {
	kind code.Kind
	node node   // the whole declaration
	name node   // where its name stands
	text string // its name, where that is not the text of the node name

	// from is where the span starts when that is before node: an export
	// keyword, a decorator, an attribute. 0 means node.
	from node
	// to is the part that ends the declaration, where the node itself runs on:
	// over comments below the last statement of an indented block. 0 means node.
	to node
	// sig is where the signature starts when that is after the start of the
	// span: behind decorators. 0 means the span's start.
	sig node
	// body ends the signature. 0 means none.
	body node
	// owner is the declaration path before the name when it is not the path of
	// the enclosing symbol: the receiver type of a Go method.
	owner string

	parameters  []code.Parameter
	returns     string
	annotations []string
	modifiers   []string
	exported    bool
	// doc replaces the comment above the declaration: a docstring.
	doc string
}

// nameless is the name of a declaration whose own the parser missed, in a text
// with errors.
const nameless = "?"

// declare adds a symbol below the current one and returns its index. Node 0 is
// the root of every tree, never a part of a declaration, so 0 means unset.
func (w *walk) declare(d decl) int {
	name := d.text
	if name == "" {
		name = w.str(d.name)
	}
	if name == "" {
		name = nameless
	}
	start, end := w.start(d.node), w.end(d.node)
	if d.from > 0 {
		start = min(start, w.start(d.from))
	}
	if d.to > 0 {
		end = max(w.end(d.to), start)
	}
	s := code.Symbol{
		Kind: d.kind, Name: name, Parent: w.encloser, Span: w.lines.Span(start, end),
		Parameters: d.parameters, Returns: d.returns, Annotations: d.annotations,
		Modifiers: d.modifiers, Exported: d.exported, Doc: d.doc,
	}
	if d.name > 0 && w.start(d.name) >= start && w.end(d.name) <= end {
		s.NameSpan = w.lines.Span(w.start(d.name), w.end(d.name))
	} else {
		s.NameSpan = w.lines.Span(start, start)
	}
	s.QualifiedName = join(w.ownerPath(d.owner), name)
	sigStart, sigEnd := start, end
	if d.sig > 0 {
		sigStart = w.start(d.sig)
	}
	if d.body > 0 {
		sigEnd = w.start(d.body)
		s.Body = [2]int{min(w.start(d.body), end), min(w.end(d.body), end)}
	}
	s.Signature = strings.TrimRight(oneLine(w.text[sigStart:max(sigStart, sigEnd)]), " {:=;,")
	if s.Doc == "" {
		s.Doc = w.docBefore(start)
	}
	s.Doc = clip(s.Doc, code.MaxDocBytes)
	w.out.Symbols = append(w.out.Symbols, s)
	return len(w.out.Symbols) - 1
}

func (w *walk) ownerPath(owner string) string {
	switch {
	case owner != "":
		return join(w.prefix, owner)
	case w.encloser >= 0:
		return w.out.Symbols[w.encloser].QualifiedName
	}
	return w.prefix
}

// join is the path of a name. A path over maxPath ends there: longer ones would
// take memory by the square of their depth.
func join(owner, name string) string {
	if owner == "" {
		return name
	}
	return clip(owner, maxPath) + "." + name
}

// call records a call site: site is the whole expression, name the node of the
// callee's last name, whose text is the callee.
func (w *walk) call(kind code.CallKind, site, name, receiver node, args int) {
	if name < 0 || w.start(name) == w.end(name) { // missing in a text with errors
		return
	}
	w.out.Calls = append(w.out.Calls, code.Call{
		Kind: kind, Callee: w.str(name), Receiver: w.line(receiver), Args: args, Caller: w.encloser,
		Span: w.span(site), NameSpan: w.span(name),
	})
}

func (w *walk) span(n node) code.Span { return w.lines.Span(w.start(n), w.end(n)) }

// addImport records an import at n.
func (w *walk) addImport(n node, i code.Import) {
	i.Scope, i.Span = w.encloser, w.span(n)
	w.out.Imports = append(w.out.Imports, i)
}

// export records an export at n.
func (w *walk) export(n node, e code.Export) {
	e.Span = w.span(n)
	w.out.Exports = append(w.out.Exports, e)
}

// fact records a statement about owner's name. An empty type says nothing.
func (w *walk) fact(kind code.FactKind, owner int, name, typ string, at node) {
	if typ == "" || at < 0 {
		return
	}
	w.out.Facts = append(w.out.Facts, code.Fact{Kind: kind, Owner: owner, Name: name, Type: typ, Span: w.span(at)})
}

// done sorts what was found and numbers the equal ones.
func (w *walk) done() code.File {
	if w.g.rules.finish != nil {
		w.g.rules.finish(w)
	}
	sortSymbols(&w.out)
	type twin struct {
		kind code.Kind
		name string
	}
	seen := make(map[twin]int, len(w.out.Symbols))
	for i := range w.out.Symbols {
		s := &w.out.Symbols[i]
		k := twin{s.Kind, s.QualifiedName}
		s.Ordinal = seen[k]
		seen[k]++
	}
	slices.SortStableFunc(w.out.Calls, func(a, b code.Call) int { return a.Span.StartByte - b.Span.StartByte })
	return w.out
}

// sortSymbols puts symbols in document order, an enclosing one before what it
// encloses, and renumbers every reference to them.
func sortSymbols(f *code.File) {
	order := make([]int, len(f.Symbols)) // new position → old index
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := f.Symbols[a].Span, f.Symbols[b].Span
		if x.StartByte != y.StartByte {
			return x.StartByte - y.StartByte
		}
		if x.EndByte != y.EndByte {
			return y.EndByte - x.EndByte
		}
		return a - b
	})
	if slices.IsSorted(order) {
		return
	}
	moved := make([]int, len(order)) // old index → new position
	sorted := make([]code.Symbol, len(order))
	for to, from := range order {
		moved[from], sorted[to] = to, f.Symbols[from]
	}
	renumber := func(i *int) {
		if *i >= 0 {
			*i = moved[*i]
		}
	}
	for i := range sorted {
		renumber(&sorted[i].Parent)
	}
	for i := range f.Calls {
		renumber(&f.Calls[i].Caller)
	}
	for i := range f.Imports {
		renumber(&f.Imports[i].Scope)
	}
	for i := range f.Facts {
		renumber(&f.Facts[i].Owner)
	}
	f.Symbols = sorted
}
