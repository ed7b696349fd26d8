package enttests

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect/sql/schema"
	"entgo.io/ent/schema/field"

	"workforce/ent"
	"workforce/ent/migrate"
	_ "workforce/ent/runtime"
	"workforce/internal/database"
	"workforce/internal/viewer"
)

// The ids of two companies and of everything that is theirs begin here. Theirs
// is above ours so that the smallest of all ids is ours, not what the database
// gives a new row.
const (
	theirs = 1_000_000
	ours   = 9_000_000
)

// seeds is how many rows of each entity a company has.
const seeds = 3

// isTheirs reports whether id is of a row of their company.
func isTheirs(id int) bool { return id >= theirs && id < theirs+1000 }

// isAnybodys reports whether id is of a row that was seeded.
func isAnybodys(id int) bool { return isTheirs(id) || id >= ours }

// mark is in every text and all bytes of a company's rows.
func mark(company int) string {
	if company == ours {
		return "~o"
	}
	return "~t"
}

// connect returns a client of the database of url. Its tables have no foreign keys:
// isolation may not rest on them.
func connect(t *testing.T, url string) *ent.Client {
	t.Helper()
	db, err := database.Open(url, nil)
	if err != nil {
		t.Fatal(err)
	}
	client := ent.NewClient(ent.Driver(db.Driver()))
	t.Cleanup(func() { client.Close() })
	if err := migrate.Create(t.Context(), db.Driver(), schema.WithForeignKeys(false)); err != nil {
		t.Fatal(err)
	}
	return client
}

// twoCompanies fills every table with rows of the same shape for us and for
// them. The last row of each points across: to rows of the other company.
func twoCompanies(t *testing.T, client *ent.Client) {
	t.Helper()
	for _, company := range []int{ours, theirs} {
		for _, table := range migrate.Tables {
			for i := range seeds {
				if table == migrate.CompaniesTable && i > 0 {
					break
				}
				insert(t, client, table, company, i, nil)
			}
		}
	}
}

// insert writes the i-th row of a company, every column filled: by the schema's
// description alone, or as override says.
func insert(t *testing.T, client *ent.Client, table *schema.Table, company, i int, override map[string]any) {
	t.Helper()
	var names []string
	var args []any
	links := 0
	for _, c := range table.Columns {
		v, ok := override[c.Name]
		switch target := reference(table, c); {
		case ok:
		case c.Name == "id":
			v = company + i
		case c.Name == "copy_of_id": // a task has one copy for a date
			v = nil
		case target == "companies":
			v = company
		case target == "devices": // those that somebody of a company trusts are seen there
			v = company + i
		case target != "" && alone(table, c):
			v = linked(company, i, 0)
		case target != "":
			v = linked(company, i, links)
			links++
		default:
			v = value(t, c, company, i)
		}
		names, args = append(names, c.Name), append(args, v)
	}
	holes := strings.TrimSuffix(strings.Repeat("?,", len(args)), ",")
	query := fmt.Sprintf("INSERT INTO %s (`%s`) VALUES (%s)", table.Name, strings.Join(names, "`,`"), holes)
	if _, err := client.ExecContext(context.Background(), query, args...); err != nil {
		t.Fatalf("%s %d: %v", table.Name, i, err)
	}
}

// reference names the table that a column points to, or "".
func reference(table *schema.Table, c *schema.Column) string {
	for _, fk := range table.ForeignKeys {
		if fk.Columns[0] == c {
			return fk.RefTable.Name
		}
	}
	return ""
}

// alone reports whether a column is a unique key by itself.
func alone(table *schema.Table, c *schema.Column) bool {
	return slices.ContainsFunc(table.Indexes, func(i *schema.Index) bool { return i.Unique && len(i.Columns) == 1 && i.Columns[0] == c })
}

// linked returns the id to which a row's n-th link points. Those of the last row
// point across, and no two to the same row, which keeps unique pairs unique.
func linked(company, i, n int) int {
	if i < seeds-1 {
		return company + i
	}
	return ours + theirs - company + i - n%2
}

// value returns what a column that links to nothing holds in the i-th row.
func value(t *testing.T, c *schema.Column, company, i int) any {
	t.Helper()
	text := fmt.Sprint(mark(company), i)
	switch {
	case c.Name == "mobile_number":
		return "62 " + text
	case c.Name == "weekdays", c.Name == "weekly_offs", c.Name == "days", c.Name == "shift_ids":
		return "[1]"
	case c.Name == "points" && c.Type == field.TypeJSON:
		return "[]"
	case (c.Name == "before" || c.Name == "after") && c.Type == field.TypeJSON:
		return fmt.Sprintf(`{"closingRule":%q}`, text)
	case strings.HasSuffix(c.Name, "_verdict") && c.Type == field.TypeJSON:
		return fmt.Sprintf(`{"policies":{"face":%q}}`, text)
	case c.Name == "settings":
		return fmt.Sprintf(`{"country":%q}`, text)
	case c.Name == "policies":
		return fmt.Sprintf(`{"face":%q}`, text)
	case c.Name == "every_weeks":
		return 1
	case c.Name == "deleted_at":
		return nil // nobody sees others
	case c.Name == "color":
		return "#00ff00"
	case strings.HasSuffix(c.Name, "_id") && c.Type == field.TypeInt:
		return company + i
	}
	switch c.Type {
	case field.TypeString:
		return text
	case field.TypeBytes:
		return fmt.Appendf(nil, "%-16s", text)
	case field.TypeJSON:
		return fmt.Sprintf("[%q]", text)
	case field.TypeEnum:
		return c.Enums[0]
	case field.TypeInt, field.TypeInt8, field.TypeInt64:
		return 30 + i + company/theirs
	case field.TypeFloat64:
		return 1.5 + float64(i)
	case field.TypeBool:
		return false
	case field.TypeTime:
		return time.Date(2026, 1, 2, 3, i, 0, 0, time.UTC)
	}
	t.Fatalf("no value for a %s of type %s", c.Name, c.Type)
	return nil
}

// snapshot returns all that they have, as text.
func snapshot(t *testing.T, client *ent.Client) string {
	t.Helper()
	var text strings.Builder
	for _, table := range migrate.Tables {
		query := fmt.Sprintf("SELECT * FROM %s WHERE id BETWEEN %d AND %d ORDER BY id", table.Name, theirs, theirs+999)
		rows, err := client.QueryContext(t.Context(), query)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&text, table.Name)
		for rows.Next() {
			values := make([]any, len(table.Columns))
			for i := range values {
				values[i] = new(sql.RawBytes)
			}
			if err := rows.Scan(values...); err != nil {
				t.Fatal(err)
			}
			for _, v := range values {
				fmt.Fprintf(&text, "\t%q", *v.(*sql.RawBytes))
			}
			fmt.Fprintln(&text)
		}
		if err := rows.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return text.String()
}

// as returns a context in which somebody of a company looks, with the
// permissions of a built-in role.
func as(t *testing.T, company, user int, role string, businesses ...int) context.Context {
	return viewer.NewContext(t.Context(), &viewer.Viewer{
		CompanyID: company, UserID: user, Permissions: viewer.Permissions(role), Businesses: businesses, Owner: role == viewer.Owner,
	})
}

// system returns a context in which the server itself looks.
func system(t *testing.T) context.Context { return viewer.System(t.Context()) }
