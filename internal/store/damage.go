package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	sqlite "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// healEvery is the shortest time between two replacements of a damaged
// database. If damage recurs sooner, rebuilding does not help: the disk is
// failing, or another program writes into the file.
const healEvery = 10 * time.Minute

// errDamaged says that quickCheck found damage.
var errDamaged = errors.New("the database is damaged")

// DamagedError says that a database was damaged again, soon after it replaced a
// damaged one.
type DamagedError struct {
	Path  string
	Until time.Time // time from which on a use replaces the database again
	Err   error
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("%s is damaged for the second time within %v; using it after %s rebuilds it: %v",
		e.Path, healEvery, e.Until.UTC().Format(time.RFC3339), e.Err)
}

func (e *DamagedError) Unwrap() error { return e.Err }

// fault classifies an error by its meaning for the database file.
type fault uint8

const (
	sound    fault = iota // says nothing of the file: cancelled, locked by another process, no disk space or memory
	doubtful              // a read or write failed, perhaps for a passing reason
	damaged               // its bytes are not those that SQLite wrote
)

// faultOf classifies err. An error that does not come from SQLite is sound: it says nothing about
// the file.
func faultOf(err error) fault {
	if errors.Is(err, errDamaged) {
		return damaged
	}
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return sound
	}
	switch code := e.Code(); {
	case code == sqlite3.SQLITE_IOERR_SHORT_READ, code == sqlite3.SQLITE_IOERR_DATA:
		return damaged
	case code&0xff == sqlite3.SQLITE_CORRUPT, code&0xff == sqlite3.SQLITE_NOTADB:
		return damaged
	case code&0xff == sqlite3.SQLITE_IOERR && code != sqlite3.SQLITE_IOERR_NOMEM:
		return doubtful
	}
	return sound
}

// FullError is the error of a transaction for which the disk has no room.
type FullError struct {
	Dir string // the folder of the database
	Err error
}

func (e *FullError) Error() string { return e.Advice() + ": " + e.Err.Error() }

// Advice says that the disk is full and what to do, without the error of the database.
func (e *FullError) Advice() string {
	return fmt.Sprintf("the disk of %s is full; make room there, then repeat", e.Dir)
}

func (e *FullError) Unwrap() error { return e.Err }

// explain returns err, as a FullError if the disk is full.
func (db *DB) explain(err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) || e.Code()&0xff != sqlite3.SQLITE_FULL {
		return err
	}
	return &FullError{Dir: filepath.Dir(db.path), Err: err}
}

// damagedName is the base name under which a folder keeps its last damaged
// database, for later inspection.
const damagedName = "damaged.db"

// damagedAt returns the time at which a database of dir was last set aside, or
// the zero time.
func damagedAt(dir string) time.Time {
	info, err := os.Stat(filepath.Join(dir, damagedName))
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// healedLately reports whether a database of dir was set aside less than healEvery before now. A time after now comes
// from a clock that was wrong, and would forbid healing until then.
func healedLately(dir string, now time.Time) bool {
	since := now.Sub(damagedAt(dir))
	return 0 <= since && since < healEvery
}

// setAside renames a damaged database to damagedName. If another one was set aside less than
// healEvery ago, it returns a *DamagedError instead. The caller holds the folder's lock.
func setAside(path string, now time.Time, cause error) error {
	dir := filepath.Dir(path)
	aside := filepath.Join(dir, damagedName)
	if healedLately(dir, now) {
		return &DamagedError{Path: path, Until: damagedAt(dir).Add(healEvery), Err: cause}
	}
	if err := removeDatabase(aside); err != nil {
		return err
	}
	// Rename the database first: SQLite deletes a WAL that has no database.
	err := errors.Join(os.Rename(path, aside), os.Chtimes(aside, now, now))
	if logErr := os.Rename(path+"-wal", aside+"-wal"); !errors.Is(logErr, os.ErrNotExist) {
		err = errors.Join(err, logErr)
	}
	return errors.Join(err, removeDatabase(path))
}
