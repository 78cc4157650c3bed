// Package l2meta stores the declarations, call sites and types of files: tier 2. Packages
// l2meta/languages and l2meta/syntax extract them from the bytes of one file alone; package
// l2meta/resolve resolves calls to declarations.
//
// # Stored
//
// Table symbols has a row for each symbol, with the columns that look-ups by name and answers need.
// Table facts has one packed row for each file: its call sites, imports, exports and type facts.
// Table callees has the distinct callee names of each file, so that the files that may call a name
// are found without unpacking their facts.
//
// The rows of a file depend on that file alone. Resolution across files is a join at query time;
// table derived keeps its results for one generation of the index.
package l2meta
