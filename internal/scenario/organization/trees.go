package organization

import (
	"fmt"
	"strings"
	"testing"

	"workforce/internal/apitest"
	"workforce/internal/errs"
	"workforce/internal/scenario/harness"
)

// Scenarios are the groups of this package.
var Scenarios = []harness.Group{
	{Name: "business tree", Run: businessTree},
	{Name: "designation tree", Run: designationTree},
	{Name: "tree lists", Run: treeLists},
	{Name: "holiday imports", Run: holidayImports},
	{Name: "definitions", Run: definitions},
	{Name: "zone change", Run: zoneChange},
}

// signIn signs in an owner, a manager, an employee and somebody of another company,
// and saves the ids of people, businesses and designations by name, without spaces.
func signIn(t *testing.T, s *harness.Server) {
	for name, email := range map[string]string{
		"andini": "admin@demo.test", "ratna": "manager@demo.test", "budi": "budi@demo.test", "daeng": "admin@tetangga.test",
	} {
		s.SignIn(t, name, email)
		s.Vars[name] = harness.PersonID(t, s, email)
	}
	for who, prefix := range map[string]string{"andini": "", "daeng": "their."} {
		var ids struct {
			Businesses, Designations struct {
				Edges []struct{ Node struct{ ID, Name string } }
			}
		}
		s.GraphQL(t, s.HeaderOf(who), `{businesses{edges{node{id name}}} designations{edges{node{id name}}}}`, nil, &ids)
		for _, e := range ids.Businesses.Edges {
			s.Vars[prefix+"business."+strings.ReplaceAll(e.Node.Name, " ", "")] = e.Node.ID
		}
		for _, e := range ids.Designations.Edges {
			s.Vars[prefix+strings.ReplaceAll(e.Node.Name, " ", "")] = e.Node.ID
		}
	}
}

// mutate returns a scenario of one mutation.
func mutate(name, who, document, want string) apitest.Scenario {
	return harness.Asks(name, who, "mutation{"+document+"}", want)
}

// problem returns the body of a problem in Indonesian, whose meta is JSON, with the fault of one
// field where one is named.
func problem(code, meta string, field ...string) string {
	entry, _ := errs.Describe(code)
	errors := "[]"
	if len(field) > 0 {
		detail := entry.ID.Detail
		if code == "VALIDATION_FAILED" {
			detail = "<any>"
		}
		errors = fmt.Sprintf(`[{"field":%q,"code":%q,"detail":%q}]`, field[0], code, detail)
	}
	return harness.ProblemText(code, entry.ID.Title, fmt.Sprint(entry.Status), entry.ID.Detail, errors, meta)
}

// headerOf returns the headers of somebody, nobody for "".
func headerOf(who string) map[string]string {
	if who == "" {
		return nil
	}
	return harness.SignedIn(who)
}

// saves returns a scenario that saves the id of what it creates.
func saves(s apitest.Scenario, field, as string) apitest.Scenario {
	s.Save = map[string]string{as: "/data/" + field + "/id"}
	return s
}

