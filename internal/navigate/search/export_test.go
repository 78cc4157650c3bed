package search

// What tests from outside of the package look at.
const (
	FileFirst  = fileFirst
	FoundFirst = foundFirst
)

// FirstLiteral returns the text of the first literal of a query.
func FirstLiteral(query string) string { return literals(query)[0].text }
