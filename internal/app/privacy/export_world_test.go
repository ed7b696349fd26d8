package privacy

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	"workforce/ent/device"
	entMessage "workforce/ent/message"
	entPosition "workforce/ent/position"
	entReport "workforce/ent/report"
	"workforce/ent/reportschedule"
	entTimeEntry "workforce/ent/timeentry"
	"workforce/internal/app/apptest"
	"workforce/internal/app/apptest/servicetest"
	"workforce/internal/app/files"
	"workforce/internal/app/tx"
	"workforce/internal/blob"
	"workforce/internal/sealed"
)

// An exportWorld is a company with the service under test.
type exportWorld struct {
	*apptest.World
	export *Service
	shift  *ent.Shift
	site   *ent.Address
	title  *ent.Designation
	unit   *ent.Business
}

func newExportWorld(t testing.TB) *exportWorld {
	t.Helper()
	w := &exportWorld{World: apptest.New(t)}
	key, err := sealed.Create(filepath.Join(t.TempDir(), "key"))
	if err != nil {
		t.Fatal(err)
	}
	s := servicetest.New(t, w.World)
	s.Jobs.Log = slog.New(slog.NewTextHandler(t.Output(), nil))
	w.export = &Service{
		DB: w.DB, Now: w.Now, Faces: sealed.NewSealer("faces", key), Objects: s.Objects, Jobs: s.Jobs,
		Files: s.Files, Audit: s.Audit,
	}
	s.Jobs.Add(w.export.Making())
	w.Change(t, func(ctx context.Context, db *ent.Client) (err error) {
		w.shift = db.Shift.Create().SetCompanyID(w.Company.ID).SetName("Pagi").SetStartTime("08:00").SetEndTime("17:00").SaveX(ctx)
		db.ShiftVersion.Create().SetCompanyID(w.Company.ID).SetShiftID(w.shift.ID).SetVersion(1).SetAppliesFrom("0001-01-01").SetStartTime("07:00").SetEndTime("16:00").ExecX(ctx)
		w.site = db.Address.Create().SetCompanyID(w.Company.ID).SetName("Kantor").SetAddress("Jl. 1").SetLatitude(-6.2).SetLongitude(106.8).SaveX(ctx)
		w.title = db.Designation.Create().SetCompanyID(w.Company.ID).SetName("Kasir").SaveX(ctx)
		w.unit = db.Business.Create().SetCompanyID(w.Company.ID).SetName("Cabang").SaveX(ctx)
		return nil
	})
	return w
}

