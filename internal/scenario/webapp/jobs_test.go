package webapp

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/attendance"
	entLeave "workforce/ent/leave"
	"workforce/ent/leavetype"
	entMessage "workforce/ent/message"
	"workforce/ent/plannedday"
	entReport "workforce/ent/report"
	"workforce/ent/task"
	"workforce/ent/ticket"
	"workforce/ent/user"
	"workforce/internal/apitest"
	"workforce/internal/message"
	"workforce/internal/scenario/harness"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// A combination is how somebody does a job.
type combination struct {
	Language string `json:"language"`
	Width    int    `json:"width"`
	Theme    string `json:"theme"`
	Keyboard bool   `json:"keyboard"` // alone, without a pointer
}

// combinations are those that each database is tried with: two, which with those of the other database
// cover each value twice, or all where WEB_FULL is set.
func combinations(mysql bool) []combination {
	if os.Getenv("WEB_FULL") == "" {
		return []combination{
			{Language: "en", Width: 1280, Theme: "light", Keyboard: mysql},
			{Language: "id", Width: 360, Theme: "dark", Keyboard: !mysql},
		}
	}
	var all []combination
	for i := range 16 {
		of := func(bit int, zero, one string) string { return [2]string{zero, one}[i>>bit&1] }
		width, _ := strconv.Atoi(of(1, "1280", "360"))
		all = append(all, combination{
			Language: of(0, "en", "id"), Width: width, Theme: of(2, "light", "dark"), Keyboard: i>>3 == 1,
		})
	}
	return all
}

// TestJobs does ten jobs from Today, in at most four clicks each, which end with a row or a file: those of
// a manager, and those of who pays people, helps them and has them sign in.
func TestJobs(t *testing.T) {
	t.Parallel()
	for name, database := range map[string]func(testing.TB) string{"sqlite": testdb.SQLite, "mysql": testdb.MySQL} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := harness.New(t, database(t), atLocalhost)
			w := newWork(t, s)
			type jobs struct {
				Combinations []combination `json:"combinations"`
				Jobs         []string      `json:"jobs"`
				Code         int           `json:"code"` // which of the codes that were sent to them
			}
			answers := map[string]func(string) string{"make": w.make, "judge": w.done}
			all := combinations(name == "mysql")
			useAs(t, s, manager, "jobs.mjs",
				jobs{all, []string{"present", "leave", "forgotten", "plan", "flagged", "month", "task"}, 1}, answers)
			useAs(t, s, owner, "jobs.mjs", jobs{all, []string{"payroll", "answer", "invite"}, 2}, answers)
		})
	}
}

// thursday is a date of the week that the roster shows first.
const thursday = "2026-03-12"

// A work makes what a job is about, and judges what became of it.
type work struct {
	t     *testing.T
	s     *harness.Server
	ctx   context.Context
	db    *ent.Client
	made  int
	leave int               // the id of what the current job is about
	event *ent.Attendance   // or this
	past  []*ent.Attendance // what a job may be about, that of the longest ago first
	files int               // the payroll files of before
}

func newWork(t *testing.T, s *harness.Server) *work {
	t.Helper()
	w := &work{t: t, s: s, ctx: viewer.System(t.Context()), db: s.Store.Ent}
	s.SignIn(t, "budi", "budi@demo.test")
	s.SignIn(t, "owner", owner)
	s.SaveSites(t, "budi")
	s.SaveShift(t, "budi")
	s.MoveTo(t, harness.Jakarta(9, 0, 0), "budi")
	s.Must(t, []apitest.Scenario{harness.ClockIn("budi")})
	w.db.Attendance.Update().SetNeedsConfirmation(false).ExecX(w.ctx)
	w.past = w.db.Attendance.Query().Where(attendance.ClockedOutAtNotNil(), attendance.WorkDateGTE("2026-02-10"),
		attendance.HasUserWith(user.EmailIn("agus@demo.test", "dimas@demo.test"))).
		WithUser().Order(ent.Desc(attendance.FieldWorkDate)).AllX(w.ctx)
	return w
}

