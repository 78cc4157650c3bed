// Package store keeps the indexes on disk: one SQLite database per root, plus a
// catalog of the roots, below the user's data directory.
//
// It owns the database handle and the files table. The other tables belong to
// the tiers (the word index, the symbol index): a tier passes in its schema and
// runs its own SQL inside the transactions of this package. SQL of one owner never names the table of
// another, except the columns id and path of files.
//
// Invariants:
//
//   - A file's stat key and all rows derived from its bytes commit in one
//     transaction (Update), so a reader sees both or neither.
//   - The database is a cache of the disk. Its file name carries the version of
//     every schema and of the extractor. A new version gets a new file; nothing is
//     migrated.
//   - One connection writes, in one process at a time (BEGIN IMMEDIATE and a busy
//     timeout). Readers use read-only connections on WAL snapshots and never wait
//     for the writer.
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

// Schema describes the tables of one owner, such as a tier.
type Schema struct {
	Name    string // the owner, for the file name and for errors
	Version int    // raised with every change of SQL or of the meaning of rows
	SQL     string // CREATE … IF NOT EXISTS statements
}

// Options configure Open. Dir is required.
type Options struct {
	Dir     string   // directory that holds the database; created if missing
	Schemas []Schema // tables in addition to the files table
	Readers int      // most read-only connections at a time; 0 means 4
	// Fill, if not nil, writes the first rows of a newly created database.
	Fill func(context.Context, *Tx) error
}

// DB is one root's database. It is safe for concurrent use.
type DB struct {
	path    string
	inode   os.FileInfo // the file that was opened, nil while opening
	epoch   Epoch       // number of the database among those that its Keeper has opened
	mark    *Identity
	writer  *sql.DB
	readers *sql.DB

	turn chan struct{} // capacity 1: an Update holds it while it runs
	conn *statements   // guarded by turn
	// longLog is the WAL's length in bytes from which a commit folds it into
	// the database even if it must wait for readers. foldAt is the length at
	// which the next commit does so.
	longLog, foldAt int64         // guarded by turn
	slots           chan struct{} // capacity Options.Readers: a View holds one while it runs

	mu     sync.Mutex
	idle   []*statements // guarded by mu; read-only connections that no View uses, the latest last
	users  int           // guarded by mu; number of Updates and Views that are running
	closed bool          // guarded by mu
}

// These are errors on which callers branch.
var (
	// ErrClosed is returned by a DB after Close.
	ErrClosed = errors.New("store is closed")
	// ErrReplaced says that the database file was removed, or replaced by another of the same
	// name. Callers must discard what they read from it or wrote to it.
	ErrReplaced = errors.New("the database was replaced")
)

const (
	// busyTimeout bounds the wait for the transaction of another process. A transaction of the
	// build of an index takes well under a second.
	busyTimeout = 20 * time.Second
	// writerCache and readerCache bound the page cache of one connection, in
	// KiB.
	writerCache = 24 << 10
	readerCache = 4 << 10
	// checkpointPages is the length of the WAL at which a commit folds it into
	// the database, without waiting for readers: 4,000 pages of 4 KiB.
	checkpointPages = 4000
	// journalBytes is the size, in bytes, to which SQLite truncates the WAL file when it begins to
	// fill the file from its start again. The last process to close the database empties the file.
	journalBytes = 4096 * checkpointPages
)

// Open opens the database in opt.Dir, or creates it. A caller that keeps it
// open for long, while other processes may remove it, uses Keep instead.
func Open(ctx context.Context, opt Options) (*DB, error) {
	k, err := Keep(ctx, KeeperOptions{Options: opt})
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, errors.Join(err, k.Close())
	}
	return k.db, nil
}

// openIn opens the database in opt.Dir, which exists.
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
	_ = os.Chtimes(path, now, now) // RemoveUnused looks at the time, which reading does not change
	return db, nil
}

// FileName returns the base name of the database with these schemas:
// "index-f1-l1fts3-l2meta7.db".
func FileName(schemas []Schema) string {
	name := fmt.Sprintf("index-%s%d", filesSchema.Name, filesSchema.Version)
	for _, s := range schemas {
		name += fmt.Sprintf("-%s%d", s.Name, s.Version)
	}
	return name + ".db"
}

// Kept reports whether dir contains a database with these schemas, and whether it contains one of
// another version. It creates nothing.
func Kept(dir string, schemas []Schema) (this, other bool) {
	found, others := databases(dir, schemas)
	return found, len(others) > 0
}

// databases reports whether dir holds the database with these schemas, and
// returns the paths of the databases of other versions.
func databases(dir string, schemas []Schema) (this bool, others []string) {
	name := FileName(schemas)
	found := GlobIn(dir, "index-*.db")
	for _, path := range found {
		if filepath.Base(path) == name {
			this = true
		} else {
			others = append(others, path)
		}
	}
	return this, others
}

