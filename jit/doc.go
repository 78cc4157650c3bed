// Package jit is the freshness gate: it answers whether what the index says
// of a file is what the disk says now, and makes it so where it is not. The
// cold index is the same gate over an empty table.
//
// It never parses a language, never ranks, and knows nothing of the rows that
// the tiers keep; it sees them as Indexer. No text of a file is kept: the
// index is a cache of the disk, and the disk is asked before each answer.
//
// # Three questions
//
//   - Sync: is every file of the root as the index has it? Answered by a
//     sweep that stats every file, or, where a watcher is up and proves that
//     it has seen every event so far (see watch.go), by the directories in
//     which something happened.
//   - Verify: are these files as the index has them? Answered by a stat of
//     each, and its bytes where the stat key is too young to prove anything.
//   - Read: the bytes of this file, if they are the bytes that were indexed.
//
// # Invariants
//
//   - A file's stat key, its hash and every tier's rows commit in one
//     transaction. Inside it, the file is stat-ed once more: what is committed
//     was on disk while the transaction held the write lock, so writers of
//     several processes cannot put an older reading over a newer one.
//   - What could not be read is not gone: an unreadable file or directory
//     keeps its rows and is reported as unverified.
//   - The watcher only ever saves work. Whatever it cannot vouch for is swept.
//
// # Format
//
// Beside the files table, a root's database has in meta
//
//	generation   counter, raised by every transaction that touches rows; it starts
//	             at the time when the database was made, in ns
//	log_floor    the generation up to which changed_paths is incomplete
//	build        JSON of Build: the state of the cold index
//	last_sync    ns since the epoch of the last completed Sync
//
// and the table changed_paths(generation, path): what each generation above
// log_floor touched, so that another process refreshes its picture of the
// files table without reading all of it. table_snapshot holds that picture as
// of some generation (snapshot.go), for a process that starts.
package jit
