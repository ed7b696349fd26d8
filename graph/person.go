package graph

import (
	"context"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"workforce/ent"
	"workforce/ent/business"
	"workforce/ent/designation"
	"workforce/ent/role"
	"workforce/ent/session"
	"workforce/ent/user"
	"workforce/ent/userdesignation"
	"workforce/graph/model"
	"workforce/internal/contact"
	"workforce/internal/errs"
	carry "workforce/internal/message"
	"workforce/internal/password"
	"workforce/internal/viewer"
)

// A person is what somebody is to become: the members that are given, and the
// keys that go with them.
type person struct {
	model.UpdateUserInput
	emailKey string  // "" where no address is given
	phone    *string // E.164; nil where no number is given
}

// newPerson returns the person of a creation.
func newPerson(in model.CreateUserInput) person {
	return person{UpdateUserInput: model.UpdateUserInput{
		Name: graphql.OmittableOf(&in.Name), Email: graphql.OmittableOf(&in.Email),
		MobileNumber: in.MobileNumber, Locale: unlessNull(in.Locale), Gender: in.Gender,
		RoleIds: listed(in.RoleIds), BusinessID: in.BusinessID, DesignationIds: in.DesignationIds,
		JoinedOn: in.JoinedOn, LeftOn: in.LeftOn,
	}}
}

// unlessNull makes null the same as absent.
func unlessNull[T any](o graphql.Omittable[*T]) graphql.Omittable[*T] {
	if o.Value() == nil {
		return graphql.Omittable[*T]{}
	}
	return o
}

// listed makes a list that is null the same as an absent one.
func listed(o graphql.Omittable[[]int]) graphql.Omittable[[]int] {
	if o.Value() == nil {
		return graphql.Omittable[[]int]{}
	}
	return o
}

// check lists what is wrong with the members, and finds the keys of address and
// number. Joined is the first day of work that stays where none is given, left
// the last.
func (p *person) check(joined, left *string) errs.Faults {
	var faults errs.Faults
	if name, given := p.Name.ValueOK(); given {
		trimmed := checkName(&faults, "name", unlessNil(name))
		p.Name = graphql.OmittableOf(&trimmed)
	}
	p.checkEmail(&faults)
	p.checkNumber(&faults)
	oneOf(&faults, "locale", p.Locale, false, "id", "en")
	oneOf(&faults, "gender", p.Gender, true, "male", "female")
	if p.JoinedOn.IsSet() {
		joined = p.JoinedOn.Value()
	}
	if p.LeftOn.IsSet() {
		left = p.LeftOn.Value()
	}
	if joined != nil && left != nil && *left < *joined {
		faults.Add("leftOn", errs.OutOfRange, errs.Meta{"min": *joined, "max": "9999-12-31"})
	}
	if active, given := p.Active.ValueOK(); given && active == nil {
		faults.Add("active", errs.Required, nil)
	}
	return faults
}

func (p *person) checkEmail(faults *errs.Faults) {
	text, given := p.Email.ValueOK()
	if !given {
		return
	}
	trimmed := strings.TrimSpace(unlessNil(text))
	p.Email = graphql.OmittableOf(&trimmed)
	key, ok := contact.EmailKey(trimmed)
	switch p.emailKey = key; {
	case trimmed == "":
		faults.Add("email", errs.Required, nil)
	case !ok:
		faults.Add("email", errs.BadFormat, errs.Meta{"expected": "name@example.com"})
	}
}

func (p *person) checkNumber(faults *errs.Faults) {
	number := p.MobileNumber.Value()
	if number == nil {
		return
	}
	key, ok := contact.NumberKey(number.CountryCode, number.Number)
	p.phone = &key
	if !ok {
		faults.Add("mobileNumber", errs.BadFormat, errs.Meta{"expected": "62 811123789"})
	}
}

