package database

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
)

// The pool of a MySQL database. A connection is given up after mysqlLifetime,
// so that the pool follows when the database moves.
const (
	mysqlConns    = 32
	mysqlLifetime = 5 * time.Minute
)

// connectTimeout bounds dialling, TLS, login and session settings together.
const connectTimeout = 10 * time.Second

// dialer returns what notices within 30 s that the database's machine is gone, while a
// connection is idle or waits for an answer.
func dialer() *net.Dialer {
	probes := net.KeepAliveConfig{Enable: true, Idle: 15 * time.Second, Interval: 5 * time.Second, Count: 3}
	return &net.Dialer{KeepAliveConfig: probes}
}

// isolation is the level of every transaction that does not ask for another.
// Under the default, REPEATABLE READ, a transaction that has read anything does
// not see the row it collided with on a unique key, so that it could not tell a
// repeat from a conflict; and gap locks make inserts deadlock.
const isolation = "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED"

// session are the variables of every connection: values that do not fit are
// errors; times are UTC; a lock is waited for at most 5 s, which leaves a
// request time to try again and frees what an abandoned one holds. What a list of
// more than ten values finds is estimated by statistics: to look each of them up
// beforehand costs as much as to read what they stand for. A recursive query takes as many
// steps as a tree of 10,000 nodes may have levels; MariaDB and MySQL, which give that
// variable names of their own, each read the one that is no comment to them. MariaDB alone ends a
// transaction that has written and then sends nothing for 10 s, as one of a process that hangs:
// what it locks is free for others then. One that only reads may wait for as long as it likes.
func session() map[string]string {
	return map[string]string{
		"/*M! max_recursive_iterations *//*!80003 cte_max_recursion_depth */": "10001",
		"/*M! idle_write_transaction_timeout = 10, */ sql_mode":               "'TRADITIONAL'",
		"time_zone":                 "'+00:00'",
		"innodb_lock_wait_timeout":  "5",
		"eq_range_index_dive_limit": "10",
	}
}

func openMySQL(raw string, log *slog.Logger, of *DB) (*sql.DB, error) {
	cfg, err := mysqlConfig(raw)
	if err != nil {
		return nil, fmt.Errorf("database: %w", err)
	}
	cfg.Logger = driverLog{log}
	connector, err := mysql.NewConnector(cfg)
	if err != nil {
		return nil, fmt.Errorf("database: %w", err)
	}
	db := sql.OpenDB(readCommitted{connector, of})
	db.SetMaxOpenConns(mysqlConns)
	db.SetMaxIdleConns(mysqlConns)
	db.SetConnMaxLifetime(mysqlLifetime)
	return db, nil
}

// mysqlConfig reads a mysql:// URL. Its errors repeat no part of it: whatever is
// wrong with a URL, a piece of the password may be in the wrong place.
func mysqlConfig(raw string) (*mysql.Config, error) {
	u, err := url.Parse(raw)
	if err != nil || u.User.Username() == "" || u.Fragment != "" {
		return nil, errors.New("the URL is not of the form mysql://user:password@host:3306/name; special characters in it are percent-encoded")
	}
	name := strings.TrimPrefix(u.Path, "/")
	if name == "" || strings.Contains(name, "/") {
		return nil, errors.New("the URL names no database: mysql://user:password@host:3306/name")
	}
	query, err := url.ParseQuery(u.RawQuery)
	tls, socket := query.Get("tls"), query.Get("socket")
	query.Del("tls")
	query.Del("socket")
	if err != nil || len(query) > 0 {
		return nil, errors.New("the URL has parameters other than tls and socket")
	}

	cfg := mysql.NewConfig()
	cfg.User, cfg.DBName, cfg.TLSConfig = u.User.Username(), name, tls
	cfg.Passwd, _ = u.User.Password()
	switch {
	case socket != "":
		cfg.Net, cfg.Addr = "unix", socket
	case u.Hostname() == "":
		return nil, errors.New("the URL names no host")
	default:
		port := u.Port()
		if port == "" {
			port = "3306"
		}
		cfg.Net, cfg.Addr = "tcp", net.JoinHostPort(u.Hostname(), port)
	}
	cfg.DialFunc = dialer().DialContext
	cfg.Params = session()
	cfg.ParseTime, cfg.Loc = true, time.UTC
	cfg.InterpolateParams = true // one round trip a statement instead of three
	cfg.ClientFoundRows = true   // an update counts the rows that it finds, as on SQLite
	cfg.RejectReadOnly = true    // a demoted primary is away
	cfg.WriteTimeout = 30 * time.Second
	return cfg, cfg.Apply(
		mysql.Charset("utf8mb4", "utf8mb4_bin"),
		mysql.TimeTruncate(time.Microsecond), // servers differ: one rounds, one cuts
	)
}

// A node of a Galera cluster tells a connection that its transaction lost to that of
// another node in the answer to its next command. The answer to PREPARE is not always
// about the statement then, and nobody answers the CLOSE of one: a connection to a node
// prepares nothing.
//
// A node applies what other nodes committed a moment later. syncWait has each transaction, and each statement outside of one, wait until the
// node has applied all that was committed before: whoever was told of a commit sees
// it on every node.
const (
	galeraQuery = "SHOW VARIABLES LIKE 'wsrep_on'" // a node without quorum answers it too
	syncWait    = "SET SESSION wsrep_sync_wait = 7"
)

// readCommitted makes connections whose transactions are READ COMMITTED. The
// name of the variable differs between servers, the statement does not. On Galera
// they read what was committed on any node.
type readCommitted struct {
	driver.Connector
	db *DB
}

func (c readCommitted) Connect(parent context.Context) (driver.Conn, error) {
	ctx, cancel := context.WithTimeout(parent, connectTimeout)
	defer cancel()
	made, err := c.Connector.Connect(ctx)
	node := false
	if err == nil {
		if node, err = setUp(ctx, made.(conn)); err != nil {
			_ = made.Close()
		}
	}
	if err != nil && ctx.Err() != nil && parent.Err() == nil {
		err = fmt.Errorf("connecting took over %v: %w", connectTimeout, os.ErrDeadlineExceeded)
	}
	if err != nil {
		return nil, err
	}
	inner := made.(conn)
	if !node {
		inner = newStmtConn(inner, true)
	}
	guarded := &guardedConn{conn: countedConn{inner, c.db.durations}, space: &c.db.space, durations: c.db.durations}
	return mysqlConn{guarded, made.(driver.NamedValueChecker)}, nil
}

// setUp sends a new connection the settings that are not variables of every server, and
// reports whether it is one to a node of a Galera cluster.
func setUp(ctx context.Context, c conn) (node bool, err error) {
	if _, err := c.ExecContext(ctx, isolation, nil); err != nil {
		return false, err
	}
	rows, err := c.QueryContext(ctx, galeraQuery, nil)
	if err != nil {
		return false, err
	}
	variable := make([]driver.Value, 2) // name and value
	if err = rows.Next(variable); errors.Is(err, io.EOF) {
		err = nil // not MariaDB
	}
	err = errors.Join(err, rows.Close())
	if node = fmt.Sprintf("%s", variable[1]) == "ON"; node && err == nil {
		_, err = c.ExecContext(ctx, syncWait, nil)
	}
	return node, err
}

// driverLog hands the driver's remarks to a logger: broken connections, whose
// errors callers see besides.
type driverLog struct{ log *slog.Logger }

func (l driverLog) Print(v ...any) { l.log.Debug("mysql driver", "text", fmt.Sprint(v...)) }
