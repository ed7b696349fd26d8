package people

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"workforce/ent"
	"workforce/ent/role"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/app/organization"
	"workforce/internal/audittrail"
	"workforce/internal/contact"
	"workforce/internal/errs"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// A NewUser is a user to be.
type NewUser struct {
	Name         string
	Email        string
	Mobile       contact.Number
	Verified     bool   // whether Mobile is, so that one can sign in with it
	Gender       string // male or female; "" where it is not known
	Locale       string // id or en; "" is the company's
	PasswordHash string // argon2id in PHC form; "" until the person chose one
	Number       string // in the company's own records; "" for none
	JoinedOn     string // first day of work, local date; "" where it is not known
	LeftOn       string // last day of work, local date; "" where it is not known
	Role         string // a built-in one, such as viewer.Owner
	Business     int    // id; 0 for none
	Designations []int  // ids
}

// CreateUsers creates active users of a company, each with a role and the lock
// row of their clock events, and returns them in the order of
// people. The context is the system's, db a transaction's client. What is
// malformed is VALIDATION_FAILED; an e-mail address or verified number that
// somebody has already is a constraint error. At most some hundred people at once.
func CreateUsers(ctx context.Context, db *ent.Client, c *ent.Company, now time.Time, people ...NewUser) ([]*ent.User, error) {
	users, err := createUsers(bulk(ctx, c), db, c, now, people)
	if err != nil {
		return nil, err
	}
	return users, recordCreated(ent.NewContext(ctx, db), users)
}

// bulk returns the context in which many rows of a company are written. What the audit
// has of them is recorded afterwards.
func bulk(ctx context.Context, c *ent.Company) context.Context {
	return audittrail.WithBulk(audittrail.WithoutTrail(ctx), c.ID)
}

func createUsers(ctx context.Context, db *ent.Client, c *ent.Company, now time.Time, people []NewUser) ([]*ent.User, error) {
	persons := make([]person, len(people))
	for i, n := range people {
		p, faults := n.check(c.Locale)
		if err := faults.Err(); err != nil {
			return nil, fmt.Errorf("%s: %w", n.Email, err)
		}
		persons[i] = p
	}
	users, err := insertUsers(ctx, db, c, now, people, persons)
	if err != nil {
		return nil, err
	}
	if err := grantRoles(ctx, db, users, people); err != nil {
		return nil, err
	}
	if err := giveDesignations(ctx, db, users, people); err != nil {
		return nil, err
	}
	if err := recordFirst(ent.NewContext(ctx, db), c, users, people, now); err != nil {
		return nil, err
	}
	return users, db.ClockState.MapCreateBulk(users, func(s *ent.ClockStateCreate, i int) { lockRow(s, users[i]) }).Exec(ctx)
}

// Check returns what is wrong with a user to be; locale is the default. The members are
// those of CreateUserInput, and employeeNumber.
func (n NewUser) Check(locale string) errs.Faults {
	_, faults := n.check(locale)
	return faults
}

// maxNumber is how many characters an employee number has.
const maxNumber = 64

// check converts a new user into a person and returns its faults. locale is the
// default.
func (n NewUser) check(locale string) (person, errs.Faults) {
	members := model.UpdateUserInput{
		Name: input.Given(&n.Name), Email: input.Given(&n.Email), Locale: input.Given(new(cmp.Or(n.Locale, locale))),
		Gender: unlessZero(n.Gender), JoinedOn: unlessZero(n.JoinedOn), LeftOn: unlessZero(n.LeftOn),
		BusinessID: unlessZero(n.Business),
	}
	if n.Verified {
		members.MobileNumber = input.Given(&model.MobileNumberInput{
			CountryCode: input.Given(n.Mobile.CountryCode), Number: input.Value(n.Mobile.Number),
		})
	}
	p := person{UpdateUserInput: members}
	faults := p.check(nil, nil)
	input.Line(&faults, "employeeNumber", &n.Number, maxNumber)
	if !slices.Contains(viewer.Builtin, n.Role) {
		faults.Add("role", errs.NotOneOf, errs.Meta{"allowed": strings.Join(viewer.Builtin, ", ")})
	}
	return p, faults
}

