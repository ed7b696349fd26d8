package testdb

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"

	"workforce/internal/database"
)

// A template is a database on a MariaDB server, of which tests get copies.
type template struct {
	asked  int    // how often
	name   string // of its database
	made   bool
	create []string // the statements that make its tables
	filled []string // the tables that have rows
}

var templates = struct {
	sync.Mutex
	all map[string]*template // by server and what they are filled with
}{all: map[string]*template{}}

// Fill fills a database on MariaDB by fill, which makes the same of all empty databases of
// a kind. What it made of the second on a server is kept as the template, since many
// servers have one database alone: those after it are copies. It reports whether the
// database is one; one that is not empty is filled.
func Fill(at, kind string, fill func(isTemplate bool) error) (copied bool, err error) {
	u, err := url.Parse(at)
	if err != nil {
		return false, err
	}
	var tables []string
	err = onConn(u, func(ctx context.Context, db *sql.Conn) (err error) {
		tables, err = texts(ctx, db, "SHOW TABLES")
		return err
	})
	if err != nil {
		return false, err
	}
	if len(tables) > 0 {
		return false, fill(false)
	}
	templates.Lock()
	key := u.Host + " " + kind
	from := templates.all[key]
	if from == nil {
		from = &template{name: "template_" + rand.Text()} // a server behind a proxy has several hosts
		templates.all[key] = from
	}
	from.asked++
	if !from.made && from.asked == 2 {
		defer templates.Unlock() // others wait for it
		if err := fill(true); err != nil {
			return false, err
		}
		return false, from.make(u)
	}
	made := from.made
	templates.Unlock()
	if !made {
		return false, fill(false)
	}
	return true, from.copy(from.name, u)
}

// make makes the template of a database.
func (m *template) make(of *url.URL) error {
	source := strings.TrimPrefix(of.Path, "/")
	err := onConn(of, func(ctx context.Context, db *sql.Conn) error {
		tables, err := texts(ctx, db, "SHOW TABLES")
		if err != nil {
			return err
		}
		for _, table := range tables {
			var name, create string
			if err := db.QueryRowContext(ctx, "SHOW CREATE TABLE "+table).Scan(&name, &create); err != nil {
				return err
			}
			m.create = append(m.create, create)
			rows, err := texts(ctx, db, "SELECT 'a row' FROM "+table+" LIMIT 1")
			if err != nil {
				return err
			}
			if len(rows) > 0 {
				m.filled = append(m.filled, table)
			}
		}
		_, err = db.ExecContext(ctx, "CREATE DATABASE "+m.name)
		return err
	})
	if err != nil {
		return err
	}
	to := *of
	to.Path = "/" + m.name
	err = m.copy(source, &to)
	m.made = err == nil
	return err
}

// copy copies the tables of a database into one that has none.
func (m *template) copy(from string, to *url.URL) error {
	return onConn(to, func(ctx context.Context, db *sql.Conn) error {
		statements := append([]string{"SET foreign_key_checks = 0"}, m.create...)
		for _, table := range m.filled {
			statements = append(statements, fmt.Sprintf("INSERT INTO %s SELECT * FROM %s.%s", table, from, table))
		}
		for _, statement := range statements {
			if _, err := db.ExecContext(ctx, statement); err != nil {
				return fmt.Errorf("%w: %.200s", err, statement)
			}
		}
		return nil
	})
}

// onConn calls do with a connection of its own.
func onConn(at *url.URL, do func(context.Context, *sql.Conn) error) error {
	pool, err := database.Open(at.String(), nil)
	if err != nil {
		return err
	}
	ctx := context.Background()
	conn, err := pool.Writer.Conn(ctx)
	if err != nil {
		return errors.Join(err, pool.Close())
	}
	return errors.Join(do(ctx, conn), conn.Close(), pool.Close())
}

// texts returns the one column that a query selects.
func texts(ctx context.Context, db *sql.Conn, query string) (all []string, err error) {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		all = append(all, text)
	}
	return all, rows.Err()
}
