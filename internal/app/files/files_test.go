package files

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"workforce/ent"
	entFile "workforce/ent/file"
	entReport "workforce/ent/report"
	"workforce/ent/user"
	"workforce/internal/admission"
	"workforce/internal/app/apptest"
	"workforce/internal/app/ratelimit"
	"workforce/internal/app/tx"
	"workforce/internal/blob"
)

// A shelf is a store in memory that fails when it is told to.
type shelf struct {
	mu               sync.Mutex
	objects, orphans map[string]time.Duration // their age
	puts             int

	failPut, failDelete, foreign error
	stuck                        string // an object that cannot be moved
	afterPut                     func() // called when an object was written
	beforeRestore                func() // called before an object is restored
}

func (s *shelf) Put(_ context.Context, name string, r io.Reader) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failPut != nil {
		return s.failPut
	}
	if _, err := io.Copy(io.Discard, r); err != nil {
		return err
	}
	s.objects[name] = 0
	s.puts++
	if s.afterPut != nil {
		s.afterPut()
	}
	return nil
}

func (s *shelf) Delete(_ context.Context, name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failDelete != nil {
		return s.failDelete
	}
	delete(s.objects, name)
	delete(s.orphans, name)
	return nil
}

func (s *shelf) SetAside(_ context.Context, name string) error {
	return s.move(name, s.objects, s.orphans)
}

func (s *shelf) Restore(_ context.Context, name string) error {
	if s.beforeRestore != nil {
		s.beforeRestore()
	}
	return s.move(name, s.orphans, s.objects)
}

// move moves an object as a bucket does: it may be deleted between the copy and the end.
func (s *shelf) move(name string, from, to map[string]time.Duration) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if name == s.stuck {
		return errBroken
	}
	to[name] = 0
	delete(from, name)
	return nil
}

func (s *shelf) Discard(_ context.Context, name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.orphans, name)
	return nil
}

func (s *shelf) List(_ context.Context, age time.Duration, f func(string) error) error {
	return s.list(s.objects, age, f)
}

func (s *shelf) Orphans(_ context.Context, age time.Duration, f func(string) error) error {
	return s.list(s.orphans, age, f)
}

func (s *shelf) CheckMark(context.Context) error { return s.foreign }

