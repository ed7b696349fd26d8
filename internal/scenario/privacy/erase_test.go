package privacy

import (
	"context"
	"fmt"
	"image/color"
	"strconv"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	"workforce/ent/employeeshift"
	entJob "workforce/ent/job"
	entPosition "workforce/ent/position"
	entTimeEntry "workforce/ent/timeentry"
	"workforce/ent/user"
	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// marks are values that are in the database of one person alone.
func marks(object string) []string {
	return []string{
		"Zulfikar", "zulfikar", "zx.mail@demo.test", "8123454321", "ZX-7741", "Zxsalut", "-6.200417", "106.816943", "zxnote",
		"zxphone", "Zxmodel", "zx-request", "zx-key", "zxstopped", "zxformer", "zxhash", object,
		"zxexempt", "zxremoved", "zxcorrect", "zxdenied", "zxleave", "zxnoted", "zxswap", "zxovertime", "zxreset", "zxasked", "zxtold", "-6.200419", "106.816945",
		"zxentry", "zxtag", "zxweek", "zxrejected", "zxcomment", "zxcaption", "-6.200423", "106.816949",
	}
}

// fill gives agus values of their own everywhere.
func fill(t *testing.T, s *harness.Server) (*ent.User, string) {
	t.Helper()
	ctx := viewer.System(t.Context())
	s.SignIn(t, "andini", "admin@demo.test")
	s.Vars["agus"] = harness.PersonID(t, s, "agus@demo.test")
	s.Run(t, []apitest.Scenario{
		harness.Asks("is given a name", "andini", `mutation{updateUser(id:"{{agus}}",input:{name:"Zulfikar Zx",email:"zx.mail@demo.test",mobileNumber:{countryCode:62,number:"8123454321"}}){name}}`,
			`{"updateUser":{"name":"Zulfikar Zx"}}`),
		{Name: "a phone", Path: "/device/register", Body: `{"deviceId":"zxphone","platform":"android","model":"Zxmodel"}`, Want: `"<any>"`, Save: map[string]string{"phone": "/deviceToken"}},
	})
	s.SignInOn(t, "agus", "zx.mail@demo.test", s.Vars["phone"])
	s.Run(t, []apitest.Scenario{
		harness.Asks("sets what is theirs", "agus", `mutation{updateViewer(input:{salutation:"Zxsalut",messageChannel:whatsapp}){salutation}}`, `{"updateViewer":{"salutation":"Zxsalut"}}`),
	})
	s.SignIn(t, "shared", "budi@demo.test")
	s.SignInOn(t, "guest", "zx.mail@demo.test", s.Vars["shared.device"])
	s.SaveSites(t, "agus")
	s.SaveShift(t, "agus")
	in := harness.Under(harness.ClockIn("agus", "note", `"zxnote in"`, "latitude", `"-6.200417"`, "longitude", `"106.816943"`, "faceLandmark", harness.Landmarks(7)), "zx-request")
	in.Header["Idempotency-Key"] = "zx-key"
	s.Run(t, []apitest.Scenario{in})
	s.Pass(t, "andini", "agus", "shared")
	s.Run(t, []apitest.Scenario{harness.ClockOut("agus", "note", `"zxnote out"`, "latitude", `"-6.200417"`, "longitude", `"106.816943"`)})
	if _, err := s.AskUpload(t, "agus", `mutation($input:SetAvatarInput!){setAvatar(input:$input){image}}`, map[string]any{"input": map[string]any{"image": nil}}, "input.image",
		harness.Picture(t, 50, 60, color.RGBA{7, 70, 77, 255})); err != nil {
		t.Fatal(err)
	}
	exempt := func(rule, note string) apitest.Scenario {
		return saves(harness.Asks("is exempt from "+rule, "andini",
			`mutation{createExemption(input:{userId:"{{agus}}",rule:`+rule+`,endsOn:"2026-12-31",note:"`+note+`"}){id}}`, `{"createExemption":{"id":"<digits>"}}`), rule, "createExemption")
	}
	s.Run(t, []apitest.Scenario{
		exempt("speed", "zxexempt"), exempt("geofence", "zxremoved"),
		harness.Asks("is not any more", "andini", `mutation{deleteExemption(id:"{{geofence}}"){deleted}}`, `{"deleteExemption":{"deleted":true}}`),
		saves(harness.Asks("a type of leave", "andini", `mutation{createLeaveType(input:{name:"Cuti khusus"}){id}}`, `{"createLeaveType":{"id":"<digits>"}}`), "type", "createLeaveType"),
		saves(harness.Asks("asks for leave", "agus", `mutation{requestLeave(input:{typeId:"{{type}}",startsOn:"2026-03-16",endsOn:"2026-03-16",reason:"zxasked"}){id}}`,
			`{"requestLeave":{"id":"<digits>"}}`), "leave", "requestLeave"),
		harness.Asks("is told", "andini", `mutation{decideLeave(id:"{{leave}}",input:{approve:false,note:"zxtold"}){state}}`, `{"decideLeave":{"state":"refused"}}`),
	})
	s.Wait(t, "the messages about leave", func() bool {
		return !s.Store.Ent.Job.Query().Where(entJob.Kind("tell_shifts"), entJob.FinishedAtIsNil()).ExistX(ctx)
	})
	harness.Rewrite(t, ctx, s.Store.Ent, func(db *ent.Client) { request(ctx, db, "zx.mail@demo.test", s.Clock.Now()) })
	harness.Rewrite(t, ctx, s.Store.Ent, func(db *ent.Client) {
		u := db.User.Update().Where(user.Email("zx.mail@demo.test")).SetEmployeeNumber("ZX-7741").SetStoppedEmail("zxstopped@demo.test").SetPasswordHash("zxhash")
		u.ExecX(ctx)
		who := db.User.Query().Where(user.Email("zx.mail@demo.test")).OnlyX(ctx)
		db.FormerPassword.Create().SetCompanyID(who.CompanyID).SetUserID(who.ID).SetHash("zxformer").SetCreatedAt(s.Clock.Now()).ExecX(ctx)
	})
	u := s.Store.Ent.User.Query().Where(user.Email("zx.mail@demo.test")).OnlyX(ctx)
	return u, s.Store.Ent.File.GetX(ctx, *u.ImageFileID).Name
}

// saves returns a scenario that saves the id of what it creates.
func saves(r apitest.Scenario, as, field string) apitest.Scenario {
	r.Save = map[string]string{as: "/data/" + field + "/id"}
	return r
}

// request adds what somebody asked for, with what they and others wrote, and where they were.
func request(ctx context.Context, db *ent.Client, email string, now time.Time) {
	u := db.User.Query().Where(user.Email(email)).OnlyX(ctx)
	o := db.EmployeeShift.Query().Where(employeeshift.UserID(u.ID)).FirstX(ctx)
	of := u.CompanyID
	db.Correction.Create().SetCompanyID(of).SetUserID(u.ID).SetEmployeeShiftID(o.ID).SetDate(o.Date).SetCoversFrom(now).SetCoversUntil(now).
		SetReason("zxcorrect").SetDecisionNote("zxdenied").SetExpiresAt(now).SetCreatedAt(now).ExecX(ctx)
	kind := db.LeaveType.Create().SetCompanyID(of).SetName("Cuti lain").SaveX(ctx)
	db.Leave.Create().SetCompanyID(of).SetUserID(u.ID).SetLeaveTypeID(kind.ID).SetStartsOn("2026-04-01").SetEndsOn("2026-04-01").SetDates([]string{"2026-04-01"}).
		SetReason("zxleave").SetDecisionNote("zxnoted").SetExpiresAt(now).SetCreatedAt(now).ExecX(ctx)
	db.ShiftSwap.Create().SetCompanyID(of).SetUserID(u.ID).SetDate("2026-04-02").SetShiftID(o.ShiftID).SetWantedDate("2026-04-02").SetWantedShiftID(o.ShiftID).
		SetNote("zxswap").SetExpiresAt(now).SetCreatedAt(now).ExecX(ctx)
	db.OvertimeApproval.Create().SetCompanyID(of).SetUserID(u.ID).SetDate("2026-04-03").SetApproved(true).SetSeconds(3600).
		SetNote("zxovertime").SetDecidedBy(u.ID).SetDecidedAt(now).ExecX(ctx)
	db.FaceReset.Create().SetCompanyID(of).SetUserID(u.ID).SetReason("zxreset").SetRequestedAt(now).ExecX(ctx)
	db.Position.Create().SetCompanyID(of).SetUserID(u.ID).SetRecordedAt(now).SetReceivedAt(now).SetLatitude(-6.200419).SetLongitude(106.816945).
		SetSource(entPosition.SourceReport).ExecX(ctx)
	work := db.Task.Create().SetCompanyID(of).SetCreatorID(u.ID).SetTitle("Kerja").SetCreatedAt(now).SetUpdatedAt(now).SaveX(ctx)
	db.TaskComment.Create().SetCompanyID(of).SetTaskID(work.ID).SetUserID(u.ID).SetText("zxcomment").SetCreatedAt(now).ExecX(ctx)
	db.TaskImage.Create().SetCompanyID(of).SetTaskID(work.ID).SetUserID(u.ID).SetURL("images/lobi.jpg").SetThumbnailURL("images/lobi-320.jpg").
		SetCaption("zxcaption").SetContentType("image/jpeg").SetWidth(40).SetHeight(30).SetSize(1000).SetCreatedAt(now).ExecX(ctx)
	db.TimeEntry.Create().SetCompanyID(of).SetUserID(u.ID).SetTaskID(work.ID).SetKind(entTimeEntry.KindBooked).SetStartedAt(now).SetEndedAt(now).
		SetDate("2026-03-10").SetLastDate("2026-03-10").SetTimezone("Asia/Jakarta").SetNote("zxentry").SetTags([]string{"zxtag"}).
		SetLatitude(-6.200423).SetLongitude(106.816949).SetCreatedAt(now).SetUpdatedAt(now).ExecX(ctx)
	db.TimeWeek.Create().SetCompanyID(of).SetUserID(u.ID).SetStartsOn("2026-03-09").SetEndsOn("2026-03-15").SetSeconds(0).SetSubmittedAt(now).
		SetNote("zxweek").SetDecisionNote("zxrejected").ExecX(ctx)
}

// texts returns the texts of all messages, opened.
func texts(t *testing.T, s *harness.Server) (lines []string) {
	t.Helper()
	for _, m := range s.Store.Ent.Message.Query().AllX(viewer.System(t.Context())) {
		if m.SealedText == nil {
			continue
		}
		plain, err := s.Services.Notify.Sealer.Open(*m.SealedText, strconv.Itoa(m.CompanyID), strconv.Itoa(m.UserID))
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, fmt.Sprintf("text of message %d to %d: %s", m.ID, m.UserID, plain))
	}
	return lines
}

