package sqlplan

import (
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
)

func FuzzAppendString(f *testing.F) {
	for _, s := range []string{"", "a", `"\`, "\x00\x1f\x7f", "é日本👩🏽‍🚀\u2028", "\xff\xfe broken", "<b>&"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var want strings.Builder
		graphql.MarshalString(s).MarshalGQL(&want)
		if got := string(AppendString(nil, s)); got != want.String() {
			t.Errorf("%q: got %s, want %s", s, got, want.String())
		}
	})
}

func TestWriters(t *testing.T) {
	at := time.Date(2026, 3, 10, 2, 3, 4, 567_000_000, time.UTC)
	for _, tt := range []struct {
		name  string
		write Writer
		value string
		want  string // "" where it cannot be read
	}{
		{"ID", writeID, "12", `"12"`},
		{"no ID", writeID, "", ""},
		{"Int", writeNumber, "-3", "-3"},
		{"Boolean of SQLite", writeBoolean, "true", "true"},
		{"Boolean of MySQL", writeBoolean, "0", "false"},
		{"no Boolean", writeBoolean, "x", ""},
		{"Time", Time, at.Format(time.RFC3339Nano), `"2026-03-10T02:03:04Z"`},
		{"Time without fraction", Time, at.Truncate(time.Second).Format(time.RFC3339Nano), `"2026-03-10T02:03:04Z"`},
		{"Time elsewhere", Time, "2026-03-10T02:03:04.5+07:00", `"2026-03-10T02:03:04+07:00"`},
		{"no Time", Time, "yesterday", ""},
		{"strings", writeStrings, `["a","<\u003c"]`, `["a","<<"]`},
		{"no strings", writeStrings, "", "[]"},
		{"null strings", writeStrings, "null", "[]"},
		{"broken strings", writeStrings, "[", ""},
	} {
		got, ok := tt.write([]byte("x"), []byte(tt.value))
		if ok != (tt.want != "") || ok && string(got) != "x"+tt.want {
			t.Errorf("%s: got %s %v, want %s", tt.name, got, ok, tt.want)
		}
	}
}

func TestMatchesField(t *testing.T) {
	for _, tt := range []struct {
		column, field string
		want          bool
	}{
		{"id", "id", true}, {"clocked_in_at", "clockedInAt", true}, {"subject_id", "subjectId", true},
		{"subject_id", "subjectID", false}, {"a", "ab", false}, {"ab", "a", false}, {"a_b", "a", false},
	} {
		if got := matchesField(tt.column, tt.field); got != tt.want {
			t.Errorf("%s, %s: %v", tt.column, tt.field, got)
		}
	}
}
