package scalar

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"workforce/internal/errs"
	"workforce/internal/operation"
)

func TestUnmarshalID(t *testing.T) {
	tests := []struct {
		in   any
		want int
		ok   bool
	}{
		{"42", 42, true},
		{json.Number("42"), 42, true},
		{int64(42), 42, true},
		{"2147483647", 2147483647, true},
		// No id, so that of no row.
		{"", 0, true},
		{"abc", 0, true},
		{"0", 0, true},
		{"01", 0, true},
		{"-1", 0, true},
		{"+1", 0, true},
		{"4.2", 0, true},
		{"2147483648", 0, true},
		{"99999999999999999999", 0, true},
		{"\uff14\uff12", 0, true},
		// Another type.
		{true, 0, false},
		{[]any{"42"}, 0, false},
		{map[string]any{}, 0, false},
		{nil, 0, false},
	}
	for _, tt := range tests {
		got, err := UnmarshalID(tt.in)
		if got != tt.want || (err == nil) != tt.ok || err != nil && !errs.Is(err, errs.Invalid) {
			t.Errorf("UnmarshalID(%#v) = %d, %v; want %d, ok %v", tt.in, got, err, tt.want, tt.ok)
		}
	}
}

func TestCoordinate(t *testing.T) {
	tests := []struct {
		in   any
		want Coordinate
	}{
		{"-6.200000", Coordinate{-6.2, true}},
		{json.Number("-6.2"), Coordinate{-6.2, true}},
		{json.Number("1e-7"), Coordinate{1e-7, true}},
		{-6.2, Coordinate{-6.2, true}},
		{int64(7), Coordinate{7, true}},
		{json.Number("1e309"), Coordinate{}},
		{json.Number("0." + strings.Repeat("1", 29)), Coordinate{}},
		{"1e309", Coordinate{}},
		{"NaN", Coordinate{}},
		{"-Inf", Coordinate{}},
		{"0x1p3", Coordinate{}},
		{"\uff16.2", Coordinate{}},
		{"0." + strings.Repeat("1", 29), Coordinate{}},
		{"", Coordinate{}},
		{" 6.2", Coordinate{}},
		{"6,2", Coordinate{}},
	}
	for _, tt := range tests {
		var got Coordinate
		err := got.UnmarshalGQL(tt.in)
		if !got.Valid {
			got.Degrees = 0
		}
		if err != nil || got != tt.want {
			t.Errorf("reading %#v = %v, %v; want %v", tt.in, got, err, tt.want)
		}
		degrees, err := UnmarshalDegrees(tt.in)
		if degrees != tt.want.Degrees || tt.want.Valid != (err == nil) || err != nil && !errs.Is(err, errs.Invalid) {
			t.Errorf("UnmarshalDegrees(%#v) = %v, %v; want %v", tt.in, degrees, err, tt.want)
		}
	}
	for _, in := range []any{true, nil, []any{"1"}} {
		if err := new(Coordinate).UnmarshalGQL(in); !errs.Is(err, errs.Invalid) {
			t.Errorf("reading %#v: %v, want %s", in, err, errs.Invalid)
		}
		if _, err := UnmarshalDegrees(in); !errs.Is(err, errs.Invalid) {
			t.Errorf("UnmarshalDegrees(%#v): %v, want %s", in, err, errs.Invalid)
		}
	}
}

func TestCoordinateIsWrittenWithSixDecimals(t *testing.T) {
	var b bytes.Buffer
	Coordinate{Degrees: -6.2, Valid: true}.MarshalGQL(&b)
	if got, want := b.String(), `"-6.200000"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestReadTime(t *testing.T) {
	want := time.Date(2026, 3, 10, 2, 0, 0, 123456000, time.UTC)
	for _, in := range []string{
		"2026-03-10T09:00:00.123456+07:00", "2026-03-10T09:00:00.123456789+07:00",
		"2026-03-10T09:00:00.123456 07:00", "2026-03-10T02:00:00.123456Z",
	} {
		if got, err := ReadTime(in); err != nil || !got.Equal(want) {
			t.Errorf("ReadTime(%q) = %v, %v; want %v", in, got, err, want)
		}
	}
	for _, in := range []any{"", "2026-03-10", "2026-03-10T09:00:00", "0000-01-01T00:00:00Z", "0001-01-01T00:00:00+07:00", "1000-01-01T06:59:59+07:00",
		"9998-12-31T23:59:59-01:00", "9999-12-31T23:59:59Z", 1.0, true} {
		if got, err := ReadTime(in); !errs.Is(err, errs.Invalid) {
			t.Errorf("ReadTime(%#v) = %v, %v; want %s", in, got, err, errs.Invalid)
		}
	}
}

// TestTimes writes instants in UTC, and those of endpoints as they are.
func TestTimes(t *testing.T) {
	at := time.Date(2026, 3, 10, 9, 0, 0, 0, time.FixedZone("WIB", 7*3600))
	endpoint, client := &graphql.OperationContext{}, &graphql.OperationContext{}
	for oc, own := range map[*graphql.OperationContext]bool{endpoint: true, client: false} {
		p := operation.New(&ast.QueryDocument{}, &ast.OperationDefinition{})
		p.Trusted = own
		operation.Mark(oc, &p)
	}
	for name, tt := range map[string]struct {
		ctx  context.Context
		want string
	}{
		"of an endpoint":       {graphql.WithOperationContext(t.Context(), endpoint), `"2026-03-10T09:00:00+07:00"`},
		"of GraphQL":           {graphql.WithOperationContext(t.Context(), client), `"2026-03-10T02:00:00Z"`},
		"outside of a request": {t.Context(), `"2026-03-10T02:00:00Z"`},
	} {
		var b bytes.Buffer
		if err := MarshalTime(at).MarshalGQLContext(tt.ctx, &b); err != nil || b.String() != tt.want {
			t.Errorf("%s: %s, %v; want %s", name, b.String(), err, tt.want)
		}
	}
}