func businessTree(t *testing.T, s *harness.Server) {
	signIn(t, s)
	refused := harness.Refusal
	const rackInUse = "Already taken there: Rak. Rename here or there first."
	create := func(as, input string) apitest.Scenario {
		return saves(mutate(as, "andini", "createBusiness(input:{"+input+"}){id}", `{"createBusiness":{"id":"<digits>"}}`), "createBusiness", as)
	}
	s.Run(t, []apitest.Scenario{
		create("east", `name:"Timur"`), create("store", `name:"Toko",parentId:"{{east}}"`), create("shelf", `name:"Rak",parentId:"{{store}}"`),
		create("west", `name:"Barat"`), create("rack", `name:"RAK",parentId:"{{west}}"`),
		mutate("below itself", "andini", `moveBusiness(id:"{{store}}",parentId:"{{store}}"){id}`, refused("moveBusiness", "CYCLE", "{}", "parentId", "Nothing can be moved below itself, or merged into itself or what is below it.")),
		mutate("below what is below it", "andini", `moveBusiness(id:"{{east}}",parentId:"{{shelf}}"){id}`, refused("moveBusiness", "CYCLE", "{}", "parentId", "Nothing can be moved below itself, or merged into itself or what is below it.")),
		mutate("beside one of its name", "andini", `moveBusiness(id:"{{shelf}}",parentId:"{{west}}"){id}`, refused("moveBusiness", "VALIDATION_FAILED", "{}", "name", rackInUse)),
		mutate("below another company's", "andini", `moveBusiness(id:"{{shelf}}",parentId:"{{their.business.Tetangga}}"){id}`, refused("moveBusiness", "NOT_FOUND", "{}", "parentId", harness.Nothing)),
		mutate("another company's", "andini", `moveBusiness(id:"{{their.business.Tetangga}}"){id}`, refused("moveBusiness", "NOT_FOUND", "{}")),
		mutate("moved by a manager", "ratna", `moveBusiness(id:"{{shelf}}"){id}`, refused("moveBusiness", "FORBIDDEN", "{}")),
		mutate("elsewhere, with what is below it", "andini", `moveBusiness(id:"{{store}}",parentId:"{{west}}"){name parent{name} children{name}}`,
			`{"moveBusiness":{"name":"Toko","parent":{"name":"Barat"},"children":[{"name":"Rak"}]}}`),
		mutate("to the top", "andini", `moveBusiness(id:"{{store}}",parentId:null){name parent{name}}`, `{"moveBusiness":{"name":"Toko","parent":null}}`),
		mutate("into itself", "andini", `mergeBusinesses(id:"{{store}}",into:"{{store}}"){id}`, refused("mergeBusinesses", "CYCLE", "{}", "into", "Nothing can be moved below itself, or merged into itself or what is below it.")),
		mutate("into what is below it", "andini", `mergeBusinesses(id:"{{store}}",into:"{{shelf}}"){id}`, refused("mergeBusinesses", "CYCLE", "{}", "into", "Nothing can be moved below itself, or merged into itself or what is below it.")),
		mutate("into another company's", "andini", `mergeBusinesses(id:"{{store}}",into:"{{their.business.Tetangga}}"){id}`, refused("mergeBusinesses", "NOT_FOUND", "{}", "into", harness.Nothing)),
		mutate("into one with such a child", "andini", `mergeBusinesses(id:"{{store}}",into:"{{west}}"){id}`, refused("mergeBusinesses", "VALIDATION_FAILED", "{}", "into", rackInUse)),
		mutate("merged by an employee", "budi", `mergeBusinesses(id:"{{store}}",into:"{{west}}"){id}`, refused("mergeBusinesses", "FORBIDDEN", "{}")),
		mutate("deleted, its child beside another", "andini", `deleteBusiness(id:"{{store}}",moveTo:"{{west}}"){deleted}`, refused("deleteBusiness", "VALIDATION_FAILED", "{}", "moveTo", rackInUse)),
		mutate("deleted, moved below itself", "andini", `deleteBusiness(id:"{{store}}",moveTo:"{{shelf}}"){deleted}`, refused("deleteBusiness", "CYCLE", "{}", "moveTo", "Nothing can be moved below itself, or merged into itself or what is below it.")),
		mutate("deleted, moved to another company's", "andini", `deleteBusiness(id:"{{store}}",moveTo:"{{their.business.Tetangga}}"){deleted}`, refused("deleteBusiness", "NOT_FOUND", "{}", "moveTo", harness.Nothing)),
		mutate("deleted with a child", "andini", `deleteBusiness(id:"{{store}}"){deleted}`, refused("deleteBusiness", "CONFLICT", `{"children":1,"conflict":"NOT_EMPTY","users":0}`)),
		mutate("deleted, its child goes elsewhere", "andini", `deleteBusiness(id:"{{store}}",moveTo:"{{east}}"){deleted}`, `{"deleteBusiness":{"deleted":true}}`),
		harness.Asks("after that", "budi", `{business(id:"{{east}}"){name children{name}}}`, `{"business":{"name":"Timur","children":[{"name":"Rak"}]}}`),
		mutate("its people and its site too", "andini", `mergeBusinesses(id:"{{business.Gudang}}",into:"{{business.LayananPelanggan}}"){name userCount totalUserCount}`,
			`{"mergeBusinesses":{"name":"Layanan Pelanggan","userCount":7,"totalUserCount":7}}`),
		harness.Asks("it is gone", "andini", `{business(id:"{{business.Gudang}}"){name}}`, refused("business", "NOT_FOUND", "{}")),
		harness.Asks("the site's business", "budi", `{addresses(where:{nameContains:"Gudang"}){edges{node{name business{name}}}}}`,
			`{"addresses":{"edges":[{"node":{"name":"Gudang Cikarang","business":{"name":"Layanan Pelanggan"}}}]}}`),
		harness.Asks("counted with what is below", "budi", `{businesses(where:{nameIn:["Nusantara","Kantor Jakarta"]},orderBy:{field:NAME,direction:ASC}){edges{node{name userCount totalUserCount}}}}`,
			`{"businesses":{"edges":[{"node":{"name":"Kantor Jakarta","userCount":4,"totalUserCount":18}},{"node":{"name":"Nusantara","userCount":1,"totalUserCount":27}}]}}`),
	})
}

