package transfer

import (
	"bytes"
	"context"
	"crypto/sha256"
	"io"
	"slices"
	"unicode"

	"workforce/ent"
	"workforce/internal/app/history"
	"workforce/internal/app/organization"
	"workforce/internal/app/tx"
	"workforce/internal/errs"
	"workforce/internal/table"
	"workforce/internal/viewer"
)

// The bounds of an import by a caller. Its rows are written while they wait: to move
// 250 people and change their designations takes most of a second of CPU time.
const (
	maxUpload = 10 << 20 // bytes
	maxPeople = 250
)

// An Upload is a table that a caller imports into their company.
type Upload struct {
	Field                   string // of the request, for errors
	File                    io.ReadSeeker
	DryRun, Partial, Invite bool // as in Options
}

// ImportUpload imports a table in the name of the viewer, who needs user.write.all, in
// the transaction of ctx. People above the viewer are faults. Without Partial, nobody is
// counted of a table with faults. In the transaction of an operation it works like
// tx.Outside. UNSUPPORTED_MEDIA_TYPE for what is no table, PAYLOAD_TOO_LARGE,
// RATE_LIMITED where the viewer uploaded too much, and CONFLICT where somebody wrote the same meanwhile or the last owner would leave.
func (s *Service) ImportUpload(ctx context.Context, in Upload) (*Result, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	if me.Scope("user", "write") < viewer.All {
		return nil, errs.New(errs.Forbidden, nil)
	}
	read, err := s.open(ctx, in)
	if err != nil || len(read.faults) > 0 {
		return (&Result{}).with(slices.Clone(read.faults)), err
	}
	if err := organization.Lock(ctx); err != nil { // equal imports come one after the other
		return nil, err
	}
	o := Options{Company: me.CompanyID, CreatedBy: me.UserID, Partial: in.Partial, Invite: in.Invite, Progress: func(int, int) {}, caller: me}
	p, err := s.plan(ctx, read.lines, o)
	if err != nil {
		return nil, err
	}
	if len(p.faults) > 0 && !in.Partial {
		return (&Result{}).with(p.faults), nil
	}
	if err := s.keepOwners(ctx, p); err != nil || in.DryRun {
		return p.result(), err
	}
	return p.result(), conflict(s.write(viewer.System(ctx), p.rows, 0, len(p.rows), o, p))
}

// An opened is a table that was read.
type opened struct {
	lines  []line
	faults []Fault
}

// open reads a table outside of any transaction.
func (s *Service) open(ctx context.Context, in Upload) (opened, error) {
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
	return tx.Outside(ctx, key{sha256.Sum256(data)}, func(ctx context.Context) (out opened, err error) {
		if err := s.Uploads.Upload(ctx, s.DB, len(data)); err != nil {
			return out, err
		}
		leave, err := s.Tables.Enter(ctx)
		if err != nil {
			return out, err
		}
		defer leave()
		if !isTable(data) {
			return out, errs.Field(errs.UnsupportedMediaType, in.Field, errs.Meta{"allowed": []string{"text/csv", table.XLSX}})
		}
		out.lines, out.faults, err = read(bytes.NewReader(data))
		if len(out.lines) > maxPeople {
			tooMany := errs.Fault{Code: errs.Invalid, Reason: errs.TooMany, Meta: errs.Meta{"max": maxPeople}}
			out = opened{faults: []Fault{{Row: out.lines[maxPeople].row, Fault: tooMany}}}
		}
		return out, err
	})
}

// isTable reports whether data may be a workbook, or is text.
func isTable(data []byte) bool {
	return table.IsXLSX(data) || len(data) > 0 && !bytes.HasPrefix(data, []byte("PK")) && !bytes.ContainsFunc(data, func(c rune) bool {
		return unicode.IsControl(c) && c != '\t' && c != '\r' && c != '\n'
	})
}

// keepOwners returns CONFLICT where the rows leave a company without an active owner.
func (s *Service) keepOwners(ctx context.Context, p *plan) error {
	today := history.Today(ctx, s.Now())
	var leaving []*ent.User
	for _, row := range p.rows {
		u := row.user
		if u == nil || !u.Active || !row.changes() || row.LeftOn == "" && row.JoinedOn <= today {
			continue
		}
		if slices.ContainsFunc(u.Edges.Roles, func(r *ent.Role) bool { return r.Builtin != nil && *r.Builtin == viewer.Owner }) {
			leaving = append(leaving, u)
		}
	}
	if len(leaving) == 0 {
		return nil
	}
	return organization.KeepOwner(ctx, leaving...)
}
