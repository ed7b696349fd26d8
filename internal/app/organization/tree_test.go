package organization

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"workforce/ent"
	"workforce/ent/designation"
	"workforce/ent/user"
	"workforce/ent/userdesignation"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/apptest/plantest"
	"workforce/internal/errs"
	"workforce/internal/tree"
)

// addAddress adds a work site to a business.
func (w *world) addAddress(t testing.TB, name string, b *ent.Business) {
	t.Helper()
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.Address.Create().SetCompanyID(b.CompanyID).SetName(name).SetAddress("A street").
			SetLatitude(1).SetLongitude(2).SetBusinessID(b.ID).Exec(ctx)
	})
}

// do runs a mutation as somebody who may change the organization.
func (w *world) do(step func(context.Context, *Service) error) error {
	return w.Try(w.organizer, func(ctx context.Context, _ *ent.Client) error {
		return step(ctx, &Service{Now: w.Now, Plans: plantest.New(w.World)})
	})
}

// join makes somebody work in a business.
func (w *world) join(t testing.TB, u *ent.User, b *ent.Business) {
	t.Helper()
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.User.UpdateOneID(u.ID).SetBusinessID(b.ID).Exec(ctx)
	})
}

// outline writes a structure as "Top 0 1, …": name, depth and people.
func outline(list []*tree.Entry) string {
	var all []string
	for _, n := range list {
		all = append(all, fmt.Sprintf("%s %d %d", n.Name, n.Depth, n.UserCount))
	}
	return strings.Join(all, ", ")
}

func (w *world) businesses(t testing.TB) string {
	t.Helper()
	list, err := (&Service{}).BusinessStructure(w.organizer)
	if err != nil {
		t.Fatal(err)
	}
	return outline(list)
}

func TestMoveBusiness(t *testing.T) {
	w := newWorld(t)
	w.create(t, "side", &w.top.ID)
	move := func(b *ent.Business, parent *int) error {
		return w.do(func(ctx context.Context, s *Service) error { return s.MoveBusiness(ctx, b.ID, parent) })
	}
	for _, tt := range []struct {
		about  string
		of     *ent.Business
		parent *int
		want   string
	}{
		{"below itself", w.top, &w.top.ID, "CYCLE parentId"},
		{"below what is below it", w.top, &w.low.ID, "CYCLE parentId"},
		{"beside one of its name", w.side, &w.top.ID, "VALIDATION_FAILED name(already_taken)"},
		{"below another company's", w.side, &w.theirs.ID, "NOT_FOUND parentId"},
		{"another company's", w.theirs, nil, "NOT_FOUND"},
		{"elsewhere, with what is below it", w.middle, &w.side.ID, ""},
		{"to the top", w.low, nil, ""},
		{"to where it is", w.low, nil, ""},
	} {
		if got := outcome(move(tt.of, tt.parent)); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.about, got, tt.want)
		}
	}
	if got, want := w.businesses(t), "Low 0 0, Side 0 0, Middle 1 0, Top 0 0, side 1 0"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestMergeBusinesses moves what belongs to a business, by merging it and by deleting
