package people

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/server"
)

// textScenarios send what is no text, and names and addresses that are not to be
// stored.
func textScenarios(t *testing.T, s *harness.Server) {
	s.SignIn(t, "andini", "admin@demo.test")
	bad := func(name, method, path, body string) apitest.Scenario {
		return apitest.Scenario{Name: name, Method: method, Path: path, Body: body, Header: harness.SignedIn("andini", "X-Language", "en"), Status: 400,
			Want: harness.ProblemText("BAD_REQUEST", "Bad request", "400", "The request could not be read: it is not well formed.", "[]", "{}")}
	}
	malformed := func(name, body string) apitest.Scenario {
		return apitest.Scenario{Name: name, Path: "/graphql", Body: body, Header: harness.SignedIn("andini", "X-Language", "en"), Status: 400,
			Want: `{"errors":[{"message":"The body could not be read.","extensions":{"code":"BAD_REQUEST","errors":[],"meta":{},"requestId":"<any>"}}]}`}
	}
	create := func(name, input string, faults ...string) apitest.Scenario {
		return harness.Asks(name, "andini", `mutation{createUser(input:{`+input+`}){id}}`, harness.Refusal("createUser", "VALIDATION_FAILED", "{}", faults...))
	}
	const plain, address = "This may not contain line breaks or control characters, such as those that turn the direction of text.", "This must look like name@example.com."
	many := strings.TrimSuffix(strings.Repeat(`"1",`, 101), ",")
	s.Run(t, []apitest.Scenario{
		bad("NUL in a query string", "GET", "/user?search=%00", ""),
		bad("what is not UTF-8 in a query string", "GET", "/user?search=%ff", ""),
		bad("NUL in a body", "POST", "/device/register", `{"deviceId":"a\u0000","platform":"web"}`),
		bad("half of a surrogate pair in a body", "POST", "/device/register", `{"deviceId":"\ud800","platform":"web"}`),
		bad("what is not UTF-8 in a body", "POST", "/device/register", "{\"deviceId\":\"\xff\",\"platform\":\"web\"}"),
		malformed("NUL in a variable", `{"query":"query($s:String){employees(search:$s){totalCount}}","variables":{"s":"\u0000"}}`),
		malformed("half of a surrogate pair in a variable", `{"query":"query($s:String){employees(search:$s){totalCount}}","variables":{"s":"\ud800"}}`),
		{Name: "NUL in a literal", Path: "/graphql", Body: `{"query":"{employees(search:\"\\u0000\"){totalCount}}"}`, Header: harness.SignedIn("andini", "X-Language", "en"),
			Want: `{"errors":[{"message":"A text has NUL, or half of a surrogate pair.","extensions":{"code":"BAD_REQUEST","errors":[],"meta":{},"requestId":"<any>"}}]}`},
		{Name: "a blank device id", Path: "/device/register", Body: `{"deviceId":"  ","platform":"web"}`, Header: harness.Head("X-Language", "en"), Status: 422,
			Want: harness.MemberProblem("deviceId", harness.Required)},
		{Name: "a device's texts with line breaks", Path: "/device/register", Body: `{"deviceId":"a\nb","model":"a\tb","osVersion":"\u0001","platform":"web"}`, Header: harness.Head("X-Language", "en"), Status: 422,
			Want: harness.MemberProblem("deviceId", plain, "model", plain, "osVersion", plain)},
		create("a name of two lines", `name:"Tono\nBaru",email:"x@demo.test"`, "name", plain),
		create("a full-width address", `name:"X",email:"ｘ@demo.test"`, "email", address),
		create("an address with a zero-width space", `name:"X",email:"x@demo.test\u200b"`, "email", "This may not contain invisible characters."),
		create("an address with a mark of direction", `name:"X",email:"\u202ex@demo.test"`, "email", "This may not contain invisible characters."),
		create("an address of another case", `name:"X",email:"ADMIN@Demo.TEST"`, "email", "This is already taken."),
		create("a name that shows nothing", `name:"\u200b\u2060",email:"x@demo.test"`, "name", harness.Required),
		create("a name of a filler", `name:"\u3164 \u2800",email:"x@demo.test"`, "name", harness.Required),
		create("a full-width domain", `name:"X",email:"x@ｄemo.test"`, "email", address),
		create("too many roles and designations", `name:"X",email:"x@demo.test",roleIds:[`+many+`],designationIds:[`+many+`]`,
			"roleIds", "This may have at most 100 entries.", "designationIds", "This may have at most 100 entries."),
		harness.Asks("an address in capitals beyond ASCII", "andini", `mutation{createUser(input:{name:"Éa \u200d Ñuñez\u200b",email:"\u00c9.Case@M\u00dcNCHEN.test"}){name email}}`,
			`{"createUser":{"name":"Éa \u200d Ñuñez","email":"\u00c9.Case@M\u00dcNCHEN.test"}}`),
		create("the same address", `name:"X",email:"e\u0301.case@xn--mnchen-3ya.TEST"`, "email", "This is already taken."),
		harness.Asks("found without accents", "andini", `{employees(search:"NUNEZ ea"){nodes{email}}}`, `{"employees":{"nodes":[{"email":"\u00c9.Case@M\u00dcNCHEN.test"}]}}`),
		harness.Asks("letters that are no others with accents", "andini", `mutation{createUser(input:{name:"Đung Łódź",email:"dung@demo.test"}){name}}`, `{"createUser":{"name":"Đung Łódź"}}`),
		harness.Asks("found by their plain letters", "andini", `{employees(search:"dung lodz"){nodes{name}}}`, `{"employees":{"nodes":[{"name":"Đung Łódź"}]}}`),
		create("a name in another direction", `name:"gpj.\u202eexe",email:"x@demo.test"`, "name", plain),
		harness.Asks("a task in another direction", "andini", `mutation{saveTask(input:{title:"a\u2067b\u2069c"}){id}}`, harness.Refusal("saveTask", "VALIDATION_FAILED", "{}", "title", plain)),
		harness.Asks("a ticket in another direction", "andini", `mutation{saveTicket(input:{subject:"a\u202db"}){id}}`, harness.Refusal("saveTicket", "VALIDATION_FAILED", "{}", "subject", plain)),
		harness.Asks("free text in any direction", "andini", `mutation{saveTask(input:{title:"a",description:"a\u2067b\u2069c"}){description}}`, `{"saveTask":{"description":"a\u2067b\u2069c"}}`),
		harness.Asks("a description that shows nothing", "andini", `mutation{saveTask(input:{title:"a",description:"\u200b \u2060"}){description}}`, `{"saveTask":{"description":null}}`),
		harness.Asks("a task that shows nothing", "andini", `mutation{saveTask(input:{title:"\u200b"}){id}}`, harness.Refusal("saveTask", "VALIDATION_FAILED", "{}", "title", harness.Required)),
		harness.Asks("a ticket that shows nothing", "andini", `mutation{saveTicket(input:{subject:"\u3164"}){id}}`, harness.Refusal("saveTicket", "VALIDATION_FAILED", "{}", "subject", harness.Required)),
		harness.Asks("a role of two lines", "andini", `mutation{createRole(input:{name:"A\tB",permissions:[]}){id}}`, harness.Refusal("createRole", "VALIDATION_FAILED", "{}", "name", plain)),
		harness.Asks("a business of two lines", "andini", `mutation{createBusiness(input:{name:"A\u2028B"}){id}}`, harness.Refusal("createBusiness", "VALIDATION_FAILED", "{}", "name", plain)),
	})
	for _, filter := range []string{`nameContains:"%"`, `nameHasPrefix:"_"`, `nameHasSuffix:"%"`, `nameContainsFold:"_udi"`, `nameEqualFold:"%"`, `nameContains:"\\"`, `emailContainsFold:"\\%"`} {
		s.Run(t, []apitest.Scenario{harness.Asks("wildcards stand for themselves: "+filter, "andini", `{users(where:{`+filter+`}){totalCount}}`, `{"users":{"totalCount":0}}`)})
	}
	everyText(t, s)
}

