// Package cfamily extracts declarations, calls and types from C and C++ source files, and finds
// the declarations to which the calls refer.
//
// These languages are difficult in five ways. Names are visible through includes, whose search
// path only the build knows. Macros generate names that no declaration shows; such a name is
// hidden, and a call of it stays unresolved. A function is declared in many places and defined in
// one. Overloads are distinguished by their number of arguments only. Templates are not
// instantiated.
package cfamily
