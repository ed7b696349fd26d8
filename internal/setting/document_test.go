package setting

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write graph/setting.graphqls, docs/settings.md and the table of the web app")

// TestDocuments holds what is made of the table equal to it: a part of the GraphQL
// schema, a page, and the table of the form in the web app.
func TestDocuments(t *testing.T) {
	for path, want := range map[string]string{
		"../../graph/setting.graphqls": schema(), "../../docs/settings.md": page(),
		"../../web/src/screens/settings/table.ts": form(),
	} {
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

// form returns the table of the form in the web app.
func form() string {
	var b strings.Builder
	b.WriteString("// Written from the table of internal/setting.\n\n" +
		"/** A setting of a company: what it may be, and its default as a field of a form has it. */\n" +
		"export interface Setting {\n  readonly name: string;\n" +
		"  readonly kind: \"number\" | \"switch\" | \"choice\" | \"country\" | \"weekdays\" | \"date\" | \"names\";\n" +
		"  /** \"on\" or \"\" of a switch, with blanks between of a list; \"\" where there is none. */\n" +
		"  readonly standard: string;\n  readonly min?: number;\n  readonly max?: number;\n" +
		"  /** The names that a list may have, with blanks between. */\n  readonly allow?: string;\n}\n\n" +
		"export const table = [\n")
	for _, s := range All() {
		members := []string{fmt.Sprintf("name: %q", s.Name), fmt.Sprintf("kind: %q", s.Kind), fmt.Sprintf("standard: %q", field(s.Default))}
		if s.Kind == Number {
			members = append(members, fmt.Sprintf("min: %d", s.Min), fmt.Sprintf("max: %d", s.Max))
		}
		if len(s.Allow) > 0 {
			members = append(members, fmt.Sprintf("allow: %q", strings.Join(s.Allow, " ")))
		}
		if line := "  { " + strings.Join(members, ", ") + " },\n"; len(line) <= 121 {
			b.WriteString(line)
		} else { // as the formatter of the web app breaks it
			b.WriteString("  {\n    " + strings.Join(members, ",\n    ") + ",\n  },\n")
		}
	}
	b.WriteString("] as const satisfies readonly Setting[];\n\nexport type SettingName = (typeof table)[number][\"name\"];\n")
	return b.String()
}

// field returns a default as a field of a form has it.
func field(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case bool:
		if v {
			return "on"
		}
		return ""
	case []string:
		return strings.Join(v, " ")
	}
	return strings.Trim(fmt.Sprint(value), "[]") // of numbers, with blanks between
}
