// Package golang reads Go, and resolves its calls as go/types does, from the facts of the
// workspace's own files.
//
// Hard here: interfaces are satisfied by structure, so dispatch looks for all
// types that have the methods; a package is all files of a folder that one build
// takes, by file names and constraints; generic types are inferred as far as
// arguments show. Types of dependencies are not read: what only they tell stays
// unresolved.
package golang
