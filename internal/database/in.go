package database

import (
	"encoding/json"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
)

// maxArgs is how many ids are arguments of their own. SQLite takes 32,766 of a
// statement in all.
const maxArgs = 100

// In matches the rows whose column, quoted as a selector does, is one of some ids. Many
// of them are one argument, so that a condition on 10,000 of them may stand in a
// statement more than once.
func In(name, column string, ids []int) *sql.Predicate {
	if len(ids) <= maxArgs {
		all := make([]any, len(ids))
		for i, id := range ids {
			all[i] = id
		}
		return sql.In(column, all...)
	}
	list, _ := json.Marshal(ids) // of numbers never fails
	return sql.P(func(b *sql.Builder) {
		b.Ident(column)
		if name == dialect.SQLite {
			b.WriteString(" IN (SELECT value FROM json_each(").Arg(string(list)).WriteString("))")
			return
		}
		b.WriteString(" IN (SELECT listed.id FROM JSON_TABLE(").Arg(string(list)).WriteString(", '$[*]' COLUMNS (id BIGINT PATH '$')) AS listed)")
	})
}

// OneOf returns the condition of In as ent's predicates are, on a column of their table.
func OneOf(column string, ids []int) func(*sql.Selector) {
	return func(s *sql.Selector) { s.Where(In(s.Dialect(), s.C(column), ids)) }
}
