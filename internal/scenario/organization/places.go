package organization

import (
	"strings"
	"testing"

	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
)

const invalid = "VALIDATION_FAILED"

// Company tests the company, its settings and their effect: andini is its owner.
func Company(t *testing.T, s *harness.Server) {
	update := func(name, who, input, selection, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{updateCompany(input:{`+input+`}){`+selection+`}}`, want)
	}
	const settings = "settings{country weeklyOffs geofenceIn geofenceOut face device accuracy mock accuracyMeters offlineHours aheadSeconds repeatSeconds " +
		"refreshIdleDays sessionDays singleSession deviceApproval singleDevice uploadMegabytes auditDays messageDays}"
	const defaults = `"settings":{"country":null,"weeklyOffs":[],"geofenceIn":"block","geofenceOut":"flag","face":"flag","device":"flag","accuracy":"flag","mock":"flag",` +
		`"accuracyMeters":150,"offlineHours":72,"aheadSeconds":120,"repeatSeconds":120,"refreshIdleDays":null,"sessionDays":null,"singleSession":false,"deviceApproval":false,"singleDevice":false,"uploadMegabytes":200,"auditDays":3650,"messageDays":3650}`
	s.Run(t, []apitest.Scenario{
		{Name: "the company", Path: "/company", Header: harness.SignedIn("andini"),
			Want: `{"id":"<digits>","name":"Nusantara Demo","logo":"images/company.png",` +
				`"timezone":"Asia/Jakarta","locale":"id"}`},
		harness.Asks("settings by default", "budi", `{company{`+settings+`}}`, `{"company":{`+defaults+`}}`),
		update("by a manager", "ratna", `name:"X"`, "name", harness.Refusal("updateCompany", "FORBIDDEN", "{}")),
		update("by an employee", "budi", ``, "name", harness.Refusal("updateCompany", "FORBIDDEN", "{}")),
		update("no zone", "andini", `timezone:"Mars"`, "name", harness.Refusal("updateCompany", invalid, "{}", "timezone", "This must look like Asia/Jakarta.")),
		update("out of bounds", "andini", `settings:{offlineHours:721}`, "name", harness.Refusal("updateCompany", invalid, "{}", "settings.offlineHours", "This must lie between 1 and 720.")),
		update("some", "andini", `name:"Nusantara",timezone:"Asia/Makassar",settings:{country:"SG",face:off,weeklyOffs:[7]}`, "name timezone settings{country face mock weeklyOffs}",
			`{"updateCompany":{"name":"Nusantara","timezone":"Asia/Makassar","settings":{"country":"SG","face":"off","mock":"flag","weeklyOffs":[7]}}}`),
		harness.Asks("seen at once", "budi", `{company{name settings{country}} attendanceToday{timezone}}`, `{"company":{"name":"Nusantara","settings":{"country":"SG"}},"attendanceToday":{"timezone":"<any>"}}`),
		harness.Asks("a number is read in the country", "andini", `mutation{createUser(input:{name:"Sari",email:"sari@demo.test",mobileNumber:{number:"8123 4567"}}){mobileNumber{countryCode number}}}`,
			`{"createUser":{"mobileNumber":{"countryCode":65,"number":"8123 4567"}}}`),
		update("back", "andini", `name:"Nusantara Demo",timezone:"Asia/Jakarta",settings:{country:null,face:null,weeklyOffs:null}`, settings, `{"updateCompany":{`+defaults+`}}`),
		harness.Asks("the version", "andini", `{company{version}}`, `{"company":{"version":3}}`),
		update("nothing is no other", "andini", `version:3`, "version", `{"updateCompany":{"version":3}}`),
		update("the fourth", "andini", `locale:"en",settings:{offlineHours:24,weeklyOffs:[6,7]},version:3`, "version",
			`{"updateCompany":{"version":4}}`),
		update("based on the third", "andini",
			`name:"Maju",locale:"id",settings:{offlineHours:48,weeklyOffs:[7,6],face:flag,country:"SG"},version:3`, "version",
			harness.Refusal("updateCompany", "VERSION_CONFLICT", `{"currentVersion":4,`+
				`"theirs":{"locale":"en","name":"Nusantara Demo",`+
				`"settings":{"country":null,"offlineHours":24,"weeklyOffs":[6,7]}},`+
				`"version":3,"yours":{"locale":"id","name":"Maju",`+
				`"settings":{"country":"SG","offlineHours":48,"weeklyOffs":[7,6]}}}`)),
		update("by a manager on the third", "ratna", `name:"X",version:3`, "version", harness.Refusal("updateCompany",
			"FORBIDDEN", "{}")),
		update("on any", "andini", `locale:"id",settings:{offlineHours:null,weeklyOffs:null}`,
			"version "+settings, `{"updateCompany":{"version":5,`+defaults+`}}`),
		{Name: "REST has no version", Path: "/company", Header: harness.SignedIn("andini"),
			Want: `{"id":"<digits>","name":"Nusantara Demo","logo":"images/company.png","timezone":"Asia/Jakarta","locale":"id"}`},
	})
}

// Places tests addresses and holidays.
func Places(t *testing.T, s *harness.Server) {
	const all = "name address latitude longitude radius timezone active weeklyOffs points{latitude longitude} policies{geofenceIn face}"
	create := func(name, who, input, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{createAddress(input:{`+input+`}){id `+all+`}}`, want)
	}
	update := func(name, who, id, input, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{updateAddress(id:"{{`+id+`}}",input:{`+input+`}){`+all+`}}`, want)
	}
	remove := func(name, who, id, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{deleteAddress(id:"{{`+id+`}}"){deleted}}`, want)
	}
	const at = `latitude:"-6.9",longitude:107.6`
	first := create("least", "andini", `name:"Aceh",`+at, `{"createAddress":{"id":"<digits>","name":"Aceh","address":"","latitude":"-6.900000","longitude":"107.600000","radius":null,`+
		`"timezone":null,"active":true,"weeklyOffs":null,"points":[],"policies":{"geofenceIn":null,"face":null}}}`)
	first.Save = map[string]string{"aceh": "/data/createAddress/id"}
	aceh := func(offs, address string) string {
		return `{"updateAddress":{"name":"Aceh","address":"` + address + `","latitude":"-6.900000","longitude":"107.600000","radius":100,"timezone":"Asia/Makassar","active":true,` +
			`"weeklyOffs":` + offs + `,"points":[{"latitude":"1.000000","longitude":"2.000000"}],"policies":{"geofenceIn":"flag","face":null}}}`
	}
	list := apitest.Scenario{Name: "addresses", Path: "/company/addresses", Header: harness.SignedIn("budi"),
		Save: map[string]string{"first": "/0/id", "used": "/3/id"}}
	s.Run(t, []apitest.Scenario{
		first,
		create("a name in use", "andini", `name:"ACEH",`+at, harness.Refusal("createAddress", invalid, "{}", "name", harness.InUse)),
		create("no name", "andini", `name:"",`+at, harness.Refusal("createAddress", invalid, "{}", "name", harness.Required)),
		create("no radius", "andini", `name:"X",radius:0,`+at, harness.Refusal("createAddress", invalid, "{}", "radius", "This must lie between 25 and 50000.")),
		create("nowhere", "andini", `name:"X",latitude:0,longitude:0`, harness.Refusal("createAddress", invalid, "{}", "latitude", harness.Required, "longitude", harness.Required)),
		create("by a manager", "ratna", `name:"X",`+at, harness.Refusal("createAddress", "FORBIDDEN", "{}")),
		update("all", "andini", "aceh", `address:"Jalan 1",radius:100,timezone:"Asia/Makassar",weeklyOffs:[5],points:[{latitude:1,longitude:2}],policies:{geofenceIn:flag}`,
			`{"updateAddress":{"name":"Aceh","address":"Jalan 1","latitude":"-6.900000","longitude":"107.600000","radius":100,"timezone":"Asia/Makassar","active":true,`+
				`"weeklyOffs":[5],"points":[{"latitude":"1.000000","longitude":"2.000000"}],"policies":{"geofenceIn":"flag","face":null}}}`),
		harness.Asks("in a list", "budi", `{addresses(where:{name:"Aceh"}){edges{node{weeklyOffs}}}}`, `{"addresses":{"edges":[{"node":{"weeklyOffs":[5]}}]}}`),
		update("no day off", "andini", "aceh", `weeklyOffs:[]`, aceh(`[]`, "Jalan 1")),
		harness.Asks("no day off in a list", "budi", `{addresses(where:{name:"Aceh"}){edges{node{weeklyOffs}}}}`, `{"addresses":{"edges":[{"node":{"weeklyOffs":[]}}]}}`),
		update("the company's days off", "andini", "aceh", `weeklyOffs:null,address:null`, aceh(`null`, "")),
		harness.Asks("the company's in a list", "budi", `{addresses(where:{name:"Aceh"}){edges{node{weeklyOffs address}}} companyAddresses{weeklyOffs}}`,
			`{"addresses":{"edges":[{"node":{"weeklyOffs":null,"address":""}}]},"companyAddresses":[{"weeklyOffs":null},{"weeklyOffs":null},{"weeklyOffs":null},{"weeklyOffs":null}]}`),
		update("a day twice", "andini", "aceh", `weeklyOffs:[1,2,1]`, harness.Refusal("updateAddress", invalid, "{}", "weeklyOffs", "1 is listed twice.")),
		update("blank text", "andini", "aceh", `address:" "`, aceh(`null`, "")),
		update("another company's", "daeng", "aceh", ``, harness.Refusal("updateAddress", "NOT_FOUND", "{}")),
		update("by an employee", "budi", "aceh", ``, harness.Refusal("updateAddress", "FORBIDDEN", "{}")),
		list,
		update("archived", "andini", "aceh", `active:false,policies:null`, `"<any>"`),
		harness.Asks("not listed", "budi", `{companyAddresses{name}}`, `{"companyAddresses":[{"name":"<any>"},{"name":"<any>"},{"name":"<any>"}]}`),
		remove("by an employee", "budi", "aceh", harness.Refusal("deleteAddress", "FORBIDDEN", "{}")),
		remove("where somebody clocked in", "andini", "used", harness.Refusal("deleteAddress", "CONFLICT", `{"conflict":"IN_USE"}`)),
	})
	holidays(t, s)
	s.Run(t, []apitest.Scenario{
		remove("with its holidays", "andini", "aceh", `{"deleteAddress":{"deleted":true}}`),
		remove("gone", "andini", "aceh", harness.Refusal("deleteAddress", "NOT_FOUND", "{}")),
	})
}

