package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"workforce/internal/errs"
	"workforce/internal/scalar"
	"workforce/internal/variables"
)

// TestBind shows the variables that requests become, or how they are refused.
func TestBind(t *testing.T) {
	tests := []struct {
		name, method, target, body string
		want                       string
	}{
		{"query string", "GET", "/user?search=a%20b&designation=1&designation=2&page=2&per-page=50", "",
			`{"designationIds":["1","2"],"limit":50,"page":2,"search":"a b"}`},
		{"empty parameters are absent", "GET", "/user?search=&designation=&page=", "", `{}`},
		{"the last of a repeated parameter", "GET", "/user?search=a&search=b&search=", "", `{"search":"b"}`},
		{"comma is text", "GET", "/user?designation=1,2", "", `{"designationIds":["1,2"]}`},
		{"variable's own name is unknown", "GET", "/user?limit=5&x=1", "", `{}`},
		{"not UTF-8", "GET", "/user?search=%ff", "", "Bad Request BAD_REQUEST"},
		{"NUL", "GET", "/user?search=a%00b", "", "Bad Request BAD_REQUEST"},
		{"NUL in a parameter that nobody reads", "GET", "/user?x=%00", "", "Bad Request BAD_REQUEST"},
		{"NUL in a parameter's name", "GET", "/user?%00=x", "", "Bad Request BAD_REQUEST"},
		{"a GET's body is not read", "GET", "/user", `{"search":"x"}`, `{}`},
		{"bad escape", "GET", "/user?search=%zz", "", "Bad Request BAD_REQUEST"},
		{"text for integer", "GET", "/user?page=two&per-page=1.5", "",
			"Unprocessable Entity VALIDATION_FAILED\npage: This must be integer.\nper-page: This must be integer."},
		{"page needs limit", "GET", "/user?page=2", "", "Unprocessable Entity VALIDATION_FAILED\npage: This needs per-page beside it."},
		{"out of range", "GET", "/user?page=0&per-page=1001", "",
			"Unprocessable Entity VALIDATION_FAILED\npage: This must lie between 1 and 2147483647.\nper-page: This must lie between 1 and 1000."},
		{"beyond 32 bits", "GET", "/user?page=3000000000&per-page=1e400", "",
			"Unprocessable Entity VALIDATION_FAILED\nper-page: This must be integer."},
		{"a page beyond 32 bits", "GET", "/user?page=3000000000&per-page=20", "", `{"limit":20,"page":3000000000}`},
		{"a page beyond 64 bits", "GET", "/user?page=1e30&per-page=20", "", `{"limit":20,"page":9223372036854775807}`},

		{"path", "GET", "/task/42?id=7", "", `{"id":"42"}`},
		{"escaped path", "GET", "/task/a%2Fb", "", `{"id":"a/b"}`},
		{"delete reads the query string", "DELETE", "/task/42?moveTo=7", `{"moveTo":"8"}`, `{"id":"42","moveTo":"7"}`},

		{"body", "POST", "/attendance/clockIn", `{"addressId":3,"latitude":"-6.2","mocked":"true","accuracy":"1.50","x":{}}`,
			`{"accuracy":1.5,"addressId":"3","latitude":"-6.2","mocked":true}`},
		{"number for text keeps its digits", "POST", "/task", `{"title":1.50e+00}`, `{"state":"open","title":"1.50e+00"}`},
		{"number for a scalar keeps its digits", "POST", "/attendance/clockIn", `{"addressId":"3","latitude":-6.20000000000000000001}`,
			`{"addressId":"3","latitude":-6.20000000000000000001}`},
		{"id beyond 64 bits", "POST", "/attendance/clockIn", `{"addressId":123456789012345678901234567890,"latitude":0}`,
			`{"addressId":"123456789012345678901234567890","latitude":0}`},
		{"null stays null", "POST", "/task", `{"title":"a","status":null,"startAt":null}`, `{"startAt":null,"state":null,"title":"a"}`},
		{"the last of a repeated member", "POST", "/task", `{"title":"a","parent":{"title":"x","status":"done"},"title":"b","parent":{"title":"y"}}`,
			`{"parent":{"title":"y"},"state":"open","title":"b"}`},
		{"unknown members of nested objects", "POST", "/task", `{"title":"a","parent":{"title":7,"no":1,"parent":{"title":"c","no":[]}}}`,
			`{"parent":{"parent":{"title":"c"},"title":"7"},"state":"open","title":"a"}`},
		{"faces", "POST", "/attendance/clockIn", `{"addressId":"1","latitude":0,"faceLandmark":[{"x":"0.5","y":1,"z":-1e-2,"q":0},{"x":0,"y":0,"z":null}]}`,
			`{"addressId":"1","faceLandmark":[{"x":0.5,"y":1,"z":-0.01},{"x":0,"y":0,"z":null}],"latitude":0}`},
		{"query string of a POST is not read", "POST", "/task?title=a", `{}`, "Unprocessable Entity VALIDATION_FAILED\ntitle: This is required."},

		{"empty body", "POST", "/task", ``, "Unprocessable Entity VALIDATION_FAILED\ntitle: This is required."},
		{"all faults at once", "POST", "/attendance/clockIn",
			`{"latitude":true,"mocked":1,"accuracy":"NaN","faceLandmark":[{"x":"0x1p3","y":0},{"y":null},7,null]}`,
			`Unprocessable Entity VALIDATION_FAILED
addressId: This is required.
latitude: This must be string.
faceLandmark[0].x: This must be number.
faceLandmark[1].x: This is required.
faceLandmark[1].y: This is required.
faceLandmark[2]: This must be object.
faceLandmark[3]: This is required.
mocked: This must be boolean.
accuracy: This must be number.`},
		{"null for a required member", "POST", "/task", `{"title":null}`, "Unprocessable Entity VALIDATION_FAILED\ntitle: This is required."},
		{"unknown enum value", "POST", "/task", `{"title":"a","status":"Open"}`,
			"Unprocessable Entity VALIDATION_FAILED\nstatus: This must be one of open, in_progress, done."},
		{"wrong types", "POST", "/task", `{"title":{},"status":3,"parent":[],"startAt":false}`,
			"Unprocessable Entity VALIDATION_FAILED\ntitle: This must be string.\nstatus: This must be string.\nstartAt: This must be string.\nparent: This must be object."},
		{"boolean for id", "POST", "/attendance/clockIn", `{"addressId":true,"latitude":0}`,
			"Unprocessable Entity VALIDATION_FAILED\naddressId: This must be string."},
		{"fraction for id", "POST", "/attendance/clockIn", `{"addressId":1.5,"latitude":0}`,
			"Unprocessable Entity VALIDATION_FAILED\naddressId: This must be string."},
		{"text that is not an id is the scalar's", "POST", "/attendance/clockIn", `{"addressId":"abc","latitude":0}`, `{"addressId":"abc","latitude":0}`},
		{"object for a list", "POST", "/attendance/clockIn", `{"addressId":"1","latitude":0,"faceLandmark":{"x":0}}`,
			"Unprocessable Entity VALIDATION_FAILED\nfaceLandmark: This must be array."},

		{"NUL in a path", "GET", "/task/4%002", "", "Bad Request BAD_REQUEST"},
		{"a path that is not UTF-8", "GET", "/task/%ff", "", "Bad Request BAD_REQUEST"},
		{"NUL in a member", "POST", "/task", `{"title":"a\u0000"}`, "Bad Request BAD_REQUEST"},
		{"NUL in a member that nobody reads", "POST", "/task", `{"title":"a","x":["\u0000"]}`, "Bad Request BAD_REQUEST"},
		{"a body that is not UTF-8", "POST", "/task", "{\"title\":\"\xff\"}", "Bad Request BAD_REQUEST"},
		{"half of a surrogate pair", "POST", "/task", `{"title":"\ud800"}`, "Bad Request BAD_REQUEST"},
		{"a surrogate pair", "POST", "/task", `{"title":"\ud83d\ude00"}`, `{"state":"open","title":"😀"}`},
		{"an escaped backslash", "POST", "/task", `{"title":"\\u0000"}`, `{"state":"open","title":"\\u0000"}`},
		{"array", "POST", "/task", `[]`, "Bad Request BAD_REQUEST"},
		{"null", "POST", "/task", `null`, "Bad Request BAD_REQUEST"},
		{"text", "POST", "/task", `"a"`, "Bad Request BAD_REQUEST"},
		{"cut off", "POST", "/task", `{"title":"a"`, "Bad Request BAD_REQUEST"},
		{"trailing data", "POST", "/task", `{"title":"a"} {}`, "Bad Request BAD_REQUEST"},
		{"trailing bracket", "POST", "/task", `{"title":"a"}]`, "Bad Request BAD_REQUEST"},
		{"trailing space", "POST", "/task", "{\"title\":\"a\"} \n", `{"state":"open","title":"a"}`},
		{"nested too deep", "POST", "/task", strings.Repeat(`{"parent":`, 20000), "Request Entity Too Large PAYLOAD_TOO_LARGE"},
		{"as many values as allowed", "POST", "/task", `{"title":"a","x":[0` + strings.Repeat(",0", maxValues-3) + `]}`, `{"state":"open","title":"a"}`},
		{"too many values", "POST", "/task", `{"title":"a","x":[0` + strings.Repeat(",0", maxValues-2) + `]}`, "Request Entity Too Large PAYLOAD_TOO_LARGE"},
		{"too large", "POST", "/task", `{"title":"` + strings.Repeat("a", maxBody) + `"}`, "Request Entity Too Large PAYLOAD_TOO_LARGE"},
		{"as large as allowed", "POST", "/task", `{"x":"` + strings.Repeat("a", maxBody-len(`{"x":"","title":"a"}`)) + `","title":"a"}`, `{"state":"open","title":"a"}`},
	}
	s := newService(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := s.do(tt.method, tt.target, tt.body)
			got := s.variables(t)
			if s.seen == nil {
				got = faults(t, w)
			}
			if got != tt.want {
				t.Errorf("%s %s %.100s\ngot  %s\nwant %s", tt.method, tt.target, tt.body, got, tt.want)
			}
		})
	}
}

