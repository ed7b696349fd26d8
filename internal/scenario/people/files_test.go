package people

import (
	"image/color"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"workforce/ent"
	"workforce/ent/file"
	"workforce/ent/user"
	"workforce/internal/app/files"
	"workforce/internal/scenario/harness"
	"workforce/internal/server"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// bucket returns the URL of a bucket of a fake S3 in this process. Its objects are as old
// as written.
func bucket(t *testing.T, written time.Time) string {
	t.Helper()
	backend := s3mem.New(s3mem.WithTimeSource(gofakes3.FixedTimeSource(written)))
	if err := backend.CreateBucket("pictures"); err != nil {
		t.Fatal(err)
	}
	fake := httptest.NewServer(gofakes3.New(backend).Server())
	t.Cleanup(fake.Close)
	t.Setenv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	t.Setenv("AWS_CONFIG_FILE", "/dev/null")
	return "s3://pictures?region=ap-southeast-3&endpoint=" + url.QueryEscape(fake.URL)
}

// eachStore runs a test on each kind of database, with a folder and with a bucket.
func eachStore(t *testing.T, test func(t *testing.T, s *harness.Server)) {
	t.Run("folder", func(t *testing.T) { harness.Each(t, test) })
	t.Run("bucket", func(t *testing.T) {
		testdb.Each(t, func(t *testing.T, database string) {
			at := bucket(t, time.Now())
			test(t, harness.New(t, database, func(c *server.Config) { c.Files = at }))
		})
	})
}

// TestBucket runs the scenarios of pictures with a bucket; TestScenarios does with a
// folder.
func TestBucket(t *testing.T) {
	testdb.Each(t, func(t *testing.T, database string) {
		at := bucket(t, time.Now())
		s := harness.New(t, database, func(c *server.Config) { c.Files = at })
		AvatarScenarios(t, s)
		consistent(t, s)
	})
}

// TestSweptBucket sweeps a bucket of old objects: what a row names stays, what no row
// names within an hour goes, and so does what has no row.
func TestSweptBucket(t *testing.T) {
	testdb.Each(t, func(t *testing.T, database string) {
		at, ctx := bucket(t, time.Now().Add(-2*time.Hour)), viewer.System(t.Context())
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
	})
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
		pictures := s.Store.Ent.File.Query().Where(file.CompanyID(u.CompanyID), file.MediaTypeHasPrefix("image/"))
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