// person adds a person with a row in every table that is about people; their name is in
// each.
func (w *exportWorld) person(t testing.TB, name string) *ent.User {
	t.Helper()
	u := w.User(t, name)
	picture, err := w.export.Files.Put(w.System(), u.CompanyID, files.Content{Data: []byte("picture of " + name), MediaType: "image/png", Width: 1, Height: 1})
	if err != nil {
		t.Fatal(err)
	}
	face, err := w.export.Faces.Seal(fmt.Appendf(nil, `[{"x":0.25,"y":0.5,"z":%d}]`, u.ID), strconv.Itoa(u.CompanyID), strconv.Itoa(u.ID))
	if err != nil {
		t.Fatal(err)
	}
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		of, now, digest := u.CompanyID, w.Now(), fmt.Appendf(nil, "%-32s", "hash of "+name)
		if err := w.export.Files.Use(ctx, picture.ID); err != nil {
			return err
		}
		db.User.UpdateOneID(u.ID).SetPasswordHash("argon of " + name).SetImageFileID(picture.ID).SetImage(blob.Ref(picture.Name)).
			SetSalutation("=" + name).SetStoppedEmail("stopped of " + name).SetBusinessID(w.unit.ID).ExecX(ctx)
		db.UserDesignation.Create().SetCompanyID(of).SetUserID(u.ID).SetDesignationID(w.title.ID).ExecX(ctx)
		db.BusinessPeriod.Create().SetCompanyID(of).SetUserID(u.ID).SetBusinessID(w.unit.ID).SetName("Cabang").SetFrom("2026-01-01").ExecX(ctx)
		db.DesignationPeriod.Create().SetCompanyID(of).SetUserID(u.ID).SetDesignationID(w.title.ID).SetName("Kasir").ExecX(ctx)
		d := db.Device.Create().SetDeviceID("phone of " + name).SetPlatform(device.PlatformIos).SetTokenHash(digest).SetPushToken("push of " + name).SetCreatedAt(now).SaveX(ctx)
		db.DeviceTrust.Create().SetCompanyID(of).SetUserID(u.ID).SetDeviceID(d.ID).SetTrustedAt(now).ExecX(ctx)
		s := db.Session.Create().SetCompanyID(of).SetUserID(u.ID).SetDeviceID(d.ID).SetFamily(digest[8:24]).SetCreatedAt(now).SaveX(ctx)
		db.Token.Create().SetCompanyID(of).SetSessionID(s.ID).SetKind("user").SetHash(digest).SetGeneration(0).SetIssuedAt(now).SetExpiresAt(now).ExecX(ctx)
		db.FormerPassword.Create().SetCompanyID(of).SetUserID(u.ID).SetHash("former of " + name).SetCreatedAt(now).ExecX(ctx)
		db.Message.Create().SetCompanyID(of).SetUserID(u.ID).SetKind("invited").SetChannel(entMessage.ChannelEmail).SetDestination("mail of " + name).
			SetSealedText("text of " + name).SetCreatedAt(now).SetExpiresAt(now).ExecX(ctx)
		a := db.ShiftAssignment.Create().SetCompanyID(of).SetUserID(u.ID).SetShiftID(w.shift.ID).SetStartsOn("2026-01-01").SetWeekdays([]int{1, 2}).SaveX(ctx)
		o := db.EmployeeShift.Create().SetCompanyID(of).SetUserID(u.ID).SetAssignmentID(a.ID).SetShiftID(w.shift.ID).SetShiftVersion(1).SetName("Pagi").
			SetDate("2026-03-11").SetStartAt(now).SetEndAt(now).SetClockInFrom(now).SetClockInUntil(now).SetBreakSeconds(0).SetTimezone("Asia/Jakarta").SaveX(ctx)
		db.ShiftResult.Create().SetCompanyID(of).SetUserID(u.ID).SetEmployeeShiftID(o.ID).SetDate("2026-03-11").SetStatus("present").SetEvaluatedAt(now).ExecX(ctx)
		db.Attendance.Create().SetCompanyID(of).SetUserID(u.ID).SetEmployeeShiftID(o.ID).SetAddressID(w.site.ID).SetWorkDate("2026-03-11").
			SetClockedInAt(now).SetClockedInLocal("2026-03-11T10:00:00").SetClockedInOffset(25200).SetClockedInZone("Asia/Jakarta").SetClockedInReceivedAt(now).
			SetClockedInLatitude(-6.200417).SetClockedInLongitude(106.816943).SetClockedInSource(entAttendance.ClockedInSourceApp).
			SetClockedInGeofence(entAttendance.ClockedInGeofenceInside).SetClockedInNote("note of " + name).SetClockedInFlags([]string{"offline"}).
			SetFaceDigest(digest).ExecX(ctx)
		db.FaceTemplate.Create().SetCompanyID(of).SetUserID(u.ID).SetVersion(1).SetPoints(1).SetSealed(face).SetCreatedAt(now).ExecX(ctx)
		db.FaceGallery.Create().SetCompanyID(of).SetUserID(u.ID).SetVersion(1).SetSealed(face).ExecX(ctx)
		db.FaceReset.Create().SetCompanyID(of).SetUserID(u.ID).SetReason("reason of " + name).SetRequestedAt(now).ExecX(ctx)
		db.AllowedPlace.Create().SetCompanyID(of).SetOf("user").SetUserID(u.ID).SetAddressID(w.site.ID).ExecX(ctx)
		db.Exemption.Create().SetCompanyID(of).SetUserID(u.ID).SetRule("speed").SetEndsOn("2026-12-31").SetNote("exemption of " + name).ExecX(ctx)
		db.Position.Create().SetCompanyID(of).SetUserID(u.ID).SetRecordedAt(now).SetReceivedAt(now).SetLatitude(-6.200418).SetLongitude(106.816944).
			SetSource(entPosition.SourceReport).ExecX(ctx)
		db.DeviceApproval.Create().SetCompanyID(of).SetUserID(u.ID).SetDeviceID(d.ID).SetPlatform("ios").SetRequestedAt(now).SetExpiresAt(now).ExecX(ctx)
		db.FallbackShift.Create().SetCompanyID(of).SetUserID(u.ID).SetShiftID(w.shift.ID).SetCreatedAt(now).ExecX(ctx)
		db.PlannedDay.Create().SetCompanyID(of).SetUserID(u.ID).SetDate("2026-03-12").SetShiftIds([]int{w.shift.ID}).ExecX(ctx)
		turn := db.Rotation.Create().SetCompanyID(of).SetName("Rotation for " + u.Email).SetDays([]int{w.shift.ID}).SaveX(ctx)
		db.RotationAssignment.Create().SetCompanyID(of).SetUserID(u.ID).SetRotationID(turn.ID).SetStartsOn("2026-04-01").ExecX(ctx)
		db.ShiftSwap.Create().SetCompanyID(of).SetUserID(u.ID).SetDate("2026-03-12").SetShiftID(w.shift.ID).SetWantedDate("2026-03-12").
			SetWantedShiftID(w.shift.ID).SetNote("swap of " + name).SetExpiresAt(now).SetCreatedAt(now).ExecX(ctx)
		db.Correction.Create().SetCompanyID(of).SetUserID(u.ID).SetEmployeeShiftID(o.ID).SetDate(o.Date).SetCoversFrom(now).SetCoversUntil(now).
			SetReason("correction of " + name).SetExpiresAt(now).SetCreatedAt(now).ExecX(ctx)
		kind := db.LeaveType.Create().SetCompanyID(of).SetName("Leave for " + u.Email).SaveX(ctx)
		db.Leave.Create().SetCompanyID(of).SetUserID(u.ID).SetLeaveTypeID(kind.ID).SetStartsOn("2026-04-01").SetEndsOn("2026-04-01").SetDates([]string{"2026-04-01"}).
			SetReason("leave of " + name).SetExpiresAt(now).SetCreatedAt(now).ExecX(ctx)
		db.OvertimeApproval.Create().SetCompanyID(of).SetUserID(u.ID).SetDate("2026-03-11").SetApproved(true).SetSeconds(3600).
			SetNote("overtime of " + name).SetDecidedBy(u.ID).SetDecidedAt(now).ExecX(ctx)
		work := db.Project.Create().SetCompanyID(of).SetName("Project for " + u.Email).SetCreatedAt(now).SaveX(ctx)
		db.ProjectMember.Create().SetCompanyID(of).SetProjectID(work.ID).SetUserID(u.ID).ExecX(ctx)
		db.TaskCategory.Create().SetCompanyID(of).SetName("Category for " + u.Email).ExecX(ctx)
		task := db.Task.Create().SetCompanyID(of).SetCreatorID(u.ID).SetTitle("task of " + name).SetCreatedAt(now).SetUpdatedAt(now).SaveX(ctx)
		db.TaskAssignee.Create().SetCompanyID(of).SetTaskID(task.ID).SetUserID(u.ID).ExecX(ctx)
		db.TaskChecklistItem.Create().SetCompanyID(of).SetTaskID(task.ID).SetTitle("x").SetPosition(1).ExecX(ctx)
		said := db.TaskComment.Create().SetCompanyID(of).SetTaskID(task.ID).SetUserID(u.ID).SetText("comment of " + name).SetCreatedAt(now).SaveX(ctx)
		db.TaskMention.Create().SetCompanyID(of).SetTaskID(task.ID).SetCommentID(said.ID).SetUserID(u.ID).ExecX(ctx)
		db.TaskImage.Create().SetCompanyID(of).SetTaskID(task.ID).SetUserID(u.ID).SetURL("x").SetThumbnailURL("x").SetCaption("caption of " + name).
			SetContentType("image/jpeg").SetWidth(1).SetHeight(1).SetSize(1).SetDigest(digest).SetCreatedAt(now).ExecX(ctx)
		db.TaskAttachment.Create().SetCompanyID(of).SetTaskID(task.ID).SetUserID(u.ID).SetName("file of " + name).SetURL("x").
			SetContentType("application/pdf").SetSize(1).SetCreatedAt(now).ExecX(ctx)
		db.TicketCategory.Create().SetCompanyID(of).SetName("Ticket category for " + u.Email).ExecX(ctx)
		asked := db.Ticket.Create().SetCompanyID(of).SetRequesterID(u.ID).SetNumber(u.ID).SetSubject("ticket of " + name).SetCreatedAt(now).SetUpdatedAt(now).SaveX(ctx)
		db.TicketFollower.Create().SetCompanyID(of).SetTicketID(asked.ID).SetUserID(u.ID).ExecX(ctx)
		db.TicketComment.Create().SetCompanyID(of).SetTicketID(asked.ID).SetUserID(u.ID).SetText("answer of " + name).SetCreatedAt(now).ExecX(ctx)
		db.TicketHold.Create().SetCompanyID(of).SetTicketID(asked.ID).SetUserID(u.ID).SetKind("waiting").SetReason("hold of " + name).SetStartedAt(now).ExecX(ctx)
		db.TicketAttachment.Create().SetCompanyID(of).SetTicketID(asked.ID).SetUserID(u.ID).SetName("attachment of " + name).SetURL("x").
			SetContentType("application/pdf").SetSize(1).SetCreatedAt(now).ExecX(ctx)
		booked := db.Task.Create().SetCompanyID(of).SetCreatorID(u.ID).SetTitle("Booked for " + u.Email).SetCreatedAt(now).SetUpdatedAt(now).SaveX(ctx)
		db.TimeEntry.Create().SetCompanyID(of).SetUserID(u.ID).SetTaskID(booked.ID).SetKind(entTimeEntry.KindBooked).SetDate("2026-03-11").SetLastDate("2026-03-11").
			SetTimezone("Asia/Jakarta").SetNote("time of " + name).SetTags([]string{"tag"}).SetLatitude(-6.200418).SetLongitude(106.816944).
			SetCreatedAt(now).SetUpdatedAt(now).ExecX(ctx)
		db.TimeWeek.Create().SetCompanyID(of).SetUserID(u.ID).SetStartsOn("2026-03-09").SetEndsOn("2026-03-15").SetSeconds(0).
			SetNote("week of " + name).SetSubmittedAt(now).ExecX(ctx)
		db.Report.Create().SetCompanyID(of).SetUserID(u.ID).SetKind(entReport.KindTask).SetFormat(entReport.FormatCsv).SetFromDate("2026-03-02").SetToDate("2026-03-08").
			SetLanguage("id").SetTimezone("Asia/Jakarta").SetCreatedAt(now).SetExpiresAt(now).ExecX(ctx)
		db.ReportSchedule.Create().SetCompanyID(of).SetUserID(u.ID).SetCreatedBy(u.ID).SetKind(reportschedule.KindTask).SetFormat(reportschedule.FormatCsv).
			SetEvery(reportschedule.EveryWeek).SetDueAt(now).SetCreatedAt(now).ExecX(ctx)
		db.APIKey.Create().SetCompanyID(of).SetName("key of " + name).SetPermissions([]string{"user.read.all"}).
			SetCreatorID(u.ID).
			SetHash(fmt.Appendf(nil, "%-32.32s", "key of "+name)).SetCreatedAt(now).SetExpiresAt(now).ExecX(ctx)
		return db.AuditEvent.Create().SetCompanyID(of).SetActorID(u.ID).SetAction("user.updated").SetSubjectType(ent.TypeUser).SetSubjectID(u.ID).SetAt(now).
			SetAddress("192.0.2.1").SetRequestID("request of " + name).SetAfter(`{"name":"` + name + `"}`).Exec(ctx)
	})
	return w.DB.User.GetX(w.System(), u.ID)
}