// it.
func TestMergeBusinesses(t *testing.T) {
	for field, merge := range map[string]func(context.Context, *Service, int, int) error{
		"into":   func(ctx context.Context, s *Service, id, to int) error { return s.MergeBusinesses(ctx, id, to) },
		"moveTo": func(ctx context.Context, s *Service, id, to int) error { return s.DeleteBusiness(ctx, id, &to) },
	} {
		w := newWorld(t)
		inactive := w.User(t, "Gone")
		w.join(t, inactive, w.middle)
		w.join(t, w.budi, w.middle)
		w.join(t, w.owner, w.side)
		w.deactivate(t, inactive)
		w.addAddress(t, "Gate", w.middle)
		taken := w.create(t, "low", &w.side.ID)
		before := w.businesses(t)
		for _, tt := range []struct {
			about string
			of    *ent.Business
			to    int
			want  string
		}{
			{"itself", w.middle, w.middle.ID, "CYCLE " + field},
			{"one below", w.top, w.low.ID, "CYCLE " + field},
			{"an unknown one", w.middle, 999, "NOT_FOUND " + field},
			{"another company's", w.middle, w.theirs.ID, "NOT_FOUND " + field},
			{"one with a child of the same name", w.middle, w.side.ID, "VALIDATION_FAILED " + field + "(already_taken)"},
		} {
			err := w.do(func(ctx context.Context, s *Service) error { return merge(ctx, s, tt.of.ID, tt.to) })
			if got := outcome(err); got != tt.want {
				t.Errorf("%s, %s: %q, want %q", field, tt.about, got, tt.want)
			}
		}
		if after := w.businesses(t); after != before {
			t.Errorf("%s: refusals left %s, want %s", field, after, before)
		}
		if err := w.update(w.organizer, taken, model.UpdateBusinessInput{Name: given("Other")}); err != nil {
			t.Fatal(err)
		}
		if err := w.do(func(ctx context.Context, s *Service) error { return merge(ctx, s, w.middle.ID, w.side.ID) }); err != nil {
			t.Fatal(err)
		}
		if got, want := w.businesses(t), "Side 0 2, Low 1 0, Other 1 0, Top 0 0"; got != want {
			t.Errorf("%s: %s, want %s", field, got, want)
		}
		if n := w.DB.User.Query().Where(user.BusinessID(w.side.ID)).CountX(w.System()); n != 3 {
			t.Errorf("%s: %d people in the other, want 3 with the inactive one", field, n)
		}
		if b := w.DB.Address.Query().OnlyX(w.System()).BusinessID; b == nil || *b != w.side.ID {
			t.Errorf("%s: the work site belongs to %v", field, b)
		}
	}
}

// TestMergeIntoParent merges a business whose child has its own name.
func TestMergeIntoParent(t *testing.T) {
	w := newWorld(t)
	w.create(t, "MIDDLE", &w.middle.ID)
	err := w.do(func(ctx context.Context, s *Service) error { return s.MergeBusinesses(ctx, w.middle.ID, w.top.ID) })
	if got, want := w.businesses(t), "Side 0 0, Top 0 0, Low 1 0, MIDDLE 1 0"; err != nil || got != want {
		t.Errorf("%v: %s, want %s", err, got, want)
	}
}

// levels makes businesses in two statements: SQLite takes 32,766 values in one.
func levels(ctx context.Context, db *ent.Client, company, n int) ([]*ent.Business, error) {
	var all []*ent.Business
	for _, part := range []int{n / 2, n - n/2} {
		made, err := db.Business.MapCreateBulk(make([]struct{}, part), func(b *ent.BusinessCreate, i int) {
			b.SetCompanyID(company).SetName(fmt.Sprint("Level ", len(all)+i))
		}).Save(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, made...)
	}
	return all, nil
}

// TestDepth makes a chain of as many nodes as a tree may have, and finds its two ends.
func TestDepth(t *testing.T) {
	w := newWorld(t)
	last := w.low.ID
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		nodes, err := levels(ctx, db, w.Company.ID, tree.MaxNodes-5) // newWorld made 4
		for _, n := range nodes {
			if err == nil {
				err = n.Update().SetParentID(last).Exec(ctx)
			}
			last = n.ID
		}
		return err
	})
	lowest := w.create(t, "Lowest", &last)
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.User.UpdateOne(w.budi).SetBusinessID(lowest.ID).Exec(ctx)
	})
	n, err := w.DB.User.Query().Where(WorksBelow(w.top.ID)).Count(w.System())
	if err != nil || n != 1 {
		t.Errorf("%d people work below the top, %v; want 1", n, err)
	}
	if err := w.do(func(ctx context.Context, s *Service) error { return s.MoveBusiness(ctx, w.top.ID, &lowest.ID) }); outcome(err) != "CYCLE parentId" {
		t.Errorf("the top below the lowest: %v", err)
	}
	if err := w.do(func(ctx context.Context, s *Service) error { return s.MoveBusiness(ctx, w.top.ID, &w.side.ID) }); err != nil {
		t.Errorf("the chain one level lower: %v", err)
	}
	places := strings.Split(w.businesses(t), ", ")
	if want := fmt.Sprintf("Lowest %d 1", tree.MaxNodes-1); len(places) != tree.MaxNodes || !slices.Contains(places, want) {
		t.Errorf("%d nodes, without %q: %q", len(places), want, places[max(len(places)-2, 0):])
	}
}

