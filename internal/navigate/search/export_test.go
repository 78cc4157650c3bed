package search

import "sextant/l1fts"

// The names below are used by tests outside of the package.
const (
	FileFirst  = fileFirst
	FoundFirst = foundFirst
)

// FirstLiteral returns the text of the first literal of a query.
func FirstLiteral(query string) string {
	parsed, _ := l1fts.Parse(query)
	return literals(&parsed)[0].text
}