// make makes what a job is about, and says by which text it is found.
func (w *work) make(job string) string {
	w.made++
	mark := fmt.Sprintf("mark %d.", w.made)
	next := func() *ent.Attendance {
		w.event = w.past[0]
		w.past = append(w.past[1:], w.event) // those of before are settled
		return w.event
	}
	switch job {
	case "leave":
		w.leave = w.askLeave(mark)
	case "forgotten":
		next().Update().SetNeedsConfirmation(true).SetAutoClosed(true).
			SetClosingRule(attendance.ClosingRuleShiftEnd).ExecX(w.ctx)
		mark = w.event.Edges.User.Name
	case "flagged":
		next().Update().SetClockedInFlags([]string{"outside"}).SetClockedInReview(attendance.ClockedInReviewPending).
			SetClockedInNote(mark).ExecX(w.ctx)
	case "plan":
		mark = "Agus Setiawan"
		w.db.PlannedDay.Delete().Where(plannedday.Date(thursday), plannedday.HasUserWith(user.Name(mark))).ExecX(w.ctx)
	case "month":
		mark = "Budi Santoso"
	case "payroll":
		w.db.Report.Update().ClearKey().ExecX(w.ctx) // the same one is made anew within five minutes, too
		w.files = w.payrollFiles()
	case "answer":
		w.s.GraphQL(w.t, w.s.HeaderOf("budi"), `mutation($s: String!) { createTicket(input: {subject: $s}) { id } }`,
			map[string]any{"s": mark}, &struct{}{})
	case "invite":
		w.s.GraphQL(w.t, w.s.HeaderOf("owner"),
			`mutation($n: String!, $e: String!) { createUser(input: {name: $n, email: $e}) { id } }`,
			map[string]any{"n": mark, "e": fmt.Sprintf("mark-%d@demo.test", w.made)}, &struct{}{})
		w.s.MoveTo(w.t, w.s.Clock.Now().Add(2*time.Minute), "budi", "owner") // another invitation may be sent
	}
	return mark
}

// askLeave has an employee ask for a day of leave, and returns its id.
func (w *work) askLeave(reason string) int {
	budi := w.db.User.Query().Where(user.Email("budi@demo.test")).OnlyX(w.ctx)
	kind := w.db.LeaveType.Query().Where(leavetype.CompanyID(budi.CompanyID)).FirstX(w.ctx)
	now := w.s.Clock.Now()
	date := now.AddDate(0, 0, 30+w.made).Format(time.DateOnly)
	return w.db.Leave.Create().SetCompanyID(budi.CompanyID).SetUserID(budi.ID).SetLeaveTypeID(kind.ID).
		SetStartsOn(date).SetEndsOn(date).SetDates([]string{date}).SetReason(reason).SetCreatedAt(now).
		SetExpiresAt(now.Add(harness.Day)).SetState(entLeave.StatePending).SaveX(w.ctx).ID
}

// done says what is wrong with what a job ended in; "" for nothing.
func (w *work) done(text string) string {
	job, seen, _ := strings.Cut(text, " ")
	if got, want := w.ended(job, seen); got != want {
		return fmt.Sprintf("%q, want %q", got, want)
	}
	return ""
}

// ended returns what a job ended in, which was seen or has the mark seen, and what it should have.
func (w *work) ended(job, seen string) (got, want string) {
	switch job {
	case "present":
		names := strings.Split(seen, "|")
		slices.Sort(names)
		return strings.Join(names, "|"), "Budi Santoso|Indah Permatasari|Kartika Sari|Lukman Hakim|Sumarni"
	case "leave":
		return string(w.db.Leave.GetX(w.ctx, w.leave).State), "approved"
	case "forgotten":
		return strconv.FormatBool(w.db.Attendance.GetX(w.ctx, w.event.ID).NeedsConfirmation), "false"
	case "flagged":
		a := w.db.Attendance.GetX(w.ctx, w.event.ID)
		note := ""
		if a.ClockedInReviewNote != nil {
			note = *a.ClockedInReviewNote
		}
		return string(a.ClockedInReview) + ", " + note, "rejected, not at the site"
	case "plan":
		names, _ := plannedNames(w.ctx, w.db, "agus@demo.test", thursday)
		return strings.Join(names, ", "), "Malam"
	case "month":
		return seen, fmt.Sprint("Budi Santoso|", daysOfMonth(w.ctx, w.s, "budi@demo.test"))
	case "payroll":
		return fmt.Sprint(w.payrollFiles()-w.files, " ", strings.HasSuffix(seen, ".xlsx")), "1 true"
	case "task":
		return w.db.Task.Query().Where(task.Title(seen)).QueryAssignees().OnlyX(w.ctx).Name, "Budi Santoso"
	case "answer":
		return w.db.Ticket.Query().Where(ticket.Subject(seen)).QueryComments().OnlyX(w.ctx).Text, seen + " is answered"
	default: // invite
		invited := entMessage.And(entMessage.HasUserWith(user.Name(seen)), entMessage.Kind(string(message.Invited)))
		return strconv.Itoa(w.db.Message.Query().Where(invited).CountX(w.ctx)), "2"
	}
}

// payrollFiles counts the timesheets that were made for the owner.
func (w *work) payrollFiles() int {
	made := entReport.And(entReport.HasUserWith(user.Email(owner)), entReport.KindEQ(entReport.KindTimesheet),
		entReport.StatusEQ(entReport.StatusDone))
	return w.db.Report.Query().Where(made).CountX(w.ctx)
}
