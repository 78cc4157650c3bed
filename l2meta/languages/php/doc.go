// Package php reads PHP, and resolves its calls by namespaces, use declarations and the types
// that code and its documentation declare.
//
// Hard here: names have no case; functions fall back to the global namespace and
// classes do not; traits put methods into classes. Magic methods, callable strings
// and variables that hold functions stay unresolved.
package php
