package blob

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// record opens a bucket of a fake S3 and returns what gives the requests since the last call,
// each as its method, its query's names, and its headers of some names.
func record(t *testing.T, headers ...string) (*Store, func() []string) {
	t.Helper()
	var mu sync.Mutex
	var all []string
	at := fakeBuckets(t, func(_ http.ResponseWriter, r *http.Request) bool {
		text := r.Method
		for _, name := range []string{"uploads", "uploadId", "partNumber", "continuation-token"} {
			if r.URL.Query().Has(name) {
				text += " " + name
			}
		}
		for _, name := range headers {
			if value := r.Header.Get(name); value != "" {
				text += " " + value
			}
		}
		mu.Lock()
		defer mu.Unlock()
		all = append(all, text)
		return false
	})(t, 0)
	s, err := Open(t.Context(), at, config(&clock{at: start}))
	if err != nil {
		t.Fatal(err)
	}
	return s, func() []string {
		mu.Lock()
		defer mu.Unlock()
		defer func() { all = nil }()
		return all
	}
}

// TestBucketRequests holds which requests each method sends, with the headers that matter.
func TestBucketRequests(t *testing.T) {
	s, asked := record(t, "Content-Type", "Content-Disposition", "Cache-Control",
		"Range", "If-None-Match", "X-Amz-Copy-Source")
	const report = "7/0123456789abcdef0123456789abcdef.csv"
	read := func(ctx context.Context, name string, offset int64) error {
		r, err := s.get(ctx, name, offset)
		if err != nil {
			return err
		}
		return r.Close()
	}
	for _, tt := range []struct {
		name string
		run  func(ctx context.Context) error
		want []string
	}{
		{"put a picture", func(ctx context.Context) error { return s.Put(ctx, object, strings.NewReader("picture")) },
			[]string{"PUT image/png inline private, max-age=82800, immutable"}},
		{"put a report", func(ctx context.Context) error { return s.Put(ctx, report, strings.NewReader("a,b")) },
			[]string{"PUT text/csv; charset=utf-8 attachment private, no-store"}},
		{"get", func(ctx context.Context) error { return read(ctx, object, 0) }, []string{"GET"}},
		{"get from an offset", func(ctx context.Context) error { return read(ctx, object, 3) }, []string{"GET bytes=3-"}},
		{"create", func(ctx context.Context) error { return s.create(ctx, markName, ours) },
			[]string{"PUT text/plain; charset=utf-8 *"}},
		{"set aside", func(ctx context.Context) error { return s.SetAside(ctx, object) },
			[]string{"PUT pictures-0%2F7%2F0123456789abcdef0123456789abcdef.png", "HEAD", "DELETE"}},
		{"set aside again", func(ctx context.Context) error { return s.SetAside(ctx, object) },
			[]string{"PUT pictures-0%2F7%2F0123456789abcdef0123456789abcdef.png"}},
		{"delete what was set aside", func(ctx context.Context) error { return s.Delete(ctx, object) },
			[]string{"HEAD", "DELETE", "HEAD"}},
		{"delete again", func(ctx context.Context) error { return s.Delete(ctx, object) }, []string{"HEAD", "HEAD"}},
	} {
		if err := tt.run(t.Context()); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if got := asked(); !slices.Equal(got, tt.want) {
			t.Errorf("%s: asked %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestBucketRange reads the rest of an object.
func TestBucketRange(t *testing.T) {
	s, _ := openFake(t, &clock{at: start})
	if err := s.Put(t.Context(), object, strings.NewReader("picture")); err != nil {
		t.Fatal(err)
	}
	r, err := s.get(t.Context(), object, 3)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(r); string(text) != "ture" || errors.Join(err, r.Close()) != nil {
		t.Errorf("%q, %v", text, err)
	}
	size, written, err := s.stat(t.Context(), object)
	if size != 7 || written.IsZero() || err != nil {
		t.Errorf("%d bytes of %v, %v; want 7", size, written, err)
	}
}

// TestBucketPages lists more objects than one answer has.
func TestBucketPages(t *testing.T) {
	backend := s3mem.New()
	s, _ := openBackend(t, &clock{at: start}, backend)
	const many = 2100
	for i := range many {
		name := fmt.Sprintf("7/%032x.png", i)
		if _, err := backend.PutObject("pictures", name, map[string]string{}, strings.NewReader("x"), 1, nil); err != nil {
			t.Fatal(err)
		}
	}
	if got := listed(t, s, 0); len(got) != many || len(slices.Compact(got)) != many {
		t.Errorf("listed %d objects, want %d", len(got), many)
	}
	stopped := errors.New("stopped")
	n := 0
	err := s.List(t.Context(), 0, func(string) error {
		if n++; n == 3 {
			return stopped
		}
		return nil
	})
	if !errors.Is(err, stopped) || n != 3 {
		t.Errorf("%v after %d objects, want an end after 3", err, n)
	}
}

// TestBucketParts sends a large object in parts, and leaves nothing of one that fails.
func TestBucketParts(t *testing.T) {
	s, asked := record(t)
	large := bytes.Repeat([]byte("0123456789abcdef"), 20<<20/16)
	if err := s.Put(t.Context(), object, io.MultiReader(bytes.NewReader(large))); err != nil {
		t.Fatal(err)
	}
	requests := asked()
	slices.Sort(requests)
	const part = "PUT uploadId partNumber"
	want := []string{"POST uploadId", "POST uploads", part, part, part}
	if !slices.Equal(requests, want) {
		t.Errorf("asked %q, want %q", requests, want)
	}
	r, err := s.Get(t.Context(), object)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(r); !bytes.Equal(got, large) || errors.Join(err, r.Close()) != nil {
		t.Errorf("read %d bytes, %v; want those %d that were written", len(got), err, len(large))
	}
	broken := errors.New("broken")
	other := "8" + object[1:]
	for _, begin := range []string{"", string(large)} {
		r := io.MultiReader(strings.NewReader(begin), failing{broken})
		if err := s.Put(t.Context(), other, r); !errors.Is(err, broken) {
			t.Errorf("a reader that fails after %d bytes: %v", len(begin), err)
		}
		if _, err := s.Get(t.Context(), other); !errors.Is(err, ErrNotFound) {
			t.Errorf("after that: %v", err)
		}
	}
}

// TestBucketErrors names the object in errors, never the credentials, and tells a missing
// object or bucket from what went wrong.
func TestBucketErrors(t *testing.T) {
	status := 0
	answers := 0 // that fail
	at := fakeBuckets(t, func(w http.ResponseWriter, r *http.Request) bool {
		if answers == 0 {
			return false
		}
		answers--
		w.WriteHeader(status)
		_, _ = io.WriteString(w, "<Error><Code>Refused</Code><Message>no</Message></Error>")
		return true
	})(t, 0)
	s, err := Open(t.Context(), at, config(&clock{at: start}))
	if err != nil {
		t.Fatal(err)
	}
	calls := map[string]func() error{
		"put":  func() error { return s.put(t.Context(), object, strings.NewReader("x")) },
		"get":  func() error { _, err := s.get(t.Context(), object, 0); return err },
		"stat": func() error { _, _, err := s.stat(t.Context(), object); return err },
		"move": func() error { return s.move(t.Context(), object, "orphans/"+object) },
		"mark": func() error { return s.create(t.Context(), object, ours) },
		"gone": func() error { return s.delete(t.Context(), object) },
	}
	for name, call := range calls {
		status, answers = http.StatusForbidden, 100
		if err := call(); err == nil || errors.Is(err, ErrNotFound) || !strings.Contains(err.Error(), object) ||
			!strings.Contains(err.Error(), "403") || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s, refused: %v; want an error that names the object and the status", name, err)
		}
	}
	status, answers = http.StatusServiceUnavailable, 1
	if err := calls["put"](); err != nil {
		t.Errorf("busy once: %v", err)
	}
	status, answers = http.StatusForbidden, 100
	nothing := func(string) error { return nil }
	if err := s.List(t.Context(), 0, nothing); err == nil || !strings.Contains(err.Error(), "403") {
		t.Errorf("list, refused: %v", err)
	}
	answers = 0
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.List(ctx, 0, nothing); !errors.Is(err, context.Canceled) {
		t.Errorf("list, cancelled: %v", err)
	}
	missing, err := Open(t.Context(), strings.Replace(at, "pictures-0", "missing", 1), config(&clock{at: start}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := missing.Get(t.Context(), object); !errors.Is(err, ErrNotFound) {
		t.Errorf("no bucket, get: %v", err)
	}
	if err := missing.List(t.Context(), 0, nothing); err == nil {
		t.Error("no bucket, listed")
	}
}

// TestAmazon holds where the links of Amazon's buckets lead, and which region and
// credentials sign them.
func TestAmazon(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	t.Setenv("AWS_CONFIG_FILE", "/dev/null")
	t.Setenv("AWS_REGION", "")
	t.Setenv("AWS_DEFAULT_REGION", "")
	open := func(raw string) (*url.URL, error) {
		s, err := Open(t.Context(), raw, config(&clock{at: start}))
		if err != nil {
			return nil, err
		}
		return url.Parse(linkOf(t, s))
	}
	if _, err := open("s3://pictures"); err == nil || !strings.Contains(err.Error(), "add region= or set AWS_REGION") {
		t.Errorf("without a region: %v", err)
	}
	for raw, want := range map[string]string{
		"pictures?region=ap-southeast-3": "https://pictures.s3.ap-southeast-3.amazonaws.com/",
		"pictures?region=us-east-1":      "https://pictures.s3.us-east-1.amazonaws.com/",
		"pictures?region=cn-north-1":     "https://pictures.s3.cn-north-1.amazonaws.com.cn/",
		"pictures?region=xx-new-1":       "https://pictures.s3.xx-new-1.amazonaws.com/",
		"my.pictures?region=eu-west-1":   "https://s3.eu-west-1.amazonaws.com/my.pictures/",

		"pictures?region=id-1&endpoint=https%3A%2F%2Fs3.test%2F":           "https://s3.test/pictures/",
		"pictures?region=id-1&endpoint=https%3A%2F%2Fs3.test%2Fstorage%2F": "https://s3.test/storage/pictures/",
	} {
		link, err := open("s3://" + raw)
		if err != nil || !strings.HasPrefix(link.String(), want+object+"?") {
			t.Errorf("%s: %v, %v; want it below %s", raw, link, err, want)
		}
	}
	t.Setenv("AWS_REGION", "eu-west-1")
	t.Setenv("AWS_SESSION_TOKEN", "temporary")
	link, err := open("s3://pictures")
	if err != nil {
		t.Fatal(err)
	}
	q := link.Query()
	const want = "AKIDEXAMPLE/20260311/eu-west-1/s3/aws4_request"
	if q.Get(credential) != want || q.Get("X-Amz-Security-Token") != "temporary" {
		t.Errorf("parameters %v", q)
	}
}
