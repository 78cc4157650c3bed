// Package golang extracts the facts of Go files, and resolves their calls as go/types does, from
// the facts of the workspace's own files.
//
// The difficulties: types satisfy interfaces by structure, so dispatch searches for all types that have
// the methods. A package is the files of a folder that one build compiles, selected by file names
// and constraints. Type arguments are inferred as far as arguments show them. Types of dependencies
// are not read: a call that needs them stays unresolved.
package golang
