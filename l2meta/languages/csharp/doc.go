// Package csharp extracts the facts of C# files, and resolves their calls.
//
// Hard here: a namespace spans files and projects, and usings come from project files and the SDK
// besides the file itself; a type may have several parts; extension methods compete with members
// that only a library declares; overloads need the types of arguments, including lambdas. An
// ambiguous call stays unresolved.
package csharp
