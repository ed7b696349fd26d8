package people

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"workforce/ent"
	"workforce/ent/business"
	"workforce/ent/designation"
	"workforce/ent/role"
	"workforce/ent/user"
	"workforce/ent/userdesignation"
	"workforce/graph/model"
	"workforce/internal/app/auth"
	"workforce/internal/app/input"
	"workforce/internal/app/organization"
	"workforce/internal/app/tx"
	"workforce/internal/contact"
	"workforce/internal/errs"
	"workforce/internal/message"
	"workforce/internal/password"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/textform"
	"workforce/internal/viewer"
)

// A person holds the given members of a user and the keys derived from them.
type person struct {
	model.UpdateUserInput
	emailKey string  // "" where no address is given
	phone    *string // E.164; nil where no number is given
	country  string  // ISO 3166, in which a number without a country code is read
}

// newPerson returns the person of a creation.
func newPerson(in model.CreateUserInput) person {
	return person{UpdateUserInput: model.UpdateUserInput{
		Name: input.Given(&in.Name), Email: input.Given(&in.Email),
		MobileNumber: in.MobileNumber, Locale: input.DropNull(in.Locale), Gender: in.Gender,
		RoleIds: input.DropNullList(in.RoleIds), BusinessID: in.BusinessID, DesignationIds: in.DesignationIds,
		JoinedOn: in.JoinedOn, LeftOn: in.LeftOn,
	}}
}

// check returns the faults of the members, and derives the keys of address and
// number. joined and left are the present first and last day of work.
func (p *person) check(joined, left *string) (faults errs.Faults) {
	if name, given := p.Name.ValueOK(); given {
		trimmed := input.Name(&faults, "name", name)
		p.Name = input.Given(&trimmed)
	}
	p.checkEmail(&faults)
	p.checkNumber(&faults)
	input.OneOf(&faults, "locale", p.Locale, false, organization.Locales...)
	input.OneOf(&faults, "gender", p.Gender, true, "male", "female")
	joined, left = after(p.JoinedOn, joined), after(p.LeftOn, left)
	if joined != nil && left != nil && *left < *joined {
		faults.Add("leftOn", errs.OutOfRange, errs.Meta{"min": *joined, "max": "9999-12-31"})
	}
	input.IDs(&faults, "roleIds", p.RoleIds)
	input.IDs(&faults, "designationIds", p.DesignationIds)
	if active, given := p.Active.ValueOK(); given && active == nil {
		faults.Add("active", errs.Required, nil)
	}
	return faults
}

// after returns what a member is after a change.
func after[T any](given input.Omittable[*T], before *T) *T {
	if value, ok := given.ValueOK(); ok {
		return value
	}
	return before
}

// endsTokens reports whether a change of the days of work of u ends their tokens: at an
// instant that the days before or after the change leave out. The tokens of somebody who
// was not employed have ended already, and do not hold again when a day is taken back.
func (p *person) endsTokens(u *ent.User, now time.Time, zone *time.Location) bool {
	if !p.JoinedOn.IsSet() && !p.LeftOn.IsSet() {
		return false
	}
	next := shift.EmploymentBetween(after(p.JoinedOn, u.JoinedOn), after(p.LeftOn, u.LeftOn), zone)
	return !next.Contains(now) || !shift.EmploymentBetween(u.JoinedOn, u.LeftOn, zone).Contains(now)
}

func (p *person) checkEmail(faults *errs.Faults) {
	text, given := p.Email.ValueOK()
	if !given {
		return
	}
	trimmed := strings.TrimSpace(input.Value(text))
	p.Email = input.Given(&trimmed)
	key, ok := textform.NewEmailKey(trimmed)
	switch p.emailKey = key; {
	case trimmed == "":
		faults.Add("email", errs.Required, nil)
	case !ok && textform.HasInvisible(trimmed):
		faults.Add("email", errs.Invisible, nil)
	case !ok:
		faults.Add("email", errs.BadFormat, errs.Meta{"expected": "name@example.com"})
	}
}

