package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"

	sqlite "modernc.org/sqlite"
)

// statements is one connection with the statements prepared on it. Preparing
// costs more than most of the queries that are run.
type statements struct {
	db       *DB
	handle   *sql.DB
	conn     *sql.Conn // nil before its first use, and after discard
	prepared map[string]*sql.Stmt
}

func newStatements(db *DB, handle *sql.DB) *statements {
	return &statements{db: db, handle: handle, prepared: map[string]*sql.Stmt{}}
}

// connect opens the connection where there is none. Database and log are opened
// by name: if the name belongs to another database by now, the connection could
// see the old one with the log of the new.
func (s *statements) connect() (err error) {
	if s.conn != nil {
		return nil
	}
	if s.conn, err = s.handle.Conn(context.Background()); err != nil {
		s.conn = nil
		return err
	}
	defer func() {
		if err != nil {
			s.discard()
		}
	}()
	// The last connection to a database that was removed must not delete the log
	// of the next database of that name.
	err = s.conn.Raw(func(c any) error {
		_, err := c.(sqlite.FileControl).FileControlPersistWAL("main", 1)
		return err
	})
	if err != nil {
		return fmt.Errorf("keep the log: %w", err)
	}
	var tables int // reading opens the log
	if err := s.conn.QueryRowContext(context.Background(), "SELECT count(*) FROM sqlite_schema").Scan(&tables); err != nil {
		return err
	}
	if s.db.inode != nil && s.db.Replaced() {
		return ErrReplaced
	}
	return nil
}

// begin opens a transaction; one that may or may not have begun goes with its
// connection.
func (s *statements) begin(ctx context.Context, how string) error {
	if err := s.connect(); err != nil {
		return err
	}
	_, err := s.conn.ExecContext(ctx, how)
	if err != nil {
		s.discard()
	}
	return err
}

// end closes the transaction whatever became of the caller. Where it cannot,
// the connection goes, and the transaction with it.
func (s *statements) end(ctx context.Context, how string) error {
	_, err := s.conn.ExecContext(context.WithoutCancel(ctx), how)
	if err != nil {
		s.discard()
	}
	return err
}

// discard closes the connection for good. Closing it the usual way would give
// it back to its handle, open transaction and all.
func (s *statements) discard() {
	for _, stmt := range s.prepared {
		_ = stmt.Close()
	}
	clear(s.prepared)
	_ = s.conn.Raw(func(any) error { return driver.ErrBadConn })
	s.conn = nil
}

func (s *statements) close() error {
	var errs []error
	for _, stmt := range s.prepared {
		errs = append(errs, stmt.Close())
	}
	clear(s.prepared)
	if s.conn != nil {
		errs = append(errs, s.conn.Close())
		s.conn = nil
	}
	return errors.Join(errs...)
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
