// Package l2meta answers what a file declares and calls, from its bytes alone:
// tier 2. Tree-sitter grammars parse, one rule set a language reads the tree,
// and the result is a code.File — no syntax node leaves this package.
//
// # From text to facts
//
// A text is parsed, its tree is copied in one C pass into an array (flatten.go),
// and the tree is freed. walk visits that array in document order; a rule set
// is a map from node types to handlers, and a node without a handler is looked
// into. Handlers declare symbols, and record call sites, imports, exports and
// statements about types. What the grammar cannot place is counted
// (code.File.BadBytes) and looked into all the same: a syntax error costs the
// statement it stands in, not the rest of the file.
//
// # Stored
//
// symbols has a row for each symbol, with what name look-ups and answers need;
// facts has one packed row for each file with call sites, imports, exports and
// type facts, and callees the distinct callee names of a file, so that the
// files that may call a name are found without unpacking.
//
// Rows of a file are made from that file alone. Resolution across files is a
// join at question time.
package l2meta
