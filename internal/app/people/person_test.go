package people

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"workforce/ent"
	entMessage "workforce/ent/message"
	"workforce/ent/role"
	"workforce/ent/session"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/input"
	"workforce/internal/app/tx"
	"workforce/internal/viewer"
)

// sameUser compares all columns of users.
var sameUser = cmp.Options{cmpopts.IgnoreUnexported(ent.User{}), cmpopts.IgnoreFields(ent.User{}, "Edges")}

func TestCreateUser(t *testing.T) {
	w := newWorld(t)
	admin := w.User(t, "Ana", viewer.Admin)
	unit, title := w.unit(t, w.Company, "Bandung"), w.title(t, w.Company, "Kasir")
	full := model.CreateUserInput{
		Name: "  Budi Ärger ", Email: " Budi@Acme.Test\t", MobileNumber: given(model.MobileNumberInput{CountryCode: input.Given(new(62)), Number: "0812 3456-789"}),
		Locale: given("en"), Gender: given("male"), BusinessID: given(unit), DesignationIds: input.Given([]int{title, title}),
		RoleIds:  input.Given([]int{w.Roles[viewer.Supervisor].ID, w.Roles[viewer.Manager].ID, w.Roles[viewer.Manager].ID}),
		JoinedOn: given("2026-01-02"), LeftOn: given("2026-12-31"), Password: given("correct horse battery"),
	}
	u, err := w.create(w.As(admin, viewer.Admin), full)
	if err != nil {
		t.Fatal(err)
	}
	got := w.get(u.ID)
	want := &ent.User{
		ID: u.ID, CompanyID: w.Company.ID, Name: "Budi Ärger", SortName: "budi ärger", SearchName: "budi arger",
		Email: "Budi@Acme.Test", EmailKey: "budi@acme.test",
		Image: "images/avatar.png", MobileNumber: number("0812 3456-789"), Phone: new("+628123456789"), Gender: new("male"), Locale: "en",
		PasswordHash: got.PasswordHash, Active: true, JoinedOn: new("2026-01-02"), LeftOn: new("2026-12-31"), BusinessID: &unit,
		CreatedAt: apptest.Now,
	}
	if diff := cmp.Diff(want, got, sameUser); diff != "" {
		t.Errorf("stored (-want +got):\n%s", diff)
	}
	if ok, _, err := w.people.Hasher.Verify(t.Context(), *got.PasswordHash, "correct horse battery"); !ok || err != nil {
		t.Errorf("the password is %v, %v", ok, err)
	}
	if roles := w.roles(u.ID); !slices.Equal(roles, []string{"manager", "supervisor"}) {
		t.Errorf("roles %v", roles)
	}
	if titles := w.titles(u.ID); !slices.Equal(titles, []int{title}) {
		t.Errorf("designations %v", titles)
	}
	if n := w.DB.ClockState.Query().CountX(w.System()); n != 2 {
		t.Errorf("%d clock states, want 2", n)
	}
	if n := w.DB.Message.Query().CountX(w.System()); n != 0 {
		t.Errorf("%d messages to somebody with a password", n)
	}
}

// TestCreateUserDefaults creates users from the smallest input, and from one whose
// other members are null.
func TestCreateUserDefaults(t *testing.T) {
	w := newWorld(t)
	admin := w.User(t, "Ana", viewer.Admin)
	for i, in := range []model.CreateUserInput{
		{Name: "Citra", Email: "citra0@acme.test"},
		{
			Name: "Citra", Email: "citra1@acme.test", MobileNumber: null[model.MobileNumberInput](), Password: null[string](),
			Locale: null[string](), Gender: null[string](), RoleIds: input.Given[[]int](nil), BusinessID: null[int](),
			DesignationIds: input.Given[[]int](nil), JoinedOn: null[string](), LeftOn: null[string](),
		},
	} {
		// Somebody who changes users and no roles.
		u, err := w.create(w.with(admin, nil, "user.write.all"), in)
		if err != nil {
			t.Fatal(err)
		}
		want := &ent.User{
			ID: u.ID, CompanyID: w.Company.ID, Name: "Citra", SortName: "citra", SearchName: "citra",
			Email: in.Email, EmailKey: in.Email,
			Image: "images/avatar.png", Locale: "id", Active: true, CreatedAt: apptest.Now,
		}
		if diff := cmp.Diff(want, w.get(u.ID), sameUser); diff != "" {
			t.Errorf("%d: stored (-want +got):\n%s", i, diff)
		}
		if roles := w.roles(u.ID); !slices.Equal(roles, []string{"employee"}) {
			t.Errorf("%d: roles %v", i, roles)
		}
		m := w.DB.Message.Query().Where(entMessage.UserID(u.ID)).OnlyX(w.System())
		if m.Kind != "invited" || m.Channel != entMessage.ChannelEmail || m.Destination != in.Email || m.CompanyID != w.Company.ID ||
			!m.DueAt.Equal(apptest.Now) || !m.ExpiresAt.Equal(apptest.Now.Add(72*time.Hour)) {
			t.Errorf("%d: invited by %v", i, m)
		}
	}
}

