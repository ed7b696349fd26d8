package attachment

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	entTask "workforce/ent/task"
	"workforce/ent/taskword"
	"workforce/ent/user"
	"workforce/internal/app/apptest"
	"workforce/internal/app/apptest/filetest"
	"workforce/internal/app/apptest/servicetest"
	"workforce/internal/app/files"
	"workforce/internal/app/input"
	"workforce/internal/errs"
	"workforce/internal/textform"
	"workforce/internal/viewer"
)

// TestLock locks a row whose time is read and set. The time that is set is later than the last one, and
// a row that was set to the same time meanwhile is locked by the second attempt.
func TestLock(t *testing.T) {
	now, broken := apptest.Now, errors.New("broken")
	for _, tt := range []struct {
		name    string
		updated time.Time // of the row
		touches []int     // how many rows each attempt updates
		read    error     // of the first read
		touch   error
		want    string    // the code of the error
		at      time.Time // of the last attempt
	}{
		{"long ago", now.Add(-time.Hour), []int{1}, nil, nil, "", now},
		{"now", now, []int{1}, nil, nil, "", now.Add(time.Microsecond)},
		{"by a clock that is ahead", now.Add(time.Second), []int{1}, nil, nil, "", now.Add(time.Second + time.Microsecond)},
		{"meanwhile", now, []int{0, 1}, nil, nil, "", now.Add(time.Microsecond)},
		{"not changeable", now, []int{0, 0}, nil, nil, "FORBIDDEN", now.Add(time.Microsecond)},
		{"not seen", now, nil, errs.New(errs.NotFound, nil), nil, "NOT_FOUND", time.Time{}},
		{"broken", now, []int{0}, nil, broken, "broken", now.Add(time.Microsecond)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			reads, touches := 0, 0
			var at time.Time
			row, err := Lock(func() time.Time { return now }, func() (int, time.Time, error) {
				reads++
				return reads, tt.updated, tt.read
			}, func(to time.Time) (int, error) {
				touches, at = touches+1, to
				return tt.touches[touches-1], tt.touch
			})
			if apptest.Code(err) != tt.want || !at.Equal(tt.at) || touches != len(tt.touches) {
				t.Errorf("%v at %v after %d attempts, want %q at %v", err, at, touches, tt.want, tt.at)
			}
			if err == nil && row != reads || err != nil && row != 0 {
				t.Errorf("returns what read %d of %d returned", row, reads)
			}
		})
	}
}

