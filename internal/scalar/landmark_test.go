package scalar

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"workforce/internal/face"
)

func TestReadLandmarks(t *testing.T) {
	tests := []struct {
		text string
		want []face.Point // nil: a closer look is needed
	}{
		{`[]`, []face.Point{}},
		{`[{"x":0.5,"y":-1,"z":1e-3,"visibility":1}]`, []face.Point{{X: 0.5, Y: -1, Z: 1e-3, Visibility: 1}}},
		{"[ {\n\"y\" : 2 ,\t\"x\" : 1 } ,\r{\"x\":3,\"y\":4}]", []face.Point{{X: 1, Y: 2}, {X: 3, Y: 4}}},
		{`[{"visibility":0.25,"z":4,"y":3,"x":2}]`, []face.Point{{X: 2, Y: 3, Z: 4, Visibility: 0.25}}},
		{`null`, nil},
		{`{"x":1,"y":2}`, nil},
		{`[null]`, nil},
		{`[{}]`, nil},
		{`[{"x":1}]`, nil},
		{`[{"y":1,"z":1}]`, nil},
		{`[{"x":1,"y":2,"x":3}]`, nil},
		{`[{"x":1,"y":2,"w":3}]`, nil},
		{`[{"x":1,"y":2,"\u007a":3}]`, []face.Point{{X: 1, Y: 2, Z: 3}}},
		{`[{"x":"1","y":2}]`, nil},
		{`[{"x":1,"y":null}]`, nil},
		{`[{"x":1,"y":true}]`, nil},
		{`[{"x":1,"y":[2]}]`, nil},
		{`[{"x":1,"y":{}}]`, nil},
		{`[{"x":1,"y":1e999}]`, nil},
		{`[[{"x":1,"y":2}]]`, nil},
		{`[1]`, nil},
		{`["{"]`, nil},
	}
	for _, tt := range tests {
		if got := readPoints(tt.text); !cmp.Equal(got, tt.want) {
			t.Errorf("ReadLandmarks(%s) = %v, want %v", tt.text, got, tt.want)
		}
	}
}

// TestReadLandmarksLikeJSON has numbers read as encoding/json reads them.
func TestReadLandmarksLikeJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.Float64Range(-math.MaxFloat64, math.MaxFloat64)
		want := rapid.SliceOf(rapid.Custom(func(t *rapid.T) face.Point {
			return face.Point{X: number.Draw(t, "x"), Y: number.Draw(t, "y"), Z: number.Draw(t, "z"), Visibility: number.Draw(t, "visibility")}
		})).Draw(t, "points")
		marshal := json.Marshal
		if rapid.Bool().Draw(t, "indented") {
			marshal = func(v any) ([]byte, error) { return json.MarshalIndent(v, "", "\t") }
		}
		text, err := marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		got := readPoints(string(text))
		if len(want) == 0 {
			return // null
		}
		if !cmp.Equal(got, want) {
			t.Errorf("ReadLandmarks(%s) = %v, want %v", text, got, want)
		}
	})
}

func readPoints(text string) []face.Point {
	list, ok := ReadLandmarks([]byte(text))
	if !ok {
		return nil
	}
	return list
}
