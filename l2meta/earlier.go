package l2meta

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"

	"sextant/internal/store"
)

// While a program derives parts from all files (Derivation), the index logs the facts that it
// replaces. If a file changes before its part is derived, the results that depend on the file are
// found by comparing its facts before and after the change. The log is not written by a trigger: a
// trigger on table facts would open a savepoint for each file, at which every FTS5 table writes out
// its pending terms. That took a twelfth of the time of a first index.

// Log is a position in the log of replaced facts. The zero value means that there is no log.
type Log struct {
	ID  string // identifies the log; "" for none
	End int64  // number of the last row before the position
}

// metaLog is the meta key of the ID of the log that is being written.
const metaLog = "l2meta_log"

// maxLogged is the number of rows at which a log is given up: following so many changes costs as
// much as deriving all parts again.
const maxLogged = 5_000

// StartLog makes the index log the facts that it replaces, unless it does so already.
func (Index) StartLog(ctx context.Context, tx *store.Tx) error {
	id, err := tx.Meta(ctx, metaLog)
	if err == nil && id == "" {
		err = tx.SetMeta(ctx, metaLog, strconv.FormatUint(rand.Uint64(), 36))
	}
	return err
}

// EndLog empties the log and ends it.
func (Index) EndLog(ctx context.Context, tx *store.Tx) error {
	id, err := tx.Meta(ctx, metaLog)
	if err != nil || id == "" {
		return err
	}
	if _, err := tx.Exec(ctx, "DELETE FROM earlier"); err != nil {
		return fmt.Errorf("empty the log of facts: %w", err)
	}
	return tx.SetMeta(ctx, metaLog, "")
}

// LogEnd returns the end of the log; the zero value if none is written.
func (Index) LogEnd(ctx context.Context, v *store.View) (l Log, err error) {
	if l.ID, err = v.Meta(ctx, metaLog); err != nil || l.ID == "" {
		return Log{}, err
	}
	_, err = v.QueryRow(ctx, "SELECT coalesce(max(n), 0) FROM earlier", nil, &l.End)
	return l, err
}

// Earlier returns the facts that a file had when the log was at the position at; empty ones if it
// had none. known is false if that is not known: the log of at has ended.
func (x Index) Earlier(ctx context.Context, v *store.View, at Log, fileID int64) (f Facts, known bool, err error) {
	id, err := v.Meta(ctx, metaLog)
	if err != nil || id == "" || id != at.ID {
		return f, false, err
	}
	var data store.Blob
	changed, err := v.QueryRow(ctx, "SELECT data FROM earlier WHERE file_id=? AND n>? ORDER BY n LIMIT 1",
		[]any{fileID, at.End}, &data)
	switch {
	case err != nil:
		return f, false, err
	case !changed:
		f, err = x.Facts(ctx, v, fileID)
		return f, err == nil, err
	case len(data) == 0:
		return f, true, nil
	}
	f, err = unpack(data)
	return f, err == nil, err
}

// logFacts logs the facts of a file, which are about to be replaced. If known is false, the file
// has no facts, and an empty row is logged.
func logFacts(ctx context.Context, tx *store.Tx, fileID int64, known bool) error {
	data := store.Blob{}
	if known {
		if _, err := tx.QueryRow(ctx, "SELECT data FROM facts WHERE file_id=?", []any{fileID}, &data); err != nil {
			return err
		}
	}
	row, err := tx.Exec(ctx, "INSERT INTO earlier(file_id, data) VALUES(?,?)", fileID, []byte(data))
	if err != nil {
		return fmt.Errorf("log facts: %w", err)
	}
	if n, err := row.LastInsertId(); err != nil || n < maxLogged {
		return err
	}
	return Index{}.EndLog(ctx, tx)
}
