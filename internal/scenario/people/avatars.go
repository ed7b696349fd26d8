package people

import (
	"encoding/json"
	"image/color"
	"net/url"
	"strings"
	"testing"
	"time"

	"workforce/internal/scenario/harness"
)

const (
	setAvatar    = `mutation($input:SetAvatarInput!){setAvatar(input:$input){name image}}`
	setLogo      = `mutation($input:SetLogoInput!){setLogo(input:$input){name logo}}`
	removeAvatar = `mutation($id:ID){removeAvatar(userId:$id){name image}}`
	removeLogo   = `mutation{removeLogo{logo}}`
	plainImage   = "images/avatar.png"
)

// An uploaded is the answer to an upload.
type uploaded struct {
	Data struct {
		SetAvatar, RemoveAvatar, Viewer, User struct{ Image string }
		SetLogo, RemoveLogo, Company          struct{ Logo string }
	}
	Errors []struct {
		Extensions harness.ProblemFacts
	}
}

func (u uploaded) code() string {
	if len(u.Errors) == 0 {
		return ""
	}
	return u.Errors[0].Extensions.Code
}

// upload sends a picture in somebody's name.
func upload(t *testing.T, s *harness.Server, who, document string, file []byte, userID any) uploaded {
	t.Helper()
	input := map[string]any{"image": nil}
	if userID != nil {
		input["userId"] = userID
	}
	a, err := s.AskUpload(t, who, document, map[string]any{"input": input}, "input.image", file)
	if err != nil {
		t.Fatal(err)
	}
	var out uploaded
	if err := json.Unmarshal([]byte(a.Body), &out); err != nil {
		t.Fatalf("%d %s", a.Status, a.Body)
	}
	return out
}

// ask asks /graphql in somebody's name.
func ask(t *testing.T, s *harness.Server, who, document string, variables map[string]any) (out uploaded) {
	t.Helper()
	a := s.AskGraphQL(t, s.HeaderOf(who), document, variables)
	if err := json.Unmarshal([]byte(a.Text), &out); err != nil {
		t.Fatal(a.Text)
	}
	return out
}

