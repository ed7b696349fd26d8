package privacy

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	"workforce/ent/auditevent"
	"workforce/internal/app/files"
	"workforce/internal/blob"
)

// secretsOf are the values of a person that no export has.
func secretsOf(name string) []string {
	return []string{"argon of " + name, "hash of " + name, "push of " + name, "former of " + name, "text of " + name, "eyJ"}
}

// TestPerson exports a person of two: everything about them and nothing of the other.
func TestPerson(t *testing.T) {
	w := newExportWorld(t)
	ani, budi := w.person(t, "Ani"), w.person(t, "Budi")
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		event := func(actor, subject int, text string) {
			db.AuditEvent.Create().SetCompanyID(ani.CompanyID).SetActorID(actor).SetAction("user.updated").SetSubjectType(ent.TypeUser).SetSubjectID(subject).
				SetAt(w.Now()).SetAddress("address of " + text).SetRequestID("request of " + text).SetBefore(`{"name":"old ` + text + `"}`).ExecX(ctx)
		}
		db.Business.UpdateOneID(w.unit.ID).SetManagerID(budi.ID).ExecX(ctx)
		db.Business.Create().SetCompanyID(ani.CompanyID).SetName("Gudang").SetManagerID(ani.ID).ExecX(ctx)
		db.Business.Create().SetCompanyID(ani.CompanyID).SetName("Pabrik").SetManagerID(budi.ID).ExecX(ctx)
		event(ani.ID, budi.ID, "Ani on Budi")
		event(budi.ID, ani.ID, "Budi on Ani")
		return nil
	})
	var out bytes.Buffer
	if err := w.export.Person(w.System(), &out, ani.CompanyID, ani.ID); err != nil {
		t.Fatal(err)
	}
	entries, m := unpack(t, out.Bytes())
	for _, p := range ent.Personals {
		if !slices.ContainsFunc(ent.Exports, func(e ent.Export) bool { return e.Entity == p.Entity }) {
			continue
		}
		list := exportedRows(t, entries, p.Table)
		if e := entry(t, m, "tables/"+p.Table+".json"); len(list) == 0 || *e.Rows != len(list) || *entry(t, m, "tables/"+p.Table+".csv").Rows != len(list) {
			t.Errorf("%s: %d rows, %d in the manifest: give the person a row", p.Table, len(list), *e.Rows)
		}
	}
	all := texts(entries)
	for _, want := range []string{
		"ani@acme.test", "phone of Ani", "mail of Ani", "note of Ani", "stopped of Ani", "-6.200417", "picture of Ani", "request of Ani", `"landmarks":[{"x":0.25,`,
		"'=Ani", "Kantor", "Pagi", "Kasir", "Cabang", "address of Ani on Budi", "old Budi on Ani",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q", want)
		}
	}
	for _, other := range append(secretsOf("Ani"), "of Budi", "budi", "address of Budi on Ani", "request of Budi on Ani", "old Ani on Budi") {
		if strings.Contains(all, other) {
			t.Errorf("%q is in it", other)
		}
	}
	var units []string
	for _, row := range exportedRows(t, entries, "businesses") {
		units = append(units, fmt.Sprint(row["name"], " ", row["manager_id"]))
	}
	if want := []string{"Cabang <nil>", fmt.Sprint("Gudang ", ani.ID)}; !slices.Equal(units, want) {
		t.Errorf("units %q, want the one that Ani works in and the one that she manages: %q", units, want)
	}
	if m.Kind != "person" || *m.Person != ani.ID || m.Company.Name != "Acme" || m.Format != format || !m.CreatedAt.Equal(w.Now()) || len(m.Missing) > 0 || len(m.Counts) > 0 {
		t.Errorf("%+v", m)
	}
	if e := entry(t, m, "files/"+strings.TrimPrefix(ani.Image, "file:")); e.MediaType != "image/png" || e.Rows != nil {
		t.Errorf("%+v", e)
	}
	if n := w.DB.AuditEvent.Query().Where(auditevent.Action("user.exported"), auditevent.SubjectID(ani.ID), auditevent.ActorIDIsNil()).CountX(w.System()); n != 1 {
		t.Errorf("%d events", n)
	}
	var again bytes.Buffer
	if err := w.export.person(w.System(), &again, ani.CompanyID, ani.ID, quietly); err != nil {
		t.Fatal(err)
	}
	var third bytes.Buffer
	if err := w.export.person(w.System(), &third, ani.CompanyID, ani.ID, quietly); err != nil || !bytes.Equal(again.Bytes(), third.Bytes()) {
		t.Errorf("the same rows give other bytes: %v", err)
	}
}