// TestFull fills a company's tree.
func TestFull(t *testing.T) {
	w := newWorld(t)
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		for left := tree.MaxNodes - 4; left > 0; left -= 1000 { // newWorld made 4
			err := db.Business.MapCreateBulk(make([]struct{}, min(left, 1000)), func(b *ent.BusinessCreate, i int) {
				b.SetCompanyID(w.Company.ID).SetName(fmt.Sprint(left, " ", i)).SetParentID(w.side.ID)
			}).Exec(ctx)
			if err != nil {
				return err
			}
		}
		return nil
	})
	_, err := w.tryCreate(w.organizer, model.CreateBusinessInput{Name: "One more"})
	if outcome(err) != "CONFLICT" || apptest.Conflict(err) != "LIMIT_REACHED" || errs.As(err).Meta["max"] != tree.MaxNodes {
		t.Errorf("one more: %v", err)
	}
	if list, err := (&Service{}).BusinessList(w.organizer, nil); err != nil || len(list) != tree.MaxNodes {
		t.Errorf("%d listed, %v", len(list), err)
	}
	err = w.do(func(ctx context.Context, s *Service) error { return s.MergeBusinesses(ctx, w.side.ID, w.top.ID) })
	if list, _ := (&Service{}).BusinessStructure(w.organizer); err != nil || len(list) != tree.MaxNodes-1 {
		t.Errorf("merged: %v, %d left", err, len(list))
	}
}

// newDesignation creates a designation.
func (w *world) newDesignation(t testing.TB, in model.CreateDesignationInput) *ent.Designation {
	t.Helper()
	d, err := w.tryDesignation(w.organizer, in)
	if err != nil {
		t.Fatal(err)
	}
	return w.DB.Designation.GetX(w.System(), d.ID)
}

func (w *world) tryDesignation(ctx context.Context, in model.CreateDesignationInput) (d *ent.Designation, err error) {
	err = w.Try(ctx, func(ctx context.Context, _ *ent.Client) (err error) {
		d, err = (&Service{}).CreateDesignation(ctx, in)
		return err
	})
	return d, err
}

// give makes people hold a designation.
func (w *world) give(t testing.TB, d *ent.Designation, users ...*ent.User) {
	t.Helper()
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.UserDesignation.MapCreateBulk(users, func(row *ent.UserDesignationCreate, i int) {
			row.SetCompanyID(d.CompanyID).SetUserID(users[i].ID).SetDesignationID(d.ID)
		}).Exec(ctx)
	})
}

// designations returns the structure of what people of a business hold, nil for all.
func (w *world) designations(t testing.TB, business *int) string {
	t.Helper()
	list, err := (&Service{}).DesignationStructure(w.organizer, business)
	if err != nil {
		t.Fatal(err)
	}
	return outline(list)
}

// theirDesignation creates a designation of the other company.
func (w *world) theirDesignation(t testing.TB) (d *ent.Designation) {
	t.Helper()
	w.Change(t, func(ctx context.Context, db *ent.Client) (err error) {
		d, err = db.Designation.Create().SetCompanyID(w.theirs.CompanyID).SetName("Kasir").Save(ctx)
		return err
	})
	return d
}

