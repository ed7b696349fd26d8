package migration

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"workforce/internal/textform"
)

// deriveWords makes the words by which rows are found.
func deriveWords(ctx context.Context, r reader, in func(func(writer) error) error) error {
	for _, table := range []string{"businesses", "projects", "task_categories", "users"} {
		for last, more := 0, true; more; {
			err := in(func(w writer) (err error) {
				last, more, err = deriveNames(ctx, w, table, last)
				return err
			})
			if err != nil {
				return fmt.Errorf("words of %s: %w", table, err)
			}
		}
	}
	for _, t := range worded {
		ids, err := t.foldable(ctx, r)
		if err != nil {
			return fmt.Errorf("words of %s: %w", t.table, err)
		}
		for _, id := range ids {
			if err := in(func(w writer) error { return t.derive(ctx, w, id) }); err != nil {
				return fmt.Errorf("words of %s: %w", t.table, err)
			}
		}
	}
	return nil
}

// deriveNames sets the words of the names of a page of rows behind an id. It returns the last id,
// and whether there may be more.
func deriveNames(ctx context.Context, w writer, table string, last int) (next int, more bool, err error) {
	type row struct {
		id   int
		name string
	}
	var all []row
	query := fmt.Sprintf("SELECT id, name FROM %s WHERE id > ? ORDER BY id LIMIT %d", table, page)
	err = scan(ctx, w, query, []any{last}, func(rows *sql.Rows) error {
		var r row
		err := rows.Scan(&r.id, &r.name)
		all = append(all, r)
		return err
	})
	if err != nil || len(all) == 0 {
		return last, false, err
	}
	update := "UPDATE " + table + " SET search_name = ? WHERE id = ? AND name = ?"
	for _, r := range all {
		if _, err := w.ExecContext(ctx, update, textform.SearchKey(r.name), r.id, r.name); err != nil {
			return last, false, err
		}
	}
	return all[len(all)-1].id, len(all) == page, nil
}

// A wordedTable has rows whose words are rows of another table.
type wordedTable struct {
	table  string
	texts  string // what has the words: two columns or expressions
	living string // the condition of rows that have words
	words  string // the table of words
	column string // of words, that refers to the row
}

var worded = []wordedTable{
	{"tasks", "title, COALESCE(description, '')", "deleted_at IS NULL", "task_words", "task_id"},
	{"tickets", "subject, COALESCE(description, '')", "1 = 1", "ticket_words", "ticket_id"},
}

// foldable returns the ids of the rows that may have other words than before: those with letters
// beyond ASCII.
func (t wordedTable) foldable(ctx context.Context, r reader) (ids []int, err error) {
	for last, more := 0, true; more; {
		query := fmt.Sprintf("SELECT id, %s FROM %s WHERE id > ? AND %s ORDER BY id LIMIT %d",
			t.texts, t.table, t.living, page)
		n := 0
		err := scan(ctx, r, query, []any{last}, func(rows *sql.Rows) error {
			var title, description string
			err := rows.Scan(&last, &title, &description)
			if n++; !textform.IsASCII(title + description) {
				ids = append(ids, last)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		more = n == page
	}
	return ids, nil
}

// derive replaces the words of a row that differ from those of its texts. The row is locked first,
// as by those who change it.
func (t wordedTable) derive(ctx context.Context, w writer, id int) error {
	if _, err := w.ExecContext(ctx, "UPDATE "+t.table+" SET id = id WHERE id = ?", id); err != nil {
		return err
	}
	var wanted, has []string
	company := 0
	query := fmt.Sprintf("SELECT company_id, %s FROM %s WHERE id = ? AND %s", t.texts, t.table, t.living)
	err := scan(ctx, w, query, []any{id}, func(rows *sql.Rows) error {
		var title, description string
		err := rows.Scan(&company, &title, &description)
		wanted = textform.Words(title, description)
		return err
	})
	if err != nil || company == 0 {
		return err
	}
	query = fmt.Sprintf("SELECT word FROM %s WHERE %s = ?", t.words, t.column)
	err = scan(ctx, w, query, []any{id}, func(rows *sql.Rows) error {
		var word string
		err := rows.Scan(&word)
		has = append(has, word)
		return err
	})
	if err != nil {
		return err
	}
	// The number of a ticket stays as it is.
	for _, word := range has {
		if !slices.Contains(wanted, word) && !textform.IsASCII(word) {
			query := fmt.Sprintf("DELETE FROM %s WHERE %s = ? AND word = ?", t.words, t.column)
			if _, err := w.ExecContext(ctx, query, id, word); err != nil {
				return err
			}
		}
	}
	for _, word := range wanted {
		if !slices.Contains(has, word) {
			insert := fmt.Sprintf("INSERT INTO %s (company_id, %s, word) VALUES (?, ?, ?)", t.words, t.column)
			if _, err := w.ExecContext(ctx, insert, company, id, word); err != nil {
				return err
			}
		}
	}
	return nil
}
