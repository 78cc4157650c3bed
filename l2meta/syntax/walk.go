package syntax

import (
	"slices"
	"strings"

	"sextant/internal/code"
)

// Rules is the rule set of one language. A handler decides whether the children of its node are
// visited, by calling Walk.Children or Walk.Inside.
type Rules struct {
	Handlers map[string]Handler
	Comments []string // node types of comments
	// Mask, if not nil, replaces text that the grammar does not know (templates in YAML, macros
	// in Swift) by text of the same length that it knows. Only the parser reads the result; names
	// are read from the original text. Mask may return text itself, but must not modify it.
	Mask func(text []byte) []byte
	// File, if not nil, is called before the walk, for facts about the package and state for the
	// whole file. If there is no grammar, it reads the text itself.
	File Handler
	// Hidden, if not nil, maps the types of nodes that may name a member for which there is no
	// symbol, such as the key of an object, to functions that report whether a node does. The
	// names are recorded as FactHidden, together with all names in text with syntax errors. If
	// Hidden is empty, only the latter are recorded.
	Hidden map[string]func(w *Walk, n Node) bool
	// Finish, if not nil, is called after the walk, when all symbols are declared.
	Finish func(w *Walk)
}

// Handler visits a node of the type under which Rules.Handlers lists it.
type Handler func(w *Walk, n Node)

// Walk is one visit of a tree, and the facts that it has found.
type Walk struct {
	*Tree
	Out      code.File
	Lines    *code.LineIndex
	Encloser int    // index of the symbol that encloses the current node, -1 at the top
	Prefix   string // namespace that precedes the qualified names of top-level symbols, but is not their parent
	DocNodes []Node // comment nodes, in document order
	// Grammars returns the grammar of an embedded language, nil if there is none.
	Grammars func(language, path string, text []byte) *Grammar
	// State is the rule set's own state for one file.
	State any
}

// NewWalk returns a walk over t that extracts the facts of the file at path.
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

// Visit calls the handler of n, or visits its children if it has none.
func (w *Walk) Visit(n Node) {
	if n >= 0 {
		w.VisitRange(n, Node(w.Nodes[n].Next))
	}
}

// Children visits the nodes below n.
func (w *Walk) Children(n Node) {
	if n >= 0 {
		w.VisitRange(n+1, Node(w.Nodes[n].Next))
	}
}

// VisitRange visits the nodes from, …, to-1 in pre-order. It skips the descendants of a node with a
// handler.
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

// Inside visits nodes as parts of symbol s: s becomes the parent of their declarations and the
// caller of their calls.
func (w *Walk) Inside(s int, nodes ...Node) {
	outer := w.Encloser
	w.Encloser = s
	for _, n := range nodes {
		if n > 0 { // node 0, the root, is part of no symbol and therefore means none
			w.Visit(n)
		}
	}
	w.Encloser = outer
}

// InsideChildren does the same as Inside for the children of n, for use in the handler of n.
func (w *Walk) InsideChildren(s int, n Node) {
	outer := w.Encloser
	w.Encloser = s
	w.Children(n)
	w.Encloser = outer
}

// Decl describes a symbol to declare. Kind, Node, and Name or Text are required. The zero value of
// the other fields means that there is none.
type Decl struct {
	Kind code.Kind
	Node Node   // node of the whole declaration
	Name Node   // node of its name
	Text string // name of the symbol, if it differs from the text of Name

	// From is the start of the span if the span begins before Node: an export keyword, a
	// decorator, an attribute. 0 means that it begins with Node.
	From Node
	// To is the last part of the declaration if the declaration extends beyond Node: in an
	// indented block, to the comments below the last statement. 0 means that it ends with Node.
	To Node
	// Sig is the start of the signature if the signature begins after the span: after decorators.
	// 0 means that it begins with the span.
	Sig Node
	// Body is the body of the declaration, before which the signature ends. 0 means that there is
	// none.
	Body Node
	// Owner is the path in front of the name in the qualified name, if it is not that of the
	// enclosing symbol: the receiver type of a Go method.
	Owner string

	Parameters  []code.Parameter
	Returns     string
	Annotations []string
	Modifiers   []string
	Exported    bool
	Computed    bool
	// Doc, if not "", replaces the comment above the declaration: a docstring.
	Doc string
}

// nameless is the name of a declaration without a recognised name, in a text with errors.
const nameless = "?"

// Declare adds a symbol as a child of the enclosing symbol (Encloser) and returns its index. Node
// 0 is the root of every tree and never a part of a declaration, so 0 in a field of d means that
// the field is not set.
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
		Modifiers: d.Modifiers, Exported: d.Exported, Computed: d.Computed, Doc: d.Doc,
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
	s.Signature = strings.TrimRight(OneLine(w.code(sigStart, max(sigStart, sigEnd))), " {:=;,")
	if s.Doc == "" {
		s.Doc = w.DocBefore(start)
	}
	s.Doc = Clip(s.Doc, code.MaxDocBytes)
	w.Out.Symbols = append(w.Out.Symbols, s)
	return len(w.Out.Symbols) - 1
}