// dump returns all rows of all tables as text: name of the table, then its columns. What
// messages say is among it.
func dump(t *testing.T, s *harness.Server) (lines []string) {
	t.Helper()
	names := "SELECT name FROM sqlite_master WHERE type = 'table'"
	if strings.HasPrefix(t.Name()[strings.Index(t.Name(), "/")+1:], "mysql") {
		names = "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()"
	}
	for _, table := range query(t, s, names) {
		for _, line := range query(t, s, "SELECT * FROM `"+table+"`") {
			lines = append(lines, table+": "+line)
		}
	}
	return append(lines, texts(t, s)...)
}

// query returns the rows of a statement as text.
func query(t *testing.T, s *harness.Server, text string) (lines []string) {
	t.Helper()
	rows, err := s.Store.Ent.QueryContext(t.Context(), text)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		values, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		cells := make([]string, len(values))
		for i, v := range values {
			if b, ok := v.([]byte); ok {
				v = string(b)
			}
			cells[i] = fmt.Sprint(v)
		}
		lines = append(lines, strings.Join(cells, "|"))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return lines
}

// worked returns what counts of somebody's attendances.
func worked(t *testing.T, s *harness.Server, id int) string {
	t.Helper()
	rows := s.Store.Ent.Attendance.Query().Where(entAttendance.UserID(id)).Order(ent.Asc(entAttendance.FieldID)).AllX(viewer.System(t.Context()))
	var text strings.Builder
	for _, a := range rows {
		out := time.Time{}
		if a.ClockedOutAt != nil {
			out = *a.ClockedOutAt
		}
		fmt.Fprintln(&text, a.ID, a.WorkDate, a.ClockedInAt, out, a.ClockedInGeofence, a.ClockedInFlags, a.FaceVerdict, a.NeedsConfirmation)
	}
	return text.String()
}

