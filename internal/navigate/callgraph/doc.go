// Package callgraph answers call_graph. It finds the requested symbol, walks from it
// breadth first over the calls that resolve, lets language servers prove the edges, and
// writes the part that fits the budget.
//
// The walk always takes the same order, so a number of edges identifies a position in it,
// and a cursor holds little else. The book of a root caches the verdicts of language
// servers; they overlay the results of syntax. Each file that the graph rests on is
// verified before the answer is written.
package callgraph
