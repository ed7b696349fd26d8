package database

import (
	"context"
	"database/sql/driver"
	"strings"
)

// What bounds the statements that a connection keeps prepared. The servers' own
// bound is for all connections together, 16,382 unless set otherwise.
const (
	maxStatements = 64   // texts that are remembered
	maxStatement  = 8192 // bytes of one
	worthwhile    = 3    // how often a text is seen before it is prepared
)

// A keptConn is a connection that keeps statements prepared which it is sent
// again and again: the database then reads and checks them once.
type keptConn struct {
	conn
	steady func(text string) string // what to prepare for a text
	kept   map[string]*statement    // what was sent lately, by text
	clock  int                      // of uses
}

// A statement is one text.
type statement struct {
	driver.Stmt     // nil until it is prepared
	seen, used  int // how often, and when last
	busy, never bool
}

func keep(c conn, steady func(text string) string) *keptConn {
	return &keptConn{conn: c, steady: steady, kept: map[string]*statement{}}
}

// QueryContext implements driver.QueryerContext. Until the rows are closed, the
// statement is not used again.
func (c *keptConn) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	s := c.prepared(ctx, text)
	if s == nil {
		return c.conn.QueryContext(ctx, text, args)
	}
	rows, err := s.Stmt.(driver.StmtQueryContext).QueryContext(ctx, args)
	if err != nil {
		return nil, err
	}
	s.busy = true
	return keptRows{rows, s}, nil
}

// ExecContext implements driver.ExecerContext.
func (c *keptConn) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	s := c.prepared(ctx, text)
	if s == nil {
		return c.conn.ExecContext(ctx, text, args)
	}
	return s.Stmt.(driver.StmtExecContext).ExecContext(ctx, args)
}

// Close implements driver.Conn.
func (c *keptConn) Close() error {
	for _, s := range c.kept {
		if s.Stmt != nil {
			_ = s.Stmt.Close() // the connection goes anyway
		}
	}
	return c.conn.Close()
}

// prepared returns the prepared statement for a text, nil where it is to be sent
// as it is. What cannot be prepared fails there, if it does.
func (c *keptConn) prepared(ctx context.Context, text string) *statement {
	if len(text) > maxStatement || varies(text) {
		return nil
	}
	k := c.kept[text]
	if k == nil {
		c.forgetOne()
		k = &statement{}
		c.kept[text] = k
	}
	c.clock++
	k.seen, k.used = k.seen+1, c.clock
	if k.Stmt == nil && k.seen >= worthwhile && !k.never {
		prepared, err := c.conn.PrepareContext(ctx, c.steady(text))
		if err == nil {
			k.Stmt = prepared
		}
		k.never = err != nil && ctx.Err() == nil
	}
	if k.Stmt == nil || k.busy {
		return nil
	}
	return k
}

// varies reports whether a text is likely to be sent once only: it lists values,
// or is about one page of many. Such texts would take the places of others, and
// be prepared for nothing.
func varies(text string) bool {
	if strings.Contains(text, " OFFSET ") {
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

// forgetOne makes room for another text: the one that was not used for longest
// goes.
func (c *keptConn) forgetOne() {
	if len(c.kept) < maxStatements {
		return
	}
	oldest := ""
	for text, k := range c.kept {
		if !k.busy && (oldest == "" || k.used < c.kept[oldest].used) {
			oldest = text
		}
	}
	if k := c.kept[oldest]; k != nil && k.Stmt != nil {
		_ = k.Stmt.Close() // at worst the database keeps it until the connection ends
	}
	delete(c.kept, oldest)
}

// keptRows are those of a statement that is kept.
type keptRows struct {
	driver.Rows
	of *statement
}

// Close implements driver.Rows.
func (r keptRows) Close() error {
	r.of.busy = false
	return r.Rows.Close()
}

func asWritten(text string) string { return text }

var weighed = strings.NewReplacer("= ?", "= +?", "< ?", "< +?", "> ?", "> +?", "BETWEEN ? AND ?", "BETWEEN +? AND +?")

// unweighed keeps SQLite from looking values up in its statistics, where it has
// any: it would plan the statement anew whenever they change, which takes longer
// than most of them run. A plus before a value changes nothing else.
func unweighed(text string) string {
	parts := strings.Split(text, "'") // every other one is quoted
	for i := 0; i < len(parts); i += 2 {
		parts[i] = weighed.Replace(parts[i])
	}
	return strings.Join(parts, "'")
}
