// Package engine opens the roots for requests and caches the data derived from each root: the
// full-text and vector index, the resolved calls, and the number of indexed files of each state.
//
// It answers no request itself. Every tool uses it to locate a path, which may index a root
// ([Engine.Enter]); to parse the current bytes of a file ([Engine.Parse]); and to answer within
// its time limit, on one index from beginning to end ([Bounded], [Steady]). No other package
// below internal/navigate opens a root.
package engine