func (s *shelf) list(objects map[string]time.Duration, age time.Duration, f func(string) error) error {
	s.mu.Lock()
	all := maps.Clone(objects)
	s.mu.Unlock()
	for name, old := range all {
		if old >= age {
			if err := f(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// names returns the names of the objects.
func (s *shelf) names() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.objects))
}

// A world has a service whose store is a shelf, and a person.
type world struct {
	*apptest.World
	*Service
	shelf *shelf
	budi  *ent.User
}

func newWorld(t *testing.T) *world {
	w := &world{World: apptest.New(t), shelf: &shelf{objects: map[string]time.Duration{}, orphans: map[string]time.Duration{}}}
	w.budi = w.User(t, "Budi")
	w.Service = &Service{DB: w.World.DB, Now: w.World.Now, Store: w.shelf, Pictures: admission.NewLane(1, 1), Uploads: &ratelimit.Limiter{Now: w.World.Now}}
	return w
}

func content(text string) Content {
	return Content{Data: []byte(text), MediaType: "image/png", Width: 3, Height: 2}
}

func (w *world) put(t *testing.T, text string) *ent.File {
	t.Helper()
	f, err := w.Put(w.System(), w.Company.ID, content(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// name makes a user name a file, or none, and does what else a use case does.
func (w *world) name(u *ent.User, f *ent.File) error {
	return tx.Run(w.System(), w.World.DB, func(ctx context.Context) error {
		before, err := ent.FromContext(ctx).User.Get(ctx, u.ID)
		if err != nil {
			return err
		}
		update := before.Update().ClearImageFileID()
		if f != nil {
			if err := w.Use(ctx, f.ID); err != nil {
				return err
			}
			update = before.Update().SetImageFileID(f.ID)
		}
		if err := update.Exec(ctx); err != nil {
			return err
		}
		return w.Release(ctx, before.ImageFileID)
	})
}

// agrees fails the test unless there are so many files, each with its object, and no
// other objects.
func (w *world) agrees(t *testing.T, step string, want int) {
	t.Helper()
	rows := w.World.DB.File.Query().Order(ent.Asc(entFile.FieldName)).Select(entFile.FieldName).StringsX(w.System())
	if objects := w.shelf.names(); len(rows) != want || !slices.Equal(rows, objects) {
		t.Errorf("%s: rows %q, objects %q; want %d of each", step, rows, objects, want)
	}
}

func (w *world) sweep(t *testing.T) {
	t.Helper()
	if err := w.Sweep(context.Background()); err != nil {
		t.Error(err)
	}
}

// TestSameBytes keeps the same bytes once for a company, as long as somebody names them.
func TestSameBytes(t *testing.T) {
	w := newWorld(t)
	sri := w.User(t, "Sri")
	f := w.put(t, "a")
	digest := sha256.Sum256([]byte("a"))
	if f.Size != 1 || f.Width != 3 || f.Height != 2 || f.MediaType != "image/png" || !bytes.Equal(*f.Digest, digest[:]) || f.PendingSince == nil {
		t.Errorf("%v", f)
	}
	for _, u := range []*ent.User{w.budi, sri, w.budi} {
		if again := w.put(t, "a"); again.ID != f.ID {
			t.Errorf("the same bytes have file %d and %d", f.ID, again.ID)
		}
		if err := w.name(u, f); err != nil {
			t.Fatal(err)
		}
	}
	if row := w.World.DB.File.GetX(w.System(), f.ID); row.PendingSince != nil || w.shelf.puts != 2 {
		t.Errorf("pending since %v after %d writes, want none after two, both while nobody named it", row.PendingSince, w.shelf.puts)
	}
	w.agrees(t, "both name it", 1)
	if err := w.name(w.budi, nil); err != nil {
		t.Fatal(err)
	}
	w.agrees(t, "one names it", 1)
	w.Advance(48 * time.Hour)
	w.sweep(t)
	w.agrees(t, "after a sweep", 1)
	if err := w.name(sri, w.put(t, "b")); err != nil {
		t.Fatal(err)
	}
	w.agrees(t, "another file instead", 1)
	if err := w.name(sri, nil); err != nil {
		t.Fatal(err)
	}
	w.agrees(t, "nobody names any", 0)
}

// TestCompanies keeps the same bytes of two companies apart.
func TestCompanies(t *testing.T) {
	w := newWorld(t)
	var other *ent.Company
	w.Change(t, func(ctx context.Context, db *ent.Client) (err error) {
		other, err = db.Company.Create().SetName("Other").SetTimezone("Asia/Jakarta").SetCreatedAt(apptest.Now).Save(ctx)
		return err
	})
	f := w.put(t, "a")
	g, err := w.Put(w.System(), other.ID, content("a"))
	if err != nil || g.ID == f.ID || g.Name == f.Name {
		t.Errorf("%v, %v and %v", err, f, g)
	}
	w.agrees(t, "two companies", 2)
}

// TestParallel puts the same bytes 20 times at once.
func TestParallel(t *testing.T) {
	w := newWorld(t)
	var wg sync.WaitGroup
	ids, failed := make([]int, 20), make([]error, 20)
	for i := range ids {
		wg.Go(func() {
			f, err := w.Put(w.System(), w.Company.ID, content("a"))
			if failed[i] = err; err == nil {
				ids[i] = f.ID
				failed[i] = w.name(w.budi, f)
			}
		})
	}
	wg.Wait()
	if err := errors.Join(failed...); err != nil || len(slices.Compact(ids)) != 1 {
		t.Errorf("%v, files %v", err, ids)
	}
	w.agrees(t, "20 at once", 1)
}

var errBroken = errors.New("errBroken")

// TestFailures breaks off between every two steps, and shows that a sweep, an hour
// later, leaves exactly the files that are named.
func TestFailures(t *testing.T) {
	tests := []struct {
		name string
		run  func(t *testing.T, w *world)
		left int // files after the sweep
	}{
		{"before the object", func(t *testing.T, w *world) {
			w.shelf.failPut = errBroken
			if _, err := w.Put(w.System(), w.Company.ID, content("a")); !errors.Is(err, errBroken) {
				t.Error(err)
			}
			w.shelf.failPut = nil
		}, 0},
		{"before the row that names it", func(t *testing.T, w *world) { w.put(t, "a") }, 0},
		{"before the commit of the row that names it", func(t *testing.T, w *world) {
			f := w.put(t, "a")
			err := tx.Run(w.System(), w.World.DB, func(ctx context.Context) error {
				return errors.Join(w.Use(ctx, f.ID), ent.FromContext(ctx).User.UpdateOneID(w.budi.ID).SetImageFileID(f.ID).Exec(ctx), errBroken)
			})
			if !errors.Is(err, errBroken) {
				t.Error(err)
			}
		}, 0},
		{"after it", func(t *testing.T, w *world) {
			if err := w.name(w.budi, w.put(t, "a")); err != nil {
				t.Error(err)
			}
		}, 1},
		{"before the commit that takes the name away", func(t *testing.T, w *world) {
			f := w.put(t, "a")
			if err := w.name(w.budi, f); err != nil {
				t.Error(err)
			}
			err := tx.Run(w.System(), w.World.DB, func(ctx context.Context) error {
				clear := ent.FromContext(ctx).User.UpdateOneID(w.budi.ID).ClearImageFileID().Exec(ctx)
				return errors.Join(clear, w.Release(ctx, &f.ID), errBroken)
			})
			if !errors.Is(err, errBroken) {
				t.Error(err)
			}
		}, 1},
		{"before the object is deleted", func(t *testing.T, w *world) {
			if err := w.name(w.budi, w.put(t, "a")); err != nil {
				t.Error(err)
			}
			w.shelf.failDelete = errBroken
			if err := w.name(w.budi, nil); err != nil {
				t.Error(err)
			}
			w.shelf.failDelete = nil
			if n := len(w.shelf.names()); n != 1 {
				t.Errorf("%d objects, want one that is left", n)
			}
		}, 0},
		{"before the row is deleted", func(t *testing.T, w *world) {
			if err := w.name(w.budi, w.put(t, "a")); err != nil {
				t.Error(err)
			}
			w.shelf.failDelete = errBroken
			if err := w.name(w.budi, nil); err != nil {
				t.Error(err)
			}
			w.shelf.failDelete = nil
			w.shelf.objects = map[string]time.Duration{}
		}, 0},
		{"a writer that was stopped for an hour", func(t *testing.T, w *world) {
			w.shelf.afterPut = func() { w.shelf.afterPut = nil }
			f := w.put(t, "a")
			w.Advance(2 * time.Hour)
			w.sweep(t)
			w.shelf.objects[f.Name] = 2 * time.Hour // written now
			if err := w.name(w.budi, f); apptest.Code(err) != "UNAVAILABLE" {
				t.Errorf("a file that was erased is named: %v", err)
			}
		}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			tt.run(t, w)
			w.Advance(pendingTime + time.Second)
			w.sweep(t)
			w.agrees(t, "after a sweep", tt.left)
			if err := w.name(w.budi, w.put(t, "a")); err != nil { // it works again
				t.Error(err)
			}
			w.agrees(t, "put again", 1)
		})
	}
}

// TestSweepSpares leaves alone what was put less than an hour ago, and objects that
// are not an hour old.
func TestSweepSpares(t *testing.T) {
	w := newWorld(t)
	w.put(t, "a")
	w.Advance(pendingTime - time.Second)
	w.put(t, "b")
	w.put(t, "a") // which makes it pending for another hour
	w.Advance(2 * time.Second)
	young := fmt.Sprintf("%d/0123456789abcdef0123456789abcdef.png", w.Company.ID)
	w.shelf.objects[young] = pendingTime - time.Second
	w.sweep(t)
	if names := w.shelf.names(); len(names) != 3 || !slices.Contains(names, young) {
		t.Errorf("%q are left, want all three", names)
	}
	w.shelf.objects[young] = pendingTime
	w.sweep(t)
	w.agrees(t, "later", 2)
}

// TestSweepGoesOn erases the other files where one cannot be.
func TestSweepGoesOn(t *testing.T) {
	w := newWorld(t)
	w.put(t, "a")
	w.put(t, "b")
	w.Advance(2 * pendingTime)
	w.shelf.failDelete = errBroken
	if err := w.Sweep(context.Background()); !errors.Is(err, errBroken) {
		t.Errorf("%v, want the error of the store", err)
	}
	if n := w.World.DB.File.Query().Where(entFile.DigestIsNil()).CountX(w.System()); n != 2 {
		t.Errorf("%d files are marked, want both", n)
	}
	w.shelf.failDelete = nil
	w.sweep(t)
	w.agrees(t, "the next sweep", 0)
}

// TestUsedWhileErased holds that of a use and a release at once one waits for the
// other, so that what is named is there.
func TestUsedWhileErased(t *testing.T) {
	w := newWorld(t)
	sri := w.User(t, "Sri")
	for range 20 {
		f := w.put(t, "a")
		if err := w.name(w.budi, f); err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		wg.Go(func() {
			if err := w.name(w.budi, nil); err != nil {
				t.Error(err)
			}
		})
		var err error
		wg.Go(func() { err = w.name(sri, w.put(t, "a")) })
		wg.Wait()
		if err != nil && apptest.Code(err) != "UNAVAILABLE" {
			t.Fatal(err)
		}
		named := w.World.DB.User.Query().Where(user.ImageFileIDNotNil()).CountX(w.System())
		if (err == nil) != (named == 1) {
			t.Fatalf("%v, and %d people have a picture", err, named)
		}
		w.Advance(2 * pendingTime)
		w.sweep(t)
		w.agrees(t, "afterwards", named)
		if err := w.name(sri, nil); err != nil {
			t.Fatal(err)
		}
	}
}

// TestNamed walks every column that names files.
func TestNamed(t *testing.T) {
	w := newWorld(t)
	set := map[string]func(context.Context, *ent.Client, *int) error{
		"users.image_file_id": func(ctx context.Context, db *ent.Client, id *int) error {
			return db.User.UpdateOneID(w.budi.ID).ClearImageFileID().SetNillableImageFileID(id).Exec(ctx)
		},
		"companies.logo_file_id": func(ctx context.Context, db *ent.Client, id *int) error {
			return db.Company.UpdateOneID(w.Company.ID).ClearLogoFileID().SetNillableLogoFileID(id).Exec(ctx)
		},
		"user_imports.file_id": func(ctx context.Context, db *ent.Client, id *int) error {
			if _, err := db.UserImport.Delete().Exec(ctx); err != nil {
				return err
			}
			return db.UserImport.Create().SetCompanyID(w.Company.ID).SetCreatedBy(w.budi.ID).SetDryRun(false).SetPartial(false).SetInvite(false).SetPeople(1).
				SetCreatedAt(w.World.Now()).SetExpiresAt(w.World.Now()).SetNillableFileID(id).Exec(ctx)
		},
		"person_exports.file_id": func(ctx context.Context, db *ent.Client, id *int) error {
			if _, err := db.PersonExport.Delete().Exec(ctx); err != nil {
				return err
			}
			return db.PersonExport.Create().SetCompanyID(w.Company.ID).SetUserID(w.budi.ID).SetCreatedAt(w.World.Now()).SetExpiresAt(w.World.Now()).SetNillableFileID(id).Exec(ctx)
		},
		"reports.file_id": func(ctx context.Context, db *ent.Client, id *int) error {
			if _, err := db.Report.Delete().Exec(ctx); err != nil {
				return err
			}
			return db.Report.Create().SetCompanyID(w.Company.ID).SetUserID(w.budi.ID).SetKind(entReport.KindTask).SetFormat(entReport.FormatCsv).
				SetFromDate("2026-03-02").SetToDate("2026-03-08").SetLanguage("id").SetTimezone("Asia/Jakarta").
				SetCreatedAt(w.World.Now()).SetExpiresAt(w.World.Now()).SetNillableFileID(id).Exec(ctx)
		},
		"corrections.attachment_file_id": func(ctx context.Context, db *ent.Client, id *int) error {
			if _, err := db.Correction.Delete().Exec(ctx); err != nil {
				return err
			}
			if _, err := db.EmployeeShift.Delete().Exec(ctx); err != nil {
				return err
			}
			now := w.World.Now()
			work := db.Shift.Create().SetCompanyID(w.Company.ID).SetName("Pagi").SetStartTime("08:00").SetEndTime("17:00").SaveX(ctx)
			o := db.EmployeeShift.Create().SetCompanyID(w.Company.ID).SetUserID(w.budi.ID).SetShiftID(work.ID).SetShiftVersion(1).SetName("Pagi").
				SetDate("2026-03-11").SetStartAt(now).SetEndAt(now).SetClockInFrom(now).SetClockInUntil(now).SetBreakSeconds(0).SetTimezone("Asia/Jakarta").SaveX(ctx)
			return db.Correction.Create().SetCompanyID(w.Company.ID).SetUserID(w.budi.ID).SetEmployeeShiftID(o.ID).SetDate(o.Date).SetCoversFrom(now).SetCoversUntil(now).
				SetReason("x").SetCreatedAt(now).SetExpiresAt(now).SetNillableAttachmentFileID(id).Exec(ctx)
		},
		"task_images.file_id": func(ctx context.Context, db *ent.Client, id *int) error {
			return w.image(ctx, db, func(i *ent.TaskImageCreate) { i.SetNillableFileID(id) })
		},
		"task_images.thumbnail_file_id": func(ctx context.Context, db *ent.Client, id *int) error {
			return w.image(ctx, db, func(i *ent.TaskImageCreate) { i.SetNillableThumbnailFileID(id) })
		},
		"task_attachments.file_id": func(ctx context.Context, db *ent.Client, id *int) error {
			if _, err := db.TaskAttachment.Delete().Exec(ctx); err != nil {
				return err
			}
			return db.TaskAttachment.Create().SetCompanyID(w.Company.ID).SetTaskID(w.task(ctx, db)).SetUserID(w.budi.ID).SetName("x").SetURL("x").
				SetContentType("application/pdf").SetSize(1).SetCreatedAt(w.World.Now()).SetNillableFileID(id).Exec(ctx)
		},
		"ticket_attachments.file_id": func(ctx context.Context, db *ent.Client, id *int) error {
			if _, err := db.TicketAttachment.Delete().Exec(ctx); err != nil {
				return err
			}
			asked := db.Ticket.Create().SetCompanyID(w.Company.ID).SetRequesterID(w.budi.ID).SetNumber(1 + db.Ticket.Query().CountX(ctx)).SetSubject("x").
				SetCreatedAt(w.World.Now()).SetUpdatedAt(w.World.Now()).SaveX(ctx)
			return db.TicketAttachment.Create().SetCompanyID(w.Company.ID).SetTicketID(asked.ID).SetUserID(w.budi.ID).SetName("x").SetURL("x").
				SetContentType("application/pdf").SetSize(1).SetCreatedAt(w.World.Now()).SetNillableFileID(id).Exec(ctx)
		},
	}
	tried := 0
	for table, columns := range ent.FileColumns {
		for _, column := range columns {
			tried++
			f := w.put(t, column)
			for _, id := range []*int{&f.ID, nil} {
				w.Change(t, func(ctx context.Context, db *ent.Client) error {
					if id == nil {
						id = new(int)
						*id = f.ID + 1000
					}
					return set[table+"."+column](ctx, db, id)
				})
				named, err := ent.Named(w.System(), w.World.DB, f.ID)
				if err != nil || named != (*id == f.ID) {
					t.Errorf("%s.%s = %d: file %d is named: %v, %v", table, column, *id, f.ID, named, err)
				}
			}
		}
	}
	if tried != len(set) {
		t.Errorf("%d columns name files, want %d", tried, len(set))
	}
}

// task returns the id of a task.
func (w *world) task(ctx context.Context, db *ent.Client) int {
	return db.Task.Create().SetCompanyID(w.Company.ID).SetCreatorID(w.budi.ID).SetTitle("x").SetCreatedAt(w.World.Now()).SetUpdatedAt(w.World.Now()).SaveX(ctx).ID
}

// image makes the one picture of a task that there is.
func (w *world) image(ctx context.Context, db *ent.Client, set func(*ent.TaskImageCreate)) error {
	if _, err := db.TaskImage.Delete().Exec(ctx); err != nil {
		return err
	}
	create := db.TaskImage.Create().SetCompanyID(w.Company.ID).SetTaskID(w.task(ctx, db)).SetUserID(w.budi.ID).SetURL("x").SetThumbnailURL("x").
		SetContentType("image/jpeg").SetWidth(1).SetHeight(1).SetSize(1).SetCreatedAt(w.World.Now())
	set(create)
	return create.Exec(ctx)
}

// TestPicture renders, stores and refuses pictures.
func TestPicture(t *testing.T) {
	w := newWorld(t)
	ctx := w.As(w.budi, "employee")
	var data bytes.Buffer
	if err := png.Encode(&data, image.NewGray(image.Rect(0, 0, 800, 400))); err != nil {
		t.Fatal(err)
	}
	f, err := w.Picture(ctx, "image", bytes.NewReader(data.Bytes()), 320)
	if err != nil || f.Width != 320 || f.Height != 160 || f.MediaType != "image/jpeg" || f.CompanyID != w.Company.ID {
		t.Errorf("%v %v", f, err)
	}
	if link, err := (&blob.Store{}).Link("images/avatar.png"); link != "images/avatar.png" || err != nil {
		t.Errorf("%q %v", link, err)
	}
	for name, tt := range map[string]struct {
		data []byte
		want string
	}{
		"text":      {[]byte("hello"), "UNSUPPORTED_MEDIA_TYPE image"},
		"truncated": {data.Bytes()[:100], "VALIDATION_FAILED image unreadable"},
		"too large": {append(data.Bytes(), make([]byte, 10<<20)...), "PAYLOAD_TOO_LARGE image"},
	} {
		if _, err := w.Picture(ctx, "image", bytes.NewReader(tt.data), 320); apptest.Code(err) != tt.want {
			t.Errorf("%s: %v, want %s", name, err, tt.want)
		}
	}
	w.agrees(t, "one picture", 1)
	leave, err := w.Pictures.Enter(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer leave()
	w.Pictures.Wait = time.Millisecond
	if _, err := w.Picture(ctx, "image", bytes.NewReader(data.Bytes()), 321); apptest.Code(err) != "UNAVAILABLE" {
		t.Errorf("with all decoders busy: %v", err)
	}
}