func TestContentTypes(t *testing.T) {
	const ran = "ran"
	tests := []struct{ kind, body, want string }{
		{"", `{"title":"a"}`, ran},
		{"application/json", `{"title":"a"}`, ran},
		{"Application/JSON; charset=utf-8", `{"title":"a"}`, ran},
		{"text/plain", `{"title":"a"}`, "Unsupported Media Type UNSUPPORTED_MEDIA_TYPE"},
		{"application/x-www-form-urlencoded", `title=a`, "Unsupported Media Type UNSUPPORTED_MEDIA_TYPE"},
		{"multipart/form-data; boundary=x", `--x--`, "Unsupported Media Type UNSUPPORTED_MEDIA_TYPE"},
		{";;", `{"title":"a"}`, "Unsupported Media Type UNSUPPORTED_MEDIA_TYPE"},
		{"text/plain", ``, "Unprocessable Entity VALIDATION_FAILED\ntitle: This is required."},
	}
	s := newService(t)
	for _, tt := range tests {
		w := s.do("POST", "/task", tt.body, "Content-Type", tt.kind)
		got := ran
		if s.seen == nil {
			got = faults(t, w)
		}
		if got != tt.want {
			t.Errorf("Content-Type %q: got %s, want %s", tt.kind, got, tt.want)
		}
	}
}

