package backup

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"entgo.io/ent/dialect"

	"workforce/internal/blob"
	"workforce/internal/database"
	"workforce/internal/migration"
)

// A Target is what a backup is restored into.
type Target struct {
	// Open opens a database without tables and a file store without objects, once the backup
	// was checked. The caller closes them.
	Open func(context.Context) (*database.DB, *blob.Store, error)
	Now  func() time.Time

	Keyring
	AcceptUnsigned bool // restore without a key, which may be a backup that somebody made up
	KeepSessions   bool // else people sign in anew, and API keys are revoked
	Resume         bool // else messages and jobs that were queued expire

	// Finish does what is left in the restored database, before it is used.
	Finish func(ctx context.Context, m Manifest) error
	// Progress is told what was written so far; nil is silent.
	Progress func(rows, files int)
	// Waiting is told where another restore, which may have been killed, has the database.
	Waiting func()
}

// errUnsigned is returned where nothing vouches for a backup.
var errUnsigned = errors.New("the signature cannot be checked without the secret key: " +
	"name its file by --secret-key-file, or restore what nobody vouches for with --accept-unsigned")

// Restore reads a backup twice: it checks all of it before the first row is written. Where it
// fails before that, nothing was changed; later the database is marked until Restore is called
// again and succeeds. The installation gets an id of its own. It returns the
// file of the secret key, where the backup has it.
func Restore(ctx context.Context, from io.ReadSeeker, t Target) (m Manifest, keyFile []byte, err error) {
	if len(t.Keys) == 0 && !t.AcceptUnsigned {
		return m, nil, errUnsigned
	}
	first := reader{Keyring: t.Keyring}
	if err := first.read(from); err != nil {
		return m, nil, err
	}
	if _, err := from.Seek(0, io.SeekStart); err != nil {
		return m, nil, err
	}
	m = first.manifest
	w := &restoring{Target: t, manifest: m}
	if w.db, w.store, err = t.Open(ctx); err != nil {
		return m, nil, err
	}
	return m, first.keyFile, migration.Restore{
		Version: m.Schema,
		Fill:    func(ctx context.Context, id string, again bool) error { return w.fill(ctx, from, id, again) },
		Finish:  w.finish,
		Check:   w.check, Waiting: t.Waiting,
	}.Run(ctx, w.db)
}

// A restoring is the state of one restore.
type restoring struct {
	Target
	manifest    Manifest
	db          *database.DB
	store       *blob.Store
	conn        *sql.Conn // checks no foreign keys
	rows, files int
}

// check refuses a file store in which there is anything.
func (w *restoring) check(ctx context.Context) error {
	bare, err := w.store.Bare(ctx)
	if err == nil && !bare {
		err = errors.New("--files must name an empty folder or bucket: there are files in it")
	}
	return err
}

// fill writes the objects and the rows.
func (w *restoring) fill(ctx context.Context, from io.Reader, id string, again bool) (err error) {
	knowsNone := func(context.Context, []string) (bool, error) { return false, nil }
	if err := w.store.Claim(ctx, id, knowsNone); err != nil {
		return fmt.Errorf("--files must name an empty folder or bucket: %w", err)
	}
	if again {
		if err := w.store.Empty(ctx); err != nil {
			return err
		}
	}
	if w.conn, err = w.db.Writer.Conn(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.setKeys(context.WithoutCancel(ctx), true), w.conn.Close()) }()
	if err := w.setKeys(ctx, false); err != nil {
		return err
	}
	for _, t := range w.manifest.Tables { // what migrations write into new tables
		if _, err := w.conn.ExecContext(ctx, "DELETE FROM `"+t.Name+"`"); err != nil {
			return err
		}
	}
	second := reader{
		Keyring: w.Keyring,
		onPart:  func(path string, data []byte) error { return w.part(ctx, path, data) },
		onFile: func(name string, content io.Reader) error {
			w.files++
			return w.store.Put(ctx, name, content)
		},
	}
	return second.read(from)
}

// setKeys has the connection check foreign keys, or not.
func (w *restoring) setKeys(ctx context.Context, on bool) error {
	set := "PRAGMA foreign_keys = %t"
	if w.db.Dialect == dialect.MySQL {
		set = "SET foreign_key_checks = %t"
	}
	_, err := w.conn.ExecContext(ctx, fmt.Sprintf(set, on))
	return err
}