// texts says of every member of type String of the mutations' inputs what it may be.
// Those that are secrets, and codes, are taken as they are and never stored as text.
var texts = map[string]string{
	"RegisterDeviceInput.deviceId": "line", "RegisterDeviceInput.model": "line", "RegisterDeviceInput.osVersion": "line",
	"RegisterDeviceInput.appVersion": "line", "RegisterDeviceInput.pushToken": "line",
	"CreateUserInput.name": "line", "UpdateUserInput.name": "line", "CreateRoleInput.name": "line", "UpdateRoleInput.name": "line",
	"CreateBusinessInput.name": "line", "UpdateBusinessInput.name": "line",
	"CreateDesignationInput.name": "line", "UpdateDesignationInput.name": "line",
	"CreateDesignationInput.description": "line", "UpdateDesignationInput.description": "line",
	"CreateUserInput.email": "line", "UpdateUserInput.email": "line", "MobileNumberInput.number": "line", "ForgotPasswordInput.username": "line",
	"CreateUserInput.locale": "line", "UpdateUserInput.locale": "line", "UpdateViewerInput.locale": "line",
	"UpdateViewerInput.gender": "line", "UpdateViewerInput.salutation": "line", "CreateUserInput.gender": "line", "UpdateUserInput.gender": "line",
	"CreateRoleInput.permissions": "line", "UpdateRoleInput.permissions": "line",
	"CreateAddressInput.name": "line", "UpdateAddressInput.name": "line", "CreateAddressInput.timezone": "line", "UpdateAddressInput.timezone": "line",
	"CreateAddressInput.address": "text", "UpdateAddressInput.address": "text",
	"CreateHolidayInput.name": "line", "UpdateHolidayInput.name": "line",
	"UpdateCompanyInput.name": "line", "UpdateCompanyInput.timezone": "line", "UpdateCompanyInput.locale": "line", "CompanySettingsInput.country": "line",
	"CompanySettingsInput.attachmentTypes": "line",
	"RequestFaceResetInput.reason":         "line", "RequestFaceResetInput.otp": "secret", "DecideFaceResetInput.note": "line", "ResetFaceInput.note": "line",
	"CreateShiftInput.name": "line", "CreateShiftInput.startTime": "line", "CreateShiftInput.endTime": "line", "CreateShiftInput.timezone": "line", "CreateShiftInput.colour": "line",
	"UpdateShiftInput.name": "line", "UpdateShiftInput.startTime": "line", "UpdateShiftInput.endTime": "line", "UpdateShiftInput.timezone": "line", "UpdateShiftInput.colour": "line",
	"RotationInput.name": "line", "RequestShiftSwapInput.note": "line", "DecideShiftSwapInput.note": "line",
	"RequestCorrectionInput.reason": "line", "DecideInput.note": "line", "DecideCorrectionsInput.note": "line", "DecideOvertimeInput.note": "line",
	"CreateLeaveTypeInput.name": "line", "UpdateLeaveTypeInput.name": "line", "RequestLeaveInput.reason": "line",
	"StartTimerInput.title": "line", "StartTimerInput.note": "text", "StartTimerInput.tags": "line",
	"CreateTimeEntryInput.title": "line", "CreateTimeEntryInput.note": "text", "CreateTimeEntryInput.tags": "line",
	"UpdateTimeEntryInput.note": "text", "UpdateTimeEntryInput.tags": "line", "CorrectTimeEntryInput.note": "text",
	"SaveActivityInput.title": "line", "SaveActivityInput.note": "text", "SubmitWeekInput.note": "line",
	"RequestLeaveInput.fromTime": "line", "RequestLeaveInput.toTime": "line",
	"UpdateDeviceInput.name": "line", "DecideDeviceInput.note": "line",
	"ReviewAttendancesInput.note": "line", "DecideLeavesInput.note": "line", "DecideWeeksInput.note": "line",
	"DecideShiftSwapsInput.note": "line", "DecideDevicesInput.note": "line", "DecideFaceResetsInput.note": "line",
	"ReviewAttendanceInput.note": "text", "CreateExemptionInput.note": "text", "UpdateExemptionInput.note": "text",
	"ClockInInput.note": "text", "ClockOutInput.note": "text",
	"CreateProjectInput.name": "line", "CreateProjectInput.code": "line", "CreateProjectInput.color": "line",
	"UpdateProjectInput.name": "line", "UpdateProjectInput.code": "line", "UpdateProjectInput.color": "line",
	"CreateTaskCategoryInput.name": "line", "CreateTaskCategoryInput.color": "line", "UpdateTaskCategoryInput.name": "line", "UpdateTaskCategoryInput.color": "line",
	"SaveTaskInput.title": "line", "SaveTaskInput.description": "text", "SaveTaskInput.recurrence": "line",
	"UpdateTaskInput.title": "line", "UpdateTaskInput.description": "text", "UpdateTaskInput.recurrence": "line",
	"SaveTaskImagesInput.caption": "line", "CreateTaskChecklistItemInput.title": "line", "UpdateTaskChecklistItemInput.title": "line",
	"CreateTaskCommentInput.text": "text", "UpdateTaskCommentInput.text": "text",
	"SaveTicketInput.subject": "line", "SaveTicketInput.description": "text", "UpdateTicketInput.subject": "line", "UpdateTicketInput.description": "text",
	"HoldTicketInput.reason": "line", "CreateTicketCommentInput.text": "text", "UpdateTicketCommentInput.text": "text",
	"CreateTicketCategoryInput.name": "line", "UpdateTicketCategoryInput.name": "line",
	"CreateWidgetTokenInput.origin": "line", "CreateApiKeyInput.name": "line", "CreateApiKeyInput.permissions": "line",
	"RecoverAccountInput.token": "secret", "RecoverAccountInput.password": "secret",
	"LoginInput.username": "secret", "LoginInput.password": "secret",
	"CreateUserInput.password": "secret", "EncryptInput.value": "secret",
	"ChangePasswordInput.oldPassword": "secret", "ChangePasswordInput.newPassword": "secret",
	"ResetPasswordInput.id": "secret", "ResetPasswordInput.otp": "secret", "ResetPasswordInput.password": "secret", "VerifyInput.otp": "secret",
}

