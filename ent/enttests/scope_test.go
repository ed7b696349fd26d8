package enttests

import (
	"context"
	"slices"
	"strings"
	"testing"

	"entgo.io/ent/dialect/sql/schema"

	"workforce/ent"
	"workforce/ent/migrate"
	"workforce/ent/user"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// Those who look, in the columns of rights. The row that they look at is about
// the first, and as far as it is about somebody.
const (
	own       = iota // an employee
	peer             // another in the same business
	manager          // of a business two levels above
	elsewhere        // manager of another business
	admin
	owner
	foreigner // owner of another company
	lookers
)

// lookerRoles are the built-in roles of those who look.
var lookerRoles = [lookers]string{
	own: viewer.Employee, peer: viewer.Employee, manager: viewer.Manager, elsewhere: viewer.Manager,
	admin: viewer.Admin, owner: viewer.Owner, foreigner: viewer.Owner,
}

// narrowest are the narrowest scopes of those who look that cover the row; none
// covers it for the foreigner.
var narrowest = [lookers]viewer.Scope{
	own: viewer.Own, peer: viewer.All, manager: viewer.Team, elsewhere: viewer.All, admin: viewer.All, owner: viewer.All,
}

// What people may do with a row: c to create it, r to read, u to update, d to
// delete it.
var (
	directory = [lookers]string{"r", "r", "r", "r", "crud", "crud", "-"}
	private   = [lookers]string{"crud", "-", "-", "-", "-", "-", "-"}
	internal  = [lookers]string{"-", "-", "-", "-", "-", "-", "-"}
)

// ownPolicies says what people may do with the entities whose policy does not
// follow from their facts.
var ownPolicies = map[string][lookers]string{
	"Company": {"r", "r", "r", "r", "r", "rud", "-"},
	"Device":  {"r", "-", "-", "-", "r", "r", "-"},
	// The managers of a person see it too.
	"DeviceApproval": {"r", "-", "r", "-", "r", "r", "-"},
}

// rights returns what people may do with a row, as the facts of the entity say.
func (e entity) rights() (all [lookers]string) {
	if rights, ok := ownPolicies[e.name]; ok {
		return rights
	}
	for who := range all {
		all[who] = "-"
		if rights := e.factRights(who); rights != "" {
			all[who] = rights
		}
	}
	return all
}

// factRights returns what one person may do with a row, "" for nothing.
func (e entity) factRights(who int) (rights string) {
	access := ent.Facts[e.name].Access
	if access == nil || narrowest[who] == viewer.None {
		return ""
	}
	covered := func(action string) bool {
		if access.Private {
			return who == own
		}
		from := narrowest[who]
		if access.Owner == "" && access.Shared() == "" {
			from = viewer.All
		}
		for s := from; s <= viewer.All; s++ {
			if slices.Contains(viewer.Permissions(lookerRoles[who]), access.Resource+"."+action+"."+s.String()) {
				return true
			}
		}
		return false
	}
	writes := covered("write") && !access.ReadOnly
	if writes && !e.linksUnlinked() {
		rights += "c"
	}
	if access.Directory || covered("read") {
		rights += "r"
	}
	if writes {
		rights += "ud"
	}
	return rights
}

// linksUnlinked reports whether rows of an entity link to rows that only system
// jobs link to: nobody else creates them.
func (e entity) linksUnlinked() bool {
	return slices.ContainsFunc(e.table.ForeignKeys, func(fk *schema.ForeignKey) bool {
		return ent.Facts[ent.EdgeType(e.name, strings.TrimSuffix(fk.Columns[0].Name, "_id"))].Unlinked
	})
}

// TestRights compares what follows from facts with what is wanted, for an entity of
// each kind.
func TestRights(t *testing.T) {
	want := map[string][lookers]string{
		"Attendance":      {"crud", "-", "crud", "-", "crud", "crud", "-"},
		"AuditEvent":      {"-", "-", "-", "-", "r", "r", "-"},
		"DeviceTrust":     {"rud", "-", "-", "-", "rud", "rud", "-"},
		"FaceTemplate":    private,
		"LoginThrottle":   internal,
		"Message":         {"r", "-", "-", "-", "r", "r", "-"},
		"Role":            directory,
		"Session":         {"rud", "-", "-", "-", "rud", "rud", "-"},
		"ShiftAssignment": {"r", "-", "crud", "-", "crud", "crud", "-"},
		"Task":            {"crud", "-", "crud", "-", "crud", "crud", "-"},
		"TaskComment":     {"crud", "-", "crud", "-", "crud", "crud", "-"},
		"Ticket":          {"crud", "-", "r", "-", "crud", "crud", "-"},
		"TicketComment":   {"crud", "-", "r", "-", "crud", "crud", "-"},
		"TicketCategory":  directory,
		"Token":           internal,
		"User":            directory,
	}
	for _, e := range entities(t, connect(t, testdb.SQLite(t))) {
		if want, ok := want[e.name]; ok && e.rights() != want {
			t.Errorf("%s: %v, want %v", e.name, e.rights(), want)
		}
	}
}

// people returns who looks.
func people(t *testing.T) [lookers]context.Context {
	return [lookers]context.Context{
		own:       as(t, ours, ours+own, viewer.Employee),
		peer:      as(t, ours, ours+peer, viewer.Employee),
		manager:   as(t, ours, ours+manager, viewer.Manager, ours, ours+1, ours+2),
		elsewhere: as(t, ours, ours+elsewhere, viewer.Manager, ours+3),
		admin:     as(t, ours, ours+admin, viewer.Admin),
		owner:     as(t, ours, ours+owner, viewer.Owner),
		foreigner: as(t, theirs, theirs, viewer.Owner, theirs, ours, ours+1, ours+2),
	}
}

// tops are values of rows that would lie below themselves.
var tops = map[string]map[string]any{
	migrate.DesignationsTable.Name:   {"parent_id": nil},
	migrate.TaskCategoriesTable.Name: {"parent_id": nil},
	migrate.TicketsTable.Name:        {"duplicate_of_id": nil},
}

// oneCompany fills every table with one row about the first employee, and makes
// the other people and their businesses: a branch of three levels, and another.
func oneCompany(t *testing.T, client *ent.Client) {
	t.Helper()
	for _, table := range migrate.Tables {
		if table != migrate.UsersTable && table != migrate.BusinessesTable {
			insert(t, client, table, ours, 0, tops[table.Name])
		}
	}
	for i, parent := range []any{nil, ours, ours + 1, nil} {
		insert(t, client, migrate.BusinessesTable, ours, i, map[string]any{"parent_id": parent, "manager_id": ours})
	}
	for i, business := range []any{own: ours + 2, peer: ours + 2, manager: ours, elsewhere: ours + 3, admin: nil, owner: nil} {
		insert(t, client, migrate.UsersTable, ours, i, map[string]any{"business_id": business})
	}
	// Two people have a task and a ticket of their own, and no right to parts of other people's.
	for i, who := range []int{peer, elsewhere} {
		insert(t, client, migrate.TasksTable, ours, i+1, map[string]any{"creator_id": ours + who})
		insert(t, client, migrate.TicketsTable, ours, i+1, map[string]any{"requester_id": ours + who, "assignee_id": nil, "duplicate_of_id": nil})
	}
	insert(t, client, migrate.CompaniesTable, theirs, 0, nil)
	insert(t, client, migrate.UsersTable, theirs, 0, nil)
}

// TestAccess walks all entities, all people and all they may do.
func TestAccess(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		client := connect(t, url)
		oneCompany(t, client)
		for _, e := range entities(t, client) {
			want := e.rights()
			for who, ctx := range people(t) {
				if got := tryRights(t, ctx, client, e, want[who]); got != want[who] {
					t.Errorf("%s: %s has %s, want %s", e.name, lookerNames[who], got, want[who])
				}
			}
		}
	})
}

