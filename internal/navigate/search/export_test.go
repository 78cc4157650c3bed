package search

// Constants and functions that tests outside of the package use.
const (
	FileFirst  = fileFirst
	FoundFirst = foundFirst
)

// FirstLiteral returns the text of the first literal of a query.
func FirstLiteral(query string) string { return literals(query)[0].text }