// everyText sends a line break, a turned direction, and too much, in every member that is stored as text.
func everyText(t *testing.T, s *harness.Server) {
	var own struct {
		Viewer, CreateRole, CreateBusiness, CreateDesignation, CreateAddress, CreateHoliday, CreateShift, CreateRotation struct{ ID string }
	}
	s.GraphQL(t, s.HeaderOf("andini"), `mutation{createRole(input:{name:"Texts",permissions:[]}){id} createBusiness(input:{name:"Texts"}){id} createDesignation(input:{name:"Texts"}){id} `+
		`createAddress(input:{name:"Texts",latitude:1,longitude:1}){id} createHoliday(input:{name:"Texts",date:"2026-12-24"}){id} `+
		`createShift(input:{name:"Texts",startTime:"08:00",endTime:"17:00"}){id} createRotation(input:{name:"Texts",days:[null]}){id}}`, nil, &own)
	s.GraphQL(t, s.HeaderOf("andini"), `{viewer{id}}`, nil, &own)
	ids := map[string]string{"updateUser": own.Viewer.ID, "updateRole": own.CreateRole.ID, "updateBusiness": own.CreateBusiness.ID, "updateDesignation": own.CreateDesignation.ID,
		"updateAddress": own.CreateAddress.ID, "updateHoliday": own.CreateHoliday.ID, "decideFaceReset": "1", "resetFace": own.Viewer.ID,
		"updateShift": own.CreateShift.ID, "updateRotation": own.CreateRotation.ID, "decideShiftSwap": "1"}
	harness.SaveRows(t, s, "budi@demo.test")
	var task struct{ SaveTask, CreateTaskComment, CreateTaskChecklistItem struct{ ID string } }
	s.GraphQL(t, s.HeaderOf("andini"), `mutation{saveTask(input:{title:"Texts"}){id}}`, nil, &task)
	s.GraphQL(t, s.HeaderOf("andini"), fmt.Sprintf(`mutation{createTaskComment(input:{taskId:"%[1]s",text:"x"}){id} createTaskChecklistItem(input:{taskId:"%[1]s",title:"x"}){id}}`, task.SaveTask.ID), nil, &task)
	ids["updateTask"], ids["saveTaskImages"] = task.SaveTask.ID, task.SaveTask.ID
	ids["updateTaskComment"], ids["updateTaskChecklistItem"] = task.CreateTaskComment.ID, task.CreateTaskChecklistItem.ID
	var asked struct{ SaveTicket, CreateTicketComment struct{ ID string } }
	s.GraphQL(t, s.HeaderOf("andini"), `mutation{saveTicket(input:{subject:"Texts"}){id}}`, nil, &asked)
	s.GraphQL(t, s.HeaderOf("andini"), fmt.Sprintf(`mutation{createTicketComment(input:{ticketId:"%s",text:"x"}){id}}`, asked.SaveTicket.ID), nil, &asked)
	ids["updateTicket"], ids["holdTicket"], ids["updateTicketComment"] = asked.SaveTicket.ID, asked.SaveTicket.ID, asked.CreateTicketComment.ID
	for mutation, row := range map[string]string{"updateTicketCategory": "ticket_categories", "updateProject": "projects", "updateTaskCategory": "task_categories", "reviewAttendance": "attendances", "updateExemption": "exemptions", "updateDevice": "devices", "decideDevice": "device_approvals", "updateLeaveType": "leave_types",
		"updateTimeEntry": "time_entries", "correctTimeEntry": "time_entries", "restartTimer": "time_entries", "saveActivityImages": "time_entries", "decideWeek": "time_weeks"} {
		ids[mutation] = s.Vars[row]
	}
	schema, seen := server.Schema(), map[string]bool{}
	for _, m := range schema.Mutation.Fields {
		arg := m.Arguments.ForName("input")
		if arg == nil {
			continue
		}
		args := ""
		for _, name := range []string{"id", "userId"} {
			if m.Arguments.ForName(name) != nil {
				args = fmt.Sprintf("%s:%q,", name, ids[m.Name])
			}
		}
		for _, member := range textMembers(schema, arg.Type.Name()) {
			kind, known := texts[member.of+"."+member.Name]
			if seen[member.of+"."+member.Name] = true; !known {
				t.Errorf("%s.%s: say in texts what it may be", member.of, member.Name)
			}
			for _, value := range []string{`"a\nb@x.test"`, `"a\u202eb@x.test"`, `"` + strings.Repeat("a", 5001) + `"`} {
				ignored := member.Name == "username" && strings.Contains(value, "u202e") // as where somebody signs in
				if kind == "secret" || kind == "text" && strings.Contains(value, "@") || ignored {
					continue
				}
				document := fmt.Sprintf("mutation{%s(%sinput:{%s}){__typename}}", m.Name, args, member.written(schema, arg.Type.Name(), value))
				a := s.AskGraphQL(t, harness.Head("Authorization", "Bearer "+s.Vars["andini.access"], "X-Device-Token", s.Vars["andini.device"]), document, nil)
				if a.Code() != "VALIDATION_FAILED" || !strings.Contains(a.Text, `"field":"`+member.fault()+`"`) {
					t.Errorf("%s: %s", document[:min(len(document), 200)], a.Text)
				}
			}
		}
	}
	for name := range texts {
		if !seen[name] {
			t.Errorf("%s is no member of an input", name)
		}
	}
}