// OwnerPath returns the path before the name of a declaration: owner below the namespace Prefix, or
// the enclosing symbol's qualified name if owner is "". At the top level that is Prefix alone.
func (w *Walk) OwnerPath(owner string) string {
	switch {
	case owner != "":
		return Join(w.Prefix, owner)
	case w.Encloser >= 0:
		return w.Out.Symbols[w.Encloser].QualifiedName
	}
	return w.Prefix
}

// Join returns the path of name in owner: "Server.Handle". It cuts owner at MaxPath: longer paths
// would take memory quadratic in the depth.
func Join(owner, name string) string {
	if owner == "" {
		return name
	}
	return Clip(owner, MaxPath) + "." + name
}

// Call records a call site. site is the whole expression; name is the node of the callee's last
// name, whose text is the callee. It records nothing if the name is missing.
func (w *Walk) Call(kind code.CallKind, site, name, receiver Node, args int) {
	if name < 0 || w.Start(name) == w.End(name) { // the name is missing in a text with syntax errors
		return
	}
	w.Out.Calls = append(w.Out.Calls, code.Call{
		Kind: kind, Callee: w.Str(name), Receiver: w.Line(receiver), Args: args, Caller: w.Encloser,
		Span: w.Span(site), NameSpan: w.Span(name),
	})
}

// maxAccessed is the length in bytes of the longest receiver for which an access is recorded.
// Without a limit, the texts of a.b.c… would be quadratic in the length of the chain, and the
// types of longer expressions are seldom known.
const maxAccessed = 160

// Access records x.name without a call. It runs code if name is a property with a getter or, for
// an assignment, with a setter. Access records nothing for a long receiver.
func (w *Walk) Access(name, receiver Node, assigned bool) {
	if receiver >= 0 && w.End(receiver)-w.Start(receiver) <= maxAccessed {
		w.AccessAs(name, w.Line(receiver), assigned)
	}
}

// AccessAs does the same as Access, for a receiver that is given as text instead of a node. The
// receiver is "" for a bare name, which may be a member of the enclosing type.
func (w *Walk) AccessAs(name Node, receiver string, assigned bool) {
	if name < 0 || w.Start(name) == w.End(name) || len(receiver) > maxAccessed {
		return
	}
	args := 0
	if assigned {
		args = 1
	}
	span := w.Span(name)
	w.Out.Accesses = append(w.Out.Accesses, code.Call{
		Kind: code.CallAccess, Callee: w.Str(name), Receiver: receiver, Args: args, Caller: w.Encloser,
		Span: span, NameSpan: span,
	})
}

// maxTaken is the length in bytes of the longest receiver of a name that Take records: a call that makes
// an object may have several lines, NewQuota(…).Get. Unlike accesses, no link of a chain but the last
// is taken.
const maxTaken = 1024

// Take records that a name is used as a value, which may be a function or a method: less in
// sort.Slice(rows, less). Most such names are variables and fields, so they are recorded beside the
// accesses. receiver is the text before the name, "" if there is none, and caller the symbol around
// it. Take records nothing for a long receiver.
func (w *Walk) Take(name Node, receiver string, caller int) {
	if name < 0 || w.Start(name) == w.End(name) || len(receiver) > maxTaken {
		return
	}
	span := w.Span(name)
	w.Out.Accesses = append(w.Out.Accesses, code.Call{
		Kind: code.CallReference, Callee: w.Str(name), Receiver: receiver, Caller: caller, Span: span, NameSpan: span,
	})
}

// Span returns the span of n.
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

// Fact records a statement of the source about types: in symbol owner, name has the type (or is
// assigned the expression) typ, as written at the node at. It records nothing if typ is empty or
// at is None.
func (w *Walk) Fact(kind code.FactKind, owner int, name, typ string, at Node) {
	if typ == "" || at < 0 {
		return
	}
	w.Out.Facts = append(w.Out.Facts, code.Fact{Kind: kind, Owner: owner, Name: name, Type: typ, Span: w.Span(at)})
}

// done runs Finish, sorts the results and numbers symbols of equal kind and name.
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
	for _, sites := range [][]code.Call{w.Out.Calls, w.Out.Accesses} {
		slices.SortStableFunc(sites, func(a, b code.Call) int { return a.Span.StartByte - b.Span.StartByte })
	}
	return w.Out
}

// SortSymbols sorts symbols in document order, an enclosing symbol before its parts, and renumbers
// every reference to them.
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
	for i := range f.Accesses {
		renumber(&f.Accesses[i].Caller)
	}
	for i := range f.Imports {
		renumber(&f.Imports[i].Scope)
	}
	for i := range f.Facts {
		renumber(&f.Facts[i].Owner)
	}
	f.Symbols = sorted
}
