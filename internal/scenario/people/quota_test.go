package people

import (
	"bytes"
	"encoding/json"
	"image/color"
	"maps"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/server"
)

// avatarDocument is an operator's endpoint that takes a file: none of the built-in ones
// does.
const avatarDocument = `"""
Sets the caller's picture. Fails with UNSUPPORTED_MEDIA_TYPE or RATE_LIMITED.
"""
mutation SetAvatar($image: Upload!) @endpoint(method: POST, path: "/user/avatar") {
  setAvatar(input: {image: $image}) { name }
}
`

// TestUploadQuota uploads more than a company allows, by both APIs: of 20 uploads of
// 1 MiB at once, ten count, and the answers say when there is room again.
func TestUploadQuota(t *testing.T) {
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "user"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "user", "avatar.graphql"), []byte(avatarDocument), 0o600); err != nil {
		t.Fatal(err)
	}
	harness.Each(t, func(t *testing.T, s *harness.Server) {
		for _, name := range []string{"admin", "budi", "agus"} {
			s.SignIn(t, name, name+"@demo.test")
		}
		s.GraphQL(t, s.HeaderOf("admin"), `mutation{updateCompany(input:{settings:{uploadMegabytes:10}}){id}}`, nil, nil)
		text, picture := make([]byte, 1<<20), harness.Picture(t, 40, 30, color.White)
		var mu sync.Mutex
		var all sync.WaitGroup
		got := map[string]int{}
		for i := range 20 {
			all.Go(func() {
				request := graphqlUpload(t, "budi", text)
				if i%2 == 0 {
					request = restUpload(t, "budi", text)
				}
				a, err := s.Attempt(request)
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				got[codeOf(a.Body)]++
			})
		}
		all.Wait()
		if want := map[string]int{"UNSUPPORTED_MEDIA_TYPE": 10, "RATE_LIMITED": 10}; !maps.Equal(got, want) {
			t.Errorf("20 uploads at once: %v, want %v", got, want)
		}
		limited := map[string]string{"Retry-After": "86400", "RateLimit-Limit": "10", "RateLimit-Remaining": "0", "RateLimit-Reset": "86400"}
		const detail, meta = "Terlalu banyak permintaan; coba lagi dalam 86400 detik.", `{"retryAfterSeconds":86400}`
		stored := `{"name":"Budi Santoso"}`
		s.Run(t, []apitest.Scenario{
			answers("by GraphQL", graphqlUpload(t, "budi", picture), http.StatusTooManyRequests, `{"errors":[{"message":"`+detail+`","path":["setAvatar"],"locations":"<any>","extensions":{"code":"RATE_LIMITED",`+
				`"errors":[],"meta":`+meta+`,"requestId":"<any>"}}],"data":null}`, limited),
			answers("by REST", restUpload(t, "budi", picture), http.StatusTooManyRequests, harness.ProblemText("RATE_LIMITED", "Terlalu banyak permintaan", "429", detail, "[]", meta), limited),
			answers("by somebody else", restUpload(t, "agus", picture), 200, `{"name":"Agus Setiawan"}`, nil),
		})
		s.MoveTo(t, s.Clock.Now().Add(24*time.Hour-time.Second), "budi")
		limited["Retry-After"], limited["RateLimit-Reset"] = "1", "1"
		s.Run(t, []apitest.Scenario{answers("a second before the end of the day", restUpload(t, "budi", picture), http.StatusTooManyRequests, "", limited)})
		s.Clock.Advance(time.Second)
		s.Run(t, []apitest.Scenario{
			answers("a day later", restUpload(t, "budi", picture), 200, stored, nil),
			answers("a day later by GraphQL", graphqlUpload(t, "budi", picture), 200, `{"data":{"setAvatar":`+stored+`}}`, nil),
		})
		consistent(t, s)
	}, func(c *server.Config) { c.Operations = folder })
}

// answers returns a request with the answer that it is to get.
func answers(name string, request apitest.Scenario, status int, want string, header map[string]string) apitest.Scenario {
	request.Name, request.Status, request.Want, request.WantHeader = name, status, want, header
	return request
}

// graphqlUpload sets somebody's picture by GraphQL.
func graphqlUpload(t *testing.T, who string, file []byte) apitest.Scenario {
	t.Helper()
	body, kind := harness.Upload(t, `mutation($input:SetAvatarInput!){setAvatar(input:$input){name}}`, map[string]any{"input": map[string]any{"image": nil}}, "input.image", file)
	return apitest.Scenario{Path: "/graphql", Header: harness.SignedIn(who, "Content-Type", kind, "GraphQL-Preflight", "1"), Body: body}
}

// restUpload sets somebody's picture by the operator's endpoint.
func restUpload(t *testing.T, who string, file []byte) apitest.Scenario {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	part, err := w.CreateFormFile("image", "picture.png")
	if err == nil {
		_, err = part.Write(file)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return apitest.Scenario{Path: "/user/avatar", Header: harness.SignedIn(who, "Content-Type", w.FormDataContentType()), Body: b.String()}
}

// codeOf returns the code of the error that either API answered.
func codeOf(body string) string {
	var a struct {
		Code   string
		Errors []struct{ Extensions struct{ Code string } }
	}
	_ = json.Unmarshal([]byte(body), &a) // a success has neither
	if len(a.Errors) > 0 && a.Code == "" {
		return a.Errors[0].Extensions.Code
	}
	return a.Code
}