// TestNobody exports nobody of another company, and no company that there is not.
func TestNobody(t *testing.T) {
	w := newExportWorld(t)
	ani := w.person(t, "Ani")
	other := 0
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		other = db.Company.Create().SetName("Other").SetTimezone("Asia/Jakarta").SetCreatedAt(w.Now()).SaveX(ctx).ID
		return nil
	})
	for name, err := range map[string]error{
		"of another company": w.export.Person(w.System(), io.Discard, other, ani.ID),
		"nobody":             w.export.Person(w.System(), io.Discard, ani.CompanyID, 999),
		"no company":         w.export.Company(w.System(), io.Discard, 999),
	} {
		if !ent.IsNotFound(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := w.DB.AuditEvent.Query().Where(auditevent.ActionHasSuffix(".exported")).CountX(w.System()); n != 0 {
		t.Errorf("%d events", n)
	}
}

// TestCompany exports one of two companies.
func TestCompany(t *testing.T) {
	w := newExportWorld(t)
	ani := w.person(t, "Ani")
	w.person(t, "Budi")
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		other := db.Company.Create().SetName("Other").SetTimezone("Asia/Jakarta").SetCreatedAt(w.Now()).SaveX(ctx)
		db.User.Create().SetCompanyID(other.ID).SetName("Theirs").SetEmail("theirs@other.test").SetEmailKey("theirs@other.test").SetCreatedAt(w.Now()).ExecX(ctx)
		db.Device.Create().SetDeviceID("phone of nobody").SetPlatform("ios").SetTokenHash(make([]byte, 32)).SetCreatedAt(w.Now()).ExecX(ctx)
		db.Holiday.Create().SetCompanyID(ani.CompanyID).SetName("Libur").SetDate("2026-03-19").ExecX(ctx)
		return nil
	})
	gone, err := w.export.Files.Put(w.System(), ani.CompanyID, files.Content{Data: []byte("gone"), MediaType: "image/jpeg"})
	if err != nil {
		t.Fatal(err)
	}
	kept, err := w.export.Files.PutFile(w.System(), ani.CompanyID, mediaType, strings.NewReader("somebody's export"))
	if err != nil {
		t.Fatal(err)
	}
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		db.Company.UpdateOneID(ani.CompanyID).SetLogoFileID(gone.ID).SetLogo(blob.Ref(gone.Name)).ExecX(ctx)
		db.File.Update().Where().ClearPendingSince().ExecX(ctx)
		return nil
	})
	if err := w.export.Objects.Delete(w.System(), gone.Name); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := w.export.Company(w.System(), &out, ani.CompanyID); err != nil {
		t.Fatal(err)
	}
	entries, m := unpack(t, out.Bytes())
	for _, x := range ent.Exports {
		if a := ent.Facts[x.Entity].Access; a != nil && a.Private { // counted alone
			continue
		}
		if len(exportedRows(t, entries, x.Table)) == 0 {
			t.Errorf("%s has no rows: give the company one", x.Table)
		}
	}
	all := texts(entries)
	for _, want := range []string{"mail of Ani", "mail of Budi", "phone of Budi", "picture of Ani", "Libur", "note of Budi"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q", want)
		}
	}
	for _, other := range slices.Concat(secretsOf("Ani"), secretsOf("Budi"), []string{"theirs", "Other", "phone of nobody", "landmarks", "somebody's export"}) {
		if strings.Contains(all, other) {
			t.Errorf("%q is in it", other)
		}
	}
	if m.Kind != "company" || m.Person != nil || m.Counts["face_templates"] != 2 || m.Counts["face_galleries"] != 2 || len(m.Counts) != 2 || !slices.Equal(m.Missing, []string{"files/" + gone.Name}) || kept.ID == gone.ID {
		t.Errorf("%+v", m)
	}
	if n := w.DB.AuditEvent.Query().Where(auditevent.Action("company.exported"), auditevent.SubjectID(ani.CompanyID)).CountX(w.System()); n != 1 {
		t.Errorf("%d events", n)
	}
	w.export.Objects = nil
	if err := w.export.Company(w.System(), io.Discard, ani.CompanyID); err == nil || !strings.Contains(err.Error(), "--files") {
		t.Errorf("without a file store: %v", err)
	}
}

