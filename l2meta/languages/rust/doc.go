// Package rust reads Rust, and resolves its calls: paths through modules, imports and the crates
// of the workspace, and methods by the types of their receivers.
//
// These make Rust difficult: a method may come from any trait in scope, and a trait may apply to
// all types that satisfy a bound. Values pass through Option, Result, iterators and Deref. The
// type of a variable may depend on a later use. Macros are not expanded.
package rust