// oneOf adds a fault for text that is none of those allowed.
func oneOf(faults *errs.Faults, field string, text graphql.Omittable[*string], null bool, allowed ...string) {
	v, given := text.ValueOK()
	switch {
	case !given, v == nil && null:
	case v == nil:
		faults.Add(field, errs.Required, nil)
	case !slices.Contains(allowed, *v):
		faults.Add(field, errs.NotOneOf, errs.Meta{"allowed": strings.Join(allowed, ", ")})
	}
}

// set puts the members that are given into a mutation.
func (p *person) set(m *ent.UserMutation) {
	put(p.Name, m.SetName, nil)
	put(p.Email, func(text string) { m.SetEmail(text); m.SetEmailKey(p.emailKey) }, nil)
	put(p.MobileNumber, func(n model.MobileNumberInput) {
		m.SetMobileNumber(contact.Number{CountryCode: &n.CountryCode, Number: &n.Number})
		m.SetPhone(*p.phone)
	}, func() { m.SetMobileNumber(contact.NoNumber()); m.ClearPhone() })
	put(p.Locale, m.SetLocale, nil)
	put(p.Gender, m.SetGender, m.ClearGender)
	put(p.BusinessID, m.SetBusinessID, m.ClearBusinessID)
	put(p.JoinedOn, m.SetJoinedOn, m.ClearJoinedOn)
	put(p.LeftOn, m.SetLeftOn, m.ClearLeftOn)
	put(p.MessageChannel, m.SetMessageChannel, m.ClearMessageChannel)
	put(p.Active, m.SetActive, nil)
}

// put sets a member that is given, or clears it where it is null.
func put[T any](o graphql.Omittable[*T], set func(T), clear func()) {
	switch v, given := o.ValueOK(); {
	case !given:
	case v != nil:
		set(*v)
	case clear != nil:
		clear()
	}
}

// refer refuses a business or designation that the caller does not see.
func (p *person) refer(ctx context.Context) error {
	db := ent.FromContext(ctx)
	if id := p.BusinessID.Value(); id != nil {
		ok, err := db.Business.Query().Where(business.ID(*id)).Exist(ctx)
		if err := referred("businessId", ok, err); err != nil {
			return err
		}
	}
	ids := distinct(p.DesignationIds.Value())
	n, err := db.Designation.Query().Where(designation.IDIn(ids...)).Count(ctx)
	return referred("designationIds", n == len(ids), err)
}

// setDesignations gives a user the designations that are given, and no others.
func (p *person) setDesignations(ctx context.Context, u *ent.User) error {
	list, given := p.DesignationIds.ValueOK()
	if !given {
		return nil
	}
	db, ids := ent.FromContext(ctx), distinct(list)
	_, err := db.UserDesignation.Delete().
		Where(userdesignation.UserID(u.ID), userdesignation.DesignationIDNotIn(ids...)).Exec(ctx)
	if err != nil {
		return err
	}
	has, err := db.UserDesignation.Query().Where(userdesignation.UserID(u.ID)).Select(userdesignation.FieldDesignationID).Ints(ctx)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if slices.Contains(has, id) {
			continue
		}
		if err := db.UserDesignation.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetDesignationID(id).Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}

// taken words the error of an address or number that somebody has, in whichever
// company: it does not tell whose.
func (p *person) taken(ctx context.Context, err error) error {
	if !ent.IsConstraintError(err) {
		return err
	}
	ctx = system(ctx)
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

// createPerson adds a user in a transaction of its own; hash is "" for whom is to be
// invited.
func (r *Resolver) createPerson(ctx context.Context, p person, hash string) (*ent.User, error) {
	company, err := ent.FromContext(ctx).Company.Query().Only(ctx)
	if err != nil {
		return nil, err
	}
	if err := p.refer(ctx); err != nil {
		return nil, err
	}
	roles, given, err := rolesToGive(ctx, p.RoleIds)
	if err != nil {
		return nil, err
	}
	create := ent.FromContext(ctx).User.Create().SetCompanyID(company.ID).SetLocale(company.Locale).SetCreatedAt(r.Now())
	if p.set(create.Mutation()); hash != "" {
		create.SetPasswordHash(hash)
	}
	u, err := create.Save(ctx)
	if err != nil {
		return nil, err
	}
	if err := ent.FromContext(ctx).ClockState.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).Exec(system(ctx)); err != nil {
		return nil, err
	}
	if err := p.setDesignations(ctx, u); err != nil {
		return nil, err
	}
	if given {
		err = setRoles(ctx, u, roles)
	} else {
		err = makeEmployee(ctx, u)
	}
	if err != nil || hash != "" {
		return u, err
	}
	return u, r.tell(ctx, u, carry.Invited, carry.Facts{Username: u.Email})
}

