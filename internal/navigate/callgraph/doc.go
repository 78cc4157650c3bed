// Package callgraph answers call_graph. It finds the requested symbol, walks breadth first over the
// resolved calls, asks language servers to confirm the edges, and writes the part of the graph that fits
// the token budget.
//
// The walk always takes the same order, so a number of edges identifies a position in it, and a cursor
// holds little else. Package proof resolves the calls, and keeps the answers of language servers, which
// override what syntax says. Each file that the graph depends on is verified before the answer is written.
package callgraph
