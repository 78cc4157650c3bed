// Package cfamily reads C and C++, and resolves their calls.
//
// Hard here: names are visible through includes, whose search path only the build
// knows; macros make names that no declaration shows; a function is declared in
// many places and defined in one. Overloads are told apart by the number of their
// arguments, templates are not instantiated, and what a macro may have made stays
// unresolved.
package cfamily
