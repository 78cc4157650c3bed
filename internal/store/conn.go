package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"

	sqlite "modernc.org/sqlite"
)

// statements is one connection with its prepared statements. Preparing a
// statement costs more than running most queries.
type statements struct {
	db       *DB
	handle   *sql.DB
	conn     *sql.Conn // nil before its first use, and after discard
	prepared map[string]*sql.Stmt
}

// newStatements returns a connection of handle that is not open yet; connect opens it.
func newStatements(db *DB, handle *sql.DB) *statements {
	return &statements{db: db, handle: handle, prepared: map[string]*sql.Stmt{}}
}

// connect opens the connection unless it is open. SQLite opens the database and
// its WAL by name: if the name belongs to another database by now, the
// connection might combine the old database with the new WAL. connect then
// returns ErrReplaced.
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
	// When the last connection to a removed database closes, it must not delete
	// the WAL of the next database of that name.
	err = s.conn.Raw(func(c any) error {
		_, err := c.(sqlite.FileControl).FileControlPersistWAL("main", 1)
		return err
	})
	if err != nil {
		return fmt.Errorf("keep the log: %w", err)
	}
	var tables int // a query makes SQLite open the WAL
	err = s.conn.QueryRowContext(context.Background(), "SELECT count(*) FROM sqlite_schema").Scan(&tables)
	if err != nil {
		return err
	}
	if s.db.inode != nil && s.db.Replaced() {
		return ErrReplaced
	}
	return nil
}

// begin opens a transaction. After an error it is unknown whether a transaction is open, so begin
// discards the connection.
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

// end closes the transaction even if ctx is done. If that fails, it discards
// the connection and with it the transaction.
func (s *statements) end(ctx context.Context, how string) error {
	_, err := s.conn.ExecContext(context.WithoutCancel(ctx), how)
	if err != nil {
		s.discard()
	}
	return err
}

// discard closes the connection itself. sql.Conn.Close would return it to the
// handle's pool, with its transaction still open.
func (s *statements) discard() {
	for _, stmt := range s.prepared {
		_ = stmt.Close()
	}
	clear(s.prepared)
	_ = s.conn.Raw(func(any) error { return driver.ErrBadConn })
	s.conn = nil
}

// close returns the connection to its handle and closes its statements.
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

// prepare returns the statement for query, prepared on first use.
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
