package face

import (
	"bytes"
	"encoding/json"
	"flag"
	"math"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write testdata/report.txt and testdata/report.svg")

// synthetic reads captures that were made up: eight people, five captures each.
func synthetic(t *testing.T) []Capture {
	t.Helper()
	file, err := os.Open("testdata/captures.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	captures, err := ReadCaptures(file)
	if err != nil {
		t.Fatal(err)
	}
	return captures
}

// TestReport compares the report and the drawing of the synthetic captures with those that
// are kept.
func TestReport(t *testing.T) {
	r, err := CompareCaptures(synthetic(t))
	if err != nil {
		t.Fatal(err)
	}
	var report, drawing bytes.Buffer
	if err := r.Write(&report); err != nil {
		t.Fatal(err)
	}
	if err := r.Draw(&drawing); err != nil {
		t.Fatal(err)
	}
	for path, got := range map[string]string{"testdata/report.txt": report.String(), "testdata/report.svg": drawing.String()} {
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s is another, go test -update writes it:\n%s", path, got)
		}
	}
}

// TestReadsBothForms reads the synthetic captures as JSON lines too.
func TestReadsBothForms(t *testing.T) {
	captures := synthetic(t)
	var lines bytes.Buffer
	for _, c := range captures {
		if err := json.NewEncoder(&lines).Encode(c); err != nil {
			t.Fatal(err)
		}
	}
	read, err := ReadCaptures(&lines)
	if err != nil || len(read) != 40 {
		t.Fatalf("%d captures, %v", len(read), err)
	}
	for i, c := range captures {
		if read[i].Person != c.Person || Distance(Normalize(read[i].Points), Normalize(c.Points)) != 0 {
			t.Errorf("capture %d is another", i)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	row := strings.Repeat(",0.5,0.5,0.1", 20)
	for _, tt := range []struct{ name, text, want string }{
		{"another number of columns", "a,0.1,0.2,0.3\nb,0.1\n", "record 1: unusable face: count"},
		{"one number too many", "a,0.1,0.2,0.3,0.4\n", "record 1: 4 numbers, which are not x, y and z of points"},
		{"no number", "person,x\na,0.1,left,0.3\n", `record 2: "left" is no number`},
		{"NaN", "a" + strings.Replace(row, "0.5", "NaN", 1), "record 1: unusable face: not_finite"},
		{"all points the same", "a" + row, "record 1: unusable face: identical"},
		{"a quote left open", `"a,0.1`, `parse error on line 1, column 7: extraneous or missing " in quoted-field`},
		{"no object", "{\"person\":\"a\"}\n{", "record 1: unusable face: count"},
		{"cut off", "{", "record 1: unexpected end of JSON input"},
	} {
		_, err := ReadCaptures(strings.NewReader(tt.text))
		if err == nil || err.Error() != tt.want {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
	captures := synthetic(t)
	captures[0].Person = ""
	var lines bytes.Buffer
	_ = json.NewEncoder(&lines).Encode(captures[0]) // finite numbers
	if _, err := ReadCaptures(&lines); err == nil || err.Error() != "record 1: no person" {
		t.Errorf("nobody's capture: %v", err)
	}
	lines.Reset()
	for range maxCaptures + 1 {
		_ = json.NewEncoder(&lines).Encode(captures[1])
	}
	if _, err := ReadCaptures(&lines); err == nil || err.Error() != "more than 2000 captures" {
		t.Errorf("too many: %v", err)
	}
}

func TestCompareNeedsPairs(t *testing.T) {
	captures := synthetic(t)
	for name, some := range map[string][]Capture{"none": nil, "one person": captures[:5], "one each": {captures[0], captures[5]}} {
		if _, err := CompareCaptures(some); err == nil {
			t.Errorf("%s: compared", name)
		}
	}
	captures[0].Points = captures[0].Points[:23] // it is compared with nothing
	r, err := CompareCaptures(captures)
	if err != nil || len(r.Genuine) != 7*10+6 || len(r.Impostor) != 39*38/2-76 || r.People != 8 {
		t.Errorf("%d genuine and %d impostor pairs, %v", len(r.Genuine), len(r.Impostor), err)
	}
}

// TestEqualError compares with rates that are counted by hand.
func TestEqualError(t *testing.T) {
	for _, tt := range []struct {
		name              string
		genuine, impostor []float64
		limit, rate       float64
	}{
		{"apart", []float64{0.1, 0.2}, []float64{0.3, 0.4}, 0.2, 0},
		{"one of four each way", []float64{0.1, 0.2, 0.3, 0.6}, []float64{0.3, 0.5, 0.7, 0.8}, 0.3, 0.25},
		{"the other way round", []float64{0.3, 0.4}, []float64{0.1, 0.2}, 0.2, 1},
	} {
		r := &Calibration{Genuine: tt.genuine, Impostor: tt.impostor}
		if limit, rate := r.EqualError(); limit != tt.limit || math.Abs(rate-tt.rate) > 1e-9 {
			t.Errorf("%s: %v at %v, want %v at %v", tt.name, rate, limit, tt.rate, tt.limit)
		}
	}
}

// FuzzRead reads any text without a panic; what is read is usable.
func FuzzRead(f *testing.F) {
	f.Add("person,x\na,1,2,3\n")
	f.Add(`{"person":"a","points":[{"x":1}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		captures, err := ReadCaptures(strings.NewReader(text))
		if err != nil {
			return
		}
		for _, c := range captures {
			if c.Person == "" || Check(c.Points) != nil {
				t.Fatalf("read %+v", c)
			}
		}
	})
}