func holidays(t *testing.T, s *harness.Server) {
	create := func(name, who, input, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{createHoliday(input:{`+input+`}){id name date half address{name}}}`, want)
	}
	update := func(name, who, input, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{updateHoliday(id:"{{nyepi}}",input:{`+input+`}){name date half}}`, want)
	}
	unread := func(name, mutation string, input map[string]any, fields ...string) apitest.Scenario {
		r := harness.Asks(name, "andini", "", `{}`)
		r.Body = apitest.Query(mutation, map[string]any{"input": input})
		var faults []string
		for _, f := range fields {
			faults = append(faults, `{"field":"`+f+`","code":"VALIDATION_FAILED","detail":"/.+/"}`)
		}
		r.Want = `{"errors":[{"message":"/.+/","extensions":{"code":"VALIDATION_FAILED","errors":[` + strings.Join(faults, ",") + `],"meta":{},"requestId":"<any>"}}]}`
		return r
	}
	const change = `mutation($input:UpdateHolidayInput!){updateHoliday(id:"{{nyepi}}",input:$input){name}}`
	const add = `mutation($input:CreateHolidayInput!){createHoliday(input:$input){name}}`
	remove := func(name, who, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{deleteHoliday(id:"{{nyepi}}"){deleted}}`, want)
	}
	first := create("of the company", "andini", `name:"Nyepi",date:"2027-03-08",half:true`, `{"createHoliday":{"id":"<digits>","name":"Nyepi","date":"2027-03-08","half":true,"address":null}}`)
	first.Save = map[string]string{"nyepi": "/data/createHoliday/id"}
	s.Run(t, []apitest.Scenario{
		first,
		create("of an address", "andini", `name:"Nyepi",date:"2027-03-08",addressId:"{{aceh}}"`, `{"createHoliday":{"id":"<digits>","name":"Nyepi","date":"2027-03-08","half":false,"address":{"name":"Aceh"}}}`),
		create("twice", "andini", `name:"NYEPI",date:"2027-03-08"`, harness.Refusal("createHoliday", invalid, "{}", "name", harness.InUse)),
		create("no name", "andini", `name:" ",date:"2027-03-08"`, harness.Refusal("createHoliday", invalid, "{}", "name", harness.Required)),
		create("no such address", "andini", `name:"X",date:"2027-03-08",addressId:"999999"`, harness.Refusal("createHoliday", "NOT_FOUND", "{}", "addressId", harness.Nothing)),
		create("by an employee", "budi", `name:"X",date:"2027-03-08"`, harness.Refusal("createHoliday", "FORBIDDEN", "{}")),
		update("some", "andini", `name:"Hari Nyepi",half:false`, `{"updateHoliday":{"name":"Hari Nyepi","date":"2027-03-08","half":false}}`),
		update("no date", "andini", `date:null`, harness.Refusal("updateHoliday", invalid, "{}", "date", harness.Required)),
		update("by an employee", "budi", ``, harness.Refusal("updateHoliday", "FORBIDDEN", "{}")),
		unread("no date of the calendar, which changes nothing", change, map[string]any{"name": "Renamed", "date": "soon"}, "date"),
		unread("no date of the calendar, and no name", change, map[string]any{"name": " ", "date": "soon", "half": nil}, "date"),
		unread("a new one with a wrong date and no name", add, map[string]any{"name": " ", "date": "soon", "half": "some"}, "date", "half"),
		harness.Asks("listed", "budi", `{holidays(where:{date:"2027-03-08"}){totalCount edges{node{name address{name}}}} holiday(id:"{{nyepi}}"){name}}`,
			`{"holidays":{"totalCount":2,"edges":[{"node":{"name":"Hari Nyepi","address":null}},{"node":{"name":"Nyepi","address":{"name":"Aceh"}}}]},"holiday":{"name":"Hari Nyepi"}}`),
		remove("by an employee", "budi", harness.Refusal("deleteHoliday", "FORBIDDEN", "{}")),
		remove("the company's", "andini", `{"deleteHoliday":{"deleted":true}}`),
		remove("gone", "andini", harness.Refusal("deleteHoliday", "NOT_FOUND", "{}")),
	})
	today := func(name, want string) apitest.Scenario {
		return harness.Asks(name, "budi", `{attendanceToday{status}}`, `{"attendanceToday":{"status":"`+want+`"}}`)
	}
	var day struct{ AttendanceToday struct{ Date string } }
	s.GraphQL(t, s.HeaderOf("budi"), `{attendanceToday{date}}`, nil, &day)
	off := create("today", "andini", `name:"Hari ini",date:"`+day.AttendanceToday.Date+`"`, `"<any>"`)
	off.Save = map[string]string{"nyepi": "/data/createHoliday/id"}
	s.Run(t, []apitest.Scenario{today("no holiday", "none"), off, today("a holiday", "holiday"), remove("of today", "andini", `{"deleteHoliday":{"deleted":true}}`)})
}