// makeEmployee gives a new user the role that everybody has who is given none.
func makeEmployee(ctx context.Context, u *ent.User) error {
	employee, err := ent.FromContext(ctx).Role.Query().Where(role.Builtin(viewer.Employee)).Only(ctx)
	if err != nil {
		return err
	}
	return setRoles(system(ctx), u, []*ent.Role{employee})
}

// newHash returns the hash of a new person's password, as it was sent; "" where
// none is given. It fails with what is wrong with the members besides, and with
// PASSWORD_WEAK for one that may not be chosen.
func (r *Resolver) newHash(ctx context.Context, p person, faults errs.Faults, sent *string) (string, error) {
	if sent == nil {
		return "", faults.Err()
	}
	text, err := r.secret(ctx, faults, "password", *sent)
	if err != nil {
		return "", err
	}
	own := []string{*p.Name.Value(), *p.Email.Value()}
	if p.phone != nil {
		own = append(own, *p.phone)
	}
	if err := password.Check("password", text, own...); err != nil {
		return "", err
	}
	return r.Passwords.Hash(ctx, text)
}

// changeable returns a user whom the caller may change, with their roles:
// within the scope of user.write, and not above the caller. FORBIDDEN for
// somebody whom they only see.
func changeable(ctx context.Context, id int) (*ent.User, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	u, err := ent.FromContext(ctx).User.Query().Where(user.ID(id)).WithRoles().Only(ctx)
	if err != nil {
		return nil, err
	}
	if !covers(me, me.Scope("user", "write"), u) {
		return nil, errs.New(errs.Forbidden, nil)
	}
	above, err := isAbove(ctx, u.Edges.Roles)
	if err == nil && above {
		err = errs.New(errs.Forbidden, nil)
	}
	return u, err
}

// changePerson makes a user the person, and ends their sessions where they are
// not active any more.
func (r *Resolver) changePerson(ctx context.Context, u *ent.User, p person) error {
	if err := p.refer(ctx); err != nil {
		return err
	}
	roles, given, err := rolesToGive(ctx, p.RoleIds)
	if err != nil {
		return err
	}
	leaves := p.Active.IsSet() && !*p.Active.Value()
	if u.Active && slices.ContainsFunc(u.Edges.Roles, owns) && (leaves || given && !slices.ContainsFunc(roles, owns)) {
		if err := keepOwner(ctx, u); err != nil {
			return err
		}
	}
	update := u.Update()
	p.set(update.Mutation())
	if err := update.Exec(ctx); err != nil {
		return p.taken(ctx, err)
	}
	if err := p.setDesignations(ctx, u); err != nil {
		return err
	}
	if given {
		if err := setRoles(ctx, u, roles); err != nil {
			return err
		}
	}
	if leaves {
		return r.endSessions(system(ctx), u.ID)
	}
	return nil
}

// endSessions revokes all sessions of a user, and with them their tokens.
func (r *Resolver) endSessions(ctx context.Context, userID int) error {
	return ent.FromContext(ctx).Session.Update().
		Where(session.UserID(userID), session.RevokedAtIsNil()).SetRevokedAt(r.Now()).Exec(ctx)
}
