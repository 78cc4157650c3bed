// Package python reads Python, and resolves its calls by scopes, imports, the method resolution
// order, and types as far as annotations, constructions and single assignments
// tell them.
//
// Hard here: the last binding of a name counts, in the order of execution; modules
// are found by rules that depend on how the program is started; attributes appear
// by assignment anywhere; tests get their arguments from fixtures by name. A name
// with several meanings stays unresolved.
package python
