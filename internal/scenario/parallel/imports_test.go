package parallel

import (
	"fmt"
	"strings"
	"testing"

	"entgo.io/ent/dialect/sql"

	"workforce/ent/holiday"
	"workforce/ent/user"
	"workforce/ent/userimport"
	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// importing returns requests that import one file each at the same time.
func importing(t *testing.T, document, file string) func(int) apitest.Scenario {
	body, kind := harness.Upload(t, document, map[string]any{"input": map[string]any{"file": nil}}, "input.file", []byte(file))
	return func(i int) apitest.Scenario {
		header := harness.Bearer("admin")
		header["Content-Type"], header["GraphQL-Preflight"] = kind, "1"
		return distinct(apitest.Scenario{Path: "/graphql", Header: header, Body: body}, i)
	}
}

// importRaces are races of equal imports: one creates, the others find everything there.
func importRaces(t *testing.T) []race {
	once := func(created string, rows func(*testing.T, *harness.Server)) func(*testing.T, *harness.Server, answers) {
		return func(t *testing.T, s *harness.Server, got answers) {
			t.Helper()
			n := 0
			for answer, count := range got {
				if strings.Contains(answer.Body, created) {
					n += count
				}
			}
			if n != 1 {
				t.Errorf("%d of %v created", n, got)
			}
			exactly(map[string]int{"": 20}, rows)(t, s, got)
		}
	}
	ctx := viewer.System(t.Context())
	const people = "name,email,mobileNumber,countryCode\nOne,one@import.test,8111234567,62\nTwo,two@import.test,,\n"
	var crowd strings.Builder
	crowd.WriteString("name,email\n")
	for i := range 300 {
		fmt.Fprintf(&crowd, "Person %d,p%d@crowd.test\n", i, i)
	}
	const holidays = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:1@x\r\nDTSTAMP:20260101T000000Z\r\n" +
		"DTSTART;VALUE=DATE:20260319\r\nSUMMARY:Race\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
	return []race{
		{"import people", nil, 0, importing(t, `mutation($input:ImportUsersInput!){importUsers(input:$input){created updated faultCount}}`, people),
			once(`"created":2,"updated":0,"faultCount":0`, rows("people", 2, func(s *harness.Server) int {
				return s.Store.Ent.User.Query().Where(sql.FieldHasSuffix(user.FieldEmailKey, "@import.test")).CountX(ctx)
			}))},
		{"import people by a job", nil, 0, importing(t, `mutation($input:ImportUsersInput!){importUsers(input:$input){job{people}}}`, crowd.String()),
			exactly(map[string]int{"": 20}, func(t *testing.T, s *harness.Server) {
				s.Wait(t, "the imports", func() bool {
					return !s.Store.Ent.UserImport.Query().Where(userimport.OutcomeIsNil()).ExistX(ctx)
				})
				rows("people of a job", 300, func(s *harness.Server) int {
					return s.Store.Ent.User.Query().Where(sql.FieldHasSuffix(user.FieldEmailKey, "@crowd.test")).CountX(ctx)
				})(t, s)
			})},
		{"import holidays", nil, 0, importing(t, `mutation($input:ImportHolidaysInput!){importHolidays(input:$input){added{name} unchanged{name}}}`, holidays),
			once(`"added":[{"name":"Race"}]`, rows("holidays", 1, func(s *harness.Server) int {
				return s.Store.Ent.Holiday.Query().Where(holiday.Name("Race")).CountX(ctx)
			}))},
	}
}
