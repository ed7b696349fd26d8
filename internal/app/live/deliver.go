package live

import (
	"context"
	"crypto/sha256"
	stdsql "database/sql"
	"errors"
	"slices"
	"time"

	entgo "entgo.io/ent"
	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/privacy"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	entReport "workforce/ent/report"
	entTask "workforce/ent/task"
	entTicket "workforce/ent/ticket"
	"workforce/internal/app/auth/credential"
	"workforce/internal/app/tx"
	"workforce/internal/database"
	"workforce/internal/viewer"
)

// The fields of Subscription, by what they show.
const (
	attendanceChanged = "attendanceChanged"
	taskChanged       = "taskChanged"
	reportChanged     = "reportChanged"
	ticketChanged     = "ticketChanged"
)

// A kind is an entity whose rows a subscription shows.
type kind struct {
	table  string
	policy func() entgo.Policy // ent sets it when the program starts
	// load reads a row with what every subscription to it is likely to show: it must be
	// of the company's directory, so that who sees the row sees it too.
	load func(ctx context.Context, db *ent.Client, id int) (any, error)
	// about returns the people whom a row is about; nil where the event names them.
	about func(row any) []int
}

// kinds are the subscriptions, by field. Another is one line here, its function beside
// AttendanceChanged, and a field of Subscription that returns Rows.
var kinds = map[string]kind{
	attendanceChanged: {
		table: entAttendance.Table, policy: func() entgo.Policy { return entAttendance.Policy },
		load: func(ctx context.Context, db *ent.Client, id int) (any, error) {
			return db.Attendance.Query().Where(entAttendance.ID(id)).WithUser().Only(ctx)
		},
	},
	taskChanged: {
		table: entTask.Table, policy: func() entgo.Policy { return entTask.Policy },
		load: func(ctx context.Context, db *ent.Client, id int) (any, error) {
			return db.Task.Query().Where(entTask.ID(id), entTask.DeletedAtIsNil()).WithCreator().WithProject().WithCategory().WithAssignees().Only(ctx)
		},
		about: func(row any) []int {
			t := row.(*ent.Task)
			people := []int{t.CreatorID}
			for _, u := range t.Edges.Assignees {
				people = append(people, u.ID)
			}
			return people
		},
	},
	reportChanged: {
		table: entReport.Table, policy: func() entgo.Policy { return entReport.Policy },
		load: func(ctx context.Context, db *ent.Client, id int) (any, error) {
			return db.Report.Query().Where(entReport.ID(id)).WithUser().Only(ctx)
		},
	},
	ticketChanged: {
		table: entTicket.Table, policy: func() entgo.Policy { return entTicket.Policy },
		load: func(ctx context.Context, db *ent.Client, id int) (any, error) {
			return db.Ticket.Query().Where(entTicket.ID(id)).WithRequester().WithAssignee().WithCategory().Only(ctx)
		},
	},
}

const (
	deliverTime = 5 * time.Second // in which an event is judged and read; else it is missed
	maxTokens   = 1000            // looked up by one statement
	maxJudged   = 500             // groups of viewers judged by one statement
)

// deliver hands an event to the connections whose people may see its row. Whatever
// fails, its listeners are told that they may have missed something.
func (s *Service) deliver(ctx context.Context, e Event) {
	k, known := kinds[e.Field]
	list := s.open.listeners(e.Company, e.Field)
	if !known || len(list) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(viewer.System(ent.NewContext(ctx, s.DB)), deliverTime)
	defer cancel()
	var seeing []*Connection
	var row any
	err := again(ctx, func() (err error) {
		seeing, row, err = s.read(ctx, k, e, list)
		return err
	})
	if err != nil {
		s.lost(ctx, e, list, err)
		return
	}
	for _, c := range seeing {
		if who := c.Who(); who.Reason == credential.Valid {
			c.receiver.Deliver(Delivery{e.Field, row, who})
			s.delivered.Add(1)
		}
	}
}

// again runs step, and again where the database is away or gave it up.
func again(ctx context.Context, step func() error) error {
	for try := 1; ; try++ {
		err := step()
		if err == nil || try == tx.Tries || !database.Away(err) && !database.Retryable(err) || !tx.Pause(ctx, try) {
			return err
		}
	}
}

// lost tells connections that they may have missed an event.
func (s *Service) lost(ctx context.Context, e Event, list []*Connection, err error) {
	s.Log.ErrorContext(ctx, "live: an event was not delivered", "field", e.Field, "id", e.ID, "error", err)
	s.end(Missed, list)
}

