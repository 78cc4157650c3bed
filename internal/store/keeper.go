package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Keeper keeps a database open whatever becomes of its file: it opens another
// one when a process has removed or replaced it, and sets a damaged one aside
// for a new, empty one. It is safe for concurrent use.
type Keeper struct {
	opt KeeperOptions

	mu     sync.Mutex
	db     *DB   // guarded by mu; nil when it is to be opened
	epoch  Epoch // guarded by mu; of the next database
	closed bool  // guarded by mu
}

// Epoch numbers the databases that a Keeper had, in their order.
type Epoch int64

// KeeperOptions of Keep. Dir is required.
type KeeperOptions struct {
	Options
	Clock func() time.Time // nil means time.Now
	// Lost, if not nil, is called when a database is given up, before another
	// one can be used. It must be quick, and call nothing of the Keeper.
	Lost func()
}

// Keep opens the database of opt.Dir, or makes it and its folder.
func Keep(opt KeeperOptions) (*Keeper, error) {
	if opt.Clock == nil {
		opt.Clock = time.Now
	}
	if err := os.MkdirAll(opt.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	k := &Keeper{opt: opt}
	_, err := k.current()
	return k, err
}

// Close ends the use of the database.
func (k *Keeper) Close() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.closed = true
	if k.db == nil {
		return nil
	}
	return k.db.Close()
}

// View is DB.View on the database as it is now. ErrReplaced says that it was
// exchanged meanwhile: what was read does not count.
func (k *Keeper) View(ctx context.Context, fn func(*View) error) error {
	db, err := k.current()
	if err != nil {
		return err
	}
	return k.judge(ctx, db, db.View(ctx, fn))
}

// Update is DB.Update on the database as it is now. ErrReplaced says that it was
// exchanged meanwhile: what was written may be lost.
func (k *Keeper) Update(ctx context.Context, fn func(*Tx) error) error {
	db, err := k.current()
	if err != nil {
		return err
	}
	err = db.Update(ctx, fn)
	if err == nil && db.Replaced() {
		return ErrReplaced
	}
	return k.judge(ctx, db, err)
}

// During runs fn unless the database of an epoch has been given up; it cannot be
// while fn runs. It reports whether fn ran.
func (k *Keeper) During(e Epoch, fn func()) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.db == nil || k.db.epoch != e {
		return false
	}
	fn()
	return true
}

// Present reports whether the folder of the database is there. Without it a use of
// the Keeper fails: whoever removed it wants the database gone.
func (k *Keeper) Present() bool {
	info, err := os.Stat(k.opt.Dir)
	return err == nil && info.IsDir()
}

// Remove deletes the database; its next use makes an empty one.
func (k *Keeper) Remove() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.closed {
		return ErrClosed
	}
	k.giveUp()
	return exclusively(k.opt.Dir, func() error { return removeDatabase(k.path()) })
}

// Healing reports whether the database that is used was made because its
// predecessor was damaged, a moment ago.
func (k *Keeper) Healing() bool {
	at := damagedAt(k.opt.Dir)
	return !at.IsZero() && k.opt.Clock().Sub(at) < healEvery
}

func (k *Keeper) path() string { return filepath.Join(k.opt.Dir, FileName(k.opt.Schemas)) }

// current is the database to use.
func (k *Keeper) current() (*DB, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	switch {
	case k.closed:
		return nil, ErrClosed
	case k.db != nil && !k.db.Replaced():
		return k.db, nil
	}
	k.giveUp()
	err := exclusively(k.opt.Dir, func() (err error) {
		if k.db, err = openIn(k.opt.Options); faultOf(err) == damaged {
			if err = setAside(k.path(), k.opt.Clock(), err); err == nil {
				k.db, err = openIn(k.opt.Options)
			}
		}
		return err
	})
	if err != nil {
		k.db = nil
		return nil, err
	}
	k.db.epoch = k.epoch
	return k.db, nil
}

// giveUp parts with the database; it wants k.mu held.
func (k *Keeper) giveUp() {
	if k.db == nil {
		return
	}
	_ = k.db.Close() // its file is gone or to go: there is nothing left to lose
	k.db = nil
	k.epoch++
	if k.opt.Lost != nil {
		k.opt.Lost()
	}
}

// judge decides what an error of db says of its file, and acts on it.
func (k *Keeper) judge(ctx context.Context, db *DB, err error) error {
	if err == nil {
		return nil
	}
	if db.Replaced() {
		return errors.Join(ErrReplaced, err)
	}
	switch faultOf(err) {
	case damaged:
		return k.heal(db, err)
	case doubtful:
		if checkErr := quickCheck(context.WithoutCancel(ctx), k.path()); faultOf(checkErr) != sound {
			return k.heal(db, errors.Join(err, checkErr))
		}
		k.mu.Lock()
		defer k.mu.Unlock()
		if k.db == db {
			k.giveUp()
		}
		return errors.Join(ErrReplaced, err)
	}
	return err
}

// heal sets db aside, unless another goroutine or process has done so already.
func (k *Keeper) heal(db *DB, cause error) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.db == db {
		err := exclusively(k.opt.Dir, func() error {
			if db.Replaced() {
				return nil
			}
			return setAside(db.path, k.opt.Clock(), cause)
		})
		if err != nil {
			return err
		}
		k.giveUp()
	}
	return errors.Join(ErrReplaced, cause)
}

// quickCheck opens a database apart from all others and has SQLite look at every
// page. What it finds is errDamaged.
func quickCheck(ctx context.Context, path string) error {
	handle, err := openHandle(path, "ro", readerCache)
	if err != nil {
		return err
	}
	defer handle.Close()
	var word string
	if err := handle.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&word); err != nil {
		return err
	}
	if word != "ok" {
		return fmt.Errorf("%w: %s", errDamaged, word)
	}
	return nil
}
