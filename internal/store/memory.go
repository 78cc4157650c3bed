package store

import (
	"math"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// ReturnMemory frees the database pages that the connections of this process cache, except those
// that a running View or Update uses. The next queries read their pages again. This build of
// SQLite keeps the pages of all connections in one list, so the function needs no database.
// Keeping some pages would not help: the allocator takes 64 KiB from the system for seven pages,
// and gives them back only together.
func ReturnMemory() {
	tls := libc.NewTLS()
	defer tls.Close()
	sqlite3.Xsqlite3_release_memory(tls, math.MaxInt32)
}
