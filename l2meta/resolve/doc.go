// Package resolve resolves call sites across the files of a root to the declarations that they
// call. It uses syntax, scopes, imports and written types. The rules are rungs of a ladder. The
// first rung that applies settles the call, and names the strategy:
//
//	T0  same_scope, same_file        declared in a scope around the call, or in its file
//	T1  same_type, same_package      declared in the caller's own class, module or package
//	T2  imported                     through an import: aliases, re-exports, barrels
//	T3  typed_…, inherited           a receiver whose type is known
//	T3  alternative                  one of several declarations, of which a condition chooses
//	T4  unique_name                  the only such name of an imported package; confidence at most 0.5
//
// There is no lower rung: a call that no rung settles stays open, with a reason. A call that
// leaves the workspace is external. A virtual call resolves to its static target; the overrides
// that may run instead are listed apart, as Dispatch.
//
// Resolution is a join at query time. It reads the stored facts of files, each of which depends
// on that file's bytes alone, through a World: one generation of the index. Derived values are
// kept in a Cache: files by their content hash, everything else by the generation. So an edit
// never leaves an edge of another file stale. Settle precomputes: in the background it resolves
// every call site, and stores the results (verdicts) in a ledger, together with the look-ups that
// they depend on. A verdict is valid until one of these look-ups would give another result
// (ledger.go, reads.go). The index keeps the ledger for the next process (ledger_store.go,
// ledger_pack.go).
package resolve
