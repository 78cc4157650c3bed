// Package php extracts the facts of PHP files, and resolves their calls by namespaces, use
// declarations and the types that code and its documentation declare.
//
// Hard here: names are case-insensitive; functions fall back to the global namespace and classes do
// not; traits add methods to classes. Magic methods, callable strings and variables that hold
// functions stay unresolved.
package php
