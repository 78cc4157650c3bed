// Package syntax parses a text by the rules of its language. It names no language.
//
// A text is parsed, its tree is copied in one C pass into an array (flatten.go), and the tree is
// freed. Walk visits that array in document order. A rule set (Rules) maps node types to
// handlers; the children of a node without a handler are visited instead. Handlers declare
// symbols, and record call sites, imports, exports and facts about types. Text that the grammar
// does not accept (a syntax error) is counted (code.File.BadBytes) and visited all the same: a
// syntax error costs its own statement, not the rest of the file.
//
// No node leaves this package and the rule sets that import it: the result is a code.File.
package syntax
