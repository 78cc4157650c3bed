// Package l2meta stores the declarations, call sites and types of files: tier 2. Packages
// l2meta/languages and l2meta/syntax extract them from the bytes of one file alone; package
// l2meta/resolve resolves calls to declarations.
//
// # Stored
//
// symbols has a row for each symbol, with the columns that name look-ups and answers need. facts
// has one packed row for each file: its call sites, imports, exports and type facts. callees has
// the distinct callee names of each file, so that the files that may call a name are found without
// unpacking.
//
// The rows of a file depend on that file alone. Resolution across files is a join at query time;
// derived keeps its results for one generation.
package l2meta
