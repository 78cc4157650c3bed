// Package diagram draws call graphs.
//
// A [Graph], nodes and edges, is written as Mermaid, as DOT for Graphviz, and as an
// SVG of its own where there is no Graphviz. A [Tree], a graph unfolded from its
// roots, is written as plain text and as lines for a terminal.
//
// The SVG is a layered drawing after Sugiyama, Tagawa and Toda (1981), from
// left to right: edges that close a cycle are turned round (layers.go), symbols
// are put into layers by their longest path, edges that span several layers
// are cut into links, layers are ordered by barycentres so that few edges cross
// (order.go), and each layer is placed as near to its neighbours as the order
// allows (place.go). Equal graphs give equal bytes.
//
// It knows nothing of files, indexes or colours of terminals; the caller says what
// each box, arrow and branch is.
package diagram
