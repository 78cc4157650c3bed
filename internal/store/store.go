// Package store keeps what is known of a root on disk: one SQLite database a
// root, plus a catalog of roots, under the user's data directory.
//
// It owns the handle and the files table. The tables of a tier belong to
// that tier, which hands its schema in and runs its own SQL inside the
// transactions given here; no SQL of one owner names another's table, save
// the id and path of files.
//
// Invariants:
//
//   - A file's stat key and all rows made from its bytes commit in one
//     transaction (Update), so a reader sees both or neither.
//   - The database is a cache of the disk. The name of its file carries the
//     version of every schema and of the extractor; another version is another
//     file, and nothing is ever migrated.
//   - One connection writes, in one process at a time (BEGIN IMMEDIATE and a
//     busy timeout); readers are read-only connections on WAL snapshots and
//     never wait for it.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	_ "modernc.org/sqlite" // registers the driver "sqlite"
)

// Schema is the tables of one owner.
type Schema struct {
	Name    string // of the owner, for the file name and for errors
	Version int    // raised with every change of SQL or of what rows mean
	SQL     string // CREATE … IF NOT EXISTS statements
}

// Options of Open. Dir is required.
type Options struct {
	Dir     string   // directory that holds the database; made when missing
	Schemas []Schema // beside the files table
	Readers int      // read-only connections; 0 means 4
	// Fill, if not nil, puts the first rows into a database that was made anew.
	Fill func(context.Context, *Tx) error
}

// DB is one root's database. It is safe for concurrent use.
type DB struct {
	path    string
	inode   os.FileInfo // nil until it is open
	epoch   Epoch       // of its Keeper
	writer  *sql.DB
	readers *sql.DB

	turn chan struct{} // capacity 1: held for the length of an Update
	conn *statements   // guarded by turn
	// longLog is the length in bytes of a log that a commit folds, waiting for
	// readers, and foldAt the one at which the next does.
	longLog, foldAt int64            // guarded by turn
	pool            chan *statements // idle read-only connections, capacity Options.Readers

	mu     sync.Mutex
	users  int  // guarded by mu; Updates and Views under way
	closed bool // guarded by mu
}

// Errors that callers branch on.
var (
	// ErrClosed is returned by a DB that was closed.
	ErrClosed = errors.New("store is closed")
	// ErrReplaced: the name of the database belongs to another one by now, or to
	// none, so nothing that was read of it or written to it counts.
	ErrReplaced = errors.New("the database was replaced")
)

const (
	// busyTimeout is how long a writer waits for another process's batch. A
	// batch of the cold index takes well under a second.
	busyTimeout = 20 * time.Second
	// writerCache and readerCache bound the page caches, in KiB.
	writerCache = 24 << 10
	readerCache = 6 << 10
	// checkpointPages is the WAL length at which a commit folds it back into
	// the database: 4,000 pages of 4 KiB.
	checkpointPages = 4000
	// journalBytes is what the log is cut to when it starts anew, which is its
	// usual size; the last to close the database cuts it to nothing.
	journalBytes = 4096 * checkpointPages
)

// Open opens the database of opt.Dir, made anew when it is missing. Who keeps it
// open for long, beside other processes, uses Keep.
func Open(ctx context.Context, opt Options) (*DB, error) {
	k, err := Keep(KeeperOptions{Options: opt})
	if err != nil {
		return nil, err
	}
	return k.db, ctx.Err()
}

// openIn opens the database of an existing folder.
func openIn(opt Options) (*DB, error) {
	if opt.Readers <= 0 {
		opt.Readers = 4
	}
	path := filepath.Join(opt.Dir, FileName(opt.Schemas))
	db, err := open(context.Background(), path, append([]Schema{filesSchema}, opt.Schemas...), opt)
	if err != nil {
		return nil, fmt.Errorf("open store %s: %w", path, err)
	}
	now := time.Now()
	_ = os.Chtimes(path, now, now) // for RemoveUnused of another version: reading leaves no trace
	return db, nil
}

// FileName is the base name of the database with these schemas:
// "index-f1-l1fts3-l2meta7.db".
func FileName(schemas []Schema) string {
	name := fmt.Sprintf("index-%s%d", filesSchema.Name, filesSchema.Version)
	for _, s := range schemas {
		name += fmt.Sprintf("-%s%d", s.Name, s.Version)
	}
	return name + ".db"
}

// Kept reports which databases dir holds: the one with these schemas, and
// any of another version of them. It makes nothing.
func Kept(dir string, schemas []Schema) (this, other bool) {
	found, others := databases(dir, schemas)
	return found, len(others) > 0
}

// databases is whether dir holds the one with these schemas, and the paths of
// those of other versions.
func databases(dir string, schemas []Schema) (this bool, others []string) {
	name := FileName(schemas)
	found, _ := filepath.Glob(filepath.Join(escapeGlob(dir), "index-*.db")) // the pattern is well-formed
	for _, path := range found {
		if filepath.Base(path) == name {
			this = true
		} else {
			others = append(others, path)
		}
	}
	return this, others
}

