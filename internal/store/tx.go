package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
)

// View is a read transaction: all its queries see the same commit. It is for
// one goroutine, and must not be used after the function that received it
// returns.
type View struct{ stmts *statements }

// Epoch returns the number of the database that v reads, among those that its Keeper has opened in
// turn.
func (v *View) Epoch() Epoch { return v.stmts.db.epoch }

// Identity distinguishes the databases that this process has opened, by its address: two Views
// with the same *Identity read the same database. A database that replaced another, or was opened
// again, has a new identity.
type Identity struct{ _ byte } // it has a size, because all values without one may have the same address

// Database returns the identity of the database that v reads. A cache of rows compares it,
// because counters in a rebuilt database may have the same values as in the previous one.
func (v *View) Database() *Identity { return v.stmts.db.mark }

// Query runs a query. Its text must be a constant, because each text is prepared once and the
// statement is kept for the next call.
func (v *View) Query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	stmt, err := v.stmts.prepare(ctx, query)
	if err != nil {
		return nil, err
	}
	return stmt.QueryContext(ctx, args...)
}

// QueryRow runs a query for at most one row, which it scans into dest. It
// reports false if there is none.
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

// Blob receives a blob from Scan without a copy. The driver allocates the bytes and does not use
// them again.
type Blob []byte

// Scan implements sql.Scanner.
func (b *Blob) Scan(value any) error {
	switch value := value.(type) {
	case []byte:
		*b = value
	case nil:
		*b = nil
	default:
		return fmt.Errorf("scan a blob: got %T", value)
	}
	return nil
}

// Column returns the values of a query with one column. The text of the query must be a constant,
// as for Query.
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

// Bytes returns the size that the database file has once the WAL is copied into it. The WAL
// itself does not count, because it grows and shrinks with every commit.
func (v *View) Bytes(ctx context.Context) (n int64, err error) {
	var pages, size int64
	if _, err = v.QueryRow(ctx, "PRAGMA page_count", nil, &pages); err == nil {
		_, err = v.QueryRow(ctx, "PRAGMA page_size", nil, &size)
	}
	return pages * size, err
}

// Tx is a write transaction. It can read its own writes.
type Tx struct{ View }

// Exec runs a statement whose text is a constant, unless ctx is done. A statement that has begun is
// not interrupted, because it writes only a few rows. To interrupt it, the driver would start a
// goroutine and a progress handler, half of the CPU time of a short statement (BenchmarkExec).
func (tx *Tx) Exec(ctx context.Context, query string, args ...any) (sql.Result, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	stmt, err := tx.stmts.prepare(ctx, query)
	if err != nil {
		return nil, err
	}
	return stmt.ExecContext(context.WithoutCancel(ctx), args...)
}

// Update runs fn in a write transaction and commits if fn returns nil, else it
// rolls back. It waits for other Updates, of this process and of others, until
// ctx is done.
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
	defer func() { err = db.explain(err) }()
	s := db.conn
	if err := s.begin(ctx, "BEGIN IMMEDIATE"); err != nil {
		return fmt.Errorf("begin update: %w", err)
	}
	committed := false
	defer func() {
		if !committed && s.conn != nil {
			// If SQLite has rolled back already, this fails and discards the connection
			_ = s.end(ctx, "ROLLBACK")
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

// View runs fn on a snapshot of the last commit. It waits for a connection if
// all are in use, until ctx is done.
func (db *DB) View(ctx context.Context, fn func(*View) error) error {
	if !db.enter() {
		return ErrClosed
	}
	defer db.leave()
	select {
	case db.slots <- struct{}{}:
		defer func() { <-db.slots }()
	case <-ctx.Done():
		return ctx.Err()
	}
	s := db.reader()
	defer db.rest(s)
	// With the caller's ctx, the driver may return the error of ctx although the transaction began.
	// BEGIN never waits, so ctx is not needed.
	if err := s.begin(context.WithoutCancel(ctx), "BEGIN"); err != nil {
		return fmt.Errorf("begin view: %w", err)
	}
	defer s.end(ctx, "ROLLBACK")
	return fn(&View{s})
}

// escapePath escapes p for use in a "file:" URI.
func escapePath(p string) string {
	return strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(p)
}
