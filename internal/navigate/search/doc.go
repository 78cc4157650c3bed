// Package search answers search_codebase.
//
// A query of words is answered with the best results: exact names, chunks that hold
// its words and chunks near in meaning are candidates, fused into one order by the
// weights of their kind of query, read, ordered for good, and rendered within the
// budget. A query with must:, regex: or exclude: is answered with every match, a page
// at a time.
package search
