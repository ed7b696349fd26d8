package organization

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"workforce/ent"
	"workforce/ent/clockstate"
	"workforce/ent/widgettoken"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/apptest/plantest"
	"workforce/internal/app/input"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// A world is a company with a tree of businesses:
//
//	Top            Side
//	└── Middle
//	    └── Low
type world struct {
	*apptest.World
	owner, budi            *ent.User
	top, middle, low, side *ent.Business

	site       *ent.Business // has an address, in some tests
	theirs     *ent.Business // of another company, as is the owner
	theirOwner *ent.User
	organizer  context.Context // may write the organization, and nothing else
}

func newWorld(t testing.TB) *world {
	t.Helper()
	w := &world{World: apptest.New(t)}
	w.owner, w.budi = w.User(t, "Ana", viewer.Owner), w.User(t, "Budi")
	w.Change(t, func(ctx context.Context, db *ent.Client) (err error) {
		other, err := CreateCompany(ctx, db, apptest.Now, "Other", "Asia/Tokyo", "en")
		if err != nil {
			return err
		}
		w.theirOwner, err = db.User.Create().SetCompanyID(other.ID).SetName("Omar").SetEmail("omar@other.test").SetEmailKey("omar@other.test").
			SetCreatedAt(apptest.Now).Save(ctx)
		if err != nil {
			return err
		}
		w.theirs, err = db.Business.Create().SetCompanyID(other.ID).SetName("Tokyo").Save(ctx)
		return err
	})
	w.organizer = w.with(w.budi, "organization.write.all")
	w.top = w.create(t, "Top", nil)
	w.middle = w.create(t, "Middle", &w.top.ID)
	w.low = w.create(t, "Low", &w.middle.ID)
	w.side = w.create(t, "Side", nil)
	return w
}

// with returns the context of a user with one permission.
func (w *world) with(u *ent.User, permission string) context.Context {
	return viewer.NewContext(ent.NewContext(context.Background(), w.DB), &viewer.Viewer{
		UserID: u.ID, CompanyID: u.CompanyID, Permissions: []string{permission},
	})
}

// create creates a business below another.
func (w *world) create(t testing.TB, name string, parent *int) *ent.Business {
	t.Helper()
	b, err := w.tryCreate(w.organizer, model.CreateBusinessInput{Name: name, ParentID: input.Given(parent)})
	if err != nil {
		t.Fatal(err)
	}
	return w.get(b.ID)
}

func (w *world) tryCreate(ctx context.Context, in model.CreateBusinessInput) (b *ent.Business, err error) {
	err = w.Try(ctx, func(ctx context.Context, _ *ent.Client) (err error) {
		b, err = (&Service{}).CreateBusiness(ctx, in)
		return err
	})
	return b, err
}

func (w *world) update(ctx context.Context, b *ent.Business, in model.UpdateBusinessInput) error {
	return w.Try(ctx, func(ctx context.Context, _ *ent.Client) error {
		return (&Service{Plans: plantest.New(w.World)}).UpdateBusiness(ctx, b.ID, in)
	})
}

func (w *world) remove(ctx context.Context, b *ent.Business) error {
	return w.Try(ctx, func(ctx context.Context, _ *ent.Client) error { return (&Service{}).DeleteBusiness(ctx, b.ID, nil) })
}

// get returns a stored business.
func (w *world) get(id int) *ent.Business { return w.DB.Business.GetX(w.System(), id) }

// deactivate makes a user inactive.
func (w *world) deactivate(t testing.TB, u *ent.User) {
	t.Helper()
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.User.UpdateOneID(u.ID).SetActive(false).Exec(ctx)
	})
}

// outcome returns the code of an error with all of its faults, "" for none, and
// NOT_FOUND for a row that the viewer does not see.
func outcome(err error) string {
	switch e, ok := errors.AsType[*errs.Error](err); {
	case ok:
		return e.Error()
	case ent.IsNotFound(err):
		return "NOT_FOUND"
	case err != nil:
		return err.Error()
	}
	return ""
}

