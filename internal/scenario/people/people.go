package people

import (
	"fmt"
	"strings"
	"testing"

	"workforce/internal/apitest"
	"workforce/internal/demo"
	"workforce/internal/scenario/harness"
	"workforce/internal/scenario/organization"
	"workforce/internal/viewer"
)

// permissionScenarios administer people, roles and businesses, and see who may.
func permissionScenarios(t *testing.T, s *harness.Server) {
	for name, email := range map[string]string{
		"budi": "budi@demo.test", "andini": "admin@demo.test", "ratna": "manager@demo.test", "siti": "siti@demo.test",
		"maya": "maya@demo.test", "daeng": "admin@tetangga.test",
	} {
		s.SignIn(t, name, email)
		s.Vars[name] = harness.PersonID(t, s, email)
	}
	s.Vars["nur"], s.Vars["cecep"] = harness.PersonID(t, s, "nur@demo.test"), harness.PersonID(t, s, "cecep@demo.test")
	harness.RoleIDs(t, s, "andini", "")
	harness.RoleIDs(t, s, "daeng", "their.")
	t.Run("own permissions", func(t *testing.T) { ownPermissions(t, s) })
	t.Run("roles", func(t *testing.T) { roles(t, s) })
	t.Run("role refusals", func(t *testing.T) { roleRefusals(t, s) })
	t.Run("people", func(t *testing.T) { people(t, s) })
	t.Run("members", func(t *testing.T) { peopleMembers(t, s) })
	t.Run("ranks", func(t *testing.T) { ranks(t, s) })
	t.Run("leavers", func(t *testing.T) { leavers(t, s) })
	t.Run("last owner", func(t *testing.T) { lastOwner(t, s) })
	t.Run("custom roles", func(t *testing.T) { customRoles(t, s) })
	t.Run("businesses", func(t *testing.T) { organization.Businesses(t, s) })
	t.Run("company", func(t *testing.T) { organization.Company(t, s) })
	t.Run("places", func(t *testing.T) { organization.Places(t, s) })
}

func ownPermissions(t *testing.T, s *harness.Server) {
	own := func(role string) string {
		name := strings.ToUpper(role[:1]) + role[1:]
		return `{"roles":[{"id":"{{role.` + role + `}}","name":"` + name + `"}],"permissions":` + harness.JSON(t, viewer.Permissions(role)) + `}`
	}
	entry := func(role, users string) string {
		name := strings.ToUpper(role[:1]) + role[1:]
		return `{"id":"{{role.` + role + `}}","name":"` + name + `","permissions":` + harness.JSON(t, viewer.Permissions(role)) + `,"userCount":` + users + `}`
	}
	list := "[" + strings.Join([]string{entry("admin", "0"), entry("employee", "23"), entry("manager", "1"), entry("owner", "1"), entry("supervisor", "2")}, ",") + "]"
	s.Run(t, []apitest.Scenario{
		{Name: "an employee's", Path: "/user/permission", Header: harness.SignedIn("budi"), Want: own("employee")},
		{Name: "a supervisor's", Path: "/user/permission", Header: harness.SignedIn("siti"), Want: own("supervisor")},
		{Name: "a manager's", Path: "/user/permission", Header: harness.SignedIn("ratna"), Want: own("manager")},
		{Name: "an owner's", Path: "/user/permission", Header: harness.SignedIn("andini"), Want: own("owner")},
		{Name: "nobody's", Path: "/user/permission", Status: 401, Want: harness.UnsignedText("access", "missing")},
		harness.Asks("by GraphQL", "budi", "{permission{roles{id name} permissions}}", `{"permission":`+own("employee")+`}`),
		{Name: "roles", Path: "/privelge/role", Header: harness.SignedIn("budi"), Want: list},
		{Name: "roles for nobody", Path: "/privelge/role", Status: 401, Want: harness.UnsignedText("access", "missing")},
		harness.Asks("roles by GraphQL", "budi", "{roleList{id name permissions userCount}}", `{"roleList":`+list+`}`),
		harness.Asks("permissions of a role", "budi", `{role(id:"{{role.manager}}"){name builtin permissions}}`,
			`{"role":{"name":"Manager","builtin":"manager","permissions":`+harness.JSON(t, viewer.Permissions("manager"))+`}}`),
	})
}

