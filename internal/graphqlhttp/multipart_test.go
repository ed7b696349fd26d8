package graphqlhttp

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"sort"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"workforce/internal/errs"
)

// filesIn lists the files in a value, as image=name:content.
func filesIn(path string, v any) (list []string) {
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			list = append(list, filesIn(path+"."+name, value)...)
		}
	case []any:
		for i, value := range v {
			list = append(list, filesIn(fmt.Sprint(path, ".", i), value)...)
		}
	case graphql.Upload:
		text, _ := io.ReadAll(v.File)
		if len(text) > 20 {
			text = fmt.Append(nil, len(text))
		}
		list = append(list, fmt.Sprintf("%s=%s:%s", path, v.Filename, text))
	}
	sort.Strings(list)
	return list
}

// multi writes a multipart body: pairs of a part's name and content; a name of one
// character is a file's.
func multi(parts ...string) string {
	var b strings.Builder
	for i := 0; i < len(parts); i += 2 {
		b.WriteString("--b\r\nContent-Disposition: form-data; name=\"" + parts[i] + `"`)
		if len(parts[i]) == 1 {
			b.WriteString(`; filename="` + parts[i] + `.png"`)
		}
		b.WriteString("\r\n\r\n" + parts[i+1] + "\r\n")
	}
	return b.String() + "--b--\r\n"
}

const (
	uploadOne  = `{"query":"mutation($f:Upload){one(file:$f)}","variables":{"f":null}}`
	uploadMany = `{"query":"mutation($in:Files!){upload(input:$in)}","variables":{"in":{"image":null,"images":[null,null],"name":"a"}}}`
)

var preflight = []string{"Content-Type: multipart/form-data; boundary=b", "GraphQL-Preflight: 1"}

