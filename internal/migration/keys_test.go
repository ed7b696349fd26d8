package migration

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"workforce/internal/testdb"
)

const acme = `INSERT INTO companies (id, name, timezone, locale, created_at)
	VALUES (1, 'Acme', 'UTC', 'en', '2026-01-01 00:00:00')`

// TestKeys upgrades a database with people whose keys are made otherwise now.
func TestKeys(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		s := instance(t, url, files)
		all := s.known
		s.known = all[:slices.IndexFunc(all, func(m Migration) bool { return m.Version == versionKeys })]
		if err := s.up(t.Context()); err != nil {
			t.Fatal(err)
		}
		exec(t, s.db, acme)
		people := []struct{ email, key, number, phone, wantKey, wantPhone, words string }{
			{"budi@ex.test", "budi@ex.test", "62 811123789", "+62811123789", "budi@ex.test", "+62811123789", "name 1"},
			{"\u00c9.One@ex.test", "\u00c9.one@ex.test", "", "", "\u00e9.one@ex.test", "", "name 2"},
			{"x@M\u00dcNCHEN.de", "x@m\u00dcnchen.de", "", "", "x@m\u00fcnchen.de", "", "name 3"},
			{"x@xn--mnchen-3ya.de", "x@xn--mnchen-3ya.de", "", "", "x@xn--mnchen-3ya.de", "", "name 4"},
			{"\u00c9.Two@ex.test", "\u00c9.two@ex.test", "", "", "\u00c9.two@ex.test", "", "name 5"},
			{"\u00e9.two@ex.test", "\u00e9.two@ex.test", "", "", "\u00e9.two@ex.test", "", "name 6"},
			{"erased-7", "erased-7", "", "", "erased-7", "", "name 7"},
			{"a@ex.test", "a@ex.test", "62 62811123780", "+6262811123780", "a@ex.test", "+62811123780", "name 8"},
		}
		for i, p := range people {
			phone := "NULL"
			if p.phone != "" {
				phone = "'" + p.phone + "'"
			}
			exec(t, s.db, fmt.Sprintf(`INSERT INTO users
				(id, company_id, name, sort_name, email, email_key, mobile_number, phone, locale, active, created_at)
				VALUES (%d, 1, 'Náme  %d', 'n', '%s', '%s', '%s', %s, 'en', 1, '2026-01-01 00:00:00')`,
				i+1, i+1, p.email, p.key, p.number, phone))
		}
		exec(t, s.db, "INSERT INTO businesses (id, company_id, name, sort_name) VALUES (1, 1, 'Caf\u00e9', 'caf\u00e9')")

		plan, err := Plan(t.Context(), pool(t, url))
		want := "-- 2 users get another key of their e-mail address.\n" +
			"-- Users 3 and 4 have one e-mail address. User 4 keeps the key \"x@xn--mnchen-3ya.de\", " +
			"and signs in with what was typed: \"x@xn--mnchen-3ya.de\".\n" +
			"-- Users 6 and 5 have one e-mail address. User 5 keeps the key \"\u00c9.two@ex.test\", " +
			"and signs in with what was typed: \"\u00c9.Two@ex.test\".\n" +
			"-- 1 users get another key of their phone number.\n"
		if _, after, _ := strings.Cut(plan, ".sql\n"); err != nil || !strings.HasPrefix(after, want) {
			t.Errorf("plan, %v:\n%.999s\nwant\n%s", err, after, want)
		}
		s.known = all
		if err := s.up(t.Context()); err != nil {
			t.Fatal(err)
		}
		for i, p := range people {
			var key, words string
			var phone *string
			row := s.db.QueryRow(fmt.Sprintf("SELECT email_key, phone, search_name FROM users WHERE id = %d", i+1))
			err := row.Scan(&key, &phone, &words)
			if err != nil || key != p.wantKey || words != p.words || phone == nil != (p.wantPhone == "") {
				t.Errorf("user %d: %q, %v, %q, %v", i+1, key, phone, words, err)
			} else if phone != nil && *phone != p.wantPhone {
				t.Errorf("user %d: phone %q, want %q", i+1, *phone, p.wantPhone)
			}
		}
		if n := number(t, s.db, "SELECT COUNT(*) FROM businesses WHERE search_name = 'cafe'"); n != 1 {
			t.Error("the words of a business are missing")
		}
	})
}

// TestManyNames has more rows than one transaction changes.
func TestManyNames(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		s := instance(t, url, files)
		all := s.known
		s.known = all[:slices.IndexFunc(all, func(m Migration) bool { return m.Version == versionKeys })]
		if err := s.up(t.Context()); err != nil {
			t.Fatal(err)
		}
		exec(t, s.db, acme)
		const many = 2*page + 1
		values := make([]string, many)
		for i := range values {
			values[i] = fmt.Sprintf("(%d, 1, '\u00c9 %d', 'x')", i+1, i)
		}
		exec(t, s.db, "INSERT INTO businesses (id, company_id, name, sort_name) VALUES "+strings.Join(values, ", "))
		s.known = all
		if err := s.up(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := number(t, s.db, "SELECT COUNT(*) FROM businesses WHERE search_name LIKE 'e %'"); n != many {
			t.Errorf("%d of %d rows have words", n, many)
		}
	})
}