func TestCreateUserNeedsWholeCompany(t *testing.T) {
	w := newWorld(t)
	u := w.User(t, "Ana")
	in := model.CreateUserInput{Email: "budi@acme.test"} // whose fault is only told to those who may create users
	for _, tt := range []struct {
		ctx  context.Context
		want string
	}{
		{t.Context(), "UNAUTHENTICATED"},
		{w.with(u, nil), "FORBIDDEN"},
		{w.with(u, nil, "user.read.all", "role.write.all"), "FORBIDDEN"},
		{w.with(u, []int{1}, "user.write.team"), "FORBIDDEN"},
		{w.with(u, nil, "user.write.all"), "VALIDATION_FAILED name(required)"},
	} {
		if _, err := w.create(tt.ctx, in); outcome(err) != tt.want {
			t.Errorf("%v: %q, want %q", viewer.From(tt.ctx).Permissions, outcome(err), tt.want)
		}
	}
}

func TestCreateUserFaults(t *testing.T) {
	w := newWorld(t)
	ctx := w.As(w.User(t, "Ana", viewer.Owner), viewer.Owner)
	good := model.CreateUserInput{Name: "Budi", Email: "budi@acme.test"}
	for _, tt := range []struct {
		want  string
		spoil func(in *model.CreateUserInput)
	}{
		{"VALIDATION_FAILED name(required)", func(in *model.CreateUserInput) { in.Name = " \t" }},
		{"VALIDATION_FAILED name(too_long)", func(in *model.CreateUserInput) { in.Name = strings.Repeat("ä", 101) }},
		{"VALIDATION_FAILED email(required)", func(in *model.CreateUserInput) { in.Email = " " }},
		{"VALIDATION_FAILED email(bad_format)", func(in *model.CreateUserInput) { in.Email = "Budi <budi@acme.test>" }},
		{"VALIDATION_FAILED mobileNumber(bad_format)", func(in *model.CreateUserInput) {
			in.MobileNumber = given(model.MobileNumberInput{CountryCode: input.Given(new(62)), Number: "12"})
		}},
		{"VALIDATION_FAILED locale(not_one_of)", func(in *model.CreateUserInput) { in.Locale = given("fr") }},
		{"VALIDATION_FAILED gender(not_one_of)", func(in *model.CreateUserInput) { in.Gender = given("Male") }},
		{"VALIDATION_FAILED leftOn(out_of_range)", func(in *model.CreateUserInput) { in.JoinedOn, in.LeftOn = given("2026-02-02"), given("2026-02-01") }},
		{"VALIDATION_FAILED password(required)", func(in *model.CreateUserInput) { in.Password = given("") }},
		{"PASSWORD_WEAK password", func(in *model.CreateUserInput) { in.Password = given("short") }},
		{"PASSWORD_WEAK password", func(in *model.CreateUserInput) { in.Password = given("budi@acme.test") }},
		{"PASSWORD_WEAK password", func(in *model.CreateUserInput) {
			in.MobileNumber, in.Password = given(model.MobileNumberInput{CountryCode: input.Given(new(62)), Number: "811123789"}), given("+62811123789")
		}},
		{"VALIDATION_FAILED name(required) email(required) mobileNumber(bad_format) locale(not_one_of) gender(not_one_of) leftOn(out_of_range) password(required)",
			func(in *model.CreateUserInput) {
				*in = model.CreateUserInput{
					MobileNumber: given(model.MobileNumberInput{}), Locale: given(""), Gender: given(""),
					JoinedOn: given("2026-02-02"), LeftOn: given("2025-02-02"), Password: given(""),
				}
			}},
		{"NOT_FOUND businessId", func(in *model.CreateUserInput) { in.BusinessID = given(999) }},
		{"NOT_FOUND designationIds", func(in *model.CreateUserInput) { in.DesignationIds = input.Given([]int{999}) }},
		{"NOT_FOUND roleIds", func(in *model.CreateUserInput) { in.RoleIds = input.Given([]int{999}) }},
		{"VALIDATION_FAILED email(already_taken)", func(in *model.CreateUserInput) { in.Email = "ANA@acme.test" }},
	} {
		in := good
		tt.spoil(&in)
		if _, err := w.create(ctx, in); outcome(err) != tt.want {
			t.Errorf("%+v:\n     %q\nwant %q", in, outcome(err), tt.want)
		}
	}
	if n := w.DB.User.Query().CountX(w.System()); n != 1 {
		t.Errorf("%d users, want the owner alone", n)
	}
	longest := good
	longest.Name, longest.JoinedOn, longest.LeftOn = strings.Repeat("ä", 100), given("2026-02-02"), given("2026-02-02")
	if _, err := w.create(ctx, longest); err != nil {
		t.Errorf("the longest name and the shortest time: %v", err)
	}
}

