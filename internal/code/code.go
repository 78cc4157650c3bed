// Package code defines the vocabulary that all other packages share: spans, symbols, calls, edges,
// evidence and ids. It imports only the standard library and does no I/O. Callers may keep its
// values.
package code
