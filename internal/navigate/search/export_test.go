package search

// The names below are used by tests outside of the package.
const (
	FileFirst  = fileFirst
	FoundFirst = foundFirst
)

// FirstLiteral returns the text of the first literal of a query.
func FirstLiteral(query string) string { return literals(query)[0].text }
