package organization

import (
	"context"
	"io"
	"slices"

	"workforce/ent"
	"workforce/ent/holiday"
	"workforce/graph/model"
	"workforce/internal/app/audit"
	"workforce/internal/app/input"
	"workforce/internal/app/tx"
	"workforce/internal/audittrail"
	"workforce/internal/calendar"
	"workforce/internal/errs"
	"workforce/internal/shift"
	"workforce/internal/textform"
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
	Whole   bool // imports nothing if an event is left out
}

// ImportedHolidays says what an import changed, or would change, and what it leaves out.
type ImportedHolidays struct {
	Added, Changed, Unchanged []calendar.Event
	LeftOut                   []calendar.LeftOut
}

// ImportHolidays adds the holidays of a calendar file. One with the UID and date of a
// holiday that was imported before renames it; the same file again changes nothing.
// Holidays that the file does not have stay. An event that cannot be read, or whose new
// name another holiday of the date has, is left out; where the whole file is asked for,
// VALIDATION_FAILED names these events, with a calendar.Place each, and nothing is imported.
func (s *Service) ImportHolidays(ctx context.Context, in HolidayImport) (*ImportedHolidays, error) {
	file, err := readHolidays(ctx, in)
	if err != nil {
		return nil, err
	}
	if err := checkSite(ctx, in.Address); err != nil {
		return nil, err
	}
	known, err := in.holidays(ctx).All(ctx)
	if err != nil {
		return nil, err
	}
	p := newImportPlan(known)
	out := p.follow(file)
	if err := file.Faults(); in.Whole && err != nil {
		return nil, err
	}
	if in.DryRun {
		return out, nil
	}
	if err := p.write(ctx, in); err != nil {
		return nil, input.NameTaken(err, ent.IsConstraintError)
	}
	return out, s.rechargeImported(ctx, in.Company, out.Added)
}

// rechargeImported has leave counted anew from the first to the last date of new holidays.
func (s *Service) rechargeImported(ctx context.Context, company int, added []calendar.Event) error {
	if len(added) == 0 {
		return nil
	}
	dates := make([]string, len(added))
	for i, e := range added {
		dates[i] = string(e.Date)
	}
	return s.recharge(ctx, company, dates...)
}

// holidays returns a query of the holidays of the place that is imported into.
func (in HolidayImport) holidays(ctx context.Context) *ent.HolidayQuery {
	return ent.FromContext(ctx).Holiday.Query().Where(holiday.CompanyID(in.Company), holiday.Place(input.Value(in.Address)))
}

