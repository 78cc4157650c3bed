// Package csharp extracts the declarations, calls and facts of C# files, and resolves the calls.
// A fact is a statement about the code that extraction records, such as the declared type of a
// variable.
//
// These make C# difficult: a namespace spans files and projects; using directives come from
// project files and the SDK as well as from the file; a partial type has parts in several files;
// extension methods compete with members that only a library declares; overloads need the types
// of arguments, including lambdas. An ambiguous call stays unresolved.
package csharp
