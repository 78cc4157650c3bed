// Package python extracts declarations, calls and types from Python files. It resolves the calls
// by scopes, imports, the method resolution order, and types as far as annotations, constructions
// and single assignments determine them.
//
// These make Python difficult: a name means whatever was bound to it last, in the order of
// execution; the look-up of modules depends on how the program is started; any assignment may
// create an attribute; pytest passes fixtures to tests by parameter name. A call of a name with
// several possible meanings stays unresolved.
package python
