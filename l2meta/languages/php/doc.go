// Package php extracts declarations, calls and types from PHP files, and resolves the calls by
// namespaces, use declarations and the types that code and its documentation declare.
//
// PHP is hard to resolve because names are case-insensitive, functions fall back to the global
// namespace while classes do not, and traits add methods to classes. Calls of magic methods, and
// calls through callable strings or variables that hold functions, stay unresolved.
package php