// TestTaken creates and changes users with an address and a number that somebody has.
func TestTaken(t *testing.T) {
	w := newWorld(t)
	w.other(t)
	ana, budi := w.User(t, "Ana", viewer.Owner), w.User(t, "Budi")
	ctx, theirs := w.As(ana, viewer.Owner), given(model.MobileNumberInput{CountryCode: input.Given(new(62)), Number: "0811999001"})
	for _, tt := range []struct {
		about, email string
		mobile       input.Omittable[*model.MobileNumberInput]
		want         string
	}{
		{"an address of the company", "Ana@Acme.test", null[model.MobileNumberInput](), "VALIDATION_FAILED email(already_taken)"},
		{"an address of another", "OMAR@other.test", null[model.MobileNumberInput](), "VALIDATION_FAILED email(already_taken)"},
		{"a number of another", "new@acme.test", theirs, "VALIDATION_FAILED mobileNumber(already_taken)"},
		{"both", "omar@other.test", theirs, "VALIDATION_FAILED email(already_taken) mobileNumber(already_taken)"},
	} {
		_, err := w.create(ctx, model.CreateUserInput{Name: "New", Email: tt.email, MobileNumber: tt.mobile})
		if outcome(err) != tt.want {
			t.Errorf("create with %s: %q", tt.about, outcome(err))
		}
		err = w.update(ctx, budi.ID, model.UpdateUserInput{Email: given(tt.email), MobileNumber: tt.mobile})
		if outcome(err) != tt.want {
			t.Errorf("update with %s: %q", tt.about, outcome(err))
		}
	}
	if err := w.update(ctx, budi.ID, model.UpdateUserInput{Email: given("BUDI@acme.test")}); err != nil {
		t.Errorf("one's own address: %v", err)
	}
}

