// Package organization tests, on the whole server, the company, its businesses, its
// addresses and its holidays.
package organization

import (
	"fmt"
	"strings"
	"testing"

	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
)

func Businesses(t *testing.T, s *harness.Server) {
	create := func(name, who, input, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{createBusiness(input:{`+input+`}){id name parent{name} manager{name}}}`, want)
	}
	update := func(name, who, id, input, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{updateBusiness(id:"{{`+id+`}}",input:{`+input+`}){name parent{name} manager{name}}}`, want)
	}
	remove := func(name, who, id, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{deleteBusiness(id:"{{`+id+`}}"){deleted}}`, want)
	}
	const invalid = "VALIDATION_FAILED"
	cycle := harness.Refusal("updateBusiness", "CYCLE", "{}", "parentId", "Nothing can be moved below itself, or merged into itself or what is below it.")
	top := create("at the top", "andini", `name:" Cabang "`, `{"createBusiness":{"id":"<digits>","name":"Cabang","parent":null,"manager":null}}`)
	top.Save = map[string]string{"top": "/data/createBusiness/id"}
	middle := create("below, managed", "andini", `name:"Timur",parentId:"{{top}}",managerId:"{{ratna}}"`,
		`{"createBusiness":{"id":"<digits>","name":"Timur","parent":{"name":"Cabang"},"manager":{"name":"Ratna Wijayanti"}}}`)
	middle.Save = map[string]string{"middle": "/data/createBusiness/id"}
	low := create("further below", "andini", `name:"Gudang",parentId:"{{middle}}"`, `{"createBusiness":{"id":"<digits>","name":"Gudang","parent":{"name":"Timur"},"manager":null}}`)
	low.Save = map[string]string{"low": "/data/createBusiness/id"}
	site := harness.Asks("site", "andini", `mutation{createAddress(input:{name:"Lokasi",latitude:1,longitude:1}){id}}`, `{"createAddress":{"id":"<digits>"}}`)
	site.Save = map[string]string{"site": "/data/createAddress/id"}
	s.Run(t, []apitest.Scenario{
		top, middle, low, site,
		create("no name", "andini", `name:""`, harness.Refusal("createBusiness", invalid, "{}", "name", harness.Required)),
		create("a sibling's name", "andini", `name:"CABANG"`, harness.Refusal("createBusiness", invalid, "{}", "name", harness.InUse)),
		create("below another company's", "andini", `name:"X",parentId:"{{their.business}}"`, harness.Refusal("createBusiness", "NOT_FOUND", "{}", "parentId", harness.Nothing)),
		create("managed by another company's", "andini", `name:"X",managerId:"{{daeng}}"`, harness.Refusal("createBusiness", "NOT_FOUND", "{}", "managerId", harness.Nothing)),
		create("managed by somebody who left", "andini", `name:"X",managerId:"{{cecep}}"`, harness.Refusal("createBusiness", "NOT_FOUND", "{}", "managerId", harness.Nothing)),
		create("by a manager", "ratna", `name:""`, harness.Refusal("createBusiness", "FORBIDDEN", "{}")),
		update("below itself", "andini", "top", `parentId:"{{top}}"`, cycle),
		update("below its child's child", "andini", "top", `parentId:"{{low}}"`, cycle),
		update("below another company's", "andini", "top", `parentId:"{{their.business}}"`, harness.Refusal("updateBusiness", "NOT_FOUND", "{}", "parentId", harness.Nothing)),
		update("no name", "andini", "top", `name:null`, harness.Refusal("updateBusiness", invalid, "{}", "name", harness.Required)),
		update("nothing", "andini", "middle", "", `{"updateBusiness":{"name":"Timur","parent":{"name":"Cabang"},"manager":{"name":"Ratna Wijayanti"}}}`),
		update("moved to the top, unmanaged", "andini", "middle", `parentId:null,managerId:null`, `{"updateBusiness":{"name":"Timur","parent":null,"manager":null}}`),
		update("a sibling's name", "andini", "middle", `name:"cabang"`, harness.Refusal("updateBusiness", invalid, "{}", "name", harness.InUse)),
		update("now the other way round", "andini", "top", `parentId:"{{middle}}",name:"Cabang Timur"`, `{"updateBusiness":{"name":"Cabang Timur","parent":{"name":"Timur"},"manager":null}}`),
		update("by an employee", "budi", "top", `name:"X"`, harness.Refusal("updateBusiness", "FORBIDDEN", "{}")),
		update("another company's", "andini", "their.business", `name:"X"`, harness.Refusal("updateBusiness", "NOT_FOUND", "{}")),
		remove("with others below", "andini", "middle", harness.Refusal("deleteBusiness", "CONFLICT", `{"children":2,"conflict":"NOT_EMPTY","users":0}`)),
		remove("with people", "andini", "OperasionalBandung", harness.Refusal("deleteBusiness", "CONFLICT", `{"children":0,"conflict":"NOT_EMPTY","users":"<int>"}`)),
		remove("by an employee", "budi", "low", harness.Refusal("deleteBusiness", "FORBIDDEN", "{}")),
		remove("another company's", "andini", "their.business", harness.Refusal("deleteBusiness", "NOT_FOUND", "{}")),
		harness.Asks("a work site", "andini", `mutation{updateAddress(id:"{{site}}",input:{businessId:"{{low}}"}){business{name}}}`, `{"updateAddress":{"business":{"name":"Gudang"}}}`),
		remove("with a work site", "andini", "low", harness.Refusal("deleteBusiness", "CONFLICT", `{"addresses":1,"children":0,"conflict":"NOT_EMPTY","users":0}`)),
		harness.Asks("no work site", "andini", `mutation{deleteAddress(id:"{{site}}"){deleted}}`, `{"deleteAddress":{"deleted":true}}`),
		remove("empty", "andini", "low", `{"deleteBusiness":{"deleted":true}}`),
		remove("gone", "andini", "low", harness.Refusal("deleteBusiness", "NOT_FOUND", "{}")),
	})
	a := create("one", "andini", `name:"A"`, `{"createBusiness":{"id":"<digits>","name":"A","parent":null,"manager":null}}`)
	b := create("another", "andini", `name:"B"`, `{"createBusiness":{"id":"<digits>","name":"B","parent":null,"manager":null}}`)
	a.Save, b.Save = map[string]string{"a": "/data/createBusiness/id"}, map[string]string{"b": "/data/createBusiness/id"}
	s.Run(t, []apitest.Scenario{a, b})
	codes := s.AtOnce(t, [2]string{"andini", "andini"}, func(i int) string {
		ids := [2]string{s.Vars["a"], s.Vars["b"]}
		return fmt.Sprintf(`mutation{updateBusiness(id:%q,input:{parentId:%q}){id}}`, ids[i], ids[1-i])
	})
	if codes != [2]string{"", "CYCLE"} && codes != [2]string{"CYCLE", ""} {
		t.Errorf("two businesses, each put below the other at once: %q, want one to be CYCLE", codes)
	}
	codes = s.AtOnce(t, [2]string{"andini", "andini"}, func(int) string {
		return `mutation{createUser(input:{name:"Sama",email:"sama@demo.test"}){id}}`
	})
	if codes != [2]string{"", "VALIDATION_FAILED"} && codes != [2]string{"VALIDATION_FAILED", ""} {
		t.Errorf("one address given twice at once: %q, want one to be VALIDATION_FAILED", codes)
	}
	// A manager's team is what they manage now.
	team := func(name string, total string) apitest.Scenario {
		return harness.Asks(name, "siti", `{attendances(where:{hasUserWith:[{emailHasPrefix:"gita"}]}){totalCount}}`, `{"attendances":{"totalCount":`+total+`}}`)
	}
	s.Run(t, []apitest.Scenario{
		team("another's team", "0"),
		update("becomes hers", "andini", "OperasionalBandung", `managerId:"{{siti}}"`, `{"updateBusiness":{"name":"Operasional Bandung","parent":{"name":"Kantor Bandung"},"manager":{"name":"Siti Rahmawati"}}}`),
		team("from the next request on", `"<int>"`),
	})
	if list := s.AskGraphQL(t, s.HeaderOf("siti"), `{attendances(where:{hasUserWith:[{emailHasPrefix:"gita"}]}){totalCount}}`, nil); strings.Contains(list.Text, `:0}`) {
		t.Errorf("a new manager sees nothing of their team: %s", list.Text)
	}
}