func roles(t *testing.T, s *harness.Server) {
	const fields = "{id name builtin permissions}"
	make := harness.Asks("made", "andini", `mutation{createRole(input:{name:" Auditor ",permissions:["task.read.all","audit.read.all","task.read.all"]})`+fields+`}`,
		`{"createRole":{"id":"<digits>","name":"Auditor","builtin":null,"permissions":["audit.read.all","task.read.all"]}}`)
	make.Save = map[string]string{"auditor": "/data/createRole/id"}
	s.Run(t, []apitest.Scenario{
		make,
		harness.Asks("renamed, what it may stays", "andini", `mutation{updateRole(id:"{{auditor}}",input:{name:"Pengawas"})`+fields+`}`,
			`{"updateRole":{"id":"{{auditor}}","name":"Pengawas","builtin":null,"permissions":["audit.read.all","task.read.all"]}}`),
		harness.Asks("its own name again", "andini", `mutation{updateRole(id:"{{auditor}}",input:{name:"PENGAWAS"}){name}}`, `{"updateRole":{"name":"PENGAWAS"}}`),
		harness.Asks("may nothing", "andini", `mutation{updateRole(id:"{{auditor}}",input:{permissions:[]}){name permissions}}`,
			`{"updateRole":{"name":"PENGAWAS","permissions":[]}}`),
		harness.Asks("nothing changed", "andini", `mutation{updateRole(id:"{{auditor}}",input:{}){name}}`, `{"updateRole":{"name":"PENGAWAS"}}`),
		harness.Asks("given", "andini", `mutation{updateUser(id:"{{nur}}",input:{roleIds:["{{role.employee}}","{{auditor}}","{{auditor}}"]}){roles{name}}}`,
			`{"updateUser":{"roles":[{"name":"Employee"},{"name":"PENGAWAS"}]}}`),
		harness.Asks("in use", "andini", `mutation{deleteRole(id:"{{auditor}}"){deleted}}`, harness.Refusal("deleteRole", "CONFLICT", `{"conflict":"IN_USE","users":1}`)),
		harness.Asks("taken away", "andini", `mutation{updateUser(id:"{{nur}}",input:{roleIds:["{{role.employee}}"]}){roles{name}}}`,
			`{"updateUser":{"roles":[{"name":"Employee"}]}}`),
		harness.Asks("removed", "andini", `mutation{deleteRole(id:"{{auditor}}"){deleted}}`, `{"deleteRole":{"deleted":true}}`),
		harness.Asks("is gone", "andini", `mutation{deleteRole(id:"{{auditor}}"){deleted}}`, harness.Refusal("deleteRole", "NOT_FOUND", `{}`)),
	})
}

