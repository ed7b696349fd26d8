package enttests

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"entgo.io/ent/schema/field"

	"workforce/ent"
	"workforce/ent/migrate"
)

// unexported are the tables that no export has: secrets, what tells whether a request
// was sent before, and the server's own records.
var unexported = []string{
	"certificates", "clock_states", "decoys", "directory_versions", "former_device_tokens", "former_passwords",
	"idempotency_claims", "instances", "jobs", "login_throttles",
	"object_holds", "one_time_codes", "password_keys", "person_exports", "rate_logs", "recovery_links", "request_records", "settings", "setup_links", "task_words", "ticket_counters", "ticket_words", "tokens", "user_imports",
	"widget_tokens",
}

// hiddenColumns are the columns that no export has, of the tables that exports have.
var hiddenColumns = map[string][]string{
	"api_keys":       {"hash"},
	"attendances":    {"face_digest", "clocked_out_face_digest"},
	"devices":        {"push_token", "token_hash", "next_token_hash"},
	"face_galleries": {"sealed"},
	"face_templates": {"sealed"},
	"files":          {"digest"},
	"messages":       {"sealed_text"},
	"reports":        {"key"},
	"sessions":       {"family"},
	"task_images":    {"digest"},
	"users":          {"password_hash"},
}

// TestExports fails for a table or a column of which nobody said whether exports have
// it: a table with rows about people is in them, unless it is listed above.
func TestExports(t *testing.T) {
	exported := map[string][]string{}
	for _, e := range ent.Exports {
		for _, c := range e.Columns {
			exported[e.Table] = append(exported[e.Table], c.Name)
		}
	}
	found := map[string][]string{}
	for _, table := range migrate.Tables {
		columns, ok := exported[table.Name]
		if ok == slices.Contains(unexported, table.Name) {
			t.Errorf("%s is in exports: %v", table.Name, ok)
		}
		for _, c := range table.Columns {
			switch {
			case !ok:
			case !slices.Contains(columns, c.Name):
				found[table.Name] = append(found[table.Name], c.Name)
			case c.Type == field.TypeBytes || strings.Contains(c.Name, "hash") || strings.Contains(c.Name, "token") || strings.Contains(c.Name, "sealed"):
				t.Errorf("%s.%s is in exports", table.Name, c.Name)
			}
		}
	}
	if !maps.EqualFunc(found, hiddenColumns, sameNames) {
		t.Errorf("exports lack %v, want %v", found, hiddenColumns)
	}
}

func sameNames(a, b []string) bool {
	a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	return slices.Equal(a, b)
}
