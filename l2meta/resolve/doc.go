// Package resolve settles call sites across the files of a root: which
// declaration a call means, as far as syntax, scopes, imports and types as
// written tell, by a ladder of which the first rung that applies is named:
//
//	T0  same_scope, same_file        what encloses the call
//	T1  same_type, same_package      the own class, module or package
//	T2  imported                     through an import: aliases, re-exports, barrels
//	T3  typed_…, inherited           a receiver whose type is known
//	T3  alternative                  one of several declarations, of which a condition chooses
//	T4  unique_name                  the only such name of an imported package, at 0.5 at most
//
// Nothing stands below: what no rung settles stays open, with a reason. A call
// that leaves the workspace is external. A virtual call settles on the static
// target; what may run in its place is a Dispatch, apart.
//
// Resolution is a join at question time. It reads the stored facts of files,
// each of which depends on that file's bytes alone, through a World: one
// generation of the index. What it derives is kept in a Cache, files by their
// content hash and all else by the generation; so an edit never leaves an edge
// of another file stale. Settle goes ahead of the questions: it settles every
// call site, and keeps each verdict with all that was looked up for it, as long
// as every look-up would give the same (ledger.go, reads.go). The index keeps the
// ledger for the next process (ledger_store.go, ledger_pack.go).
//
// The confidence of an edge is the measured precision of its rung in its
// language (calibration.go, docs/accuracy.md).
//
// Each language implements Language in a package of its own below l2meta/languages,
// over what is shared: File and World (lookups), ParseExpr and Eval (expressions),
// Type and Value (types as written, interpreted lazily). This package names none.
package resolve
