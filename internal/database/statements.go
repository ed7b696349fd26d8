package database

import (
	"context"
	"database/sql/driver"
	"hash/maphash"
)

// Limits of a connection's statement cache. MySQL servers limit the prepared
// statements of all connections together, to 16,382 unless set otherwise.
const (
	maxStatements = 64   // entries
	maxStatement  = 8192 // bytes of one text
	prepareAfter  = 3    // uses of a text before it is prepared
	maxSeen       = 1024 // texts whose uses are counted before all are forgotten
)

// Unprepared returns a context whose statements MySQL and MariaDB do not prepare. It is for
// those that pass over many rows, as a count or a page does: MariaDB reads 1,000 pages of its
// buffer pool for a count that is prepared, and 17 for the same text that is not.
func Unprepared(ctx context.Context) context.Context {
	return with(ctx, func(s *statements) { s.unprepared = true })
}

// A stmtConn is a connection with a cache of prepared statements: the database
// parses a text that is sent often once.
//
// SQLite plans a prepared statement again whenever a bound value changes that it
// compares with the statistics of ANALYZE, which takes longer than most of them
// run. So nothing may run ANALYZE of a table or PRAGMA optimize on SQLite; package migration
// tells it what to assume.
type stmtConn struct {
	conn
	heeds bool // Unprepared
	seed  maphash.Seed
	seen  map[uint64]int        // uses of texts that are not prepared yet, by their hash
	stmts map[string]*statement // by text
	clock int                   // counts uses
}

// A statement is a cache entry.
type statement struct {
	driver.Stmt      // nil if the server does not prepare it
	used        int  // the clock at the last use
	busy        bool // its rows are open
}

func newStmtConn(c conn, heeds bool) *stmtConn {
	return &stmtConn{conn: c, heeds: heeds, seed: maphash.MakeSeed(), seen: map[uint64]int{}, stmts: map[string]*statement{}}
}

// QueryContext implements driver.QueryerContext. Until the rows are closed, the
// statement is not used again.
func (c *stmtConn) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	s, err := c.prepared(ctx, text)
	if err != nil {
		return nil, err
	}
	if s == nil {
		return c.conn.QueryContext(ctx, text, args)
	}
	rows, err := s.Stmt.(driver.StmtQueryContext).QueryContext(ctx, args)
	if err != nil {
		return nil, err
	}
	s.busy = true
	return stmtRows{rows, s}, nil
}

// ExecContext implements driver.ExecerContext.
func (c *stmtConn) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	s, err := c.prepared(ctx, text)
	if err != nil {
		return nil, err
	}
	if s == nil {
		return c.conn.ExecContext(ctx, text, args)
	}
	return s.Stmt.(driver.StmtExecContext).ExecContext(ctx, args)
}

// Close implements driver.Conn.
func (c *stmtConn) Close() error {
	for _, s := range c.stmts {
		if s.Stmt != nil {
			_ = s.Stmt.Close() // the connection goes anyway
		}
	}
	return c.conn.Close()
}

// prepared returns the prepared statement for a text, nil if the text must be
// sent unprepared. Any error but that the server does not prepare this text may be
// about the transaction, so it is returned: the text is not sent after it.
func (c *stmtConn) prepared(ctx context.Context, text string) (*statement, error) {
	if said, _ := ctx.Value(statementsKey{}).(statements); len(text) > maxStatement || c.heeds && said.unprepared {
		return nil, nil
	}
	s := c.stmts[text]
	if s == nil {
		if !c.comesAgain(text) {
			return nil, nil
		}
		made, err := c.conn.PrepareContext(ctx, text)
		if err != nil && !unpreparable(err) {
			return nil, err
		}
		if s = (&statement{}); err == nil {
			s.Stmt = made
		}
		c.evictOldest()
		c.stmts[text] = s
	}
	c.clock++
	s.used = c.clock
	if s.Stmt == nil || s.busy {
		return nil, nil
	}
	return s, nil
}

// comesAgain counts a use of a text, and reports whether there were enough to prepare it.
// Texts that are sent once take no place among those that are prepared.
func (c *stmtConn) comesAgain(text string) bool {
	key := maphash.String(c.seed, text)
	if c.seen[key]++; c.seen[key] < prepareAfter {
		if len(c.seen) > maxSeen {
			clear(c.seen)
		}
		return false
	}
	delete(c.seen, key)
	return true
}

// evictOldest makes room for another text: it removes the least recently used
// one from a full cache.
func (c *stmtConn) evictOldest() {
	if len(c.stmts) < maxStatements {
		return
	}
	oldest := ""
	for text, s := range c.stmts {
		if !s.busy && (oldest == "" || s.used < c.stmts[oldest].used) {
			oldest = text
		}
	}
	if s := c.stmts[oldest]; s != nil && s.Stmt != nil {
		_ = s.Stmt.Close() // at worst the database keeps it until the connection ends
	}
	delete(c.stmts, oldest)
}

// stmtRows are the rows of a statement of the cache.
type stmtRows struct {
	driver.Rows
	stmt *statement
}

// Close implements driver.Rows.
func (r stmtRows) Close() error {
	r.stmt.busy = false
	return r.Rows.Close()
}
