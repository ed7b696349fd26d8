package people

import (
	"errors"
	"image/color"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"entgo.io/ent/dialect/sql"

	"workforce/ent"
	entFile "workforce/ent/file"
	"workforce/ent/user"
	"workforce/internal/app/files"
	"workforce/internal/scenario/harness"
	"workforce/internal/scenario/tasks"
	"workforce/internal/server"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// eachStore runs a test on each kind of database, with a folder and with a bucket.
func eachStore(t *testing.T, test func(t *testing.T, s *harness.Server)) {
	t.Run("folder", func(t *testing.T) { harness.Each(t, test) })
	t.Run("bucket", func(t *testing.T) {
		testdb.Each(t, func(t *testing.T, database string) {
			at := harness.NewBucket(t, time.Now()).URL
			test(t, harness.New(t, database, func(c *server.Config) { c.Files = at }))
		})
	})
}

// TestBucket runs the scenarios of pictures with a bucket; TestScenarios does with a
// folder.
func TestBucket(t *testing.T) {
	testdb.Each(t, func(t *testing.T, database string) {
		at := harness.NewBucket(t, time.Now()).URL
		s := harness.New(t, database, func(c *server.Config) { c.Files = at })
		AvatarScenarios(t, s)
		consistent(t, s)
	})
}

// TestAttachedFiles attaches files to tasks and tickets, with each store.
func TestAttachedFiles(t *testing.T) { eachStore(t, tasks.FileScenarios) }

// TestSweptBucket sweeps buckets of old objects: what a row names stays, and what no row
// names within an hour goes. What has no row is set aside, and goes a day later.
func TestSweptBucket(t *testing.T) {
	for age, orphans := range map[time.Duration]int{2 * time.Hour: 1, 48 * time.Hour: 0} {
		t.Run(age.String(), func(t *testing.T) {
			testdb.Each(t, func(t *testing.T, database string) { sweepBucket(t, database, age, orphans) })
		})
	}
}

// sweepBucket sweeps a bucket, in which all is of an age, twice.
func sweepBucket(t *testing.T, database string, age time.Duration, orphans int) {
	t.Helper()
	at, ctx := harness.NewBucket(t, time.Now().Add(-age)).URL, viewer.System(t.Context())
	s := harness.New(t, database, func(c *server.Config) { c.Files = at })
	before := s.Store.Ent.File.Query().CountX(ctx)
	if _, err := s.Services.Files.Put(ctx, 1, files.Content{Data: []byte("pending"), MediaType: "image/png"}); err != nil {
		t.Fatal(err)
	}
	if err := s.Blobs.Put(ctx, "1/0123456789abcdef0123456789abcdef.png", strings.NewReader("without a row")); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		after time.Duration
		rows  int
	}{{0, before + 1}, {2 * time.Hour, before}} {
		s.Clock.Advance(tt.after)
		if err := s.Services.Files.Sweep(ctx); err != nil {
			t.Fatal(err)
		}
		n := s.Store.Ent.File.Query().CountX(ctx)
		for began := time.Now(); n != tt.rows && time.Since(began) < 10*time.Second; time.Sleep(10 * time.Millisecond) {
			n = s.Store.Ent.File.Query().CountX(ctx) // the server's own sweep, at the same moment, was half done
		}
		if n != tt.rows || before == 0 {
			t.Errorf("after %v: %d files, want %d", tt.after, n, tt.rows)
		}
		consistent(t, s)
	}
	if n := len(setAside(t, s)); n != orphans {
		t.Errorf("%d objects are set aside, want %d", n, orphans)
	}
}

// setAside returns the names of the objects that were set aside.
func setAside(t *testing.T, s *harness.Server) (names []string) {
	t.Helper()
	if err := s.Blobs.Orphans(t.Context(), 0, func(name string) error { names = append(names, name); return nil }); err != nil {
		t.Fatal(err)
	}
	return names
}

