package database

import (
	"strconv"

	"entgo.io/ent/dialect/sql"
)

// In matches the rows whose column, quoted as a selector does, is one of some ids. They are
// text of the statement: 10,000 of them are more arguments than a statement may have.
func In(column string, ids []int) *sql.Predicate {
	if len(ids) == 0 {
		return sql.False()
	}
	return sql.ExprP(column + " IN (" + List(ids) + ")")
}

// OneOf returns the condition of In as ent's predicates are, on a column of their table.
func OneOf(column string, ids []int) func(*sql.Selector) {
	return func(s *sql.Selector) { s.Where(In(s.C(column), ids)) }
}

// List returns ids as text of a statement.
func List(ids []int) string {
	text := make([]byte, 0, 8*len(ids))
	for i, id := range ids {
		if i > 0 {
			text = append(text, ',')
		}
		text = strconv.AppendInt(text, int64(id), 10)
	}
	return string(text)
}