func roleRefusals(t *testing.T, s *harness.Server) {
	create := func(name, who, input, want string) apitest.Scenario {
		return harness.Asks(name, who, "mutation{createRole(input:{"+input+"}){id}}", want)
	}
	change := func(name, who, id, input, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{updateRole(id:"{{`+id+`}}",input:{`+input+`}){id}}`, want)
	}
	const invalid = "VALIDATION_FAILED"
	s.Run(t, []apitest.Scenario{
		create("by an employee", "budi", `name:"X",permissions:[]`, harness.Refusal("createRole", "FORBIDDEN", "{}")),
		create("by a manager", "ratna", `name:"",permissions:["x"]`, harness.Refusal("createRole", "FORBIDDEN", "{}")),
		create("no name", "andini", `name:" ",permissions:[]`, harness.Refusal("createRole", invalid, "{}", "name", harness.Required)),
		create("a long name", "andini", `name:"`+strings.Repeat("x", 101)+`",permissions:[]`,
			harness.Refusal("createRole", invalid, "{}", "name", "This may have at most 100 characters.")),
		create("no permissions", "andini", `name:"X",permissions:["task.read.all","task.fly.all"]`,
			harness.Refusal("createRole", invalid, "{}", "permissions", "This must look like resource.action.scope.")),
		create("all that is wrong", "andini", `name:"",permissions:[""]`,
			harness.Refusal("createRole", invalid, "{}", "name", harness.Required, "permissions", "This must look like resource.action.scope.")),
		create("a name that is taken, in other letters", "andini", `name:"mAnager",permissions:[]`, harness.Refusal("createRole", invalid, "{}", "name", harness.InUse)),
		change("a built-in one, by an owner", "andini", "role.employee", `name:"Staf"`, harness.Refusal("updateRole", "FORBIDDEN", "{}")),
		change("a built-in one, by an employee", "budi", "role.employee", `name:"Staf"`, harness.Refusal("updateRole", "FORBIDDEN", "{}")),
		change("another company's", "andini", "their.role.employee", `name:"Staf"`, harness.Refusal("updateRole", "NOT_FOUND", "{}")),
		change("another company's, by an employee", "budi", "their.role.employee", `name:"Staf"`, harness.Refusal("updateRole", "NOT_FOUND", "{}")),
		harness.Asks("no id", "andini", `mutation{updateRole(id:"x",input:{}){id}}`, harness.Refusal("updateRole", "NOT_FOUND", "{}")),
		harness.Asks("a built-in one is not removed", "andini", `mutation{deleteRole(id:"{{role.admin}}"){deleted}}`, harness.Refusal("deleteRole", "FORBIDDEN", "{}")),
		harness.Asks("another company's is not removed", "andini", `mutation{deleteRole(id:"{{their.role.admin}}"){deleted}}`, harness.Refusal("deleteRole", "NOT_FOUND", "{}")),
	})
}

func people(t *testing.T, s *harness.Server) {
	var ids struct {
		Businesses, Designations struct {
			Edges []struct{ Node struct{ ID, Name string } }
		}
	}
	s.GraphQL(t, s.HeaderOf("andini"), `{businesses{edges{node{id name}}} designations{edges{node{id name}}}}`, nil, &ids)
	for _, e := range append(ids.Businesses.Edges, ids.Designations.Edges...) {
		s.Vars[strings.ReplaceAll(e.Node.Name, " ", "")] = e.Node.ID
	}
	s.GraphQL(t, s.HeaderOf("daeng"), `{businesses{edges{node{id name}}} designations{edges{node{id name}}}}`, nil, &ids)
	s.Vars["their.business"], s.Vars["their.designation"] = ids.Businesses.Edges[0].Node.ID, ids.Designations.Edges[0].Node.ID
	const fields = `{id name email mobileNumber{countryCode number} locale gender active joinedOn leftOn business{name} designations{name} roles{name}}`
	created := harness.Asks("with all members", "andini", `mutation{createUser(input:{name:" Tono Baru ",email:"Tono@Demo.test",mobileNumber:{countryCode:62,number:"0840 1100 901"},
		password:"kuda-terbang-42",locale:"en",gender:"male",roleIds:["{{role.supervisor}}"],businessId:"{{Gudang}}",designationIds:["{{Teknisi}}","{{Penyelia}}","{{Teknisi}}"],
		joinedOn:"2026-03-01",leftOn:"2026-03-10"})`+fields+`}`,
		`{"createUser":{"id":"<digits>","name":"Tono Baru","email":"Tono@Demo.test","mobileNumber":{"countryCode":62,"number":"0840 1100 901"},"locale":"en","gender":"male","active":true,"joinedOn":"2026-03-01","leftOn":"2026-03-10","business":{"name":"Gudang"},"designations":[{"name":"Penyelia"},{"name":"Teknisi"}],"roles":[{"name":"Supervisor"}]}}`)
	created.Save = map[string]string{"tono": "/data/createUser/id"}
	login := func(name, username, password string, status int) apitest.Scenario {
		return apitest.Scenario{Name: name, Path: "/user/login", Header: map[string]string{"X-Device-Token": "{{budi.device}}"},
			Body: `{"username":"` + username + `","password":"` + password + `"}`, Status: status}
	}
	invited := harness.Asks("with few members", "andini", `mutation{createUser(input:{name:"Wati",email:"wati@demo.test"})`+fields+`}`,
		`{"createUser":{"id":"<digits>","name":"Wati","email":"wati@demo.test","mobileNumber":{"countryCode":null,"number":null},"locale":"id","gender":null,"active":true,"joinedOn":null,"leftOn":null,"business":null,"designations":[],"roles":[{"name":"Employee"}]}}`)
	invited.Save = map[string]string{"wati": "/data/createUser/id"}
	s.Run(t, []apitest.Scenario{
		created,
		login("signs in by address", "tono@demo.test", "kuda-terbang-42", 200),
		login("signs in by number", "+62 840 1100 901", "kuda-terbang-42", 200),
		invited,
		login("has no password yet", "wati@demo.test", "", 422),
		harness.Asks("is listed", "budi", `{users(where:{emailIn:["wati@demo.test","Tono@Demo.test"]}){totalCount}}`, `{"users":{"totalCount":2}}`),
		harness.Asks("changed", "andini", `mutation{updateUser(id:"{{tono}}",input:{name:"Tono",email:"tono.baru@demo.test",mobileNumber:null,gender:null,businessId:null,designationIds:[],joinedOn:null,leftOn:null,locale:"id"})`+fields+`}`,
			`{"updateUser":{"id":"{{tono}}","name":"Tono","email":"tono.baru@demo.test","mobileNumber":{"countryCode":null,"number":null},"locale":"id","gender":null,"active":true,"joinedOn":null,"leftOn":null,"business":null,"designations":[],"roles":[{"name":"Supervisor"}]}}`),
		login("the old address is nobody's", "tono@demo.test", "kuda-terbang-42", 401),
		login("the old number is nobody's", "+628401100901", "kuda-terbang-42", 401),
		login("the new address is theirs", "tono.baru@demo.test", "kuda-terbang-42", 200),
		harness.Asks("the number can be another's now", "andini", `mutation{updateUser(id:"{{wati}}",input:{mobileNumber:{countryCode:62,number:"8401100901"}}){mobileNumber{number}}}`,
			`{"updateUser":{"mobileNumber":{"number":"8401100901"}}}`),
		harness.Asks("100 characters, however many bytes", "andini", `mutation{updateUser(id:"{{wati}}",input:{name:"`+strings.Repeat("é", 100)+`"}){name}}`,
			`{"updateUser":{"name":"`+strings.Repeat("é", 100)+`"}}`),
		harness.Asks("and back", "andini", `mutation{updateUser(id:"{{wati}}",input:{name:"Wati"}){name}}`, `{"updateUser":{"name":"Wati"}}`),
		harness.Asks("nothing changed", "andini", `mutation{updateUser(id:"{{wati}}",input:{}){name}}`, `{"updateUser":{"name":"Wati"}}`),
	})
	if got := notice(t, s, "wati@demo.test"); !strings.Contains(got, "Nusantara Demo") || !strings.Contains(got, "wati@demo.test") {
		t.Errorf("the invitation says %q", got)
	}
	for _, text := range s.Log.Notices("Tono@Demo.test") {
		if strings.Contains(text, "Nusantara Demo") {
			t.Errorf("somebody with a password was invited: %q", text)
		}
	}
}

// notice waits for the first message without a code to an address.
func notice(t *testing.T, s *harness.Server, to string) string {
	t.Helper()
	return s.Log.Notice(t, to, 1)
}

func peopleMembers(t *testing.T, s *harness.Server) {
	const invalid = "VALIDATION_FAILED"
	create := func(name, who, input, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{createUser(input:{`+input+`}){id}}`, want)
	}
	change := func(name, input, want string) apitest.Scenario {
		return harness.Asks(name, "andini", `mutation{updateUser(id:"{{nur}}",input:{`+input+`}){id}}`, want)
	}
	const new = `name:"X",email:"x@demo.test"`
	address, number := "This must look like name@example.com.", "This must look like 62 811123789."
	s.Run(t, []apitest.Scenario{
		create("all that is wrong", "andini", `name:" ",email:"x",mobileNumber:{countryCode:62,number:"1"},password:"",locale:"fr",gender:"x",joinedOn:"2026-03-02",leftOn:"2026-03-01"`,
			harness.Refusal("createUser", invalid, "{}", "name", harness.Required, "email", address, "mobileNumber", number, "locale", "This must be one of id, en.",
				"gender", "This must be one of male, female.", "leftOn", "This must lie between 2026-03-02 and 9999-12-31.", "password", harness.Required)),
		create("a long name", "andini", `name:"`+strings.Repeat("é", 101)+`",email:"x@demo.test"`,
			harness.Refusal("createUser", invalid, "{}", "name", "This may have at most 100 characters.")),
		create("a weak password", "andini", new+`,password:"password"`,
			harness.Refusal("createUser", "PASSWORD_WEAK", `{"max":128,"min":8,"reason":"common"}`, "password", "This is one of the most common passwords; choose another.")),
		create("their own name as a password", "andini", `name:"Kuda Terbang",email:"x@demo.test",password:"KUDA TERBANG"`,
			harness.Refusal("createUser", "PASSWORD_WEAK", `{"max":128,"min":8,"reason":"personal"}`, "password", "Choose a password that is not made of your name, e-mail address, phone number or company.")),
		create("an address that is taken", "andini", `name:"X",email:"BUDI@demo.test"`, harness.Refusal("createUser", invalid, "{}", "email", harness.InUse)),
		create("an address and a number that are taken in another company", "andini", `name:"X",email:"admin@tetangga.test",mobileNumber:{countryCode:62,number:"0840 1200 001"}`,
			harness.Refusal("createUser", invalid, "{}", "email", harness.InUse, "mobileNumber", harness.InUse)),
		create("another company's role", "andini", new+`,roleIds:["{{their.role.employee}}"]`, harness.Refusal("createUser", "NOT_FOUND", "{}", "roleIds", harness.Nothing)),
		create("another company's business", "andini", new+`,businessId:"{{their.business}}"`, harness.Refusal("createUser", "NOT_FOUND", "{}", "businessId", harness.Nothing)),
		create("another company's designation", "andini", new+`,designationIds:["{{Penyelia}}","{{their.designation}}"]`,
			harness.Refusal("createUser", "NOT_FOUND", "{}", "designationIds", harness.Nothing)),
		create("by an employee", "budi", new, harness.Refusal("createUser", "FORBIDDEN", "{}")),
		create("by a manager, whatever the members", "ratna", `name:"",email:""`, harness.Refusal("createUser", "FORBIDDEN", "{}")),
		harness.Asks("nobody came of it", "andini", `{users(where:{emailIn:["x@demo.test"]}){totalCount}}`, `{"users":{"totalCount":0}}`),
		change("null where there must be something", `name:null,email:null,locale:null,active:null`,
			harness.Refusal("updateUser", invalid, "{}", "name", harness.Required, "email", harness.Required, "locale", harness.Required, "active", harness.Required)),
		change("a last day before the first that stays", `leftOn:"1999-01-01"`,
			harness.Refusal("updateUser", invalid, "{}", "leftOn", "This must lie between <date> and 9999-12-31.")),
		change("an address that is taken", `email:"budi@demo.test"`, harness.Refusal("updateUser", invalid, "{}", "email", harness.InUse)),
		change("a number that is taken", `mobileNumber:{countryCode:62,number:"0840 1100 003"}`, harness.Refusal("updateUser", invalid, "{}", "mobileNumber", harness.InUse)),
		change("another company's business", `businessId:"{{their.business}}"`, harness.Refusal("updateUser", "NOT_FOUND", "{}", "businessId", harness.Nothing)),
		change("their own address in other letters", `email:"NUR@demo.test"`, `{"updateUser":{"id":"{{nur}}"}}`),
		change("and back", `email:"nur@demo.test"`, `{"updateUser":{"id":"{{nur}}"}}`),
		harness.Asks("another company's user", "andini", `mutation{updateUser(id:"{{daeng}}",input:{name:""}){id}}`, harness.Refusal("updateUser", "NOT_FOUND", "{}")),
		harness.Asks("no id", "andini", `mutation{deleteUser(id:"x"){deleted}}`, harness.Refusal("deleteUser", "NOT_FOUND", "{}")),
		harness.Asks("beside another with the same address", "andini", `mutation{a:createUser(input:{`+new+`,password:"kuda-terbang-42"}){id} b:createUser(input:{`+new+`}){id}}`,
			harness.Refusal("b", invalid, "{}", "email", harness.InUse)),
		harness.Asks("nobody came of that either", "andini", `{users(where:{emailIn:["x@demo.test"]}){totalCount}}`, `{"users":{"totalCount":0}}`),
	})
}

