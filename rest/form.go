package rest

import (
	"errors"
	"maps"
	"mime/multipart"
	"net/http"
	"slices"

	"github.com/99designs/gqlgen/graphql"

	"workforce/internal/errs"
	"workforce/internal/variables"
)

// uploads reports whether a member takes files.
func (o *document) uploads() bool {
	for _, m := range o.members {
		if m.Definition.Name == variables.Upload {
			return true
		}
	}
	return false
}

// form reads a multipart form: files become uploads, other parts text. Files
// beyond 1 MiB in all wait on disk until done is called.
func form(w http.ResponseWriter, r *http.Request) (from variables.Source, done func(), err error) {
	done = func() {}
	r.Body = http.MaxBytesReader(w, r.Body, maxParts*maxPart+maxBody)
	if err := r.ParseMultipartForm(maxBody); err != nil {
		if errors.Is(err, multipart.ErrMessageTooLarge) {
			return nil, done, errs.New(errs.PayloadTooLarge, nil)
		}
		return nil, done, bodyError(err)
	}
	f := &files{form: r.MultipartForm}
	if err := f.open(); err != nil {
		f.close()
		return nil, done, err
	}
	fields, err := texts(r.MultipartForm.Value)
	if err != nil {
		f.close()
		return nil, done, unreadable(r.MultipartForm.Value, err)
	}
	return func(v *variables.Variable) (variables.Input, bool) {
		if list := f.uploads[v.Field]; len(list) > 0 && v.Definition.Name == variables.Upload {
			return variables.Input{Files: list}, true
		}
		return fields(v)
	}, f.close, nil
}

// unreadable returns a fault on the first part that is no text, such as a picture without the
// file name that makes it one; otherwise err.
func unreadable(parts map[string][]string, err error) error {
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		if isText(name) && slices.ContainsFunc(parts[name], func(text string) bool { return !isText(text) }) {
			return errs.Because(name, errs.Unreadable, nil)
		}
	}
	return err
}

// files are the opened files of one form.
type files struct {
	form    *multipart.Form
	uploads map[string][]graphql.Upload // by part name
	opened  []multipart.File
}

func (f *files) open() error {
	f.uploads = map[string][]graphql.Upload{}
	for name, headers := range f.form.File {
		for _, h := range headers {
			if h.Size > maxPart {
				return errs.Field(errs.PayloadTooLarge, name, errs.Meta{"limit": maxPart})
			}
			file, err := h.Open()
			if err != nil {
				return &errs.Error{Err: err}
			}
			f.opened = append(f.opened, file)
			f.uploads[name] = append(f.uploads[name], graphql.Upload{
				File: file, Filename: h.Filename, Size: h.Size, ContentType: h.Header.Get("Content-Type"),
			})
		}
	}
	return nil
}

func (f *files) close() {
	for _, file := range f.opened {
		_ = file.Close() // only read from
	}
	_ = f.form.RemoveAll() // the system clears its folder of temporary files too
}
