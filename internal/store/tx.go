package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	sqlite "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// statements is one connection with the statements prepared on it. Preparing
// costs more than most of the queries that are run.
type statements struct {
	conn     *sql.Conn
	prepared map[string]*sql.Stmt
}

func newStatements(conn *sql.Conn) *statements {
	return &statements{conn: conn, prepared: map[string]*sql.Stmt{}}
}

func (s *statements) close() error {
	var errs []error
	for _, stmt := range s.prepared {
		errs = append(errs, stmt.Close())
	}
	return errors.Join(append(errs, s.conn.Close())...)
}

func (s *statements) prepare(ctx context.Context, query string) (*sql.Stmt, error) {
	if stmt, ok := s.prepared[query]; ok {
		return stmt, nil
	}
	stmt, err := s.conn.PrepareContext(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("prepare %q: %w", query, err)
	}
	s.prepared[query] = stmt
	return stmt, nil
}

// View is a read transaction: every query in it sees the same commit. It is
// for one goroutine, and not to be used after the function it was given to.
type View struct{ stmts *statements }

// Query runs a query whose text is constant (statements are kept by text).
func (v *View) Query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	stmt, err := v.stmts.prepare(ctx, query)
	if err != nil {
		return nil, err
	}
	return stmt.QueryContext(ctx, args...)
}

// QueryOnce runs a query whose text is built for this one call.
func (v *View) QueryOnce(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return v.stmts.conn.QueryContext(ctx, query, args...)
}

// QueryRow is Query for at most one row. It reports false when there is none.
func (v *View) QueryRow(ctx context.Context, query string, args []any, dest ...any) (bool, error) {
	stmt, err := v.stmts.prepare(ctx, query)
	if err != nil {
		return false, err
	}
	err = stmt.QueryRowContext(ctx, args...).Scan(dest...)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// Bytes is the size of the database that v shows, as its file has it once the
// log is folded in: the log itself comes and goes with every commit.
func (v *View) Bytes(ctx context.Context) (n int64, err error) {
	var pages, size int64
	if _, err = v.QueryRow(ctx, "PRAGMA page_count", nil, &pages); err == nil {
		_, err = v.QueryRow(ctx, "PRAGMA page_size", nil, &size)
	}
	return pages * size, err
}

// Tx is the write transaction. It reads what it wrote.
type Tx struct{ View }

// Exec runs a statement whose text is constant.
func (tx *Tx) Exec(ctx context.Context, query string, args ...any) (sql.Result, error) {
	stmt, err := tx.stmts.prepare(ctx, query)
	if err != nil {
		return nil, err
	}
	return stmt.ExecContext(ctx, args...)
}

// ErrClosed is returned by a DB that was closed.
var ErrClosed = errors.New("store is closed")

// Update runs fn in the write transaction, and commits when fn returns nil.
// Updates of one process queue up; another process's are waited for.
func (db *DB) Update(ctx context.Context, fn func(*Tx) error) (err error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.conn == nil {
		return ErrClosed
	}
	conn := db.conn.conn
	if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return fmt.Errorf("begin update: %w", err)
	}
	defer func() {
		if err == nil {
			return
		}
		// The caller's context may be the reason of err; rolling back is due all the same.
		if _, rbErr := conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK"); rbErr != nil && !strings.Contains(rbErr.Error(), "no transaction") {
			err = errors.Join(err, rbErr)
		}
	}()
	if err := fn(&Tx{View{db.conn}}); err != nil {
		return err
	}
	if _, err := conn.ExecContext(context.WithoutCancel(ctx), "COMMIT"); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// View runs fn on a snapshot of the last commit. It waits when all readers
// are in use.
func (db *DB) View(ctx context.Context, fn func(*View) error) (err error) {
	var s *statements
	select {
	case s = <-db.pool:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { db.pool <- s }()
	if _, err := s.conn.ExecContext(ctx, "BEGIN"); err != nil {
		return fmt.Errorf("begin view: %w", err)
	}
	defer func() {
		if _, endErr := s.conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK"); endErr != nil && err == nil {
			err = fmt.Errorf("end view: %w", endErr)
		}
	}()
	return fn(&View{s})
}

// isCorrupt reports whether err says that the file is no sound database.
func isCorrupt(err error) bool {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return false
	}
	code := e.Code() & 0xff
	return code == sqlite3.SQLITE_CORRUPT || code == sqlite3.SQLITE_NOTADB
}

// IsCorrupt reports whether err, of any call on a DB, says that the database
// is damaged and must be rebuilt (manage_index repair).
func IsCorrupt(err error) bool { return isCorrupt(err) }

// escapePath makes a path safe inside a file: URI.
func escapePath(p string) string {
	return strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(p)
}
