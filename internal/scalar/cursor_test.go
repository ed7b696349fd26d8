package scalar

import (
	"bytes"
	"encoding/base64"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"workforce/ent/entgql"
	"workforce/internal/errs"
)

// TestCursors reads every cursor that is written.
func TestCursors(t *testing.T) {
	for _, c := range []entgql.Cursor[int]{
		{ID: 1}, {ID: 127}, {ID: 200, Value: "Budi"}, {ID: 70_000, Value: strings.Repeat("é", 300)},
		{ID: math.MaxInt, Value: strings.Repeat("x", 70_000)}, {ID: -1, Value: time.Unix(1e9, 0)}, {ID: -200, Value: time.Unix(1e9, 5)},
		{ID: math.MinInt, Value: time.Unix(1e12, 5)}, {ID: 3, Value: int64(math.MinInt64)}, {ID: 3, Value: 1.5}, {ID: 3, Value: true},
		{ID: 3, Value: uint32(70_000)},
	} {
		var b bytes.Buffer
		MarshalCursor(c).MarshalGQL(&b)
		got, err := UnmarshalCursor(strings.Trim(b.String(), `"`))
		if at, ok := c.Value.(time.Time); ok {
			c.Value = got.Value
			if !at.Equal(got.Value.(time.Time)) {
				t.Errorf("%v: got %v", at, got.Value)
			}
		}
		if err != nil || !reflect.DeepEqual(got, c) {
			t.Errorf("%+v: got %+v, %v", c, got, err)
		}
	}
}

func TestOtherCursors(t *testing.T) {
	const lists = 40_000 // each says that it holds four billion
	for name, raw := range map[string]string{
		"nothing": "", "one byte": "\x81", "no map": "\x01", "a list": "\x92\xa1i\x01", "another member": "\x81\xa1j\x01", "an id of text": "\x81\xa1i\xa11",
		"a short id": "\x81\xa1i\xcf\x01", "no value": "\x82\xa1i\x01", "no value either": "\x82\xa1i\x01\xa1v", "more": "\x81\xa1i\x01\x01",
		"another second member": "\x82\xa1i\x01\xa1w\x01", "three members": "\x83\xa1i\x01\xa1v\x01\xa1w\x01", "an empty list": "\x82\xa1i\x01\xa1v\x90",
		"a list in a list":  "\x82\xa1i\x01\xa1v" + strings.Repeat("\x91", lists),
		"long lists":        "\x82\xa1i\x01\xa1v" + strings.Repeat("\xdd\xff\xff\xff\xff", lists),
		"long maps":         "\x82\xa1i\x01\xa1v" + strings.Repeat("\xdf\xff\xff\xff\xff\xa1a", lists),
		"a map":             "\x82\xa1i\x01\xa1v\x81\xa1i\x01",
		"bytes":             "\x82\xa1i\x01\xa1v\xc4\x01a",
		"another extension": "\x82\xa1i\x01\xa1v\xd6\x05\x00\x00\x00\x00", "half a time": "\x82\xa1i\x01\xa1v\xd6",
		"a text cut off": "\x82\xa1i\x01\xa1v\xdb\xff\xff\xff\xffabc",
	} {
		if c, err := UnmarshalCursor(base64.RawStdEncoding.EncodeToString([]byte(raw))); !errs.Is(err, errs.Invalid) {
			t.Errorf("%s: got %+v, %v", name, c, err)
		}
	}
	for _, v := range []any{1, nil, true, "?", "gaFpAQ=="} {
		if c, err := UnmarshalCursor(v); !errs.Is(err, errs.Invalid) {
			t.Errorf("%v: got %+v, %v", v, c, err)
		}
	}
}