func TestTexts(t *testing.T) {
	given, long := func(s string) input.Omittable[*string] { return input.Given(&s) }, strings.Repeat("x", 5001)
	title := func(f *errs.Faults, o input.Omittable[*string]) input.Omittable[*string] { return Title(f, "title", o) }
	for _, tt := range []struct {
		name  string
		read  func(*errs.Faults, input.Omittable[*string]) input.Omittable[*string]
		sent  input.Omittable[*string]
		want  string // - for null, absent for none
		fault string
	}{
		{"no title", title, input.Omittable[*string]{}, "absent", ""},
		{"a title", title, given(" Rapat  tim "), "Rapat  tim", ""},
		{"a title of two code points a letter", title, given("Cafe\u0301"), "Café", ""},
		{"a null title", title, input.Given[*string](nil), "", "VALIDATION_FAILED title required"},
		{"a blank title", title, given(" \t "), "", "VALIDATION_FAILED title required"},
		{"200 characters", title, given(long[:200]), long[:200], ""},
		{"201 characters", title, given(long[:201]), "", "VALIDATION_FAILED title too_long"},
		{"no description", Description, input.Omittable[*string]{}, "absent", ""},
		{"a description", Description, given("baris 1\nbaris 2 "), "baris 1\nbaris 2", ""},
		{"a null description", Description, input.Given[*string](nil), "-", ""},
		{"a blank description", Description, given(" "), "-", ""},
		{"5000 characters", Description, given(long[:5000]), long[:5000], ""},
		{"5001 characters", Description, given(long), "", "VALIDATION_FAILED description too_long"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var faults errs.Faults
			text, isGiven := tt.read(&faults, tt.sent).ValueOK()
			if got := apptest.Code(faults.Err()); got != tt.fault {
				t.Fatalf("fault %q, want %q", got, tt.fault)
			}
			got := "absent"
			if isGiven && text == nil {
				got = "-"
			} else if isGiven {
				got = *text
			}
			if tt.fault == "" && got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func TestEditComment(t *testing.T) {
	ctx := viewer.NewContext(t.Context(), &viewer.Viewer{UserID: 7})
	for _, tt := range []struct {
		author int
		text   string
		want   string
		code   string
	}{
		{7, " Halo\nsemua ", "Halo\nsemua", ""},
		{7, " ", "", "VALIDATION_FAILED text required"},
		{7, strings.Repeat("x", 5001), "", "VALIDATION_FAILED text too_long"},
		{8, "Halo", "", "FORBIDDEN"},
		{8, "", "", "FORBIDDEN"},
	} {
		got, err := EditComment(ctx, tt.author, tt.text)
		if apptest.Code(err) != tt.code || err == nil && got != tt.want {
			t.Errorf("%.9q by %d: %q %v, want %q %q", tt.text, tt.author, got, err, tt.want, tt.code)
		}
	}
}

// TestAttach attaches files to a row that has some.
func TestAttach(t *testing.T) {
	w := apptest.New(t)
	store, budi := servicetest.New(t, w).Files, w.User(t, "Budi")
	stored := func() []int { return w.DB.File.Query().IDsX(w.System()) }
	var has []File
	attach := func(name string, data []byte) (id int, added bool, code string) {
		upload := filetest.Upload(name, data)
		err := filetest.Run(w.As(budi, viewer.Employee), w.DB, func(ctx context.Context) (err error) {
			id, err = Attach(ctx, store, files.Upload{File: upload.File, Name: name},
				func() ([]File, error) { return has, nil },
				func(d *files.Document) (int, error) {
					added = true
					return 100 + d.ID, nil
				})
			return err
		})
		return id, added, apptest.Code(err)
	}
	pdf := []byte("%PDF-1.7\n%%EOF\n")
	id, added, code := attach("a.pdf", pdf)
	if all := stored(); code != "" || !added || len(all) != 1 || id != 100+all[0] {
		t.Fatalf("a new file: %d %v %q, files %v", id, added, code, all)
	}
	if f := w.DB.File.GetX(w.System(), id-100); f.PendingSince != nil || f.MediaType != "application/pdf" {
		t.Errorf("the file is %v", f)
	}
	file := id - 100
	has = []File{{1, nil}, {2, &file}}
	if id, added, code := attach("b.pdf", pdf); id != 2 || added || code != "" {
		t.Errorf("the same bytes: %d %v %q, want 2", id, added, code)
	}
	if _, _, code := attach("a.sh", []byte("#!/bin/sh\n")); code != "UNSUPPORTED_MEDIA_TYPE file" {
		t.Errorf("a script: %q", code)
	}
	odt := []byte("PK\x03\x04" + strings.Repeat("\x00", 22) + "\x08\x00\x00\x00mimetype" +
		"application/vnd.oasis.opendocument.text")
	if _, _, code := attach("a.odt", odt); code != "UNSUPPORTED_MEDIA_TYPE file" {
		t.Errorf("a type that the company does not allow: %q", code)
	}
	has = append(make([]File, 18), File{19, nil})
	if _, added, code := attach("a.pdf", append(pdf, '1')); !added || code != "" {
		t.Errorf("the 20th: %v %q", added, code)
	}
	has = append(has, File{20, &file})
	if _, added, code := attach("a.pdf", append(pdf, '2')); added || code != "VALIDATION_FAILED file too_many" {
		t.Errorf("the 21st: %v %q", added, code)
	}
	if id, _, code := attach("a.pdf", pdf); id != 20 || code != "" {
		t.Errorf("one of 20: %d %q", id, code)
	}
}

func TestReplace(t *testing.T) {
	for _, tt := range []struct {
		has, wanted    []int
		removed, added string
	}{
		{nil, nil, "[]", "[]"},
		{nil, []int{1, 2}, "[]", "[[1 2]]"},
		{[]int{1, 2}, []int{2, 3}, "[[1]]", "[[3]]"},
		{[]int{1, 2}, nil, "[[1 2]]", "[]"},
		{[]int{2, 1}, []int{1, 2}, "[]", "[]"},
	} {
		removed, added := [][]int{}, [][]int{}
		err := Replace(tt.has, tt.wanted, func(ids []int) error { removed = append(removed, ids); return nil },
			func(ids []int) error { added = append(added, ids); return nil })
		if fmt.Sprint(removed) != tt.removed || fmt.Sprint(added) != tt.added || err != nil {
			t.Errorf("%v to %v: removed %v, added %v, %v", tt.has, tt.wanted, removed, added, err)
		}
	}
	var sizes []int
	many, broken := make([]int, 1200), errors.New("broken")
	for i := range many {
		many[i] = i
	}
	err := Replace(nil, many, nil, func(ids []int) error {
		sizes = append(sizes, len(ids))
		return nil
	})
	if err != nil || !slices.Equal(sizes, []int{500, 500, 200}) {
		t.Errorf("added %v at a time, %v", sizes, err)
	}
	if err := Replace(many, nil, func([]int) error { return broken }, nil); err != broken {
		t.Error(err)
	}
}

// TestMayAssign says who may assign a task to whom.
func TestMayAssign(t *testing.T) {
	w := apptest.New(t)
	budi, sari, gone := w.User(t, "Budi"), w.User(t, "Sari"), w.User(t, "Gone")
	owner := w.User(t, "Olga", viewer.Owner)
	var business int
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		business = db.Business.Create().SetCompanyID(w.Company.ID).SetName("B").SaveX(ctx).ID
		if err := db.User.UpdateOneID(gone.ID).SetActive(false).Exec(ctx); err != nil {
			return err
		}
		return db.User.Update().Where(user.ID(sari.ID)).SetBusinessID(business).Exec(ctx)
	})
	for _, tt := range []struct {
		role       string
		businesses []int
		to         []int
		want       string
	}{
		{viewer.Employee, nil, nil, ""},
		{viewer.Employee, nil, []int{budi.ID}, ""},
		{"a role without permissions", nil, []int{budi.ID}, ""},
		{viewer.Employee, nil, []int{sari.ID}, "FORBIDDEN assigneeIds"},
		{viewer.Supervisor, []int{business}, []int{sari.ID}, ""},
		{viewer.Supervisor, []int{business}, []int{budi.ID, sari.ID}, ""},
		{viewer.Supervisor, []int{business + 1}, []int{sari.ID}, "FORBIDDEN assigneeIds"},
		{viewer.Admin, nil, []int{sari.ID, budi.ID}, ""},
		{viewer.Admin, nil, []int{sari.ID, owner.ID}, "FORBIDDEN assigneeIds"},
		{viewer.Admin, nil, []int{gone.ID}, "NOT_FOUND assigneeIds"},
		{viewer.Admin, nil, []int{sari.ID, 99999}, "NOT_FOUND assigneeIds"},
		{viewer.Owner, nil, []int{owner.ID}, ""},
	} {
		ctx := w.As(budi, tt.role, tt.businesses...)
		if err := MayAssign(ctx, viewer.From(ctx), "task", "assigneeIds", tt.to); apptest.Code(err) != tt.want {
			t.Errorf("%s of %v to %v: %v, want %q", tt.role, tt.businesses, tt.to, err, tt.want)
		}
	}
}

// TestSearchFilter finds tasks by the beginnings of their words.
func TestSearchFilter(t *testing.T) {
	w := apptest.New(t)
	budi := w.User(t, "Budi")
	for _, title := range []string{"Kunjungan ke Café Élan", "Laporan kunjungan", "CAFE 24 jam", "Straße 東京", "新東京会議 Łódź"} {
		k := w.DB.Task.Create().SetCompanyID(w.Company.ID).SetCreatorID(budi.ID).SetTitle(title).
			SetCreatedAt(apptest.Now).SetUpdatedAt(apptest.Now).SaveX(w.System())
		for _, word := range textform.Words(title) {
			w.DB.TaskWord.Create().SetCompanyID(w.Company.ID).SetTaskID(k.ID).SetWord(word).ExecX(w.System())
		}
	}
	words := func(n int) (text string) {
		for i := range n {
			text += fmt.Sprint(" w", i)
		}
		return text
	}
	for _, tt := range []struct {
		text, want, fault string
	}{
		{"", "12345", ""},
		{"kunj", "12", ""},
		{"kunjungan lapor", "2", ""},
		{"éLAN cafe", "1", ""},
		{"Càfé", "13", ""},
		{"STRASSE 東", "4", ""},
		{"京", "45", ""},
		{"東京会", "5", ""},
		{"会議 lodz", "5", ""},
		{"京議", "", ""},
		{"unjungan", "", ""},
		{"%", "", ""},
		{"--", "", ""},
		{"kunjungan scanner", "", ""},
		{words(20), "", ""},
		{words(21), "", "VALIDATION_FAILED search too_many"},
	} {
		var faults errs.Faults
		filter := SearchFilter(&faults, &tt.text, taskword.Table, taskword.FieldTaskID)
		if got := apptest.Code(faults.Err()); got != tt.fault {
			t.Errorf("%q: fault %q, want %q", tt.text, got, tt.fault)
		}
		q := w.DB.Task.Query().Order(ent.Asc(entTask.FieldID))
		for _, match := range filter {
			q.Where(match)
		}
		got := ""
		for _, id := range q.IDsX(w.System()) {
			got += fmt.Sprint(id)
		}
		if tt.fault == "" && got != tt.want {
			t.Errorf("%q finds %s, want %s", tt.text, got, tt.want)
		}
	}
	if filter := SearchFilter(nil, nil, taskword.Table, taskword.FieldTaskID); filter != nil {
		t.Errorf("no search has %d conditions", len(filter))
	}
}

func TestWidgetItems(t *testing.T) {
	for _, tt := range []struct {
		limit *int
		want  int
		code  string
	}{
		{nil, 5, ""}, {new(1), 1, ""}, {new(50), 50, ""},
		{new(0), 0, "VALIDATION_FAILED limit out_of_range"}, {new(51), 51, "VALIDATION_FAILED limit out_of_range"},
	} {
		if n, err := WidgetItems(t.Context(), tt.limit); n != tt.want || apptest.Code(err) != tt.code {
			t.Errorf("%d %v, want %d %q", n, err, tt.want, tt.code)
		}
	}
}
