// Package python extracts the facts of Python files, and resolves their calls by scopes, imports,
// the method resolution order, and types as far as annotations, constructions and single
// assignments determine them.
//
// Hard here: the last binding of a name counts, in the order of execution; module look-up depends
// on how the program is started; attributes are created by assignments anywhere; tests receive
// fixtures by parameter name. A name with several meanings stays unresolved.
package python