// A textMember is a member of type String, or a list of them, of an input or of an
// object in it.
type textMember struct {
	*ast.FieldDefinition
	of     string // its type
	within string // the member of the input that the object is; "" for none
}

// fault is the name of the member in faults.
func (m textMember) fault() string {
	switch {
	case m.within == "":
		return m.Name
	case m.of == "MobileNumberInput":
		return m.within // a number is one value
	}
	return m.within + "." + m.Name
}

func textMembers(schema *ast.Schema, input string) (all []textMember) {
	for _, f := range schema.Types[input].Fields {
		def := schema.Types[f.Type.Name()]
		switch {
		case def.Name == "String":
			all = append(all, textMember{f, input, ""})
		case def.Kind == ast.InputObject && f.Type.Elem == nil:
			for _, inner := range textMembers(schema, def.Name) {
				all = append(all, textMember{inner.FieldDefinition, def.Name, f.Name})
			}
		}
	}
	return all
}

// written writes the members of an input: this one with a value, and others that must
// be given.
func (m textMember) written(schema *ast.Schema, input, value string) string {
	if m.Type.Elem != nil {
		value = "[" + value + "]"
	}
	var members []string
	for _, f := range schema.Types[input].Fields {
		switch {
		case f.Name == m.Name && m.of == input:
			members = append(members, f.Name+":"+value)
		case f.Name == m.within:
			other := ""
			if m.of == "MobileNumberInput" {
				other = "countryCode:62,"
			}
			members = append(members, f.Name+":{"+other+m.Name+":"+value+"}")
		case f.Type.NonNull && f.Type.Elem != nil:
			members = append(members, f.Name+":[]")
		case f.Type.NonNull && schema.Types[f.Type.Name()].Kind == ast.Enum:
			members = append(members, f.Name+":"+schema.Types[f.Type.Name()].EnumValues[0].Name)
		case f.Type.NonNull && f.Type.Name() == "Boolean":
			members = append(members, f.Name+":true")
		case f.Type.NonNull && f.Type.Name() == "Int":
			members = append(members, f.Name+":1")
		case f.Type.NonNull && f.Type.Name() == "Date":
			members = append(members, f.Name+`:"2026-12-23"`)
		case f.Type.NonNull:
			members = append(members, f.Name+`:"x@x.test"`)
		}
	}
	slices.Sort(members)
	return strings.Join(members, ",")
}
