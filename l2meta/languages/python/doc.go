// Package python extracts declarations, calls and types from Python files. It resolves the calls by
// scopes, imports, the method resolution order, and types as far as annotations, constructions and
// single assignments determine them.
//
// Difficulties: the binding of a name that was executed last counts; module look-up depends on how
// the program is started; any assignment may create an attribute; pytest passes fixtures to tests
// by parameter name. A call of a name with several possible meanings stays unresolved.
package python
