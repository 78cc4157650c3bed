package contract

import (
	"strings"

	"sextant/l1fts"
)

// defaultScope returns the default scope for a query: every indexed file if the query is exhaustive, such
// as must:TODO, else runtime code.
func defaultScope(text string) Scope {
	if query, err := l1fts.Parse(text); err == nil && query.Exhaustive() {
		return ScopeMixed
	}
	return ScopeRuntime
}

// QuoteOperator returns the value of a query operator, in quotation marks if it contains a space or a
// quotation mark: "new user" for the query must:"new user", "say \"hi\"" for say "hi".
func QuoteOperator(value string) string {
	if !strings.ContainsAny(value, ` "`) {
		return value
	}
	return `"` + strings.ReplaceAll(value, `"`, `\"`) + `"`
}