// AvatarScenarios set, show and remove pictures, on the file store of the server.
func AvatarScenarios(t *testing.T, s *harness.Server) {
	for name, email := range map[string]string{"budi": "budi@demo.test", "agus": "agus@demo.test", "andini": "admin@demo.test", "tenri": "admin@tetangga.test"} {
		s.SignIn(t, name, email)
		s.Vars[name] = harness.PersonID(t, s, email)
	}
	red, blue := harness.Picture(t, 400, 200, color.RGBA{200, 0, 0, 255}), harness.Picture(t, 40, 30, color.RGBA{0, 0, 200, 255})
	own := upload(t, s, "budi", setAvatar, red, nil)
	link := own.Data.SetAvatar.Image
	u, err := url.Parse(link)
	if err != nil || u.Query().Get("X-Amz-Expires") != "86400" || u.Query().Get("X-Amz-Signature") == "" || own.code() != "" {
		t.Fatalf("setAvatar: %+v", own)
	}
	t.Run("shown alike", func(t *testing.T) {
		if got := ask(t, s, "budi", `{viewer{image}}`, nil).Data.Viewer.Image; got != link {
			t.Errorf("viewer: %s, want %s", got, link)
		}
		text, _ := json.Marshal(link)
		for _, path := range []string{"/user/profile", "/user", "/user?search=budi&limit=5&page=1"} {
			_, body := s.Get(t, "budi", path)
			if strings.Count(string(body), strings.ReplaceAll(string(text), `\u0026`, "&")) != 1 || strings.Contains(string(body), `"file:`) {
				t.Errorf("%s: %.400s, want the link once", path, body)
			}
		}
		const everywhere = `{users(where:{name:"Budi Santoso"}){edges{node{image}}} employees(search:"budi@"){nodes{image databaseId}} user(id:"%s"){image businessName:business{manager{image}}}}`
		a := s.AskGraphQL(t, s.HeaderOf("andini"), strings.ReplaceAll(everywhere, "%s", s.Vars["budi"]), nil)
		if n := strings.Count(a.Text, u.Query().Get("X-Amz-Signature")); n != 3 {
			t.Errorf("%d links in %s", n, a.Text)
		}
	})
	t.Run("the demo's picture", func(t *testing.T) {
		_, body := s.Get(t, "budi", "/user?search=kartika")
		if !strings.Contains(string(body), "X-Amz-Signature=") {
			t.Errorf("%s", body)
		}
	})
	t.Run("same link later in the hour", func(t *testing.T) {
		start := s.Clock.Now()
		s.Clock.Set(start.Add(10 * time.Minute))
		if got := ask(t, s, "budi", `{viewer{image}}`, nil).Data.Viewer.Image; got != link {
			t.Errorf("another link: %s", got)
		}
		s.Clock.Set(start)
	})
	t.Run("somebody else's", func(t *testing.T) {
		for _, tt := range []struct{ who, of, want string }{
			{"andini", "agus", ""}, {"budi", "agus", "FORBIDDEN"}, {"andini", "tenri", "NOT_FOUND"}, {"budi", "budi", ""},
		} {
			if got := upload(t, s, tt.who, setAvatar, blue, s.Vars[tt.of]).code(); got != tt.want {
				t.Errorf("setAvatar by %s of %s: %q, want %q", tt.who, tt.of, got, tt.want)
			}
			if got := ask(t, s, tt.who, removeAvatar, map[string]any{"id": s.Vars[tt.of]}).code(); got != tt.want {
				t.Errorf("removeAvatar by %s of %s: %q, want %q", tt.who, tt.of, got, tt.want)
			}
		}
		if got := upload(t, s, "", setAvatar, blue, nil).code(); got != "UNAUTHENTICATED" {
			t.Errorf("by nobody: %s", got)
		}
	})
	t.Run("the logo", func(t *testing.T) {
		if got := upload(t, s, "andini", setLogo, blue, nil); !strings.Contains(got.Data.SetLogo.Logo, "X-Amz-Signature=") {
			t.Errorf("%+v", got)
		}
		if got := ask(t, s, "budi", `{company{logo}}`, nil).Data.Company.Logo; !strings.Contains(got, "X-Amz-Signature=") {
			t.Errorf("an employee sees %q", got)
		}
		if got := ask(t, s, "tenri", `{company{logo}}`, nil).Data.Company.Logo; got != "images/company.png" {
			t.Errorf("another company has the logo %q", got)
		}
		if got := upload(t, s, "budi", setLogo, blue, nil).code(); got != "FORBIDDEN" {
			t.Errorf("by an employee: %q", got)
		}
		if got := ask(t, s, "budi", removeLogo, nil).code(); got != "FORBIDDEN" {
			t.Errorf("removed by an employee: %q", got)
		}
		if got := ask(t, s, "andini", removeLogo, nil).Data.RemoveLogo.Logo; got != "images/company.png" {
			t.Errorf("after the removal: %q", got)
		}
	})
	t.Run("refused", func(t *testing.T) {
		for name, tt := range map[string]struct {
			file []byte
			want string
		}{
			"text": {[]byte("hello"), "UNSUPPORTED_MEDIA_TYPE"}, "nothing": {nil, "UNSUPPORTED_MEDIA_TYPE"},
			"a page":  {[]byte("<svg><script>alert(1)</script></svg>"), "UNSUPPORTED_MEDIA_TYPE"},
			"damaged": {red[:200], "VALIDATION_FAILED"}, "too large": {append(append([]byte{}, red...), make([]byte, 10<<20)...), "PAYLOAD_TOO_LARGE"},
		} {
			if got := upload(t, s, "budi", setAvatar, tt.file, nil); got.code() != tt.want {
				t.Errorf("%s: %+v, want %s", name, got, tt.want)
			}
		}
		if got := ask(t, s, "budi", `mutation{setAvatar(input:{image:"a"}){id}}`, nil).code(); got != "VALIDATION_FAILED" {
			t.Errorf("a literal: %q", got)
		}
		if got := ask(t, s, "budi", setAvatar, map[string]any{"input": map[string]any{"image": "a"}}).code(); got != "VALIDATION_FAILED" {
			t.Errorf("text: %q", got)
		}
	})
	t.Run("removed", func(t *testing.T) {
		upload(t, s, "budi", setAvatar, red, nil)
		for range 2 {
			if got := ask(t, s, "budi", removeAvatar, nil).Data.RemoveAvatar.Image; got != plainImage {
				t.Errorf("after the removal: %q", got)
			}
		}
		_, body := s.Get(t, "budi", "/user/profile")
		if !strings.Contains(string(body), `"image":"`+plainImage+`"`) {
			t.Errorf("%s", body)
		}
	})
}
