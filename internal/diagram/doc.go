// Package diagram draws call graphs.
//
// It writes a [Graph], nodes and edges, as Mermaid, as DOT for Graphviz, and as SVG with a layout
// of its own, for users without Graphviz. It writes a [Tree], a graph unfolded from its roots, as
// plain text and as lines for a terminal.
//
// The SVG is a layered drawing after Sugiyama, Tagawa and Toda (1981), from left to right. Edges
// that close a cycle are reversed (layers.go), symbols are assigned to layers by their longest
// path, edges that span several layers are cut into links, layers are ordered by barycentres so
// that few edges cross (order.go), and each layer is placed as near to its neighbours as the order
// allows (place.go). Equal graphs give equal bytes.
//
// The package knows nothing of files, indexes or terminal colours. The caller provides the text of
// each box, arrow and branch.
package diagram
