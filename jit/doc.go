// Package jit is the freshness gate: it detects where the index differs from the
// files on disk, and updates the index. Building the index for the first time, the
// cold index, is the same procedure with an empty table of files.
//
// Package jit never parses a language and never ranks. It does not know the rows of
// the tiers (the word index, the symbol index); it writes them through the interface
// Indexer. It keeps no text of a file: the index is a cache of the disk, and every
// answer is checked against the disk first.
//
// # Three questions
//
//   - Sync: is the index of the whole root up to date? A sweep calls stat for every
//     file. If a watcher runs and proves that it has seen every event so far (see
//     watch.go), only the directories with events are checked.
//   - Verify: is the index of these files up to date? It calls stat for each, and
//     reads the bytes if the stat key (size, times, inode, mode) is so young that
//     a later change may have left it equal.
//   - Read: what are the bytes of this file, provided they are those indexed?
//
// # Invariants
//
//   - A file's stat key, its hash and the rows of every tier commit in one
//     transaction, which calls stat for the file once more. What is committed was on
//     disk while the transaction held the write lock. So a process cannot replace a
//     newer state of a file by an older one that it read earlier.
//   - A file that cannot be read is not treated as deleted: an unreadable file or
//     directory keeps its rows and is reported as unverified.
//   - The watcher only saves work. Whenever it may have missed changes, a sweep
//     finds them.
//
// # Format
//
// In addition to the files table, the database of a root has in the table meta
//
//	generation   counter, incremented by every transaction that changes rows; its
//	             first value is the time of the database's creation, in ns
//	log_floor    the generation up to which changed_paths is incomplete
//	build        JSON of Progress: the state of the cold index
//	last_sync    ns since the epoch of the last completed Sync
//
// and the table changed_paths(generation, path): the paths that each generation
// above log_floor changed. With it, another process updates its copy of the files
// table without reading all rows. The table table_snapshot holds a whole copy of the
// files table as of one generation, which a new process reads faster than the rows
// (snapshot.go).
package jit