// TestSetAside sets the objects of pictures aside, as the sweep of an older database did. Their
// links lead nowhere until the next sweep; a picture that is removed, or whose person is
// erased, is deleted at once.
func TestSetAside(t *testing.T) {
	eachStore(t, func(t *testing.T, s *harness.Server) {
		ctx := viewer.System(t.Context())
		for _, name := range []string{"budi", "agus", "admin"} {
			s.SignIn(t, name, name+"@demo.test")
		}
		nameOf := func(who string) string {
			u := s.Store.Ent.User.Query().Where(user.EmailKey(who + "@demo.test")).OnlyX(ctx)
			return s.Store.Ent.File.GetX(ctx, *u.ImageFileID).Name
		}
		link := upload(t, s, "budi", setAvatar, harness.Picture(t, 40, 30, color.White), nil).Data.SetAvatar.Image
		upload(t, s, "agus", setAvatar, harness.Picture(t, 40, 30, color.Black), nil)
		budi, agus := nameOf("budi"), nameOf("agus")
		aside := func() {
			t.Helper()
			if err := errors.Join(s.Blobs.SetAside(ctx, budi), s.Blobs.SetAside(ctx, agus)); err != nil {
				t.Fatal(err)
			}
			if n := len(setAside(t, s)); n != 2 {
				t.Errorf("%d objects are set aside, want 2", n)
			}
			if status := statusOf(t, s, link); status != 404 {
				t.Errorf("the link of an object that is set aside: %d, want 404", status)
			}
		}
		aside()
		if err := s.Services.Files.Sweep(ctx); err != nil {
			t.Fatal(err)
		}
		if status := statusOf(t, s, link); status != 200 || len(setAside(t, s)) > 0 {
			t.Errorf("after a sweep: %d, want 200", status)
		}
		consistent(t, s)
		aside()
		if got := ask(t, s, "budi", removeAvatar, nil); got.code() != "" {
			t.Fatal(got)
		}
		if left := setAside(t, s); len(left) != 1 || left[0] != agus {
			t.Errorf("a picture was removed: %q are set aside, want agus's", left)
		}
		s.GraphQL(t, s.HeaderOf("admin"), `mutation($id:ID!){eraseUser(id:$id){deleted}}`, map[string]any{"id": harness.PersonID(t, s, "agus@demo.test")}, nil)
		if left := setAside(t, s); len(left) != 0 {
			t.Errorf("a person was erased: %q are set aside", left)
		}
		consistent(t, s)
	})
}

// statusOf fetches a link of either store.
func statusOf(t *testing.T, s *harness.Server, link string) int {
	t.Helper()
	resp, err := s.HTTP.Get(strings.Replace(link, "http://wf.test", s.URL, 1))
	if err != nil {
		t.Fatal(err)
	}
	if err := resp.Body.Close(); err != nil {
		t.Error(err)
	}
	return resp.StatusCode
}

// consistent fails the test unless each file has its object and each object its file,
// and every file is named by a row.
func consistent(t *testing.T, s *harness.Server) {
	t.Helper()
	ctx := viewer.System(t.Context())
	rows := map[string]bool{}
	for _, f := range s.Store.Ent.File.Query().AllX(ctx) {
		rows[f.Name] = true
		named, err := ent.Named(ctx, s.Store.Ent, f.ID)
		if err != nil || !named && f.PendingSince == nil {
			t.Errorf("file %d is neither named nor pending: %v", f.ID, err)
		}
	}
	objects := 0
	err := s.Blobs.List(ctx, 0, func(name string) error {
		if objects++; !rows[name] {
			t.Errorf("object %s has no row", name)
		}
		return nil
	})
	if err != nil || objects != len(rows) {
		t.Errorf("%d objects, %d rows, %v", objects, len(rows), err)
	}
}

