package migration

import (
	"slices"
	"strings"
	"testing"

	"workforce/internal/testdb"
)

// TestWords upgrades a database with words of other letters than are searched for now.
func TestWords(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		s := instance(t, url, files)
		all := s.known
		s.known = all[:slices.IndexFunc(all, func(m Migration) bool { return m.Version == versionWords })]
		if err := s.up(t.Context()); err != nil {
			t.Fatal(err)
		}
		long := strings.Repeat("会", 30) + strings.Repeat("議", 30)
		exec(t, s.db, acme)
		for _, statement := range []string{
			`INSERT INTO users (id, company_id, name, sort_name, search_name, email, email_key, mobile_number, locale, active, created_at)
				VALUES (1, 1, 'Đung', 'đung', 'đung', 'x@ex.test', 'x@ex.test', '', 'en', 1, '2026-01-01 00:00:00')`,
			`INSERT INTO task_categories (id, company_id, name, sort_name) VALUES (1, 1, 'Łódź', 'łódź')`,
			`INSERT INTO tasks (id, company_id, creator_id, title, description, created_at, updated_at, deleted_at) VALUES
				(1, 1, 1, 'Łódź lodz a', 'Straße ` + long + `', '2026-01-01 00:00:00', '2026-01-01 00:00:00', NULL),
				(2, 1, 1, 'Łódź', NULL, '2026-01-01 00:00:00', '2026-01-01 00:00:00', '2026-01-02 00:00:00')`,
			`INSERT INTO task_words (company_id, task_id, word) VALUES (1, 1, 'łodz'), (1, 1, 'lodz'), (1, 1, 'a'), (1, 1, 'strasse'), (1, 1, '` +
				strings.Repeat("会", 30) + strings.Repeat("議", 10) + `')`,
			`INSERT INTO tickets (id, company_id, requester_id, number, subject, created_at, updated_at)
				VALUES (1, 1, 1, 42, 'Ærø', '2026-01-01 00:00:00', '2026-01-01 00:00:00')`,
			`INSERT INTO ticket_words (company_id, ticket_id, word) VALUES (1, 1, '42'), (1, 1, 'ærø')`,
		} {
			exec(t, s.db, statement)
		}
		s.known = all
		if err := s.up(t.Context()); err != nil {
			t.Fatal(err)
		}
		for query, want := range map[string]int{
			"users WHERE search_name = 'dung'":           1,
			"task_categories WHERE search_name = 'lodz'": 1,
			"task_words":                     5,
			"task_words WHERE word = 'lodz'": 1,
			"task_words WHERE word LIKE '%" + strings.Repeat("議", 20) + "%'": 1,
			"task_words WHERE task_id = 2":                                   0,
			"ticket_words":                                                   2,
			"ticket_words WHERE word IN ('42', 'aero') AND company_id = 1":   2,
		} {
			if n := number(t, s.db, "SELECT COUNT(*) FROM "+query); n != want {
				t.Errorf("%s: %d, want %d", query, n, want)
			}
		}
	})
}
