package webapp

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/task"
	"workforce/ent/taskcategory"
	"workforce/ent/ticket"
	"workforce/ent/ticketcategory"
	"workforce/ent/timeentry"
	"workforce/internal/viewer"
)

// TestTasks gives somebody a task, and does with it what a manager does.
func TestTasks(t *testing.T) {
	full(t)
	t.Parallel()
	s := newServer(t)
	s.SignIn(t, "admin", "admin@demo.test")
	ctx, db := viewer.System(t.Context()), s.Store.Ent
	given := func() *ent.Task {
		return db.Task.Query().Where(task.TitleContains("fire extinguishers")).OnlyX(ctx)
	}
	var id int
	local := func(before time.Duration) string {
		zone, err := time.LoadLocation("Asia/Jakarta")
		if err != nil {
			t.Error(err)
		}
		return s.Clock.Now().Add(-before).In(zone).Format("2006-01-02T15:04")
	}
	use(t, s, "tasks.mjs", map[string]func(string) string{
		"given": func(string) string {
			id = given().ID
			return given().QueryAssignees().OnlyX(ctx).Name
		},
		"rename": func(string) string {
			s.Says(t, "admin", fmt.Sprintf(`mutation { updateTask(id: "%d", input: {title: "Renamed by another"}) { title } }`,
				id),
				`{"updateTask":{"title":"Renamed by another"}}`)
			return ""
		},
		"title": func(string) string { return db.Task.GetX(ctx, id).Title },
		"parts": func(string) string {
			of := db.Task.GetX(ctx, id)
			step := of.QueryChecklist().OnlyX(ctx)
			done := map[bool]string{true: "done", false: "open"}[step.Done]
			comments, files := of.QueryComments().CountX(ctx), of.QueryAttachments().CountX(ctx)
			return fmt.Sprintf("1 step %s, %d comment, %d file", done, comments, files)
		},
		"status": func(string) string {
			of, err := db.Task.Query().Where(task.ID(id), task.DeletedAtIsNil()).Only(ctx)
			if ent.IsNotFound(err) {
				return "gone"
			}
			return string(of.Status)
		},
		"from": func(string) string { return local(3 * time.Hour) },
		"to":   func(string) string { return local(2 * time.Hour) },
		"entries": func(string) string {
			booked := timeentry.HasTaskWith(task.Title("Rapat persiapan audit"))
			return strconv.Itoa(db.TimeEntry.Query().Where(booked).CountX(ctx))
		},
	})
}

// TestTickets answers and handles tickets, and asks for help as an employee.
func TestTickets(t *testing.T) {
	full(t)
	t.Parallel()
	s := newServer(t)
	ctx, db := viewer.System(t.Context()), s.Store.Ent
	of := func(subject string) *ent.Ticket { return db.Ticket.Query().Where(ticket.Subject(subject)).OnlyX(ctx) }
	answers := map[string]func(string) string{
		"comments": func(string) string {
			var texts []string
			for _, c := range of("Akun surel baru").QueryComments().AllX(ctx) {
				texts = append(texts, map[bool]string{true: "internal: "}[c.Internal]+c.Text)
			}
			return strings.Join(texts, "|")
		},
		"state": func(string) string {
			one := of("Akun surel baru")
			held := ""
			if one.HeldAt != nil {
				held = ", held for " + *one.QueryHolds().OnlyX(ctx).Reason
			}
			return string(one.Status) + held + ", with " + one.QueryAssignee().OnlyX(ctx).Name
		},
		"merged": func(string) string {
			merged := db.Ticket.Query().Where(ticket.Subject("Lampu meja kerja redup"), ticket.DuplicateOfIDNotNil())
			return merged.QueryDuplicateOf().OnlyX(ctx).Subject
		},
		"categories": func(string) string {
			own := db.TicketCategory.Query().Where(ticketcategory.CompanyID(of("Akun surel baru").CompanyID))
			names := own.Order(ticketcategory.ByName()).Select(ticketcategory.FieldName).StringsX(ctx)
			return strings.Join(names, ", ")
		},
		"sorted": func(string) string {
			one := db.TaskCategory.Query().Where(taskcategory.Name("Audit")).WithParent().OnlyX(ctx)
			return one.Name + " below " + one.Edges.Parent.Name
		},
		"asked": func(string) string {
			one := of("My badge does not open the gate")
			return fmt.Sprintf("%s, %d file", one.Subject, one.QueryAttachments().CountX(ctx))
		},
	}
	useAs(t, s, "admin@demo.test", "tickets.mjs", nil, answers)
	useAs(t, s, "budi@demo.test", "tickets.mjs", map[string]bool{"employee": true}, answers)
}