// RemoveUnused removes the databases of other versions in dir, and a damaged one that was set
// aside, if no process has opened them or written to them since cutoff.
func RemoveUnused(dir string, schemas []Schema, cutoff time.Time) (err error) {
	_, others := databases(dir, schemas)
	others = append(others, filepath.Join(dir, damagedName))
	for _, path := range others {
		if !touchedSince(path, cutoff) {
			err = errors.Join(err, removeDatabase(path))
		}
	}
	return err
}

// touchedSince reports whether a file of the database at path changed after cutoff.
func touchedSince(path string, cutoff time.Time) bool {
	return slices.ContainsFunc(databaseSuffixes, func(suffix string) bool {
		info, err := os.Stat(path + suffix)
		return err == nil && info.ModTime().After(cutoff)
	})
}

// GlobIn returns the files of directory dir that match a glob pattern. Unlike filepath.Glob, it
// takes every character of dir literally.
func GlobIn(dir string, pattern ...string) []string {
	plain := strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(dir)
	found, _ := filepath.Glob(filepath.Join(plain, filepath.Join(pattern...))) // the patterns are constants
	return found
}

// open opens the database at path, creating its file and tables if they are
// missing.
func open(ctx context.Context, path string, schemas []Schema, opt Options) (_ *DB, err error) {
	db := &DB{path: path, mark: &Identity{}, turn: make(chan struct{}, 1), slots: make(chan struct{}, opt.Readers),
		longLog: longLog, foldAt: longLog}
	defer func() {
		if err != nil {
			db.Close()
		}
	}()
	// Create the file here and open it as an existing one: a connection that
	// reconnects later must not create a database where this one was removed.
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
	first := db.reader()
	defer db.rest(first)
	return db, first.connect()
}

// reader returns the read-only connection that was used last, because its pages and statements are
// the freshest. If all are in use, it returns a new one.
func (db *DB) reader() *statements {
	db.mu.Lock()
	defer db.mu.Unlock()
	n := len(db.idle) - 1
	if n < 0 {
		return newStatements(db, db.readers)
	}
	s := db.idle[n]
	db.idle = db.idle[:n]
	return s
}

// rest puts a read-only connection back into db.idle, for the next View.
func (db *DB) rest(s *statements) {
	db.mu.Lock()
	defer db.mu.Unlock()
	db.idle = append(db.idle, s)
}

// openHandle returns a handle for the database at path, in SQLite's mode "rw"
// or "ro". It opens connections on demand.
func openHandle(path, mode string, cacheKiB int) (*sql.DB, error) {
	pragmas := "query_only(1)"
	if mode != "ro" {
		pragmas = fmt.Sprintf("journal_mode(WAL)&_pragma=synchronous(NORMAL)"+
			"&_pragma=wal_autocheckpoint(%d)&_pragma=journal_size_limit(%d)", checkpointPages, journalBytes)
	}
	return sql.Open("sqlite", fmt.Sprintf("file:%s?vfs=%s&mode=%s&_pragma=busy_timeout(%d)"+
		"&_pragma=cache_size(-%d)&_pragma=temp_store(MEMORY)&_pragma=%s",
		escapePath(path), vfsName, mode, busyTimeout.Milliseconds(), cacheKiB, pragmas))
}

// createTables creates the tables and the first rows of an empty database, in one transaction. So a
// database that has any table has all of them. Other schemas have another file name.
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

// Close closes db. Updates and Views that are running finish, and the last of
// them releases the connections. Later ones return ErrClosed.
func (db *DB) Close() error {
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.closed {
		return nil
	}
	db.closed = true
	return db.release()
}

// enter counts an Update or View that starts. It reports false if db is closed.
func (db *DB) enter() bool {
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.closed {
		return false
	}
	db.users++
	return true
}

// leave undoes enter, and releases the connections if db is closed and idle.
func (db *DB) leave() {
	db.mu.Lock()
	defer db.mu.Unlock()
	db.users--
	_ = db.release() // its connections are not used again, so an error has no effect
}

// release closes the connections if db is closed and idle. The caller holds
// db.mu.
func (db *DB) release() error {
	if !db.closed || db.users > 0 {
		return nil
	}
	var errs []error
	if db.conn != nil {
		errs = append(errs, db.conn.close())
	}
	for _, s := range db.idle {
		errs = append(errs, s.close())
	}
	db.idle = nil
	for _, h := range []*sql.DB{db.readers, db.writer} {
		if h != nil {
			errs = append(errs, h.Close())
		}
	}
	return errors.Join(errs...)
}

// Path returns the path of the database file.
func (db *DB) Path() string { return db.path }

// Replaced reports whether the file behind the handle was removed or replaced,
// for example by a clear in another process. The caller then opens the database
// anew.
func (db *DB) Replaced() bool {
	now, err := os.Stat(db.path)
	return err != nil || !os.SameFile(now, db.inode)
}

// databaseSuffixes lists the suffixes of the files of one SQLite database. If only the first file
// were removed, the remaining WAL would corrupt the next database of that name.
var databaseSuffixes = []string{"", "-wal", "-shm"}

// removeDatabase removes the files of the database at path, if they exist.
func removeDatabase(path string) error {
	var errs []error
	for _, suffix := range databaseSuffixes {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
