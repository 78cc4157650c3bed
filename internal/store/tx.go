package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
)

// View is a read transaction: every query in it sees the same commit. It is
// for one goroutine, and not to be used after the function it was given to.
type View struct{ stmts *statements }

// Epoch says which database v shows, of those that its Keeper had.
func (v *View) Epoch() Epoch { return v.stmts.db.epoch }

// Query runs a query whose text is constant (statements are kept by text).
func (v *View) Query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	stmt, err := v.stmts.prepare(ctx, query)
	if err != nil {
		return nil, err
	}
	return stmt.QueryContext(ctx, args...)
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

// Column is the values of a query's only column. The query's text is constant.
func Column[T any](ctx context.Context, v *View, query string, args ...any) (values []T, err error) {
	rows, err := v.Query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var value T
		if err := rows.Scan(&value); err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	return values, rows.Err()
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

// Update runs fn in the write transaction, and commits when fn returns nil.
// Updates of one process queue up; another process's are waited for. The end of
// ctx ends the wait.
func (db *DB) Update(ctx context.Context, fn func(*Tx) error) (err error) {
	if !db.enter() {
		return ErrClosed
	}
	defer db.leave()
	select {
	case db.turn <- struct{}{}:
		defer func() { <-db.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	s := db.conn
	if err := s.begin(ctx, "BEGIN IMMEDIATE"); err != nil {
		return fmt.Errorf("begin update: %w", err)
	}
	committed := false
	defer func() {
		if !committed && s.conn != nil {
			_ = s.end(ctx, "ROLLBACK") // SQLite may have rolled back already; the connection goes then
		}
	}()
	if err := fn(&Tx{View{s}}); err != nil {
		return err
	}
	if err := s.end(ctx, "COMMIT"); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	committed = true
	db.fold(ctx)
	return nil
}

// View runs fn on a snapshot of the last commit. It waits when all readers
// are in use.
func (db *DB) View(ctx context.Context, fn func(*View) error) error {
	if !db.enter() {
		return ErrClosed
	}
	defer db.leave()
	var s *statements
	select {
	case s = <-db.pool:
		defer func() { db.pool <- s }()
	case <-ctx.Done():
		return ctx.Err()
	}
	// Under the caller's context the driver may report its end although the
	// transaction was opened. It waits for nothing.
	if err := s.begin(context.WithoutCancel(ctx), "BEGIN"); err != nil {
		return fmt.Errorf("begin view: %w", err)
	}
	defer s.end(ctx, "ROLLBACK")
	return fn(&View{s})
}

// escapePath makes a path safe inside a file: URI.
func escapePath(p string) string {
	return strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(p)
}
