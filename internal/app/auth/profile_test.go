package auth

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"workforce/ent"
	"workforce/ent/facetemplate"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/contact"
	"workforce/internal/errs"
	"workforce/internal/face"
	"workforce/internal/sealed"
	"workforce/internal/viewer"
)

// A profileWorld is a company of two people with faces and designations, and another
// company with a person.
type profileWorld struct {
	*apptest.World
	profiles *Profiles

	ana, budi, bare, theirs *ent.User
}

func newProfileWorld(t *testing.T) *profileWorld {
	t.Helper()
	w := &profileWorld{World: apptest.New(t), profiles: &Profiles{Faces: sealed.NewSealer("face templates", sealed.Key{})}}
	w.ana, w.budi, w.bare = w.User(t, "Ana", viewer.Owner), w.User(t, "Budi"), w.User(t, "Bare")
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		err := db.User.UpdateOneID(w.budi.ID).SetImage("budi.png").SetGender("male").SetSalutation("Bp.").SetLocale("en").
			SetMobileNumber(contact.Number{CountryCode: new(62), Number: new("0811 22")}).SetPhone("+6281122").Exec(ctx)
		if err != nil {
			return err
		}
		for i, name := range []string{"Zeta", "alpha", "beta", "Other"} {
			d, err := db.Designation.Create().SetCompanyID(w.Company.ID).SetName(name).Save(ctx)
			if err != nil {
				return err
			}
			of := w.budi
			if i == 3 {
				of = w.ana
			}
			if err := db.UserDesignation.Create().SetCompanyID(w.Company.ID).SetUserID(of.ID).SetDesignationID(d.ID).Exec(ctx); err != nil {
				return err
			}
		}
		c, err := db.Company.Create().SetName("Other").SetTimezone("UTC").SetLocale("en").SetCreatedAt(apptest.Now).Save(ctx)
		if err != nil {
			return err
		}
		w.theirs, err = db.User.Create().SetCompanyID(c.ID).SetName("Omar").SetEmail("o@other.test").SetEmailKey("o@other.test").SetCreatedAt(apptest.Now).Save(ctx)
		return err
	})
	w.face(t, w.ana, w.Company.ID, `[{"x":9,"y":9,"z":9,"visibility":9}]`)
	w.face(t, w.budi, w.Company.ID, `[{"x":1,"y":2,"z":3,"visibility":0.5},{"x":-1,"y":0,"z":0,"visibility":1}]`)
	w.face(t, w.budi, w.Company.ID, `[]`)
	w.Change(t, func(ctx context.Context, db *ent.Client) error { // the face before is in force again
		ids, err := db.FaceTemplate.Query().Where(facetemplate.UserID(w.budi.ID)).Order(ent.Asc(facetemplate.FieldID)).IDs(ctx)
		if err != nil {
			return err
		}
		if err := db.FaceTemplate.UpdateOneID(ids[1]).ClearInForce().Exec(ctx); err != nil {
			return err
		}
		return db.FaceTemplate.UpdateOneID(ids[0]).SetInForce(1).Exec(ctx)
	})
	return w
}

// face registers a face, sealed for a company, in place of the one before.
func (w *profileWorld) face(t *testing.T, u *ent.User, company int, points string) {
	t.Helper()
	text, err := w.profiles.Faces.Seal([]byte(points), strconv.Itoa(company), strconv.Itoa(u.ID))
	if err != nil {
		t.Fatal(err)
	}
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		if err := db.FaceTemplate.Update().Where(facetemplate.UserID(u.ID)).ClearInForce().Exec(ctx); err != nil {
			return err
		}
		return db.FaceTemplate.Create().SetCompanyID(w.Company.ID).SetUserID(u.ID).SetVersion(1).SetPoints(1).SetSealed(text).
			SetCreatedAt(apptest.Now).Exec(ctx)
	})
}

// plain compares what profiles say of designations: their ids and names.
var plain = cmp.Options{cmpopts.IgnoreUnexported(ent.Designation{}), cmpopts.IgnoreFields(ent.Designation{}, "CompanyID", "Edges", "SortName")}

func TestOf(t *testing.T) {
	w := newProfileWorld(t)
	got, err := w.profiles.Of(w.As(w.budi, viewer.Employee), w.budi.ID, true)
	if err != nil {
		t.Fatal(err)
	}
	ids := w.DB.Designation.Query().Order(ent.Asc("id")).IDsX(w.System())
	want := &model.Profile{
		Name: "Budi", Email: "budi@acme.test", Image: "budi.png", MobileNumber: &contact.Number{CountryCode: new(62), Number: new("0811 22")},
		Gender: new("male"), Salutation: new("Bp."), Locale: "en",
		Designations: []*ent.Designation{{ID: ids[1], Name: "alpha"}, {ID: ids[2], Name: "beta"}, {ID: ids[0], Name: "Zeta"}},
		FaceLandmark: []*face.Point{{X: 1, Y: 2, Z: 3, Visibility: 0.5}, {X: -1, Visibility: 1}},
	}
	if diff := cmp.Diff(want, got, plain); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	got, err = w.profiles.Of(w.As(w.bare, viewer.Employee), w.bare.ID, true)
	want = &model.Profile{
		Name: "Bare", Email: "bare@acme.test", Image: "images/avatar.png", MobileNumber: &contact.Number{}, Locale: "id",
		Designations: []*ent.Designation{}, FaceLandmark: []*face.Point{},
	}
	if diff := cmp.Diff(want, got, plain); err != nil || diff != "" {
		t.Errorf("somebody without anything: %v, -want +got:\n%s", err, diff)
	}
}

