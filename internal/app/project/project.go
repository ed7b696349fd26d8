// Package project is the use cases of projects, of who may work on them, and of the
// categories of tasks.
package project

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"workforce/ent"
	entProject "workforce/ent/project"
	"workforce/ent/projectmember"
	entTask "workforce/ent/task"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// A Service manages projects and categories. Its methods are safe for concurrent use.
type Service struct {
	Now func() time.Time // UTC, to the microsecond
}

// The limits of a project.
const (
	maxMembers = 1000
	maxBudget  = 1_000_000 // hours
	maxCode    = 32        // characters
)

// Create adds a project and returns its id.
func (s *Service) Create(ctx context.Context, in model.CreateProjectInput) (int, error) {
	if err := mayChange(ctx); err != nil {
		return 0, err
	}
	c := change{UpdateProjectInput: model.UpdateProjectInput{
		Name: input.Given(&in.Name), Code: in.Code, Color: in.Color, StartsOn: in.StartsOn, EndsOn: in.EndsOn,
		OpenToAll: input.DropNull(in.OpenToAll), BudgetHours: in.BudgetHours, MemberIds: in.MemberIds,
	}}
	if err := c.check(ctx); err != nil {
		return 0, err
	}
	company := viewer.From(ctx).CompanyID
	create := ent.FromContext(ctx).Project.Create().SetCompanyID(company).SetCreatedAt(s.Now())
	c.set(create.Mutation())
	p, err := create.Save(ctx)
	if err != nil {
		return 0, codeTaken(err)
	}
	return p.ID, setMembers(ctx, company, p.ID, c.MemberIds)
}

// Update changes a project.
func (s *Service) Update(ctx context.Context, id int, in model.UpdateProjectInput) error {
	p, err := changeable(ctx, id)
	if err != nil {
		return err
	}
	c := change{UpdateProjectInput: in, of: p}
	if err := c.check(ctx); err != nil {
		return err
	}
	update := p.Update()
	c.set(update.Mutation())
	if err := update.Exec(ctx); err != nil {
		return codeTaken(err)
	}
	return setMembers(ctx, p.CompanyID, id, c.MemberIds)
}

// Delete removes a project without tasks and time.
func (s *Service) Delete(ctx context.Context, id int) error {
	p, err := changeable(ctx, id)
	if err != nil {
		return err
	}
	sys, db := viewer.System(ctx), ent.FromContext(ctx)
	tasks, err := db.Task.Query().Where(entTask.ProjectID(id), entTask.DeletedAtIsNil()).Count(sys)
	if err != nil {
		return err
	}
	if tasks+p.EntryCount > 0 {
		return errs.Conflicts(errs.HasTasks, "", errs.Meta{"tasks": tasks, "entries": p.EntryCount})
	}
	if err := db.Task.Update().Where(entTask.ProjectID(id), entTask.DeletedAtNotNil()).ClearProjectID().Exec(sys); err != nil {
		return err
	}
	if _, err := db.ProjectMember.Delete().Where(projectmember.ProjectID(id)).Exec(sys); err != nil {
		return err
	}
	err = db.Project.DeleteOne(p).Exec(ctx)
	if ent.IsConstraintError(err) { // used meanwhile
		err = errs.Conflicts(errs.InUse, "", nil)
	}
	return err
}

// mayChange refuses a viewer who may not change projects and categories.
func mayChange(ctx context.Context) error {
	me, err := viewer.Require(ctx)
	if err == nil && me.Scope("project", "write") < viewer.All {
		err = errs.New(errs.Forbidden, nil)
	}
	return err
}

// changeable returns a project that the viewer may change.
func changeable(ctx context.Context, id int) (*ent.Project, error) {
	p, err := ent.FromContext(ctx).Project.Query().Where(entProject.ID(id)).Only(ctx)
	if err != nil {
		return nil, err
	}
	return p, mayChange(ctx)
}

// A change holds the given members of a project.
type change struct {
	model.UpdateProjectInput
	of *ent.Project // nil for a new one
}

var (
	colors = regexp.MustCompile("^#[0-9a-f]{6}$")
	codes  = regexp.MustCompile(`^[\p{L}\p{N}._/-]+$`)
)