// SameNumber reports whether two numbers were entered alike.
func SameNumber(a, b contact.Number) bool {
	return input.Value(a.CountryCode) == input.Value(b.CountryCode) && input.Value(a.Number) == input.Value(b.Number)
}

// DesignationIDs returns the ids of the loaded designations of a user, in order.
func DesignationIDs(u *ent.User) []int {
	ids := make([]int, len(u.Edges.Designations))
	for i, d := range u.Edges.Designations {
		ids[i] = d.ID
	}
	return input.Distinct(ids)
}

// unlessEmpty returns a pointer to a value; nil for the zero value.
func unlessEmpty[T comparable](v T) *T { return unlessZero(v).Value() }

// insertUsers returns the users in the order of people. It reads them back: the ids
// that a bulk insert into MySQL reports are guessed, wrongly so where they go up in
// steps, as on Galera.
func insertUsers(ctx context.Context, db *ent.Client, c *ent.Company, now time.Time, people []NewUser, persons []person) ([]*ent.User, error) {
	err := db.User.MapCreateBulk(people, func(u *ent.UserCreate, i int) {
		u.SetCompanyID(c.ID).SetMobileNumber(people[i].Mobile).SetCreatedAt(now)
		if hash := people[i].PasswordHash; hash != "" {
			u.SetPasswordHash(hash)
		}
		if number := people[i].Number; number != "" {
			u.SetEmployeeNumber(number)
		}
		persons[i].set(u.Mutation())
	}).Exec(ctx)
	if err != nil {
		return nil, err
	}
	places := make(map[string]int, len(persons))
	for i, p := range persons {
		places[p.emailKey] = i
	}
	users, err := db.User.Query().Where(user.EmailKeyIn(slices.Collect(maps.Keys(places))...)).All(ctx)
	slices.SortFunc(users, func(a, b *ent.User) int { return places[a.EmailKey] - places[b.EmailKey] })
	return users, err
}

// grantRoles gives each user the built-in role that its NewUser names.
func grantRoles(ctx context.Context, db *ent.Client, users []*ent.User, people []NewUser) error {
	if len(users) == 0 {
		return nil
	}
	roles, err := db.Role.Query().Where(role.CompanyID(users[0].CompanyID), role.BuiltinNotNil()).All(ctx)
	if err != nil {
		return err
	}
	ids := make(map[string]int, len(roles))
	for _, r := range roles {
		ids[*r.Builtin] = r.ID
	}
	return db.UserRole.MapCreateBulk(users, func(r *ent.UserRoleCreate, i int) {
		assignRole(r, users[i], ids[people[i].Role])
	}).Exec(ctx)
}

// giveDesignations gives each user the designations that its NewUser names.
func giveDesignations(ctx context.Context, db *ent.Client, users []*ent.User, people []NewUser) error {
	var rows []*ent.UserDesignationCreate
	for i, u := range users {
		for _, id := range people[i].Designations {
			rows = append(rows, assignDesignation(db.UserDesignation.Create(), u, id))
		}
	}
	return db.UserDesignation.CreateBulk(rows...).Exec(ctx)
}

// recordFirst records since when new users work in their businesses and hold their
// designations: their first day of work, else today.
func recordFirst(ctx context.Context, c *ent.Company, users []*ent.User, people []NewUser, now time.Time) error {
	today := string(shift.DateOf(now, shift.ZoneNamed(c.Timezone)))
	began := make([]organization.Beginning, len(users))
	for i, u := range users {
		began[i] = organization.Beginning{
			User: u.ID, Business: people[i].Business, Designations: people[i].Designations, On: cmp.Or(people[i].JoinedOn, today),
		}
	}
	return organization.BeginHistory(ctx, c.ID, began)
}

// unlessZero returns a member with a value, absent where that is the zero value.
func unlessZero[T comparable](v T) input.Omittable[*T] {
	var zero T
	if v == zero {
		return input.Omittable[*T]{}
	}
	return input.Given(&v)
}