var lookerNames = [lookers]string{"own", "peer", "manager", "elsewhere", "admin", "owner", "foreigner"}

// tryRights finds out what somebody may do with a row, by doing it. Where there is
// nothing to update, it takes the update for given.
func tryRights(t *testing.T, ctx context.Context, client *ent.Client, e entity, want string) string {
	t.Helper()
	row := e.rows(t, ours)[0]
	tries := []struct {
		right string
		try   attack
	}{
		{"c", func(ctx context.Context, e entity) error {
			call(e.remove([]int{ours}), "Exec", system(t))
			return save(ctx, inCompany(e, e.copied(row), ours))
		}},
		{"r", func(ctx context.Context, e entity) error {
			_, err := call(e.Value, "Get", ctx, ours)
			return err
		}},
		{"u", func(ctx context.Context, e entity) error {
			update, _ := call(e.Value, "UpdateOneID", ours)
			if f := e.settable(t); f != "" {
				set(update, row, f)
			} else if !strings.Contains(want, "u") {
				return &ent.NotFoundError{}
			}
			return save(ctx, update)
		}},
		{"d", func(ctx context.Context, e entity) error {
			remove, _ := call(e.Value, "DeleteOneID", ours)
			_, err := call(remove, "Exec", ctx)
			return err
		}},
	}
	got := ""
	for _, one := range tries {
		attempt(t, client, func(tx *ent.Tx) {
			err := one.try(ctx, e.within(tx))
			if err == nil {
				got += one.right
			} else if !refused(err) {
				t.Errorf("%s %s: %v", e.name, one.right, err)
			}
		})
	}
	if got == "" {
		return "-"
	}
	return got
}

