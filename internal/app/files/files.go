// Package files keeps the files of companies: the bytes in the file store, a row for
// each in the database. The steps are in an order in which a failure between any two
// of them leaves neither a row without its object nor an object for ever:
//
//  1. Put commits a row that is pending, then writes the object.
//  2. Use takes the row out of the pending ones, in the transaction of the row that
//     names the file.
//  3. Release, in the transaction that took away the last name, marks the row as being
//     erased. After its commit the object is deleted, then the row.
//
// Sweep finishes what was left half done. An object without a row is an orphan. It is set
// aside for a day before it is deleted, since its row may come back with a database that
// is restored again.
package files

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"slices"
	"time"

	"workforce/ent"
	entFile "workforce/ent/file"
	"workforce/ent/objecthold"
	"workforce/internal/admission"
	"workforce/internal/app/ratelimit"
	"workforce/internal/app/tx"
	"workforce/internal/blob"
	"workforce/internal/database"
	"workforce/internal/errs"
	"workforce/internal/image"
	"workforce/internal/viewer"
)

// A Store keeps objects; see blob.Store.
type Store interface {
	Put(ctx context.Context, name string, r io.Reader) error
	Delete(ctx context.Context, name string) error
	// List lists the objects that were written so long ago, by the store's clock.
	List(ctx context.Context, age time.Duration, f func(name string) error) error
	SetAside(ctx context.Context, name string) error
	Restore(ctx context.Context, name string) error
	Discard(ctx context.Context, name string) error
	// Orphans lists the objects that were set aside so long ago.
	Orphans(ctx context.Context, age time.Duration, f func(name string) error) error
	CheckMark(ctx context.Context) error
}

// A Service keeps files. Its methods are safe for concurrent use.
type Service struct {
	DB       *ent.Client
	Now      func() time.Time // UTC, to the microsecond
	Store    Store
	Pictures *admission.Lane // in which pictures are decoded
	Uploads  *ratelimit.Limiter
}

// A Content is what a file is to hold.
type Content struct {
	Data          []byte
	MediaType     string
	Width, Height int // pixels; 0 for what is no picture
}

// Picture stores an uploaded picture, with no side longer than longest pixels, for the
// viewer's company, and returns its file, which Use must follow. field names the member
// of the request in errors: those of image.Decode, UNAVAILABLE where too many pictures
// wait to be decoded, and RATE_LIMITED where the viewer uploaded too much. In the transaction of an operation it works like
// tx.Outside.
func (s *Service) Picture(
	ctx context.Context, field string, upload io.ReadSeeker, longest int,
) (_ *ent.File, err error) {
	defer errs.Step(&err, "files: store a picture")
	data, err := readUpload(upload)
	if err != nil {
		return nil, err
	}
	type key struct {
		field   string
		digest  [sha256.Size]byte
		longest int
	}
	company := viewer.From(ctx).CompanyID
	return tx.Outside(ctx, key{field, sha256.Sum256(data), longest}, func(ctx context.Context) (*ent.File, error) {
		if err := s.Uploads.Upload(ctx, s.DB, len(data)); err != nil {
			return nil, err
		}
		c, err := s.render(ctx, field, data, longest)
		if err != nil {
			return nil, err
		}
		return s.Put(ctx, company, c)
	})
}

// render decodes a picture and makes the one that is kept.
func (s *Service) render(ctx context.Context, field string, data []byte, longest int) (Content, error) {
	all, err := s.renderAll(ctx, field, data, longest)
	if err != nil {
		return Content{}, err
	}
	return all[0], nil
}

// renderAll decodes a picture and makes one of each size.
func (s *Service) renderAll(ctx context.Context, field string, data []byte, sizes ...int) ([]Content, error) {
	leave, err := s.Pictures.Enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	p, err := image.Decode(ctx, field, data)
	if err != nil {
		return nil, err
	}
	all := make([]Content, len(sizes))
	for i, longest := range sizes {
		r, err := p.Render(longest)
		if err != nil {
			return nil, err
		}
		all[i] = Content{Data: r.Data, MediaType: r.MediaType, Width: r.Width, Height: r.Height}
	}
	return all, nil
}

// Put stores content for a company and returns its file: the one that the company has,
// if it has the same bytes. It must not be called in a transaction. Unless Use follows
// within an hour, the file is erased again.
func (s *Service) Put(ctx context.Context, company int, c Content) (_ *ent.File, err error) {
	defer errs.Step(&err, "files: store an object")
	ctx = viewer.System(ctx)
	digest := sha256.Sum256(c.Data)
	return s.put(ctx, company, meta{digest[:], len(c.Data), c.MediaType, c.Width, c.Height}, bytes.NewReader(c.Data))
}