func TestMultipart(t *testing.T) {
	tests := []struct {
		name, body string
		status     int
		want       string // a part of the answer
	}{
		{"one file", multi("operations", uploadOne, "map", `{"0":["variables.f"]}`, "0", "hello"), 200, `"one":".file=0.png:hello"`},
		{"members and elements", multi("operations", uploadMany, "map", `{"a":["variables.in.image","variables.in.images.1"],"b":["variables.in.images.0"]}`, "b", "B", "a", "A"), 200,
			`".input.image=a.png:A .input.images.0=b.png:B .input.images.1=a.png:A"`},
		{"no file", multi("operations", uploadOne, "map", `{}`), 200, `"one":""`},
		{"a file that map does not name", multi("operations", uploadOne, "map", `{}`, "0", "hello"), 200, `"one":""`},
		{"as large as allowed", multi("operations", uploadOne, "map", `{"0":["variables.f"]}`, "0", strings.Repeat("a", MaxPart)), 200, "0.png:10485760"},
		{"too large", multi("operations", uploadOne, "map", `{"0":["variables.f"]}`, "0", strings.Repeat("a", MaxPart+1)), 413, "PAYLOAD_TOO_LARGE"},
		{"too large in all", multi("operations", uploadOne, "map", `{"0":["variables.f"]}`, "0", strings.Repeat("a", MaxFiles*MaxPart+3*MaxBytes)), 413, "PAYLOAD_TOO_LARGE"},
		{"long operations", multi("operations", uploadOne+strings.Repeat(" ", MaxBytes), "map", `{}`), 413, "PAYLOAD_TOO_LARGE"},
		{"long map", multi("operations", uploadOne, "map", `{}`+strings.Repeat(" ", MaxBytes)), 413, "PAYLOAD_TOO_LARGE"},
		{"two fields", multi("operations", strings.Replace(uploadOne, "{one", "{a:one(file:$f) one", 1), "map", `{"0":["variables.f"]}`, "0", "hello"), 200, "An operation with files has one field."},
		{"two fields without files", multi("operations", strings.Replace(uploadOne, "{one", "{a:one(file:$f) one", 1), "map", `{}`), 200, `"one":""`},
		{"map first", multi("map", `{}`, "operations", uploadOne), 400, "BAD_REQUEST"},
		{"a file first", multi("0", "hello", "operations", uploadOne, "map", `{}`), 400, "BAD_REQUEST"},
		{"no map", multi("operations", uploadOne), 400, "BAD_REQUEST"},
		{"no parts", multi(), 400, "BAD_REQUEST"},
		{"nothing", "", 400, "BAD_REQUEST"},
		{"a batch", multi("operations", "["+uploadOne+"]", "map", `{"0":["0.variables.f"]}`, "0", "hello"), 400, "BAD_REQUEST"},
		{"operations of text", multi("operations", `"a"`, "map", `{}`), 400, "BAD_REQUEST"},
		{"operations that are not UTF-8", multi("operations", "{\"query\":\"\xff\"}", "map", `{}`), 400, "BAD_REQUEST"},
		{"no query", multi("operations", `{}`, "map", `{}`), 400, "BAD_REQUEST"},
		{"map of a list", multi("operations", uploadOne, "map", `[]`), 400, "BAD_REQUEST"},
		{"map of numbers", multi("operations", uploadOne, "map", `{"0":[1]}`, "0", "a"), 400, "BAD_REQUEST"},
		{"map of text", multi("operations", uploadOne, "map", `{"0":"variables.f"}`, "0", "a"), 400, "BAD_REQUEST"},
		{"a place twice", multi("operations", uploadOne, "map", `{"0":["variables.f"],"1":["variables.f"]}`, "0", "a", "1", "b"), 400, "BAD_REQUEST"},
		{"a place elsewhere", multi("operations", uploadOne, "map", `{"0":["query"]}`, "0", "a"), 400, "BAD_REQUEST"},
		{"no variable", multi("operations", uploadOne, "map", `{"0":["variables."]}`, "0", "a"), 400, "BAD_REQUEST"},
		{"too many files", multi("operations", uploadOne, "map", `{"0":[],"1":[],"2":[],"3":[],"4":[],"5":[],"6":[],"7":[],"8":[],"9":[],"a":[]}`), 400, "BAD_REQUEST"},
		{"too many places", multi("operations", uploadOne, "map", `{"0":["variables.f`+strings.Repeat(`","variables.g`, 300)+`"]}`), 400, "BAD_REQUEST"},
		{"a file that is missing", multi("operations", uploadOne, "map", `{"0":["variables.f"]}`), 400, "BAD_REQUEST"},
		{"a file twice", multi("operations", uploadOne, "map", `{"0":["variables.f"]}`, "0", "a", "0", "b"), 400, "BAD_REQUEST"},
		{"text in place of a file", multi("operations", uploadOne, "map", `{"name":["variables.f"]}`, "name", "a"), 400, "BAD_REQUEST"},
		{"for another type", multi("operations", uploadMany, "map", `{"0":["variables.in.name"]}`, "0", "a"), 200, "VALIDATION_FAILED"},
		{"past the end of a list", multi("operations", uploadMany, "map", `{"0":["variables.in.images.7"]}`, "0", "a"), 200, "VALIDATION_FAILED"},
		{"no null in its place", multi("operations", strings.Replace(uploadOne, "null", `"a"`, 1), "map", `{"0":["variables.f"]}`, "0", "a"), 200, "VALIDATION_FAILED"},
		{"cut off", strings.TrimSuffix(multi("operations", uploadOne, "map", `{"0":["variables.f"]}`, "0", "hello"), "--b--\r\n"), 400, "BAD_REQUEST"},
		{"long headers", "--b\r\n" + strings.Repeat("X-A: a\r\n", 20_000) + "\r\na\r\n--b--\r\n", 413, "PAYLOAD_TOO_LARGE"},
		{"many parts", multi("operations", uploadOne, "map", `{}`) + strings.Repeat("--b\r\n\r\n\r\n", 5), 200, "one"},
	}
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	srv := newServer(nil)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := post(t, srv, tt.body, preflight...)
			if got.status != tt.status || !strings.Contains(got.text, tt.want) {
				t.Errorf("%d %.300s, want %d with %s", got.status, got.text, tt.status, tt.want)
			}
		})
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%d temporary files are left, %v", len(left), err)
	}
}

// TestMultipartManyParts refuses a body of more parts than the standard library reads.
func TestMultipartManyParts(t *testing.T) {
	parts := []string{"operations", uploadOne, "map", `{}`}
	for range 2000 {
		parts = append(parts, "x", "")
	}
	if got := post(t, newServer(nil), multi(parts...), preflight...); got.status != 413 && got.status != 400 {
		t.Errorf("%d %s", got.status, got.text)
	}
}

// A halting reader fails the test when it is read past a length.
type halting struct {
	t    *testing.T
	text string
}

func (h *halting) Read(p []byte) (int, error) {
	if h.text == "" {
		h.t.Error("the files were read")
		return 0, io.EOF
	}
	n := copy(p, h.text)
	h.text = h.text[n:]
	return n, nil
}

// TestMultipartUnauthenticated refuses a caller before the files are read.
func TestMultipartUnauthenticated(t *testing.T) {
	api := newAPI(func(ctx context.Context, _ *graphql.OperationContext) (context.Context, gqlerror.List) {
		return ctx, gqlerror.List{Presenter(classify)(ctx, errs.New(errs.Unauthenticated, nil))}
	})
	body := multi("operations", uploadOne, "map", `{"0":["variables.f"]}`, "0", strings.Repeat("a", 1<<20))
	r := httptest.NewRequest(http.MethodPost, "/graphql", &halting{t, body[:8<<10]})
	setLines(r.Header, preflight)
	if got := send(t, serverOf(nil, api), r); got.code() != "UNAUTHENTICATED" {
		t.Errorf("%d %s", got.status, got.text)
	}
}
