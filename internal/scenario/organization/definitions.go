package organization

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"workforce/ent/auditevent"
	"workforce/ent/user"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

const applyDefinition = `mutation($input:ApplyDefinitionInput!){applyDefinition(input:$input){
	applied changeCount unchangedCount faultCount changes{action section name members{name from to}} faults{line section element member code message}}}`

// definitions applies files that describe the company.
func definitions(t *testing.T, s *harness.Server) {
	signIn(t, s)
	ask := func(who, file string, dry, prune bool) string {
		t.Helper()
		input := map[string]any{"file": nil, "dryRun": dry, "prune": prune}
		a, err := s.AskUpload(t, who, applyDefinition, map[string]any{"input": input}, "input.file", []byte(file))
		if err != nil {
			t.Fatal(err)
		}
		var out struct {
			Data struct {
				ApplyDefinition struct {
					Applied                                 bool
					ChangeCount, UnchangedCount, FaultCount int
					Changes                                 []struct {
						Action, Section, Name string
						Members               []struct{ Name, From, To string }
					}
					Faults []struct {
						Line                                    int
						Section, Element, Member, Code, Message string
					}
				}
			}
			Errors []struct{ Extensions harness.ProblemFacts }
		}
		if err := json.Unmarshal([]byte(a.Body), &out); err != nil {
			t.Fatalf("%d %s", a.Status, a.Body)
		}
		if len(out.Errors) > 0 {
			return out.Errors[0].Extensions.Code
		}
		r := out.Data.ApplyDefinition
		text := fmt.Sprint(r.Applied, " ", r.ChangeCount, " ", r.UnchangedCount, " ", r.FaultCount)
		for _, c := range r.Changes {
			text += ", " + c.Action + " " + c.Section + " " + c.Name
			for _, m := range c.Members {
				text += " " + m.Name + " " + m.From + "→" + m.To
			}
		}
		for _, f := range r.Faults {
			text += fmt.Sprint(", ", f.Line, " ", f.Section, " ", f.Element, " ", f.Member, " ", f.Code, " ", f.Message)
		}
		return text
	}
	hasThen := map[string]string{
		"as they are":  `{"permission":{"roles":[{"name":"Employee"},{"name":"Juru tulis"}]}}`,
		"a role taken": `{"permission":{"roles":[{"name":"Employee"}]}}`,
	}
	const file = "shifts:\n  - name: Sore\n    startTime: 14:00\n    endTime: 22:00\nroles:\n  - {name: Juru tulis, permissions: [user.read.own]}\n"
	for _, tt := range []struct {
		name, who, file string
		dry, prune      bool
		want            string
	}{
		{"nobody", "", file, false, false, "UNAUTHENTICATED"},
		{"an employee", "budi", file, false, false, "FORBIDDEN"},
		{"an administrator", "ratna", file, false, false, "FORBIDDEN"},
		{"over 1 MiB", "andini", strings.Repeat("#", 1<<20+1), false, false, "PAYLOAD_TOO_LARGE"},
		{"a dry run", "andini", file, true, false, "false 2 0 0, create roles Juru tulis, create shifts Sore"},
		{"for good", "andini", file, false, false, "true 2 0 0, create roles Juru tulis, create shifts Sore"},
		{"again", "andini", file, false, false, "true 0 2 0"},
		{"an update", "andini", "shifts: [{name: sore, startTime: 14:30, endTime: 22:00}]", false, false,
			`true 1 0 0, update shifts sore name "Sore"→"sore" startTime "14:00"→"14:30"`},
		{"an owner's role", "andini", "roles:\n- {name: owner, permissions: []}\n", false, false,
			"false 0 0 1, 2 roles owner name FORBIDDEN Anda tidak berhak melakukan ini."},
		{"an alias", "andini", "roles: *all\n", false, false,
			"false 0 0 1, 1    VALIDATION_FAILED Alias, anchor, dan tag YAML tidak dibaca; tulis nilainya sendiri."},
		{"somebody's roles", "andini", "assignments:\n- {email: budi@demo.test, roles: [employee, Juru tulis]}\n", false, false,
			`true 1 0 0, update assignments budi@demo.test roles ["Employee"]→["employee","Juru tulis"]`},
		{"as they are", "andini", "assignments:\n- {email: BUDI@demo.test, roles: [juru tulis, employee]}\n", false, false,
			"true 0 1 0"},
		{"to an employee", "budi", "assignments:\n- {email: budi@demo.test, roles: [admin]}\n", false, false, "FORBIDDEN"},
		{"a new owner", "andini", "assignments:\n- email: budi@demo.test\n  roles: [owner]\n", false, false,
			"false 0 0 1, 3 assignments budi@demo.test roles.0 FORBIDDEN Anda tidak berhak melakukan ini."},
		{"an owner", "andini", "assignments:\n- {email: admin@demo.test, roles: [employee]}\n", false, false,
			"false 0 0 1, 2 assignments admin@demo.test email FORBIDDEN Anda tidak berhak melakukan ini."},
		{"a role in use", "andini", "roles: []\n", false, true,
			"false 0 0 1, 1 roles Juru tulis  CONFLICT Data ini masih dipakai sehingga tidak dapat dihapus. Masih ada 1 orang."},
		{"a role taken", "andini", "assignments:\n- {email: budi@demo.test, roles: [employee]}\n", false, false,
			`true 1 0 0, update assignments budi@demo.test roles ["Employee","Juru tulis"]→["employee"]`},
		{"prune", "andini", "roles: []\n", false, true, "true 1 0 0, delete roles Juru tulis"},
		{"another company's people", "andini", "businesses:\n- {name: Baru, manager: admin@tetangga.test}\n", false, false,
			"false 0 0 1, 2 businesses Baru manager VALIDATION_FAILED Tidak ada yang bernama ini."},
	} {
		if got := ask(tt.who, tt.file, tt.dry, tt.prune); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
		if roles, ok := hasThen[tt.name]; ok { // at once, whatever was cached of their token
			s.Says(t, "budi", `{permission{roles{name}}}`, roles)
		}
	}
	andini := s.Store.Ent.User.Query().Where(user.Email("admin@demo.test")).OnlyIDX(viewer.System(t.Context()))
	n := s.Store.Ent.AuditEvent.Query().Where(auditevent.Action("company.definition_applied"), auditevent.ActorID(andini)).
		CountX(viewer.System(t.Context()))
	if n != 5 {
		t.Errorf("%d files were recorded as applied, want 5", n)
	}
}
