package store

import (
	"context"
	"errors"
	"fmt"
	"os"
)

// SQLite restarts the WAL only when no reader uses it, and the checkpoint of a
// normal commit does not wait for readers. While views overlap without a gap,
// for example when agents query during a long build, the WAL would keep
// growing: measured 2.9 GB beside a database of 1.2 GB.
const (
	// longLog is the length of the WAL, in bytes, at which a commit waits for
	// readers.
	longLog = 8 * journalBytes
	// foldPatience bounds, in ms, how long a commit waits for readers. It does
	// not block them: new readers find the WAL folded in and do not use it.
	foldPatience = 2000
)

// fold copies the pages of a long WAL into the database and empties the WAL. If a reader prevents
// that for longer than foldPatience, a later commit tries again when the WAL is twice as long. The
// caller holds db.turn.
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
		db.conn.discard() // discarded because its busy timeout may now be too short to wait for another process
	}
	if db.foldAt = db.longLog; err != nil || busy != 0 {
		db.foldAt = 2 * info.Size()
	}
}