// TestUpdateUser changes every member of a user, then clears what can be cleared.
func TestUpdateUser(t *testing.T) {
	w := newWorld(t)
	ctx := w.As(w.User(t, "Ana", viewer.Owner), viewer.Owner)
	budi, unit := w.User(t, "Budi"), w.unit(t, w.Company, "Bandung")
	a, b, c := w.title(t, w.Company, "A"), w.title(t, w.Company, "B"), w.title(t, w.Company, "C")
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.User.UpdateOneID(budi.ID).SetPasswordHash(testHash).SetSalutation("Bp.").SetImage("x.png").
			SetStoppedEmail("1").SetStoppedSms("2").SetStoppedWhatsapp("3").Exec(ctx)
	})
	before := w.get(budi.ID)
	update := func(in model.UpdateUserInput) *ent.User {
		t.Helper()
		if err := w.update(ctx, budi.ID, in); err != nil {
			t.Fatal(err)
		}
		return w.get(budi.ID)
	}
	if diff := cmp.Diff(before, update(model.UpdateUserInput{}), sameUser); diff != "" {
		t.Errorf("nothing given (-want +got):\n%s", diff)
	}
	full := update(model.UpdateUserInput{
		Name: given(" Bambang "), Email: given(" Bambang@acme.test"), MobileNumber: given(model.MobileNumberInput{CountryCode: input.Given(new(62)), Number: "0813 111 222"}),
		Locale: given("en"), Gender: given("female"), BusinessID: given(unit), DesignationIds: input.Given([]int{b, a, b}),
		RoleIds:  input.Given([]int{w.Roles[viewer.Manager].ID, w.Roles[viewer.Employee].ID}),
		JoinedOn: given("2025-01-02"), LeftOn: given("2027-03-04"), MessageChannel: given(user.MessageChannelSms), Active: given(true),
	})
	want := &ent.User{
		ID: budi.ID, CompanyID: w.Company.ID, Name: "Bambang", SortName: "bambang", SearchName: "bambang",
		Email: "Bambang@acme.test", EmailKey: "bambang@acme.test",
		Image: "x.png", MobileNumber: number("0813 111 222"), Phone: new("+62813111222"), Gender: new("female"), Salutation: new("Bp."), Locale: "en",
		PasswordHash: new(testHash), Active: true, MessageChannel: new(user.MessageChannelSms), StoppedEmail: new("1"), StoppedSms: new("2"),
		StoppedWhatsapp: new("3"), JoinedOn: new("2025-01-02"), LeftOn: new("2027-03-04"), BusinessID: &unit, CreatedAt: apptest.Now,
	}
	if diff := cmp.Diff(want, full, sameUser); diff != "" {
		t.Errorf("all given (-want +got):\n%s", diff)
	}
	if got := w.roles(budi.ID); !slices.Equal(got, []string{"employee", "manager"}) {
		t.Errorf("roles %v", got)
	}

	kept := w.DB.UserDesignation.Query().IDsX(w.System())
	update(model.UpdateUserInput{DesignationIds: input.Given([]int{c, b}), RoleIds: input.Given([]int{w.Roles[viewer.Manager].ID})})
	if got := w.titles(budi.ID); !slices.Equal(got, []int{b, c}) {
		t.Errorf("designations %v, want %v", got, []int{b, c})
	}
	left := slices.DeleteFunc(w.DB.UserDesignation.Query().IDsX(w.System()), func(id int) bool { return !slices.Contains(kept, id) })
	if len(left) != 1 {
		t.Errorf("of the rows %v, %v are left; want one", kept, left)
	}
	if got := w.roles(budi.ID); !slices.Equal(got, []string{"manager"}) {
		t.Errorf("roles %v", got)
	}

	cleared := update(model.UpdateUserInput{
		MobileNumber: null[model.MobileNumberInput](), Gender: null[string](), BusinessID: null[int](), DesignationIds: input.Given[[]int](nil),
		RoleIds: input.Given([]int{}), JoinedOn: null[string](), LeftOn: null[string](), MessageChannel: null[user.MessageChannel](),
	})
	want.MobileNumber, want.Phone, want.Gender, want.BusinessID, want.JoinedOn, want.LeftOn, want.MessageChannel = before.MobileNumber, nil, nil, nil, nil, nil, nil
	if diff := cmp.Diff(want, cleared, sameUser); diff != "" {
		t.Errorf("cleared (-want +got):\n%s", diff)
	}
	if roles, titles := w.roles(budi.ID), w.titles(budi.ID); len(roles)+len(titles) > 0 {
		t.Errorf("roles %v and designations %v are left", roles, titles)
	}
}