// ranks hold that nobody gives or changes what is above them.
func ranks(t *testing.T, s *harness.Server) {
	update := func(name, who, id, input, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{updateUser(id:"{{`+id+`}}",input:{`+input+`}){name}}`, want)
	}
	forbidden, above := harness.Refusal("updateUser", "FORBIDDEN", "{}"), harness.Refusal("updateUser", "FORBIDDEN", "{}", "roleIds", harness.NotAllowed)
	nur := `{"updateUser":{"name":"nur Hidayah"}}`
	s.Run(t, []apitest.Scenario{
		update("an employee changes nobody", "budi", "nur", `name:"X"`, forbidden),
		update("nor themselves", "budi", "budi", `name:"X"`, forbidden),
		update("nor what is not there", "budi", "daeng", `name:"X"`, harness.Refusal("updateUser", "NOT_FOUND", "{}")),
		update("nor gives themselves a role", "budi", "budi", `roleIds:["{{role.owner}}"]`, forbidden),
		update("a manager does not change their team", "ratna", "budi", `name:"X"`, forbidden),
		update("an owner makes an admin", "andini", "maya", `roleIds:["{{role.admin}}"]`, `{"updateUser":{"name":"Maya Puspita"}}`),
		update("who may from the next request on", "maya", "nur", `roleIds:["{{role.manager}}"]`, nur),
		update("and back", "maya", "nur", `roleIds:["{{role.employee}}"]`, nur),
		update("an admin makes another", "maya", "nur", `roleIds:["{{role.admin}}"]`, nur),
		update("and unmakes them", "maya", "nur", `roleIds:["{{role.employee}}"]`, nur),
		update("an admin makes no owner", "maya", "nur", `roleIds:["{{role.employee}}","{{role.owner}}"]`, above),
		update("not even of themselves", "maya", "maya", `roleIds:["{{role.admin}}","{{role.owner}}"]`, above),
		update("an admin does not touch an owner", "maya", "andini", `name:"X"`, forbidden),
		update("nor take their role", "maya", "andini", `roleIds:["{{role.employee}}"]`, forbidden),
		update("nor deactivate them", "maya", "andini", `active:false`, forbidden),
		harness.Asks("nor delete them", "maya", `mutation{deleteUser(id:"{{andini}}"){deleted}}`, harness.Refusal("deleteUser", "FORBIDDEN", "{}")),
		harness.Asks("nor make a new owner", "maya", `mutation{createUser(input:{name:"X",email:"x@demo.test",roleIds:["{{role.owner}}"]}){id}}`,
			harness.Refusal("createUser", "FORBIDDEN", "{}", "roleIds", harness.NotAllowed)),
		update("somebody without any role", "maya", "nur", `roleIds:[]`, nur),
		update("null is none too", "maya", "nur", `roleIds:null`, nur),
		update("and is an employee again", "maya", "nur", `roleIds:["{{role.employee}}"]`, nur),
		update("an owner unmakes the admin", "andini", "maya", `roleIds:["{{role.employee}}"]`, `{"updateUser":{"name":"Maya Puspita"}}`),
		update("who may nothing from the next request on", "maya", "nur", `name:"X"`, forbidden),
	})
}

// leavers are deactivated: their sessions end at once, for good.
func leavers(t *testing.T, s *harness.Server) {
	s.SignIn(t, "cecep", "cecep@demo.test")
	revoked := harness.UnsignedText("access", "revoked")
	with := func(name, path, header, value string, status int, want string) apitest.Scenario {
		return apitest.Scenario{Name: name, Path: path, Header: map[string]string{header: value, "X-Language": "en"}, Status: status, Want: want}
	}
	login := apitest.Scenario{Name: "signs in no more", Path: "/user/login", Header: map[string]string{"X-Device-Token": "{{cecep.device}}", "X-Language": "en"},
		Body: `{"username":"cecep@demo.test","password":"` + demo.Password + `"}`, Status: 401,
		Want: harness.ProblemText("INVALID_CREDENTIALS", "Wrong user name or password", "401", "The user name or the password is wrong.", "[]", "{}")}
	ends := func(how, document, want string) []apitest.Scenario {
		return []apitest.Scenario{
			with("is signed in "+how, "/user/profile", "Authorization", "Bearer {{cecep.access}}", 200, ""),
			harness.Asks(how, "andini", document, want),
			with("access ended "+how, "/user/profile", "Authorization", "Bearer {{cecep.access}}", 401, revoked),
			with("refresh ended "+how, "/authorize/refresh-token", "x-Refresh-Token", "{{cecep.refresh}}", 401, harness.UnsignedText("refresh", "revoked")),
			with("user token ended "+how, "/authorize/access-token", "x-User-Token", "{{cecep.user}}", 401, harness.UnsignedText("user", "revoked")),
			login,
			harness.Asks("is seen by an admin of people "+how, "andini", `{users(where:{emailHasPrefix:"cecep"}){totalCount}}`, `{"users":{"totalCount":1}}`),
			harness.Asks("is not seen by others "+how, "budi", `{users(where:{emailHasPrefix:"cecep"}){totalCount}}`, `{"users":{"totalCount":0}}`),
			harness.Asks("again "+how, "andini", document, want),
			harness.Asks("comes back "+how, "andini", `mutation{updateUser(id:"{{cecep}}",input:{active:true}){active}}`, `{"updateUser":{"active":true}}`),
			with("the old session stays ended "+how, "/user/profile", "Authorization", "Bearer {{cecep.access}}", 401, revoked),
		}
	}
	s.Run(t, ends("by updateUser", `mutation{updateUser(id:"{{cecep}}",input:{active:false}){active}}`, `{"updateUser":{"active":false}}`))
	s.Run(t, []apitest.Scenario{{Name: "signs in again", Path: "/user/login", Header: map[string]string{"X-Device-Token": "{{cecep.device}}"},
		Body: `{"username":"cecep@demo.test","password":"` + demo.Password + `"}`, Want: `"<any>"`, Save: map[string]string{"cecep.user": "/userToken"}},
		{Name: "on a device that is still trusted", Path: "/authorize/access-token", Header: map[string]string{"x-User-Token": "{{cecep.user}}"},
			Want: `"<any>"`, Save: map[string]string{"cecep.access": "/accessToken", "cecep.refresh": "/refreshToken"}}})
	s.Run(t, ends("by deleteUser", `mutation{deleteUser(id:"{{cecep}}"){deleted}}`, `{"deleteUser":{"deleted":true}}`))
}

// lastOwner holds that a company always has an active owner.
func lastOwner(t *testing.T, s *harness.Server) {
	update := func(name, who, id, input, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{updateUser(id:"{{`+id+`}}",input:{`+input+`}){id}}`, want)
	}
	last := harness.Refusal("updateUser", "CONFLICT", `{"conflict":"LAST_OWNER","owners":1}`)
	done := func(id string) string { return `{"updateUser":{"id":"{{` + id + `}}"}}` }
	s.Run(t, []apitest.Scenario{
		update("is not deactivated", "andini", "andini", "active:false", last),
		update("keeps the role", "andini", "andini", `roleIds:["{{role.admin}}"]`, last),
		update("keeps the role among none", "andini", "andini", `roleIds:[]`, last),
		harness.Asks("is not deleted", "andini", `mutation{deleteUser(id:"{{andini}}"){deleted}}`, harness.Refusal("deleteUser", "CONFLICT", `{"conflict":"LAST_OWNER","owners":1}`)),
		update("may get more", "andini", "andini", `roleIds:["{{role.admin}}","{{role.owner}}"]`, done("andini")),
		update("an owner who is not active", "andini", "cecep", `roleIds:["{{role.owner}}"],active:false`, done("cecep")),
		update("is none", "andini", "andini", "active:false", last),
		update("who loses the role", "andini", "cecep", `roleIds:["{{role.employee}}"]`, done("cecep")),
		update("another owner", "andini", "maya", `roleIds:["{{role.owner}}"]`, done("maya")),
		update("one of two goes", "maya", "andini", `roleIds:["{{role.employee}}"]`, done("andini")),
		update("who may no more", "andini", "maya", "active:false", harness.Refusal("updateUser", "FORBIDDEN", "{}")),
		update("the other stays", "maya", "maya", "active:false", last),
		update("and back", "maya", "andini", `roleIds:["{{role.owner}}"]`, done("andini")),
	})
	codes := s.AtOnce(t, [2]string{"andini", "maya"}, func(i int) string {
		return fmt.Sprintf(`mutation{updateUser(id:%q,input:{roleIds:[%q]}){id}}`, s.Vars[[]string{"maya", "andini"}[i]], s.Vars["role.employee"])
	})
	if (codes[0] == "") == (codes[1] == "") {
		t.Errorf("two owners who unmake each other: %q, want one to succeed", codes)
	}
	winner, loser := "andini", "maya"
	if codes[0] != "" {
		winner, loser = loser, winner
	}
	s.Run(t, []apitest.Scenario{
		update("the owner who is left", winner, loser, `roleIds:["{{role.owner}}"]`, done(loser)),
		update("makes the first one again", "andini", "maya", `roleIds:["{{role.employee}}"]`, done("maya")),
	})
}

