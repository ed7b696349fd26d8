package setting

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"workforce/internal/errs"
)

// TestTable checks each row of the table: a default is valid, and both languages say
// what it means.
func TestTable(t *testing.T) {
	names := map[string]bool{}
	for _, s := range All() {
		if names[s.Name] || s.En == "" || s.ID == "" || Find(s.Name) != s {
			t.Errorf("%s: twice, or without a meaning", s.Name)
		}
		names[s.Name] = true
		var faults errs.Faults
		if s.Check(&faults, s.Name, s.Default); faults.Err() != nil {
			t.Errorf("%s: its default is refused: %v", s.Name, faults)
		}
	}
}

func TestCheck(t *testing.T) {
	for _, tt := range []struct {
		s     *Setting
		value any
		ok    bool
	}{
		{OfflineHours.Setting, nil, true}, {OfflineHours.Setting, 1, true}, {OfflineHours.Setting, 0, false},
		{OfflineHours.Setting, 720, true}, {OfflineHours.Setting, 721, false},
		{CountryCode.Setting, "SG", true}, {CountryCode.Setting, "sg", false}, {CountryCode.Setting, "", false},
		{WeeklyOffs.Setting, []int{}, true}, {WeeklyOffs.Setting, []int{1, 7}, true},
		{AttachmentTypes.Setting, []string{}, true}, {AttachmentTypes.Setting, []string{"odt", "pdf"}, true},
		{AttachmentTypes.Setting, []string{"pdf", "html"}, false}, {AttachmentTypes.Setting, []string{"PDF"}, false},
		{AttachmentTypes.Setting, []string{"pdf", "pdf"}, false},
		{WeeklyOffs.Setting, []int{0}, false}, {WeeklyOffs.Setting, []int{8}, false}, {WeeklyOffs.Setting, []int{7, 7}, false},
	} {
		var faults errs.Faults
		if tt.s.Check(&faults, "x", tt.value); (len(faults) == 0) != tt.ok {
			t.Errorf("%s = %v: %v, want ok %v", tt.s.Name, tt.value, faults, tt.ok)
		}
	}
}

func TestValues(t *testing.T) {
	var v Values
	if OfflineHours.Of(v) != 72 || CountryCode.Of(v) != "" || GeofenceIn.Of(v) != Block || v.Get(SessionDays.Setting) != nil {
		t.Error("no values are not the defaults")
	}
	v = v.With(map[string]any{"offlineHours": 5, "face": "off", "weeklyOffs": []int{7}, "mock": Flag})
	next := v.With(map[string]any{"face": nil, "unheard": 1, "singleSession": true})
	if fmt.Sprint(v, next) != "map[face:off offlineHours:5 weeklyOffs:[7]] map[offlineHours:5 singleSession:true weeklyOffs:[7]]" {
		t.Errorf("set %v, then %v", v, next)
	}
	text, err := json.Marshal(v)
	var read Values
	if err != nil || json.Unmarshal(text, &read) != nil || !reflect.DeepEqual(v, read) {
		t.Errorf("%s %v is read as %v", text, err, read)
	}
	if err := json.Unmarshal([]byte(`{"offlineHours":"x","unheard":1,"face":null,"mock":"off"}`), &read); err != nil || fmt.Sprint(read) != "map[mock:off]" {
		t.Errorf("what is not known is read as %v %v", read, err)
	}
}

func TestPolicy(t *testing.T) {
	for _, tt := range []struct {
		company         Values
		address, person Policies
		want            string
	}{
		{nil, nil, nil, Flag},
		{Values{"mock": Block}, nil, nil, Block},
		{Values{"mock": Block}, Policies{"mock": Off}, nil, Off},
		{Values{"mock": Block}, Policies{"mock": Off}, Policies{"mock": Flag}, Flag},
		{Values{"mock": Block}, Policies{"face": Off}, Policies{"face": Off}, Block},
	} {
		if got := tt.company.Policy(Mock, tt.person, tt.address); got != tt.want {
			t.Errorf("%v: %s", tt, got)
		}
	}
	own := Policies{"mock": Off, "face": Block}.With(map[string]any{"mock": nil, "device": Off, "offlineHours": 3})
	if fmt.Sprint(map[string]string(own)) != "map[device:off face:block]" {
		t.Errorf("own policies %v", own)
	}
}

