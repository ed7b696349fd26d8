package blob

import (
	"context"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"workforce/internal/sealed"
)

const object = "7/0123456789abcdef0123456789abcdef.png"

var start = time.Date(2026, 3, 11, 3, 25, 0, 0, time.UTC)

// A clock stands still until it is set.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) set(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = at
}

func config(c *clock) Config {
	return Config{PublicURL: "https://api.test/workforce", Keys: sealed.NewRing(sealed.Key{}).Derive("file links"), Now: c.now}
}

// openFake opens a bucket of a fake S3 in this process.
func openFake(t *testing.T, c *clock) (*Store, string) {
	t.Helper()
	return openBackend(t, c, s3mem.New())
}

// openBackend opens a new bucket of a fake S3 with a backend.
func openBackend(t *testing.T, c *clock, backend *s3mem.Backend) (*Store, string) {
	t.Helper()
	if err := backend.CreateBucket("pictures"); err != nil {
		t.Fatal(err)
	}
	fake := httptest.NewServer(gofakes3.New(backend).Server())
	t.Cleanup(fake.Close)
	t.Setenv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	t.Setenv("AWS_CONFIG_FILE", "/dev/null")
	s, err := Open(t.Context(), "s3://pictures?region=ap-southeast-3&endpoint="+url.QueryEscape(fake.URL), config(c))
	if err != nil {
		t.Fatal(err)
	}
	return s, fake.URL
}

func openTemp(t *testing.T, c *clock) (*Store, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "a", "files")
	s, err := Open(t.Context(), "file:"+dir, config(c))
	if err != nil {
		t.Fatal(err)
	}
	return s, dir
}

func TestCheck(t *testing.T) {
	for raw, want := range map[string]string{
		"file:data/files": "",
		"file:":           "write file:PATH",
		"data/files":      "the URL begins neither",
		"":                "the URL begins neither",
		"s3://b":          "",
		"s3://b?endpoint=http://127.0.0.1:9000&region=eu": "",
		"s3://":                         "write s3://bucket",
		"s3://b/prefix":                 "write s3://bucket",
		"s3://key:hunter2@b":            "write s3://bucket",
		"s3://b?endpoint=127.0.0.1":     "endpoint must begin",
		"s3://b?endpoint=ftp://hunter2": "endpoint must begin",
		"s3://b?region=a&region=b":      "only endpoint and region",
		"s3://b?key=hunter2":            "only endpoint and region",
	} {
		err := Check(raw)
		if (err == nil) != (want == "") || err != nil && (!strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "hunter2")) {
			t.Errorf("%s: %v, want %q", raw, err, want)
		}
	}
}