// TestTeamUsers proves that a role may be given the users of a team to change:
// they are found by their own business, which MySQL insists on.
func TestTeamUsers(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		client := connect(t, url)
		oneCompany(t, client)
		ctx := viewer.NewContext(t.Context(), &viewer.Viewer{
			CompanyID: ours, UserID: ours + manager, Permissions: []string{"user.write.team"}, Businesses: []int{ours, ours + 2},
		})
		attempt(t, client, func(tx *ent.Tx) {
			if n, err := tx.User.Update().SetActive(true).Save(ctx); n != 3 || err != nil {
				t.Errorf("updated %d users, error %v; want own, peer and manager", n, err)
			}
			if n, err := tx.User.Delete().Exec(ctx); n != 3 || err != nil {
				t.Errorf("deleted %d users, error %v; want own, peer and manager", n, err)
			}
		})
	})
}

// TestTeamOwnRows proves that team scope covers the viewer's own rows, also those
// of a viewer who works in none of the businesses they manage.
func TestTeamOwnRows(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		client := connect(t, url)
		oneCompany(t, client)
		insert(t, client, migrate.AttendancesTable, ours, 1, map[string]any{"user_id": ours + elsewhere})
		for _, tt := range []struct {
			about              string
			businesses         []int
			attendances, users []int
		}{
			{"manages another business", []int{ours + 2}, []int{ours, ours + 1}, []int{ours + own, ours + peer, ours + elsewhere}},
			{"manages none", nil, []int{ours + 1}, []int{ours + elsewhere}},
		} {
			ctx := viewer.NewContext(t.Context(), &viewer.Viewer{
				CompanyID: ours, UserID: ours + elsewhere, Permissions: []string{"attendance.read.team", "user.write.team"}, Businesses: tt.businesses,
			})
			got, err := client.Attendance.Query().IDs(ctx)
			if slices.Sort(got); err != nil || !slices.Equal(got, tt.attendances) {
				t.Errorf("%s: reads attendances %v, error %v; want %v", tt.about, got, err, tt.attendances)
			}
			attempt(t, client, func(tx *ent.Tx) {
				if err := tx.User.Update().SetLocale("xx").Exec(ctx); err != nil {
					t.Error(err)
				}
				got, err := tx.User.Query().Where(user.Locale("xx")).IDs(system(t))
				if slices.Sort(got); err != nil || !slices.Equal(got, tt.users) {
					t.Errorf("%s: updates users %v, error %v; want %v", tt.about, got, err, tt.users)
				}
			})
		}
	})
}

// TestRowsAboutOwners proves that only owners change what is about an owner.
func TestRowsAboutOwners(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		client := connect(t, url)
		oneCompany(t, client)
		if _, err := client.ExecContext(t.Context(), "UPDATE roles SET builtin = 'owner' WHERE id = ?", ours); err != nil {
			t.Fatal(err)
		}
		tried := 0
		for _, e := range entities(t, client) {
			access := ent.Facts[e.name].Access
			if access == nil || access.Owner == "" || access.Private || access.ReadOnly || ownPolicies[e.name] != [lookers]string{} {
				continue
			}
			tried++
			ctx, all := people(t), e.rights()
			for _, who := range []int{manager, admin, owner} {
				want := all[who]
				if who != owner && strings.Contains(want, "r") {
					want = "r"
				}
				got := tryRights(t, ctx[who], client, e, want)
				if who != owner && e.name == "User" {
					got = strings.TrimPrefix(got, "c") // another user
				}
				if got != want {
					t.Errorf("%s of an owner: %s has %s, want %s", e.name, lookerNames[who], got, want)
				}
			}
		}
		if tried < 4 {
			t.Errorf("tried %d entities", tried)
		}
	})
}

// TestIdleUpdates proves that an update which sets nothing gives its own people
// the row back.
func TestIdleUpdates(t *testing.T) {
	client := connect(t, testdb.SQLite(t))
	oneCompany(t, client)
	for _, e := range entities(t, client) {
		attempt(t, client, func(tx *ent.Tx) {
			update, _ := call(e.within(tx).Value, "UpdateOneID", ours)
			err := save(people(t)[admin], update)
			if may := strings.Contains(e.rights()[admin], "u"); (err == nil) != may {
				t.Errorf("%s: error %v, want one: %v", e.name, err, !may)
			}
		})
	}
}
