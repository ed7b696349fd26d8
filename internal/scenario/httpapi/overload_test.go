package httpapi

import (
	"testing"
	"time"

	"workforce/internal/admission"
	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
)

// TestFullLanes fills one lane of the server after the other: what does not fit is
// refused through both APIs, and all else is answered.
func TestFullLanes(t *testing.T) {
	s := harness.New(t, "sqlite:"+t.TempDir()+"/x.db")
	s.SignIn(t, "budi", "budi@demo.test")
	budi := map[string]string{"x-Access-Token": "{{budi.access}}", "X-Device-Token": "{{budi.device}}", "X-Language": "en"}
	const detail = "The service is unavailable for the moment; try again shortly."
	busy := harness.ProblemText("UNAVAILABLE", "Unavailable for the moment", "503", detail, "[]", "{}")
	graphQL := `{"errors":[{"message":"` + detail + `","extensions":{"code":"UNAVAILABLE","errors":[],"meta":{},"requestId":"<any>"}}]}`
	later := map[string]string{"Retry-After": "/[123]/"}
	kinds := []struct {
		lane           *admission.Lane
		rest, operator apitest.Scenario
	}{
		{s.Executor.Lanes.Queries,
			apitest.Scenario{Name: "query", Path: "/user/profile", Header: budi},
			apitest.Scenario{Name: "GraphQL query", Path: "/graphql", Header: budi, Body: `{"query":"{viewer{id}}"}`}},
		{s.Executor.Lanes.Mutations,
			apitest.Scenario{Name: "mutation", Path: "/device/register", Header: budi, Body: `{"deviceId":"x","platform":"android"}`},
			apitest.Scenario{Name: "GraphQL mutation", Path: "/graphql", Header: budi, Body: `{"query":"mutation{registerDevice(input:{deviceId:\"x\",platform:android}){deviceToken}}"}`}},
		{s.Executor.Lanes.Own,
			apitest.Scenario{Name: "mutation with a password", Path: "/encrypt", Header: budi, Body: `{"value":"x"}`},
			apitest.Scenario{Name: "GraphQL mutation with a password", Path: "/graphql", Header: budi, Body: `{"query":"mutation{encrypt(input:{value:\"x\"}){value}}"}`}},
	}
	for _, full := range kinds {
		full.lane.Wait = time.Millisecond
		leave := fill(t, full.lane)
		all := []apitest.Scenario{{Name: "healthz", Path: "/healthz"}, {Name: "readyz", Path: "/readyz"}}
		for _, k := range kinds {
			if k.lane == full.lane {
				k.rest.Status, k.rest.Want, k.rest.WantHeader = 503, busy, later
				k.operator.Status, k.operator.Want, k.operator.WantHeader = 503, graphQL, later
			}
			all = append(all, k.rest, k.operator)
		}
		s.Run(t, all)
		leave()
	}
}

// fill takes all slots of a lane, until leave is called.
func fill(t *testing.T, l *admission.Lane) (leave func()) {
	t.Helper()
	var all []func()
	for began := time.Now(); ; {
		one, err := l.Enter(t.Context())
		if err != nil { // after it waited in vain
			break
		}
		all = append(all, one)
		if time.Since(began) > time.Minute {
			t.Fatal("the lane has no end")
		}
	}
	return func() {
		for _, one := range all {
			one()
		}
	}
}
