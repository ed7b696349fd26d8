package database

import (
	"context"
	"database/sql"
	"strings"

	"entgo.io/ent/dialect"
)

// An Upsert inserts rows into a table, or changes the rows whose key exists. Where neither
// Replace nor Add names a column, rows that exist stay as they are.
//
// It is SQL beside ent: no policy, default, validator or hook applies, and nobody audits the
// rows. It does not tell which rows were new: the databases count them differently.
type Upsert struct {
	Table   string
	Columns []string // of the rows
	Key     []string // columns of the unique index that tells whether a row exists
	Replace []string // columns that get the value of the new row
	Add     []string // columns to which the value of the new row is added
}

// An Execer runs statements, in a transaction or outside of one; ent's client is one.
type Execer interface {
	Dialect() string
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// Exec writes the rows whose cells follow one another.
func (u Upsert) Exec(ctx context.Context, db Execer, cells ...any) error {
	_, err := db.ExecContext(ctx, u.text(db.Dialect(), len(cells)/len(u.Columns)), cells...)
	return err
}

// text returns the statement that writes a number of rows.
func (u Upsert) text(name string, rows int) string {
	row := "(?" + strings.Repeat(",?", len(u.Columns)-1) + ")"
	text := "INSERT INTO " + u.Table + " (" + quoted(u.Columns...) + ") VALUES " + row + strings.Repeat(","+row, rows-1)
	clause, before, after := " ON CONFLICT ("+quoted(u.Key...)+") DO UPDATE SET ", "excluded.", ""
	if name == dialect.MySQL {
		clause, before, after = " ON DUPLICATE KEY UPDATE ", "VALUES(", ")"
	}
	var changes []string
	for _, column := range u.Replace {
		column = quoted(column)
		changes = append(changes, column+" = "+before+column+after)
	}
	for _, column := range u.Add {
		column = quoted(column)
		changes = append(changes, column+" = "+column+" + "+before+column+after)
	}
	if changes == nil { // not DO NOTHING and INSERT IGNORE: the latter hides other errors
		column := quoted(u.Key[0])
		changes = []string{column + " = " + column}
	}
	return text + clause + strings.Join(changes, ", ")
}

// quoted joins the names of columns; key is a word of SQL.
func quoted(columns ...string) string { return "`" + strings.Join(columns, "`, `") + "`" }
