package peopleimport

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"workforce/ent"
	"workforce/ent/user"
	"workforce/internal/app/apptest"
	"workforce/internal/app/tx"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// TestIsTable takes text in the encodings that spreadsheets write, and no other files.
func TestIsTable(t *testing.T) {
	for text, want := range map[string]bool{
		"name,email\nA,a@x.test\n": true, "\ufeffname\tA\r\n": true, "sep=;\n": true,
		"\xff\xfen\x00a\x00\n\x00": true, "\xfe\xff\x00n\x00a": true, "": true,
		"n\x00a": false, "PK\x03\x04": false, "GIF89a\x01\x00": false, "\xd0\xcf\x11\xe0": false,
	} {
		if got := isTable([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestUpload imports in the name of callers: owners are changed by owners alone, and one
// of them stays.
func TestUpload(t *testing.T) {
	f := newFixture(t)
	owner, admin, manager := f.User(t, "ann", viewer.Owner), f.User(t, "ben", viewer.Admin), f.User(t, "cid", viewer.Manager)
	people := func() int { return f.DB.User.Query().CountX(f.System()) }
	const ann = "email,leftOn\nann@acme.test,2026-12-31\n"
	const two = "name,email\nDan,dan@acme.test\nEve,eve@acme.test\n"
	for _, tt := range []struct {
		name    string
		who     *ent.User
		role    string
		text    string
		dry     bool
		partial bool
		want    string
		people  int
	}{
		{"a manager", manager, viewer.Manager, two, false, false, "FORBIDDEN", 3},
		{"a dry run", admin, viewer.Admin, two, true, false, "2 0 []", 3},
		{"an owner's name", admin, viewer.Admin, two + "Anna,ann@acme.test\n", false, false, "0 0 [4  ]", 3},
		{"in part", admin, viewer.Admin, "name,email\nDan,dan@acme.test\nAnna,ann@acme.test\n", false, true, "1 0 [3  ]", 4},
		{"the last owner", owner, viewer.Owner, ann, false, false, "0 0 [2 leftOn ]", 4},
		{"the last owner, dry", owner, viewer.Owner, ann, true, true, "0 0 [2 leftOn ]", 4},
		{"the last owner begins later", owner, viewer.Owner, "email,joinedOn\nann@acme.test,2026-12-31\n", false, false, "0 0 [2 joinedOn ]", 4},
		{"the last owner in part", owner, viewer.Owner, ann + "ben@acme.test,2026-12-31\n", false, true, "0 1 [2 leftOn ]", 4},
		{"an owner by an owner", owner, viewer.Owner, "name,email\nAnna,ann@acme.test\n", false, false, "0 1 []", 4},
		{"an owner who stays", admin, viewer.Admin, "name,email\nAnna,ann@acme.test\n", false, false, "0 0 []", 4},
		{"10,001 people", admin, viewer.Admin, "email\n" + strings.Repeat("x\n", 10_001), false, false, "0 0 [10002  too_many]", 4},
		{"nothing", admin, viewer.Admin, "", false, false, "0 0 [0  empty_file]", 4},
		{"a web page", admin, viewer.Admin, "<!doctype html>\n", false, false, "0 0 [0  web_page]", 4},
		{"text", admin, viewer.Admin, "a\x00b", false, false, "UNSUPPORTED_MEDIA_TYPE file", 4},
		{"an archive", admin, viewer.Admin, "PK\x03\x04", false, false, "UNSUPPORTED_MEDIA_TYPE file", 4},
		{"10 MiB", admin, viewer.Admin, strings.Repeat("x", 10<<20+1), false, false, "PAYLOAD_TOO_LARGE file", 4},
	} {
		r, err := f.upload(f.As(tt.who, tt.role), Upload{Field: "file", File: strings.NewReader(tt.text), DryRun: tt.dry, Partial: tt.partial})
		got := apptest.Code(err)
		if err == nil {
			got = fmt.Sprint(r.Created, r.Updated, faults(r))
		}
		if got != tt.want || people() != tt.people {
			t.Errorf("%s: %s with %d people, want %s with %d", tt.name, got, people(), tt.want, tt.people)
		}
	}
	if u := f.DB.User.Query().Where(user.Name("Anna")).OnlyX(f.System()); u.LeftOn != nil {
		t.Errorf("the owner leaves on %s", *u.LeftOn)
	}
}

// upload imports a table as an operation does: what must not run in its transaction runs
// between two tries.
func (f *fixture) upload(ctx context.Context, in Upload) (r *Result, err error) {
	ctx, deferred := tx.WithDeferred(ctx)
	for again := true; again; again = deferred.Run(ctx) {
		err = f.Try(ctx, func(ctx context.Context, _ *ent.Client) (err error) {
			r, _, err = f.service.ImportUpload(ctx, in)
			return err
		})
	}
	return r, err
}

// TestQuota refuses what is more than a person may upload in a day.
func TestQuota(t *testing.T) {
	f := newFixture(t)
	ctx := f.As(f.User(t, "ann", viewer.Owner), viewer.Owner)
	text := "email\n" + strings.Repeat("x", 10<<20-100)
	for n := range 21 {
		_, err := f.upload(ctx, Upload{Field: "file", File: strings.NewReader(text), DryRun: true})
		if limited := errs.Is(err, errs.RateLimited); limited != (n == 20) {
			t.Errorf("upload %d: %v", n+1, err)
		}
	}
}

// TestOwnersLeaveTogether refuses the last of the rows in which every owner leaves,
// though each has another one.
func TestOwnersLeaveTogether(t *testing.T) {
	f := newFixture(t)
	owner := f.User(t, "ann", viewer.Owner)
	f.User(t, "ben", viewer.Owner)
	for text, want := range map[string]string{
		"email,leftOn\nann@acme.test,2026-12-31\nben@acme.test,2026-12-31\n": "0 0 [3 leftOn ]",
		"email,leftOn\nann@acme.test,2026-12-31\n":                           "0 1 []",
	} {
		r, err := f.upload(f.As(owner, viewer.Owner), Upload{Field: "file", File: strings.NewReader(text), DryRun: true})
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(r.Created, r.Updated, faults(r)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
