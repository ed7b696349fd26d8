package statements

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"workforce/ent"
	"workforce/ent/leave"
	"workforce/ent/shiftassignment"
	"workforce/ent/user"
	"workforce/internal/scenario/harness"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// TestConcernedLeaves has giving 50 people a shift, and 100, take the same number of statements, with
// the leave of each that it concerns.
func TestConcernedLeaves(t *testing.T) {
	for name, open := range map[string]func(testing.TB) string{"sqlite": testdb.SQLite, "mysql": testdb.MySQL} {
		t.Run(name, func(t *testing.T) {
			if few, many := assignWithLeaves(t, open(t), 50), assignWithLeaves(t, open(t), 100); few != many {
				t.Errorf("%d statements for 50 people, %d for 100", few, many)
			}
		})
	}
}

// assignWithLeaves gives n people a shift for a date on which each has leave, and returns how many
// statements it takes.
func assignWithLeaves(t *testing.T, database string, n int) int {
	t.Helper()
	c := counting{Server: harness.New(t, database, longTokens, harness.Uncached), n: n, counts: map[string]int{}}
	c.fill(t)
	ctx := viewer.System(t.Context())
	people := c.Store.Ent.User.Query().Where(user.EmailHasSuffix("@many.test")).AllX(ctx)
	company, ids, given := people[0].CompanyID, make([]string, n), 0
	harness.Rewrite(t, ctx, c.Store.Ent, func(db *ent.Client) {
		db.ShiftAssignment.Update().Where(shiftassignment.CompanyID(company)).SetEndsOn("2026-03-20").ExecX(ctx)
		given = db.Shift.Create().SetCompanyID(company).SetName("New").SetStartTime("08:00").SetEndTime("16:00").SaveX(ctx).ID
		kind := db.LeaveType.Create().SetCompanyID(company).SetName("Concerned").SaveX(ctx)
		now := harness.Morning.UTC()
		db.Leave.MapCreateBulk(people, func(l *ent.LeaveCreate, i int) {
			ids[i] = fmt.Sprint(people[i].ID)
			l.SetCompanyID(company).SetUserID(people[i].ID).SetLeaveTypeID(kind.ID).SetStartsOn("2026-04-06").
				SetEndsOn("2026-04-06").SetDates([]string{"2026-04-06"}).SetReason("x").
				SetState(leave.StateApproved).SetCreatedAt(now).SetExpiresAt(now)
		}).ExecX(ctx)
	})
	c.SignIn(t, "me", c.address(0))
	text := fmt.Sprintf(`mutation{assignShifts(input:{userIds:["%s"],shiftId:"%d",startsOn:"2026-04-01"})
		{userId code concernedLeaves{reason user{id}}}}`, strings.Join(ids, `","`), given)
	body, _ := json.Marshal(map[string]string{"query": text})
	answer := c.ask(t, "POST", "/graphql", harness.SignedIn("me"), string(body))
	for i := range n {
		got := fmt.Sprint(element(answer.(map[string]any)["data"].(map[string]any)["assignShifts"], i))
		want := fmt.Sprintf("map[code:<nil> concernedLeaves:[map[reason:x user:map[id:%s]]] userId:%s]", ids[i], ids[i])
		if got != want {
			t.Fatalf("person %d: %s, want %s", i, got, want)
		}
	}
	return c.counts[string(body)]
}
