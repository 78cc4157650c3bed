// Package l1fts is the first tier, lexical half: it finds the chunks of code
// that hold the words of a query, best first, and the files that may hold a
// literal or a regular expression.
package l1fts