func TestCreateDesignation(t *testing.T) {
	w := newWorld(t)
	theirs := w.theirDesignation(t)
	head := w.newDesignation(t, model.CreateDesignationInput{Name: " Head ", Description: given(" Leads ")})
	if head.Name != "Head" || *head.Description != "Leads" || head.ParentID != nil || head.CompanyID != w.Company.ID {
		t.Errorf("stored %v", head)
	}
	if d := w.newDesignation(t, model.CreateDesignationInput{Name: "Clerk", Description: given(" "), ParentID: given(head.ID)}); d.Description != nil || *d.ParentID != head.ID {
		t.Errorf("stored %v", d)
	}
	for _, tt := range []struct {
		about string
		in    model.CreateDesignationInput
		want  string
	}{
		{"no name", model.CreateDesignationInput{Name: " "}, "VALIDATION_FAILED name(required)"},
		{"a long name", model.CreateDesignationInput{Name: strings.Repeat("ä", 101)}, "VALIDATION_FAILED name(too_long)"},
		{"a long description", model.CreateDesignationInput{Name: "x", Description: given(strings.Repeat("ä", 401))}, "VALIDATION_FAILED description(too_long)"},
		{"the longest description", model.CreateDesignationInput{Name: "x", Description: given(strings.Repeat("ä", 400))}, ""},
		{"a sibling's name, ignoring case", model.CreateDesignationInput{Name: "CLERK", ParentID: given(head.ID)}, "VALIDATION_FAILED name(already_taken)"},
		{"a name from elsewhere in the tree", model.CreateDesignationInput{Name: "Clerk"}, ""},
		{"a name of another company", model.CreateDesignationInput{Name: "Kasir"}, ""},
		{"below another company's", model.CreateDesignationInput{Name: "y", ParentID: given(theirs.ID)}, "NOT_FOUND parentId"},
	} {
		if _, err := w.tryDesignation(w.organizer, tt.in); outcome(err) != tt.want {
			t.Errorf("%s: %q, want %q", tt.about, outcome(err), tt.want)
		}
	}
}

func TestUpdateDesignation(t *testing.T) {
	w := newWorld(t)
	theirs := w.theirDesignation(t)
	head := w.newDesignation(t, model.CreateDesignationInput{Name: "Head", Description: given("Leads")})
	clerk := w.newDesignation(t, model.CreateDesignationInput{Name: "Clerk", ParentID: given(head.ID)})
	for _, tt := range []struct {
		about string
		of    *ent.Designation
		in    model.UpdateDesignationInput
		want  string
	}{
		{"name null", head, model.UpdateDesignationInput{Name: null[string]()}, "VALIDATION_FAILED name(required)"},
		{"below itself", head, model.UpdateDesignationInput{ParentID: given(head.ID)}, "CYCLE parentId"},
		{"below its child", head, model.UpdateDesignationInput{ParentID: given(clerk.ID)}, "CYCLE parentId"},
		{"another company's", theirs, model.UpdateDesignationInput{}, "NOT_FOUND"},
		{"nothing", head, model.UpdateDesignationInput{}, ""},
		{"its own name in capitals", head, model.UpdateDesignationInput{Name: given("HEAD")}, ""},
		{"to the top, described", clerk, model.UpdateDesignationInput{ParentID: null[int](), Description: given("Writes")}, ""},
		{"a root's name", clerk, model.UpdateDesignationInput{Name: given("head")}, "VALIDATION_FAILED name(already_taken)"},
	} {
		err := w.do(func(ctx context.Context, s *Service) error { return s.UpdateDesignation(ctx, tt.of.ID, tt.in) })
		if outcome(err) != tt.want {
			t.Errorf("%s: %q, want %q", tt.about, outcome(err), tt.want)
		}
	}
	if d := w.DB.Designation.GetX(w.System(), head.ID); d.Name != "HEAD" || *d.Description != "Leads" {
		t.Errorf("stored %v", d)
	}
	if d := w.DB.Designation.GetX(w.System(), clerk.ID); d.ParentID != nil || *d.Description != "Writes" {
		t.Errorf("stored %v", d)
	}
	err := w.do(func(ctx context.Context, s *Service) error {
		return s.UpdateDesignation(ctx, head.ID, model.UpdateDesignationInput{Description: null[string]()})
	})
	if d := w.DB.Designation.GetX(w.System(), head.ID); err != nil || d.Description != nil {
		t.Errorf("cleared %v, %v", d, err)
	}
}

