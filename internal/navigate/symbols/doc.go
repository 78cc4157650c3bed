// Package symbols answers file_outline and read_file, and resolves symbol references: by id, by
// content, by label, or by a line inside the symbol.
//
// An id that no longer exists is never replaced by a guess. Symbols with its label, or with similar
// names, become candidates. Packages search and callgraph look up symbols and files by the same
// functions.
package symbols