// null is a member that is null.
func null[T any]() input.Omittable[*T] { return input.Given[*T](nil) }

// given returns a member with a value.
func given[T any](v T) input.Omittable[*T] { return input.Given(&v) }

func TestCreateBusiness(t *testing.T) {
	w := newWorld(t)
	made, err := w.tryCreate(w.organizer, model.CreateBusinessInput{Name: " Bandung ", ParentID: given(w.low.ID), ManagerID: given(w.budi.ID)})
	if err != nil {
		t.Fatal(err)
	}
	b := w.get(made.ID)
	if b.Name != "Bandung" || b.SortName != "bandung" || b.CompanyID != w.Company.ID || *b.ParentID != w.low.ID || *b.ManagerID != w.budi.ID {
		t.Errorf("stored %v", b)
	}
	inactive := w.User(t, "Gone")
	w.deactivate(t, inactive)
	for _, tt := range []struct {
		about string
		in    model.CreateBusinessInput
		want  string
	}{
		{"no name", model.CreateBusinessInput{Name: " "}, "VALIDATION_FAILED name(required)"},
		{"a long name", model.CreateBusinessInput{Name: strings.Repeat("ä", 101)}, "VALIDATION_FAILED name(too_long)"},
		{"the longest name", model.CreateBusinessInput{Name: strings.Repeat("ä", 100)}, ""},
		{"nulls", model.CreateBusinessInput{Name: "Root", ParentID: null[int](), ManagerID: null[int]()}, ""},
		{"a root's name, ignoring case", model.CreateBusinessInput{Name: "tOP"}, "VALIDATION_FAILED name(already_taken)"},
		{"a sibling's name, ignoring case", model.CreateBusinessInput{Name: "MIDDLE", ParentID: given(w.top.ID)}, "VALIDATION_FAILED name(already_taken)"},
		{"a name from elsewhere in the tree", model.CreateBusinessInput{Name: "Middle", ParentID: given(w.side.ID)}, ""},
		{"a name of another company", model.CreateBusinessInput{Name: "Tokyo"}, ""},
		{"an unknown parent", model.CreateBusinessInput{Name: "x", ParentID: given(999)}, "NOT_FOUND parentId"},
		{"another company's parent", model.CreateBusinessInput{Name: "x", ParentID: given(w.theirs.ID)}, "NOT_FOUND parentId"},
		{"an inactive manager", model.CreateBusinessInput{Name: "x", ManagerID: given(inactive.ID)}, "NOT_FOUND managerId"},
		{"another company's manager", model.CreateBusinessInput{Name: "x", ManagerID: given(w.theirOwner.ID)}, "NOT_FOUND managerId"},
	} {
		if _, err := w.tryCreate(w.organizer, tt.in); outcome(err) != tt.want {
			t.Errorf("%s: %q, want %q", tt.about, outcome(err), tt.want)
		}
	}
}

func TestUpdateBusiness(t *testing.T) {
	w := newWorld(t)
	full := model.UpdateBusinessInput{Name: given(" Bandung "), ParentID: given(w.top.ID), ManagerID: given(w.budi.ID)}
	for _, in := range []model.UpdateBusinessInput{full, {}} {
		if err := w.update(w.organizer, w.side, in); err != nil {
			t.Fatal(err)
		}
		b := w.get(w.side.ID)
		if b.Name != "Bandung" || b.SortName != "bandung" || *b.ParentID != w.top.ID || *b.ManagerID != w.budi.ID {
			t.Errorf("stored %v", b)
		}
	}
	if err := w.update(w.organizer, w.side, model.UpdateBusinessInput{ParentID: null[int](), ManagerID: null[int]()}); err != nil {
		t.Fatal(err)
	}
	if b := w.get(w.side.ID); b.Name != "Bandung" || b.ParentID != nil || b.ManagerID != nil {
		t.Errorf("cleared %v", b)
	}
}

