package middleware

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/cespare/xxhash/v2"
)

// revalidate is the Cache-Control of responses to reading requests: they get an
// entity tag.
const revalidate = "private, no-cache"

// maxTaggedSize is the largest body in bytes that is buffered for its entity tag.
const maxTaggedSize = 4 << 20

// entityTags sets the ETag of responses to GET and HEAD with the Cache-Control
// revalidate, and answers 304 when If-None-Match has that tag. Equal bytes in one
// encoding have equal tags on all instances. A body that is written in one call,
// with its Content-Length, is not copied.
func entityTags() layer {
	buffers := &sync.Pool{New: func() any { return new(bytes.Buffer) }}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodGet && r.Method != http.MethodHead {
				next.ServeHTTP(w, r)
				return
			}
			t := &tagWriter{ResponseWriter: w, r: r, buffers: buffers}
			defer t.free()
			next.ServeHTTP(t, r) // a panic discards what is buffered
			if t.buffering {
				_ = t.respond(t.buffered()) // the client may be gone
			}
		})
	}
}

// A tagWriter buffers a response that gets an entity tag, and passes on any other.
type tagWriter struct {
	http.ResponseWriter
	r         *http.Request
	buffers   *sync.Pool
	body      *bytes.Buffer // the buffered part of the body; nil: none
	buffering bool          // the handler wrote the header, which may get a tag
	sent      bool          // the header was passed on
}

// WriteHeader implements http.ResponseWriter.
func (t *tagWriter) WriteHeader(status int) {
	h := t.Header()
	switch {
	case t.buffering: // a second call has no effect
	case !t.sent && status == http.StatusOK && h.Get("Cache-Control") == revalidate && h.Get("ETag") == "":
		t.buffering = true
	default:
		t.sent = t.sent || status >= 200 || status == http.StatusSwitchingProtocols
		t.ResponseWriter.WriteHeader(status)
	}
}

// Write implements http.ResponseWriter.
func (t *tagWriter) Write(p []byte) (int, error) {
	if !t.buffering && !t.sent {
		t.WriteHeader(http.StatusOK)
	}
	switch {
	case t.buffering && t.body == nil && t.Header().Get("Content-Length") == strconv.Itoa(len(p)):
		return len(p), t.respond(p)
	case t.buffering && len(t.buffered())+len(p) <= maxTaggedSize:
		return t.buffer(p)
	}
	if err := t.send(t.buffered()); err != nil {
		return 0, err
	}
	return t.ResponseWriter.Write(p)
}

// buffer adds a part of the body to the buffer.
func (t *tagWriter) buffer(p []byte) (int, error) {
	if t.body == nil {
		t.body = t.buffers.Get().(*bytes.Buffer)
		t.body.Reset()
	}
	return t.body.Write(p)
}

// buffered returns the buffered part of the body.
func (t *tagWriter) buffered() []byte {
	if t.body == nil {
		return nil
	}
	return t.body.Bytes()
}

// free returns the buffer to the pool.
func (t *tagWriter) free() {
	if t.body != nil {
		t.buffers.Put(t.body)
	}
}

// Flush implements http.Flusher. A flushed response gets no tag.
func (t *tagWriter) Flush() {
	if err := t.send(t.buffered()); err == nil {
		_ = http.NewResponseController(t.ResponseWriter).Flush() // unsupported: nothing to flush
	}
}

// Unwrap serves http.ResponseController.
func (t *tagWriter) Unwrap() http.ResponseWriter { return t.ResponseWriter }

// send passes on the header and body, if they are buffered.
func (t *tagWriter) send(body []byte) error {
	if !t.buffering {
		return nil
	}
	t.buffering, t.sent = false, true
	t.ResponseWriter.WriteHeader(http.StatusOK)
	_, err := t.ResponseWriter.Write(body)
	return err
}

// respond sends the whole body, or 304 if the client has it. The response to HEAD
// gets a tag only if its handler wrote the body.
func (t *tagWriter) respond(body []byte) error {
	h := t.Header()
	if t.r.Method == http.MethodGet || len(body) > 0 {
		h.Set("ETag", entityTag(body, willCompress(t.ResponseWriter, body)))
	}
	if !matchesTag(t.r.Header.Values("If-None-Match"), h.Get("ETag")) {
		return t.send(body)
	}
	t.buffering, t.sent = false, true
	h.Del("Content-Type")
	h.Del("Content-Length")
	t.ResponseWriter.WriteHeader(http.StatusNotModified)
	return nil
}

// entityTag returns the strong entity tag of body in the encoding it is sent in:
// a hash of 64 bits and the length. Nothing secret depends on it, so the hash is
// not a cryptographic one, which takes ten times as long.
func entityTag(body []byte, gzipped bool) string {
	sum := binary.BigEndian.AppendUint64(make([]byte, 0, 16), xxhash.Sum64(body))
	sum = binary.BigEndian.AppendUint64(sum, uint64(len(body)))
	tag := base64.RawURLEncoding.EncodeToString(sum)
	if gzipped {
		tag += "-gzip"
	}
	return `"` + tag + `"`
}

// matchesTag reports whether If-None-Match lists tag, by weak comparison (RFC
// 9110). Tags of the server have no comma, so the list is split at each one.
func matchesTag(header []string, tag string) bool {
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
