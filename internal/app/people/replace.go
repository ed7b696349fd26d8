package people

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"workforce/ent"
	"workforce/ent/user"
	"workforce/ent/userdesignation"
	"workforce/graph/model"
	"workforce/internal/app/audit"
	"workforce/internal/app/auth"
	"workforce/internal/app/input"
	"workforce/internal/app/organization"
	"workforce/internal/audittrail"
	"workforce/internal/shift"
)

// A Replacement is a user with their designations loaded, and what they are to be.
type Replacement struct {
	User *ent.User
	To   NewUser
}

// ReplaceUsers makes users of a company what the replacements say, but for password and
// role: what differs is written. The context is the system's, of the transaction in which
// the users were read. Errors are those of CreateUsers. At most some hundred at once.
func ReplaceUsers(ctx context.Context, c *ent.Company, now time.Time, list ...Replacement) error {
	today := string(shift.DateOf(now, shift.ZoneNamed(c.Timezone)))
	quiet := bulk(ctx, c)
	before := map[int]ent.Row{}
	var ended []int                                     // whose tokens end
	moved, retitled := map[int][]int{}, map[int][]int{} // users by their new business, designations by user
	for _, r := range list {
		changed, ends, err := r.update(quiet, c, now)
		if err != nil {
			return err
		}
		if ends {
			ended = append(ended, r.User.ID)
		}
		if changed {
			before[r.User.ID] = ent.Row{Company: c.ID, Value: r.User}
		}
		if input.Value(r.User.BusinessID) != r.To.Business {
			moved[r.To.Business] = append(moved[r.To.Business], r.User.ID)
		}
		if ids := input.Distinct(r.To.Designations); !slices.Equal(DesignationIDs(r.User), ids) {
			retitled[r.User.ID] = ids
		}
	}
	if len(ended) > 0 {
		if err := auth.EndSessions(ctx, now, ended...); err != nil {
			return err
		}
	}
	for _, to := range slices.Sorted(maps.Keys(moved)) {
		if err := organization.RecordMoves(quiet, c.ID, moved[to], unlessEmpty(to), today); err != nil {
			return err
		}
	}
	if err := recordUpdated(ctx, before); err != nil {
		return err
	}
	return retitle(ctx, quiet, c, retitled, today)
}

// update writes the columns of a user that are to differ, and reports whether there were
// any, and whether the change ends their tokens.
func (r Replacement) update(ctx context.Context, c *ent.Company, now time.Time) (changed, ends bool, err error) {
	u, n := r.User, r.To
	p, faults := n.check(u.Locale)
	if err := faults.Err(); err != nil {
		return false, false, fmt.Errorf("%s: %w", n.Email, err)
	}
	switch {
	case SameNumber(u.MobileNumber, n.Mobile): // it stays as verified as it was
		p.MobileNumber = input.Omittable[*model.MobileNumberInput]{}
	case !n.Verified:
		p.MobileNumber = input.Given[*model.MobileNumberInput](nil)
	}
	p.Name = differing(u.Name, n.Name, p.Name.Value())
	p.Email = differing(u.Email, n.Email, p.Email.Value())
	p.Locale = differing(u.Locale, n.Locale, p.Locale.Value())
	p.Gender = differing(input.Value(u.Gender), n.Gender, unlessEmpty(n.Gender))
	p.JoinedOn = differing(input.Value(u.JoinedOn), n.JoinedOn, unlessEmpty(n.JoinedOn))
	p.LeftOn = differing(input.Value(u.LeftOn), n.LeftOn, unlessEmpty(n.LeftOn))
	p.BusinessID = differing(input.Value(u.BusinessID), n.Business, unlessEmpty(n.Business))
	update := ent.FromContext(ctx).User.Update().Where(user.ID(u.ID), user.CompanyID(c.ID))
	p.set(update.Mutation())
	if number := input.Value(u.EmployeeNumber); number != n.Number && n.Number == "" {
		update.ClearEmployeeNumber()
	} else if number != n.Number {
		update.SetEmployeeNumber(n.Number)
	}
	if len(update.Mutation().Fields())+len(update.Mutation().ClearedFields()) == 0 {
		return false, false, nil
	}
	return true, p.endsTokens(u, now, shift.ZoneNamed(c.Timezone)), update.Exec(ctx)
}

// differing returns a member that is set to a value where what is stored is to differ,
// else an absent one.
func differing[T comparable](is, to T, value *T) input.Omittable[*T] {
	if is == to {
		return input.Omittable[*T]{}
	}
	return input.Given(value)
}