// TestFilesServed fetches a picture by its link, and holds that it is gone once nobody
// names it.
func TestFilesServed(t *testing.T) {
	eachStore(t, func(t *testing.T, s *harness.Server) {
		s.SignIn(t, "budi", "budi@demo.test")
		own := upload(t, s, "budi", setAvatar, harness.Picture(t, 400, 200, color.White), nil)
		link, err := url.Parse(own.Data.SetAvatar.Image)
		if err != nil {
			t.Fatal(err)
		}
		ours, address := link.Host == "wf.test", link.String()
		if ours {
			address = s.URL + link.RequestURI()
		}
		get := func(header ...string) (*http.Response, string) {
			req, err := http.NewRequest("GET", address, nil)
			if err != nil {
				t.Fatal(err)
			}
			for i := 0; i < len(header); i += 2 {
				req.Header.Set(header[i], header[i+1])
			}
			resp, err := s.HTTP.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			text, err := io.ReadAll(resp.Body)
			if err != nil {
				t.Fatal(err)
			}
			return resp, string(text)
		}
		resp, text := get("Accept-Encoding", "gzip")
		if resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "image/jpeg" || len(text) == 0 || resp.Header.Get("Content-Encoding") != "" ||
			ours && (resp.Header.Get("X-Content-Type-Options") != "nosniff" || resp.Header.Get("Content-Security-Policy") != "default-src 'none'; sandbox") {
			t.Errorf("%d %v", resp.StatusCode, resp.Header)
		}
		if resp, _ := get("If-None-Match", resp.Header.Get("ETag")); resp.StatusCode != 304 {
			t.Errorf("a conditional request: %d", resp.StatusCode)
		}
		if resp, part := get("Range", "bytes=1-3"); resp.StatusCode != 206 || part != text[1:4] {
			t.Errorf("a range: %d %q", resp.StatusCode, part)
		}
		if got := ask(t, s, "budi", removeAvatar, nil); got.code() != "" {
			t.Fatal(got)
		}
		if resp, text := get(); resp.StatusCode != 404 {
			t.Errorf("after the removal: %d %s", resp.StatusCode, text)
		}
		consistent(t, s)
	})
}

// TestUploadsAtOnce uploads the same picture 20 times at once, and then removes it as
// often.
func TestUploadsAtOnce(t *testing.T) {
	eachStore(t, func(t *testing.T, s *harness.Server) {
		names := []string{"budi", "agus", "admin"}
		for _, name := range names {
			s.SignIn(t, name, name+"@demo.test")
		}
		picture := harness.Picture(t, 100, 100, color.Black)
		all := func(step func(who string) string) {
			var wg sync.WaitGroup
			for i := range 20 {
				wg.Go(func() {
					if code := step(names[i%len(names)]); code != "" {
						t.Errorf("%s: %s", names[i%len(names)], code)
					}
				})
			}
			wg.Wait()
		}
		all(func(who string) string { return upload(t, s, who, setAvatar, picture, nil).code() })
		ctx := viewer.System(t.Context())
		u := s.Store.Ent.User.Query().Where(user.EmailKey("budi@demo.test")).OnlyX(ctx)
		if u.ImageFileID == nil {
			t.Fatal("no picture")
		}
		if n := s.Store.Ent.User.Query().Where(user.ImageFileID(*u.ImageFileID)).CountX(ctx); n != len(names) {
			t.Errorf("%d people have the picture", n)
		}
		pictures := s.Store.Ent.File.Query().Where(entFile.CompanyID(u.CompanyID), sql.FieldHasPrefix(entFile.FieldMediaType, "image/"))
		if n := pictures.Clone().CountX(ctx); n != 2 { // and the demo's
			t.Errorf("%d pictures", n)
		}
		consistent(t, s)
		all(func(who string) string { return ask(t, s, who, removeAvatar, nil).code() })
		if n := pictures.Clone().CountX(ctx); n != 1 {
			t.Errorf("%d pictures after the removal", n)
		}
		consistent(t, s)
	})
}
