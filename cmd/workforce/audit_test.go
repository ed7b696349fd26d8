package main

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"workforce/ent"
	"workforce/ent/auditevent"
	"workforce/internal/scenario/harness"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// TestCommandsAreAudited proves that what commands do is in the audit of the company,
// without an actor, and without a password.
func TestCommandsAreAudited(t *testing.T) {
	testdb.Each(t, func(t *testing.T, database string) {
		s := harness.New(t, database)
		do := func(input string, args ...string) string {
			var out bytes.Buffer
			if err := run(t.Context(), append(args, "--database", database), streams{strings.NewReader(input), &out,
				io.Discard}); err != nil {
				t.Fatal(args, err, out.String())
			}
			return strings.TrimSpace(out.String())
		}
		company := do("", "company", "create", "--name", "PT Contoh", "--timezone", "Asia/Makassar")
		user := do("kuda-terbang-42\n", "user", "create", "--company", company, "--name", "Sri", "--email",
			"sri@contoh.id", "--role", "owner", "--password",
			"--secret-key-file", harness.KeyFile(t, database))
		kid := rotateKey(t, database)
		var got []string
		for _, e := range s.Store.Ent.AuditEvent.Query().Order(ent.Asc(auditevent.FieldID)).AllX(viewer.System(t.Context())) {
			if e.ActorID != nil || e.Address != "" || e.RequestID != "" {
				t.Errorf("%s by %v, %q, %q", e.Action, e.ActorID, e.Address, e.RequestID)
			}
			if fmt.Sprint(e.CompanyID) == company || e.Action != "password_key.rotated" {
				got = append(got, fmt.Sprintf("%s %s %d %s", e.Action, e.SubjectType, e.SubjectID, *e.After))
			}
		}
		want := []string{
			"company.created Company " + company + ` {"locale":"id","name":"PT Contoh","timezone":"Asia/Makassar"}`,
			"user.created User " + user + ` {"email":"sri@contoh.id","name":"Sri","role":"owner"}`,
			`password_key.rotated PasswordKey 0 {"kid":"` + kid + `"}`,
		}
		if !slices.Equal(got, want) {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	})
}