// customRoles hold what a role of the company's own lets people do.
func customRoles(t *testing.T, s *harness.Server) {
	role := func(name, permissions string) apitest.Scenario {
		sc := harness.Asks(name, "andini", `mutation{createRole(input:{name:"`+name+`",permissions:[`+permissions+`]}){id}}`, `"<any>"`)
		sc.Want, sc.Save = "", map[string]string{"role." + name: "/data/createRole/id"}
		return sc
	}
	give := func(who, roles string) apitest.Scenario {
		return harness.Asks(who+" gets "+roles, "andini", `mutation{updateUser(id:"{{`+who+`}}",input:{roleIds:[`+roles+`]}){id}}`, `{"updateUser":{"id":"{{`+who+`}}"}}`)
	}
	update := func(name, who, id, input, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{updateUser(id:"{{`+id+`}}",input:{`+input+`}){id}}`, want)
	}
	forbidden := harness.Refusal("updateUser", "FORBIDDEN", "{}")
	onRoles := harness.Refusal("updateUser", "FORBIDDEN", "{}", "roleIds", harness.NotAllowed)
	done := func(id string) string { return `{"updateUser":{"id":"{{` + id + `}}"}}` }
	s.Run(t, []apitest.Scenario{
		role("personnel", `"user.write.all"`), role("roles", `"role.write.all","task.read.all"`), role("lead", `"user.write.team"`),
		role("self", `"user.write.own","shift.read.own"`), role("partial", `"role.write.team"`), role("strong", `"audit.read.all"`),

		give("maya", `"{{role.employee}}","{{role.personnel}}"`),
		update("changes an employee", "maya", "nur", `gender:"female"`, done("nur")),
		update("but not a supervisor", "maya", "siti", `gender:"female"`, forbidden),
		update("gives no role", "maya", "nur", `roleIds:["{{role.employee}}"]`, onRoles),
		harness.Asks("adds people", "maya", `mutation{createUser(input:{name:"Yuli",email:"yuli@demo.test",password:"kuda-terbang-42"}){roles{name}}}`, `{"createUser":{"roles":[{"name":"Employee"}]}}`),
		harness.Asks("sees who is not active", "maya", `{users(where:{emailHasPrefix:"cecep"}){totalCount}}`, `{"users":{"totalCount":1}}`),

		give("maya", `"{{role.employee}}","{{role.personnel}}","{{role.roles}}"`),
		update("gives a role that is not above", "maya", "nur", `roleIds:["{{role.employee}}","{{role.personnel}}"]`, done("nur")),
		update("gives none that is", "maya", "nur", `roleIds:["{{role.employee}}","{{role.strong}}"]`, onRoles),
		update("gives no built-in one that is", "maya", "nur", `roleIds:["{{role.supervisor}}"]`, onRoles),
		update("takes it away", "maya", "nur", `roleIds:["{{role.employee}}"]`, done("nur")),
		harness.Asks("makes a role that is not above", "maya", `mutation{createRole(input:{name:"kecil",permissions:["task.read.team"]}){permissions}}`, `{"createRole":{"permissions":["task.read.team"]}}`),
		harness.Asks("makes none that is", "maya", `mutation{createRole(input:{name:"besar",permissions:["task.write.team"]}){id}}`, harness.Refusal("createRole", "FORBIDDEN", "{}", "permissions", harness.NotAllowed)),
		harness.Asks("raises none above", "maya", `mutation{updateRole(id:"{{role.roles}}",input:{permissions:["audit.read.all"]}){id}}`, harness.Refusal("updateRole", "FORBIDDEN", "{}", "permissions", harness.NotAllowed)),
		harness.Asks("changes none that is above", "maya", `mutation{updateRole(id:"{{role.strong}}",input:{permissions:[]}){id}}`, harness.Refusal("updateRole", "FORBIDDEN", "{}")),
		harness.Asks("removes none that is above", "maya", `mutation{deleteRole(id:"{{role.strong}}"){deleted}}`, harness.Refusal("deleteRole", "FORBIDDEN", "{}")),

		give("siti", `"{{role.supervisor}}","{{role.lead}}"`),
		update("a lead changes their team", "siti", "budi", `gender:"male"`, done("budi")),
		update("and its designations", "siti", "budi", `designationIds:["{{StafOperasional}}"]`, done("budi")),
		update("nobody else", "siti", "nur", `gender:"male"`, forbidden),
		update("nor what is theirs", "siti", "nur", `designationIds:[]`, forbidden),
		harness.Asks("a lead adds nobody", "siti", `mutation{createUser(input:{name:"X",email:"x@demo.test"}){id}}`, harness.Refusal("createUser", "FORBIDDEN", "{}")),
		harness.Asks("a lead sees who is not active", "siti", `{users(where:{emailHasPrefix:"cecep"}){totalCount}}`, `{"users":{"totalCount":1}}`),
	})
	s.SignIn(t, "nur", "nur@demo.test")
	s.Vars["nur"] = harness.PersonID(t, s, "nur@demo.test")
	s.Run(t, []apitest.Scenario{
		{Name: "the shift", Path: "/attendance/shiftToday", Header: harness.SignedIn("nur"), Save: map[string]string{"plan": "/0/employeeShiftId"}},
		{Name: "the site", Path: "/attendance/allowedLocations", Header: harness.SignedIn("nur"), Save: map[string]string{"site": "/2/addressId"}},
		give("nur", `"{{role.self}}","{{role.partial}}"`),
		update("changes themselves", "nur", "nur", `gender:"female"`, done("nur")),
		update("but not their role", "nur", "nur", `roleIds:["{{role.owner}}"]`, onRoles),
		update("nobody else", "nur", "budi", `gender:"male"`, forbidden),
		harness.Asks("clocks in no more", "nur", `mutation{clockIn(input:{addressId:"{{site}}",employeeShiftId:"{{plan}}",latitude:"-6.2",longitude:"106.816666"}){clockedIn}}`, harness.Refusal("clockIn", "FORBIDDEN", "{}")),
		harness.Asks("a part of roles is none", "nur", `mutation{createRole(input:{name:"x",permissions:[]}){id}}`, harness.Refusal("createRole", "FORBIDDEN", "{}")),
		harness.Asks("not of one there is", "nur", `mutation{updateRole(id:"{{role.self}}",input:{}){id}}`, harness.Refusal("updateRole", "FORBIDDEN", "{}")),
		harness.Asks("the role is lowered", "andini", `mutation{updateRole(id:"{{role.self}}",input:{permissions:[]}){permissions}}`, `{"updateRole":{"permissions":[]}}`),
		update("from the next request on", "nur", "nur", `gender:"female"`, forbidden),
		give("nur", `"{{role.employee}}"`), give("maya", `"{{role.employee}}"`), give("siti", `"{{role.supervisor}}"`),
	})
}
