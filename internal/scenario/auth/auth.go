package auth

import (
	"fmt"
	"net/http"
	"strings"

	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
)

// tokenProblem is the body of UNAUTHENTICATED.
func tokenProblem(kind, reason string) string {
	return harness.ProblemBody(401, "UNAUTHENTICATED", "Not signed in", "A valid "+kind+" token is needed.", `[]`,
		`{"reason":"`+reason+`","token":"`+kind+`"}`)
}

// codeProblem is the body of an error about a one-time code.
func codeProblem(code string) string {
	texts := map[string][2]string{
		"OTP_INVALID":   {"Wrong code", "The code is wrong."},
		"OTP_EXPIRED":   {"Code expired", "The code has expired; ask for a new one."},
		"OTP_EXHAUSTED": {"Too many wrong codes", "Too many wrong tries; ask for a new code."},
	}
	text := texts[code]
	return harness.ProblemBody(422, code, text[0], text[1], harness.FaultList(code, "otp", text[1]), `{}`)
}

// limitProblem is the body of RATE_LIMITED.
func limitProblem(seconds int) string {
	return harness.ProblemBody(429, "RATE_LIMITED", "Too many requests", fmt.Sprintf("Too many requests; try again in %d seconds.", seconds),
		`[]`, fmt.Sprintf(`{"retryAfterSeconds":%d}`, seconds))
}

var (
	wrongLogin = harness.ProblemBody(401, "INVALID_CREDENTIALS", "Wrong user name or password", "The user name or the password is wrong.", `[]`, `{}`)

	keyInvalid = keyProblem("password")
)

// jwe has the form of an encrypted password.
const jwe = "eyJhbGciOiJSU0EtT0FFUC0yNTYifQ.AA.AA.AA.AA"

// budiProfile is Budi's; <face> stands for his face.
const budiProfile = `{"name":"Budi Santoso","email":"budi@demo.test","image":"images/avatar.png","mobileNumber":{"country_code":62,"number":"08401100003"},"gender":"male","salutaion":null,"locale":"id","designations":[{"id":"<digits>","name":"Staf Operasional"}],"faceLandmark":<face>}`

func budiWith(face string) string { return strings.Replace(budiProfile, "<face>", face, 1) }

func bearerOf(name string) map[string]string {
	return harness.Head("Authorization", "Bearer {{"+name+"}}")
}

// pairOf asks for a token pair on a device and keeps it.
func pairOf(device string) apitest.Scenario {
	return apitest.Scenario{
		Name: device + " gets tokens", Path: "/authorize/access-token", Header: harness.Head("x-User-Token", "{{"+device+".user}}"),
		Want: harness.FreshPair, WantHeader: harness.Head("Cache-Control", "no-store"),
		Save: map[string]string{device + ".access": "/accessToken", device + ".refresh": "/refreshToken"},
	}
}

// wrongCode returns another code than the right one.
func wrongCode(code string) string {
	if code[5] == '0' {
		return code[:5] + "1"
	}
	return code[:5] + "0"
}

// inEnglish asks in English, where a request asks for no language, while f runs.
func inEnglish(s *harness.Server, f func()) {
	before := s.HTTP.Transport
	s.HTTP.Transport = english{before}
	defer func() { s.HTTP.Transport = before }()
	f()
}

type english struct{ http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (e english) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Header.Get("X-Language") == "" {
		r = r.Clone(r.Context())
		r.Header.Set("X-Language", "en")
	}
	return e.RoundTripper.RoundTrip(r)
}
