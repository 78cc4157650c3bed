// Package ruby reads Ruby, and resolves its calls, although every class is open at run time.
//
// These make Ruby difficult: files load each other by load paths and naming conventions, modules
// are mixed in anywhere, and methods define other methods. The package only considers declared
// classes. A call on self resolves to a method of self's class or its ancestors. A variable has a
// class if all values that are assigned to it have that class. If an unknown ancestor may declare
// a method before the known ones, the call stays unresolved; if nothing in the workspace has the
// name, the call is external. Names that the program generates from text count as names of the
// workspace (rules_made.go). Results of library methods have the types in the signatures that
// Ruby ships (standard.go).
package ruby