func (p *person) checkNumber(faults *errs.Faults) {
	number := p.MobileNumber.Value()
	if number == nil {
		return
	}
	number.Number = textform.WithoutInvisible(number.Number)
	key, ok := "", false
	if code := number.CountryCode.Value(); code != nil {
		key, ok = textform.NumberKey(*code, number.Number)
	} else if key, ok = textform.PhoneKey(number.Number, p.country); ok {
		number.CountryCode = input.Given(contact.SplitNumber(key).CountryCode)
	}
	p.phone = &key
	if !ok {
		faults.Add("mobileNumber", errs.BadFormat, errs.Meta{"expected": "62 811123789"})
	}
}

// set applies the given members to a mutation.
func (p *person) set(m *ent.UserMutation) {
	input.Set(p.Name, m.SetName, nil)
	input.Set(p.Email, func(text string) { m.SetEmail(text); m.SetEmailKey(p.emailKey) }, nil)
	input.Set(p.MobileNumber, func(n model.MobileNumberInput) {
		m.SetMobileNumber(contact.Number{CountryCode: n.CountryCode.Value(), Number: &n.Number})
		m.SetPhone(*p.phone)
	}, func() { m.SetMobileNumber(contact.NoNumber()); m.ClearPhone() })
	input.Set(p.Locale, m.SetLocale, nil)
	input.Set(p.Gender, m.SetGender, m.ClearGender)
	input.Set(p.BusinessID, m.SetBusinessID, m.ClearBusinessID)
	input.Set(p.JoinedOn, m.SetJoinedOn, m.ClearJoinedOn)
	input.Set(p.LeftOn, m.SetLeftOn, m.ClearLeftOn)
	input.Set(p.MessageChannel, m.SetMessageChannel, m.ClearMessageChannel)
	input.Set(p.Active, m.SetActive, nil)
}

// setPolicies applies the policies that are given. They need organization.write for the
// whole company: nobody exempts themselves.
func (p *person) setPolicies(ctx context.Context, u *ent.User, m *ent.UserMutation) error {
	given, ok := p.Policies.ValueOK()
	switch {
	case !ok:
	case viewer.From(ctx).Scope("organization", "write") < viewer.All:
		return errs.Field(errs.Forbidden, "policies", nil)
	case given == nil:
		m.ClearPolicies()
	default:
		m.SetPolicies(u.Policies.With(setting.Given(*given)))
	}
	return nil
}

// checkReferences refuses a business or designation that the viewer does not see.
func (p *person) checkReferences(ctx context.Context) error {
	db := ent.FromContext(ctx)
	if id := p.BusinessID.Value(); id != nil {
		ok, err := db.Business.Query().Where(business.ID(*id)).Exist(ctx)
		if err := input.Referenced("businessId", ok, err); err != nil {
			return err
		}
	}
	ids := input.Distinct(p.DesignationIds.Value())
	n, err := db.Designation.Query().Where(designation.IDIn(ids...)).Count(ctx)
	return input.Referenced("designationIds", n == len(ids), err)
}

// setDesignations gives a user exactly the given designations, from a day on.
func (p *person) setDesignations(ctx context.Context, u *ent.User, on string) error {
	list, given := p.DesignationIds.ValueOK()
	if !given {
		return nil
	}
	db, ids := ent.FromContext(ctx), input.Distinct(list)
	has, err := db.UserDesignation.Query().Where(userdesignation.UserID(u.ID)).Select(userdesignation.FieldDesignationID).Ints(ctx)
	if err != nil {
		return err
	}
	begun, ended := without(ids, has), without(has, ids)
	_, err = db.UserDesignation.Delete().
		Where(userdesignation.UserID(u.ID), userdesignation.DesignationIDIn(ended...)).Exec(ctx)
	if err != nil {
		return err
	}
	for _, id := range begun {
		if err := assignDesignation(db.UserDesignation.Create(), u, id).Exec(ctx); err != nil {
			return err
		}
	}
	if len(begun)+len(ended) == 0 {
		return nil
	}
	return organization.RecordDesignations(ctx, u.CompanyID, []int{u.ID}, begun, ended, on)
}

// without returns the ids of a list that are not in another.
func without(ids, others []int) []int {
	return slices.DeleteFunc(slices.Clone(ids), func(id int) bool { return slices.Contains(others, id) })
}

