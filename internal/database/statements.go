package database

import (
	"context"
	"database/sql/driver"
	"strings"
)

// Limits of a connection's statement cache. MySQL servers limit the prepared
// statements of all connections together, to 16,382 unless set otherwise.
const (
	maxStatements = 64   // entries
	maxStatement  = 8192 // bytes of one text
	prepareAfter  = 3    // uses of a text before it is prepared
)

// A stmtConn is a connection with a cache of prepared statements: the database
// parses a text that is sent often once.
//
// SQLite plans a prepared statement again whenever a bound value changes that it
// compares with the statistics of ANALYZE, which takes longer than most of them
// run. So nothing may run ANALYZE of a table or PRAGMA optimize on SQLite; package migration
// tells it what to assume.
type stmtConn struct {
	conn
	stmts map[string]*statement  // by text
	clock int                    // counts uses
	unfit func(text string) bool // for being prepared; nil for none
}

// A statement is a cache entry.
type statement struct {
	driver.Stmt      // nil until it is prepared
	uses, used  int  // how many, and the clock at the last one
	busy        bool // its rows are open
	unfit       bool // the server does not prepare it
}

func newStmtConn(c conn, unfit func(text string) bool) *stmtConn {
	return &stmtConn{conn: c, stmts: map[string]*statement{}, unfit: unfit}
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
	if len(text) > maxStatement || oneOff(text) || c.unfit != nil && c.unfit(text) {
		return nil, nil
	}
	s := c.stmts[text]
	if s == nil {
		c.evictOldest()
		s = &statement{}
		c.stmts[text] = s
	}
	c.clock++
	s.uses, s.used = s.uses+1, c.clock
	if s.Stmt == nil && s.uses >= prepareAfter && !s.unfit {
		prepared, err := c.conn.PrepareContext(ctx, text)
		if err != nil && !unpreparable(err) {
			return nil, err
		}
		if s.unfit = err != nil; !s.unfit {
			s.Stmt = prepared
		}
	}
	if s.Stmt == nil || s.busy {
		return nil, nil
	}
	return s, nil
}

// oneOff reports whether a text is unlikely to be sent again: it lists values, or
// names the place of one page of many. Such texts would evict others from the cache.
func oneOff(text string) bool {
	if _, place, paged := strings.Cut(text, " OFFSET "); paged && !strings.HasPrefix(place, "?") {
		return true
	}
	for {
		_, rest, found := strings.Cut(text, " IN (")
		if !found {
			return false
		}
		if rest != "" && (rest[0] == '?' || '0' <= rest[0] && rest[0] <= '9') {
			return true
		}
		text = rest
	}
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
