package people

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"workforce/ent"
	"workforce/ent/role"
	"workforce/ent/user"
	"workforce/internal/app/input"
	"workforce/internal/app/organization"
	"workforce/internal/contact"
	"workforce/internal/errs"
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
	JoinedOn     string // first day of work, local date; "" where it is not known
	Role         string // a built-in one, such as viewer.Owner
	Business     int    // id; 0 for none
	Designations []int  // ids
}

// account is a person with what the database knows them by.
type account struct {
	NewUser
	emailKey string
	phone    *string // E.164
}

// CreateUsers creates active users of a company, each with a role and the row
// that their clock events take turns on, and returns them in the order of
// people. The context is the system's, db a transaction's client. What is
// malformed is VALIDATION_FAILED; an e-mail address or verified number that
// somebody has already is a constraint error.
func CreateUsers(ctx context.Context, db *ent.Client, c *ent.Company, now time.Time, people ...NewUser) ([]*ent.User, error) {
	accounts := make([]account, len(people))
	for i, p := range people {
		var err error
		if accounts[i], err = newAccount(p, c.Locale); err != nil {
			return nil, fmt.Errorf("%s: %w", p.Email, err)
		}
	}
	users, err := insertUsers(ctx, db, c, now, accounts)
	if err != nil {
		return nil, err
	}
	if err := grantRoles(ctx, db, users, people); err != nil {
		return nil, err
	}
	if err := giveDesignations(ctx, db, users, people); err != nil {
		return nil, err
	}
	return users, db.ClockState.MapCreateBulk(users, func(s *ent.ClockStateCreate, i int) {
		s.SetCompanyID(c.ID).SetUserID(users[i].ID)
	}).Exec(ctx)
}

// newAccount checks a person, whose locale is the given one where they name
// none.
func newAccount(p NewUser, locale string) (account, error) {
	var faults errs.Faults
	if strings.TrimSpace(p.Name) == "" {
		faults.Add("name", errs.Required, nil)
	}
	key, ok := contact.EmailKey(p.Email)
	if !ok {
		faults.Add("email", errs.BadFormat, errs.Meta{"expected": "name@example.com"})
	}
	phone, ok := verifiedPhone(p)
	if !ok {
		faults.Add("mobileNumber", errs.BadFormat, errs.Meta{"expected": "62 811123789"})
	}
	if p.Locale == "" {
		p.Locale = locale
	}
	input.OneOf(&faults, "locale", input.Given(&p.Locale), false, organization.Locales...)
	if !slices.Contains(viewer.Builtin, p.Role) {
		faults.Add("role", errs.NotOneOf, errs.Meta{"allowed": strings.Join(viewer.Builtin, ", ")})
	}
	return account{NewUser: p, emailKey: key, phone: phone}, faults.Err()
}

// verifiedPhone returns a person's number in E.164, nil where it is not
// verified, and whether it can be: somebody's verified number is a number.
func verifiedPhone(p NewUser) (phone *string, ok bool) {
	if !p.Verified {
		return nil, true
	}
	if p.Mobile.CountryCode == nil || p.Mobile.Number == nil {
		return nil, false
	}
	key, ok := contact.NumberKey(*p.Mobile.CountryCode, *p.Mobile.Number)
	return &key, ok
}

// insertUsers returns the users in the order of accounts. It reads them back:
// the ids that a bulk insert into MySQL reports are guessed, wrongly so where
// they go up in steps, as on Galera.
func insertUsers(ctx context.Context, db *ent.Client, c *ent.Company, now time.Time, accounts []account) ([]*ent.User, error) {
	err := db.User.MapCreateBulk(accounts, func(u *ent.UserCreate, i int) {
		a := accounts[i]
		u.SetCompanyID(c.ID).
			SetName(a.Name).
			SetEmail(a.Email).
			SetEmailKey(a.emailKey).
			SetMobileNumber(a.Mobile).
			SetNillablePhone(a.phone).
			SetNillableGender(unlessZero(a.Gender)).
			SetLocale(a.Locale).
			SetNillablePasswordHash(unlessZero(a.PasswordHash)).
			SetNillableJoinedOn(unlessZero(a.JoinedOn)).
			SetNillableBusinessID(unlessZero(a.Business)).
			SetCreatedAt(now)
	}).Exec(ctx)
	if err != nil {
		return nil, err
	}
	keys := make([]string, len(accounts))
	for i, a := range accounts {
		keys[i] = a.emailKey
	}
	users, err := db.User.Query().Where(user.EmailKeyIn(keys...)).All(ctx)
	slices.SortFunc(users, func(a, b *ent.User) int {
		return slices.Index(keys, a.EmailKey) - slices.Index(keys, b.EmailKey)
	})
	return users, err
}

// grantRoles gives each user the built-in role of the person they are.
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
		r.SetCompanyID(users[i].CompanyID).SetUserID(users[i].ID).SetRoleID(ids[people[i].Role])
	}).Exec(ctx)
}

// giveDesignations gives each user the designations of the person they are.
func giveDesignations(ctx context.Context, db *ent.Client, users []*ent.User, people []NewUser) error {
	var rows []*ent.UserDesignationCreate
	for i, u := range users {
		for _, id := range people[i].Designations {
			rows = append(rows, db.UserDesignation.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetDesignationID(id))
		}
	}
	return db.UserDesignation.CreateBulk(rows...).Exec(ctx)
}

// unlessZero returns a pointer to v, nil where v is the zero value.
func unlessZero[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}