func TestWhoSeesWhom(t *testing.T) {
	w := newProfileWorld(t)
	for _, tt := range []struct {
		about    string
		ctx      context.Context
		of       *ent.User
		withFace bool
		name     string // "" for NOT_FOUND
		points   int
	}{
		{"oneself", w.As(w.budi, viewer.Employee), w.budi, true, "Budi", 2},
		{"oneself without the face", w.As(w.budi, viewer.Employee), w.budi, false, "Budi", 0},
		{"a colleague", w.As(w.budi, viewer.Employee), w.ana, true, "Ana", 0},
		{"an owner, an employee", w.As(w.ana, viewer.Owner), w.budi, true, "Budi", 0},
		{"another company's", w.As(w.ana, viewer.Owner), w.theirs, true, "", 0},
		{"another company's viewer", w.As(w.theirs, viewer.Owner), w.budi, true, "", 0},
		{"the server", w.System(), w.budi, true, "Budi", 2},
	} {
		got, err := w.profiles.Of(tt.ctx, tt.of.ID, tt.withFace)
		switch {
		case tt.name == "":
			if !errs.Is(err, errs.NotFound) {
				t.Errorf("%s: %v, %v; want NOT_FOUND", tt.about, got, err)
			}
		case err != nil || got.Name != tt.name || got.FaceLandmark == nil || len(got.FaceLandmark) != tt.points:
			t.Errorf("%s: %+v, %v; want %s with %d points", tt.about, got, err, tt.name, tt.points)
		}
	}
	if _, err := w.profiles.Of(w.As(w.ana, viewer.Owner), 999, true); !errs.Is(err, errs.NotFound) {
		t.Errorf("an unknown user: %v", err)
	}
	nobody := ent.NewContext(t.Context(), w.DB)
	if p, err := w.profiles.Of(nobody, w.ana.ID, true); err == nil {
		t.Errorf("nobody reads %+v", p)
	}
}

// TestFaces opens faces in both forms, and none that is another's.
func TestFaces(t *testing.T) {
	w := newProfileWorld(t)
	read := func() ([]*face.Point, error) {
		p, err := w.profiles.Of(w.As(w.budi, viewer.Employee), w.budi.ID, true)
		if err != nil {
			return nil, err
		}
		return p.FaceLandmark, nil
	}
	w.face(t, w.budi, w.Company.ID, `[{"x":1,"y":2,"more":3}]`)
	if got, err := read(); err != nil || len(got) != 1 || *got[0] != (face.Point{X: 1, Y: 2}) {
		t.Errorf("a face with other members: %v, %v", got, err)
	}
	w.face(t, w.budi, w.Company.ID+1, `[]`)
	if got, err := read(); err == nil {
		t.Errorf("a face of another company: %v", got)
	}
	w.face(t, w.budi, w.Company.ID, `{`)
	if got, err := read(); err == nil {
		t.Errorf("broken JSON: %v", got)
	}
}

// TestReadLikeEnt compares the hand-written statement with the same question through
// ent, for everybody about everybody.
func TestReadLikeEnt(t *testing.T) {
	w := newProfileWorld(t)
	everybody := []*ent.User{w.ana, w.budi, w.bare, w.theirs, {ID: 999}}
	for _, who := range everybody[:4] {
		for _, ctx := range []context.Context{w.As(who, viewer.Employee), w.As(who, viewer.Owner), w.As(who, ""), w.System()} {
			for _, of := range everybody {
				for _, withFace := range []bool{false, true} {
					got, gotFace, err := readProfile(ctx, of.ID, withFace)
					want, wantFace, wantErr := readByEnt(ctx, of.ID, withFace)
					about := fmt.Sprintf("%s as %v reads %d, face %v", who.Name, viewer.From(ctx), of.ID, withFace)
					if (err == nil) != (wantErr == nil) || err != nil && !errs.Is(err, errs.NotFound) {
						t.Errorf("%s: %v, by ent %v", about, err, wantErr)
						continue
					}
					if diff := cmp.Diff(want, got, plain); diff != "" {
						t.Errorf("%s: -by ent +got:\n%s", about, diff)
					}
					if err == nil && (gotFace.Sealed != wantFace.Sealed || gotFace.CompanyID != wantFace.CompanyID) {
						t.Errorf("%s: face %v, by ent %v", about, gotFace, wantFace)
					}
				}
			}
		}
	}
}

// readByEnt is read by several queries of ent.
func readByEnt(ctx context.Context, id int, withFace bool) (*model.Profile, *ent.FaceTemplate, error) {
	db := ent.FromContext(ctx)
	u, err := db.User.Query().Where(user.ID(id)).WithDesignations().Only(ctx)
	if err != nil {
		return nil, nil, err
	}
	p := &model.Profile{
		Name: u.Name, Email: u.Email, Image: u.Image, MobileNumber: &u.MobileNumber, Gender: u.Gender, Salutation: u.Salutation,
		Locale: u.Locale, Designations: append([]*ent.Designation{}, u.Edges.Designations...), FaceLandmark: []*face.Point{},
	}
	if !withFace {
		return p, &ent.FaceTemplate{}, nil
	}
	f, err := db.FaceTemplate.Query().Where(facetemplate.UserID(id), facetemplate.InForce(1)).Only(ctx)
	if notFound := (*ent.NotFoundError)(nil); errors.As(err, &notFound) {
		return p, &ent.FaceTemplate{}, nil
	}
	return p, f, err
}