// unpack returns the entries of an archive by path, and its manifest.
func unpack(t testing.TB, data []byte) (map[string]string, manifest) {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	entries := map[string]string{}
	for _, f := range r.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		entries[f.Name] = string(text)
	}
	var m manifest
	if err := json.Unmarshal([]byte(entries["manifest.json"]), &m); err != nil {
		t.Fatal(err)
	}
	if len(m.Entries) != len(entries)-1 {
		t.Errorf("the manifest has %d of %d entries", len(m.Entries), len(entries)-1)
	}
	return entries, m
}

// exportedRows returns the rows of a table of an archive.
func exportedRows(t testing.TB, entries map[string]string, table string) (list []map[string]any) {
	t.Helper()
	if err := json.Unmarshal([]byte(entries["tables/"+table+".json"]), &list); err != nil {
		t.Fatalf("%s: %v", table, err)
	}
	return list
}

// entry returns what a manifest says of a path.
func entry(t testing.TB, m manifest, path string) archiveEntry {
	t.Helper()
	for _, e := range m.Entries {
		if e.Path == path {
			return e
		}
	}
	t.Fatalf("no %s in %+v", path, m)
	return archiveEntry{}
}

// run runs the jobs until what is waited for is so.
func (w *exportWorld) run(t testing.TB, done func() bool) {
	t.Helper()
	ctx, stop := context.WithTimeout(w.System(), 30*time.Second)
	defer stop()
	ended := make(chan struct{})
	go func() { defer close(ended); w.export.Jobs.Run(ctx) }()
	for !done() && ctx.Err() == nil {
		time.Sleep(10 * time.Millisecond)
	}
	stop()
	<-ended
	if !done() {
		t.Fatal("the jobs do not end")
	}
}

// in runs a step in a transaction, as the viewer of ctx.
func (w *exportWorld) in(ctx context.Context, step func(context.Context) error) error {
	return tx.Run(ctx, w.DB, step)
}

// texts returns all of an archive as one text.
func texts(entries map[string]string) string {
	var all strings.Builder
	for path, text := range entries {
		fmt.Fprintln(&all, path, text)
	}
	return all.String()
}