func TestUpdateUserFaults(t *testing.T) {
	w := newWorld(t)
	c, _ := w.other(t)
	theirUnit, theirTitle, title := w.unit(t, c, "Tokyo"), w.title(t, c, "Theirs"), w.title(t, w.Company, "Kasir")
	ctx, budi := w.As(w.User(t, "Ana", viewer.Owner), viewer.Owner), w.User(t, "Budi")
	if err := w.update(ctx, budi.ID, model.UpdateUserInput{JoinedOn: given("2026-02-02"), LeftOn: given("2026-03-03")}); err != nil {
		t.Fatal(err)
	}
	before := w.get(budi.ID)
	for _, tt := range []struct {
		in   model.UpdateUserInput
		want string
	}{
		{model.UpdateUserInput{Name: null[string]()}, "VALIDATION_FAILED name(required)"},
		{model.UpdateUserInput{Email: null[string]()}, "VALIDATION_FAILED email(required)"},
		{model.UpdateUserInput{Email: given("budi")}, "VALIDATION_FAILED email(bad_format)"},
		{model.UpdateUserInput{MobileNumber: given(model.MobileNumberInput{CountryCode: input.Given(new(1)), Number: "811123789"})}, "VALIDATION_FAILED mobileNumber(bad_format)"},
		{model.UpdateUserInput{Locale: null[string]()}, "VALIDATION_FAILED locale(required)"},
		{model.UpdateUserInput{Gender: given("x")}, "VALIDATION_FAILED gender(not_one_of)"},
		{model.UpdateUserInput{Active: null[bool]()}, "VALIDATION_FAILED active(required)"},
		{model.UpdateUserInput{LeftOn: given("2026-02-01")}, "VALIDATION_FAILED leftOn(out_of_range)"},
		{model.UpdateUserInput{JoinedOn: given("2026-03-04")}, "VALIDATION_FAILED leftOn(out_of_range)"},
		{model.UpdateUserInput{BusinessID: given(theirUnit)}, "NOT_FOUND businessId"},
		{model.UpdateUserInput{DesignationIds: input.Given([]int{title, theirTitle})}, "NOT_FOUND designationIds"},
	} {
		if err := w.update(ctx, budi.ID, tt.in); outcome(err) != tt.want {
			t.Errorf("%+v: %q, want %q", tt.in, outcome(err), tt.want)
		}
	}
	if diff := cmp.Diff(before, w.get(budi.ID), sameUser); diff != "" {
		t.Errorf("changed (-want +got):\n%s", diff)
	}
	if err := w.update(ctx, budi.ID, model.UpdateUserInput{JoinedOn: given("2027-01-01"), LeftOn: null[string]()}); err != nil {
		t.Errorf("joins again: %v", err)
	}
}

// TestWhoUpdatesWhom tries the scopes of user.write, and roles above the viewer's.
func TestWhoUpdatesWhom(t *testing.T) {
	w := newWorld(t)
	_, omar := w.other(t)
	branch, elsewhere := w.unit(t, w.Company, "Branch"), w.unit(t, w.Company, "Elsewhere")
	me, mate, stranger, homeless := w.User(t, "Me"), w.User(t, "Mate"), w.User(t, "Stranger"), w.User(t, "Homeless")
	boss, owner := w.User(t, "Boss", viewer.Admin), w.User(t, "Owner", viewer.Owner)
	w.join(t, me, elsewhere)
	w.join(t, mate, branch)
	w.join(t, stranger, elsewhere)
	team := []int{branch}
	mine := viewer.Permissions(viewer.Employee)
	may := func(permissions ...string) []string { return slices.Concat(mine, permissions) }
	for _, tt := range []struct {
		about string
		ctx   context.Context
		whom  *ent.User
		want  string
	}{
		{"nobody", t.Context(), mate, "UNAUTHENTICATED"},
		{"no permission, oneself", w.with(me, team, mine...), me, "FORBIDDEN"},
		{"own, oneself", w.with(me, team, may("user.write.own")...), me, ""},
		{"own, a team mate", w.with(me, team, may("user.write.own")...), mate, "FORBIDDEN"},
		{"team, oneself outside of it", w.with(me, team, may("user.write.team")...), me, ""},
		{"team, oneself without any", w.with(me, nil, may("user.write.team")...), me, ""},
		{"team, a team mate", w.with(me, team, may("user.write.team")...), mate, ""},
		{"team, another", w.with(me, team, may("user.write.team")...), stranger, "FORBIDDEN"},
		{"team, one without a business", w.with(me, team, may("user.write.team")...), homeless, "FORBIDDEN"},
		{"all, another", w.with(me, nil, may("user.write.all")...), stranger, ""},
		{"all, another company's", w.with(me, nil, may("user.write.all")...), omar, "NOT_FOUND"},
		{"all, one with higher permissions", w.with(me, nil, may("user.write.all")...), boss, "FORBIDDEN"},
		{"an admin, an admin", w.As(boss, viewer.Admin), boss, ""},
		{"an admin, an owner", w.As(boss, viewer.Admin), owner, "FORBIDDEN"},
		{"an owner, an owner", w.As(owner, viewer.Owner), owner, ""},
		{"an owner, another company's", w.As(owner, viewer.Owner), omar, "NOT_FOUND"},
	} {
		if err := w.update(tt.ctx, tt.whom.ID, model.UpdateUserInput{Locale: given("en")}); outcome(err) != tt.want {
			t.Errorf("%s: %q, want %q", tt.about, outcome(err), tt.want)
		}
		if tt.want != "" {
			if err := w.remove(tt.ctx, tt.whom.ID); outcome(err) != tt.want {
				t.Errorf("%s: deleting: %q, want %q", tt.about, outcome(err), tt.want)
			}
		}
	}
}