// PutFile is Put for content that memory need not hold: it reads r twice, from its begin.
func (s *Service) PutFile(
	ctx context.Context, company int, mediaType string, r io.ReadSeeker,
) (_ *ent.File, err error) {
	defer errs.Step(&err, "files: store a file")
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	digest := sha256.New()
	size, err := io.Copy(digest, r)
	if err != nil {
		return nil, err
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	return s.put(viewer.System(ctx), company, meta{digest: digest.Sum(nil), size: int(size), mediaType: mediaType}, r)
}

// A meta is what the row of a file tells of its content.
type meta struct {
	digest        []byte // SHA-256
	size          int
	mediaType     string
	width, height int
}

// put commits a row that is pending and writes the object, unless the company has it.
func (s *Service) put(ctx context.Context, company int, m meta, r io.Reader) (*ent.File, error) {
	f, err := s.claim(ctx, company, m)
	if err != nil || f.PendingSince == nil {
		return f, err
	}
	if err := s.Store.Put(ctx, f.Name, r); err != nil {
		return nil, &errs.Error{Code: errs.Unavailable, Err: err}
	}
	return f, nil
}

// fileUpsert writes the row of content, or locks the one that the company has.
var fileUpsert = database.Upsert{
	Table: entFile.Table,
	Columns: []string{
		entFile.FieldCompanyID, entFile.FieldName, entFile.FieldDigest, entFile.FieldSize, entFile.FieldMediaType,
		entFile.FieldWidth, entFile.FieldHeight, entFile.FieldUses, entFile.FieldPendingSince, entFile.FieldCreatedAt,
	},
	Key: []string{entFile.FieldCompanyID, entFile.FieldDigest},
	Add: []string{entFile.FieldUses},
}

// claim commits the row of content. A row that is pending stays so for another hour.
func (s *Service) claim(ctx context.Context, company int, m meta) (f *ent.File, err error) {
	name, err := blob.NewName(company, m.mediaType)
	if err != nil {
		return nil, err
	}
	err = tx.With(ctx, s.DB, func(db *ent.Client) error {
		now := s.Now()
		err := fileUpsert.Exec(ctx, db, company, name, m.digest, m.size, m.mediaType, m.width, m.height, 1, now, now)
		if err != nil {
			return err
		}
		if f, err = db.File.Query().Where(entFile.CompanyID(company), entFile.Digest(m.digest)).Only(ctx); err != nil {
			return err
		}
		if f.PendingSince != nil {
			f, err = f.Update().SetPendingSince(now).Save(ctx)
		}
		return err
	})
	return f, err
}

// Use says, in the transaction of the row that is to name it, that a file is used.
// UNAVAILABLE for one that was erased since Put returned it, which is to be put again.
func (s *Service) Use(ctx context.Context, id int) (err error) {
	defer errs.Step(&err, "files: use a file")
	n, err := ent.FromContext(ctx).File.Update().Where(entFile.ID(id), entFile.DigestNotNil()).
		AddUses(1).ClearPendingSince().Save(viewer.System(ctx))
	if err == nil && n == 0 {
		err = &errs.Error{Code: errs.Unavailable, RetryAfter: time.Second, Err: errErased}
	}
	return err
}

var errErased = errors.New("files: the file was erased before it was used")

// Release says, in the transaction of the row that named it, that one name of a file is
// gone. Nil is no file. After the commit, a file that no row names is erased.
func (s *Service) Release(ctx context.Context, id *int) (err error) {
	defer errs.Step(&err, "files: release a file")
	if id == nil {
		return nil
	}
	db := ent.FromContext(ctx)
	erasing, err := s.unname(viewer.System(ctx), db, *id)
	if err != nil || !erasing {
		return err
	}
	ent.TxFromContext(ctx).OnCommit(func(next ent.Committer) ent.Committer {
		return ent.CommitFunc(func(ctx context.Context, tx *ent.Tx) error {
			err := next.Commit(ctx, tx)
			if err == nil {
				s.eraseNow(ctx, *id)
			}
			return err
		})
	})
	return nil
}

// unname marks a file that no row names as being erased, and reports whether it did.
// Its row is changed first, so that no use of it is committed meanwhile.
func (s *Service) unname(ctx context.Context, db *ent.Client, id int) (erasing bool, err error) {
	if err := db.File.Update().Where(entFile.ID(id)).AddUses(1).Exec(ctx); err != nil {
		return false, err
	}
	named, err := ent.Named(ctx, db, id)
	if err != nil || named {
		return false, err
	}
	return true, db.File.Update().Where(entFile.ID(id)).ClearDigest().SetPendingSince(s.Now()).Exec(ctx)
}

// eraseTime is how long the erasing of an object may delay an answer.
const eraseTime = 2 * time.Second

// eraseNow erases a file that is marked. Where that fails, Sweep does it.
func (s *Service) eraseNow(ctx context.Context, id int) {
	ctx, cancel := context.WithTimeout(viewer.System(ent.NewContext(context.WithoutCancel(ctx), s.DB)), eraseTime)
	defer cancel()
	f, err := s.DB.File.Get(ctx, id)
	if err == nil {
		_ = s.erase(ctx, f)
	}
}

// hold is the lease of those who need every object that a row names.
var hold = database.Lease{Column: objecthold.FieldLeaseUntil}

// erase deletes the object of a file that is marked, then the row. While a backup copies the
// objects, it leaves both to Sweep: whoever holds them took the hold before it read the rows.
func (s *Service) erase(ctx context.Context, f *ent.File) error {
	held, err := s.DB.ObjectHold.Query().Where(hold.InForce).Exist(ctx)
	if err != nil || held {
		return err
	}
	if err := s.Store.Delete(ctx, f.Name); err != nil {
		return err
	}
	_, err = s.DB.File.Delete().Where(entFile.ID(f.ID), entFile.DigestIsNil()).Exec(ctx)
	return err
}

// pendingTime is how long an object waits for a row that names it, and how old an
// object without a row is before it is set aside.
const pendingTime = time.Hour

// orphanTime is how long an orphan that was set aside is kept.
const orphanTime = 24 * time.Hour

// batch is how many rows or objects are looked up at once.
const batch = 500

// Sweep erases the files that were pending for an hour or are marked, sets orphans aside,
// deletes those of a day ago, and restores those whose row is there again. Any number of
// instances may sweep at once.
func (s *Service) Sweep(ctx context.Context) error {
	ctx = viewer.System(ent.NewContext(ctx, s.DB))
	return errors.Join(s.sweepRows(ctx), s.sweepObjects(ctx))
}

// sweepRows erases the files that were pending for an hour or are marked.
func (s *Service) sweepRows(ctx context.Context) error {
	var failed error
	for last := 0; ; {
		due, err := s.DB.File.Query().
			Where(entFile.IDGT(last), entFile.PendingSinceNotNil(), entFile.Or(entFile.DigestIsNil(), entFile.PendingSinceLT(s.Now().Add(-pendingTime)))).
			Order(ent.Asc(entFile.FieldID)).Limit(batch).All(ctx)
		if err != nil || len(due) == 0 {
			return errors.Join(failed, err)
		}
		for _, f := range due {
			last = f.ID
			failed = errors.Join(failed, s.sweepRow(ctx, f))
		}
	}
}

// sweepRow erases a file if, looked at again, it is still due.
func (s *Service) sweepRow(ctx context.Context, f *ent.File) error {
	erasing := f.Digest == nil || len(*f.Digest) == 0 // ent reads NULL as empty
	if !erasing {
		err := tx.With(ctx, s.DB, func(db *ent.Client) error {
			n, err := db.File.Update().Where(entFile.ID(f.ID), entFile.DigestNotNil(), entFile.PendingSinceLT(s.Now().Add(-pendingTime))).
				AddUses(1).Save(ctx)
			if err != nil || n == 0 {
				return err
			}
			erasing, err = s.unname(ctx, db, f.ID)
			return err
		})
		if err != nil {
			return err
		}
	}
	if !erasing {
		return nil
	}
	return s.erase(ctx, f)
}

// sweepObjects looks for orphans. A row is committed before its object is written: only an
// object whose writer was stopped for an hour has none, or one that is newer than a
// database which was restored. Where the store is not the one that was claimed, nothing
// is touched.
func (s *Service) sweepObjects(ctx context.Context) error {
	if err := s.Store.CheckMark(ctx); err != nil {
		return err
	}
	return errors.Join(
		s.each(ctx, s.Store.Orphans, 0, true, s.restore),
		s.each(ctx, s.Store.Orphans, orphanTime, false, s.Store.Discard),
		s.each(ctx, s.Store.List, pendingTime, false, s.Store.SetAside),
	)
}

// A list lists objects that are at least so old.
type list func(ctx context.Context, age time.Duration, f func(name string) error) error

// each calls act with the names of objects of a list that have a row, or of those that
// have none. It goes on after an error of act, and returns the first.
func (s *Service) each(ctx context.Context, list list, age time.Duration, withRow bool, act func(context.Context, string) error) error {
	var names []string
	var failed error
	flush := func() error {
		known, err := s.DB.File.Query().Where(entFile.NameIn(names...)).Select(entFile.FieldName).Strings(ctx)
		if err != nil {
			return err
		}
		for _, name := range names {
			if slices.Contains(known, name) != withRow {
				continue
			}
			if err := act(ctx, name); err != nil && failed == nil {
				failed = err
			}
		}
		names = names[:0]
		return nil
	}
	err := list(ctx, age, func(name string) error {
		if names = append(names, name); len(names) < batch {
			return nil
		}
		return flush()
	})
	if err == nil && len(names) > 0 {
		err = flush()
	}
	return errors.Join(failed, err)
}

// restore restores an orphan, unless its file is being erased. A file that is erased
// meanwhile has lost its object before: then the restored one is deleted.
func (s *Service) restore(ctx context.Context, name string) error {
	kept := s.DB.File.Query().Where(entFile.Name(name), entFile.DigestNotNil())
	ok, err := kept.Clone().Exist(ctx)
	if err != nil || !ok {
		return err
	}
	if err := s.Store.Restore(ctx, name); err != nil {
		return err
	}
	if ok, err = kept.Exist(ctx); err != nil || ok {
		return err
	}
	return s.Store.Delete(ctx, name)
}

// Knows reports whether one of the objects has a row.
func (s *Service) Knows(ctx context.Context, names []string) (bool, error) {
	return s.DB.File.Query().Where(entFile.NameIn(names...)).Exist(viewer.System(ctx))
}