// retitle gives users exactly some designations, by user, from a day on. What it writes
// in quiet is recorded in ctx.
func retitle(ctx, quiet context.Context, c *ent.Company, titles map[int][]int, on string) error {
	if len(titles) == 0 {
		return nil
	}
	users := slices.Sorted(maps.Keys(titles))
	held, err := heldBy(ctx, users)
	if err != nil {
		return err
	}
	has := map[int][]int{}
	for _, d := range held {
		has[d.UserID] = append(has[d.UserID], d.DesignationID)
	}
	type change struct{ begun, ended []int }
	changes, same := map[string]change{}, map[string][]int{} // users by what changes for them
	var created []*ent.UserDesignationCreate
	db, ended := ent.FromContext(ctx), map[int][]int{} // users by the designation that they lose
	for _, id := range users {
		one := change{without(titles[id], has[id]), without(has[id], titles[id])}
		slices.Sort(one.ended)
		key := fmt.Sprint(one)
		changes[key], same[key] = one, append(same[key], id)
		for _, d := range one.ended {
			ended[d] = append(ended[d], id)
		}
		for _, d := range one.begun {
			created = append(created, db.UserDesignation.Create().SetCompanyID(c.ID).SetUserID(id).SetDesignationID(d))
		}
	}
	for _, d := range slices.Sorted(maps.Keys(ended)) {
		_, err := db.UserDesignation.Delete().Where(userdesignation.DesignationID(d), userdesignation.UserIDIn(ended[d]...)).Exec(quiet)
		if err != nil {
			return err
		}
	}
	for part := range slices.Chunk(created, bulkRows) {
		if err := db.UserDesignation.CreateBulk(part...).Exec(quiet); err != nil {
			return err
		}
	}
	for _, key := range slices.Sorted(maps.Keys(changes)) {
		one := changes[key]
		if len(one.begun)+len(one.ended) == 0 {
			continue
		}
		if err := organization.RecordDesignations(quiet, c.ID, same[key], one.begun, one.ended, on); err != nil {
			return err
		}
	}
	return recordHeld(ctx, users, held)
}

// bulkRows is how many rows one statement inserts.
const bulkRows = 1000

// heldBy returns the designations of users.
func heldBy(ctx context.Context, users []int) ([]*ent.UserDesignation, error) {
	return ent.FromContext(ctx).UserDesignation.Query().Where(userdesignation.UserIDIn(users...)).All(ctx)
}

// isRecorded reports whether the changes of ctx are recorded in the audit.
func isRecorded(ctx context.Context) bool { _, ok := audittrail.From(ctx); return ok }

// recordCreated records new users in the audit, with their roles and designations.
func recordCreated(ctx context.Context, users []*ent.User) error {
	if !isRecorded(ctx) || len(users) == 0 {
		return nil
	}
	ids, created := make([]int, len(users)), map[int]ent.Row{}
	for i, u := range users {
		ids[i], created[u.ID] = u.ID, ent.Row{Company: u.CompanyID, Value: u}
	}
	if err := audit.Changes(ctx, ent.TypeUser, nil, created); err != nil {
		return err
	}
	if err := recordRoles(ctx, ids, nil); err != nil {
		return err
	}
	return recordHeld(ctx, ids, nil)
}

// recordUpdated records users in the audit that were something else before.
func recordUpdated(ctx context.Context, before map[int]ent.Row) error {
	if !isRecorded(ctx) || len(before) == 0 {
		return nil
	}
	after, err := ent.Rows(ctx, ent.FromContext(ctx), ent.TypeUser, slices.Collect(maps.Keys(before)))
	if err != nil {
		return err
	}
	return audit.Changes(ctx, ent.TypeUser, before, after)
}

// recordHeld records in the audit how the designations of users differ from those that
// they held.
func recordHeld(ctx context.Context, users []int, held []*ent.UserDesignation) error {
	if !isRecorded(ctx) {
		return nil
	}
	now, err := heldBy(ctx, users)
	if err != nil {
		return err
	}
	return audit.Changes(ctx, ent.TypeUserDesignation, rowsOf(held), rowsOf(now))
}

func rowsOf(list []*ent.UserDesignation) map[int]ent.Row {
	rows := make(map[int]ent.Row, len(list))
	for _, d := range list {
		rows[d.ID] = ent.Row{Company: d.CompanyID, Value: d}
	}
	return rows
}