// TestStores writes, reads, lists and deletes objects on both kinds of store.
func TestStores(t *testing.T) {
	for name, open := range map[string]func(*testing.T, *clock) (*Store, string){"folder": openTemp, "s3": openFake} {
		t.Run(name, func(t *testing.T) {
			s, _ := open(t, &clock{at: start})
			ctx := t.Context()
			other := strings.Replace(object, "7/", "71/", 1)
			for _, put := range []string{object, other, object} {
				if err := s.Put(ctx, put, strings.NewReader("bytes of "+put)); err != nil {
					t.Fatal(err)
				}
			}
			r, err := s.Get(ctx, object)
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(r)
			if err != nil || string(text) != "bytes of "+object || r.Close() != nil {
				t.Errorf("read %q, %v", text, err)
			}
			if got := listed(t, s, 0); !slices.Equal(got, []string{object, other}) {
				t.Errorf("listed %q", got)
			}
			if got := listed(t, s, time.Hour); len(got) > 0 {
				t.Errorf("listed as an hour old: %q", got)
			}
			for range 2 {
				if err := s.Delete(ctx, object); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := s.Get(ctx, object); !errors.Is(err, ErrNotFound) {
				t.Errorf("after the deletion: %v", err)
			}
			for _, bad := range []string{"", "a", "../" + object, "/" + object, object + "/..", "7/../" + object, strings.ToUpper(object), "0/" + object[2:], object + "\x00"} {
				_, err := s.Get(ctx, bad)
				if put, del := s.Put(ctx, bad, strings.NewReader("")), s.Delete(ctx, bad); err == nil || put == nil || del == nil {
					t.Errorf("%q: get %v, put %v, delete %v; want errors", bad, err, put, del)
				}
			}
		})
	}
}

func listed(t *testing.T, s *Store, age time.Duration) (list []string) {
	t.Helper()
	if err := s.List(t.Context(), age, func(name string) error { list = append(list, name); return nil }); err != nil {
		t.Fatal(err)
	}
	slices.Sort(list)
	return list
}

// TestFolder holds that files are their owner's alone, that a write that fails leaves
// nothing, and that temporary files of a killed process are deleted.
func TestFolder(t *testing.T) {
	s, dir := openTemp(t, &clock{at: start})
	ctx := t.Context()
	if err := s.Put(ctx, object, strings.NewReader("first")); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]os.FileMode{dir: 0o700, filepath.Join(dir, "7"): 0o700, filepath.Join(dir, object): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v %v, want %v", path, info.Mode(), err, want)
		}
	}
	broken := errors.New("broken")
	if err := s.Put(ctx, object, io.MultiReader(strings.NewReader("second"), failing{broken})); !errors.Is(err, broken) {
		t.Errorf("a reader that fails: %v", err)
	}
	text, err := os.ReadFile(filepath.Join(dir, object))
	entries, _ := os.ReadDir(filepath.Join(dir, "7"))
	if err != nil || string(text) != "first" || len(entries) != 1 {
		t.Errorf("after a failed write: %q, %v, %d files", text, err, len(entries))
	}
	left := filepath.Join(dir, object+".X.tmp")
	if err := os.WriteFile(left, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	listed(t, s, 0)
	if _, err := os.Stat(left); err != nil {
		t.Error("a temporary file that is being written was deleted")
	}
	if err := os.Chtimes(left, start, time.Now().Add(-2*time.Hour)); err != nil {
		t.Fatal(err)
	}
	listed(t, s, 0)
	if _, err := os.Stat(left); err == nil {
		t.Error("a temporary file is there after two hours")
	}
	if err := os.Symlink("/etc", filepath.Join(dir, "9")); err != nil {
		t.Fatal(err)
	}
	if err := s.Put(ctx, "9/"+object[2:], strings.NewReader("outside")); err == nil {
		t.Error("a link led out of the folder")
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// TestVector signs the example of Amazon's documentation.
func TestVector(t *testing.T) {
	keys := aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
		return aws.Credentials{AccessKeyID: "AKIAIOSFODNN7EXAMPLE", SecretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"}, nil
	})
	all := func() []aws.CredentialsProvider { return []aws.CredentialsProvider{keys} }
	s := newSigner("https://examplebucket.s3.amazonaws.com", "us-east-1", all, time.Now)
	link, err := s.sign(keys, "test.txt", "", time.Date(2013, 5, 24, 0, 0, 0, 0, time.UTC), Life)
	if err != nil {
		t.Fatal(err)
	}
	u, _ := url.Parse(link)
	const want = "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404"
	if got := u.Query().Get(signature); got != want {
		t.Errorf("signature %s, want %s in %s", got, want, link)
	}
}

// TestLink holds the form of links on both stores, that they stay the same for an hour,
// and that other texts stay as they are.
func TestLink(t *testing.T) {
	for name, open := range map[string]func(*testing.T, *clock) (*Store, string){"folder": openTemp, "s3": openFake} {
		t.Run(name, func(t *testing.T) {
			c := &clock{at: start}
			s, base := open(t, c)
			want := base + "/pictures/" + object
			if name == "folder" {
				want = "https://api.test/workforce/files/" + object
			}
			link := linkOf(t, s)
			u, err := url.Parse(link)
			if err != nil || !strings.HasPrefix(link, want+"?") {
				t.Fatalf("%s, %v; want one to %s", link, err, want)
			}
			q := u.Query()
			if q.Get(expires) != "86400" || q.Get(date) != "20260311T030000Z" || q.Get(algorithm) != "AWS4-HMAC-SHA256" ||
				q.Get(signedHeaders) != "host" || len(q.Get(signature)) != hex.EncodedLen(32) || q.Get(credential) == "" || len(q) != 6 {
				t.Errorf("parameters %v", q)
			}
			c.set(start.Add(34 * time.Minute))
			if again := linkOf(t, s); again != link {
				t.Errorf("another link in the same hour: %s", again)
			}
			c.set(start.Add(35 * time.Minute))
			if next := linkOf(t, s); next == link {
				t.Error("the same link in the next hour")
			}
			for _, text := range []string{"", "images/avatar.png", "https://elsewhere.test/a?b=c"} {
				if got, err := s.Link(text); got != text || err != nil {
					t.Errorf("%q became %q, %v", text, got, err)
				}
			}
		})
	}
}

func linkOf(t testing.TB, s *Store) string {
	t.Helper()
	link, err := s.Link(Ref(object))
	if err != nil {
		t.Fatal(err)
	}
	return link
}

// TestBucketLink fetches an object of a bucket by its link.
func TestBucketLink(t *testing.T) {
	s, _ := openFake(t, &clock{at: time.Now()})
	if err := s.Put(t.Context(), object, strings.NewReader("picture")); err != nil {
		t.Fatal(err)
	}
	resp, err := http.Get(linkOf(t, s))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(resp.Body)
	if err != nil || string(text) != "picture" || resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "image/png" {
		t.Errorf("%d %v: %q, %v", resp.StatusCode, resp.Header, text, err)
	}
	if err := resp.Body.Close(); err != nil {
		t.Error(err)
	}
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, httptest.NewRequest("GET", Path+object, nil))
	if w.Code != 404 {
		t.Errorf("the folder's handler answered %d", w.Code)
	}
}