// TestAssignRoles gives users roles as viewers with different permissions.
func TestAssignRoles(t *testing.T) {
	w := newWorld(t)
	other, _ := w.other(t)
	theirs := w.DB.Role.Query().Where(role.CompanyID(other.ID)).FirstIDX(w.System())
	me, budi := w.User(t, "Me"), w.User(t, "Budi")
	admin, owner := w.User(t, "Admin", viewer.Admin), w.User(t, "Owner", viewer.Owner)
	small, big := w.custom(t, "Small", "task.read.own"), w.custom(t, "Big", "task.read.all")
	may := func(permissions ...string) context.Context {
		return w.with(me, nil, slices.Concat(viewer.Permissions(viewer.Employee), []string{"user.write.all"}, permissions)...)
	}
	for _, tt := range []struct {
		about string
		ctx   context.Context
		roles []int
		want  string
	}{
		{"without role.write", may(), []int{small.ID}, "FORBIDDEN roleIds"},
		{"with role.write.team", may("role.write.team"), []int{small.ID}, "FORBIDDEN roleIds"},
		{"what one has", may("role.write.all"), []int{small.ID}, ""},
		{"what one lacks", may("role.write.all"), []int{small.ID, big.ID}, "FORBIDDEN roleIds"},
		{"of another company", w.As(owner, viewer.Owner), []int{theirs}, "NOT_FOUND roleIds"},
		{"an admin gives admin", w.As(admin, viewer.Admin), []int{w.Roles[viewer.Admin].ID}, ""},
		{"an admin gives ownership", w.As(admin, viewer.Admin), []int{w.Roles[viewer.Owner].ID}, "FORBIDDEN roleIds"},
		{"an owner gives ownership", w.As(owner, viewer.Owner), []int{w.Roles[viewer.Owner].ID}, ""},
	} {
		in := model.CreateUserInput{Name: "New", Email: fmt.Sprintf("new%d@acme.test", len(tt.about)), RoleIds: input.Given(tt.roles)}
		if _, err := w.create(tt.ctx, in); outcome(err) != tt.want {
			t.Errorf("%s: creating: %q, want %q", tt.about, outcome(err), tt.want)
		}
		if err := w.update(tt.ctx, budi.ID, model.UpdateUserInput{RoleIds: input.Given(tt.roles)}); outcome(err) != tt.want {
			t.Errorf("%s: updating: %q, want %q", tt.about, outcome(err), tt.want)
		}
	}
}

// TestDeleteUser deactivates a user, whose rows are kept and whose sessions end.
func TestDeleteUser(t *testing.T) {
	w := newWorld(t)
	owner, budi := w.User(t, "Ana", viewer.Owner), w.User(t, "Budi")
	earlier := apptest.Now.Add(-time.Hour)
	ids := map[string]int{}
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		device, err := db.Device.Create().SetDeviceID("d").SetPlatform("web").SetTokenHash([]byte("h")).SetCreatedAt(apptest.Now).Save(ctx)
		if err != nil {
			return err
		}
		for name, of := range map[string]*ent.User{"one": budi, "two": budi, "ended": budi, "other": owner} {
			create := db.Session.Create().SetCompanyID(w.Company.ID).SetUserID(of.ID).SetDeviceID(device.ID).SetFamily([]byte(name)).SetCreatedAt(earlier)
			if name == "ended" {
				create.SetRevokedAt(earlier)
			}
			s, err := create.Save(ctx)
			if err != nil {
				return err
			}
			ids[name] = s.ID
		}
		return nil
	})
	before := w.get(budi.ID)
	live := func() int { return w.DB.Session.Query().Where(session.RevokedAtIsNil()).CountX(w.System()) }
	if err := w.update(w.As(owner, viewer.Owner), budi.ID, model.UpdateUserInput{Active: given(true)}); err != nil || live() != 3 {
		t.Errorf("who stays has %d sessions, error %v", live()-1, err)
	}
	w.Advance(time.Minute)
	if err := w.remove(w.As(owner, viewer.Owner), budi.ID); err != nil {
		t.Fatal(err)
	}
	before.Active = false
	if diff := cmp.Diff(before, w.get(budi.ID), sameUser); diff != "" {
		t.Errorf("stored (-want +got):\n%s", diff)
	}
	if roles := w.roles(budi.ID); len(roles) != 1 {
		t.Errorf("roles %v", roles)
	}
	ended := func(name string) *time.Time { return w.DB.Session.GetX(w.System(), ids[name]).RevokedAt }
	for name, want := range map[string]time.Time{"one": w.Now(), "two": w.Now(), "ended": earlier} {
		if got := ended(name); got == nil || !got.Equal(want) {
			t.Errorf("session %s ended at %v, want %v", name, got, want)
		}
	}
	if ended("other") != nil {
		t.Error("the owner's session ended")
	}
}

