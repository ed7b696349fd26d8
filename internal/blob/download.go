package blob

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"path"
	"strings"

	"workforce/internal/errs"
	"workforce/internal/request"
)

// Serve answers with the object that a link of the store leads to, whichever store it is, to be
// saved under a name: the parts that Range asks for, or all of it. The caller made the link.
func (s *Store) Serve(w http.ResponseWriter, r *http.Request, link, saveAs string) {
	name := nameIn(link)
	size, written, err := s.stat(r.Context(), name)
	switch {
	case errors.Is(err, ErrNotFound):
		request.Fail(w, r, errs.New(errs.NotFound, nil))
		return
	case err != nil:
		request.Fail(w, r, &errs.Error{Code: errs.Unavailable, Err: err})
		return
	}
	in := &reader{ctx: r.Context(), store: s, name: name, size: size}
	defer in.Close()
	kind, header := kindOf(name), w.Header()
	kind.describe(header, name)
	header.Set("Content-Disposition", kind.disposition(saveAs))
	request.ServeContent(w, r, written, in)
}

// nameIn returns the name of the object that a link leads to; one that no store has for another
// text.
func nameIn(link string) string {
	u, err := url.Parse(link)
	if err != nil {
		return ""
	}
	dir, file := path.Split(u.Path)
	name := path.Base(strings.TrimSuffix(dir, "/")) + "/" + file
	if checkName(name) != nil {
		return ""
	}
	return name
}

// describe sets the headers of an object.
func (k Kind) describe(h http.Header, name string) {
	h.Set("Content-Type", k.MediaType)
	h.Set("Content-Disposition", k.disposition(""))
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Cache-Control", k.cacheControl())
	h.Set("ETag", `"`+path.Base(name)+`"`)
}

// A reader reads an object from wherever it was sought to. It opens the object when it reads.
type reader struct {
	ctx        context.Context
	store      *Store
	name       string
	size, next int64
	open       io.ReadCloser // at next; nil before it reads
}

// Read implements io.Reader.
func (r *reader) Read(p []byte) (n int, err error) {
	if r.next >= r.size {
		return 0, io.EOF
	}
	if r.open == nil {
		if r.open, err = r.store.get(r.ctx, r.name, r.next); err != nil {
			return 0, err
		}
	}
	n, err = r.open.Read(p)
	r.next += int64(n)
	return n, err
}

// Seek implements io.Seeker.
func (r *reader) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += r.next
	case io.SeekEnd:
		offset += r.size
	}
	if offset < 0 {
		return 0, errors.New("blob: before the beginning")
	}
	if offset == r.next {
		return offset, nil
	}
	err := r.Close()
	r.next = offset
	return offset, err
}

// Close ends the reading.
func (r *reader) Close() error {
	if r.open == nil {
		return nil
	}
	err := r.open.Close()
	r.open = nil
	return err
}
