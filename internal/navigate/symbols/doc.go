// Package symbols answers file_outline and read_file, and finds the symbol that a
// reference means: by id, by content, by label, by the line around it.
//
// An id that is gone is never replaced by a guess; symbols with its label, or with
// the nearest names, are candidates. Search and callgraph find symbols and files by
// the same functions.
package symbols
