package setting

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write graph/setting.graphqls and docs/settings.md")

// TestDocuments holds what is made of the table equal to it: a part of the GraphQL
// schema, and a page.
func TestDocuments(t *testing.T) {
	for path, want := range map[string]string{"../../graph/setting.graphqls": schema(), "../../docs/settings.md": page()} {
		if *update {
			if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("%s is stale: run go test ./internal/setting -update", path)
		}
	}
}

// schema returns the types of the settings in GraphQL.
func schema() string {
	var b strings.Builder
	part := func(open, comment string, policies bool, typ func(*Setting) string, nullable string) {
		fmt.Fprintf(&b, "%q\n%s {\n", comment, open)
		for _, s := range All() {
			if policies && !s.Policy {
				continue
			}
			fmt.Fprintf(&b, "  %q\n  %s: %s\n", s.En+nullable, s.Name, typ(s))
		}
		b.WriteString("}\n")
	}
	policy := func(*Setting) string { return "PolicyAction" }
	b.WriteString("# Written from the table of internal/setting.\n\n")
	b.WriteString("\"What happens to a clock event that breaks a rule: block refuses it, flag records it with a flag, off accepts it.\"\nenum PolicyAction {\n  block\n  flag\n  off\n}\n\n")
	part("type CompanySettings @cached", "The settings of a company: what it set, else the defaults.", false, (*Setting).Type, "")
	b.WriteString("\n")
	part("input CompanySettingsInput", "What is absent stays; null brings the default back.", false, (*Setting).InputType, "")
	b.WriteString("\n")
	part("type OwnPolicies @cached", "The policies that an address or a person has of their own; null means that of what is above.", true, policy, "")
	b.WriteString("\n")
	part("input OwnPoliciesInput", "What is absent stays; null means the policy of what is above: a person's address, then the company.", true, policy, "")
	return b.String()
}

// page returns docs/settings.md.
func page() string {
	var b strings.Builder
	b.WriteString("# Settings of a company\n\n" +
		"`updateCompany(input: {name, timezone, locale, settings: {…}})` changes them and needs `company.write`; null brings a default back.\n" +
		"A policy is looked up with the person, then with the address, then here. The page /settings shows the same list in both languages.\n" +
		"A change of the zone or of a setting changes nothing that is stored; overtime and night work of timesheets follow the settings of now.\n\n" +
		"| setting | values | default | meaning |\n|---|---|---|---|\n")
	for _, s := range Listed() {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", s.Name, s.Allowed(), s.Standard(), s.En)
	}
	return b.String()
}
