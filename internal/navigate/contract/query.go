package contract

import "sextant/l1fts"

// defaultScope returns the scope of a query that names none: what asks for every
// match looks at every indexed file.
func defaultScope(text string) Scope {
	if query, err := l1fts.Parse(text); err == nil && query.Exhaustive() {
		return ScopeMixed
	}
	return ScopeRuntime
}

// QuoteOperator quotes the value of a query operator where it must be.
func QuoteOperator(value string) string {
	for _, r := range value {
		if r == ' ' || r == '"' {
			return `"` + value + `"`
		}
	}
	return value
}
