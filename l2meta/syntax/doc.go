// Package syntax reads a text by the rules of its language, and names no
// language.
//
// A text is parsed, its tree is copied in one C pass into an array (flatten.go),
// and the tree is freed. Walk visits that array in document order; a rule set
// (Rules) is a map from node types to handlers, and a node without a handler is
// looked into. Handlers declare symbols, and record call sites, imports, exports
// and statements about types. What the grammar cannot place is counted
// (code.File.BadBytes) and looked into all the same: a syntax error costs the
// statement it stands in, not the rest of the file.
//
// No node leaves this package and the rule sets that stand on it: what comes out
// is a code.File.
package syntax
