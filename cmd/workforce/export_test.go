package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"image/color"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"workforce/ent/auditevent"
	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/server"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// TestNoDatabase holds that commands which expect a database create none where its path
// is mistyped.
func TestNoDatabase(t *testing.T) {
	dir := t.TempDir()
	missing := filepath.Join(dir, "data", "w.db")
	file := filepath.Join(dir, "people.csv")
	if err := os.WriteFile(file, []byte("name,email\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{
		"company create --name=Acme --timezone=Asia/Jakarta", "user create --company=1 --name=Ada --email=ada@acme.test", "key rotate",
		"import users " + file + " --company=1", "import holidays " + file + " --company=1", "migrate status", "migrate plan",
		"export users --company=1", "export person --company=1 --user=1", "export company --company=1 --output=" + dir + "/out.zip",
	} {
		for path, want := range map[string]string{
			missing: "--database: there is no database " + missing + "; workforce migrate up creates one",
			dir:     "--database: " + dir + " is not a file",
		} {
			out, err := command(t, strings.NewReader(""), append(strings.Fields(args), "--database=sqlite:"+path)...)
			if out != "" || err != want {
				t.Errorf("%s: %q, error %q; want %q", args, out, err, want)
			}
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("left %v, %v", left, err)
	}
	if _, err := command(t, nil, "migrate", "up", "--database=sqlite:"+missing); err != "" {
		t.Error(err)
	}
	if _, err := os.Stat(missing); err != nil {
		t.Errorf("migrate up creates none: %v", err)
	}
}

// entries returns the entries of an archive by path.
func entries(t *testing.T, data []byte) map[string]string {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, f := range r.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		all[f.Name] = string(text)
	}
	return all
}

// TestExport exports a person and a company of the demo, from both kinds of databases.
func TestExport(t *testing.T) {
	testdb.Each(t, func(t *testing.T, database string) {
		var folder string
		s := harness.New(t, database, func(c *server.Config) { folder = c.Files })
		s.SignIn(t, "budi", "budi@demo.test")
		s.SaveSites(t, "budi")
		s.SaveShift(t, "budi")
		s.Run(t, []apitest.Scenario{harness.ClockIn("budi", "note", `"=cmd|calc"`, "faceLandmark", harness.Landmarks(7))})
		const set = `mutation($input:SetAvatarInput!){setAvatar(input:$input){image}}`
		if _, err := s.AskUpload(t, "budi", set, map[string]any{"input": map[string]any{"image": nil}}, "input.image", harness.Picture(t, 50, 60, color.White)); err != nil {
			t.Fatal(err)
		}
		budi, tenri := harness.PersonID(t, s, "budi@demo.test"), harness.PersonID(t, s, "tenri@tetangga.test")
		flags := []string{"export", "--database=" + database, "--files=" + folder, "--secret-key-file=" + harness.KeyFile(t, database)}
		export := func(args ...string) (string, string) {
			t.Helper()
			return command(t, nil, append(flags[:1:1], append(slices.Clone(args[:1]), append(slices.Clone(flags[1:]), args[1:]...)...)...)...)
		}
		byID, err := export("person", "--company=1", "--user="+budi)
		if err != "" {
			t.Fatal(err)
		}
		person := entries(t, []byte(byID))
		if faces := person["tables/face_templates.json"]; strings.Count(faces, `"x":`) != 40 {
			t.Errorf("%s", faces)
		}
		if !strings.Contains(person["tables/users.json"], "budi@demo.test") || !strings.Contains(person["tables/attendances.csv"], ",'=cmd|calc,") {
			t.Errorf("%s %s", person["tables/users.json"], person["tables/attendances.csv"])
		}
		out := filepath.Join(t.TempDir(), "out.zip")
		if printed, err := export("person", "--company=1", "--user=BUDI@demo.test", "--output="+out); printed != "" || err != "" {
			t.Fatal(printed, err)
		}
		data, failed := os.ReadFile(out)
		if failed != nil || len(entries(t, data)) != len(person) {
			t.Errorf("%d entries by the address, %d by the id, %v", len(entries(t, data)), len(person), failed)
		}
		printed, err := export("company", "--company=1")
		if err != "" {
			t.Fatal(err)
		}
		company := entries(t, []byte(printed))
		var manifest struct {
			Counts  map[string]int
			Missing []string
			Entries []struct{ Path string }
		}
		if err := json.Unmarshal([]byte(company["manifest.json"]), &manifest); err != nil || manifest.Counts["face_templates"] != 1 || len(manifest.Missing) > 0 || len(manifest.Entries) != len(company)-1 {
			t.Errorf("%v %+v", err, manifest)
		}
		if users := company["tables/users.json"]; strings.Count(users, "@demo.test") < 50 || strings.Contains(users, "tetangga") { // address and key
			t.Errorf("%s", users)
		}
		pictures := 0
		for path := range company {
			if strings.HasPrefix(path, "files/") {
				pictures++
			}
		}
		if pictures != 2 { // budi's and the demo's
			t.Errorf("%d pictures", pictures)
		}
		for _, tt := range []struct{ args, want string }{
			{"person --company=1 --user=" + tenri, "nobody " + tenri + " in company 1"},
			{"person --company=1 --user=tenri@tetangga.test", "nobody tenri@tetangga.test in company 1"},
			{"person --company=1 --user=nobody", "nobody nobody in company 1"},
			{"person --company=77 --user=" + budi, "no company 77"},
			{"company --company=77 --output=" + out + ".2", "no company 77"},
			{"company --company=1 --output=" + out, "--output: " + out + " exists"},
			{"company --company=1 --files=ftp://x", "--files: the URL begins neither with file: nor with s3://"},
			{"company --company=1 --files=file:/nowhere/files", "--files: the file store is not there"},
		} {
			if _, err := export(strings.Fields(tt.args)...); err != tt.want {
				t.Errorf("%s: %q, want %q", tt.args, err, tt.want)
			}
		}
		if _, err := os.Stat(out + ".2"); err == nil {
			t.Error("a file is left of an export that failed")
		}
		if _, err := os.Stat("/nowhere"); err == nil {
			t.Error("a folder was made")
		}
		var actions []string
		for _, a := range []string{"user.exported", "company.exported"} {
			actions = append(actions, fmt.Sprint(a, " ", events(t, s, a)))
		}
		if got := strings.Join(actions, ", "); got != "user.exported 2, company.exported 2" {
			t.Errorf("audited: %s", got)
		}
	})
}

// events returns how many events of an action there are, which nobody signed in did.
func events(t *testing.T, s *harness.Server, action string) int {
	t.Helper()
	return s.Store.Ent.AuditEvent.Query().Where(auditevent.Action(action), auditevent.ActorIDIsNil()).CountX(viewer.System(t.Context()))
}