func TestUpdateBusinessFaults(t *testing.T) {
	w := newWorld(t)
	inactive := w.User(t, "Gone")
	w.deactivate(t, inactive)
	w.create(t, "low", nil)
	w.create(t, "Second", &w.top.ID)
	for _, tt := range []struct {
		about string
		of    *ent.Business
		in    model.UpdateBusinessInput
		want  string
	}{
		{"name null", w.top, model.UpdateBusinessInput{Name: null[string]()}, "VALIDATION_FAILED name(required)"},
		{"below itself", w.top, model.UpdateBusinessInput{ParentID: given(w.top.ID)}, "CYCLE parentId"},
		{"below its child", w.top, model.UpdateBusinessInput{ParentID: given(w.middle.ID)}, "CYCLE parentId"},
		{"below its child's child", w.top, model.UpdateBusinessInput{ParentID: given(w.low.ID)}, "CYCLE parentId"},
		{"below the parent's parent", w.low, model.UpdateBusinessInput{ParentID: given(w.top.ID)}, ""},
		{"below an unknown one", w.top, model.UpdateBusinessInput{ParentID: given(999)}, "NOT_FOUND parentId"},
		{"below another company's", w.top, model.UpdateBusinessInput{ParentID: given(w.theirs.ID)}, "NOT_FOUND parentId"},
		{"an inactive manager", w.top, model.UpdateBusinessInput{ManagerID: given(inactive.ID)}, "NOT_FOUND managerId"},
		{"another company's manager", w.top, model.UpdateBusinessInput{ManagerID: given(w.theirOwner.ID)}, "NOT_FOUND managerId"},
		{"a sibling's name", w.side, model.UpdateBusinessInput{Name: given("TOP")}, "VALIDATION_FAILED name(already_taken)"},
		{"a sibling's name below the same parent", w.middle, model.UpdateBusinessInput{Name: given("second")}, "VALIDATION_FAILED name(already_taken)"},
		{"its own name in capitals", w.side, model.UpdateBusinessInput{Name: given("SIDE")}, ""},
		{"among roots, one of which has its name", w.low, model.UpdateBusinessInput{ParentID: null[int]()}, "VALIDATION_FAILED name(already_taken)"},
		{"among roots by another name", w.low, model.UpdateBusinessInput{Name: given("Lowest"), ParentID: null[int]()}, ""},
		{"another company's", w.theirs, model.UpdateBusinessInput{}, "NOT_FOUND"},
	} {
		if err := w.update(w.organizer, tt.of, tt.in); outcome(err) != tt.want {
			t.Fatalf("%s: %q, want %q", tt.about, outcome(err), tt.want) // a circle would make the next one endless
		}
	}
}

func TestDeleteBusiness(t *testing.T) {
	w := newWorld(t)
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.User.UpdateOneID(w.budi.ID).SetBusinessID(w.side.ID).Exec(ctx)
	})
	w.deactivate(t, w.budi)
	w.site = w.create(t, "Site", nil)
	w.addAddress(t, "Gate", w.site)
	for _, tt := range []struct {
		about           string
		of              *ent.Business
		want            string
		users, children int
	}{
		{"with a child", w.middle, "CONFLICT", 0, 1},
		{"with an inactive user", w.side, "CONFLICT", 1, 0},
		{"another company's", w.theirs, "NOT_FOUND", 0, 0},
		{"with a work site", w.site, "CONFLICT", 0, 0},
		{"unused", w.low, "", 0, 0},
		{"again", w.low, "NOT_FOUND", 0, 0},
		{"without a child any more", w.middle, "", 0, 0},
	} {
		err := w.remove(w.organizer, tt.of)
		if outcome(err) != tt.want {
			t.Errorf("%s: %q, want %q", tt.about, outcome(err), tt.want)
		}
		if meta := errs.As(err); tt.want == "CONFLICT" && (meta.Meta["users"] != tt.users || meta.Meta["children"] != tt.children) {
			t.Errorf("%s: %v", tt.about, meta.Meta)
		}
	}
}

