package parallel

import (
	"context"
	"fmt"
	"testing"

	"workforce/ent"
	"workforce/ent/business"
	"workforce/ent/designation"
	"workforce/ent/user"
	"workforce/ent/userdesignation"
	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// signInOrganizer signs in who changes the trees.
func signInOrganizer(t *testing.T, s *harness.Server) { s.SignIn(t, "admin", "admin@demo.test") }

// nodes creates roots of a tree, each named and saved as one of names.
func nodes(entity string, names ...string) func(*testing.T, *harness.Server) {
	return func(t *testing.T, s *harness.Server) {
		for _, name := range names {
			one := mutation(harness.Bearer("admin"), fmt.Sprintf(`create%s(input: {name: %q}) { id }`, entity, name))(0)
			one.Save = map[string]string{name: "/data/create" + entity + "/id"}
			s.Run(t, []apitest.Scenario{one})
		}
	}
}

// eachOther returns requests that move two nodes below each other.
func eachOther(entity, a, b string) func(int) apitest.Scenario {
	return func(i int) apitest.Scenario {
		pair := [2]string{a, b}
		text := fmt.Sprintf(`move%s(id: "{{%s}}", parentId: "{{%s}}") { id }`, entity, pair[i%2], pair[1-i%2])
		return distinct(mutation(harness.Bearer("admin"), text)(i), i)
	}
}

// treeRaces are races of businesses and designations.
func treeRaces() []race {
	system := viewer.System(context.Background())
	db := func(s *harness.Server) *ent.Client { return s.Store.Ent }
	ten := map[string]int{"": 10, "CYCLE": 10}
	return []race{
		{"create a designation", nil, 0, mutation(harness.Bearer("admin"), `createDesignation(input: {name: "Baru"}) { id }`),
			exactly(map[string]int{"": 1, "VALIDATION_FAILED": 19}, rows("designations", 1, func(s *harness.Server) int {
				return db(s).Designation.Query().Where(designation.SortName("baru")).CountX(system)
			}))},
		{"move two designations below each other", nodes("Designation", "kiri", "kanan"), 0, eachOther("Designation", "kiri", "kanan"),
			exactly(ten, rows("designations below another", 1, func(s *harness.Server) int {
				return db(s).Designation.Query().Where(designation.NameIn("kiri", "kanan"), designation.ParentIDNotNil()).CountX(system)
			}))},
		{"move two businesses below each other", nodes("Business", "timur", "barat"), 0, eachOther("Business", "timur", "barat"),
			exactly(ten, rows("businesses below another", 1, func(s *harness.Server) int {
				return db(s).Business.Query().Where(business.NameIn("timur", "barat"), business.ParentIDNotNil()).CountX(system)
			}))},
		{"move businesses of one name below one", func(t *testing.T, s *harness.Server) {
			nodes("Business", "tujuan")(t, s)
			for i := range 20 {
				parent := fmt.Sprint("asal", i)
				nodes("Business", parent)(t, s)
				one := mutation(harness.Bearer("admin"), fmt.Sprintf(`createBusiness(input: {name: "sama", parentId: "{{%s}}"}) { id }`, parent))(0)
				one.Save = map[string]string{fmt.Sprint("sama", i): "/data/createBusiness/id"}
				s.Run(t, []apitest.Scenario{one})
			}
		}, 0, func(i int) apitest.Scenario {
			return mutation(harness.Bearer("admin"), fmt.Sprintf(`moveBusiness(id: "{{sama%d}}", parentId: "{{tujuan}}") { id }`, i))(i)
		}, exactly(map[string]int{"": 1, "VALIDATION_FAILED": 19})},
		{"merge a designation", func(t *testing.T, s *harness.Server) {
			nodes("Designation", "lama", "sasaran")(t, s)
			hold(t, s, "lama")
			hold(t, s, "sasaran")
		}, 0, func(i int) apitest.Scenario {
			return distinct(mutation(harness.Bearer("admin"), `mergeDesignations(id: "{{lama}}", into: "{{sasaran}}") { id }`)(i), i)
		}, exactly(map[string]int{"": 1, "NOT_FOUND": 19}, heldBy("sasaran", 27))},
		{"delete a designation, moving its users", func(t *testing.T, s *harness.Server) {
			nodes("Designation", "usang", "pengganti")(t, s)
			hold(t, s, "usang")
		}, 0, func(i int) apitest.Scenario {
			return distinct(mutation(harness.Bearer("admin"), `deleteDesignation(id: "{{usang}}", moveTo: "{{pengganti}}") { deleted }`)(i), i)
		}, exactly(map[string]int{"": 1, "NOT_FOUND": 19}, heldBy("pengganti", 27))},
		{"merge a business", func(t *testing.T, s *harness.Server) {
			nodes("Business", "cabang", "pusat")(t, s)
			harness.Rewrite(t, system, s.Store.Ent, func(db *ent.Client) {
				id := db.Business.Query().Where(business.Name("cabang")).OnlyIDX(system)
				db.User.Update().Where(user.EmailHasSuffix("@demo.test")).SetBusinessID(id).ExecX(system)
			})
		}, 0, func(i int) apitest.Scenario {
			return distinct(mutation(harness.Bearer("admin"), `mergeBusinesses(id: "{{cabang}}", into: "{{pusat}}") { id }`)(i), i)
		}, exactly(map[string]int{"": 1, "NOT_FOUND": 19}, rows("people of the other", 27, func(s *harness.Server) int {
			return db(s).User.Query().Where(user.HasBusinessWith(business.Name("pusat"))).CountX(system)
		}))},
	}
}

// hold makes everybody of the demo company hold a designation.
func hold(t *testing.T, s *harness.Server, name string) {
	ctx := viewer.System(t.Context())
	harness.Rewrite(t, ctx, s.Store.Ent, func(db *ent.Client) {
		d := db.Designation.Query().Where(designation.Name(name)).OnlyX(ctx)
		users := db.User.Query().Where(user.CompanyID(d.CompanyID)).IDsX(ctx)
		db.UserDesignation.MapCreateBulk(users, func(row *ent.UserDesignationCreate, i int) {
			row.SetCompanyID(d.CompanyID).SetUserID(users[i]).SetDesignationID(d.ID)
		}).ExecX(ctx)
	})
}

// heldBy returns a check of how many people hold a designation.
func heldBy(name string, want int) func(*testing.T, *harness.Server) {
	return rows("holders of "+name, want, func(s *harness.Server) int {
		return s.Store.Ent.UserDesignation.Query().Where(userdesignation.HasDesignationWith(designation.Name(name))).
			CountX(viewer.System(context.Background()))
	})
}
