package people

import (
	"testing"

	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// TestKeptFromKey keeps from API keys what decides how somebody gets in, and the businesses that they do not reach.
func TestKeptFromKey(t *testing.T) {
	person, key := &viewer.Viewer{UserID: 1}, &viewer.Viewer{UserID: 1, Key: 2}
	bounded := &viewer.Viewer{UserID: 1, Key: 2, Bounded: true, Businesses: []int{3}}
	email, inside, outside := "a@acme.test", 3, 4
	for _, test := range []struct {
		name   string
		me     *viewer.Viewer
		in     model.UpdateUserInput
		refuse bool
	}{
		{"a person's change", person, model.UpdateUserInput{Email: input.Given(&email)}, false},
		{"e-mail", key, model.UpdateUserInput{Email: input.Given(&email)}, true},
		{"roles", key, model.UpdateUserInput{RoleIds: input.Given([]int{})}, true},
		{"number", key, model.UpdateUserInput{MobileNumber: input.Given[*model.MobileNumberInput](nil)}, true},
		{"policies", key, model.UpdateUserInput{Policies: input.Given[*model.OwnPoliciesInput](nil)}, true},
		{"a name", key, model.UpdateUserInput{Name: input.Given(&email)}, false},
		{"any business", key, model.UpdateUserInput{BusinessID: input.Given(&outside)}, false},
		{"a business within", bounded, model.UpdateUserInput{BusinessID: input.Given(&inside)}, false},
		{"another business", bounded, model.UpdateUserInput{BusinessID: input.Given(&outside)}, true},
		{"no business", bounded, model.UpdateUserInput{BusinessID: input.Given[*int](nil)}, true},
	} {
		err := keptFromKey(test.me, test.in)
		if test.refuse != (err != nil) || err != nil && errs.As(err).Code != errs.Forbidden {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}
