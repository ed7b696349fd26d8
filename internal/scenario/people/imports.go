package people

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"workforce/ent/auditevent"
	entJob "workforce/ent/job"
	"workforce/ent/user"
	"workforce/internal/app/peopleimport"
	"workforce/internal/scenario/harness"
	"workforce/internal/table"
	"workforce/internal/viewer"
)

const (
	jobFields   = `id status progress people finishedAt dryRun partial invite created updated faultCount faults{row column code message}`
	importUsers = `mutation($input:ImportUsersInput!){importUsers(input:$input){job{` + jobFields + `} created updated faultCount faults{row column code message}}}`
)

// An outcome is what an import did, or a job so far.
type outcome struct {
	Created, Updated, FaultCount int
	Faults                       []struct {
		Row           int
		Column        *string
		Code, Message string
	}
}

// An importJob is an import by a job.
type importJob struct {
	ID, Status              string
	Progress, People        int
	FinishedAt              *string
	DryRun, Partial, Invite bool
	outcome
}

// An imported is the answer to an import of people.
type imported struct {
	Data struct {
		ImportUsers *struct {
			Job *importJob
			outcome
		}
	}
	Errors []struct {
		Message    string
		Extensions harness.ProblemFacts
	}
}

// String returns the counts and the faults, or the code of the error.
func (i imported) String() string {
	if len(i.Errors) > 0 {
		return i.Errors[0].Extensions.Code
	}
	if j := i.Data.ImportUsers.Job; j != nil {
		return fmt.Sprint(j.Status, " ", j.People, " ", i.Data.ImportUsers.outcome)
	}
	return i.Data.ImportUsers.outcome.String()
}

// String returns the counts and the faults.
func (r outcome) String() string {
	text := fmt.Sprint(r.Created, r.Updated, r.FaultCount)
	for _, f := range r.Faults {
		column := "-"
		if f.Column != nil {
			column = *f.Column
		}
		text += fmt.Sprintf("; %d %s %s %s", f.Row, column, f.Code, f.Message)
	}
	return text
}

// importTable imports a table in somebody's name, with members of the input.
func importTable(t *testing.T, s *harness.Server, who, file string, members ...string) (out imported) {
	t.Helper()
	input := map[string]any{"file": nil}
	for _, m := range members {
		input[m] = true
	}
	a, err := s.AskUpload(t, who, importUsers, map[string]any{"input": input}, "input.file", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(a.Body), &out); err != nil {
		t.Fatalf("%d %s", a.Status, a.Body)
	}
	return out
}