// ImportUpload imports the holidays of an uploaded calendar file into the viewer's
// company, and records that in the audit. RATE_LIMITED where the viewer uploaded too
// much. In the transaction of an operation it works like tx.Outside.
func (s *Service) ImportUpload(ctx context.Context, in model.ImportHolidaysInput) (*ImportedHolidays, error) {
	if err := MayOrganize(ctx); err != nil {
		return nil, err
	}
	if err := s.countUpload(ctx, in.File.File); err != nil {
		return nil, err
	}
	if err := Lock(ctx); err != nil { // equal imports come one after the other
		return nil, err
	}
	me := viewer.From(ctx)
	dry, partial := input.Value(in.DryRun.Value()), in.Partial.Value()
	done, err := s.ImportHolidays(ctx, HolidayImport{
		Company: me.CompanyID, Address: in.AddressID.Value(), File: in.File.File, DryRun: dry, Year: s.Now().In(shift.ZoneNamed(me.Timezone)).Year(),
		Whole: partial != nil && !*partial,
	})
	if err != nil || dry || len(done.Added)+len(done.Changed) == 0 {
		return done, err
	}
	return done, s.Audit.Record(ctx, audit.Event{
		Action: "holidays.imported", Company: me.CompanyID, Subject: ent.TypeCompany, ID: me.CompanyID,
		Facts: map[string]any{"added": len(done.Added), "changed": len(done.Changed), "leftOut": len(done.LeftOut)},
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

// readHolidays reads the file. Events without the name of a holiday are left out.
func readHolidays(ctx context.Context, in HolidayImport) (*calendar.File, error) {
	file, err := calendar.ReadFile(ctx, in.File, in.Year)
	if err != nil {
		return nil, err
	}
	events := file.Events[:0]
	var faults errs.Faults
	for i, e := range file.Events {
		if i == 0 || e.Number != file.Events[i-1].Number {
			faults = nil
			input.Name(&faults, "summary", &e.Name)
			if len(faults) > 0 {
				file.LeaveOut(e, faults[0].Reason, faults[0].Meta)
			}
		}
		if len(faults) == 0 {
			e.Name = input.Name(new(errs.Faults), "summary", &e.Name)
			events = append(events, e)
		}
	}
	file.Events = events
	return file, nil
}

// An importPlan knows the holidays that there are, and those that an import changes.
type importPlan struct {
	byUID, byName    map[string]*ent.Holiday // by date, and UID or name
	known            map[int]ent.Row         // as they were
	renamed, created []*ent.Holiday
}

func newImportPlan(known []*ent.Holiday) *importPlan {
	p := &importPlan{byUID: map[string]*ent.Holiday{}, byName: map[string]*ent.Holiday{}, known: map[int]ent.Row{}}
	for _, h := range known {
		was := *h
		p.known[h.ID] = ent.Row{Company: h.CompanyID, Value: &was}
		p.add(h)
	}
	return p
}

func (p *importPlan) add(h *ent.Holiday) {
	if h.UID != nil {
		p.byUID[uidKey(h.Date, *h.UID)] = h
	}
	p.byName[nameKey(h)] = h
}

// nameKey returns what no two holidays of a place have: the date with the name.
func nameKey(h *ent.Holiday) string { return h.Date + textform.SortKey(h.Name) }

// uidKey returns what no two events of a place have: the date with the UID.
func uidKey(date, uid string) string { return date + uid }

// of returns the holiday that was made of an event before; nil for none, and for an event
// without a UID.
func (p *importPlan) of(e calendar.Event) *ent.Holiday {
	if e.UID == "" {
		return nil
	}
	return p.byUID[uidKey(string(e.Date), e.UID)]
}

// follow lists what the events of a file change. Holidays are renamed first, as long as there is
// one whose new name is free: they may give up a name that another one gets. Each list is in the
// order of the file. Events whose name is taken are left out.
func (p *importPlan) follow(file *calendar.File) *ImportedHolidays {
	out, lists := &ImportedHolidays{}, make([]*[]calendar.Event, len(file.Events))
	for more := true; more; {
		more = false
		for i, e := range file.Events {
			if h := p.of(e); h != nil && lists[i] == nil {
				lists[i] = p.rename(h, e, out)
				more = more || lists[i] != nil
			}
		}
	}
	for i, e := range file.Events {
		if h := p.of(e); lists[i] == nil && h != nil && h.ID != 0 {
			file.LeaveOut(e, errs.AlreadyTaken, nil)
			continue
		}
		if lists[i] == nil {
			lists[i] = p.create(e, out)
		}
		*lists[i] = append(*lists[i], e)
	}
	out.LeftOut = file.LeftOut
	return out
}

// rename gives a holiday the name of its event, and returns the list to which that belongs;
// nil where another holiday of the date has the name.
func (p *importPlan) rename(h *ent.Holiday, e calendar.Event, out *ImportedHolidays) *[]calendar.Event {
	if h.Name == e.Name {
		return &out.Unchanged
	}
	next := *h
	next.Name = e.Name
	if other := p.byName[nameKey(&next)]; other != nil && other != h {
		return nil
	}
	delete(p.byName, nameKey(h))
	h.Name = e.Name
	p.byName[nameKey(h)] = h
	p.renamed = append(p.renamed, h)
	return &out.Changed
}

// create adds the holiday of an event, unless one has its name.
func (p *importPlan) create(e calendar.Event, out *ImportedHolidays) *[]calendar.Event {
	h := &ent.Holiday{Date: string(e.Date), Name: e.Name}
	if e.UID != "" {
		h.UID = &e.UID
	}
	if p.byName[nameKey(h)] != nil {
		return &out.Unchanged
	}
	p.add(h)
	p.created = append(p.created, h)
	return &out.Added
}

// written is how many holidays one statement writes.
const written = 500

// write writes what changes, and records it in the audit.
func (p *importPlan) write(ctx context.Context, in HolidayImport) error {
	db, quiet := ent.FromContext(ctx), audittrail.WithoutTrail(ctx)
	before := map[int]ent.Row{}
	for _, h := range p.renamed {
		before[h.ID] = p.known[h.ID]
		if err := db.Holiday.Update().Where(holiday.ID(h.ID)).SetName(h.Name).Exec(quiet); err != nil {
			return err
		}
	}
	for part := range slices.Chunk(p.created, written) {
		err := db.Holiday.MapCreateBulk(part, func(row *ent.HolidayCreate, i int) {
			row.SetCompanyID(in.Company).SetNillableAddressID(in.Address).SetName(part[i].Name).SetDate(part[i].Date).SetNillableUID(part[i].UID)
		}).Exec(quiet)
		if err != nil {
			return err
		}
	}
	now, err := in.holidays(ctx).All(viewer.System(ctx)) // who writes need not read
	if err != nil {
		return err
	}
	after := map[int]ent.Row{}
	for _, h := range now {
		_, changed := before[h.ID]
		if _, known := p.known[h.ID]; changed || !known {
			after[h.ID] = ent.Row{Company: h.CompanyID, Value: h}
		}
	}
	return audit.Changes(ctx, ent.TypeHoliday, before, after)
}
