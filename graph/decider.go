package graph

import (
	"context"

	"entgo.io/ent/dialect/sql"

	"workforce/ent"
	"workforce/ent/leave"
	"workforce/ent/user"
	"workforce/graph/connection"
	"workforce/internal/viewer"
)

// decider returns who decided about a row of a table of requests; nil for nobody, and for somebody whom
// the viewer does not see.
func decider(ctx context.Context, table string, by *int) (*ent.User, error) {
	if by == nil {
		return nil, nil
	}
	people, err := connection.People(ctx, []int{*by}, func(ctx context.Context) *ent.UserQuery {
		return ent.FromContext(ctx).User.Query().Where(decides(viewer.From(ctx).CompanyID, table))
	})
	return people[*by], err
}

// decides is true for whoever decided about a row of a table of requests of a company. Each of these
// tables names its columns as that of leave does.
func decides(company int, table string) func(*sql.Selector) {
	return func(s *sql.Selector) {
		t := sql.Table(table)
		s.Where(sql.In(s.C(user.FieldID), sql.Select(t.C(leave.FieldDecidedBy)).From(t).
			Where(sql.And(sql.EQ(t.C(leave.FieldCompanyID), company), sql.NotNull(t.C(leave.FieldDecidedBy))))))
	}
}