// check checks the given members, and spells them as they are stored.
func (c *change) check(ctx context.Context) error {
	var faults errs.Faults
	if name, given := c.Name.ValueOK(); given {
		c.Name = input.Given(new(input.Name(&faults, "name", name)))
	}
	c.Code = checkCode(&faults, c.Code)
	c.Color = checkColor(&faults, c.Color)
	if c.Status.IsSet() && c.Status.Value() == nil {
		faults.Add("status", errs.Required, nil)
	}
	if c.OpenToAll.IsSet() && c.OpenToAll.Value() == nil {
		faults.Add("openToAll", errs.Required, nil)
	}
	if hours := c.BudgetHours.Value(); hours != nil && (*hours < 1 || *hours > maxBudget) {
		faults.Add("budgetHours", errs.OutOfRange, errs.Meta{"min": 1, "max": maxBudget})
	}
	if len(c.MemberIds.Value()) > maxMembers {
		faults.Add("memberIds", errs.TooMany, errs.Meta{"max": maxMembers})
	}
	c.checkWindow(&faults)
	if err := faults.Err(); err != nil {
		return err
	}
	return checkPeople(ctx, "memberIds", input.Distinct(c.MemberIds.Value()))
}

// checkWindow adds a fault where the project would end before it starts.
func (c *change) checkWindow(faults *errs.Faults) {
	start, end := c.StartsOn.Value(), c.EndsOn.Value()
	if c.of != nil && !c.StartsOn.IsSet() {
		start = c.of.StartsOn
	}
	if c.of != nil && !c.EndsOn.IsSet() {
		end = c.of.EndsOn
	}
	if start == nil || end == nil || *start <= *end {
		return
	}
	if c.EndsOn.IsSet() {
		faults.Add("endsOn", errs.OutOfRange, errs.Meta{"min": *start, "max": "9998-12-31"})
		return
	}
	faults.Add("startsOn", errs.OutOfRange, errs.Meta{"min": "0001-01-01", "max": *end})
}

func checkCode(faults *errs.Faults, code input.Omittable[*string]) input.Omittable[*string] {
	text := input.Line(faults, "code", code.Value(), maxCode)
	switch {
	case !code.IsSet():
		return code
	case text == "":
		return input.Given[*string](nil)
	case !codes.MatchString(text):
		faults.Add("code", errs.BadFormat, errs.Meta{"expected": "PRJ-1"})
	}
	return input.Given(&text)
}

func checkColor(faults *errs.Faults, color input.Omittable[*string]) input.Omittable[*string] {
	if color.Value() == nil {
		return color
	}
	text := strings.ToLower(*color.Value())
	if !colors.MatchString(text) {
		faults.Add("color", errs.BadFormat, errs.Meta{"expected": "#1e90ff"})
	}
	return input.Given(&text)
}

// set applies the given members to a mutation.
func (c *change) set(m *ent.ProjectMutation) {
	input.Set(c.Name, m.SetName, nil)
	input.Set(c.Code, m.SetCode, m.ClearCode)
	input.Set(c.Color, m.SetColor, m.ClearColor)
	input.Set(c.Status, m.SetStatus, nil)
	input.Set(c.StartsOn, m.SetStartsOn, m.ClearStartsOn)
	input.Set(c.EndsOn, m.SetEndsOn, m.ClearEndsOn)
	input.Set(c.OpenToAll, m.SetOpenToAll, nil)
	input.Set(c.BudgetHours, m.SetBudgetHours, m.ClearBudgetHours)
}

// codeTaken returns err, or a fault on code where err is that of its unique key.
func codeTaken(err error) error {
	if ent.IsConstraintError(err) {
		return errs.Because("code", errs.AlreadyTaken, nil)
	}
	return err
}

// checkPeople refuses a list with somebody who is no active person of the company.
func checkPeople(ctx context.Context, field string, ids []int) error {
	if len(ids) == 0 {
		return nil
	}
	n, err := ent.FromContext(ctx).User.Query().Where(user.IDIn(ids...), user.Active(true)).Count(ctx)
	return input.Referenced(field, n == len(ids), err)
}

// setMembers makes people the members of a project; an absent list changes none.
func setMembers(ctx context.Context, company, id int, members input.Omittable[[]int]) error {
	if !members.IsSet() {
		return nil
	}
	wanted := input.Distinct(members.Value())
	db := ent.FromContext(ctx).ProjectMember
	has, err := db.Query().Where(projectmember.ProjectID(id)).Select(projectmember.FieldUserID).Ints(ctx)
	if err != nil {
		return err
	}
	gone := slices.DeleteFunc(slices.Clone(has), func(u int) bool { return slices.Contains(wanted, u) })
	if len(gone) > 0 {
		if _, err := db.Delete().Where(projectmember.ProjectID(id), projectmember.UserIDIn(gone...)).Exec(ctx); err != nil {
			return err
		}
	}
	added := slices.DeleteFunc(wanted, func(u int) bool { return slices.Contains(has, u) })
	return db.MapCreateBulk(added, func(m *ent.ProjectMemberCreate, i int) {
		m.SetCompanyID(company).SetProjectID(id).SetUserID(added[i])
	}).Exec(viewer.System(ctx))
}
