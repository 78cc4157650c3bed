// Package rust reads Rust, and resolves its calls: paths through modules, imports and the
// crates of the workspace, methods by the types of their receivers.
//
// Hard here: a method may come from any trait in scope, and a trait may hold for
// all types with a bound; values pass through Option, Result, iterators and Deref;
// inference reaches backwards. Macros are not expanded.
package rust
