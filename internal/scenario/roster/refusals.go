package roster

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"workforce/ent/employeeshift"
	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// A refusal is a mutation that is refused: by whom, with which code, to which member it is
// due, and what it says in both languages.
type refusal struct {
	name, who, mutation string
	code, field, en, id string
}

// refusals tries every refusal of the mutations of the roster.
func refusals(t *testing.T, s *harness.Server) {
	prepareRefusals(t, s)
	for _, r := range refusalRows {
		for language, want := range map[string]string{"en": r.en, "id": r.id} {
			head, variables := "mutation", map[string]any(nil)
			if strings.Contains(r.mutation, "$ids") {
				head, variables = "mutation($ids:[ID!]!)", map[string]any{"ids": slices.Repeat([]string{"1"}, 1001)}
			}
			got, err := s.Attempt(apitest.Scenario{Path: "/graphql", Header: harness.SignedIn(r.who, "X-Language", language), Body: apitest.Query(head+"{"+r.mutation+"}", variables)})
			if err != nil {
				t.Fatal(err)
			}
			code, field, text := refused(t, got.Body)
			if code != r.code || field != r.field || text != want {
				t.Errorf("%s, in %s:\ngot  %s %q %q\nwant %s %q %q", r.name, language, code, field, text, r.code, r.field, want)
			}
		}
	}
}

// refused returns the code of a refusal, its first member, and what it says of it.
func refused(t *testing.T, body string) (code, field, text string) {
	t.Helper()
	var answer struct {
		Errors []struct {
			Message    string
			Extensions struct {
				Code   string
				Errors []struct{ Field, Detail string }
			}
		}
	}
	if err := json.Unmarshal([]byte(body), &answer); err != nil {
		t.Fatal(err, body)
	}
	if len(answer.Errors) == 0 {
		return "", "", body
	}
	e := answer.Errors[0]
	if len(e.Extensions.Errors) > 0 {
		return e.Extensions.Code, e.Extensions.Errors[0].Field, e.Extensions.Errors[0].Detail
	}
	return e.Extensions.Code, "", e.Message
}

// prepareRefusals saves the ids of what refusals are about. It is Tuesday, 2026-03-10.
func prepareRefusals(t *testing.T, s *harness.Server) {
	t.Helper()
	signIn(t, s)
	for _, name := range []string{"sari", "tono"} {
		s.SignIn(t, name, name+"@demo.test")
	}
	s.SaveSites(t, "budi")
	s.SaveShift(t, "budi")
	s.Vars["101"], s.Vars["251"], s.Vars["attended"] = strings.Repeat("x", 101), strings.Repeat("x", 251), s.Vars["budi.shift"]
	id, err := strconv.Atoi(s.Vars["attended"])
	if err != nil {
		t.Fatal(err)
	}
	ctx := viewer.System(t.Context())
	o := s.Store.Ent.EmployeeShift.Query().Where(employeeshift.ID(id)).WithUser().OnlyX(ctx)
	s.Vars["worked"] = strconv.Itoa(*o.AssignmentID)
	s.Vars["unit"] = strconv.Itoa(*o.Edges.User.BusinessID)
	makes := func(save, mutation string) apitest.Scenario {
		field, _, _ := strings.Cut(mutation, "(")
		r := harness.Asks(save, "andini", "mutation{"+mutation+"{id}}", `{"`+field+`":{"id":"<digits>"}}`)
		r.Save = map[string]string{save: "/data/" + field + "/id"}
		return r
	}
	shift := func(save, start, end string) apitest.Scenario {
		return makes(save, fmt.Sprintf(`createShift(input:{name:%q,startTime:%q,endTime:%q})`, save, start, end))
	}
	gives := func(save, person, shift, period string) apitest.Scenario {
		return makes(save, fmt.Sprintf(`assignShift(input:{userId:"{{%s}}",shiftId:"{{%s}}",%s})`, person, shift, period))
	}
	person := func(name string) apitest.Scenario {
		return makes(name, fmt.Sprintf(`createUser(input:{name:%q,email:"%s@demo.test",password:"demo-password"})`, name, name))
	}
	turn := harness.Asks("turn", "andini", `mutation{assignRotation(input:{rotationId:"{{putar}}",userIds:["{{tono}}"],startsOn:"2026-03-10"}){assignmentId}}`, `{"assignRotation":[{"assignmentId":"<digits>"}]}`)
	turn.Save = map[string]string{"turn": "/data/assignRotation/0/assignmentId"}
	s.Run(t, []apitest.Scenario{
		harness.ClockIn("budi"),
		harness.Asks("locked", "andini", `mutation{updateCompany(input:{settings:{lockedFrom:"2026-03-01",lockedUntil:"2026-03-05"}}){id}}`, `{"updateCompany":{"id":"<digits>"}}`),
		shift("siang", "13:00", "21:00"), shift("petang", "21:00", "22:00"), shift("subuh", "04:00", "05:00"), shift("arsip", "04:00", "05:00"),
		harness.Asks("archived", "andini", `mutation{updateShift(id:"{{arsip}}",input:{active:false}){active}}`, `{"updateShift":{"active":false}}`),
		person("wati"), person("wulan"),
		gives("given", "sari", "pagi", `startsOn:"2026-03-10"`),
		gives("before", "wati", "siang", `startsOn:"2026-03-10"`), gives("behind", "wati", "petang", `startsOn:"2026-03-10"`),
		gives("short", "wulan", "pagi", `startsOn:"2026-03-10",endsOn:"2026-03-14"`), gives("later", "wulan", "pagi", `startsOn:"2026-03-20"`),
		makes("putar", `createRotation(input:{name:"Putar",days:["{{pagi}}","{{malam}}",null]})`),
		turn,
	})
	s.Vars["hers"], s.Vars["hers.later"] = occurrence(t, s, "sari", "2026-03-12"), occurrence(t, s, "sari", "2026-03-13")
	s.Vars["hers.today"] = occurrence(t, s, "sari", "2026-03-10")
	s.Vars["his"], s.Vars["his.night"] = occurrence(t, s, "tono", "2026-03-13"), occurrence(t, s, "tono", "2026-03-11")
	asks := func(save, who, input string) apitest.Scenario {
		r := makes(save, "requestShiftSwap(input:{"+input+"})")
		r.Header = harness.SignedIn(who)
		return r
	}
	corrected := makes("corrected", `requestCorrection(input:{employeeShiftId:"{{hers.today}}",clockInAt:"2026-03-10T07:30:00+07:00",clockOutAt:"2026-03-10T08:30:00+07:00",addressId:"{{pusat}}",reason:"forgotten"})`)
	corrected.Header = harness.SignedIn("sari")
	s.Run(t, []apitest.Scenario{
		corrected,
		asks("request", "sari", `employeeShiftId:"{{hers.later}}",shiftId:"{{malam}}"`),
		asks("asked", "tono", `employeeShiftId:"{{his.night}}",withEmployeeShiftId:"{{hers}}"`),
		asks("ended", "tono", `employeeShiftId:"{{his}}",shiftId:"{{malam}}"`),
		harness.Asks("taken back", "tono", `mutation{cancelShiftSwap(id:"{{ended}}"){state}}`, `{"cancelShiftSwap":{"state":"cancelled"}}`),
	})
}

