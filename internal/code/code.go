// Package code is the vocabulary that all floors share: spans, symbols,
// calls, edges, evidence and ids. It imports the standard library alone and
// does no I/O; whoever holds one of its values may keep it.
package code
