package files

import (
	"context"
	"crypto/sha256"
	"io"
	"slices"

	"github.com/gabriel-vasile/mimetype"

	"workforce/ent"
	"workforce/internal/app/tx"
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

// documents are the media types of documents that are kept as they are.
var documents = []string{"application/pdf", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "application/zip"}

// Document is Picture that keeps PDF, XLSX and ZIP files too, as they are.
func (s *Service) Document(
	ctx context.Context, field string, upload io.ReadSeeker, longest int,
) (_ *ent.File, err error) {
	defer errs.Step(&err, "files: store a document")
	data, err := readUpload(upload)
	if err != nil {
		return nil, err
	}
	kind := mimetype.Detect(data).String()
	if !slices.Contains(documents, kind) || len(data) > image.MaxBytes {
		return s.Picture(ctx, field, upload, longest) // which refuses what is none
	}
	type key struct {
		field  string
		digest [sha256.Size]byte
	}
	company := viewer.From(ctx).CompanyID
	return tx.Outside(ctx, key{field, sha256.Sum256(data)}, func(ctx context.Context) (*ent.File, error) {
		if err := s.Uploads.Upload(ctx, s.DB, len(data)); err != nil {
			return nil, err
		}
		return s.Put(ctx, company, Content{Data: data, MediaType: kind})
	})
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
