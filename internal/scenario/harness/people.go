package harness

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	"workforce/ent/user"
	"workforce/internal/apitest"
	"workforce/internal/viewer"
)

// PersonID returns the id of the user with an e-mail address, in any company.
func PersonID(t *testing.T, s *Server, email string) string {
	t.Helper()
	id, err := s.Store.Ent.User.Query().Where(user.EmailKey(email)).OnlyID(viewer.System(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	return strconv.Itoa(id)
}

// RoleIDs keeps the ids of a company's roles in Vars: {{role.owner}}.
func RoleIDs(t *testing.T, s *Server, who, prefix string) {
	t.Helper()
	var data struct{ RoleList []struct{ ID, Name string } }
	s.GraphQL(t, s.HeaderOf(who), "{roleList{id name}}", nil, &data)
	for _, r := range data.RoleList {
		s.Vars[prefix+"role."+strings.ToLower(r.Name)] = r.ID
	}
}

// Asks is a GraphQL operation in somebody's name, and its whole answer. Want is
// that of the one field, or a refusal.
func Asks(name, who, document, want string) apitest.Scenario {
	if !strings.HasPrefix(want, `{"errors"`) {
		want = `{"data":` + want + `}`
	}
	return apitest.Scenario{Name: name, Path: "/graphql", Header: SignedIn(who, "X-Language", "en"),
		Body: strings.ReplaceAll(apitest.Query(document, nil), `\u0026`, "&"), Status: 200, Want: want}
}

// Refusal is the answer of a field that fails; faults pair members and codes.
func Refusal(field, code, meta string, faults ...string) string {
	var list []string
	for i := 0; i+1 < len(faults); i += 2 {
		list = append(list, `{"field":"`+faults[i]+`","code":"`+code+`","detail":"`+faults[i+1]+`"}`)
	}
	return `{"errors":[{"message":"<any>","path":["` + field + `"],"locations":"<any>","extensions":{"code":"` + code + `","errors":[` + strings.Join(list, ",") +
		`],"meta":` + meta + `,"requestId":"<any>"}}],"data":null}`
}

// Texts of errors in English.
const (
	NotAllowed = "You may not do this."
	Nothing    = "There is nothing here by that name or number."
	InUse      = "This is already taken."
	Required   = "This is required."
)

// JSON writes a value as JSON.
func JSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// AtOnce asks in the name of two people at the same time, and returns the codes
// of what went wrong.
func (s *Server) AtOnce(t *testing.T, who [2]string, document func(i int) string) (codes [2]string) {
	t.Helper()
	var wg sync.WaitGroup
	for i := range who {
		wg.Go(func() { codes[i] = s.AskGraphQL(t, s.HeaderOf(who[i]), document(i), nil).Code() })
	}
	wg.Wait()
	return codes
}

// Everybody is who Nusantara Demo lists, in order: by name, ignoring case.
var Everybody = []string{
	"Agus Setiawan", "Andini Kusumawardhani", "Asep Sutisna", "ayu Lestari", "Budi Santoso", "Cecep Hidayat",
	"dewi Anggraini", "Dimas Prasetyo", "Eko Nugroho", "Fitri Handayani", "Gita Wulandari", "hendra gunawan",
	"Indah Permatasari", "Joko Susilo", "Kartika Sari", "Lukman Hakim", "Maya Puspita", "Neng Kurniasih",
	"nur Hidayah", "Putri Maharani", "Ratna Wijayanti", "Rizky Ramadhan", "Siti Rahmawati", "Slamet Riyadi",
	"Sumarni", "tatang suherman", "Wahyu Nur'aini",
}

// SignedIn returns the headers of somebody who is signed in, and more of them.
func SignedIn(name string, more ...string) map[string]string {
	h := map[string]string{"Authorization": "Bearer {{" + name + ".access}}"}
	for i := 0; i+1 < len(more); i += 2 {
		h[more[i]] = more[i+1]
	}
	return h
}

// ProblemText is the body of an error, word for word; errors and meta are JSON.
func ProblemText(code, title, status, detail, errors, meta string) string {
	return `{"type":"http://wf.test/errors/` + code + `","code":"` + code + `","title":"` + title + `","status":` + status +
		`,"detail":"` + detail + `","requestId":"<any>","errors":` + errors + `,"meta":` + meta + `}`
}

// InvalidText is VALIDATION_FAILED in Indonesian: fields and what is wrong with each.
func InvalidText(faults ...string) string {
	var list []string
	for i := 0; i+1 < len(faults); i += 2 {
		list = append(list, `{"field":"`+faults[i]+`","code":"VALIDATION_FAILED","detail":"`+faults[i+1]+`"}`)
	}
	return ProblemText("VALIDATION_FAILED", "Masukan tidak valid", "422",
		"Sebagian data yang dikirim kurang atau salah; lihat errors.", "["+strings.Join(list, ",")+"]", "{}")
}

// UnsignedText is UNAUTHENTICATED in English.
func UnsignedText(token, reason string) string {
	return ProblemText("UNAUTHENTICATED", "Not signed in", "401", "A valid "+token+" token is needed.", "[]",
		`{"reason":"`+reason+`","token":"`+token+`"}`)
}

// HeaderOf returns the header of somebody who is signed in, with the token in it.
func (s *Server) HeaderOf(name string) map[string]string {
	return map[string]string{"Authorization": "Bearer " + s.Vars[name+".access"]}
}

// Get asks for a path in the name of somebody, and returns the answer.
func (s *Server) Get(t *testing.T, name, path string) (*http.Response, []byte) {
	t.Helper()
	return s.Send(t, "GET", path, "", s.HeaderOf(name))
}

// Names returns the names in the list that a path answers with.
func Names(t *testing.T, s *Server, who, path string) []string {
	t.Helper()
	resp, body := s.Get(t, who, path)
	var list []struct{ Name string }
	if err := json.Unmarshal(body, &list); err != nil || resp.StatusCode != 200 {
		t.Fatalf("GET %s: %d %s %v", path, resp.StatusCode, body, err)
	}
	names := make([]string, len(list))
	for i, e := range list {
		names[i] = e.Name
	}
	return names
}