// TestLargeCompany exports 1,000 people and 20,000 attendances with little memory, of
// one state of the database, while others write.
func TestLargeCompany(t *testing.T) {
	w := newExportWorld(t)
	people, each := 1000, 20
	if testing.Short() {
		people = 100
	}
	ani := w.person(t, "Ani")
	row := w.DB.Attendance.Query().OnlyX(w.System())
	for from := 0; from < people; from += 100 {
		w.Change(t, func(ctx context.Context, db *ent.Client) error {
			return fill(ctx, db, row, from, 100, each)
		})
	}
	var before runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	watch := &watcher{first: func() {
		at := time.Now()
		w.Change(t, func(ctx context.Context, db *ent.Client) error { // a writer, and what it writes is not in the export
			return db.Attendance.Update().Where(entAttendance.UserID(ani.ID)).SetClockedOutNote("written meanwhile").Exec(ctx)
		})
		if took := time.Since(at); took > 5*time.Second {
			t.Errorf("a writer waited %v", took)
		}
	}}
	at := time.Now()
	if err := w.export.Company(w.System(), watch, ani.CompanyID); err != nil {
		t.Fatal(err)
	}
	peak := int64(watch.peak) - int64(before.HeapAlloc)
	t.Logf("%d people, %d attendances: %d bytes in %v, %d KiB more memory", people, people*each, watch.data.Len(), time.Since(at), peak>>10)
	if peak > 32<<20 {
		t.Errorf("%d MiB of memory", peak>>20)
	}
	entries, m := unpack(t, watch.data.Bytes())
	if n := *entry(t, m, "tables/attendances.json").Rows; n != people*each+1 || len(exportedRows(t, entries, "attendances")) != n || *entry(t, m, "tables/attendances.csv").Rows != n {
		t.Errorf("%d attendances", n)
	}
	if strings.Contains(texts(entries), "written meanwhile") {
		t.Error("it has what was written after its begin")
	}
}

// fill adds people, each with attendances like row.
func fill(ctx context.Context, db *ent.Client, row *ent.Attendance, from, n, each int) error {
	users, err := db.User.MapCreateBulk(make([]int, n), func(u *ent.UserCreate, i int) {
		email := "many" + time.Duration(from+i).String() + "@acme.test"
		u.SetCompanyID(row.CompanyID).SetName("Many").SetEmail(email).SetEmailKey(email).SetCreatedAt(row.ClockedInAt)
	}).Save(ctx)
	if err != nil {
		return err
	}
	for _, u := range users {
		err := db.Attendance.MapCreateBulk(make([]int, each), func(a *ent.AttendanceCreate, i int) {
			at := row.ClockedInAt.Add(-time.Duration(i) * 24 * time.Hour)
			a.SetCompanyID(row.CompanyID).SetUserID(u.ID).SetEmployeeShiftID(row.EmployeeShiftID).SetAddressID(row.AddressID).SetWorkDate(row.WorkDate).
				SetClockedInAt(at).SetClockedInLocal(row.ClockedInLocal).SetClockedInOffset(row.ClockedInOffset).SetClockedInZone(row.ClockedInZone).
				SetClockedInReceivedAt(at).SetClockedInRecordedAt(at).SetClockedInLatitude(row.ClockedInLatitude).SetClockedInLongitude(row.ClockedInLongitude).
				SetClockedInSource(row.ClockedInSource).SetClockedInGeofence(row.ClockedInGeofence).SetClockedInNote("a note of some length, of many").
				SetOpenMarker(int8(i)) // unique with the user
		}).Exec(ctx)
		if err != nil {
			return err
		}
	}
	return nil
}

// A watcher keeps what is written, looks at the memory besides, and calls first once
// something was written.
type watcher struct {
	data  bytes.Buffer
	first func()
	peak  uint64
	n     int
}

func (w *watcher) Write(p []byte) (int, error) {
	if w.first != nil {
		w.first()
		w.first = nil
	}
	if w.n++; w.n%20 == 0 {
		var now runtime.MemStats
		runtime.ReadMemStats(&now)
		w.peak = max(w.peak, now.HeapAlloc-min(now.HeapAlloc, uint64(w.data.Cap())))
	}
	return w.data.Write(p)
}