// recordBusiness records that a user works in the given business, from a day on, unless
// they do already.
func (p *person) recordBusiness(ctx context.Context, u *ent.User, before *int, on string) error {
	to, given := p.BusinessID.ValueOK()
	if !given || to == before || to != nil && before != nil && *to == *before {
		return nil
	}
	return organization.RecordMoves(ctx, u.CompanyID, []int{u.ID}, to, on)
}

// replan has the shifts of a user planned anew whose business or designations are given.
func (s *Service) replan(ctx context.Context, u *ent.User, p person) error {
	if !p.BusinessID.IsSet() && !p.DesignationIds.IsSet() {
		return nil
	}
	return s.Plans.Outdate(ctx, u.CompanyID, u.ID)
}

// assignDesignation sets the columns of a row that gives a user a designation.
func assignDesignation(row *ent.UserDesignationCreate, u *ent.User, designationID int) *ent.UserDesignationCreate {
	return row.SetCompanyID(u.CompanyID).SetUserID(u.ID).SetDesignationID(designationID)
}

// lockRow sets the columns of the lock row of a user's clock events.
func lockRow(row *ent.ClockStateCreate, u *ent.User) *ent.ClockStateCreate {
	return row.SetCompanyID(u.CompanyID).SetUserID(u.ID)
}

// taken returns err, or the faults of an address or number that a user of any
// company has. It does not tell whose.
func (p *person) taken(ctx context.Context, err error) error {
	if !ent.IsConstraintError(err) {
		return err
	}
	ctx = viewer.System(ctx)
	var faults errs.Faults
	users := ent.FromContext(ctx).User.Query
	if p.emailKey != "" {
		found, err := users().Where(user.EmailKey(p.emailKey)).Exist(ctx)
		if err != nil {
			return err
		}
		if found {
			faults.Add("email", errs.AlreadyTaken, nil)
		}
	}
	if p.phone != nil {
		found, err := users().Where(user.Phone(*p.phone)).Exist(ctx)
		if err != nil {
			return err
		}
		if found {
			faults.Add("mobileNumber", errs.AlreadyTaken, nil)
		}
	}
	if len(faults) == 0 {
		return err
	}
	return faults.Err()
}

// create adds a user, in a transaction; hash is "" for a user who is to be invited, unless
// their last day of work is past.
func (s *Service) create(ctx context.Context, p person, hash string) (*ent.User, error) {
	company, err := ent.FromContext(ctx).Company.Query().Only(ctx)
	if err != nil {
		return nil, err
	}
	if err := p.checkReferences(ctx); err != nil {
		return nil, err
	}
	roles, given, err := rolesToAssign(ctx, p.RoleIds)
	if err != nil {
		return nil, err
	}
	create := ent.FromContext(ctx).User.Create().SetCompanyID(company.ID).SetLocale(company.Locale).SetCreatedAt(s.Now())
	if p.set(create.Mutation()); hash != "" {
		create.SetPasswordHash(hash)
	}
	u, err := create.Save(ctx)
	if err != nil {
		return nil, err
	}
	if err := lockRow(ent.FromContext(ctx).ClockState.Create(), u).Exec(viewer.System(ctx)); err != nil {
		return nil, err
	}
	first := cmp.Or(input.Value(p.JoinedOn.Value()), organization.Today(ctx, s.Now()))
	if err := p.recordBusiness(ctx, u, nil, first); err != nil {
		return nil, err
	}
	if err := p.setDesignations(ctx, u, first); err != nil {
		return nil, err
	}
	if err := s.replan(ctx, u, p); err != nil {
		return nil, err
	}
	if given {
		err = setRoles(ctx, u, roles)
	} else {
		err = makeEmployee(ctx, u)
	}
	if left := u.LeftOn; err != nil || hash != "" || left != nil && *left < organization.Today(ctx, s.Now()) {
		return u, err
	}
	return u, s.Notify.Notify(ctx, u, message.Invited, message.Facts{Username: u.Email})
}

// makeEmployee gives a new user the default role.
func makeEmployee(ctx context.Context, u *ent.User) error {
	employee, err := ent.FromContext(ctx).Role.Query().Where(role.Builtin(viewer.Employee)).Only(ctx)
	if err != nil {
		return err
	}
	return setRoles(viewer.System(ctx), u, []*ent.Role{employee})
}

