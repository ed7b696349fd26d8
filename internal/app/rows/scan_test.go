package rows

import (
	stdsql "database/sql"
	"database/sql/driver"
	"testing"
	"time"

	"workforce/internal/shift"
)

// TestScan reads what drivers return into every kind of destination, and refuses what does not fit.
func TestScan(t *testing.T) {
	at := time.Date(2026, 3, 10, 2, 0, 0, 123_000_000, time.UTC)
	var (
		n     int
		count int64
		f     float64
		yes   bool
		text  string
		date  shift.Date
		when  time.Time
		grace *int
		data  []byte
		raw   stdsql.RawBytes
	)
	all := []any{&n, &count, &f, &yes, &text, &date, &when, &grace, &data, &raw}
	check := func(name string, values []driver.Value, text7 *int) {
		t.Helper()
		if err := scan(values, all); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if n != 7 || count != 8 || f != 1.5 || !yes || text != "Budi" || date != "2026-03-10" || !when.Equal(at) || when.Location() != time.UTC {
			t.Errorf("%s: %v %v %v %v %q %q %v", name, n, count, f, yes, text, date, when)
		}
		if (grace == nil) != (text7 == nil) || grace != nil && *grace != *text7 || string(data) != "{}" || string(raw) != "raw" {
			t.Errorf("%s: %v %q %q", name, grace, data, raw)
		}
	}
	fifteen := 15
	check("SQLite", []driver.Value{int64(7), int64(8), 1.5, int64(1), "Budi", "2026-03-10", "2026-03-10 02:00:00.123+00:00", int64(15), "{}", "raw"}, &fifteen)
	check("MariaDB", []driver.Value{int64(7), []byte("8"), 1.5, true, []byte("Budi"), []byte("2026-03-10"), at, nil, []byte("{}"), []byte("raw")}, nil)

	buffer := []byte("first")
	if err := scan([]driver.Value{buffer}, []any{&raw}); err != nil {
		t.Fatal(err)
	}
	copy(buffer, "other") // as the driver does for the next row
	if string(raw) != "first" {
		t.Errorf("raw changed to %q", raw)
	}
	if err := scan([]driver.Value{""}, []any{&raw}); err != nil || raw == nil {
		t.Errorf("empty text is %v, %v; want it not to be null", raw, err)
	}
	if err := scan([]driver.Value{nil}, []any{&raw}); err != nil || raw != nil {
		t.Errorf("null is %q, %v", raw, err)
	}
	for name, tt := range map[string]struct {
		values []driver.Value
		into   []any
	}{
		"null":                  {[]driver.Value{nil}, []any{&n}},
		"null of a type":        {[]driver.Value{nil}, []any{&date}},
		"no number":             {[]driver.Value{"x"}, []any{&n}},
		"no instant":            {[]driver.Value{"yesterday"}, []any{&when}},
		"a number as raw":       {[]driver.Value{int64(1)}, []any{&raw}},
		"more columns":          {[]driver.Value{int64(1), int64(2)}, []any{&n}},
		"fewer columns":         {nil, []any{&n}},
		"no pointer":            {[]driver.Value{int64(1)}, []any{n}},
		"a pointer to what not": {[]driver.Value{int64(1)}, []any{&struct{}{}}},
	} {
		if err := scan(tt.values, tt.into); err == nil {
			t.Errorf("%s was read", name)
		}
	}
}
