package callgraph

import (
	"path"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/symbols"
	"sextant/jit"
	"sextant/l2meta"
	"sextant/l2meta/resolve"
)

// tracedNode is a node of the graph with its symbol.
type tracedNode struct {
	contract.Node
	ref   resolve.Ref // zero if the node is external
	kind  code.Kind
	class code.Class // class of the file
	// around is the function that declares this one, if the walk reached one of them from the other
	// without a call: plugin for the function transform in it. Otherwise it is nil.
	around *tracedNode
	// folder is set if the node is a folder and no symbol.
	folder *folder
}

// node returns the node of a symbol in the graph. If the graph has none yet, it returns a new node,
// which the caller may add to the graph.
func (w *walk) node(ref resolve.Ref, depth int) *tracedNode {
	row := symbols.RowOf(ref)
	if n, ok := w.nodes[string(symbols.RowID(row))]; ok {
		return n
	}
	n := nodeOf(row, w.services)
	n.ref, n.Depth = ref, depth
	return n
}

// nodeOf returns a new node for a symbol or a folder. Its ref is not set.
func nodeOf(row l2meta.Row, services *jit.Services) *tracedNode {
	return &tracedNode{kind: row.Symbol.Kind, class: row.Class,
		Node: contract.Node{SymbolID: string(symbols.RowID(row)), SymbolLabel: row.Symbol.QualifiedName, File: row.Path,
			Language: row.Language, Span: contract.Lines(row.Symbol.Span),
			Service: services.Of(path.Join(row.Path, inFolder(row))).Name}}
}

// traceable reports whether a symbol of a kind is preferred as the root of a graph. A test is not:
// it has no callers, and often has the name of the function that it tests.
func traceable(k code.Kind) bool { return k.Callable() && k != code.KindTest || symbols.IsType(k) }

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
