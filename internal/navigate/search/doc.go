// Package search answers search_codebase.
//
// A query of words returns the best results. Candidates are symbols with a queried name, chunks with the
// query's words, and chunks with a similar meaning. They are fused into one order by the weights for the
// kind of query, read from disk, reordered, and rendered within the token budget. An exhaustive query,
// one with must:, regex:, exclude:, annotation:, param: or returns:, returns every match, page by page.
package search
