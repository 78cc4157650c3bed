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

// healEvery is how often a damaged database is set aside for a new one. Damage
// that comes back within it is not healed by rebuilding: the disk is failing,
// or something writes into the file.
const healEvery = 10 * time.Minute

// errDamaged says that a check of SQLite found damage.
var errDamaged = errors.New("the database is damaged")

// DamagedError says that a database was damaged again soon after it had been
// made anew for that reason.
type DamagedError struct {
	Path  string
	Until time.Time // when it is made anew, if it is used then
	Err   error
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("%s is damaged for the second time within %v, and is made anew at %s: %v", e.Path, healEvery, e.Until.UTC().Format(time.RFC3339), e.Err)
}

func (e *DamagedError) Unwrap() error { return e.Err }

// fault is what an error says of the database file.
type fault uint8

const (
	sound    fault = iota // nothing: the caller went away, another writes, the disk is full, memory is short
	doubtful              // it could not be read or written, for a reason that may have passed
	damaged               // it is not what SQLite wrote
)

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

// damagedName is the base name under which the last damaged database of a
// folder is kept, for whoever wants to know what became of it.
const damagedName = "damaged.db"

// damagedAt is when a database of dir was last set aside, zero for never.
func damagedAt(dir string) time.Time {
	info, err := os.Stat(filepath.Join(dir, damagedName))
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// setAside moves a damaged database out of the way. It wants the lock of its
// folder held. It refuses with a *DamagedError when that was done a moment ago.
func setAside(path string, now time.Time, cause error) error {
	dir := filepath.Dir(path)
	aside := filepath.Join(dir, damagedName)
	if last := damagedAt(dir); !last.IsZero() && now.Sub(last) < healEvery {
		return &DamagedError{Path: path, Until: last.Add(healEvery), Err: cause}
	}
	if err := removeDatabase(aside); err != nil {
		return err
	}
	// The database first: SQLite drops a log that is left beside none.
	err := errors.Join(os.Rename(path, aside), os.Chtimes(aside, now, now))
	if logErr := os.Rename(path+"-wal", aside+"-wal"); !errors.Is(logErr, os.ErrNotExist) {
		err = errors.Join(err, logErr)
	}
	return errors.Join(err, removeDatabase(path))
}
