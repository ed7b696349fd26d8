package tasks

import (
	"testing"

	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
)

// projects tests who sees and changes projects, and what a project may be.
func projects(t *testing.T, s *harness.Server) {
	signIn(t, s)
	const all = `name code color status startsOn endsOn openToAll budgetHours budgetUsed taskCount trackedSeconds members{name}`
	create := func(name, who, input, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{createProject(input:{`+input+`}){id `+all+`}}`, want)
	}
	update := func(name, who, id, input, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{updateProject(id:"`+id+`",input:{`+input+`}){`+all+`}}`, want)
	}
	remove := func(name, who, id, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{deleteProject(id:"`+id+`"){deleted}}`, want)
	}
	refused := func(code string, faults ...string) string { return refusal("createProject", code, "{}", faults...) }
	s.Run(t, []apitest.Scenario{
		{Name: "active ones for everybody", Path: "/project", Header: as("sari"),
			Want: `[{"id":"<digits>","name":"Aplikasi Pelanggan","code":"APP","color":"#2e8b57","status":"active","taskCount":0,"trackedSeconds":0},` +
				`{"id":"<digits>","name":"Kunjungan Pelanggan","code":"KJG","color":"#dc143c","status":"active","taskCount":0,"trackedSeconds":0},` +
				`{"id":"<digits>","name":"Migrasi Gudang","code":"MIG","color":"#ff8c00","status":"active","taskCount":0,"trackedSeconds":0},` +
				`{"id":"<digits>","name":"Pelatihan Karyawan","code":"PLT","color":"#9370db","status":"active","taskCount":0,"trackedSeconds":0},` +
				`{"id":"{{gedung}}","name":"Pemeliharaan Gedung","code":"GDG","color":"#1e90ff","status":"active","taskCount":0,"trackedSeconds":0}]`},
		{Name: "counts of the tasks that one sees", Path: "/project?search=gdg", Header: as("andini"),
			Want: `[{"id":"{{gedung}}","name":"Pemeliharaan Gedung","code":"GDG","color":"#1e90ff","status":"active","taskCount":2,"trackedSeconds":0}]`},
		{Name: "archived ones", Path: "/project?status=archived", Header: as("sari"),
			Want: `[{"id":"{{lobi}}","name":"Renovasi Lobi","code":"RNV","color":"#708090","status":"archived","taskCount":0,"trackedSeconds":0}]`},
		{Name: "an unknown status", Path: "/project?status=gone", Header: as("sari"),
			Status: 422, Want: problem("VALIDATION_FAILED", "422", fault("status", "VALIDATION_FAILED"), "{}")},
		{Name: "none by that name", Path: "/project?search=xyz", Header: as("sari"), Want: `[]`},
		{Name: "a search that is too long", Path: "/project?search=" + long(1001), Header: as("sari"),
			Status: 422, Want: problem("VALIDATION_FAILED", "422", fault("search", "VALIDATION_FAILED"), "{}")},
		create("by an employee", "sari", `name:"X"`, refused("FORBIDDEN")),
		create("by a manager", "ratna", `name:"X"`, refused("FORBIDDEN")),
		saved(create("open to all", "andini", `name:" Gudang Baru ",code:"gb-1",color:"#ABCDEF",startsOn:"2026-03-01",endsOn:"2026-12-31",budgetHours:10`,
			`{"createProject":{"id":"<digits>","name":"Gudang Baru","code":"gb-1","color":"#abcdef","status":"active","startsOn":"2026-03-01","endsOn":"2026-12-31",`+
				`"openToAll":true,"budgetHours":10,"budgetUsed":0,"taskCount":0,"trackedSeconds":0,"members":[]}}`), "baru", "/data/createProject/id"),
		saved(create("of members", "andini", `name:"Rahasia",openToAll:false,memberIds:["{{budi}}","{{sari}}","{{budi}}"]`,
			`{"createProject":{"id":"<digits>","name":"Rahasia","code":null,"color":null,"status":"active","startsOn":null,"endsOn":null,`+
				`"openToAll":false,"budgetHours":null,"budgetUsed":null,"taskCount":0,"trackedSeconds":0,"members":[{"name":"Budi Santoso"},{"name":"sari"}]}}`), "rahasia", "/data/createProject/id"),
		create("a code that another has", "andini", `name:"X",code:"GB-1"`, refused("VALIDATION_FAILED", "code", harness.InUse)),
		create("members of nobody", "andini", `name:"X",memberIds:["999999"]`, refused("NOT_FOUND", "memberIds", harness.Nothing)),
		create("members of another company", "andini", `name:"X",memberIds:["{{daeng}}"]`, refused("NOT_FOUND", "memberIds", harness.Nothing)),
		create("all faults", "andini", `name:" ",code:"a b",color:"red",startsOn:"2026-03-02",endsOn:"2026-03-01",budgetHours:0`,
			refused("VALIDATION_FAILED", "name", harness.Required, "code", "/.+/", "color", "/.+/", "budgetHours", "/.+/", "endsOn", "/.+/")),
		update("by an employee", "sari", "{{baru}}", `name:"X"`, refusal("updateProject", "FORBIDDEN", "{}")),
		update("another company's", "andini", "{{theirProject}}", `name:"X"`, refusal("updateProject", "NOT_FOUND", "{}")),
		update("to start after its end", "andini", "{{baru}}", `startsOn:"2027-01-01"`, refusal("updateProject", "VALIDATION_FAILED", "{}", "startsOn", "/.+/")),
		update("a code that another has", "andini", "{{baru}}", `code:"app"`, refusal("updateProject", "VALIDATION_FAILED", "{}", "code", harness.InUse)),
		update("no status", "andini", "{{baru}}", `status:null`, refusal("updateProject", "VALIDATION_FAILED", "{}", "status", harness.Required)),
		update("what may be cleared", "andini", "{{baru}}", `code:null,color:null,startsOn:null,endsOn:null,budgetHours:null,openToAll:false,memberIds:["{{sari}}"],status:archived`,
			`{"updateProject":{"name":"Gudang Baru","code":null,"color":null,"status":"archived","startsOn":null,"endsOn":null,"openToAll":false,"budgetHours":null,`+
				`"budgetUsed":null,"taskCount":0,"trackedSeconds":0,"members":[{"name":"sari"}]}}`),
		update("other members", "andini", "{{rahasia}}", `memberIds:["{{ratna}}","{{sari}}"]`,
			`{"updateProject":{"name":"Rahasia","code":null,"color":null,"status":"active","startsOn":null,"endsOn":null,"openToAll":false,"budgetHours":null,`+
				`"budgetUsed":null,"taskCount":0,"trackedSeconds":0,"members":[{"name":"Ratna Wijayanti"},{"name":"sari"}]}}`),
		harness.Asks("an employee sees no share of a budget", "sari", `{project(id:"{{gedung}}"){name budgetHours budgetUsed}}`, `{"project":{"name":"Pemeliharaan Gedung","budgetHours":400,"budgetUsed":null}}`),
		harness.Asks("another company's is not there", "sari", `{project(id:"{{theirProject}}"){name}}`, refusal("project", "NOT_FOUND", "{}")),
		harness.Asks("the collection", "sari", `{projects(first:2,orderBy:{field:NAME},where:{hasMembersWith:[{id:"{{sari}}"}]}){totalCount edges{node{name}}}}`,
			`{"projects":{"totalCount":2,"edges":[{"node":{"name":"Gudang Baru"}},{"node":{"name":"Rahasia"}}]}}`),
		remove("by an employee", "sari", "{{baru}}", refusal("deleteProject", "FORBIDDEN", "{}")),
		remove("with tasks", "andini", "{{gedung}}", refusal("deleteProject", "CONFLICT", `{"conflict":"HAS_TASKS","entries":0,"tasks":2}`)),
		remove("unused", "andini", "{{baru}}", `{"deleteProject":{"deleted":true}}`),
		remove("again", "andini", "{{baru}}", refusal("deleteProject", "NOT_FOUND", "{}")),
	})
}

// categories tests the categories of tasks.
func categories(t *testing.T, s *harness.Server) {
	signIn(t, s)
	create := func(name, who, input, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{createTaskCategory(input:{`+input+`}){id name color parent{name}}}`, want)
	}
	update := func(name, who, id, input, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{updateTaskCategory(id:"`+id+`",input:{`+input+`}){name color}}`, want)
	}
	remove := func(name, who, id, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{deleteTaskCategory(id:"`+id+`"){deleted}}`, want)
	}
	const field = "createTaskCategory"
	s.Run(t, []apitest.Scenario{
		{Name: "for everybody", Path: "/tasks/categories", Header: as("sari"),
			Want: `[{"id":"<digits>","name":"Istirahat","color":"#708090"},{"id":"<digits>","name":"Koordinasi","color":"#1e90ff"},{"id":"<digits>","name":"Kunjungan","color":"#2e8b57"},` +
				`{"id":"<digits>","name":"Lapangan","color":"#2e8b57"},{"id":"<digits>","name":"Laporan","color":"#1e90ff"},{"id":"<digits>","name":"Perbaikan","color":"#2e8b57"},` +
				`{"id":"{{rapat}}","name":"Rapat","color":"#1e90ff"}]`},
		harness.Asks("the tree", "sari", `{taskCategories(where:{hasParent:false},orderBy:{field:NAME}){edges{node{name children{name}}}}}`,
			`{"taskCategories":{"edges":[{"node":{"name":"Istirahat","children":[]}},{"node":{"name":"Koordinasi","children":[{"name":"Laporan"},{"name":"Rapat"}]}},`+
				`{"node":{"name":"Lapangan","children":[{"name":"Kunjungan"},{"name":"Perbaikan"}]}}]}}`),
		create("by an employee", "sari", `name:"X"`, refusal(field, "FORBIDDEN", "{}")),
		saved(create("at the top", "andini", `name:"Belajar",color:"#00FF00"`, `{"createTaskCategory":{"id":"<digits>","name":"Belajar","color":"#00ff00","parent":null}}`), "belajar", "/data/createTaskCategory/id"),
		saved(create("below it", "andini", `name:"Kursus",parentId:"{{belajar}}"`, `{"createTaskCategory":{"id":"<digits>","name":"Kursus","color":null,"parent":{"name":"Belajar"}}}`), "kursus", "/data/createTaskCategory/id"),
		create("two levels below", "andini", `name:"X",parentId:"{{kursus}}"`, refusal(field, "VALIDATION_FAILED", "{}", "parentId", "/.+/")),
		create("below another company's", "andini", `name:"X",parentId:"{{theirCategory}}"`, refusal(field, "NOT_FOUND", "{}", "parentId", harness.Nothing)),
		create("a sibling's name", "andini", `name:"belajar"`, refusal(field, "VALIDATION_FAILED", "{}", "name", harness.InUse)),
		create("the name of another level", "andini", `name:"Belajar",parentId:"{{belajar}}"`, `{"createTaskCategory":{"id":"<digits>","name":"Belajar","color":null,"parent":{"name":"Belajar"}}}`),
		harness.Asks("by a part of their names", "sari", `{taskCategoryList(search:"URS"){name}}`, `{"taskCategoryList":[{"name":"Kursus"}]}`),
		harness.Asks("by no part", "sari", `{taskCategoryList(search:"xyz"){name}}`, `{"taskCategoryList":[]}`),
		harness.Asks("by too much", "sari", `{taskCategoryList(search:"`+long(1001)+`"){name}}`, refusal("taskCategoryList", "VALIDATION_FAILED", "{}", "search", "This may have at most 1000 characters.")),
		create("faults", "andini", `name:"",color:"#12345"`, refusal(field, "VALIDATION_FAILED", "{}", "name", harness.Required, "color", "/.+/")),
		update("by an employee", "sari", "{{kursus}}", `name:"X"`, refusal("updateTaskCategory", "FORBIDDEN", "{}")),
		update("another company's", "andini", "{{theirCategory}}", `name:"X"`, refusal("updateTaskCategory", "NOT_FOUND", "{}")),
		update("a sibling's name", "andini", "{{kursus}}", `name:"Belajar"`, refusal("updateTaskCategory", "VALIDATION_FAILED", "{}", "name", harness.InUse)),
		update("name and color", "andini", "{{kursus}}", `name:"Pelatihan",color:"#123456"`, `{"updateTaskCategory":{"name":"Pelatihan","color":"#123456"}}`),
		update("no color", "andini", "{{kursus}}", `color:null`, `{"updateTaskCategory":{"name":"Pelatihan","color":null}}`),
		remove("by an employee", "sari", "{{kursus}}", refusal("deleteTaskCategory", "FORBIDDEN", "{}")),
		remove("with children", "andini", "{{belajar}}", refusal("deleteTaskCategory", "CONFLICT", `{"children":2,"conflict":"HAS_TASKS","entries":0,"tasks":0}`)),
		remove("with tasks", "andini", "{{rapat}}", refusal("deleteTaskCategory", "CONFLICT", `{"children":0,"conflict":"HAS_TASKS","entries":0,"tasks":1}`)),
		remove("unused", "andini", "{{kursus}}", `{"deleteTaskCategory":{"deleted":true}}`),
		harness.Asks("gone", "andini", `{taskCategory(id:"{{kursus}}"){name}}`, refusal("taskCategory", "NOT_FOUND", "{}")),
	})
}