// refusalRows are the refusals, by mutation.
var refusalRows = []refusal{
	{"a shift by a manager", "ratna", `createShift(input:{name:"X",startTime:"22:00",endTime:"06:00"}){id}`,
		"FORBIDDEN", "", "You may not do this.", "Anda tidak berhak melakukan ini."},
	{"a shift without a name", "andini", `createShift(input:{name:" ",startTime:"22:00",endTime:"06:00"}){id}`,
		"VALIDATION_FAILED", "name", "This is required.", "Wajib diisi."},
	{"a shift with a long name", "andini", `createShift(input:{name:"{{101}}",startTime:"22:00",endTime:"06:00"}){id}`,
		"VALIDATION_FAILED", "name", "This may have at most 100 characters.", "Maksimal 100 karakter."},
	{"a start that is no time", "andini", `createShift(input:{name:"X",startTime:"24:00",endTime:"06:00"}){id}`,
		"VALIDATION_FAILED", "startTime", "This must look like 08:00.", "Harus seperti 08:00."},
	{"an end that is no time", "andini", `createShift(input:{name:"X",startTime:"22:00",endTime:"6:00"}){id}`,
		"VALIDATION_FAILED", "endTime", "This must look like 08:00.", "Harus seperti 08:00."},
	{"no length", "andini", `createShift(input:{name:"X",startTime:"08:00",endTime:"08:00"}){id}`,
		"VALIDATION_FAILED", "endTime", "This must differ from startTime.", "Harus berbeda dari startTime."},
	{"24 hours with what is before", "andini", `createShift(input:{name:"X",startTime:"22:00",endTime:"06:00",opensBeforeMinutes:960}){id}`,
		"VALIDATION_FAILED", "opensBeforeMinutes", "This must lie between 0 and 959.", "Harus di antara 0 dan 959."},
	{"24 hours with what is behind", "andini", `createShift(input:{name:"X",startTime:"22:00",endTime:"06:00",opensBeforeMinutes:0,closesAfterMinutes:960}){id}`,
		"VALIDATION_FAILED", "closesAfterMinutes", "This must lie between 0 and 959.", "Harus di antara 0 dan 959."},
	{"a window that opens behind the start", "andini", `createShift(input:{name:"X",startTime:"22:00",endTime:"06:00",opensBeforeMinutes:-1}){id}`,
		"VALIDATION_FAILED", "opensBeforeMinutes", "This must lie between 0 and 1439.", "Harus di antara 0 dan 1439."},
	{"a window that closes before the end", "andini", `createShift(input:{name:"X",startTime:"22:00",endTime:"06:00",closesAfterMinutes:-1}){id}`,
		"VALIDATION_FAILED", "closesAfterMinutes", "This must lie between 0 and 1439.", "Harus di antara 0 dan 1439."},
	{"a grace below nothing", "andini", `createShift(input:{name:"X",startTime:"22:00",endTime:"06:00",lateGraceMinutes:-1}){id}`,
		"VALIDATION_FAILED", "lateGraceMinutes", "This must lie between 0 and 1439.", "Harus di antara 0 dan 1439."},
	{"a grace of a day", "andini", `createShift(input:{name:"X",startTime:"22:00",endTime:"06:00",earlyGraceMinutes:1440}){id}`,
		"VALIDATION_FAILED", "earlyGraceMinutes", "This must lie between 0 and 1439.", "Harus di antara 0 dan 1439."},
	{"half a day below nothing", "andini", `createShift(input:{name:"X",startTime:"22:00",endTime:"06:00",halfDayBelowMinutes:-1}){id}`,
		"VALIDATION_FAILED", "halfDayBelowMinutes", "This must lie between 0 and 1439.", "Harus di antara 0 dan 1439."},
	{"absent below nothing", "andini", `createShift(input:{name:"X",startTime:"22:00",endTime:"06:00",absentBelowMinutes:-1}){id}`,
		"VALIDATION_FAILED", "absentBelowMinutes", "This must lie between 0 and 1439.", "Harus di antara 0 dan 1439."},
	{"absent above half a day", "andini", `createShift(input:{name:"X",startTime:"22:00",endTime:"06:00",halfDayBelowMinutes:60,absentBelowMinutes:61}){id}`,
		"VALIDATION_FAILED", "absentBelowMinutes", "This must lie between 0 and 60.", "Harus di antara 0 dan 60."},
	{"a break of a day", "andini", `createShift(input:{name:"X",startTime:"22:00",endTime:"06:00",breakMinutes:1440}){id}`,
		"VALIDATION_FAILED", "breakMinutes", "This must lie between 0 and 1439.", "Harus di antara 0 dan 1439."},
	{"a break after a day", "andini", `createShift(input:{name:"X",startTime:"22:00",endTime:"06:00",breakAfterMinutes:1440}){id}`,
		"VALIDATION_FAILED", "breakAfterMinutes", "This must lie between 0 and 1439.", "Harus di antara 0 dan 1439."},
	{"a break of the whole shift", "andini", `createShift(input:{name:"X",startTime:"22:00",endTime:"06:00",breakMinutes:480}){id}`,
		"VALIDATION_FAILED", "breakMinutes", "This must lie between 0 and 479.", "Harus di antara 0 dan 479."},
	{"both kinds of breaks", "andini", `createShift(input:{name:"X",startTime:"22:00",endTime:"06:00",breakMinutes:30,breaks:[{start:"01:00",end:"01:30"}]}){id}`,
		"VALIDATION_FAILED", "breakMinutes", "This may not be given together with breaks.", "Tidak boleh disertai breaks."},
	{"eleven breaks", "andini", `createShift(input:{name:"X",startTime:"22:00",endTime:"06:00",breaks:[{start:"01:00",end:"01:01"},{start:"01:00",end:"01:01"},{start:"01:00",end:"01:01"},{start:"01:00",end:"01:01"},{start:"01:00",end:"01:01"},{start:"01:00",end:"01:01"},{start:"01:00",end:"01:01"},{start:"01:00",end:"01:01"},{start:"01:00",end:"01:01"},{start:"01:00",end:"01:01"},{start:"01:00",end:"01:01"}]}){id}`,
		"VALIDATION_FAILED", "breaks", "This may have at most 10 entries.", "Maksimal 10 entri."},
	{"a break from no time", "andini", `createShift(input:{name:"X",startTime:"22:00",endTime:"06:00",breaks:[{start:"noon",end:"01:30"}]}){id}`,
		"VALIDATION_FAILED", "breaks.0.start", "This must look like 12:00.", "Harus seperti 12:00."},
	{"a break until no time", "andini", `createShift(input:{name:"X",startTime:"22:00",endTime:"06:00",breaks:[{start:"01:00",end:"25:00"}]}){id}`,
		"VALIDATION_FAILED", "breaks.0.end", "This must look like 12:00.", "Harus seperti 12:00."},
	{"a break without length", "andini", `createShift(input:{name:"X",startTime:"22:00",endTime:"06:00",breaks:[{start:"01:00",end:"01:00"}]}){id}`,
		"VALIDATION_FAILED", "breaks.0.end", "This must differ from start.", "Harus berbeda dari start."},
	{"a break outside", "andini", `createShift(input:{name:"X",startTime:"22:00",endTime:"06:00",breaks:[{start:"12:00",end:"12:30"}]}){id}`,
		"VALIDATION_FAILED", "breaks.0.start", "This must lie within startTime, endTime.", "Harus berada di dalam startTime, endTime."},
	{"a break that ends outside", "andini", `createShift(input:{name:"X",startTime:"22:00",endTime:"06:00",breaks:[{start:"05:00",end:"07:00"}]}){id}`,
		"VALIDATION_FAILED", "breaks.0.end", "This must lie within startTime, endTime.", "Harus berada di dalam startTime, endTime."},
	{"breaks over each other", "andini", `createShift(input:{name:"X",startTime:"22:00",endTime:"06:00",breaks:[{start:"01:00",end:"02:00"},{start:"01:30",end:"02:30"}]}){id}`,
		"VALIDATION_FAILED", "breaks.1.start", "This covers the same time as another of breaks.", "Waktunya bertumpang tindih dengan breaks lain."},
	{"a zone that is none", "andini", `createShift(input:{name:"X",startTime:"22:00",endTime:"06:00",timezone:"Asia/Nowhere"}){id}`,
		"VALIDATION_FAILED", "timezone", "This must look like Asia/Jakarta.", "Harus seperti Asia/Jakarta."},
	{"a colour that is none", "andini", `createShift(input:{name:"X",startTime:"22:00",endTime:"06:00",colour:"red"}){id}`,
		"VALIDATION_FAILED", "colour", "This must look like #1F77B4.", "Harus seperti #1F77B4."},
	{"another company's shift changed", "andini", `updateShift(id:"{{theirs}}",input:{name:"X"}){id}`,
		"NOT_FOUND", "", "There is nothing here by that name or number.", "Data yang diminta tidak ditemukan."},
	{"a shift changed by a manager", "ratna", `updateShift(id:"{{siang}}",input:{name:"X"}){id}`,
		"FORBIDDEN", "", "You may not do this.", "Anda tidak berhak melakukan ini."},
	{"a name taken away", "andini", `updateShift(id:"{{siang}}",input:{name:null}){id}`,
		"VALIDATION_FAILED", "name", "This is required.", "Wajib diisi."},
	{"a start taken away", "andini", `updateShift(id:"{{siang}}",input:{startTime:null}){id}`,
		"VALIDATION_FAILED", "startTime", "This is required.", "Wajib diisi."},
	{"an end taken away", "andini", `updateShift(id:"{{siang}}",input:{endTime:null}){id}`,
		"VALIDATION_FAILED", "endTime", "This is required.", "Wajib diisi."},
	{"margins taken away", "andini", `updateShift(id:"{{siang}}",input:{opensBeforeMinutes:null}){id}`,
		"VALIDATION_FAILED", "opensBeforeMinutes", "This is required.", "Wajib diisi."},
	{"hours taken away", "andini", `updateShift(id:"{{siang}}",input:{workingHours:null}){id}`,
		"VALIDATION_FAILED", "workingHours", "This is required.", "Wajib diisi."},
	{"neither archived nor not", "andini", `updateShift(id:"{{siang}}",input:{active:null}){id}`,
		"VALIDATION_FAILED", "active", "This is required.", "Wajib diisi."},
	{"no length any more", "andini", `updateShift(id:"{{siang}}",input:{endTime:"13:00"}){id}`,
		"VALIDATION_FAILED", "endTime", "This must differ from startTime.", "Harus berbeda dari startTime."},
	{"a change from yesterday", "andini", `updateShift(id:"{{siang}}",input:{from:"2026-03-09",startTime:"12:00"}){id}`,
		"VALIDATION_FAILED", "from", "This must lie between 2026-03-10 and 2027-04-14.", "Harus di antara 2026-03-10 dan 2027-04-14."},
	{"a change in 401 days", "andini", `updateShift(id:"{{siang}}",input:{from:"2027-04-15",startTime:"12:00"}){id}`,
		"VALIDATION_FAILED", "from", "This must lie between 2026-03-10 and 2027-04-14.", "Harus di antara 2026-03-10 dan 2027-04-14."},
	{"an end over the next shift", "andini", `updateShift(id:"{{siang}}",input:{endTime:"22:30"}){id}`,
		"CONFLICT", "endTime", "siang on 2026-03-10 and petang on 2026-03-10 are at the same time.", "siang pada 2026-03-10 dan petang pada 2026-03-10 bersamaan."},
	{"a start over the shift before", "andini", `updateShift(id:"{{petang}}",input:{startTime:"20:30"}){id}`,
		"CONFLICT", "startTime", "siang on 2026-03-10 and petang on 2026-03-10 are at the same time.", "siang pada 2026-03-10 dan petang pada 2026-03-10 bersamaan."},
	{"a zone over the next shift", "andini", `updateShift(id:"{{siang}}",input:{timezone:"Asia/Kolkata"}){id}`,
		"CONFLICT", "timezone", "siang on 2026-03-10 and petang on 2026-03-10 are at the same time.", "siang pada 2026-03-10 dan petang pada 2026-03-10 bersamaan."},
	{"another company's shift deleted", "andini", `deleteShift(id:"{{theirs}}"){deleted}`,
		"NOT_FOUND", "", "There is nothing here by that name or number.", "Data yang diminta tidak ditemukan."},
	{"a shift deleted by a manager", "ratna", `deleteShift(id:"{{siang}}"){deleted}`,
		"FORBIDDEN", "", "You may not do this.", "Anda tidak berhak melakukan ini."},
	{"a shift in use deleted", "andini", `deleteShift(id:"{{siang}}"){deleted}`,
		"CONFLICT", "", "This is still used, so it cannot be deleted.", "Data ini masih dipakai sehingga tidak dapat dihapus."},
	{"a shift for nobody", "andini", `assignShift(input:{userId:"999999",shiftId:"{{pagi}}",startsOn:"2026-03-11"}){id}`,
		"NOT_FOUND", "userId", "There is nothing here by that name or number.", "Data yang diminta tidak ditemukan."},
	{"a shift for another company's person", "andini", `assignShift(input:{userId:"{{daeng}}",shiftId:"{{pagi}}",startsOn:"2026-03-11"}){id}`,
		"NOT_FOUND", "userId", "There is nothing here by that name or number.", "Data yang diminta tidak ditemukan."},
	{"a shift by an employee", "budi", `assignShift(input:{userId:"{{sari}}",shiftId:"{{pagi}}",startsOn:"2026-03-11"}){id}`,
		"FORBIDDEN", "", "You may not do this.", "Anda tidak berhak melakukan ini."},
	{"another company's shift given", "andini", `assignShift(input:{userId:"{{sari}}",shiftId:"{{theirs}}",startsOn:"2026-03-11"}){id}`,
		"NOT_FOUND", "shiftId", "There is nothing here by that name or number.", "Data yang diminta tidak ditemukan."},
	{"an archived shift given", "andini", `assignShift(input:{userId:"{{sari}}",shiftId:"{{arsip}}",startsOn:"2026-03-11"}){id}`,
		"CONFLICT", "shiftId", "arsip is archived. Choose another one.", "arsip sudah diarsipkan. Pilih yang lain."},
	{"an assignment that ends before it starts", "andini", `assignShift(input:{userId:"{{sari}}",shiftId:"{{pagi}}",startsOn:"2026-03-11",endsOn:"2026-03-10"}){id}`,
		"VALIDATION_FAILED", "endsOn", "This must lie between 2026-03-11 and 9998-12-31.", "Harus di antara 2026-03-11 dan 9998-12-31."},
	{"an assignment on no weekday", "andini", `assignShift(input:{userId:"{{sari}}",shiftId:"{{pagi}}",startsOn:"2026-03-11",weekdays:[]}){id}`,
		"VALIDATION_FAILED", "weekdays", "This is required.", "Wajib diisi."},
	{"an assignment on an eighth weekday", "andini", `assignShift(input:{userId:"{{sari}}",shiftId:"{{pagi}}",startsOn:"2026-03-11",weekdays:[8]}){id}`,
		"VALIDATION_FAILED", "weekdays", "This must be one of 1, 2, 3, 4, 5, 6, 7.", "Harus salah satu dari 1, 2, 3, 4, 5, 6, 7."},
	{"an assignment every nine weeks", "andini", `assignShift(input:{userId:"{{sari}}",shiftId:"{{pagi}}",startsOn:"2026-03-11",everyWeeks:9}){id}`,
		"VALIDATION_FAILED", "everyWeeks", "This must lie between 1 and 8.", "Harus di antara 1 dan 8."},
	{"an assignment over another", "andini", `assignShift(input:{userId:"{{sari}}",shiftId:"{{siang}}",startsOn:"2026-03-11"}){id}`,
		"CONFLICT", "userId", "Pagi on 2026-03-11 and siang on 2026-03-11 are at the same time.", "Pagi pada 2026-03-11 dan siang pada 2026-03-11 bersamaan."},
	{"an assignment over another in ten years", "andini", `assignShift(input:{userId:"{{sari}}",shiftId:"{{siang}}",startsOn:"2036-03-11",endsOn:"2036-03-11"}){id}`,
		"CONFLICT", "userId", "Pagi on 2036-03-11 and siang on 2036-03-11 are at the same time.", "Pagi pada 2036-03-11 dan siang pada 2036-03-11 bersamaan."},
	{"a shift for a list of nobody", "andini", `assignShifts(input:{userIds:[],shiftId:"{{pagi}}",startsOn:"2026-03-11"}){code}`,
		"VALIDATION_FAILED", "userIds", "This is required.", "Wajib diisi."},
	{"a shift for 1,001 people", "andini", `assignShifts(input:{userIds:$ids,shiftId:"{{pagi}}",startsOn:"2026-03-11"}){code}`,
		"VALIDATION_FAILED", "userIds", "This may have at most 1000 entries.", "Maksimal 1000 entri."},
	{"no shift for a list", "andini", `assignShifts(input:{userIds:["{{sari}}"],shiftId:"999999",startsOn:"2026-03-11"}){code}`,
		"NOT_FOUND", "shiftId", "There is nothing here by that name or number.", "Data yang diminta tidak ditemukan."},
	{"another company's assignment ended", "daeng", `updateShiftAssignment(id:"{{given}}",input:{endsOn:null}){id}`,
		"NOT_FOUND", "", "There is nothing here by that name or number.", "Data yang diminta tidak ditemukan."},
	{"one's own assignment ended", "sari", `updateShiftAssignment(id:"{{given}}",input:{endsOn:"2026-03-20"}){id}`,
		"FORBIDDEN", "", "You may not do this.", "Anda tidak berhak melakukan ini."},
	{"an assignment ended before it starts", "andini", `updateShiftAssignment(id:"{{given}}",input:{endsOn:"2026-03-09"}){id}`,
		"VALIDATION_FAILED", "endsOn", "This must lie between 2026-03-10 and 9998-12-31.", "Harus di antara 2026-03-10 dan 9998-12-31."},
	{"an assignment into another", "andini", `updateShiftAssignment(id:"{{short}}",input:{endsOn:null}){id}`,
		"CONFLICT", "endsOn", "Pagi on 2026-03-20 and Pagi on 2026-03-20 are at the same time.", "Pagi pada 2026-03-20 dan Pagi pada 2026-03-20 bersamaan."},
	{"another company's assignment parted", "daeng", `splitShiftAssignment(id:"{{given}}",input:{date:"2026-03-20"}){id}`,
		"NOT_FOUND", "", "There is nothing here by that name or number.", "Data yang diminta tidak ditemukan."},
	{"one's own assignment parted", "sari", `splitShiftAssignment(id:"{{given}}",input:{date:"2026-03-20"}){id}`,
		"FORBIDDEN", "", "You may not do this.", "Anda tidak berhak melakukan ini."},
	{"an assignment parted at its start", "andini", `splitShiftAssignment(id:"{{given}}",input:{date:"2026-03-10"}){id}`,
		"VALIDATION_FAILED", "date", "This must lie between 2026-03-11 and 9998-12-31.", "Harus di antara 2026-03-11 dan 9998-12-31."},
	{"an assignment parted behind its end", "andini", `splitShiftAssignment(id:"{{short}}",input:{date:"2026-03-15"}){id}`,
		"VALIDATION_FAILED", "date", "This must lie between 2026-03-11 and 2026-03-14.", "Harus di antara 2026-03-11 dan 2026-03-14."},
	{"another company's assignment deleted", "daeng", `deleteShiftAssignment(id:"{{given}}"){deleted}`,
		"NOT_FOUND", "", "There is nothing here by that name or number.", "Data yang diminta tidak ditemukan."},
	{"one's own assignment deleted", "sari", `deleteShiftAssignment(id:"{{given}}"){deleted}`,
		"FORBIDDEN", "", "You may not do this.", "Anda tidak berhak melakukan ini."},
	{"an assignment that was worked ended", "andini", `updateShiftAssignment(id:"{{worked}}",input:{endsOn:"2026-03-09"}){id}`,
		"CONFLICT", "", "A shift that would go has attendances or requested corrections. Attendances: 1.", "Shift yang akan dihapus memiliki absensi atau pengajuan koreksi. Absensi: 1."},
	{"an assignment with a correction deleted", "andini", `deleteShiftAssignment(id:"{{given}}"){deleted}`,
		"CONFLICT", "", "A shift that would go has attendances or requested corrections. Corrections: 1.", "Shift yang akan dihapus memiliki absensi atau pengajuan koreksi. Koreksi: 1."},
	{"an assignment that was worked deleted", "andini", `deleteShiftAssignment(id:"{{worked}}"){deleted}`,
		"CONFLICT", "", "A shift that would go has attendances or requested corrections. Attendances: 12.", "Shift yang akan dihapus memiliki absensi atau pengajuan koreksi. Absensi: 12."},
	{"a rotation by a manager", "ratna", `createRotation(input:{name:"X",days:[null]}){id}`,
		"FORBIDDEN", "", "You may not do this.", "Anda tidak berhak melakukan ini."},
	{"a rotation without a name", "andini", `createRotation(input:{name:"",days:[null]}){id}`,
		"VALIDATION_FAILED", "name", "This is required.", "Wajib diisi."},
	{"a rotation with a name that is taken", "andini", `createRotation(input:{name:"Putar",days:[null]}){id}`,
		"VALIDATION_FAILED", "name", "This is already taken.", "Sudah dipakai."},
	{"a rotation without days", "andini", `createRotation(input:{name:"X",days:[]}){id}`,
		"VALIDATION_FAILED", "days", "This is required.", "Wajib diisi."},
	{"a rotation of 57 days", "andini", `createRotation(input:{name:"X",days:[null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null]}){id}`,
		"VALIDATION_FAILED", "days", "This may have at most 56 entries.", "Maksimal 56 entri."},
	{"a rotation of another company's shift", "andini", `createRotation(input:{name:"X",days:["{{theirs}}"]}){id}`,
		"NOT_FOUND", "days", "There is nothing here by that name or number.", "Data yang diminta tidak ditemukan."},
	{"a rotation of an archived shift", "andini", `createRotation(input:{name:"X",days:["{{arsip}}"]}){id}`,
		"CONFLICT", "days", "arsip is archived. Choose another one.", "arsip sudah diarsipkan. Pilih yang lain."},
	{"another company's rotation changed", "daeng", `updateRotation(id:"{{putar}}",input:{name:"X",days:[null]}){id}`,
		"NOT_FOUND", "", "There is nothing here by that name or number.", "Data yang diminta tidak ditemukan."},
	{"a rotation changed by a manager", "ratna", `updateRotation(id:"{{putar}}",input:{name:"X",days:[null]}){id}`,
		"FORBIDDEN", "", "You may not do this.", "Anda tidak berhak melakukan ini."},
	{"a morning after each night", "andini", `updateRotation(id:"{{putar}}",input:{name:"Putar",days:["{{malam}}","{{subuh}}"]}){id}`,
		"CONFLICT", "days", "Malam on 2026-03-10 and subuh on 2026-03-11 are at the same time.", "Malam pada 2026-03-10 dan subuh pada 2026-03-11 bersamaan."},
	{"another company's rotation deleted", "daeng", `deleteRotation(id:"{{putar}}"){deleted}`,
		"NOT_FOUND", "", "There is nothing here by that name or number.", "Data yang diminta tidak ditemukan."},
	{"a rotation deleted by a manager", "ratna", `deleteRotation(id:"{{putar}}"){deleted}`,
		"FORBIDDEN", "", "You may not do this.", "Anda tidak berhak melakukan ini."},
	{"a rotation in use deleted", "andini", `deleteRotation(id:"{{putar}}"){deleted}`,
		"CONFLICT", "", "This is still used, so it cannot be deleted.", "Data ini masih dipakai sehingga tidak dapat dihapus."},
	{"a rotation for nobody", "andini", `assignRotation(input:{rotationId:"{{putar}}",userIds:[],startsOn:"2026-03-11"}){code}`,
		"VALIDATION_FAILED", "userIds", "This is required.", "Wajib diisi."},
	{"a rotation for 1,001 people", "andini", `assignRotation(input:{rotationId:"{{putar}}",userIds:$ids,startsOn:"2026-03-11"}){code}`,
		"VALIDATION_FAILED", "userIds", "This may have at most 1000 entries.", "Maksimal 1000 entri."},
	{"a rotation that ends before it starts", "andini", `assignRotation(input:{rotationId:"{{putar}}",userIds:["{{sari}}"],startsOn:"2026-03-11",endsOn:"2026-03-10"}){code}`,
		"VALIDATION_FAILED", "endsOn", "This must lie between 2026-03-11 and 9998-12-31.", "Harus di antara 2026-03-11 dan 9998-12-31."},
	{"a rotation from its 57th day", "andini", `assignRotation(input:{rotationId:"{{putar}}",userIds:["{{sari}}"],startsOn:"2026-03-11",firstDay:57}){code}`,
		"VALIDATION_FAILED", "firstDay", "This must lie between 1 and 56.", "Harus di antara 1 dan 56."},
	{"a rotation from a day that it lacks", "andini", `assignRotation(input:{rotationId:"{{putar}}",userIds:["{{sari}}"],startsOn:"2026-03-11",firstDay:4}){code}`,
		"VALIDATION_FAILED", "firstDay", "This must lie between 1 and 3.", "Harus di antara 1 dan 3."},
	{"no rotation given", "andini", `assignRotation(input:{rotationId:"999999",userIds:["{{sari}}"],startsOn:"2026-03-11"}){code}`,
		"NOT_FOUND", "rotationId", "There is nothing here by that name or number.", "Data yang diminta tidak ditemukan."},
	{"another company's rotation ended", "daeng", `endRotation(id:"{{turn}}",input:{endsOn:"2026-03-20"}){id}`,
		"NOT_FOUND", "", "There is nothing here by that name or number.", "Data yang diminta tidak ditemukan."},
	{"one's own rotation ended", "tono", `endRotation(id:"{{turn}}",input:{endsOn:"2026-03-20"}){id}`,
		"FORBIDDEN", "", "You may not do this.", "Anda tidak berhak melakukan ini."},
	{"a rotation ended in the past", "andini", `endRotation(id:"{{turn}}",input:{endsOn:"2026-03-08"}){id}`,
		"VALIDATION_FAILED", "endsOn", "This must lie between 2026-03-10 and 9998-12-31.", "Harus di antara 2026-03-10 dan 9998-12-31."},
	{"a fallback of nobody", "andini", `setFallbackShift(input:{shiftId:"{{pagi}}"}){id}`,
		"VALIDATION_FAILED", "userId", "This is required.", "Wajib diisi."},
	{"a fallback of a person and a business", "andini", `setFallbackShift(input:{shiftId:"{{pagi}}",userId:"{{sari}}",businessId:"1"}){id}`,
		"VALIDATION_FAILED", "businessId", "This may not be given together with userId.", "Tidak boleh disertai userId."},
	{"a fallback of a person and a designation", "andini", `setFallbackShift(input:{shiftId:"{{pagi}}",userId:"{{sari}}",designationId:"1"}){id}`,
		"VALIDATION_FAILED", "designationId", "This may not be given together with userId.", "Tidak boleh disertai userId."},
	{"a fallback of another company's person", "andini", `setFallbackShift(input:{shiftId:"{{pagi}}",userId:"{{daeng}}"}){id}`,
		"NOT_FOUND", "userId", "There is nothing here by that name or number.", "Data yang diminta tidak ditemukan."},
	{"a fallback of no designation", "andini", `setFallbackShift(input:{shiftId:"{{pagi}}",designationId:"999999"}){id}`,
		"NOT_FOUND", "designationId", "There is nothing here by that name or number.", "Data yang diminta tidak ditemukan."},
	{"a fallback of no business", "andini", `setFallbackShift(input:{shiftId:"{{pagi}}",businessId:"999999"}){id}`,
		"NOT_FOUND", "businessId", "There is nothing here by that name or number.", "Data yang diminta tidak ditemukan."},
	{"a fallback by an employee", "budi", `setFallbackShift(input:{shiftId:"{{pagi}}",userId:"{{sari}}"}){id}`,
		"FORBIDDEN", "", "You may not do this.", "Anda tidak berhak melakukan ini."},
	{"a fallback of a business by a manager", "ratna", `setFallbackShift(input:{shiftId:"{{pagi}}",businessId:"{{unit}}"}){id}`,
		"FORBIDDEN", "", "You may not do this.", "Anda tidak berhak melakukan ini."},
	{"another company's shift as a fallback", "andini", `setFallbackShift(input:{shiftId:"{{theirs}}",userId:"{{sari}}"}){id}`,
		"NOT_FOUND", "shiftId", "There is nothing here by that name or number.", "Data yang diminta tidak ditemukan."},
	{"an archived shift as a fallback", "andini", `setFallbackShift(input:{shiftId:"{{arsip}}",userId:"{{sari}}"}){id}`,
		"CONFLICT", "shiftId", "arsip is archived. Choose another one.", "arsip sudah diarsipkan. Pilih yang lain."},
	{"a day of another company's person", "andini", `planDay(input:{userId:"{{daeng}}",date:"2026-03-12",shiftIds:[]}){id}`,
		"NOT_FOUND", "userId", "There is nothing here by that name or number.", "Data yang diminta tidak ditemukan."},
	{"a day by an employee", "budi", `planDay(input:{userId:"{{sari}}",date:"2026-03-12",shiftIds:[]}){id}`,
		"FORBIDDEN", "", "You may not do this.", "Anda tidak berhak melakukan ini."},
	{"a day too long ago", "andini", `planDay(input:{userId:"{{sari}}",date:"2026-02-06",shiftIds:[]}){id}`,
		"VALIDATION_FAILED", "date", "This must lie between 2026-02-07 and 2027-03-11.", "Harus di antara 2026-02-07 dan 2027-03-11."},
	{"a day too far ahead", "andini", `planDay(input:{userId:"{{sari}}",date:"2027-03-12",shiftIds:[]}){id}`,
		"VALIDATION_FAILED", "date", "This must lie between 2026-02-07 and 2027-03-11.", "Harus di antara 2026-02-07 dan 2027-03-11."},
	{"a day without a plan", "andini", `planDay(input:{userId:"{{sari}}",date:"2026-03-12"}){id}`,
		"VALIDATION_FAILED", "shiftIds", "This is required.", "Wajib diisi."},
	{"a day of six shifts", "andini", `planDay(input:{userId:"{{sari}}",date:"2026-03-12",shiftIds:["1","2","3","4","5","6"]}){id}`,
		"VALIDATION_FAILED", "shiftIds", "This may have at most 5 entries.", "Maksimal 5 entri."},
	{"a day of another company's shift", "andini", `planDay(input:{userId:"{{sari}}",date:"2026-03-12",shiftIds:["{{theirs}}"]}){id}`,
		"NOT_FOUND", "shiftIds", "There is nothing here by that name or number.", "Data yang diminta tidak ditemukan."},
	{"a day of an archived shift", "andini", `planDay(input:{userId:"{{sari}}",date:"2026-03-12",shiftIds:["{{arsip}}"]}){id}`,
		"CONFLICT", "shiftIds", "arsip is archived. Choose another one.", "arsip sudah diarsipkan. Pilih yang lain."},
	{"a day of shifts that overlap", "andini", `planDay(input:{userId:"{{sari}}",date:"2026-03-12",shiftIds:["{{pagi}}","{{siang}}"]}){id}`,
		"CONFLICT", "shiftIds", "Pagi on 2026-03-12 and siang on 2026-03-12 are at the same time.", "Pagi pada 2026-03-12 dan siang pada 2026-03-12 bersamaan."},
	{"a day off that was worked", "andini", `planDay(input:{userId:"{{budi}}",date:"2026-03-10",shiftIds:[]}){id}`,
		"CONFLICT", "shiftIds", "A shift that would go has attendances or requested corrections on 2026-03-10.", "Shift yang akan dihapus memiliki absensi atau pengajuan koreksi pada 2026-03-10."},
	{"a day off for which a correction is asked", "andini", `planDay(input:{userId:"{{sari}}",date:"2026-03-10",shiftIds:[]}){id}`,
		"CONFLICT", "shiftIds", "A shift that would go has attendances or requested corrections on 2026-03-10.", "Shift yang akan dihapus memiliki absensi atau pengajuan koreksi pada 2026-03-10."},
	{"a day of a locked period", "ratna", `planDay(input:{userId:"{{sari}}",date:"2026-03-02",shiftIds:[]}){id}`,
		"CONFLICT", "date", "The period from 2026-03-01 to 2026-03-05 is locked.", "Periode 2026-03-01 sampai 2026-03-05 terkunci."},
	{"a week copied to itself", "andini", `copyWeek(input:{from:"2026-03-16",to:"2026-03-22"}){copied}`,
		"VALIDATION_FAILED", "to", "This must differ from from.", "Harus berbeda dari from."},
	{"a week copied into the past", "andini", `copyWeek(input:{from:"2026-03-16",to:"2026-03-08"}){copied}`,
		"VALIDATION_FAILED", "to", "This must lie between 2026-03-09 and 2027-03-07.",
		"Harus di antara 2026-03-09 dan 2027-03-07."},
	{"a week copied for nobody", "andini", `copyWeek(input:{from:"2026-03-16",to:"2026-03-23",userIds:[]}){copied}`,
		"VALIDATION_FAILED", "userIds", "This is required.", "Wajib diisi."},
	{"a week of another company's person copied", "andini",
		`copyWeek(input:{from:"2026-03-16",to:"2026-03-23",userIds:["{{sari}}","{{daeng}}"]}){copied}`,
		"NOT_FOUND", "userIds", "There is nothing here by that name or number.", "Data yang diminta tidak ditemukan."},
	{"a week copied by an employee", "budi",
		`copyWeek(input:{from:"2026-03-16",to:"2026-03-23",userIds:["{{sari}}"]}){copied}`,
		"FORBIDDEN", "", "You may not do this.", "Anda tidak berhak melakukan ini."},
	{"nothing swapped", "andini", `swapShifts(input:{employeeShiftId:"999999",withEmployeeShiftId:"{{his}}"}){days{id}}`,
		"NOT_FOUND", "employeeShiftId", "There is nothing here by that name or number.", "Data yang diminta tidak ditemukan."},
	{"swapped for nothing", "andini", `swapShifts(input:{employeeShiftId:"{{hers}}",withEmployeeShiftId:"999999"}){days{id}}`,
		"NOT_FOUND", "withEmployeeShiftId", "There is nothing here by that name or number.", "Data yang diminta tidak ditemukan."},
	{"swapped with oneself", "andini", `swapShifts(input:{employeeShiftId:"{{hers}}",withEmployeeShiftId:"{{hers.later}}"}){days{id}}`,
		"VALIDATION_FAILED", "withEmployeeShiftId", "This must differ from employeeShiftId.", "Harus berbeda dari employeeShiftId."},
	{"swapped by an employee", "sari", `swapShifts(input:{employeeShiftId:"{{hers}}",withEmployeeShiftId:"{{his}}"}){days{id}}`,
		"FORBIDDEN", "", "You may not do this.", "Anda tidak berhak melakukan ini."},
	{"swapped with what was worked", "andini", `swapShifts(input:{employeeShiftId:"{{hers}}",withEmployeeShiftId:"{{attended}}"}){days{id}}`,
		"CONFLICT", "employeeShiftId", "A shift that would go has attendances or requested corrections on 2026-03-10.", "Shift yang akan dihapus memiliki absensi atau pengajuan koreksi pada 2026-03-10."},
	{"swapped for a shift that she has on that date", "andini", `swapShifts(input:{employeeShiftId:"{{hers}}",withEmployeeShiftId:"{{his}}"}){days{id}}`,
		"CONFLICT", "employeeShiftId", "The same is already stored for 2026-03-13.", "Data yang sama sudah ada untuk 2026-03-13."},
	{"a swap for nothing", "sari", `requestShiftSwap(input:{employeeShiftId:"{{hers}}"}){id}`,
		"VALIDATION_FAILED", "withEmployeeShiftId", "This is required.", "Wajib diisi."},
	{"a swap for two things", "sari", `requestShiftSwap(input:{employeeShiftId:"{{hers}}",withEmployeeShiftId:"{{his}}",shiftId:"{{pagi}}"}){id}`,
		"VALIDATION_FAILED", "shiftId", "This may not be given together with withEmployeeShiftId.", "Tidak boleh disertai withEmployeeShiftId."},
	{"a swap with a long note", "sari", `requestShiftSwap(input:{employeeShiftId:"{{hers}}",withEmployeeShiftId:"{{his}}",note:"{{251}}"}){id}`,
		"VALIDATION_FAILED", "note", "This may have at most 250 characters.", "Maksimal 250 karakter."},
	{"a swap of somebody else's shift", "sari", `requestShiftSwap(input:{employeeShiftId:"{{his}}",shiftId:"{{pagi}}"}){id}`,
		"NOT_FOUND", "employeeShiftId", "There is nothing here by that name or number.", "Data yang diminta tidak ditemukan."},
	{"a swap for no shift of anybody", "sari", `requestShiftSwap(input:{employeeShiftId:"{{hers}}",withEmployeeShiftId:"999999"}){id}`,
		"NOT_FOUND", "withEmployeeShiftId", "There is nothing here by that name or number.", "Data yang diminta tidak ditemukan."},
	{"a swap for one's own", "sari", `requestShiftSwap(input:{employeeShiftId:"{{hers}}",withEmployeeShiftId:"{{hers.later}}"}){id}`,
		"VALIDATION_FAILED", "withEmployeeShiftId", "This must differ from employeeShiftId.", "Harus berbeda dari employeeShiftId."},
	{"a swap for another company's shift", "sari", `requestShiftSwap(input:{employeeShiftId:"{{hers}}",shiftId:"{{theirs}}"}){id}`,
		"NOT_FOUND", "shiftId", "There is nothing here by that name or number.", "Data yang diminta tidak ditemukan."},
	{"a swap for the same shift", "sari", `requestShiftSwap(input:{employeeShiftId:"{{hers}}",shiftId:"{{pagi}}"}){id}`,
		"VALIDATION_FAILED", "shiftId", "This must differ from employeeShiftId.", "Harus berbeda dari employeeShiftId."},
	{"a swap for an archived shift", "sari", `requestShiftSwap(input:{employeeShiftId:"{{hers}}",shiftId:"{{arsip}}"}){id}`,
		"CONFLICT", "shiftId", "arsip is archived. Choose another one.", "arsip sudah diarsipkan. Pilih yang lain."},
	{"a swap of a shift that has begun", "budi", `requestShiftSwap(input:{employeeShiftId:"{{attended}}",shiftId:"{{malam}}"}){id}`,
		"CONFLICT", "employeeShiftId", "It is too late for this: the shift began 10 Mar 00:00 WIB.", "Sudah terlambat: shift dimulai 10 Mar 00.00 WIB."},
	{"a swap for one that has begun", "sari", `requestShiftSwap(input:{employeeShiftId:"{{hers}}",withEmployeeShiftId:"{{attended}}"}){id}`,
		"CONFLICT", "withEmployeeShiftId", "It is too late for this: the shift began 10 Mar 00:00 WIB.", "Sudah terlambat: shift dimulai 10 Mar 00.00 WIB."},
	{"a second swap of a shift", "sari", `requestShiftSwap(input:{employeeShiftId:"{{hers.later}}",shiftId:"{{malam}}"}){id}`,
		"CONFLICT", "employeeShiftId", "This was requested already.", "Ini sudah diajukan."},
	{"another company's request decided", "daeng", `decideShiftSwap(id:"{{request}}",input:{approve:true}){id}`,
		"NOT_FOUND", "", "There is nothing here by that name or number.", "Data yang diminta tidak ditemukan."},
	{"one's own request decided", "sari", `decideShiftSwap(id:"{{request}}",input:{approve:true}){id}`,
		"FORBIDDEN", "", "You may not do this.", "Anda tidak berhak melakukan ini."},
	{"a request decided with a long note", "ratna", `decideShiftSwap(id:"{{request}}",input:{approve:true,note:"{{251}}"}){id}`,
		"VALIDATION_FAILED", "note", "This may have at most 250 characters.", "Maksimal 250 karakter."},
	{"a request approved too early", "andini", `decideShiftSwap(id:"{{asked}}",input:{approve:true}){id}`,
		"CONFLICT", "", "This is not possible in the state asked.", "Ini tidak dapat dilakukan dalam status asked."},
	{"another company's request taken back", "daeng", `cancelShiftSwap(id:"{{request}}"){id}`,
		"NOT_FOUND", "", "There is nothing here by that name or number.", "Data yang diminta tidak ditemukan."},
	{"somebody else's request taken back", "andini", `cancelShiftSwap(id:"{{request}}"){id}`,
		"FORBIDDEN", "", "You may not do this.", "Anda tidak berhak melakukan ini."},
	{"a request taken back twice", "tono", `cancelShiftSwap(id:"{{ended}}"){id}`,
		"CONFLICT", "", "Nothing here waits for a decision: it is cancelled.", "Tidak ada yang menunggu keputusan: cancelled."}}