// part is one part of a multipart form; without a file name it is text.
type part struct{ name, file, text string }

func formOf(t testing.TB, parts ...part) (body, kind string) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, p := range parts {
		var err error
		if p.file == "" {
			err = w.WriteField(p.name, p.text)
		} else {
			f, e := w.CreateFormFile(p.name, p.file)
			_, err = f.Write([]byte(p.text))
			err = errors.Join(e, err)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	w.Close()
	return b.String(), w.FormDataContentType()
}

func TestUploads(t *testing.T) {
	large := strings.Repeat("x", maxPart)
	tests := []struct {
		name  string
		parts []part
		want  string
	}{
		{"two files and text", []part{{"image", "a.png", "A"}, {"caption", "", "hello"}, {"image", "b.png", "B"}, {"id", "", "7"}}, "[a.png=A b.png=B] hello"},
		{"empty text is absent", []part{{"image", "a.png", "A"}, {"caption", "", ""}}, "[a.png=A] <nil>"},
		{"unknown file", []part{{"image", "a.png", "A"}, {"other", "b.png", "B"}}, "[a.png=A] <nil>"},
		{"file for text", []part{{"image", "a.png", "A"}, {"caption", "b.png", "B"}}, "[a.png=A] <nil>"},
		{"no file", []part{{"caption", "", "hello"}}, "Unprocessable Entity VALIDATION_FAILED\nimage: This is required."},
		{"text for a file", []part{{"image", "", "A"}}, "Unprocessable Entity VALIDATION_FAILED\nimage[0]: This must be file."},
		{"a picture without a file name", []part{{"image", "", "\x89PNG\r\n\xff"}}, "Unprocessable Entity VALIDATION_FAILED\nimage: This cannot be read."},
		{"as large as allowed", []part{{"image", "a.png", large}}, "[a.png=" + large + "] <nil>"},
		{"too large", []part{{"image", "a.png", large + "x"}}, "Request Entity Too Large PAYLOAD_TOO_LARGE\nimage: The request is larger than 10485760 bytes."},
	}
	s := newService(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			body, kind := formOf(t, tt.parts...)
			w := s.do("POST", "/task/42/image", body, "Content-Type", kind)
			var got string
			if s.seen == nil {
				got = faults(t, w)
			} else {
				got = fmt.Sprintf("%v %v", s.files, s.seen.Variables["caption"])
				if s.seen.Variables["id"] != "42" {
					t.Errorf("id = %v, want the path's", s.seen.Variables["id"])
				}
			}
			if got != tt.want {
				t.Errorf("got %.200s\nwant %.200s", got, tt.want)
			}
		})
	}
}

