// Package golang extracts declarations, calls and types from Go files, and resolves the calls as
// go/types does, but from the workspace's own files alone.
//
// These make Go difficult. Types satisfy interfaces by structure, so dispatch searches for all
// types that have the methods. A package consists of the files of a folder that one build
// compiles, selected by file names and constraints. Type arguments are inferred as far as
// arguments show them. Types of dependencies are not read: a call that needs them stays
// unresolved.
package golang
