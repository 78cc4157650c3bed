// Package resolve resolves call sites across the files of a root to the declarations that they
// call. It uses syntax, scopes, imports and written types. The first rung of this ladder that
// applies settles the call and names the strategy:
//
//	T0  same_scope, same_file        what encloses the call
//	T1  same_type, same_package      the own class, module or package
//	T2  imported                     through an import: aliases, re-exports, barrels
//	T3  typed_…, inherited           a receiver whose type is known
//	T3  alternative                  one of several declarations, of which a condition chooses
//	T4  unique_name                  the only such name of an imported package, at 0.5 at most
//
// There is no lower rung: a call that no rung settles stays open, with a reason. A call that leaves
// the workspace is external. A virtual call settles on its static target; the overrides that may
// run instead are listed apart, as Dispatch.
//
// Resolution is a join at query time. It reads the stored facts of files, each of which depends on
// that file's bytes alone, through a World: one generation of the index. Derived values are kept in
// a Cache: files by their content hash, everything else by the generation. So an edit never leaves
// an edge of another file stale. Settle precomputes: it resolves every call site and keeps each
// verdict together with its look-ups, for as long as each of them would give the same result
// (ledger.go, reads.go). The index keeps these verdicts for the next process (ledger_store.go,
// ledger_pack.go).
//
// The confidence of an edge is the measured precision of its rung in its
// language (calibration.go, docs/accuracy.md).
//
// Each language implements Settler in a package of its own below l2meta/languages. They share File
// and World (look-ups), ParseExpr and Eval (expressions), and Type and Value (types as written,
// interpreted lazily). This package names no language.
package resolve