func TestBrokenForms(t *testing.T) {
	body, kind := formOf(t, part{"image", "a.png", "A"})
	tests := []struct{ name, body, kind, want string }{
		{"JSON has no files", `{"image":["A"]}`, "application/json", "Unprocessable Entity VALIDATION_FAILED\nimage[0]: This must be file."},
		{"no boundary", body, "multipart/form-data", "Bad Request BAD_REQUEST"},
		{"cut off", body[:len(body)-20], kind, "Bad Request BAD_REQUEST"},
		{"other boundary", body, "multipart/form-data; boundary=y", "Bad Request BAD_REQUEST"},
	}
	s := newService(t)
	for _, tt := range tests {
		if got := faults(t, s.do("POST", "/task/42/image", tt.body, "Content-Type", tt.kind)); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
}

// TestScalarChecks checks that faults of scalars are reported with all others.
func TestScalarChecks(t *testing.T) {
	s := newService(t)
	s.api.Types = variables.NewTypes(s.schema, variables.Options{Scalars: map[string]func(any) error{
		"Coordinate": func(v any) error {
			if v == json.Number("91") {
				return errs.Because("", errs.OutOfRange, errs.Meta{"min": -90, "max": 90})
			}
			return errs.New(errs.Invalid, nil)
		},
		"ID": func(any) error { return errs.New(errs.NotFound, nil) },
	}})
	got := faults(t, s.do("POST", "/attendance/clockIn", `{"addressId":"x","latitude":91,"mocked":"maybe"}`))
	want := "Unprocessable Entity VALIDATION_FAILED\nlatitude: This must lie between -90 and 90.\nmocked: This must be boolean."
	if got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	got = faults(t, s.do("POST", "/attendance/clockIn", `{"addressId":"x","latitude":"north"}`))
	want = "Unprocessable Entity VALIDATION_FAILED\nlatitude: Some of what was sent is missing or wrong; see errors."
	if got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// FuzzBind shows that any request becomes variables or a 4xx error.
func FuzzBind(f *testing.F) {
	f.Add("GET", "/user?search=a&page=2&per-page=x", "", "")
	f.Add("GET", "/task/%2e%2e", "", "")
	f.Add("DELETE", "/task/1?moveTo=%00;", "", "")
	f.Add("POST", "/task", `{"title":1e999,"parent":{"parent":{"title":null}}}`, "application/json")
	f.Add("PUT", "/tasks", `{"title":"\ud800","status":"open"} x`, "")
	f.Add("POST", "/attendance/clockIn", `{"faceLandmark":[{"x":"NaN"},[],null],"latitude":"0x1p3","addressId":-0}`, "application/json")
	body, kind := formOf(f, part{"image", "a.png", "A"}, part{"caption", "", "c"})
	f.Add("POST", "/task/1/image", body, kind)
	api := loadAPI(f)
	patterns := http.NewServeMux()
	if err := api.Register(patterns, http.NotFoundHandler()); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, method, target, body, kind string) {
		r, err := http.NewRequest(method, target, strings.NewReader(body))
		if err != nil {
			return
		}
		r.Header.Set("Content-Type", kind)
		_, pattern := patterns.Handler(r)
		e := api.endpoints[pattern]
		if e == nil {
			return
		}
		w := httptest.NewRecorder()
		sent, err := e.receive(w, r)
		if err == nil {
			var done func()
			var faults errs.Faults
			_, faults, done, err = api.bind(e, w, r, sent)
			done()
			if err == nil {
				err = faults.Err()
			}
		}
		if status := errs.CodeOf(err).Status(); err != nil && (status < 400 || status > 499) {
			t.Errorf("%s %s %q: %v", method, target, body, err)
		}
	})
}

