package files

import (
	"context"
	"crypto/sha256"
	"io"
	"slices"

	"workforce/ent"
	"workforce/internal/app/tx"
	"workforce/internal/blob"
	"workforce/internal/errs"
	"workforce/internal/image"
	"workforce/internal/viewer"
)

// A Shot is an uploaded picture as it is kept, with a small one. Use must follow for both.
type Shot struct {
	Digest           [sha256.Size]byte // of what was uploaded
	Picture, Preview *ent.File
}

// Shot is Picture with a preview of at most image.Thumbnail pixels on a side. What is
// uploaded counts once.
func (s *Service) Shot(ctx context.Context, field string, upload io.ReadSeeker, longest int) (_ *Shot, err error) {
	defer errs.Step(&err, "files: store a shot")
	data, err := readUpload(upload)
	if err != nil {
		return nil, err
	}
	type key struct {
		field   string
		digest  [sha256.Size]byte
		longest int
	}
	digest, company := sha256.Sum256(data), viewer.From(ctx).CompanyID
	return tx.Outside(ctx, key{field, digest, longest}, func(ctx context.Context) (*Shot, error) {
		if err := s.Uploads.Upload(ctx, s.DB, len(data)); err != nil {
			return nil, err
		}
		rendered, err := s.renderAll(ctx, field, data, longest, image.Thumbnail)
		if err != nil {
			return nil, err
		}
		shot := &Shot{Digest: digest}
		if shot.Picture, err = s.Put(ctx, company, rendered[0]); err != nil {
			return nil, err
		}
		shot.Preview, err = s.Put(ctx, company, rendered[1])
		return shot, err
	})
}

// An Upload is an uploaded file, with the name that its sender gave it.
type Upload struct {
	File io.ReadSeeker
	Name string
}

// A Document is a file that is kept for its sender. Use must follow.
type Document struct {
	*ent.File
	Name      string // under which it is saved
	MediaType string // by its content
}

// Document is Picture that keeps files of the types that are allowed too, as they are; types has
// their names. A picture is kept as one, whatever is allowed.
func (s *Service) Document(
	ctx context.Context, field string, upload Upload, longest int, allowed []string,
) (_ *Document, err error) {
	defer errs.Step(&err, "files: store a document")
	data, err := readUpload(upload.File)
	if err != nil {
		return nil, err
	}
	kind := typeOf(data, upload.Name)
	switch {
	case image.IsRead(data):
		f, err := s.Picture(ctx, field, upload.File, longest)
		if err != nil {
			return nil, err
		}
		return &Document{f, blob.FileName(upload.Name, f.MediaType), f.MediaType}, nil
	case kind == nil || !slices.Contains(allowed, kind.name):
		return nil, errs.Field(errs.UnsupportedMediaType, field, errs.Meta{"allowed": mediaTypes(allowed)})
	case len(data) > image.MaxBytes:
		return nil, errs.Field(errs.PayloadTooLarge, field, errs.Meta{"limit": image.MaxBytes})
	}
	type key struct {
		field     string
		digest    [sha256.Size]byte
		mediaType string
	}
	company, mediaType := viewer.From(ctx).CompanyID, kind.mediaType
	f, err := tx.Outside(ctx, key{field, sha256.Sum256(data), mediaType}, func(ctx context.Context) (*ent.File, error) {
		if err := s.Uploads.Upload(ctx, s.DB, len(data)); err != nil {
			return nil, err
		}
		return s.Put(ctx, company, Content{Data: data, MediaType: mediaType})
	})
	if err != nil {
		return nil, err
	}
	return &Document{f, blob.FileName(upload.Name, mediaType), mediaType}, nil
}

// readUpload returns the bytes of a file, one more than are allowed at most.
func readUpload(upload io.ReadSeeker) ([]byte, error) {
	if _, err := upload.Seek(0, io.SeekStart); err != nil { // the operation may run again
		return nil, &errs.Error{Code: errs.Unavailable, Err: err}
	}
	data, err := io.ReadAll(io.LimitReader(upload, image.MaxBytes+1))
	if err != nil {
		return nil, &errs.Error{Code: errs.Unavailable, Err: err}
	}
	return data, nil
}