func TestDeleteDesignation(t *testing.T) {
	w := newWorld(t)
	head := w.newDesignation(t, model.CreateDesignationInput{Name: "Head"})
	clerk := w.newDesignation(t, model.CreateDesignationInput{Name: "Clerk", ParentID: given(head.ID)})
	w.give(t, clerk, w.budi, w.owner)
	w.give(t, head, w.budi)
	w.deactivate(t, w.budi)
	theirs := w.theirDesignation(t)
	for _, tt := range []struct {
		about           string
		of              *ent.Designation
		want            string
		users, children int
	}{
		{"held, with a child", head, "DESIGNATION_IN_USE", 1, 1},
		{"held by an inactive person too", clerk, "DESIGNATION_IN_USE", 2, 0},
		{"another company's", theirs, "NOT_FOUND", 0, 0},
	} {
		err := w.do(func(ctx context.Context, s *Service) error { return s.DeleteDesignation(ctx, tt.of.ID, nil) })
		if meta := errs.As(err).Meta; outcome(err) != tt.want || tt.want == "DESIGNATION_IN_USE" && (meta["users"] != tt.users || meta["children"] != tt.children) {
			t.Errorf("%s: %v %v, want %s %d %d", tt.about, err, meta, tt.want, tt.users, tt.children)
		}
	}
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		_, err := db.UserDesignation.Delete().Where(userdesignation.DesignationID(clerk.ID)).Exec(ctx)
		return err
	})
	if err := w.do(func(ctx context.Context, s *Service) error { return s.DeleteDesignation(ctx, clerk.ID, nil) }); err != nil {
		t.Error(err)
	}
	if w.DB.Designation.Query().Where(designation.ID(clerk.ID)).ExistX(w.System()) {
		t.Error("it is still there")
	}
}

func TestMergeDesignations(t *testing.T) {
	for field, merge := range map[string]func(context.Context, *Service, int, int) error{
		"into":   func(ctx context.Context, s *Service, id, to int) error { return s.MergeDesignations(ctx, id, to) },
		"moveTo": func(ctx context.Context, s *Service, id, to int) error { return s.DeleteDesignation(ctx, id, &to) },
	} {
		w := newWorld(t)
		theirs := w.theirDesignation(t)
		head := w.newDesignation(t, model.CreateDesignationInput{Name: "Head"})
		clerk := w.newDesignation(t, model.CreateDesignationInput{Name: "Clerk", ParentID: given(head.ID)})
		w.newDesignation(t, model.CreateDesignationInput{Name: "Trainee", ParentID: given(clerk.ID)})
		other := w.newDesignation(t, model.CreateDesignationInput{Name: "Other"})
		low := w.newDesignation(t, model.CreateDesignationInput{Name: "trainee", ParentID: given(other.ID)})
		w.give(t, clerk, w.budi, w.owner)
		w.give(t, other, w.owner)
		w.deactivate(t, w.budi)
		before := w.designations(t, nil)
		for to, want := range map[int]string{
			clerk.ID: "CYCLE " + field, 999: "NOT_FOUND " + field, theirs.ID: "NOT_FOUND " + field,
			other.ID: "VALIDATION_FAILED " + field + "(already_taken)",
		} {
			err := w.do(func(ctx context.Context, s *Service) error { return merge(ctx, s, clerk.ID, to) })
			if got := outcome(err); got != want {
				t.Errorf("%s: %q, want %q", field, got, want)
			}
		}
		if after := w.designations(t, nil); after != before {
			t.Errorf("%s: refusals left %s, want %s", field, after, before)
		}
		err := w.do(func(ctx context.Context, s *Service) error {
			if err := s.MoveDesignation(ctx, low.ID, nil); err != nil {
				return err
			}
			return merge(ctx, s, clerk.ID, other.ID)
		})
		if got, want := w.designations(t, nil), "Head 0 0, Other 0 1, Trainee 1 0, trainee 0 0"; err != nil || got != want {
			t.Errorf("%s: %v, %s, want %s", field, err, got, want)
		}
		holders := w.DB.UserDesignation.Query().Where(userdesignation.DesignationID(other.ID)).Select(userdesignation.FieldUserID).IntsX(w.System())
		if slices.Sort(holders); !slices.Equal(holders, []int{w.owner.ID, w.budi.ID}) {
			t.Errorf("%s: held by %v", field, holders)
		}
	}
}