// part writes the rows of a part, in one transaction.
func (w *restoring) part(ctx context.Context, path string, data []byte) error {
	name, _, _ := strings.Cut(strings.TrimPrefix(path, "tables/"), "/")
	for _, t := range w.manifest.Tables {
		if t.Name == name {
			return inTransaction(ctx, w.conn, func(tx *sql.Tx) error { return w.insert(ctx, tx, t, data) })
		}
	}
	return fmt.Errorf("the manifest does not name the table of %s", path)
}

// A beginner is a connection or a pool.
type beginner interface {
	BeginTx(ctx context.Context, options *sql.TxOptions) (*sql.Tx, error)
}

func inTransaction(ctx context.Context, c beginner, step func(*sql.Tx) error) error {
	tx, err := c.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // nothing after the commit
	if err := step(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// maxValues is how many values one statement has at most; SQLite takes 32,766.
const maxValues = 20_000

// insert writes rows, several by a statement.
func (w *restoring) insert(ctx context.Context, tx *sql.Tx, t Table, data []byte) error {
	most := max(1, maxValues/len(t.Columns))
	row := "(" + strings.TrimSuffix(strings.Repeat("?,", len(t.Columns)), ",") + ")"
	values, n := make([]any, 0, most*len(t.Columns)), 0
	flush := func() error {
		if n == 0 {
			return nil
		}
		_, err := tx.ExecContext(ctx, fmt.Sprintf("INSERT INTO `%s` (%s) VALUES %s",
			t.Name, t.names(), strings.TrimSuffix(strings.Repeat(row+",", n), ",")), values...)
		w.rows += n
		values, n = values[:0], 0
		return err
	}
	for line := range bytes.Lines(data) {
		var fields []json.RawMessage
		if err := json.Unmarshal(line, &fields); err != nil {
			return fmt.Errorf("table %s: %w", t.Name, err)
		}
		if len(fields) != len(t.Columns) {
			return fmt.Errorf("table %s: a row has %d values, not %d", t.Name, len(fields), len(t.Columns))
		}
		for i, c := range t.Columns {
			value, err := c.Kind.parse(fields[i])
			if err != nil {
				return fmt.Errorf("table %s, column %s: %w", t.Name, c.Name, err)
			}
			values = append(values, value)
		}
		if n++; n == most {
			if err := flush(); err != nil {
				return fmt.Errorf("table %s: %w", t.Name, err)
			}
		}
	}
	if err := flush(); err != nil {
		return fmt.Errorf("table %s: %w", t.Name, err)
	}
	if w.Progress != nil {
		w.Progress(w.rows, w.files)
	}
	return nil
}

// finish makes of the restored rows, which have the program's schema now, a new installation.
func (w *restoring) finish(ctx context.Context, id string) error {
	if err := w.change(ctx, id); err != nil {
		return err
	}
	if err := w.continueIDs(ctx); err != nil {
		return err
	}
	return w.Finish(ctx, w.manifest)
}

// change makes of the rows what they are in an installation that was restored.
func (w *restoring) change(ctx context.Context, id string) error {
	statements := slices.Clone(always)
	if !w.Resume {
		statements = append(statements, unlessResumed...)
	}
	if !w.KeepSessions {
		statements = append(statements, unlessKept...)
	}
	return inTransaction(ctx, w.db.Writer, func(tx *sql.Tx) error {
		for _, statement := range statements {
			var args []any
			if strings.Contains(statement, ":now") {
				args = append(args, w.Now())
			}
			if _, err := tx.ExecContext(ctx, strings.ReplaceAll(statement, ":now", "?"), args...); err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, "UPDATE settings SET value = ? WHERE name = 'installation'", id)
		return err
	})
}

// continueIDs has the ids of new rows continue idGap past the highest.
func (w *restoring) continueIDs(ctx context.Context) error {
	for _, t := range w.manifest.Tables {
		var highest int
		if err := w.db.Writer.QueryRowContext(ctx,
			"SELECT COALESCE(MAX(id), 0) FROM `"+t.Name+"`").Scan(&highest); err != nil {
			return err
		}
		statements := []string{fmt.Sprintf("ALTER TABLE `%s` AUTO_INCREMENT = %d", t.Name, highest+idGap+1)}
		if w.db.Dialect == dialect.SQLite {
			statements = []string{
				fmt.Sprintf("DELETE FROM sqlite_sequence WHERE name = '%s'", t.Name),
				fmt.Sprintf("INSERT INTO sqlite_sequence (name, seq) VALUES ('%s', %d)", t.Name, highest+idGap),
			}
		}
		for _, statement := range statements {
			if _, err := w.db.Writer.ExecContext(ctx, statement); err != nil {
				return err
			}
		}
	}
	return nil
}
