package input

import (
	"errors"
	"fmt"
	"testing"

	"workforce/internal/errs"
)

func TestDifference(t *testing.T) {
	var none, d, settings, same Difference
	d.Add("name", "Maju", "Acme")
	d.Add("locale", "id", "id")
	d.Add("description", nil, "x")
	d.AddIDs("people", []int{10, 9}, []int{9})
	d.AddIDs("sorted", []int{10, 9}, []int{9, 10})
	d.AddIDs("off", nil, []int{})
	settings.Add("weeklyOffs", []int{7}, []int{6, 7})
	same.Add("weeklyOffs", []int{7}, []int{7})
	d.AddMembers("settings", settings)
	d.AddMembers("same", same)
	for want, one := range map[string]*Difference{
		"map[theirs:map[] yours:map[]]": &none,
		"map[theirs:map[description:x name:Acme off:[] people:[9] settings:map[weeklyOffs:[6 7]]] " +
			"yours:map[description:<nil> name:Maju off:<nil> people:[9 10] settings:map[weeklyOffs:[7]]]]": &d,
	} {
		e := errs.As(one.Conflict(nil))
		if got := fmt.Sprint(map[string]any(e.Meta)); e.Code != errs.VersionConflict || got != want {
			t.Errorf("%s %s, want %s", e.Code, got, want)
		}
	}
}

func TestCheckVersion(t *testing.T) {
	compared := 0
	compare := func() (*Difference, error) { compared++; return &Difference{}, nil }
	for about, sent := range map[string]Omittable[*int]{"absent": {}, "null": Given[*int](nil), "the same": Given(new(3))} {
		if err := CheckVersion(sent, 3, compare); err != nil || compared > 0 {
			t.Errorf("%s: %v, compared %d times", about, err, compared)
		}
	}
	for _, sent := range []int{0, 2, 4} {
		e := errs.As(CheckVersion(Given(&sent), 3, compare))
		if e.Code != errs.VersionConflict || e.Meta["version"] != sent || e.Meta["currentVersion"] != 3 || len(e.Meta) != 4 {
			t.Errorf("%d: %v %v", sent, e, e.Meta)
		}
	}
	failed := errors.New("lost")
	if err := CheckVersion(Given(new(1)), 3, func() (*Difference, error) { return nil, failed }); !errors.Is(err, failed) {
		t.Errorf("%v, want %v", err, failed)
	}
}