func designationTree(t *testing.T, s *harness.Server) {
	signIn(t, s)
	refused := harness.Refusal
	del := func(name, who, path string, status int, want string) apitest.Scenario {
		return apitest.Scenario{Name: name, Method: "DELETE", Path: "/organization/designation/" + path, Header: headerOf(who), Status: status, Want: want}
	}
	const cycle = "Nothing can be moved below itself, or merged into itself or what is below it."
	s.Run(t, []apitest.Scenario{
		saves(mutate("created", "andini", `createDesignation(input:{name:" Kepala Gudang ",description:"Memimpin gudang",parentId:"{{KepalaKantor}}"}){id name description parent{name}}`,
			`{"createDesignation":{"id":"<digits>","name":"Kepala Gudang","description":"Memimpin gudang","parent":{"name":"Kepala Kantor"}}}`), "createDesignation", "head"),
		mutate("no name", "andini", `createDesignation(input:{name:""}){id}`, refused("createDesignation", "VALIDATION_FAILED", "{}", "name", harness.Required)),
		mutate("a long name and description", "andini", `createDesignation(input:{name:"`+strings.Repeat("x", 101)+`",description:"`+strings.Repeat("x", 401)+`"}){id}`,
			refused("createDesignation", "VALIDATION_FAILED", "{}", "name", "This may have at most 100 characters.", "description", "This may have at most 400 characters.")),
		mutate("a sibling's name", "andini", `createDesignation(input:{name:"kepala gudang",parentId:"{{KepalaKantor}}"}){id}`, refused("createDesignation", "VALIDATION_FAILED", "{}", "name", harness.InUse)),
		mutate("below another company's", "andini", `createDesignation(input:{name:"X",parentId:"{{their.Kasir}}"}){id}`, refused("createDesignation", "NOT_FOUND", "{}", "parentId", harness.Nothing)),
		mutate("by a manager", "ratna", `createDesignation(input:{name:"X"}){id}`, refused("createDesignation", "FORBIDDEN", "{}")),
		mutate("changed", "andini", `updateDesignation(id:"{{head}}",input:{name:"Kepala Gudang Besar",description:null}){name description parent{name}}`,
			`{"updateDesignation":{"name":"Kepala Gudang Besar","description":null,"parent":{"name":"Kepala Kantor"}}}`),
		mutate("below itself", "andini", `updateDesignation(id:"{{head}}",input:{parentId:"{{head}}"}){id}`, refused("updateDesignation", "CYCLE", "{}", "parentId", cycle)),
		mutate("another company's", "andini", `updateDesignation(id:"{{their.Kasir}}",input:{}){id}`, refused("updateDesignation", "NOT_FOUND", "{}")),
		mutate("by an employee", "budi", `updateDesignation(id:"{{head}}",input:{name:"X"}){id}`, refused("updateDesignation", "FORBIDDEN", "{}")),
		mutate("moved below what is below it", "andini", `moveDesignation(id:"{{KepalaKantor}}",parentId:"{{Teknisi}}"){id}`, refused("moveDesignation", "CYCLE", "{}", "parentId", cycle)),
		mutate("moved", "andini", `moveDesignation(id:"{{PetugasGudang}}",parentId:"{{head}}"){name parent{name}}`, `{"moveDesignation":{"name":"Petugas Gudang","parent":{"name":"Kepala Gudang Besar"}}}`),
		mutate("moved by an employee", "budi", `moveDesignation(id:"{{PetugasGudang}}"){id}`, refused("moveDesignation", "FORBIDDEN", "{}")),
		mutate("in use", "andini", `deleteDesignation(id:"{{head}}"){deleted}`, refused("deleteDesignation", "DESIGNATION_IN_USE", `{"children":1,"users":0}`)),
		del("in use by people", "andini", "{{PetugasGudang}}", 409, problem("DESIGNATION_IN_USE", `{"children":0,"users":4}`)),
		del("empty moveTo is none", "andini", "{{PetugasGudang}}?moveTo=", 409, problem("DESIGNATION_IN_USE", `{"children":0,"users":4}`)),
		del("moved below itself", "andini", "{{head}}?moveTo={{PetugasGudang}}", 422, problem("CYCLE", `{}`, "moveTo")),
		del("moved to itself", "andini", "{{head}}?moveTo={{head}}", 422, problem("CYCLE", `{}`, "moveTo")),
		del("moved to another company's", "andini", "{{head}}?moveTo={{their.Kasir}}", 404, problem("NOT_FOUND", `{}`, "moveTo")),
		del("another company's", "andini", "{{their.Kasir}}", 404, problem("NOT_FOUND", `{}`)),
		del("by an employee", "budi", "{{head}}", 403, problem("FORBIDDEN", `{}`)),
		del("by nobody", "", "{{head}}", 401, ""),
		saves(mutate("another of its child's name", "andini", `createDesignation(input:{name:"PETUGAS gudang",parentId:"{{Teknisi}}"}){id}`, `{"createDesignation":{"id":"<digits>"}}`), "createDesignation", "same"),
		del("moved where a child has the name", "andini", "{{head}}?moveTo={{Teknisi}}", 422, problem("VALIDATION_FAILED", `{}`, "moveTo")),
		del("nothing was moved", "andini", "{{head}}", 409, problem("DESIGNATION_IN_USE", `{"children":1,"users":0}`)),
		del("unused", "andini", "{{same}}", 200, `{"deleted":true}`),
		mutate("merged by an employee", "budi", `mergeDesignations(id:"{{PetugasGudang}}",into:"{{Teknisi}}"){id}`, refused("mergeDesignations", "FORBIDDEN", "{}")),
		mutate("merged into another company's", "andini", `mergeDesignations(id:"{{PetugasGudang}}",into:"{{their.Kasir}}"){id}`, refused("mergeDesignations", "NOT_FOUND", "{}", "into", harness.Nothing)),
		// Rizky and Wahyu hold both, Slamet and Sumarni the one, Dimas the other.
		mutate("who holds both holds one", "andini", `mergeDesignations(id:"{{PetugasGudang}}",into:"{{Teknisi}}"){name userCount totalUserCount}`, `{"mergeDesignations":{"name":"Teknisi","userCount":5,"totalUserCount":5}}`),
		harness.Asks("one of them", "budi", `{users(where:{emailHasPrefix:"rizky"}){edges{node{designations{name}}}}}`, `{"users":{"edges":[{"node":{"designations":[{"name":"Teknisi"}]}}]}}`),
		del("moved", "andini", "{{Teknisi}}?moveTo={{head}}", 200, `{"deleted":true}`),
		harness.Asks("afterwards", "budi", `{designation(id:"{{head}}"){userCount}}`, `{"designation":{"userCount":5}}`),
		harness.Asks("counted once with what is below", "budi", `{designation(id:"{{KepalaKantor}}"){userCount totalUserCount children{name userCount}}}`,
			`{"designation":{"userCount":2,"totalUserCount":23,"children":[{"name":"Kepala Gudang Besar","userCount":5},{"name":"Penyelia","userCount":2},{"name":"Staf Administrasi","userCount":4}]}}`),
	})
}