// TestErased fills a person with values of their own everywhere, erases them, and finds
// none of the values in any table or object.
func TestErased(t *testing.T) {
	harness.Each(t, func(t *testing.T, s *harness.Server) {
		ctx := viewer.System(t.Context())
		u, object := fill(t, s)
		before := dump(t, s)
		for _, mark := range marks(object) {
			if !found(before, mark) {
				t.Errorf("%q is nowhere before", mark)
			}
		}
		if told := query(t, s, fmt.Sprint("SELECT id FROM messages WHERE about_id = ", u.ID, " AND user_id <> ", u.ID, " AND sealed_text IS NOT NULL")); len(told) == 0 || !found(texts(t, s), "Zulfikar") {
			t.Errorf("%d messages tell others of them", len(told))
		}
		s.Run(t, []apitest.Scenario{harness.Asks("exports their data", "agus", `mutation{exportOwnData{status}}`, `{"exportOwnData":{"status":"queued"}}`)})
		made(t, s, 1)
		total, others := worked(t, s, u.ID), len(query(t, s, "SELECT id FROM attendances"))
		s.Run(t, []apitest.Scenario{erase("erases", "andini", "agus", erased)})
		finish(t, s, 1)
		check := func(when string) {
			t.Helper()
			after := dump(t, s)
			for _, mark := range marks(object) {
				for _, line := range after {
					if strings.Contains(line, mark) {
						t.Errorf("%s: %q is in %.300s", when, mark, line)
					}
				}
			}
			for _, table := range []string{"messages", "sessions", "device_trusts", "face_templates", "former_passwords", "one_time_codes", "request_records", "idempotency_claims", "user_roles", "user_designations", "person_exports"} {
				if rows := query(t, s, fmt.Sprint("SELECT id FROM ", table, " WHERE user_id = ", u.ID)); len(rows) > 0 {
					t.Errorf("%s: %d rows of %s", when, len(rows), table)
				}
			}
			if got := worked(t, s, u.ID); got != total || total == "" {
				t.Errorf("%s: attendances were\n%s, and are\n%s", when, total, got)
			}
			if n := len(query(t, s, fmt.Sprint("SELECT id FROM task_images WHERE caption IS NULL AND user_id = ", u.ID))); n != 1 {
				t.Errorf("%s: %d pictures that they added to tasks, want 1", when, n)
			}
			if n := len(query(t, s, "SELECT id FROM attendances")); n != others {
				t.Errorf("%s: %d attendances, want %d", when, n, others)
			}
			if n := exportFiles(t, s); n != 0 {
				t.Errorf("%s: %d exports", when, n)
			}
			err := s.Blobs.List(t.Context(), 0, func(name string) error {
				if name == object {
					t.Errorf("%s: the picture is there", when)
				}
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		}
		check("after the first job")
		harness.Rewrite(t, ctx, s.Store.Ent, func(db *ent.Client) { // a request that was running meanwhile
			row := db.Attendance.Query().Where(entAttendance.UserID(u.ID)).FirstX(ctx)
			row.Update().SetClockedOutNote("zxnote late").ExecX(ctx)
		})
		s.Clock.Advance(11 * time.Minute)
		finish(t, s, 2)
		check("after the second job")
		if n := len(s.Log.Messages("zx.mail@demo.test")); n != 2 {
			t.Errorf("%d codes were sent, want those of the sign-ins", n)
		}
		s.Run(t, []apitest.Scenario{harness.Asks("others stay signed in", "shared", `{viewer{name}}`, `{"viewer":{"name":"Budi Santoso"}}`)})
	})
}

func found(lines []string, mark string) bool {
	for _, line := range lines {
		if strings.Contains(line, mark) {
			return true
		}
	}
	return false
}
