package database

import (
	"fmt"
	"time"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
)

// present returns SQL for the present and so many seconds, by the clock of the database:
// leases of several instances are judged by that one alone.
func present(name string, seconds int) string {
	if name == dialect.MySQL {
		return fmt.Sprintf("UTC_TIMESTAMP(6) + INTERVAL %d SECOND", seconds)
	}
	return fmt.Sprintf("strftime('%%Y-%%m-%%d %%H:%%M:%%f+00:00', 'now', '+%d seconds')", seconds)
}

// A Lease is a column that tells until when a row belongs to whoever leased it, by the clock
// of the database. A holder that has died loses the row after Life, which is whole seconds.
type Lease struct {
	Column string
	Life   time.Duration
}

// End returns SQL for the end of a lease that begins now.
func (l Lease) End(name string) string { return present(name, int(l.Life/time.Second)) }

// Present returns SQL for the present, as a lease is compared with it.
func (l Lease) Present(name string) string { return present(name, 0) }

// Renew sets the end of the leases of the rows that an update changes.
func (l Lease) Renew(u *sql.UpdateBuilder) { u.Set(l.Column, sql.Expr(l.End(u.Dialect()))) }

// Over matches rows whose lease has ended.
func (l Lease) Over(s *sql.Selector) {
	s.Where(sql.ExprP(s.C(l.Column) + " <= " + present(s.Dialect(), 0)))
}

// InForce matches rows whose lease has not ended.
func (l Lease) InForce(s *sql.Selector) {
	s.Where(sql.ExprP(s.C(l.Column) + " > " + present(s.Dialect(), 0)))
}
