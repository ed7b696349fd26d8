package database

import (
	"context"
	"database/sql/driver"
	"errors"
	"sync"
	"time"
)

// errNoTurn is Retryable, as SQLite's own refusal is.
var errNoTurn = errors.New("another transaction kept the database for too long")

// turns makes SQLite connections whose writing transactions take turns, first
// come first served. SQLite alone has waiters look again at intervals, which
// starves some of them, and goes on waiting past their deadline. Its own wait
// remains for other processes, and for statements outside transactions.
type turns struct {
	driver.Connector
	turn chan struct{} // holds one element while a transaction has the turn
	wait time.Duration // longest wait for the turn
}

func (t turns) Connect(ctx context.Context) (driver.Conn, error) {
	c, err := t.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &turnConn{countedConn{keep(c.(conn), unweighed)}, t}, nil
}

type turnConn struct {
	countedConn
	turns turns
}

// BeginTx waits for the turn and begins. A transaction that only reads needs
// none.
func (c *turnConn) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	if opts.ReadOnly {
		return c.conn.BeginTx(ctx, opts)
	}
	timer := time.NewTimer(c.turns.wait)
	defer timer.Stop()
	select {
	case c.turns.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-timer.C:
		if err := ctx.Err(); err != nil { // both are over
			return nil, err
		}
		return nil, errNoTurn
	}
	release := sync.OnceFunc(func() { <-c.turns.turn })
	tx, err := c.conn.BeginTx(ctx, opts)
	if err != nil {
		release()
		return nil, err
	}
	return turnTx{tx, release}, nil
}

// turnTx gives the turn back when it ends.
type turnTx struct {
	driver.Tx
	release func()
}

func (t turnTx) Commit() error {
	defer t.release()
	return t.Tx.Commit()
}

func (t turnTx) Rollback() error {
	defer t.release()
	return t.Tx.Rollback()
}
