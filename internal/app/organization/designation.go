package organization

import (
	"context"
	"slices"

	entgo "entgo.io/ent"

	"workforce/ent"
	"workforce/ent/allowedplace"
	"workforce/ent/designation"
	"workforce/ent/fallbackshift"
	"workforce/ent/predicate"
	"workforce/ent/user"
	"workforce/ent/userdesignation"
	"workforce/graph/model"
	"workforce/internal/app/audit"
	"workforce/internal/app/input"
	"workforce/internal/audittrail"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// maxDescription is how many characters a description has at most.
const maxDescription = 400

// CreateDesignation creates a designation.
func (s *Service) CreateDesignation(ctx context.Context, in model.CreateDesignationInput) (*ent.Designation, error) {
	if err := MayOrganize(ctx); err != nil {
		return nil, err
	}
	create := ent.FromContext(ctx).Designation.Create().SetCompanyID(viewer.From(ctx).CompanyID)
	change := designationChange{UpdateDesignationInput: model.UpdateDesignationInput{
		Name: input.Given(&in.Name), Description: in.Description, ParentID: in.ParentID,
	}}
	if err := change.set(ctx, create.Mutation()); err != nil {
		return nil, err
	}
	return create.Save(ctx)
}

// UpdateDesignation changes a designation.
func (s *Service) UpdateDesignation(ctx context.Context, id int, in model.UpdateDesignationInput) error {
	d, err := changeableDesignation(ctx, id)
	if err != nil {
		return err
	}
	update, change := d.Update(), designationChange{UpdateDesignationInput: in, of: d}
	if err := change.set(ctx, update.Mutation()); err != nil {
		return err
	}
	if err := update.Exec(ctx); err != nil || !in.Name.IsSet() { // of several designations the first by name has the shift
		return err
	}
	return s.replan(ctx, user.HasDesignationsWith(designation.ID(id)))
}

// MoveDesignation puts a designation below another one, nil for the top.
func (s *Service) MoveDesignation(ctx context.Context, id int, parent *int) error {
	return s.UpdateDesignation(ctx, id, model.UpdateDesignationInput{ParentID: input.Given(parent)})
}

// DeleteDesignation deletes a designation. Its users and children go to the
// designation moveTo; DESIGNATION_IN_USE where it is nil and there are any.
func (s *Service) DeleteDesignation(ctx context.Context, id int, moveTo *int) error {
	if _, err := changeableDesignation(ctx, id); err != nil {
		return err
	}
	if moveTo == nil {
		return deleteUnused(ctx, designations{}, id)
	}
	return s.mergeDesignations(ctx, id, *moveTo, "moveTo")
}

// MergeDesignations moves the users and children of a designation to another one,
// and deletes it.
func (s *Service) MergeDesignations(ctx context.Context, id, into int) error {
	if _, err := changeableDesignation(ctx, id); err != nil {
		return err
	}
	return s.mergeDesignations(ctx, id, into, "into")
}

// mergeDesignations moves what belongs to a designation to another one, which a member
// names.
func (s *Service) mergeDesignations(ctx context.Context, id, into int, field string) error {
	if err := merge(ctx, designations{Today(ctx, s.Now())}, id, into, field); err != nil {
		return err
	}
	return s.replan(ctx, user.HasDesignationsWith(designation.ID(into)))
}

// changeableDesignation returns a designation that the viewer may change.
func changeableDesignation(ctx context.Context, id int) (*ent.Designation, error) {
	d, err := ent.FromContext(ctx).Designation.Query().Where(designation.ID(id)).Only(ctx)
	if err != nil {
		return nil, err
	}
	return d, MayOrganize(ctx)
}

// A designationChange holds the given members of a designation.
type designationChange struct {
	model.UpdateDesignationInput
	of *ent.Designation // nil for a new one
}

// set checks the given members and applies them to a mutation.
func (c *designationChange) set(ctx context.Context, m *ent.DesignationMutation) error {
	var faults errs.Faults
	if name, given := c.Name.ValueOK(); given {
		trimmed := input.Name(&faults, "name", name)
		c.Name = input.Given(&trimmed)
	}
	if text := input.Line(&faults, "description", c.Description.Value(), maxDescription); text == "" && c.Description.IsSet() {
		c.Description = input.Given[*string](nil)
	} else if text != "" {
		c.Description = input.Given(&text)
	}
	if err := faults.Err(); err != nil {
		return err
	}
	if err := c.checkPlace(ctx); err != nil {
		return err
	}
	input.Set(c.Name, m.SetName, nil)
	input.Set(c.Description, m.SetDescription, m.ClearDescription)
	input.Set(c.ParentID, m.SetParentID, m.ClearParentID)
	return nil
}

func (c *designationChange) checkPlace(ctx context.Context) error {
	if !c.Name.IsSet() && !c.ParentID.IsSet() {
		return nil
	}
	t, err := lockTree(ctx, designations{})
	if err != nil {
		return err
	}
	if c.of == nil {
		return checkPlace(t, 0, c.Name, "", c.ParentID.Value())
	}
	return checkPlace(t, c.of.ID, c.Name, c.of.Name, changedParent(c.ParentID, c.of.ParentID))
}

// designations is the tree of designations. A user holds any number.
type designations struct{ today string }

func (designations) table() string        { return designation.Table }
func (designations) policy() entgo.Policy { return designation.Policy }

func (designations) inUse(meta errs.Meta) *errs.Error {
	return errs.New(errs.DesignationInUse, meta)
}

func (designations) move(ctx context.Context, ids []int, parent int) error {
	return inChunks(ids, func(ids []int) error {
		return ent.FromContext(ctx).Designation.Update().Where(designation.IDIn(ids...)).SetParentID(parent).Exec(ctx)
	})
}

func (d designations) moveHolders(ctx context.Context, from, to int) error {
	return moveDesignees(viewer.System(ctx), from, to, d.today)
}

// moveDesignees takes a designation from everybody who holds it, active or not, and
// gives them another one, which some may hold already, from a day on. The context is
// the system's: whoever may change the organization need not be allowed to change
// people.
func moveDesignees(ctx context.Context, from, to int, on string) error {
	db := ent.FromContext(ctx)
	users, err := db.UserDesignation.Query().Where(userdesignation.DesignationID(from)).Select(userdesignation.FieldUserID).Ints(ctx)
	if err != nil {
		return err
	}
	target, err := db.Designation.Get(ctx, to)
	if err != nil {
		return err
	}
	quiet := audittrail.WithBulk(audittrail.WithoutTrail(ctx), target.CompanyID)
	return inChunks(users, func(users []int) error {
		held := db.UserDesignation.Query().Where(userdesignation.DesignationIDIn(from, to), userdesignation.UserIDIn(users...))
		before, err := held.Clone().All(ctx)
		if err != nil {
			return err
		}
		if err := redesignate(quiet, target, users, from, before, on); err != nil {
			return err
		}
		after, err := held.All(ctx)
		if err != nil {
			return err
		}
		return audit.Changes(ctx, ent.TypeUserDesignation, rowsOf(before), rowsOf(after))
	})
}

// redesignate gives people the designation to in the place of another one, from a day on;
// held is who of them holds which of the two.
func redesignate(ctx context.Context, to *ent.Designation, users []int, from int, held []*ent.UserDesignation, on string) error {
	db := ent.FromContext(ctx).UserDesignation
	if _, err := db.Delete().Where(userdesignation.DesignationID(from), userdesignation.UserIDIn(users...)).Exec(ctx); err != nil {
		return err
	}
	if err := RecordDesignations(ctx, to.CompanyID, users, nil, []int{from}, on); err != nil {
		return err
	}
	var has []int
	for _, d := range held {
		if d.DesignationID == to.ID {
			has = append(has, d.UserID)
		}
	}
	users = slices.DeleteFunc(slices.Clone(users), func(id int) bool { return slices.Contains(has, id) })
	err := db.MapCreateBulk(users, func(row *ent.UserDesignationCreate, i int) {
		row.SetCompanyID(to.CompanyID).SetUserID(users[i]).SetDesignationID(to.ID)
	}).Exec(ctx)
	if err != nil {
		return err
	}
	return RecordDesignations(ctx, to.CompanyID, users, []int{to.ID}, nil, on)
}

// rowsOf returns rows by id, as the audit takes them.
func rowsOf(list []*ent.UserDesignation) map[int]ent.Row {
	rows := make(map[int]ent.Row, len(list))
	for _, d := range list {
		rows[d.ID] = ent.Row{Company: d.CompanyID, Value: d}
	}
	return rows
}

func (designations) holders(ctx context.Context, id int) (users, addresses int, err error) {
	users, err = ent.FromContext(ctx).UserDesignation.Query().Where(userdesignation.DesignationID(id)).Count(viewer.System(ctx))
	return users, 0, err
}

func (designations) delete(ctx context.Context, id int) error {
	if err := forgetDesignation(ctx, id); err != nil {
		return err
	}
	sys, db := viewer.System(ctx), ent.FromContext(ctx)
	if _, err := db.FallbackShift.Delete().Where(fallbackshift.DesignationID(id)).Exec(sys); err != nil {
		return err
	}
	if _, err := db.AllowedPlace.Delete().Where(allowedplace.DesignationID(id)).Exec(sys); err != nil {
		return err
	}
	return ent.FromContext(ctx).Designation.DeleteOneID(id).Exec(ctx)
}

// HoldsBelow matches the people who hold a designation or one below it.
func HoldsBelow(id int) predicate.User {
	return user.HasDesignationsWith(below(designations{}, designation.FieldID, id))
}
