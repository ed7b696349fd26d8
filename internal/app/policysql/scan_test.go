package policysql

import (
	stdsql "database/sql"
	"testing"
	"time"

	"workforce/ent/user"
	"workforce/internal/app/apptest"
	"workforce/internal/shift"
	"workforce/internal/testdb"
)

// TestScan reads columns and expressions of every kind on both databases, and refuses what does not fit.
func TestScan(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		w := apptest.On(t, url)
		w.User(t, "Budi")
		var (
			n, sum          int
			count           int64
			f               float64
			yes, no         bool
			text, empty     string
			date            shift.Date
			stored, derived time.Time
			grace, none     *int
			raw, missing    stdsql.RawBytes
			bytes           []byte
		)
		err := Each(w.System(), `SELECT 7, SUM(7), 8, 1.5, 2 > 1, 1 > 2, 'Budi', '', '2026-03-10', x.created_at, MAX(x.created_at), 15, NULL, 'raw', NULL, '{}'
FROM users x GROUP BY x.created_at`, func(scan Scan) error {
			err := scan(&n, &sum, &count, &f, &yes, &no, &text, &empty, &date, &stored, &derived, &grace, &none, &raw, &missing, &bytes)
			if string(raw) != "raw" || missing != nil {
				t.Errorf("%q %v", raw, missing)
			}
			return err
		})
		if err != nil || n != 7 || sum != 7 || count != 8 || f != 1.5 || !yes || no || text != "Budi" || empty != "" || date != "2026-03-10" {
			t.Errorf("%v: %v %v %v %v %v %v %q %q %q", err, n, sum, count, f, yes, no, text, empty, date)
		}
		if !stored.Equal(apptest.Now) || stored != derived || stored.Location() != time.UTC || *grace != 15 || none != nil || string(bytes) != "{}" {
			t.Errorf("%v %v %v %v %q", stored, derived, grace, none, bytes)
		}
		for name, tt := range map[string]struct {
			column string
			into   []any
		}{
			"null":            {"NULL", []any{&n}},
			"null instant":    {"NULL", []any{&stored}},
			"no number":       {"'x'", []any{&n}},
			"no instant":      {"'yesterday'", []any{&stored}},
			"more columns":    {"1, 2", []any{&n}},
			"fewer columns":   {"1", []any{&n, &sum}},
			"no pointer":      {"1", []any{n}},
			"a wrong pointer": {"1", []any{&struct{}{}}},
		} {
			if err := Each(w.System(), "SELECT "+tt.column+" FROM "+user.Table, func(scan Scan) error { return scan(tt.into...) }); err == nil {
				t.Errorf("%s was read", name)
			}
		}
	})
}