// TestCounts compares direct counts and those of subtrees, of active people.
func TestCounts(t *testing.T) {
	w := newWorld(t)
	cici, gone := w.User(t, "Cici"), w.User(t, "Gone")
	w.join(t, w.budi, w.low)
	w.join(t, cici, w.middle)
	w.join(t, gone, w.middle)
	w.join(t, w.owner, w.side)
	w.addAddress(t, "Gate", w.middle)
	head := w.newDesignation(t, model.CreateDesignationInput{Name: "Head"})
	clerk := w.newDesignation(t, model.CreateDesignationInput{Name: "Clerk", ParentID: given(head.ID)})
	w.newDesignation(t, model.CreateDesignationInput{Name: "Unheld", ParentID: given(clerk.ID)})
	w.give(t, head, w.budi, w.owner)
	w.give(t, clerk, w.budi, cici, gone)
	w.deactivate(t, gone)
	s := &Service{}
	for name, tt := range map[string]struct {
		counts func(context.Context) (map[int]int, error)
		want   map[int]int
	}{
		"businesses":            {s.BusinessUsers, map[int]int{w.low.ID: 1, w.middle.ID: 1, w.side.ID: 1}},
		"businesses in total":   {s.TotalBusinessUsers, map[int]int{w.low.ID: 1, w.middle.ID: 2, w.top.ID: 2, w.side.ID: 1}},
		"designations":          {s.DesignationUsers, map[int]int{head.ID: 2, clerk.ID: 2}},
		"designations in total": {s.TotalDesignationUsers, map[int]int{head.ID: 3, clerk.ID: 2}},
	} {
		if got, err := tt.counts(w.organizer); err != nil || !maps.Equal(got, tt.want) {
			t.Errorf("%s: %v, %v, want %v", name, got, err, tt.want)
		}
	}
	for business, want := range map[*int]string{
		nil: "Head 0 2, Clerk 1 2, Unheld 2 0", &w.top.ID: "Head 0 1, Clerk 1 2", &w.middle.ID: "Head 0 1, Clerk 1 2",
		&w.low.ID: "Head 0 1, Clerk 1 1", &w.side.ID: "Head 0 1",
	} {
		if got := w.designations(t, business); got != want {
			t.Errorf("designations: %s, want %s", got, want)
		}
	}
	lone := w.create(t, "Lone", nil)
	w.join(t, cici, lone)
	if got, want := w.designations(t, &lone.ID), "Head 0 0, Clerk 1 1"; got != want {
		t.Errorf("designations with those above: %s, want %s", got, want)
	}
	w.join(t, cici, w.middle)
	w.Change(t, func(ctx context.Context, db *ent.Client) error { return db.Business.DeleteOne(lone).Exec(ctx) })
	if _, err := s.DesignationStructure(w.organizer, &w.theirs.ID); outcome(err) != "NOT_FOUND businessId" {
		t.Errorf("of another company's business: %v", err)
	}
	for search, want := range map[string]string{"": "Low 1 0, Middle 1 1, Side 1 0, Top 0 0", "iD": "Middle 1 1, Side 1 0", "x": ""} {
		list, err := s.BusinessList(w.organizer, &search)
		var all []string
		for _, b := range list {
			all = append(all, fmt.Sprint(b.Name, " ", b.UserCount, " ", b.AddressCount))
		}
		if got := strings.Join(all, ", "); err != nil || got != want {
			t.Errorf("search %q: %s, %v, want %s", search, got, err, want)
		}
	}
	long := strings.Repeat("x", 1001)
	if _, err := s.BusinessList(w.organizer, &long); outcome(err) != "VALIDATION_FAILED search(too_long)" {
		t.Errorf("a long search: %v", err)
	}
	for about, tt := range map[string]struct {
		query *ent.UserQuery
		want  []string
	}{
		"works below the top":  {w.DB.User.Query().Where(WorksBelow(w.top.ID)), []string{"Budi", "Cici", "Gone"}},
		"works below the last": {w.DB.User.Query().Where(WorksBelow(w.low.ID)), []string{"Budi"}},
		"holds below the head": {w.DB.User.Query().Where(HoldsBelow(head.ID)), []string{"Ana", "Budi", "Cici", "Gone"}},
		"holds below a clerk":  {w.DB.User.Query().Where(HoldsBelow(clerk.ID)), []string{"Budi", "Cici", "Gone"}},
	} {
		got := tt.query.Select(user.FieldName).StringsX(w.System())
		if slices.Sort(got); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", about, got, tt.want)
		}
	}
}

