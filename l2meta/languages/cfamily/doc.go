// Package cfamily extracts declarations, calls and types from C and C++ source files, and finds the
// declarations to which the calls refer.
//
// The difficulties: names are visible through includes, whose search path only the build knows.
// Macros generate names that no declaration shows. A function is declared in many places and
// defined in one. Overloads are distinguished by their number of arguments only, templates are not
// instantiated, and names that a macro may have generated stay unresolved.
package cfamily
