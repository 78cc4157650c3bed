// Package csharp reads C#, and resolves its calls.
//
// Hard here: a namespace spans files and projects, and usings come from project
// files and the SDK besides the file itself; a type may have parts; extension
// methods compete with members that only a library declares; overloads need the
// types of arguments, lambdas included. An ambiguous call stays unresolved.
package csharp
