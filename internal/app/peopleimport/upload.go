package peopleimport

import (
	"bytes"
	"context"
	"crypto/sha256"
	"io"
	"slices"
	"unicode"

	"workforce/ent"
	"workforce/internal/app/files"
	"workforce/internal/app/organization"
	"workforce/internal/app/tx"
	"workforce/internal/errs"
	"workforce/internal/table"
	"workforce/internal/viewer"
)

// The bounds of an import by a caller. As many people as maxAtOnce are written while they
// wait: to move 250 people and change their designations takes most of a second of CPU
// time. More are left to a job.
const (
	maxUpload = 10 << 20 // bytes
	maxAtOnce = 250
)

// An Upload is a table that a caller imports into their company.
type Upload struct {
	Field                   string // of the request, for errors
	File                    io.ReadSeeker
	DryRun, Partial, Invite bool // as in Options
}

// ImportUpload imports a table in the name of the viewer, who needs user.write.all, in
// the transaction of ctx, or queues a job for one of more than maxAtOnce people. People
// above the viewer and the last owner's last day are faults. Without Partial, nobody is
// counted of a table with faults. In the transaction of an operation it works like
// tx.Outside. UNSUPPORTED_MEDIA_TYPE for what is no table, PAYLOAD_TOO_LARGE,
// RATE_LIMITED where the viewer uploaded too much or too many
// jobs wait, and CONFLICT where somebody wrote the same meanwhile.
func (s *Service) ImportUpload(ctx context.Context, in Upload) (*Result, *Job, error) {
	me, err := mayImport(ctx)
	if err != nil {
		return nil, nil, err
	}
	read, err := s.open(ctx, me, in)
	if err != nil || len(read.faults) > 0 {
		return (&Result{}).with(slices.Clone(read.faults)), nil, err
	}
	if err := organization.Lock(ctx); err != nil { // equal imports come one after the other
		return nil, nil, err
	}
	for try := 1; read.file != nil; try++ {
		queued, err := s.queue(viewer.System(ctx), me, in, read)
		if try == tx.Tries || !errs.Is(err, errs.Unavailable) {
			return &Result{}, queued, err
		}
		if read.file, err = s.storeAgain(ctx, me, read.data, try); err != nil {
			return nil, nil, err
		}
	}
	r, err := s.importNow(ctx, Options{
		Company: me.CompanyID, CreatedBy: me.UserID, DryRun: in.DryRun, Partial: in.Partial, Invite: in.Invite, caller: me,
	}, read.lines)
	return r, nil, err
}

// mayImport returns the viewer, who needs user.write.all.
func mayImport(ctx context.Context) (*viewer.Viewer, error) {
	me, err := viewer.Require(ctx)
	if err == nil && me.Scope("user", "write") < viewer.All {
		err = errs.New(errs.Forbidden, nil)
	}
	return me, err
}

// importNow imports rows in the transaction of ctx.
func (s *Service) importNow(ctx context.Context, o Options, lines []line) (*Result, error) {
	p, err := s.plan(ctx, o)
	if err != nil {
		return nil, err
	}
	rows, err := p.check(ctx, lines)
	if err != nil {
		return nil, err
	}
	if len(p.faults) > 0 && !o.Partial {
		return (&Result{}).with(p.faults), nil
	}
	if o.DryRun {
		return p.result(), nil
	}
	return p.result(), conflict(s.writeRows(ctx, p, rows, o))
}

// An opened is a table that was read.
type opened struct {
	lines  []line
	faults []Fault
	people int
	data   []byte
	file   *ent.File // the table, where a job is to import it
}

// open reads a table outside of any transaction, and stores one that a job is to import.
func (s *Service) open(ctx context.Context, me *viewer.Viewer, in Upload) (opened, error) {
	_, err := in.File.Seek(0, io.SeekStart) // the operation may run again
	if err != nil {
		return opened{}, &errs.Error{Code: errs.Unavailable, Err: err}
	}
	data, err := io.ReadAll(io.LimitReader(in.File, maxUpload+1))
	switch {
	case err != nil:
		return opened{}, &errs.Error{Code: errs.Unavailable, Err: err}
	case len(data) > maxUpload:
		return opened{}, errs.Field(errs.PayloadTooLarge, in.Field, errs.Meta{"limit": maxUpload})
	}
	type key struct{ digest [sha256.Size]byte }
	out, err := tx.Outside(ctx, key{sha256.Sum256(data)}, func(ctx context.Context) (out opened, err error) {
		if err := s.Uploads.Upload(ctx, s.DB, len(data)); err != nil {
			return out, err
		}
		if !isTable(data) {
			return out, errs.Field(errs.UnsupportedMediaType, in.Field, errs.Meta{"allowed": []string{"text/csv", table.XLSX}})
		}
		if out, err = s.readTable(ctx, bytes.NewReader(data)); err != nil || len(out.lines) <= maxAtOnce {
			return out, err
		}
		out.lines = nil
		out.file, err = s.store(ctx, me, data)
		return out, err
	})
	out.data = data
	return out, err
}

// store stores a table, outside of any transaction.
func (s *Service) store(ctx context.Context, me *viewer.Viewer, data []byte) (*ent.File, error) {
	return s.Files.Put(ctx, me.CompanyID, files.Content{Data: data, MediaType: mediaType(data)})
}

// storeAgain stores a table that was erased before it was used, with the end of an equal
// import.
func (s *Service) storeAgain(ctx context.Context, me *viewer.Viewer, data []byte, try int) (*ent.File, error) {
	type key struct {
		digest [sha256.Size]byte
		try    int
	}
	return tx.Outside(ctx, key{sha256.Sum256(data), try}, func(ctx context.Context) (*ent.File, error) { return s.store(ctx, me, data) })
}

// readTable reads a table in its turn.
func (s *Service) readTable(ctx context.Context, r io.Reader) (out opened, err error) {
	leave, err := s.Tables.Enter(ctx)
	if err != nil {
		return out, err
	}
	defer leave()
	out.lines, out.faults, err = read(r)
	out.people = len(out.lines)
	return out, err
}

func mediaType(data []byte) string {
	if table.IsXLSX(data) {
		return table.XLSX
	}
	return "text/csv"
}

// isTable reports whether data may be a workbook, or is text or nothing, also in UTF-16 with its mark.
func isTable(data []byte) bool {
	return table.IsXLSX(data) || bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) ||
		!bytes.HasPrefix(data, []byte("PK")) && !bytes.ContainsFunc(data, func(c rune) bool {
			return unicode.IsControl(c) && c != '\t' && c != '\r' && c != '\n'
		})
}