// newHash returns the hash of a new user's password, made outside of any
// transaction; "" where none is given. It fails with the faults of all members, and
// with PASSWORD_WEAK.
func (s *Service) newHash(ctx context.Context, p person, faults errs.Faults, sent *string) (string, error) {
	if sent == nil {
		return "", faults.Err()
	}
	company, err := ent.FromContext(ctx).Company.Get(viewer.System(ctx), viewer.From(ctx).CompanyID)
	if err != nil {
		return "", err
	}
	own := []string{*p.Name.Value(), *p.Email.Value(), company.Name}
	if p.phone != nil {
		own = append(own, *p.phone)
	}
	return tx.Outside(ctx, strings.Join(append(own, *sent), "\x00"), func(ctx context.Context) (string, error) {
		text, err := s.Passwords.Read(ctx, faults, "password", *sent)
		if err != nil {
			return "", err
		}
		if err := password.Check("password", text, own...); err != nil {
			return "", err
		}
		return s.Hasher.Hash(ctx, text)
	})
}

// changeable returns a user whom the viewer may change, with their roles: within
// the scope of user.write, and without permissions that the viewer lacks; API keys may change all
// but owners. FORBIDDEN for a user whom they only see, and for one who was erased.
func changeable(ctx context.Context, id int) (*ent.User, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	u, err := ent.FromContext(ctx).User.Query().Where(user.ID(id)).WithRoles().Only(ctx)
	if err != nil {
		return nil, err
	}
	if err := mayChange(me, u); err != nil {
		return nil, err
	}
	return u, nil
}

// mayChange returns why the viewer may not change a user with their roles.
func mayChange(me *viewer.Viewer, u *ent.User) error {
	if !me.Reaches(me.Scope("user", "write"), u.ID, u.BusinessID) {
		return errs.New(errs.Forbidden, nil)
	}
	exceeds := Exceeds(me, u.Edges.Roles)
	if me.Key != 0 { // which cannot come by somebody's permissions: it changes no roles, passwords and addresses
		exceeds = slices.ContainsFunc(u.Edges.Roles, owns)
	}
	if exceeds || contact.IsErased(u.EmailKey) {
		return errs.New(errs.Forbidden, nil)
	}
	return nil
}

// startsAfter reports whether the person is given a first day of work after a date.
func (p *person) startsAfter(date string) bool {
	first := p.JoinedOn.Value()
	return first != nil && *first > date
}

// update applies the given members to a user, and ends the sessions of one who is
// deactivated, or is or was not employed today.
func (s *Service) update(ctx context.Context, u *ent.User, p person) error {
	if err := p.checkReferences(ctx); err != nil {
		return err
	}
	roles, given, err := rolesToAssign(ctx, p.RoleIds)
	if err != nil {
		return err
	}
	leaves := p.Active.IsSet() && !*p.Active.Value()
	lost := leaves || p.LeftOn.Value() != nil || given && !slices.ContainsFunc(roles, owns)
	if u.Active && slices.ContainsFunc(u.Edges.Roles, owns) && (lost || p.startsAfter(organization.Today(ctx, s.Now()))) {
		if err := organization.KeepOwner(ctx, u); err != nil {
			return err
		}
	}
	update := u.Update()
	p.set(update.Mutation())
	if err := p.setPolicies(ctx, u, update.Mutation()); err != nil {
		return err
	}
	if err := update.Exec(ctx); err != nil {
		return p.taken(ctx, err)
	}
	if err := p.recordBusiness(ctx, u, u.BusinessID, organization.Today(ctx, s.Now())); err != nil {
		return err
	}
	if err := p.setDesignations(ctx, u, organization.Today(ctx, s.Now())); err != nil {
		return err
	}
	if err := s.replan(ctx, u, p); err != nil {
		return err
	}
	if given {
		if err := setRoles(ctx, u, roles); err != nil {
			return err
		}
	}
	if leaves || p.endsTokens(u, s.Now(), shift.ZoneNamed(viewer.From(ctx).Timezone)) {
		return auth.EndSessions(viewer.System(ctx), s.Now(), u.ID)
	}
	return nil
}
