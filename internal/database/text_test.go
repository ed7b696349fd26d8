package database_test

import (
	"strings"
	"testing"

	"workforce/internal/database"
	"workforce/internal/testdb"
)

// TestText refuses text that no answer could hold, in changes and queries.
func TestText(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		db, err := database.Open(url, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if _, err := db.Writer.Exec("CREATE TABLE texts (data BLOB)"); err != nil {
			t.Fatal(err)
		}
		isRefused := func(err error) bool {
			return err != nil && strings.Contains(err.Error(), "not UTF-8 or has NUL")
		}
		for text, refused := range map[string]bool{
			"Nyepi": false, "Ñandú 😀": false, "Ni\xf1o": true, "a\x00b": true, "\xed\xa0\x80": true,
		} {
			_, err := db.Writer.Exec("INSERT INTO texts VALUES (?)", text)
			if isRefused(err) != refused || !refused && err != nil {
				t.Errorf("%q: %v", text, err)
			}
			var n int
			err = db.Reader.QueryRow("SELECT COUNT(*) FROM texts WHERE data = ?", text).Scan(&n)
			if isRefused(err) != refused || !refused && (err != nil || n != 1) {
				t.Errorf("a query by %q: %d, %v", text, n, err)
			}
			if _, err := db.Writer.Exec("INSERT INTO texts VALUES (?)", []byte(text)); err != nil {
				t.Errorf("the bytes of %q: %v", text, err)
			}
		}
	})
}