// TestLastOwner takes ownership from owners in every way.
func TestLastOwner(t *testing.T) {
	demote := model.UpdateUserInput{RoleIds: input.Given([]int{})}
	deactivate := model.UpdateUserInput{Active: given(false)}
	leave := model.UpdateUserInput{LeftOn: given("2027-01-01")}
	start := model.UpdateUserInput{JoinedOn: given("2026-03-12")}
	for about, in := range map[string]model.UpdateUserInput{"demoted": demote, "deactivated": deactivate, "leaving": leave, "starting tomorrow": start} {
		w := newWorld(t)
		w.other(t)
		one := w.User(t, "One", viewer.Owner, viewer.Admin)
		ctx := w.As(one, viewer.Owner)
		if err := w.update(ctx, one.ID, in); outcome(err) != "CONFLICT" {
			t.Errorf("the only owner is %s: %q", about, outcome(err))
		}
		if err := w.update(ctx, one.ID, model.UpdateUserInput{RoleIds: input.Given([]int{w.Roles[viewer.Owner].ID})}); err != nil {
			t.Errorf("the only owner stays one: %v", err)
		}
		two := w.User(t, "Two", viewer.Owner)
		if err := w.update(ctx, two.ID, deactivate); err != nil {
			t.Errorf("the second owner is deactivated: %v", err)
		}
		if err := w.update(ctx, one.ID, in); outcome(err) != "CONFLICT" {
			t.Errorf("the only active owner is %s: %q", about, outcome(err))
		}
		if err := w.update(ctx, two.ID, demote); err != nil {
			t.Errorf("an inactive owner is demoted: %v", err)
		}
		three := w.User(t, "Three", viewer.Owner)
		if err := w.update(ctx, three.ID, leave); err != nil {
			t.Errorf("one of two owners leaves: %v", err)
		}
		if err := w.update(ctx, one.ID, in); outcome(err) != "CONFLICT" {
			t.Errorf("the only owner without a last day is %s: %q", about, outcome(err))
		}
		w.User(t, "Four", viewer.Owner)
		if err := w.update(ctx, one.ID, in); err != nil {
			t.Errorf("one of two owners is %s: %v", about, err)
		}
	}
}

// TestParallelDemotions has 20 owners give up ownership at once: one keeps it.
func TestParallelDemotions(t *testing.T) {
	w := newWorld(t)
	owners := make([]*ent.User, 20)
	for i := range owners {
		owners[i] = w.User(t, fmt.Sprint("Owner ", i), viewer.Owner)
	}
	results := make(chan error)
	for _, u := range owners {
		go func() {
			results <- tx.Run(w.As(u, viewer.Owner), w.DB, func(ctx context.Context) error {
				return w.people.UpdateUser(ctx, u.ID, model.UpdateUserInput{RoleIds: input.Given([]int{})})
			})
		}()
	}
	got := map[string]int{}
	for range owners {
		got[outcome(<-results)]++
	}
	if want := map[string]int{"": 19, "CONFLICT": 1}; !maps.Equal(got, want) {
		t.Errorf("outcomes %v, want %v", got, want)
	}
	if n := w.DB.User.Query().Where(user.HasRolesWith(role.Builtin(viewer.Owner))).CountX(w.System()); n != 1 {
		t.Errorf("%d owners, want 1", n)
	}
}
