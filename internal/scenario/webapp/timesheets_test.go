package webapp

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"workforce/ent"
	"workforce/ent/attendance"
	entReport "workforce/ent/report"
	"workforce/ent/user"
	"workforce/internal/scenario/harness"
	"workforce/internal/setting"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// TestTimesheets reads a month as an owner, saves the payroll file, locks and unlocks a period, and
// generates, cancels and schedules reports.
func TestTimesheets(t *testing.T) {
	full(t)
	t.Parallel()
	s := newServer(t)
	ctx, db := viewer.System(t.Context()), s.Store.Ent
	owner := db.User.Query().Where(user.Email("admin@demo.test")).OnlyX(ctx)
	before := db.Report.Query().Select(entReport.FieldID).IntsX(ctx)
	useAs(t, s, owner.Email, "timesheets.mjs", nil, map[string]func(string) string{
		"people": func(string) string {
			return strconv.Itoa(db.User.Query().Where(user.CompanyID(owner.CompanyID), user.Active(true)).CountX(ctx))
		},
		"days": func(email string) string {
			return strconv.Itoa(daysOfMonth(ctx, s, email))
		},
		"reports": func(string) string {
			return list(db.Report.Query().Where(entReport.UserID(owner.ID), entReport.IDNotIn(before...)).Order(entReport.ByID()).AllX(ctx),
				func(r *ent.Report) string { return fmt.Sprint(r.Kind, " ", r.Format) })
		},
		"lock": func(string) string {
			v := db.Company.GetX(ctx, owner.CompanyID).Settings
			return strings.TrimSpace(setting.LockedFrom.Of(v) + " " + setting.LockedUntil.Of(v))
		},
		"queue": func(string) string {
			now := s.Clock.Now()
			db.Report.Create().SetCompanyID(owner.CompanyID).SetUserID(owner.ID).SetKind(entReport.KindLeave).
				SetFormat(entReport.FormatPdf).SetFromDate("2026-01-01").SetToDate("2026-01-31").SetLanguage("en").
				SetTimezone("Asia/Jakarta").SetCreatedAt(now).SetExpiresAt(now.AddDate(0, 0, 7)).SaveX(ctx)
			return ""
		},
		"schedules": func(string) string {
			return list(db.ReportSchedule.Query().AllX(ctx),
				func(r *ent.ReportSchedule) string { return fmt.Sprint(r.Kind, " ", r.Every, " ", r.Active) })
		},
	})
}

// daysOfMonth counts the dates of this month on which a person has clocked in.
func daysOfMonth(ctx context.Context, s *harness.Server, email string) int {
	month := timesheet.Month(timesheet.DateOf(s.Clock.Now(), s.Clock.Now().Location()))
	dates := map[string]bool{}
	for _, a := range s.Store.Ent.Attendance.Query().Where(attendance.HasUserWith(user.Email(email)),
		attendance.WorkDateGTE(string(month.From)), attendance.WorkDateLTE(string(month.To))).AllX(ctx) {
		dates[a.WorkDate] = true
	}
	return len(dates)
}

// list returns items in words, with commas between.
func list[T any](items []T, words func(T) string) string {
	all := make([]string, len(items))
	for i, item := range items {
		all[i] = words(item)
	}
	return strings.Join(all, ", ")
}

// TestOwnTimesheet shows an employee their own days and reports alone.
func TestOwnTimesheet(t *testing.T) {
	full(t)
	t.Parallel()
	s := newServer(t)
	ctx := viewer.System(t.Context())
	before := s.Store.Ent.Report.Query().Select(entReport.FieldID).IntsX(ctx)
	useAs(t, s, "budi@demo.test", "own-timesheet.mjs", nil, map[string]func(string) string{})
	got := list(s.Store.Ent.Report.Query().Where(entReport.IDNotIn(before...)).WithUser().AllX(ctx),
		func(r *ent.Report) string { return fmt.Sprint(r.Edges.User.Email, " ", r.Kind) })
	if want := "budi@demo.test timesheet"; got != want {
		t.Errorf("reports are %q, want %q", got, want)
	}
}
