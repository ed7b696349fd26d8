package privacy

import (
	"archive/zip"
	"bytes"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	entJob "workforce/ent/job"
	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

const (
	askExport = `mutation{exportOwnData{id status progress expiresAt size url expiresIn}}`
	ownExport = `{ownDataExport{id status progress size url expiresIn}}`
)

// exportScenarios have people export their own data.
func exportScenarios(t *testing.T, s *harness.Server) {
	s.SignIn(t, "budi", "budi@demo.test")
	s.SignIn(t, "cecep", "cecep@demo.test")
	refusal := func(field string) string {
		return strings.Replace(harness.Refusal(field, "UNAUTHENTICATED", `{"reason":"missing","token":"access"}`), `"locations":"<any>",`, "", 1)
	}
	queued := `{"exportOwnData":{"id":"<any>","status":"queued","progress":0,"expiresAt":null,"size":null,"url":null,"expiresIn":null}}`
	s.Run(t, []apitest.Scenario{
		{Name: "nobody asks", Path: "/graphql", Body: apitest.Query(askExport, nil), Status: 200, Want: refusal("exportOwnData")},
		{Name: "nobody looks", Path: "/graphql", Body: apitest.Query(ownExport, nil), Status: 200, Want: refusal("ownDataExport")},
		harness.Asks("none is there", "budi", ownExport, `{"ownDataExport":null}`),
		harness.Asks("asks", "budi", askExport, queued),
	})
	made(t, s, 1)
	s.Run(t, []apitest.Scenario{
		{Name: "it is done", Path: "/graphql", Header: harness.SignedIn("budi"), Body: apitest.Query(ownExport, nil), Status: 200,
			Want: `{"data":{"ownDataExport":{"id":"<any>","status":"done","progress":100,"size":"<any>","url":"<any>","expiresIn":300}}}`,
			Save: map[string]string{"export.id": "/data/ownDataExport/id", "export.url": "/data/ownDataExport/url"}},
		harness.Asks("asks again", "budi", `mutation{exportOwnData{id status}}`, `{"exportOwnData":{"id":"{{export.id}}","status":"done"}}`),
		harness.Asks("is for nobody else", "cecep", ownExport, `{"ownDataExport":null}`),
	})
	status, header, data := fetch(t, s, s.Vars["export.url"])
	const named = `attachment; filename="export-2026-03-10.zip"; filename*=UTF-8''export-2026-03-10.zip`
	if status != 200 || header.Get("Content-Type") != "application/zip" ||
		header.Get("Content-Disposition") != named || header.Get("Cache-Control") != "private, no-store" {
		t.Errorf("%d %v", status, header)
	}
	if text := unzip(t, data); !strings.Contains(text, "budi@demo.test") || strings.Contains(text, "cecep@demo.test") || strings.Contains(text, "argon2id") {
		t.Errorf("%d bytes are not what is stored about budi", len(text))
	}
	s.Clock.Advance(5*time.Minute - time.Second)
	s.Run(t, []apitest.Scenario{harness.Asks("the same for five minutes", "budi", `mutation{exportOwnData{id status}}`, `{"exportOwnData":{"id":"{{export.id}}","status":"done"}}`)})
	s.Clock.Advance(2 * time.Second)
	if status, _, _ := fetch(t, s, s.Vars["export.url"]); status != 403 {
		t.Errorf("after five minutes the link answers %d", status)
	}
	s.Run(t, []apitest.Scenario{harness.Asks("another one after that", "budi", askExport, queued)})
	made(t, s, 2)
	if n := exportFiles(t, s); n != 1 {
		t.Errorf("%d files, want that of the second", n)
	}
}

// made waits until so many exports of people were made.
func made(t *testing.T, s *harness.Server, n int) {
	t.Helper()
	s.Wait(t, "the export", func() bool {
		return s.Store.Ent.Job.Query().Where(entJob.Kind("person_export"), entJob.StateEQ(entJob.StateDone)).CountX(viewer.System(t.Context())) >= n
	})
}

// exportFiles returns how many objects of the file store are exports.
func exportFiles(t *testing.T, s *harness.Server) (n int) {
	t.Helper()
	err := s.Blobs.List(t.Context(), 0, func(name string) error {
		if strings.HasSuffix(name, ".zip") {
			n++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// fetch gets a link.
func fetch(t *testing.T, s *harness.Server, link string) (int, http.Header, []byte) {
	t.Helper()
	u, err := url.Parse(link)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := s.HTTP.Get(s.URL + u.RequestURI())
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, resp.Header, data
}

// unzip returns all of an archive as one text: each path, and what it holds.
func unzip(t *testing.T, data []byte) string {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, f := range r.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		all.WriteString(f.Name + "\n")
		if _, err := io.Copy(&all, in); err != nil {
			t.Fatal(err)
		}
	}
	return all.String()
}
