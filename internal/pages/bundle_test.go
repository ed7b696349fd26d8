package pages

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

// built names a folder, for playground/build.sh, to make the archive of.
var built = flag.String("built", "", "write bundle.zip from the files in this `folder`")

// TestBundle holds the archive to the sources it was built from, and to what
// serving it relies on.
func TestBundle(t *testing.T) {
	sources := digest(t, os.DirFS("playground"))
	if *built != "" {
		archive = pack(t, os.DirFS(*built), sources)
		if err := os.WriteFile("bundle.zip", archive, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		t.Fatal(err)
	}
	if r.Comment != sources {
		t.Error("bundle.zip is older than its sources: run internal/pages/playground/build.sh")
	}
	if max := 3 << 20; len(archive) > max {
		t.Errorf("bundle.zip has %d bytes, want at most %d", len(archive), max)
	}
	for _, f := range r.File {
		if f.Method != zip.Deflate {
			t.Errorf("%s: method %d, want deflate", f.Name, f.Method)
		}
		if contentTypes[path.Ext(f.Name)] == "" {
			t.Errorf("%s: no content type", f.Name)
		}
	}
}

// digest returns a hash over the files that the bundle is built from.
func digest(t *testing.T, dir fs.FS) string {
	t.Helper()
	hash := sha256.New()
	for _, pattern := range []string{"*.html", "*.js", "*.jsx", "*.css", "*.json"} {
		names, _ := fs.Glob(dir, pattern) // the patterns are sound
		for _, name := range names {
			content, err := fs.ReadFile(dir, name)
			if err != nil {
				t.Fatal(err)
			}
			sum := sha256.Sum256(content)
			hash.Write([]byte(name + "\n"))
			hash.Write(sum[:])
		}
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// pack archives a folder: same files, same bytes.
func pack(t *testing.T, dir fs.FS, comment string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	w.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(out, flate.BestCompression)
	})
	err := fs.WalkDir(dir, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := fs.ReadFile(dir, name)
		if err != nil {
			return err
		}
		entry, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate})
		if err != nil {
			return err
		}
		_, err = entry.Write(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.SetComment(comment); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestAssets compares every file of the bundle, plain and as gzip, with the
// archive's.
func TestAssets(t *testing.T) {
	mux := newMux(Config{Playground: true, Docs: true})
	for name, f := range openBundle() {
		if !strings.HasPrefix(name, "assets/") {
			continue
		}
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		want, err := io.ReadAll(in)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, encoding := range []string{"", "gzip"} {
			res := get(mux, "/"+name, http.Header{"Accept-Encoding": {encoding}})
			body := io.Reader(res.Body)
			if length := int64(res.Body.Len()); res.Result().ContentLength != length {
				t.Errorf("%s: Content-Length %d, got %d bytes", name, res.Result().ContentLength, length)
			}
			if got := res.Header().Get("Content-Encoding"); got != encoding {
				t.Errorf("%s: Content-Encoding %q, want %q", name, got, encoding)
			}
			if encoding == "gzip" {
				if body, err = gzip.NewReader(body); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
			}
			got, err := io.ReadAll(body)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s as %q: %d bytes, want %d; %v", name, encoding, len(got), len(want), err)
			}
		}
	}
}

func TestAcceptsGzip(t *testing.T) {
	tests := []struct {
		headers []string
		want    bool
	}{
		{nil, false},
		{[]string{""}, false},
		{[]string{"gzip"}, true},
		{[]string{"GZIP"}, true},
		{[]string{"br, gzip, deflate"}, true},
		{[]string{"br", "gzip"}, true},
		{[]string{"gzip;q=0.5"}, true},
		{[]string{"gzip; q=0"}, false},
		{[]string{"gzip;q=0.000, br"}, false},
		{[]string{"gzip;q=no"}, false},
		{[]string{"x-gzip"}, false},
		{[]string{"*"}, false},
	}
	for _, tt := range tests {
		r := &http.Request{Header: http.Header{"Accept-Encoding": slices.Clone(tt.headers)}}
		if got := acceptsGzip(r); got != tt.want {
			t.Errorf("acceptsGzip(%q) = %v, want %v", tt.headers, got, tt.want)
		}
	}
}
