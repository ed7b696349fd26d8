package graphqlhttp

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"workforce/internal/errs"
	"workforce/internal/jsonscan"
)

// The limits of an upload.
const (
	MaxPart  = 10 << 20 // bytes of a file
	MaxFiles = 10       // of a request
	maxPlace = 20       // places of all files, in the variables
	memory   = 1 << 20  // bytes of all files that wait in memory; others wait on disk
)

// Multipart takes one operation with files, by the GraphQL multipart request
// specification: the parts operations and map, in this order, then the files. It needs
// a header that keeps other sites from making a browser send it, as GET does. The
// files are read once the caller may run the operation.
type Multipart struct{ *API }

// Supports implements graphql.Transport.
func (Multipart) Supports(r *http.Request) bool {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return r.Method == http.MethodPost && err == nil && media == "multipart/form-data"
}

// Do implements graphql.Transport.
func (t Multipart) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	f := &uploads{}
	defer f.close()
	t.serve(w, r, exec, func(w http.ResponseWriter, r *http.Request) (*params, error) {
		if !preflighted(r.Header) {
			return nil, malformed("An upload needs a header such as X-Req-Id or GraphQL-Preflight.")
		}
		r.Body = http.MaxBytesReader(w, r.Body, MaxFiles*MaxPart+2*MaxBytes)
		return f.begin(r)
	})
}

// uploads are the files of a request.
type uploads struct {
	reader *multipart.Reader
	places map[string][]place // by the name of the file's part
	form   *multipart.Form    // once they were read
	opened []multipart.File
}

// A place is where a file belongs in the variables.
type place struct{ variable, path string }

// begin reads the parts before the files.
func (f *uploads) begin(r *http.Request) (p *params, err error) {
	if f.reader, err = r.MultipartReader(); err != nil {
		return nil, malformed("The body could not be read.")
	}
	operations, err := f.text("operations", MaxBytes)
	if err != nil {
		return nil, err
	}
	if p, err = parseParams(operations, "operations must be one JSON object."); err != nil {
		return nil, err
	}
	places, err := f.text("map", MaxBytes)
	if err != nil {
		return nil, err
	}
	p.uploads = f
	return p, f.locate(places)
}

// text reads a part that holds JSON.
func (f *uploads) text(name string, limit int64) ([]byte, error) {
	part, err := f.reader.NextPart()
	if err != nil || part.FormName() != name {
		return nil, unreadable(err, "The body must begin with the parts operations and map.")
	}
	text, err := io.ReadAll(io.LimitReader(part, limit+1))
	switch {
	case err != nil:
		return nil, unreadable(err, "The body could not be read.")
	case int64(len(text)) > limit:
		return nil, tooLarge()
	}
	return text, nil
}

// locate reads the map: the places of each file, none of which is named twice.
func (f *uploads) locate(text []byte) error {
	var list map[string][]string
	if size, err := jsonscan.Measure(text); err != nil || size.Values > MaxFiles*(maxPlace+1) || json.Unmarshal(text, &list) != nil || len(list) > MaxFiles {
		return malformed("map must be an object of lists of paths, for 10 files at most.")
	}
	f.places = make(map[string][]place, len(list))
	seen := map[place]bool{}
	for name, paths := range list {
		for _, text := range paths {
			rest, ok := strings.CutPrefix(text, "variables.")
			variable, path, _ := strings.Cut(rest, ".")
			at := place{variable, path}
			if !ok || variable == "" || seen[at] || len(seen) == maxPlace {
				return malformed("map must name places such as variables.input.image, each once.")
			}
			seen[at] = true
			f.places[name] = append(f.places[name], at)
		}
	}
	return nil
}

// read reads the files, and returns them by variable and path.
func (f *uploads) read() (map[string]map[string]graphql.Upload, error) {
	var err error
	if f.form, err = f.reader.ReadForm(memory); err != nil {
		return nil, unreadable(err, "The files could not be read.")
	}
	all := map[string]map[string]graphql.Upload{}
	for name, places := range f.places {
		files := f.form.File[name]
		if len(files) != 1 {
			return nil, malformed("Each entry of map needs one file.")
		}
		if files[0].Size > MaxPart {
			return nil, Refuse(errs.PayloadTooLarge, errs.Meta{"limit": MaxPart}, "The file is too large.")
		}
		for _, at := range places {
			file, err := files[0].Open()
			if err != nil {
				return nil, &errs.Error{Code: errs.Unavailable, Err: err}
			}
			f.opened = append(f.opened, file)
			if all[at.variable] == nil {
				all[at.variable] = map[string]graphql.Upload{}
			}
			all[at.variable][at.path] = graphql.Upload{
				File: file, Filename: files[0].Filename, Size: files[0].Size, ContentType: files[0].Header.Get("Content-Type"),
			}
		}
	}
	return all, nil
}

// close frees the files.
func (f *uploads) close() {
	for _, file := range f.opened {
		_ = file.Close() // only read from
	}
	if f.form != nil {
		_ = f.form.RemoveAll() // the system clears its folder of temporary files too
	}
}

// unreadable classifies what went wrong with reading a body.
func unreadable(err error, text string) error {
	if _, large := errors.AsType[*http.MaxBytesError](err); large || errors.Is(err, multipart.ErrMessageTooLarge) {
		return Refuse(errs.PayloadTooLarge, errs.Meta{"limit": MaxFiles * MaxPart}, "The request is too large.")
	}
	return malformed(text)
}
