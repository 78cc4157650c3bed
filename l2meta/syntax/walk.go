package syntax

import (
	"slices"
	"strings"

	"sextant/internal/code"
)

// Rules is what Sextant knows of one language. Handlers decide whether the
// children of a node are visited: by calling w.children or w.inside.
type Rules struct {
	Handlers map[string]Handler
	Comments []string // node types of comments
	// Mask, when set, rewrites for the parser what its grammar does not know
	// (templates in YAML, macros in Swift) into something of the same length
	// that it does; names are read from the text itself. It may return text,
	// and must not modify it.
	Mask func(text []byte) []byte
	// File, when set, is called before the walk: package facts, file-wide state.
	// Without a grammar it reads the text itself.
	File Handler
	// Hidden, when set, has the types of nodes that may name a member which no
	// symbol shows, such as the key of an object, and which of them do. Then the
	// names in text that the grammar could not place are kept too; an empty map
	// keeps those alone.
	Hidden map[string]func(w *Walk, n Node) bool
	// Finish, when set, is called after the walk with every symbol declared.
	Finish func(w *Walk)
}

type Handler func(w *Walk, n Node)

// Walk is the visit of one tree.
type Walk struct {
	*Tree
	Out      code.File
	Lines    *code.LineIndex
	Encloser int    // index of the symbol that encloses the node at hand, -1 at the top
	Prefix   string // qualified name of a namespace that is not itself a symbol's parent
	DocNodes []Node // comment nodes, in document order
	// Grammars finds the grammar of a language embedded in this one.
	Grammars func(language, path string) *Grammar
	// State is a rule set's own, for one file.
	State any
}

func NewWalk(t *Tree, path, language string, lines *code.LineIndex) *Walk {
	w := &Walk{Tree: t, Lines: lines, Encloser: -1}
	w.Out = code.File{Path: path, Language: language, Text: t.Text, Parsed: true, BadBytes: t.BadBytes()}
	for i := range t.Nodes {
		if t.IsComment(Node(i)) {
			w.DocNodes = append(w.DocNodes, Node(i))
		}
	}
	return w
}

// Visit hands n to its handler, or looks into it.
func (w *Walk) Visit(n Node) {
	if n >= 0 {
		w.VisitRange(n, Node(w.Nodes[n].Next))
	}
}

// Children visits what lies below n.
func (w *Walk) Children(n Node) {
	if n >= 0 {
		w.VisitRange(n+1, Node(w.Nodes[n].Next))
	}
}

func (w *Walk) VisitRange(from, to Node) {
	for i := from; i < to; {
		w.Step(1)
		s := w.Nodes[i].symbol
		if int(s) < len(w.Grammar.handlers) && w.Grammar.handlers[s] != nil {
			w.Grammar.handlers[s](w, i)
			i = Node(w.Nodes[i].Next)
			continue
		}
		i++
	}
}

// Inside visits nodes as parts of symbol s: what they declare is its child,
// what they call is called by it.
func (w *Walk) Inside(s int, nodes ...Node) {
	outer := w.Encloser
	w.Encloser = s
	for _, n := range nodes {
		if n > 0 { // the root is part of no symbol: 0 is a part that is unset
			w.Visit(n)
		}
	}
	w.Encloser = outer
}

// InsideChildren is inside for the children of n, for a node whose own handler
// is at work.
func (w *Walk) InsideChildren(s int, n Node) {
	outer := w.Encloser
	w.Encloser = s
	w.Children(n)
	w.Encloser = outer
}

// Decl is a declaration on its way to a symbol. kind, node, and name or text
// are needed; the zero value of the rest means "has none" (the nodes default
// to none through declare's use of optional).
type Decl struct {
	Kind code.Kind
	Node Node   // the whole declaration
	Name Node   // where its name stands
	Text string // its name, where that is not the text of the node name

	// From is where the span starts when that is before node: an export
	// keyword, a decorator, an attribute. 0 means node.
	From Node
	// To is the part that ends the declaration, where the node itself runs on:
	// over comments below the last statement of an indented block. 0 means node.
	To Node
	// Sig is where the signature starts when that is after the start of the
	// span: behind decorators. 0 means the span's start.
	Sig Node
	// Body ends the signature. 0 means none.
	Body Node
	// Owner is the declaration path before the name when it is not the path of
	// the enclosing symbol: the receiver type of a Go method.
	Owner string

	Parameters  []code.Parameter
	Returns     string
	Annotations []string
	Modifiers   []string
	Exported    bool
	// Doc replaces the comment above the declaration: a docstring.
	Doc string
}

// nameless is the name of a declaration whose own the parser missed, in a text
// with errors.
const nameless = "?"

