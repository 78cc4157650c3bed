// Package callgraph answers call_graph: it finds the symbol asked about, walks from it
// breadth first over the calls that resolve, lets language servers prove what the
// walk found, and writes the part that fits the budget.
//
// The walk is always in the same order, so that a number of edges says where it
// stands; a cursor holds no more. What servers said lies in the book of the root, and
// over what syntax says. Each file that the graph rests on is verified before the
// answer is written.
package callgraph