// RemoveUnused removes the databases of other versions in dir that nothing has
// opened or written to since before.
func RemoveUnused(dir string, schemas []Schema, before time.Time) (err error) {
	_, others := databases(dir, schemas)
	others = append(others, filepath.Join(dir, damagedName))
	for _, path := range others {
		if !touchedSince(path, before) {
			err = errors.Join(err, removeDatabase(path))
		}
	}
	return err
}

func touchedSince(path string, before time.Time) bool {
	return slices.ContainsFunc(databaseSuffixes, func(suffix string) bool {
		info, err := os.Stat(path + suffix)
		return err == nil && info.ModTime().After(before)
	})
}

// escapeGlob is a path as a pattern that matches it alone.
func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

func open(ctx context.Context, path string, schemas []Schema, opt Options) (_ *DB, err error) {
	db := &DB{path: path, turn: make(chan struct{}, 1), pool: make(chan *statements, opt.Readers), longLog: longLog, foldAt: longLog}
	defer func() {
		if err != nil {
			db.Close()
		}
	}()
	// Made here, and opened as one that exists: a connection that is opened again
	// later must not make a database where this one was removed.
	if err := errors.Join(registerSums(), makeFile(path)); err != nil {
		return nil, err
	}
	if db.writer, err = openHandle(path, "rw", writerCache); err != nil {
		return nil, err
	}
	db.writer.SetMaxOpenConns(1)
	db.conn = newStatements(db, db.writer)
	if err := db.createTables(ctx, schemas, opt.Fill); err != nil {
		return nil, err
	}
	if db.inode, err = os.Stat(path); err != nil {
		return nil, err
	}
	if db.readers, err = openHandle(path, "ro", readerCache); err != nil {
		return nil, err
	}
	db.readers.SetMaxOpenConns(opt.Readers)
	for range opt.Readers {
		s := newStatements(db, db.readers)
		db.pool <- s
		if err := s.connect(); err != nil {
			return nil, err
		}
	}
	return db, nil
}

func openHandle(path, mode string, cacheKiB int) (*sql.DB, error) {
	pragmas := "query_only(1)"
	if mode != "ro" {
		pragmas = fmt.Sprintf("journal_mode(WAL)&_pragma=synchronous(NORMAL)&_pragma=wal_autocheckpoint(%d)&_pragma=journal_size_limit(%d)",
			checkpointPages, journalBytes)
	}
	return sql.Open("sqlite", fmt.Sprintf("file:%s?vfs=%s&mode=%s&_pragma=busy_timeout(%d)&_pragma=cache_size(-%d)&_pragma=temp_store(MEMORY)&_pragma=%s",
		escapePath(path), vfsName, mode, busyTimeout.Milliseconds(), cacheKiB, pragmas))
}

// createTables makes the tables of a database that has none. They come in one
// transaction, and a database of other tables has another name: one table means
// all of them.
func (db *DB) createTables(ctx context.Context, schemas []Schema, fill func(context.Context, *Tx) error) error {
	if err := db.conn.connect(); err != nil {
		return err
	}
	const count = "SELECT count(*) FROM sqlite_schema"
	var tables int
	if err := db.conn.conn.QueryRowContext(ctx, count).Scan(&tables); err != nil || tables > 0 {
		return err
	}
	return db.Update(ctx, func(tx *Tx) error {
		for _, s := range schemas {
			if _, err := tx.stmts.conn.ExecContext(ctx, s.SQL); err != nil {
				return fmt.Errorf("schema %s: %w", s.Name, err)
			}
		}
		if fill == nil {
			return nil
		}
		return fill(ctx, tx)
	})
}

// Close ends the use of db. What reads or writes already goes on to its end, and
// the last of it releases the connections.
func (db *DB) Close() error {
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.closed {
		return nil
	}
	db.closed = true
	return db.release()
}

// enter counts a user of db; it reports false when db is closed.
func (db *DB) enter() bool {
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.closed {
		return false
	}
	db.users++
	return true
}

func (db *DB) leave() {
	db.mu.Lock()
	defer db.mu.Unlock()
	db.users--
	_ = db.release() // of connections that nobody can use any more
}

// release gives the connections of a closed db back when nobody uses them; it
// wants db.mu held.
func (db *DB) release() error {
	if !db.closed || db.users > 0 {
		return nil
	}
	var errs []error
	if db.conn != nil {
		errs = append(errs, db.conn.close())
	}
	for len(db.pool) > 0 {
		errs = append(errs, (<-db.pool).close())
	}
	for _, h := range []*sql.DB{db.readers, db.writer} {
		if h != nil {
			errs = append(errs, h.Close())
		}
	}
	return errors.Join(errs...)
}

// Path is the database file.
func (db *DB) Path() string { return db.path }

// Replaced reports whether the file behind the handle was removed, by a clear
// in another process, say: then the handle is to be closed and opened anew.
func (db *DB) Replaced() bool {
	now, err := os.Stat(db.path)
	return err != nil || !os.SameFile(now, db.inode)
}

// databaseSuffixes are the files that make up one SQLite database. Removing
// the first beside a left-over log corrupts the next one of that name.
var databaseSuffixes = []string{"", "-wal", "-shm"}

func removeDatabase(path string) error {
	var errs []error
	for _, suffix := range databaseSuffixes {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
