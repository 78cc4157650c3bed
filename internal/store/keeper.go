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

// Keeper keeps a database usable whatever happens to its file. If a process
// removed or replaced the file, the Keeper opens the new one. It replaces a
// damaged database by an empty one. A Keeper is safe for concurrent use.
type Keeper struct {
	opt KeeperOptions

	mu     sync.Mutex
	db     *DB   // guarded by mu; nil if it must be opened
	epoch  Epoch // number of the current database, or of the next one if none is open; guarded by mu
	closed bool  // guarded by mu
}

// Epoch numbers the databases that a Keeper has opened, in order.
type Epoch int64

// KeeperOptions configure Keep. Dir is required.
type KeeperOptions struct {
	Options
	Clock func() time.Time // nil means time.Now
	// Wanted is set for a database that is needed even if its folder was removed: its next use makes both
	// again.
	Wanted bool
	// Lost, if not nil, is called when the Keeper stops using a database, before it opens another.
	// It must return quickly and not call the Keeper.
	Lost func()
}

// Keep opens the database in opt.Dir. It creates the folder and the database if
// they are missing. While another process opens, copies or removes a database in that folder, Keep waits, at
// most until ctx ends.
func Keep(ctx context.Context, opt KeeperOptions) (*Keeper, error) {
	if opt.Clock == nil {
		opt.Clock = time.Now
	}
	if err := os.MkdirAll(opt.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	k := &Keeper{opt: opt}
	_, err := k.current(ctx)
	return k, err
}

// Close closes the database.
func (k *Keeper) Close() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.closed = true
	if k.db == nil {
		return nil
	}
	return k.db.Close()
}

// View calls DB.View on the current database. If the error is ErrReplaced, the database was
// replaced meanwhile, and the caller must discard everything that fn has read.
func (k *Keeper) View(ctx context.Context, fn func(*View) error) error {
	db, err := k.current(ctx)
	if err != nil {
		return err
	}
	return k.judge(ctx, db, db.View(ctx, fn))
}

// Update calls DB.Update on the current database. If the error is ErrReplaced, the database was
// replaced meanwhile, and the writes of fn may be lost.
func (k *Keeper) Update(ctx context.Context, fn func(*Tx) error) error {
	db, err := k.current(ctx)
	if err != nil {
		return err
	}
	err = db.Update(ctx, fn)
	if err == nil && db.Replaced() {
		return ErrReplaced
	}
	return k.judge(ctx, db, err)
}

// During runs fn unless the database of epoch e has been given up, and reports
// whether it ran. The Keeper does not give up a database while fn runs.
func (k *Keeper) During(e Epoch, fn func()) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.db == nil || k.db.epoch != e {
		return false
	}
	fn()
	return true
}

// Present reports whether the database's folder exists. If it was removed, the
// database is no longer wanted, and every use of the Keeper fails, unless
// KeeperOptions.Wanted is set.
func (k *Keeper) Present() bool {
	info, err := os.Stat(k.opt.Dir)
	return err == nil && info.IsDir()
}

// Remove deletes the database. The next use creates an empty one.
func (k *Keeper) Remove(ctx context.Context) error {
	return exclusively(ctx, k.opt.Dir, func() error {
		k.mu.Lock()
		defer k.mu.Unlock()
		if k.closed {
			return ErrClosed
		}
		k.giveUp()
		return removeDatabase(k.path())
	})
}

// Healing reports whether the database replaced a damaged one less than
// healEvery ago.
func (k *Keeper) Healing() bool {
	return healedLately(k.opt.Dir, k.opt.Clock())
}

func (k *Keeper) path() string { return filepath.Join(k.opt.Dir, FileName(k.opt.Schemas)) }

// current returns the database to use, opened anew if it was given up or
// replaced.
func (k *Keeper) current(ctx context.Context) (*DB, error) {
	if db, err := k.opened(); db != nil || err != nil {
		return db, err
	}
	if k.opt.Wanted {
		if err := os.MkdirAll(k.opt.Dir, 0o700); err != nil {
			return nil, fmt.Errorf("open store: %w", err)
		}
	}
	err := exclusively(ctx, k.opt.Dir, k.reopen)
	if err != nil {
		return nil, err
	}
	db, err := k.opened()
	if db == nil && err == nil {
		err = ErrReplaced // already, by another process
	}
	return db, err
}

// opened returns the database that is open, or nil if it must be opened.
func (k *Keeper) opened() (*DB, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	switch {
	case k.closed:
		return nil, ErrClosed
	case k.db != nil && !k.db.Replaced():
		return k.db, nil
	}
	return nil, nil
}

// reopen opens the database unless another goroutine has opened it meanwhile. The caller holds the folder's
// lock: k.mu is always taken after it, so that no call waits for the folder while it holds k.mu.
func (k *Keeper) reopen() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.closed || k.db != nil && !k.db.Replaced() {
		return nil
	}
	k.giveUp()
	db, err := openIn(k.opt.Options)
	if faultOf(err) == damaged {
		if err = setAside(k.path(), k.opt.Clock(), err); err == nil {
			db, err = openIn(k.opt.Options)
		}
	}
	if err != nil {
		return err
	}
	db.epoch, k.db = k.epoch, db
	return nil
}

// giveUp closes the database for good. The caller holds k.mu.
func (k *Keeper) giveUp() {
	if k.db == nil {
		return
	}
	_ = k.db.Close() // its file is gone or damaged, so there is nothing left to lose
	k.db = nil
	k.epoch++
	if k.opt.Lost != nil {
		k.opt.Lost()
	}
}

// judge decides what err, the result of a View or Update of db, means. If db is damaged, it is
// replaced. judge adds ErrReplaced to err if the caller must discard what it has read or written.
func (k *Keeper) judge(ctx context.Context, db *DB, err error) error {
	if err == nil {
		return nil
	}
	if db.Replaced() {
		return errors.Join(ErrReplaced, err)
	}
	switch faultOf(err) {
	case damaged:
		return k.heal(ctx, db, err)
	case doubtful:
		if checkErr := quickCheck(context.WithoutCancel(ctx), k.path()); faultOf(checkErr) != sound {
			return k.heal(ctx, db, errors.Join(err, checkErr))
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

// heal renames the damaged file of db, so that the next use creates an empty database. It does
// nothing to the file if another goroutine or process already did so.
func (k *Keeper) heal(ctx context.Context, db *DB, cause error) error {
	err := exclusively(ctx, k.opt.Dir, func() error {
		k.mu.Lock()
		defer k.mu.Unlock()
		if k.db != db {
			return nil
		}
		if !db.Replaced() {
			if err := setAside(db.path, k.opt.Clock(), cause); err != nil {
				return err
			}
		}
		k.giveUp()
		return nil
	})
	if err != nil {
		return err
	}
	return errors.Join(ErrReplaced, cause)
}

// quickCheck lets SQLite check every page of the database, on a separate
// connection. It returns errDamaged if a page is bad.
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