// read finds out which connections may see the row of an event, and reads it, in a
// number of statements that does not depend on how many listen: one for identities that
// are not cached, one for the policies, and those of load.
func (s *Service) read(ctx context.Context, k kind, e Event, list []*Connection) (seeing []*Connection, row any, err error) {
	list, err = s.identify(ctx, list, false)
	if err != nil {
		return nil, nil, err
	}
	if k.about != nil {
		row, err = k.load(ctx, s.DB, e.ID)
		if err == nil {
			e.Users = k.about(row)
		}
	}
	if err == nil {
		seeing, err = s.judge(ctx, k, e, list)
	}
	if err == nil && len(seeing) > 0 && row == nil {
		row, err = k.load(ctx, s.DB, e.ID)
	}
	if ent.IsNotFound(err) { // it was deleted since
		return nil, nil, nil
	}
	return seeing, row, err
}

// identify looks up the tokens of connections, which may have been changed since, and
// ends those that are not valid any more. It returns the others.
func (s *Service) identify(ctx context.Context, list []*Connection, fresh bool) (valid []*Connection, err error) {
	now := s.Now()
	for part := range slices.Chunk(list, maxTokens) {
		sent := make([]credential.Sent, len(part))
		for i, c := range part {
			sent[i] = c.sent
		}
		known, _, err := s.Identities.Get(ctx, s.DB, sent, now, fresh)
		if err != nil {
			return nil, err
		}
		for _, c := range part {
			i := known[c.sent.Hash]
			if i == nil || i.Check(now) != credential.Valid {
				c.receiver.End(SignedOut)
				continue
			}
			c.identify(i)
			valid = append(valid, c)
		}
	}
	return valid, nil
}

// A group is connections whose people the policies cannot tell apart.
type group struct {
	viewer  *viewer.Viewer
	members []*Connection
}

// groups puts those of a company together who have the same permissions and businesses,
// and whom the row is not about: they are judged by their rights alone, as nobody in
// particular. Whom the row has come to be about since is told by the event of that.
func groups(list []*Connection, about []int) (all []*group) {
	type key struct {
		rights [sha256.Size]byte
		user   int // 0 for whom the row is not about
	}
	byKey := map[key]*group{}
	for _, c := range list {
		h := c.holder.Load()
		k := key{rights: h.rights}
		if slices.Contains(about, h.Viewer.UserID) {
			k.user = h.Viewer.UserID
		}
		if byKey[k] == nil {
			v := h.Viewer
			v.UserID = k.user
			byKey[k] = &group{viewer: &v}
			all = append(all, byKey[k])
		}
		byKey[k].members = append(byKey[k].members, c)
	}
	return all
}

// judge returns the connections whose people may see the row, by the policy of its
// entity: one statement asks for one viewer of each group.
func (s *Service) judge(ctx context.Context, k kind, e Event, list []*Connection) (seeing []*Connection, err error) {
	for part := range slices.Chunk(groups(list, e.Users), maxJudged) {
		sees, err := s.visible(ctx, k, e.ID, part)
		if err != nil {
			return nil, err
		}
		for i, g := range part {
			if sees[i] {
				seeing = append(seeing, g.members...)
			}
		}
	}
	return seeing, nil
}

// conditions collects those of a policy.
type conditions []func(*sql.Selector)

// WhereP adds conditions; policies call it.
func (c *conditions) WhereP(more ...func(*sql.Selector)) { *c = append(*c, more...) }

// visible reports for each group whether its people may see a row: the conditions of
// the policy are the columns of one statement.
func (s *Service) visible(ctx context.Context, k kind, id int, all []*group) ([]bool, error) {
	table := sql.Table(k.table)
	statement := sql.Dialect(s.Dialect).Select().From(table).Where(sql.EQ(table.C("id"), id))
	for _, g := range all {
		column, err := condition(ctx, s.Dialect, k, g.viewer)
		if err != nil {
			return nil, err
		}
		statement.AppendSelectExpr(column)
	}
	query, args := statement.Query()
	found, err := s.DB.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = found.Close() }() // Err tells more
	sees, columns := make([]bool, len(all)), make([]stdsql.Null[int64], len(all))
	if !found.Next() {
		return sees, found.Err()
	}
	into := make([]any, len(columns))
	for i := range columns {
		into[i] = &columns[i]
	}
	if err := found.Scan(into...); err != nil {
		return nil, err
	}
	for i, c := range columns {
		sees[i] = c.V != 0
	}
	return sees, found.Err()
}

// condition returns the expression that is 1 where a viewer may see a row.
func condition(ctx context.Context, dialect string, k kind, v *viewer.Viewer) (sql.Querier, error) {
	var all conditions
	err := k.policy().EvalQuery(viewer.NewContext(ctx, v), &all)
	if errors.Is(err, privacy.Deny) {
		return sql.Raw("0"), nil
	}
	if err != nil {
		return nil, err
	}
	rows := sql.Dialect(dialect).Select().From(sql.Table(k.table))
	for _, c := range all {
		c(rows)
	}
	if rows.P() == nil {
		return sql.Raw("1"), nil
	}
	return sql.ExprFunc(func(b *sql.Builder) { b.Wrap(func(b *sql.Builder) { b.Join(rows.P()) }) }), nil
}
