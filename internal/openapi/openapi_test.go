package openapi

import (
	"reflect"
	"testing"

	"workforce/internal/errs"
)

func TestProblemHasAllMembers(t *testing.T) {
	for _, tt := range []struct {
		of   reflect.Type
		list Properties
	}{
		{reflect.TypeFor[errs.Problem](), problem().Properties},
		{reflect.TypeFor[errs.FaultDetail](), problem().Properties[6].Schema.Items.Properties},
	} {
		var got, want []string
		for _, p := range tt.list {
			got = append(got, p.Name)
		}
		for f := range tt.of.Fields() {
			want = append(want, f.Tag.Get("json"))
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", tt.of, got, want)
		}
	}
}