// Declare adds a symbol below the current one and returns its index. Node 0 is
// the root of every tree, never a part of a declaration, so 0 means unset.
func (w *Walk) Declare(d Decl) int {
	name := d.Text
	if name == "" {
		name = w.Str(d.Name)
	}
	if name == "" {
		name = nameless
	}
	start, end := w.Start(d.Node), w.End(d.Node)
	if d.From > 0 {
		start = min(start, w.Start(d.From))
	}
	if d.To > 0 {
		end = max(w.End(d.To), start)
	}
	s := code.Symbol{
		Kind: d.Kind, Name: name, Parent: w.Encloser, Span: w.Lines.Span(start, end),
		Parameters: d.Parameters, Returns: d.Returns, Annotations: d.Annotations,
		Modifiers: d.Modifiers, Exported: d.Exported, Doc: d.Doc,
	}
	if d.Name > 0 && w.Start(d.Name) >= start && w.End(d.Name) <= end {
		s.NameSpan = w.Lines.Span(w.Start(d.Name), w.End(d.Name))
	} else {
		s.NameSpan = w.Lines.Span(start, start)
	}
	s.QualifiedName = Join(w.OwnerPath(d.Owner), name)
	sigStart, sigEnd := start, end
	if d.Sig > 0 {
		sigStart = w.Start(d.Sig)
	}
	if d.Body > 0 {
		sigEnd = w.Start(d.Body)
		s.Body = [2]int{min(w.Start(d.Body), end), min(w.End(d.Body), end)}
	}
	s.Signature = strings.TrimRight(OneLine(w.Text[sigStart:max(sigStart, sigEnd)]), " {:=;,")
	if s.Doc == "" {
		s.Doc = w.DocBefore(start)
	}
	s.Doc = Clip(s.Doc, code.MaxDocBytes)
	w.Out.Symbols = append(w.Out.Symbols, s)
	return len(w.Out.Symbols) - 1
}

func (w *Walk) OwnerPath(owner string) string {
	switch {
	case owner != "":
		return Join(w.Prefix, owner)
	case w.Encloser >= 0:
		return w.Out.Symbols[w.Encloser].QualifiedName
	}
	return w.Prefix
}

// Join returns the path of a name. A path over MaxPath ends there: longer ones would
// take memory by the square of their depth.
func Join(owner, name string) string {
	if owner == "" {
		return name
	}
	return Clip(owner, MaxPath) + "." + name
}

// Call records a call site: site is the whole expression, name the node of the
// callee's last name, whose text is the callee.
func (w *Walk) Call(kind code.CallKind, site, name, receiver Node, args int) {
	if name < 0 || w.Start(name) == w.End(name) { // missing in a text with errors
		return
	}
	w.Out.Calls = append(w.Out.Calls, code.Call{
		Kind: kind, Callee: w.Str(name), Receiver: w.Line(receiver), Args: args, Caller: w.Encloser,
		Span: w.Span(site), NameSpan: w.Span(name),
	})
}

func (w *Walk) Span(n Node) code.Span { return w.Lines.Span(w.Start(n), w.End(n)) }

// AddImport records an import at n.
func (w *Walk) AddImport(n Node, i code.Import) {
	i.Scope, i.Span = w.Encloser, w.Span(n)
	w.Out.Imports = append(w.Out.Imports, i)
}

// Export records an export at n.
func (w *Walk) Export(n Node, e code.Export) {
	e.Span = w.Span(n)
	w.Out.Exports = append(w.Out.Exports, e)
}

// Fact records a statement about owner's name. An empty type says nothing.
func (w *Walk) Fact(kind code.FactKind, owner int, name, typ string, at Node) {
	if typ == "" || at < 0 {
		return
	}
	w.Out.Facts = append(w.Out.Facts, code.Fact{Kind: kind, Owner: owner, Name: name, Type: typ, Span: w.Span(at)})
}

// done sorts what was found and numbers the equal ones.
func (w *Walk) done() code.File {
	if w.Grammar.Rules.Finish != nil {
		w.Grammar.Rules.Finish(w)
	}
	w.hide()
	SortSymbols(&w.Out)
	type twin struct {
		kind code.Kind
		name string
	}
	seen := make(map[twin]int, len(w.Out.Symbols))
	for i := range w.Out.Symbols {
		s := &w.Out.Symbols[i]
		k := twin{s.Kind, s.QualifiedName}
		s.Ordinal = seen[k]
		seen[k]++
	}
	slices.SortStableFunc(w.Out.Calls, func(a, b code.Call) int { return a.Span.StartByte - b.Span.StartByte })
	return w.Out
}

// SortSymbols puts symbols in document order, an enclosing one before what it
// encloses, and renumbers every reference to them.
func SortSymbols(f *code.File) {
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
