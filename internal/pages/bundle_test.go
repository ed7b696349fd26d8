package pages

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"workforce/internal/middleware"
)

// TestBundleIsFresh compares the sources in playground with the list of those
// that the bundle was built from, in the format of sha256sum.
func TestBundleIsFresh(t *testing.T) {
	var names []string
	for _, pattern := range []string{"*.html", "*.js", "*.jsx", "*.css", "*.json", "*.graphql"} {
		found, err := filepath.Glob("playground/" + pattern)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, found...)
	}
	slices.Sort(names)
	var sources strings.Builder
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&sources, "%x  %s\n", sha256.Sum256(content), filepath.Base(name))
	}
	built, err := os.ReadFile("bundle.sha256")
	if err != nil {
		t.Fatal(err)
	}
	if got := sources.String(); got != string(built) {
		t.Errorf("bundle is older than its sources: run internal/pages/playground/build.sh\nsources:\n%sbuilt from:\n%s", got, built)
	}
}

// TestBundle checks what serving the bundle relies on, and its size.
func TestBundle(t *testing.T) {
	const most = 12 << 20 // bytes
	var size int64
	err := fs.WalkDir(bundle, "bundle", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name != "bundle" && name != "bundle/assets" {
				t.Errorf("%s: no route serves this folder", name)
			}
			return nil
		}
		if contentTypes[path.Ext(name)] == "" {
			t.Errorf("%s: no content type", name)
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		size += info.Size()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if size > most {
		t.Errorf("the bundle has %d bytes, want at most %d", size, most)
	}
}

// TestAssets compares the response for every file of the bundle, plain and as
// gzip, with the file.
func TestAssets(t *testing.T) {
	server := middleware.Wrap(newMux(Config{Playground: true, Docs: true}), middleware.Config{})
	names, err := fs.Glob(bundle, "bundle/assets/*")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		want, err := bundle.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		name = strings.TrimPrefix(name, "bundle")
		for _, encoding := range []string{"", "gzip"} {
			res := get(server, name, http.Header{"Accept-Encoding": {encoding}})
			if got := res.Header().Get("Content-Type"); got != contentTypes[path.Ext(name)] {
				t.Errorf("%s: Content-Type %q", name, got)
			}
			body := io.Reader(res.Body)
			switch got := res.Header().Get("Content-Encoding"); {
			case got == "gzip" && encoding == "gzip":
				if body, err = gzip.NewReader(body); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
			case got != "":
				t.Errorf("%s: Content-Encoding %q, want %q or none", name, got, encoding)
			case encoding == "gzip" && len(want) > 2048 && path.Ext(name) != ".ttf":
				t.Errorf("%s: %d bytes were not compressed", name, len(want))
			case res.Result().ContentLength != int64(len(want)):
				t.Errorf("%s: Content-Length %d, want %d", name, res.Result().ContentLength, len(want))
			}
			got, err := io.ReadAll(body)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s as %q: %d bytes, want %d; %v", name, encoding, len(got), len(want), err)
			}
		}
	}
}

// TestRevalidation checks that a file without a hash in its name has an entity
// tag, for HEAD as for GET, and is not sent twice.
func TestRevalidation(t *testing.T) {
	server := middleware.Wrap(newMux(Config{Playground: true, Docs: true}), middleware.Config{})
	for _, path := range []string{"/playground", "/docs", "/assets/licenses.txt"} {
		for _, encoding := range []string{"", "gzip"} {
			header := http.Header{"Accept-Encoding": {encoding}}
			tag := get(server, path, header).Header().Get("ETag")
			if tag == "" {
				t.Errorf("%s as %q: no ETag", path, encoding)
			}
			if got := do(server, http.MethodHead, path, header).Header().Get("ETag"); got != tag {
				t.Errorf("%s as %q: ETag %s for HEAD, %s for GET", path, encoding, got, tag)
			}
			header.Set("If-None-Match", tag)
			if res := get(server, path, header); res.Code != http.StatusNotModified || res.Body.Len() != 0 {
				t.Errorf("%s as %q: %d with %d bytes, want 304", path, encoding, res.Code, res.Body.Len())
			}
		}
	}
}
