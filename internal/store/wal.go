package store

import (
	"context"
	"errors"
	"fmt"
	"os"
)

// The log starts anew only when no reader is in it. A commit's own checkpoint
// waits for none, so while views overlap without a gap, as when agents ask
// during a long build, the log would grow for as long as that lasts: to 2.9 GB
// beside a database of 1.2.
const (
	// longLog is the length in bytes at which a commit waits for readers.
	longLog = 8 * journalBytes
	// foldPatience is for how long it does, in ms. Readers go on meanwhile: those
	// that come find the log folded in, and do not enter it.
	foldPatience = 2000
)

// fold folds a log that has grown long into the database, and empties it. A
// reader that stays for longer than foldPatience keeps it from that: then it is
// tried again when the log is twice as long. It wants db.turn, as an Update has it.
func (db *DB) fold(ctx context.Context) {
	ctx = context.WithoutCancel(ctx)
	info, err := os.Stat(db.path + "-wal")
	if err != nil || info.Size() < db.foldAt {
		return
	}
	patience := func(ms int64) error {
		_, err := db.conn.conn.ExecContext(ctx, fmt.Sprintf("PRAGMA busy_timeout=%d", ms))
		return err
	}
	var busy, pages, folded int
	err = patience(foldPatience)
	if err == nil {
		err = db.conn.conn.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &pages, &folded)
		err = errors.Join(err, patience(busyTimeout.Milliseconds()))
	}
	if err != nil {
		db.conn.discard() // it might not wait for another process's batch any more
	}
	if db.foldAt = db.longLog; err != nil || busy != 0 {
		db.foldAt = 2 * info.Size()
	}
}