// TestDeletedBusiness ends the API keys that a business bounds with it, and the tokens of widgets that they made.
func TestDeletedBusiness(t *testing.T) {
	w := newWorld(t)
	var bounded, other int
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		key := func(hash byte, business *int) int {
			return db.APIKey.Create().SetCompanyID(w.budi.CompanyID).SetCreatorID(w.budi.ID).SetName("x").
				SetPermissions([]string{}).
				SetNillableBusinessID(business).SetHash([]byte{hash}).SetCreatedAt(apptest.Now).SetExpiresAt(apptest.Now).
				SaveX(ctx).ID
		}
		bounded, other = key(1, &w.low.ID), key(2, nil)
		for hash, id := range map[byte]int{3: bounded, 4: other} {
			db.WidgetToken.Create().SetCompanyID(w.budi.CompanyID).SetAPIKeyID(id).SetPersonID(w.budi.ID).SetWidget("tasks").
				SetOrigin("https://intranet.test").SetHash([]byte{hash}).SetIssuedAt(apptest.Now).SetExpiresAt(apptest.Now).
				ExecX(ctx)
		}
		return nil
	})
	if err := w.remove(w.organizer, w.low); err != nil {
		t.Fatal(err)
	}
	keys := w.DB.APIKey.Query().IDsX(w.System())
	tokens := w.DB.WidgetToken.Query().Select(widgettoken.FieldAPIKeyID).IntsX(w.System())
	if !slices.Equal(keys, []int{other}) || !slices.Equal(tokens, []int{other}) {
		t.Errorf("keys %v and tokens of %v are left, want those of %d alone", keys, tokens, other)
	}
}

// TestWhoOrganizes changes the tree as people with and without the permission.
func TestWhoOrganizes(t *testing.T) {
	w := newWorld(t)
	for _, tt := range []struct {
		about         string
		ctx           context.Context
		create, other string // outcomes of a creation, and of an update and a deletion
	}{
		{"nobody", t.Context(), "UNAUTHENTICATED", "no viewer: ent/privacy: deny rule"},
		{"a reader", w.with(w.budi, "organization.read.all"), "FORBIDDEN", "FORBIDDEN"},
		{"team scope", w.with(w.budi, "organization.write.team"), "FORBIDDEN", "FORBIDDEN"},
		{"another company", w.with(w.theirOwner, "organization.write.all"), "", "NOT_FOUND"},
		{"the whole company", w.organizer, "", ""},
	} {
		if _, err := w.tryCreate(tt.ctx, model.CreateBusinessInput{Name: "New"}); outcome(err) != tt.create {
			t.Errorf("%s creates: %q, want %q", tt.about, outcome(err), tt.create)
		}
		if err := w.update(tt.ctx, w.low, model.UpdateBusinessInput{Name: given("Newer")}); !strings.HasPrefix(outcome(err), tt.other) || (err == nil) != (tt.other == "") {
			t.Errorf("%s updates: %q, want %q", tt.about, outcome(err), tt.other)
		}
		if err := w.remove(tt.ctx, w.low); !strings.HasPrefix(outcome(err), tt.other) || (err == nil) != (tt.other == "") {
			t.Errorf("%s deletes: %q, want %q", tt.about, outcome(err), tt.other)
		}
	}
}

// TestLock proves that changes of the tree update the lock rows of all active owners
// of the company, and no others.
func TestLock(t *testing.T) {
	w := newWorld(t)
	second, gone := w.User(t, "Second", viewer.Owner), w.User(t, "Gone", viewer.Owner)
	w.deactivate(t, gone)
	events := func() (all [4]int) {
		for i, u := range []*ent.User{w.owner, second, gone, w.budi} {
			all[i] = w.DB.ClockState.Query().Where(clockstate.UserID(u.ID)).OnlyX(w.System()).Events
		}
		return all
	}
	before := events()
	w.create(t, "New", nil)
	if err := w.update(w.organizer, w.low, model.UpdateBusinessInput{ParentID: given(w.top.ID)}); err != nil {
		t.Fatal(err)
	}
	want := before
	want[0], want[1] = before[0]+2, before[1]+2
	if got := events(); got != want {
		t.Errorf("locks of two owners, an inactive owner and an employee: %v, want %v", got, want)
	}
}