func treeLists(t *testing.T, s *harness.Server) {
	signIn(t, s)
	get := func(name, who, path string, status int, want string) apitest.Scenario {
		return apitest.Scenario{Name: name, Path: path, Header: headerOf(who), Status: status, Want: want}
	}
	entry := func(name, parent string, addresses, users int) string {
		return fmt.Sprintf(`{"id":"{{business.%s}}","name":%q,"parentId":%s,"addressCount":%d,"userCount":%d}`, strings.ReplaceAll(name, " ", ""), name, parent, addresses, users)
	}
	node := func(prefix, name, parent string, depth, users int) string {
		return fmt.Sprintf(`{"id":"{{%s%s}}","name":%q,"parentId":%s,"depth":%d,"userCount":%d}`, prefix, strings.ReplaceAll(name, " ", ""), name, parent, depth, users)
	}
	const root, jakarta, bandung = `"{{business.Nusantara}}"`, `"{{business.KantorJakarta}}"`, `"{{business.KantorBandung}}"`
	structure := "[" + strings.Join([]string{
		node("business.", "Nusantara", "null", 0, 1),
		node("business.", "Kantor Bandung", root, 1, 3), node("business.", "Operasional Bandung", bandung, 2, 5),
		node("business.", "Kantor Jakarta", root, 1, 4), node("business.", "Gudang", jakarta, 2, 3),
		node("business.", "Layanan Pelanggan", jakarta, 2, 4), node("business.", "Operasional Jakarta", jakarta, 2, 7),
	}, ",") + "]"
	titles := func(counts ...int) string {
		return "[" + strings.Join([]string{
			node("", "Direktur", "null", 0, counts[0]), node("", "Kepala Kantor", `"{{Direktur}}"`, 1, counts[1]),
			node("", "Penyelia", `"{{KepalaKantor}}"`, 2, counts[2]), node("", "Layanan Pelanggan", `"{{Penyelia}}"`, 3, counts[3]),
			node("", "Petugas Gudang", `"{{Penyelia}}"`, 3, counts[4]), node("", "Staf Operasional", `"{{Penyelia}}"`, 3, counts[5]),
			node("", "Teknisi", `"{{Penyelia}}"`, 3, counts[6]), node("", "Staf Administrasi", `"{{KepalaKantor}}"`, 2, counts[7]),
		}, ",") + "]"
	}
	s.Run(t, []apitest.Scenario{
		get("businesses", "budi", "/organization/business", 200, "["+strings.Join([]string{
			entry("Gudang", jakarta, 1, 3), entry("Kantor Bandung", root, 1, 3), entry("Kantor Jakarta", root, 0, 4), entry("Layanan Pelanggan", jakarta, 0, 4),
			entry("Nusantara", "null", 1, 1), entry("Operasional Bandung", bandung, 0, 5), entry("Operasional Jakarta", jakarta, 0, 7),
		}, ",")+"]"),
		get("businesses by a part of the name", "budi", "/organization/business?search=UDAN", 200, "["+entry("Gudang", jakarta, 1, 3)+"]"),
		get("businesses of no such name", "budi", "/organization/business?search=zzz", 200, "[]"),
		get("an empty search", "budi", "/organization/business?search=", 200, ""),
		get("a long search", "budi", "/organization/business?search="+strings.Repeat("x", 1001), 422, problem("VALIDATION_FAILED", "{}", "search")),
		get("businesses for nobody", "", "/organization/business", 401, ""),
		get("businesses as a tree", "budi", "/organization/structure", 200, structure),
		get("a tree for nobody", "", "/organization/structure", 401, ""),
		harness.Asks("by GraphQL", "budi", `{businessStructure{id name parentId depth userCount}}`, `{"businessStructure":`+structure+`}`),
		get("designations as a tree", "budi", "/organization/designation", 200, titles(1, 2, 2, 4, 4, 7, 3, 4)),
		get("those of everybody", "budi", "/organization/designation?businessId={{business.Nusantara}}", 200, titles(1, 2, 2, 4, 4, 7, 3, 4)),
		get("those of a part of the company, with all above", "budi", "/organization/designation?businessId={{business.Gudang}}", 200, "["+strings.Join([]string{
			node("", "Direktur", "null", 0, 0), node("", "Kepala Kantor", `"{{Direktur}}"`, 1, 0), node("", "Penyelia", `"{{KepalaKantor}}"`, 2, 0),
			node("", "Petugas Gudang", `"{{Penyelia}}"`, 3, 3), node("", "Teknisi", `"{{Penyelia}}"`, 3, 1),
		}, ",")+"]"),
		get("another company's business", "budi", "/organization/designation?businessId={{their.business.Tetangga}}", 404, problem("NOT_FOUND", "{}", "businessId")),
		get("no number", "budi", "/organization/designation?businessId=x", 404, problem("NOT_FOUND", "{}", "businessId")),
		get("designations for nobody", "", "/organization/designation", 401, ""),
		get("another company", "daeng", "/organization/designation", 200, `[`+node("their.", "Kasir", "null", 0, 3)+`]`),
	})
	count := func(name, query, total string) apitest.Scenario {
		return apitest.Scenario{Name: name, Path: "/user?limit=1&" + query, Header: harness.SignedIn("budi"), WantHeader: map[string]string{"X-Total-Count": total}}
	}
	s.Run(t, []apitest.Scenario{
		count("people of a business", "businessId={{business.KantorJakarta}}", "4"),
		count("people of a business, not below", "businessId={{business.KantorJakarta}}&subtree=false", "4"),
		count("and below", "businessId={{business.KantorJakarta}}&subtree=true", "18"),
		count("people of a designation", "designationId={{Penyelia}}", "2"),
		count("and of those below", "designationId={{Penyelia}}&subtree=true", "18"),
		count("both", "designationId={{Penyelia}}&businessId={{business.KantorBandung}}&subtree=true", "5"),
		count("everybody", "subtree=true", "27"),
		get("another company's", "budi", "/user?businessId={{their.business.Tetangga}}&subtree=true", 404, problem("NOT_FOUND", "{}", "businessId")),
		get("no truth", "budi", "/user?subtree=maybe", 422, problem("VALIDATION_FAILED", "{}", "subtree")),
	})
}