// TestNobodyReads refuses lists without a viewer.
func TestNobodyReads(t *testing.T) {
	w, s := newWorld(t), &Service{}
	ctx := ent.NewContext(t.Context(), w.DB)
	_, list := s.BusinessList(ctx, nil)
	_, businesses := s.BusinessStructure(ctx)
	_, designations := s.DesignationStructure(ctx, nil)
	for _, err := range []error{list, businesses, designations} {
		if outcome(err) != "UNAUTHENTICATED" {
			t.Errorf("%v", err)
		}
	}
}

// TestWhoChangesTrees refuses every verb to those who may not change the
// organization.
func TestWhoChangesTrees(t *testing.T) {
	w := newWorld(t)
	d := w.newDesignation(t, model.CreateDesignationInput{Name: "Head"})
	s := &Service{}
	for name, do := range map[string]func(context.Context) error{
		"moveBusiness":      func(ctx context.Context) error { return s.MoveBusiness(ctx, w.low.ID, nil) },
		"mergeBusinesses":   func(ctx context.Context) error { return s.MergeBusinesses(ctx, w.low.ID, w.side.ID) },
		"deleteBusiness":    func(ctx context.Context) error { return s.DeleteBusiness(ctx, w.low.ID, &w.side.ID) },
		"updateDesignation": func(ctx context.Context) error { return s.UpdateDesignation(ctx, d.ID, model.UpdateDesignationInput{}) },
		"moveDesignation":   func(ctx context.Context) error { return s.MoveDesignation(ctx, d.ID, nil) },
		"mergeDesignations": func(ctx context.Context) error { return s.MergeDesignations(ctx, d.ID, d.ID) },
		"deleteDesignation": func(ctx context.Context) error { return s.DeleteDesignation(ctx, d.ID, nil) },
	} {
		for permission, want := range map[string]string{"organization.read.all": "FORBIDDEN", "organization.write.team": "FORBIDDEN"} {
			err := w.Try(w.with(w.budi, permission), func(ctx context.Context, _ *ent.Client) error { return do(ctx) })
			if outcome(err) != want {
				t.Errorf("%s with %s: %v", name, permission, err)
			}
		}
		err := w.Try(w.with(w.theirOwner, "organization.write.all"), func(ctx context.Context, _ *ent.Client) error { return do(ctx) })
		if outcome(err) != "NOT_FOUND" {
			t.Errorf("%s by another company: %v", name, err)
		}
	}
	if _, err := w.tryDesignation(w.with(w.budi, "organization.read.all"), model.CreateDesignationInput{Name: "x"}); outcome(err) != "FORBIDDEN" {
		t.Errorf("createDesignation: %v", err)
	}
}
