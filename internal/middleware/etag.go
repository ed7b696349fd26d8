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

// revalidate is the Cache-Control by which a handler says that it only reads:
// its answer gets an entity tag.
const revalidate = "private, no-cache"

// maxTagged is the largest body that gets an entity tag where it comes in pieces,
// in bytes; it is held in memory until then.
const maxTagged = 4 << 20

// entityTags tags the answers to GET and HEAD that only read, and answers 304
// where the client has the same. Equal bytes in an encoding have equal tags on
// all instances. A body that is written at once, with its Content-Length, is not
// copied.
func entityTags() layer {
	buffers := &sync.Pool{New: func() any { return new(bytes.Buffer) }}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodGet && r.Method != http.MethodHead {
				next.ServeHTTP(w, r)
				return
			}
			t := &tagger{ResponseWriter: w, r: r, buffers: buffers}
			defer t.drop()
			next.ServeHTTP(t, r) // after a panic what is held is dropped
			if t.holding {
				_ = t.answer(t.held()) // the client may be gone
			}
		})
	}
}

// A tagger holds an answer back that gets an entity tag, and passes on any other.
type tagger struct {
	http.ResponseWriter
	r       *http.Request
	buffers *sync.Pool
	body    *bytes.Buffer // what is held of the body; nil: nothing
	holding bool          // the header was written, and may get a tag
	passing bool          // the header went on
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
	switch {
	case t.holding && t.body == nil && t.Header().Get("Content-Length") == strconv.Itoa(len(p)):
		return len(p), t.answer(p)
	case t.holding && len(t.held())+len(p) <= maxTagged:
		return t.hold(p)
	}
	if err := t.release(t.held()); err != nil {
		return 0, err
	}
	return t.ResponseWriter.Write(p)
}

// hold keeps a piece of the body.
func (t *tagger) hold(p []byte) (int, error) {
	if t.body == nil {
		t.body = t.buffers.Get().(*bytes.Buffer)
		t.body.Reset()
	}
	return t.body.Write(p)
}

// held returns what is held of the body.
func (t *tagger) held() []byte {
	if t.body == nil {
		return nil
	}
	return t.body.Bytes()
}

// drop lets others have the buffer.
func (t *tagger) drop() {
	if t.body != nil {
		t.buffers.Put(t.body)
	}
}

// Flush implements http.Flusher: an answer that comes in pieces gets no tag.
func (t *tagger) Flush() {
	if err := t.release(t.held()); err == nil {
		_ = http.NewResponseController(t.ResponseWriter).Flush() // unsupported: nothing to flush
	}
}

// Unwrap serves http.ResponseController.
func (t *tagger) Unwrap() http.ResponseWriter { return t.ResponseWriter }

// release passes on the header and body, if they are held back.
func (t *tagger) release(body []byte) error {
	if !t.holding {
		return nil
	}
	t.holding, t.passing = false, true
	t.ResponseWriter.WriteHeader(http.StatusOK)
	_, err := t.ResponseWriter.Write(body)
	return err
}

// answer sends the whole body, or 304 if the client has it. A HEAD that its
// handler answered without a body says nothing about GET's.
func (t *tagger) answer(body []byte) error {
	h := t.Header()
	if t.r.Method == http.MethodGet || len(body) > 0 {
		h.Set("ETag", tagOf(body, encodes(t.ResponseWriter, body)))
	}
	if !names(t.r.Header.Values("If-None-Match"), h.Get("ETag")) {
		return t.release(body)
	}
	t.holding, t.passing = false, true
	h.Del("Content-Type")
	h.Del("Content-Length")
	t.ResponseWriter.WriteHeader(http.StatusNotModified)
	return nil
}

// tagOf returns the strong entity tag of body in the encoding it is sent in: a
// hash of 64 bits and the length. It keeps no secret and proves nothing, so that
// it need not be a cryptographic one, which takes ten times as long.
func tagOf(body []byte, gzipped bool) string {
	sum := binary.BigEndian.AppendUint64(make([]byte, 0, 16), xxhash.Sum64(body))
	sum = binary.BigEndian.AppendUint64(sum, uint64(len(body)))
	tag := base64.RawURLEncoding.EncodeToString(sum)
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
