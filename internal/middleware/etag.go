package middleware

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"
	"sync"
)

// revalidate is the Cache-Control by which a handler says that it only reads:
// its answer gets an entity tag.
const revalidate = "private, no-cache"

// maxTagged is the largest body that gets an entity tag, in bytes; it is held in
// memory until then.
const maxTagged = 4 << 20

// entityTags tags the answers to GET and HEAD that only read, and answers 304
// where the client has the same. Equal bytes in an encoding have equal tags on
// all instances.
func entityTags() layer {
	buffers := &sync.Pool{New: func() any { return new(bytes.Buffer) }}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodGet && r.Method != http.MethodHead {
				next.ServeHTTP(w, r)
				return
			}
			body := buffers.Get().(*bytes.Buffer)
			defer buffers.Put(body)
			body.Reset()
			t := &tagger{ResponseWriter: w, body: body}
			next.ServeHTTP(t, r) // after a panic what is held is dropped
			t.answer(r)
		})
	}
}

// A tagger holds an answer back that gets an entity tag, and passes on any other.
type tagger struct {
	http.ResponseWriter
	body    *bytes.Buffer
	holding bool // the header was written, and may get a tag
	passing bool // the header went on
}

// WriteHeader implements http.ResponseWriter.
func (t *tagger) WriteHeader(status int) {
	h := t.Header()
	switch {
	case t.holding: // written twice: the first counts
	case !t.passing && status == http.StatusOK && h.Get("Cache-Control") == revalidate && h.Get("ETag") == "":
		t.holding = true
	default:
		t.passing = t.passing || status >= 200 || status == http.StatusSwitchingProtocols
		t.ResponseWriter.WriteHeader(status)
	}
}

// Write implements http.ResponseWriter.
func (t *tagger) Write(p []byte) (int, error) {
	if !t.holding && !t.passing {
		t.WriteHeader(http.StatusOK)
	}
	if t.holding && t.body.Len()+len(p) <= maxTagged {
		return t.body.Write(p)
	}
	if err := t.release(); err != nil {
		return 0, err
	}
	return t.ResponseWriter.Write(p)
}

// Flush implements http.Flusher: an answer that comes in pieces gets no tag.
func (t *tagger) Flush() {
	if err := t.release(); err == nil {
		_ = http.NewResponseController(t.ResponseWriter).Flush() // unsupported: nothing to flush
	}
}

// Unwrap serves http.ResponseController.
func (t *tagger) Unwrap() http.ResponseWriter { return t.ResponseWriter }

// release passes on what is held.
func (t *tagger) release() error {
	if !t.holding {
		return nil
	}
	t.holding, t.passing = false, true
	t.ResponseWriter.WriteHeader(http.StatusOK)
	_, err := t.ResponseWriter.Write(t.body.Bytes())
	return err
}

// answer ends the request: with 304 if the client has what is held. A HEAD that
// its handler answered without a body says nothing about GET's.
func (t *tagger) answer(r *http.Request) {
	if !t.holding {
		return
	}
	h := t.Header()
	if r.Method == http.MethodGet || t.body.Len() > 0 {
		h.Set("ETag", tagOf(t.body.Bytes(), encodes(t.ResponseWriter, t.body.Bytes())))
	}
	if names(r.Header.Values("If-None-Match"), h.Get("ETag")) {
		h.Del("Content-Type")
		h.Del("Content-Length")
		t.ResponseWriter.WriteHeader(http.StatusNotModified)
		return
	}
	_ = t.release() // the client may be gone
}

// tagOf returns the strong entity tag of body in the encoding it is sent in.
func tagOf(body []byte, gzipped bool) string {
	sum := sha256.Sum256(body)
	tag := base64.RawURLEncoding.EncodeToString(sum[:16])
	if gzipped {
		tag += "-gzip"
	}
	return `"` + tag + `"`
}

// names reports whether If-None-Match names tag, comparing weakly (RFC 9110). As
// tag holds no comma, a list may be cut at every one.
func names(header []string, tag string) bool {
	list := strings.TrimSpace(strings.Join(header, ","))
	if tag == "" || list == "*" {
		return tag != ""
	}
	for entry := range strings.SplitSeq(list, ",") {
		if strings.TrimPrefix(strings.TrimSpace(entry), "W/") == tag {
			return true
		}
	}
	return false
}