// A member of an input, as graphql.Omittable is.
type member[T any] struct {
	value T
	set   bool
}

func (m member[T]) IsSet() bool { return m.set }
func (m member[T]) Value() T    { return m.value }

type word string

func TestMembers(t *testing.T) {
	five, off := 5, word("off")
	in := struct {
		OfflineHours member[*int]  `json:"offlineHours,omitempty"`
		Face         member[*word] `json:"face,omitempty"`
		Mock         member[*word] `json:"mock,omitempty"`
		Device       member[*word] `json:"device,omitempty"`
		WeeklyOffs   member[[]int] `json:"weeklyOffs,omitempty"`
	}{member[*int]{&five, true}, member[*word]{&off, true}, member[*word]{nil, true}, member[*word]{}, member[[]int]{[]int{}, true}}
	if got := fmt.Sprint(Given(in)); got != "map[face:off mock:<nil> offlineHours:5 weeklyOffs:[]]" {
		t.Errorf("given %s", got)
	}
	type out struct {
		OfflineHours int     `json:"offlineHours"`
		Face         word    `json:"face"`
		Country      *string `json:"country"`
		SessionDays  *int    `json:"sessionDays"`
	}
	got := Answer[out](Values{"offlineHours": 6, "sessionDays": 9}.Get)
	if got.OfflineHours != 6 || got.Face != "flag" || got.Country != nil || *got.SessionDays != 9 {
		t.Errorf("answered %+v", got)
	}
}

// TestCheckTogether refuses limits of faces and business hours that cross, on the member that
// is given.
func TestCheckTogether(t *testing.T) {
	for name, tt := range map[string]struct {
		now     Values
		changes map[string]any
		want    string
	}{
		"alike":                       {Values{}, map[string]any{"faceMatch": 120}, ""},
		"a match above doubtful":      {Values{}, map[string]any{"faceMatch": 121}, "settings.faceMatch"},
		"doubtful below a match":      {Values{}, map[string]any{"faceDoubtful": 79}, "settings.faceDoubtful"},
		"both":                        {Values{}, map[string]any{"faceDoubtful": 79, "faceMatch": 80}, "settings.faceMatch"},
		"null against a stored limit": {Values{"faceMatch": 50, "faceDoubtful": 50}, map[string]any{"faceMatch": nil}, "settings.faceMatch"},
		"something else":              {Values{"faceMatch": 200}, map[string]any{"faceReplay": 1}, ""},
		"a day of one minute":         {Values{}, map[string]any{"slaStartMinute": 1079}, ""},
		"no business hours":           {Values{}, map[string]any{"slaStartMinute": 1080}, "settings.slaStartMinute"},
		"the end at the start":        {Values{"slaStartMinute": 540}, map[string]any{"slaEndMinute": 540}, "settings.slaEndMinute"},
		"the start back behind":       {Values{"slaStartMinute": 1, "slaEndMinute": 2}, map[string]any{"slaStartMinute": nil}, "settings.slaStartMinute"},
	} {
		var faults errs.Faults
		tt.now.With(tt.changes).CheckTogether(&faults, "settings.", tt.changes)
		got := ""
		for _, f := range faults {
			got += f.Field
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// TestReadingIsCheap reads one stored setting, as each look-up of a token does: the others of
// the table cost nothing.
func TestReadingIsCheap(t *testing.T) {
	text := []byte(`{"offlineHours":5}`)
	allocs := testing.AllocsPerRun(100, func() {
		var v Values
		if err := json.Unmarshal(text, &v); err != nil || OfflineHours.Of(v) != 5 {
			t.Fatal(v, err)
		}
	})
	if allocs > 30 {
		t.Errorf("%v allocations, want at most 30", allocs)
	}
}