// workbook returns a table as XLSX.
func workbook(t *testing.T, records ...[]string) string {
	t.Helper()
	var out bytes.Buffer
	w, err := table.NewWriter(&out, "xlsx", table.Properties{})
	for _, r := range records {
		if err == nil {
			err = w.Write(r)
		}
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// ImportScenarios import people: andini owns the company, maya administers it, budi is an
// employee.
func ImportScenarios(t *testing.T, s *harness.Server) {
	for name, email := range map[string]string{"andini": "admin@demo.test", "budi": "budi@demo.test", "ratna": "manager@demo.test"} {
		s.SignIn(t, name, email)
	}
	harness.RoleIDs(t, s, "andini", "")
	s.GraphQL(t, s.HeaderOf("andini"), `mutation($id:ID!,$role:ID!){updateUser(id:$id,input:{roleIds:[$role]}){id}}`,
		map[string]any{"id": harness.PersonID(t, s, "maya@demo.test"), "role": s.Vars["role.admin"]}, nil)
	s.SignIn(t, "maya", "maya@demo.test")
	ctx := viewer.System(t.Context())
	people := func() int { return s.Store.Ent.User.Query().CountX(ctx) }
	began := people()
	const two = "name,email,employeeNumber\nDian,dian@demo.test,E-1\nEsti,esti@demo.test,E-2\n"
	t.Run("refused", func(t *testing.T) {
		for _, tt := range []struct{ name, who, file, want string }{
			{"nobody", "", two, "UNAUTHENTICATED"}, {"an employee", "budi", two, "FORBIDDEN"}, {"a manager", "ratna", two, "FORBIDDEN"},
			{"a picture", "maya", "\x89PNG\r\n\x1a\n\x00", "UNSUPPORTED_MEDIA_TYPE"},
			{"nothing", "maya", "", "0 0 1; 0 - VALIDATION_FAILED The file is empty; export it anew."},
			{"a web page", "maya", "<!DOCTYPE html>\n<html></html>\n",
				"0 0 1; 0 - VALIDATION_FAILED This is a web page; download the file itself."},
			{"an open quote", "maya", "sep=,\n" + two + "\"Fajar,fajar@demo.test,E-3\nGita,gita@demo.test,E-4\n",
				"0 0 1; 4 - VALIDATION_FAILED The quote that opens in line 5 is not closed behind its cell; close it, and double those within."},
			{"a quote within", "maya", two + "Fajar \"F\",fajar@demo.test,E-3\n",
				"0 0 1; 4 - VALIDATION_FAILED Line 4 has a quote within a cell; put the cell in quotes, and double those within."},
			{"a name that is an error", "maya", two + "#N/A,fajar@demo.test,E-3\n",
				"0 0 1; 4 name VALIDATION_FAILED The cell shows the error #N/A; correct its formula."},
			{"an archive", "maya", "PK\x03\x04", "UNSUPPORTED_MEDIA_TYPE"},
			{"10 MiB", "maya", two + strings.Repeat(" ", 10<<20), "PAYLOAD_TOO_LARGE"},
			{"another encoding", "maya", "name,email\nJos\xe9,j@demo.test\n", "0 0 1; 0 - VALIDATION_FAILED Line 2 is no UTF-8 text; save the file in UTF-8."},
			{"no header", "maya", ",\n", "0 0 1; 1 - VALIDATION_FAILED The table needs a column email / employeeNumber."},
			{"an unknown column", "maya", "email,shoe\n", "0 0 1; 1 shoe VALIDATION_FAILED No column has this name; the columns are name, email, employeeNumber, countryCode, mobileNumber, gender, locale, business, designations, joinedOn, leftOn."},
			{"10,001 people", "maya", "email\n" + strings.Repeat("x\n", 10_001), "0 0 1; 10002 - VALIDATION_FAILED This may have at most 10000 entries."},
			{"somebody of another company", "maya", "name,email\nX,admin@tetangga.test\n", "0 0 1; 2 email VALIDATION_FAILED This is already taken."},
			{"one bad row", "maya", two + "Fajar,,\n", "0 0 1; 4 email VALIDATION_FAILED This is required."},
			{"an owner", "maya", "name,email\nX,admin@demo.test\n", "0 0 1; 2 - FORBIDDEN You may not do this."},
			{"the last owner", "andini", "email,leftOn\nadmin@demo.test,2026-12-31\n", "0 0 1; 2 leftOn CONFLICT Perusahaan tidak akan memiliki pemilik lagi. Jadikan orang lain pemilik terlebih dahulu."},
		} {
			if got := importTable(t, s, tt.who, tt.file).String(); got != tt.want {
				t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
			}
		}
		picture := importTable(t, s, "maya", "\x89PNG\r\n\x1a\n\x00")
		const types = "The file is of a type that is not read here; send text/csv, " + table.XLSX + "."
		if len(picture.Errors) != 1 || picture.Errors[0].Message != types {
			t.Errorf("a picture: %v, want %s", picture.Errors, types)
		}
		if a := s.AskGraphQL(t, s.HeaderOf("maya"), importUsers, map[string]any{"input": map[string]any{"file": "a"}}); a.Code() != "VALIDATION_FAILED" {
			t.Errorf("text: %s", a.Text)
		}
		if n := people(); n != began {
			t.Errorf("%d people, want %d", n, began)
		}
	})
	t.Run("in Indonesian", func(t *testing.T) {
		body, kind := harness.Upload(t, importUsers, map[string]any{"input": map[string]any{"file": nil}}, "input.file", []byte("name,email\n,x@demo.test\n"))
		header := map[string]string{"Content-Type": kind, "GraphQL-Preflight": "1", "Authorization": "Bearer " + s.Vars["maya.access"], "X-Language": "id"}
		a, err := s.Ask("POST", "/graphql", header, body)
		if err != nil || !strings.Contains(a.Body, `"message":"Wajib diisi."`) {
			t.Errorf("%s, %v", a.Body, err)
		}
	})
	t.Run("imported", func(t *testing.T) {
		for _, tt := range []struct {
			name, who, file string
			members         []string
			want            string
			more            int // people
		}{
			{"a dry run", "maya", two, []string{"dryRun"}, "2 0 0", 0},
			{"a dry run with a fault", "maya", two + "Fajar,,\n", []string{"dryRun", "partial"}, "2 0 1; 4 email VALIDATION_FAILED This is required.", 0},
			{"two", "maya", two, []string{"invite"}, "2 0 0", 2},
			{"again, with a byte order mark and semicolons", "maya", "\uFEFF" + strings.ReplaceAll(two, ",", ";"), nil, "0 0 0", 0},
			{"a workbook", "maya", workbook(t, []string{"Name", "Email"}, []string{"Dian P.", "DIAN@demo.test"}, []string{"Gunadi", "gunadi@demo.test"}), nil, "1 1 0", 1},
			{"in part", "maya", "name,email\nHana,hana@demo.test\n,ida@demo.test\nX,admin@demo.test\n", []string{"partial"},
				"1 0 2; 3 name VALIDATION_FAILED This is required.; 4 - FORBIDDEN You may not do this.", 1},
			{"an owner as they are", "maya", "email\nadmin@demo.test\n", nil, "0 0 0", 0},
			{"an owner by an owner", "andini", "email,employeeNumber\nadmin@demo.test,A-1\n", nil, "0 1 0", 0},
		} {
			before := people()
			if got := importTable(t, s, tt.who, tt.file, tt.members...).String(); got != tt.want {
				t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
			}
			if n := people() - before; n != tt.more {
				t.Errorf("%s: %d people more, want %d", tt.name, n, tt.more)
			}
		}
		dian := s.Store.Ent.User.Query().Where(user.EmailKey("dian@demo.test")).WithRoles().OnlyX(ctx)
		if dian.Name != "Dian P." || *dian.EmployeeNumber != "E-1" || len(dian.Edges.Roles) != 1 || *dian.Edges.Roles[0].Builtin != viewer.Employee {
			t.Errorf("%v", dian)
		}
		if n := s.Store.Ent.Job.Query().Where(entJob.Kind("invitations")).CountX(ctx); n != 1 {
			t.Errorf("%d jobs invite people, want 1", n)
		}
		for _, e := range s.Store.Ent.AuditEvent.Query().Where(auditevent.Action("users.imported")).AllX(ctx) {
			if e.ActorID == nil || e.RequestID == "" || e.CompanyID != dian.CompanyID {
				t.Errorf("%v", e)
			}
		}
		if n := s.Store.Ent.AuditEvent.Query().Where(auditevent.Action("users.imported")).CountX(ctx); n != 4 {
			t.Errorf("%d events of imports, want 4", n)
		}
	})
	t.Run("bounded faults", func(t *testing.T) {
		got := importTable(t, s, "maya", "email,gender,locale,joinedOn,leftOn\n"+strings.Repeat("x,x,x,x,x\n", 250)).Data.ImportUsers
		if len(got.Faults) != 1000 || got.FaultCount < 1500 {
			t.Errorf("%d of %d faults", len(got.Faults), got.FaultCount)
		}
	})
	t.Run("repeated", func(t *testing.T) {
		body, kind := harness.Upload(t, importUsers, map[string]any{"input": map[string]any{"file": nil}}, "input.file", []byte("name,email\nJoni,joni@demo.test\n"))
		header := map[string]string{"Content-Type": kind, "GraphQL-Preflight": "1", "Authorization": "Bearer " + s.Vars["maya.access"], "Idempotency-Key": "import-1"}
		var answers []string
		for range 2 {
			a, err := s.Ask("POST", "/graphql", header, body)
			if err != nil {
				t.Fatal(err)
			}
			answers = append(answers, a.Body)
		}
		if !strings.Contains(answers[0], `"created":1`) || answers[0] != answers[1] {
			t.Errorf("%q", answers)
		}
	})
	t.Run("by a job", func(t *testing.T) { jobScenarios(t, s) })
	t.Run("the template", func(t *testing.T) {
		var out bytes.Buffer
		if err := peopleimport.Template(&out, "xlsx", time.Now()); err != nil {
			t.Fatal(err)
		}
		if got := importTable(t, s, "maya", out.String(), "dryRun").Data.ImportUsers; got == nil || got.FaultCount != 3 {
			t.Errorf("%+v", got)
		}
	})
}

// managerScenarios ask who leads budi, who works in the lowest of three businesses.
func managerScenarios(t *testing.T, s *harness.Server) {
	for name, email := range map[string]string{"andini": "admin@demo.test", "budi": "budi@demo.test", "ratna": "manager@demo.test", "agus": "agus@demo.test"} {
		s.SignIn(t, name, email)
		s.Vars[name] = harness.PersonID(t, s, email)
	}
	create := func(name string, parent any) {
		t.Helper()
		var data struct{ CreateBusiness struct{ ID string } }
		s.GraphQL(t, s.HeaderOf("andini"), `mutation($name:String!,$parent:ID){createBusiness(input:{name:$name,parentId:$parent}){id}}`,
			map[string]any{"name": name, "parent": parent}, &data)
		s.Vars[name] = data.CreateBusiness.ID
	}
	create("Top", nil)
	create("Middle", s.Vars["Top"])
	create("Bottom", s.Vars["Middle"])
	for _, who := range []string{"budi", "ratna"} {
		s.GraphQL(t, s.HeaderOf("andini"), `mutation($id:ID!,$to:ID){updateUser(id:$id,input:{businessId:$to}){id}}`,
			map[string]any{"id": s.Vars[who], "to": s.Vars["Bottom"]}, nil)
	}
	chain := func(who, of string) string {
		t.Helper()
		var out struct {
			User struct {
				Manager  *struct{ Name string }
				Managers []struct{ Name string }
			}
			Employees struct {
				Nodes []struct {
					ID      string
					Manager *struct {
						Name         string
						Designations []struct{ Name string }
					}
					Managers []struct{ Name string }
				}
			}
		}
		s.GraphQL(t, s.HeaderOf(who), `query($id:ID!){user(id:$id){manager{name} managers{name}} employees(limit:100){nodes{id manager{name designations{name}} managers{name}}}}`, map[string]any{"id": s.Vars[of]}, &out)
		var names []string
		for _, m := range out.User.Managers {
			names = append(names, strings.Fields(m.Name)[0])
		}
		for _, n := range out.Employees.Nodes {
			if n.ID == s.Vars[of] && (!slices.Equal(n.Managers, out.User.Managers) || (n.Manager == nil) != (out.User.Manager == nil)) {
				t.Errorf("%s in a list: %v, alone %v", of, n, out.User)
			}
		}
		if m := out.User.Manager; (m == nil) != (len(names) == 0) || m != nil && strings.Fields(m.Name)[0] != names[0] {
			t.Errorf("%s: %v, then %v", of, m, names)
		}
		return strings.Join(names, " ")
	}
	want := func(name, who, of, want string) {
		t.Helper()
		if got := chain(who, of); got != want {
			t.Errorf("%s: %s leads %s for %s, want %s", name, got, of, who, want)
		}
	}
	manage := func(business, who string) {
		t.Helper()
		var id any
		if who != "" {
			id = s.Vars[who]
		}
		s.GraphQL(t, s.HeaderOf("andini"), `mutation($id:ID!,$who:ID){updateBusiness(id:$id,input:{managerId:$who}){id}}`, map[string]any{"id": s.Vars[business], "who": id}, nil)
	}
	want("nobody", "andini", "budi", "")
	manage("Bottom", "ratna")
	want("of the business", "andini", "budi", "Ratna")
	manage("Top", "andini")
	for _, who := range []string{"andini", "ratna", "budi"} {
		want("one above", who, "budi", "Ratna Andini")
	}
	want("a colleague's is a detail", "agus", "budi", "")
	want("never themself", "andini", "ratna", "Andini")
	manage("Middle", "ratna")
	want("once each", "andini", "budi", "Ratna Andini")
	manage("Bottom", "")
	manage("Middle", "")
	want("of the business above", "andini", "budi", "Andini")
	manage("Middle", "agus")
	want("somebody else", "andini", "budi", "Agus Andini")
	s.GraphQL(t, s.HeaderOf("andini"), `mutation($id:ID!){deleteUser(id:$id){deleted}}`, map[string]any{"id": s.Vars["agus"]}, nil)
	want("who left", "andini", "budi", "Andini")
}
