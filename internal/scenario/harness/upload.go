package harness

import (
	"bytes"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"mime/multipart"
	"net/textproto"
	"net/url"
	"strings"
	"testing"

	"workforce/internal/apitest"
)

// Upload returns the body of a multipart request with one file in place of a null
// variable, such as input.image, and its Content-Type.
func Upload(t testing.TB, document string, variables map[string]any, path string, file []byte) (body, contentType string) {
	t.Helper()
	return UploadAs(t, document, variables, path, "../../picture.png", file)
}

// UploadAs is Upload of a file with a name, whatever characters that has.
func UploadAs(
	t testing.TB, document string, variables map[string]any, path, name string, file []byte,
) (body, contentType string) {
	t.Helper()
	places, err := json.Marshal(map[string][]string{"0": {"variables." + path}})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, field := range [][2]string{{"operations", apitest.Query(document, variables)}, {"map", string(places)}} {
		if err := w.WriteField(field[0], field[1]); err != nil {
			t.Fatal(err)
		}
	}
	part, err := w.CreatePart(textproto.MIMEHeader{
		"Content-Disposition": {`form-data; name="0"; filename*=UTF-8''` + strings.ReplaceAll(url.QueryEscape(name), "+", "%20")},
		"Content-Type":        {"application/octet-stream"},
	})
	if err == nil {
		_, err = part.Write(file)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String(), w.FormDataContentType()
}

// Picture returns a PNG of one color.
func Picture(t testing.TB, width, height int, c color.Color) []byte {
	t.Helper()
	p := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			p.Set(x, y, c)
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// AskUpload sends a file to /graphql in somebody's name; "" is nobody's.
func (s *Server) AskUpload(t testing.TB, who, document string, variables map[string]any, path string, file []byte) (Answer, error) {
	t.Helper()
	return s.AskUploadAs(t, who, document, variables, path, "../../picture.png", file)
}

// AskUploadAs is AskUpload of a file with a name.
func (s *Server) AskUploadAs(
	t testing.TB, who, document string, variables map[string]any, path, name string, file []byte,
) (Answer, error) {
	t.Helper()
	body, kind := UploadAs(t, document, variables, path, name, file)
	header := map[string]string{"Content-Type": kind, "GraphQL-Preflight": "1"}
	if who != "" {
		header["Authorization"] = "Bearer " + s.Vars[who+".access"]
	}
	return s.Ask("POST", "/graphql", header, body)
}
