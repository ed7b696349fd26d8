// Package tasks holds the scenarios of projects, categories, tasks and their parts.
package tasks

import (
	"fmt"
	"strconv"
	"testing"

	entProject "workforce/ent/project"
	entTask "workforce/ent/task"
	entTaskCategory "workforce/ent/taskcategory"
	"workforce/ent/user"
	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// Scenarios are those of projects and tasks.
var Scenarios = []harness.Group{
	{Name: "projects", Run: projects},
	{Name: "task categories", Run: categories},
	{Name: "tasks", Run: tasks},
	{Name: "task lists", Run: lists},
	{Name: "task parts", Run: parts},
	{Name: "task images", Run: images},
	{Name: "activity images", Run: activityImages},
	{Name: "recurring tasks", Run: recurring},
}

// signIn signs in an owner, the manager of Jakarta, employees and somebody of another
// company, adds sari to the business of the manager, and saves ids.
func signIn(t *testing.T, s *harness.Server) {
	t.Helper()
	for name, email := range map[string]string{
		"andini": "admin@demo.test", "ratna": "manager@demo.test", "budi": "budi@demo.test", "daeng": "admin@tetangga.test",
	} {
		s.SignIn(t, name, email)
		s.Vars[name] = harness.PersonID(t, s, email)
	}
	ctx, db := viewer.System(t.Context()), s.Store.Ent
	ratna := db.User.Query().Where(user.Email("manager@demo.test")).OnlyX(ctx)
	r := harness.Asks("create sari", "andini", fmt.Sprintf(`mutation{createUser(input:{name:"sari",email:"sari@demo.test",password:"demo-password",businessId:"%d"}){id}}`, *ratna.BusinessID),
		`{"createUser":{"id":"<digits>"}}`)
	r.Save = map[string]string{"sari": "/data/createUser/id"}
	s.Run(t, []apitest.Scenario{r})
	s.SignIn(t, "sari", "sari@demo.test")
	one := func(name string, id int) { s.Vars[name] = strconv.Itoa(id) }
	one("lobi", db.Project.Query().Where(entProject.Code("RNV"), entProject.CompanyID(ratna.CompanyID)).OnlyIDX(ctx))
	one("gedung", db.Project.Query().Where(entProject.Code("GDG"), entProject.CompanyID(ratna.CompanyID)).OnlyIDX(ctx))
	one("aplikasi", db.Project.Query().Where(entProject.Code("APP"), entProject.CompanyID(ratna.CompanyID)).OnlyIDX(ctx))
	one("rapat", db.TaskCategory.Query().Where(entTaskCategory.Name("Rapat"), entTaskCategory.CompanyID(ratna.CompanyID)).OnlyIDX(ctx))
	one("theirProject", db.Project.Query().Where(entProject.CompanyIDNEQ(ratna.CompanyID)).FirstIDX(ctx))
	one("theirTask", db.Task.Query().Where(entTask.CompanyIDNEQ(ratna.CompanyID)).FirstIDX(ctx))
	one("theirCategory", db.TaskCategory.Query().Where(entTaskCategory.CompanyIDNEQ(ratna.CompanyID)).FirstIDX(ctx))
}

// refusal is the answer of a refused GraphQL field.
var refusal = harness.Refusal

// as returns the headers of somebody who is signed in.
func as(who string) map[string]string { return harness.SignedIn(who) }

// problem is a REST problem with a code and facts.
func problem(code, status, errors, meta string) string {
	return fmt.Sprintf(`{"type":"<any>","code":%q,"title":"<any>","status":%s,"detail":"<any>","requestId":"<any>","errors":[%s],"meta":%s}`, code, status, errors, meta)
}

// fault is one entry of a problem's errors.
func fault(field, code string) string {
	return fmt.Sprintf(`{"field":%q,"code":%q,"detail":"<any>"}`, field, code)
}

// saved keeps a value of an answer.
func saved(s apitest.Scenario, name, pointer string) apitest.Scenario {
	s.Save = map[string]string{name: pointer}
	return s
}
