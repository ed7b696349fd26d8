package site

import (
	"context"
	"fmt"
	"io"

	"workforce/ent"
	"workforce/ent/holiday"
	"workforce/graph/model"
	"workforce/internal/app/audit"
	"workforce/internal/app/input"
	"workforce/internal/app/organization"
	"workforce/internal/app/tx"
	"workforce/internal/calendar"
	"workforce/internal/contact"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// A HolidayImport is a calendar file that is imported into the holidays of a company, or
// of one of its addresses.
type HolidayImport struct {
	Company int
	Address *int
	File    io.Reader
	Year    int  // the first of the two whose recurrences count
	DryRun  bool // changes nothing
}

// ImportedHolidays says what an import changed, or would change.
type ImportedHolidays struct {
	Added, Changed, Unchanged []calendar.Event
}

// ImportHolidays adds the holidays of a calendar file. One with the UID and date of a
// holiday that was imported before renames it; the same file again changes nothing.
// Holidays that the file does not have stay.
func (s *Service) ImportHolidays(ctx context.Context, in HolidayImport) (*ImportedHolidays, error) {
	events, err := readHolidays(in)
	if err != nil {
		return nil, err
	}
	if err := checkSite(ctx, in.Address); err != nil {
		return nil, err
	}
	known, err := ent.FromContext(ctx).Holiday.Query().
		Where(holiday.CompanyID(in.Company), holiday.Place(input.Value(in.Address))).All(ctx)
	if err != nil {
		return nil, err
	}
	out := &ImportedHolidays{}
	plan := newImportPlan(known)
	for _, e := range events {
		if err := plan.apply(ctx, in, e, out); err != nil {
			return nil, input.NameTaken(err, ent.IsConstraintError)
		}
	}
	return out, nil
}

// ImportUpload imports the holidays of an uploaded calendar file into the viewer's
// company, and records that in the audit. RATE_LIMITED where the viewer uploaded too
// much. In the transaction of an operation it works like tx.Outside.
func (s *Service) ImportUpload(ctx context.Context, in model.ImportHolidaysInput) (*ImportedHolidays, error) {
	if err := organization.MayOrganize(ctx); err != nil {
		return nil, err
	}
	if err := s.countUpload(ctx, in.File.File); err != nil {
		return nil, err
	}
	if err := organization.Lock(ctx); err != nil { // equal imports come one after the other
		return nil, err
	}
	me := viewer.From(ctx)
	dry := input.Value(in.DryRun.Value())
	done, err := s.ImportHolidays(ctx, HolidayImport{
		Company: me.CompanyID, Address: in.AddressID.Value(), File: in.File.File, DryRun: dry, Year: s.Now().Year(),
	})
	if err != nil || dry || len(done.Added)+len(done.Changed) == 0 {
		return done, err
	}
	return done, s.Audit.Record(ctx, audit.Event{
		Action: "holidays.imported", Company: me.CompanyID, Subject: ent.TypeCompany, ID: me.CompanyID,
		Facts: map[string]any{"added": len(done.Added), "changed": len(done.Changed)},
	})
}

// countUpload counts a file as uploaded, once, and goes to its beginning: the operation
// may run again.
func (s *Service) countUpload(ctx context.Context, file io.ReadSeeker) error {
	size, err := file.Seek(0, io.SeekEnd)
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		return &errs.Error{Code: errs.Unavailable, Err: err}
	}
	type key struct{ size int64 }
	_, err = tx.Outside(ctx, key{size}, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, s.Uploads.Upload(ctx, s.DB, int(size))
	})
	return err
}

// readHolidays reads the file, or fails with the faults of its events.
func readHolidays(in HolidayImport) ([]calendar.Event, error) {
	events, err := calendar.ReadFile(in.File, in.Year)
	if err != nil {
		return nil, err
	}
	var faults errs.Faults
	for i, e := range events {
		if i == 0 || e.Number != events[i-1].Number {
			events[i].Name = input.Name(&faults, fmt.Sprintf("events.%d.summary", e.Number), &e.Name)
		} else {
			events[i].Name = events[i-1].Name
		}
	}
	return events, faults.Err()
}

// An importPlan knows the holidays that there are.
type importPlan struct {
	byUID  map[string]*ent.Holiday
	byName map[string]bool
}

func newImportPlan(known []*ent.Holiday) importPlan {
	p := importPlan{map[string]*ent.Holiday{}, map[string]bool{}}
	for _, h := range known {
		p.add(h)
	}
	return p
}

func (p importPlan) add(h *ent.Holiday) {
	if h.UID != nil {
		p.byUID[h.Date+*h.UID] = h
	}
	p.byName[h.Date+contact.SortKey(h.Name)] = true
}

// apply adds or renames the holiday of an event, unless the run is dry, and lists it.
func (p importPlan) apply(ctx context.Context, in HolidayImport, e calendar.Event, out *ImportedHolidays) error {
	date := string(e.Date)
	known := p.byUID[date+e.UID]
	switch {
	case known != nil && known.Name == e.Name, known == nil && p.byName[date+contact.SortKey(e.Name)]:
		out.Unchanged = append(out.Unchanged, e)
		return nil
	case known != nil:
		out.Changed = append(out.Changed, e)
		known.Name = e.Name
		if in.DryRun {
			return nil
		}
		return ent.FromContext(ctx).Holiday.UpdateOneID(known.ID).SetName(e.Name).Exec(ctx)
	}
	out.Added = append(out.Added, e)
	p.add(&ent.Holiday{UID: &e.UID, Date: date, Name: e.Name})
	if in.DryRun {
		return nil
	}
	h, err := ent.FromContext(ctx).Holiday.Create().SetCompanyID(in.Company).SetNillableAddressID(in.Address).
		SetName(e.Name).SetDate(date).SetUID(e.UID).Save(ctx)
	if err == nil {
		p.add(h)
	}
	return err
}