// faceBody is the body of a clock-in with 68 face points.
func faceBody() string {
	var points []string
	for i := range 68 {
		points = append(points, fmt.Sprintf(`{"x":0.%d1234567,"y":0.4%d234567,"z":-0.0123%d,"visibility":0}`, i, i, i))
	}
	return `{"addressId":"1","latitude":"-6.200000","faceLandmark":[` + strings.Join(points, ",") + `]}`
}

// faceTypes are the types of a schema with the reader of face points.
func faceTypes(schema *ast.Schema) *variables.Types {
	return variables.NewTypes(schema, variables.Options{Readers: map[string]func([]byte) (any, bool){"[FacePointInput]": landmarks}})
}

func landmarks(array []byte) (any, bool) { return scalar.ReadLandmarks(array) }

func BenchmarkBindFace(b *testing.B) {
	body, api := faceBody(), loadAPI(b)
	e := api.endpoints["POST /attendance/clockIn"]
	for name, types := range map[string]*variables.Types{"members": api.Types, "reader": faceTypes(api.schema)} {
		b.Run(name, func(b *testing.B) {
			api.Types = types
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				w, r := httptest.NewRecorder(), httptest.NewRequest("POST", "/attendance/clockIn", strings.NewReader(body))
				sent, err := e.receive(w, r)
				if err != nil {
					b.Fatal(err)
				}
				if _, faults, _, err := api.bind(e, w, r, sent); err != nil || len(faults) > 0 {
					b.Fatal(faults, err)
				}
			}
		})
	}
}