// ask sends a request for a link to the handler, below /files/ of any host.
func ask(s *Store, method, link string, header ...string) *httptest.ResponseRecorder {
	_, rest, _ := strings.Cut(link, "/workforce")
	r := httptest.NewRequest(method, "http://10.0.0.1:8080"+rest, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r)
	return w
}

func TestHandler(t *testing.T) {
	c := &clock{at: start}
	s, _ := openTemp(t, c)
	const report = "7/0123456789abcdef0123456789abcdef.csv"
	for _, name := range []string{object, report} {
		if err := s.Put(t.Context(), name, strings.NewReader("picture")); err != nil {
			t.Fatal(err)
		}
	}
	link := linkOf(t, s)
	w := ask(s, "GET", link)
	for name, want := range map[string]string{
		"Content-Type": "image/png", "Content-Disposition": "inline", "X-Content-Type-Options": "nosniff",
		"Content-Security-Policy": "default-src 'none'; sandbox", "Cache-Control": "private, max-age=82800, immutable",
		"Etag": `"0123456789abcdef0123456789abcdef.png"`, "Content-Length": "7", "Accept-Ranges": "bytes",
	} {
		if got := w.Header().Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if w.Code != 200 || w.Body.String() != "picture" {
		t.Errorf("%d %q", w.Code, w.Body)
	}
	saved, err := s.sign(s.keys()[0], report, "", start, Life)
	if err != nil {
		t.Fatal(err)
	}
	if w := ask(s, "GET", saved); w.Code != 200 || w.Header().Get("Content-Disposition") != "attachment" {
		t.Errorf("a report: %d %v", w.Code, w.Header())
	}
	if w := ask(s, "HEAD", link); w.Code != 200 || w.Body.Len() != 0 {
		t.Errorf("HEAD: %d %q", w.Code, w.Body)
	}
	if w := ask(s, "GET", link, "Range", "items=0-1"); w.Code != 200 || w.Body.String() != "picture" {
		t.Errorf("a range of another unit: %d %q", w.Code, w.Body)
	}
	if w := ask(s, "GET", link, "Range", "bytes=0-2"); w.Code != 206 || w.Body.String() != "pic" {
		t.Errorf("a range: %d %q", w.Code, w.Body)
	}
	for name, header := range map[string][2]string{
		"RANGE_NOT_SATISFIABLE": {"Range", "bytes=9-"}, "PRECONDITION_FAILED": {"If-Match", `"another"`},
	} {
		w := ask(s, "GET", link, header[0], header[1])
		if w.Header().Get("Content-Type") != "application/json" || !strings.Contains(w.Body.String(), `"code":"`+name+`"`) {
			t.Errorf("%v: %d %v %q", header, w.Code, w.Header(), w.Body)
		}
	}
	if w := ask(s, "GET", link, "If-None-Match", w.Header().Get("Etag")); w.Code != 304 {
		t.Errorf("a conditional request: %d", w.Code)
	}
	missing, err := s.sign(s.keys()[0], "8"+object[1:], "", start, Life)
	if err != nil {
		t.Fatal(err)
	}
	if w := ask(s, "GET", missing); w.Code != 404 || !strings.Contains(w.Body.String(), "NOT_FOUND") {
		t.Errorf("a signed link without an object: %d %s", w.Code, w.Body)
	}
	for after, want := range map[time.Duration]int{
		Life - time.Second: 200, Life: 403, Life + time.Second: 403, -skew: 200, -skew - time.Second: 403,
	} {
		c.set(start.Truncate(time.Hour).Add(after))
		if w := ask(s, "GET", link); w.Code != want {
			t.Errorf("%v after the signature: %d, want %d", after, w.Code, want)
		}
	}
}

// TestForgedLinks changes each character of a link's path and query, and adds, drops
// and repeats parameters.
func TestForgedLinks(t *testing.T) {
	s, _ := openTemp(t, &clock{at: start})
	for _, name := range []string{object, "8" + object[1:]} {
		if err := s.Put(t.Context(), name, strings.NewReader("picture")); err != nil {
			t.Fatal(err)
		}
	}
	link := linkOf(t, s)
	from, tried := strings.Index(link, Path)+len(Path), 0
	for i := from; i < len(link); i++ {
		for _, c := range []byte{link[i] ^ 1, link[i] ^ 0x20} {
			forged := link[:i] + string(c) + link[i+1:]
			if strings.EqualFold(forged, link) && link[i-2] == '%' { // the same escape
				continue
			}
			if _, err := url.ParseRequestURI(forged); err != nil || strings.ContainsAny(string(c), " #\x7f") || c < ' ' {
				continue
			}
			tried++
			if w := ask(s, "GET", forged); w.Code != 403 && w.Code != 400 {
				t.Errorf("%d for character %d changed: %s", w.Code, i, forged)
			}
		}
	}
	if tried < 300 {
		t.Errorf("only %d links were tried", tried)
	}
	other, err := s.sign(folderKeys(sealed.NewRing(sealed.New()).Derive("file links"))[0], object, "", start, Life)
	if err != nil {
		t.Fatal(err)
	}
	forever, err := s.sign(s.keys()[0], object, "", start, 8*24*time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	u, _ := url.Parse(link)
	for name, tt := range map[string]struct {
		link string
		want int
	}{
		"no query":            {link[:strings.IndexByte(link, '?')], 403},
		"another object":      {strings.Replace(link, "/files/7/", "/files/8/", 1), 403},
		"an escape":           {strings.Replace(link, "/files/7/", "/files/%37/", 1), 403},
		"an escaped dot":      {strings.Replace(link, ".png", "%2epng", 1), 403},
		"two slashes":         {strings.Replace(link, "/files/7/", "/files//7/", 1), 403},
		"another key":         {other, 403},
		"too long a life":     {forever, 403},
		"a further parameter": {link + "&a=b", 403},
		"a repeated one":      {link + "&X-Amz-Date=" + u.Query().Get(date), 400},
		"a leading zero":      {strings.Replace(link, "Expires=86400", "Expires=086400", 1), 403},
		"a longer life":       {strings.Replace(link, "Expires=86400", "Expires=86401", 1), 403},
		"a bad escape":        {link + "&a=%zz", 403},
		"a semicolon":         {link + ";a", 403},
	} {
		if w := ask(s, "GET", tt.link); w.Code != tt.want || !strings.Contains(w.Body.String(), `"requestId"`) {
			t.Errorf("%s: %d %s, want %d", name, w.Code, w.Body, tt.want)
		}
	}
}

func BenchmarkLink(b *testing.B) {
	s, err := Open(b.Context(), "file:"+b.TempDir(), config(&clock{at: start}))
	if err != nil {
		b.Fatal(err)
	}
	b.Run("signed", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.sign(s.keys()[0], object, "", start, Life); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("kept", func(b *testing.B) {
		for b.Loop() {
			linkOf(b, s)
		}
	})
}

// TestOrigin checks which origin browsers load files from, besides the server's own.
func TestOrigin(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "id")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	for raw, want := range map[string]string{
		"file:" + t.TempDir(): "",
		"s3://files?region=ap-southeast-3&endpoint=" + url.QueryEscape("http://127.0.0.1:9000/"): "http://127.0.0.1:9000",
		"s3://files?region=ap-southeast-3": "https://files.s3.ap-southeast-3.amazonaws.com",
	} {
		s, err := Open(t.Context(), raw, config(&clock{at: start}))
		if err != nil {
			t.Fatal(raw, err)
		}
		if got := s.Origin(); got != want {
			t.Errorf("%s: %q, want %q", raw, got, want)
		}
	}
}
