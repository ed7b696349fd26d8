package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"workforce/ent"
	"workforce/ent/address"
	"workforce/ent/business"
	"workforce/ent/clockstate"
	"workforce/ent/company"
	entSetting "workforce/ent/setting"
	entShift "workforce/ent/shift"
	"workforce/ent/user"
	"workforce/internal/app/scheduling"
	"workforce/internal/app/tx"
)

// largeMark names the setting that tells how far the large company is filled.
const largeMark = "demo large company"

// weeksAtOnce is of how many weeks one transaction makes the work.
const weeksAtOnce = 4

// progress is the value of largeMark.
type progress struct {
	Scale   int       `json:"scale"`
	Company int       `json:"company"`
	Now     time.Time `json:"now"`   // the end of its year
	Weeks   int       `json:"weeks"` // of yearWeeks that are filled
	Done    bool      `json:"done"`
}

// FillLarge adds the large company to a database of the demo: 50 people times scale, with a
// year of work that ends now. A scale of 1 adds nothing. The year is filled in transactions of
// some weeks, and the database tells how many are; a call after one that was stopped goes on,
// with the scale and the end of that one, and a call after one that was not does nothing. The
// context is the system's; hash returns the hash of everybody's password.
func FillLarge(ctx context.Context, db *ent.Client, log *slog.Logger, now time.Time, scale int, hash func(context.Context) (string, error)) error {
	p, err := readProgress(ctx, db)
	if err == nil && p == nil && scale > 1 {
		log.InfoContext(ctx, "demo: adding the large company", "people", teamSize*scale)
		p, err = beginLarge(ctx, db, now.UTC().Truncate(time.Microsecond), scale, hash)
	}
	if err != nil || p == nil {
		return err
	}
	if scale > 1 && scale != p.Scale {
		log.WarnContext(ctx, "demo: the large company stays as it was made", "scale", p.Scale, "asked", scale)
	}
	if p.Done {
		return nil
	}
	f, err := p.read(ctx, db)
	for err == nil && !p.Done {
		log.InfoContext(ctx, "demo: filling the large company", "weeks", p.Weeks, "of", yearWeeks)
		if err = p.step(ctx, db, f); err != nil {
			break
		}
		var now *progress
		if now, err = readProgress(ctx, db); now != nil { // another instance may have gone on
			p = now
		} else if err == nil {
			err = errors.New("somebody deleted the setting " + largeMark)
		}
	}
	if err != nil {
		return fmt.Errorf("demo: the large company, of which %d of %d weeks are filled; the next start goes on: %w", p.Weeks, yearWeeks, err)
	}
	log.InfoContext(ctx, "demo: the large company is filled", "owner", LargeOwner)
	return nil
}

// readProgress returns how far the large company is filled; nil where there is none.
func readProgress(ctx context.Context, db *ent.Client) (*progress, error) {
	value, err := db.Setting.Query().Where(entSetting.Name(largeMark)).Select(entSetting.FieldValue).Strings(ctx)
	if err != nil || len(value) == 0 {
		return nil, err
	}
	p := &progress{}
	return p, json.Unmarshal([]byte(value[0]), p)
}

// text is the value of the setting.
func (p *progress) text() string {
	text, _ := json.Marshal(p) // numbers and an instant
	return string(text)
}

// beginLarge creates the large company without its work. The mark is a unique key, so that
// of several instances a single one creates it. Nobody else makes occurrences of its people
// before it is filled.
func beginLarge(ctx context.Context, db *ent.Client, now time.Time, scale int, hash func(context.Context) (string, error)) (*progress, error) {
	passwordHash, err := hash(ctx)
	if err != nil {
		return nil, err
	}
	p := &progress{Scale: scale, Now: now}
	err = tx.With(ctx, db, func(db *ent.Client) error {
		mark, err := db.Setting.Create().SetName(largeMark).SetValue(p.text()).Save(ctx)
		if err != nil {
			return err
		}
		f, err := large(scale).begin(ctx, db, now, passwordHash)
		if err != nil {
			return err
		}
		if err := addTasks(ctx, f); err != nil {
			return err
		}
		err = db.ClockState.Update().Where(clockstate.CompanyID(f.company.ID)).SetPlannedUntil("9998-12-31").Exec(ctx)
		if err != nil {
			return err
		}
		p.Company = f.company.ID
		return mark.Update().SetValue(p.text()).Exec(ctx)
	})
	if ent.IsConstraintError(err) { // another instance was faster
		if other, _ := readProgress(ctx, db); other != nil {
			return other, nil
		}
	}
	return p, err
}

// read returns a filler that knows the rows that beginLarge created.
func (p *progress) read(ctx context.Context, db *ent.Client) (*filler, error) {
	f, err := large(p.Scale).filler(db, p.Now)
	if err != nil {
		return nil, err
	}
	if f.company, err = db.Company.Query().Where(company.ID(p.Company)).Only(ctx); err != nil {
		return nil, err
	}
	for _, step := range []func(context.Context, *filler) error{readPlaces, readShifts, readPeople, readAssignments} {
		if err := step(ctx, f); err != nil {
			return nil, err
		}
	}
	return f, nil
}

func readPlaces(ctx context.Context, f *filler) error {
	sites, err := f.db.Address.Query().Where(address.CompanyID(f.company.ID)).All(ctx)
	if err != nil {
		return err
	}
	for _, s := range sites {
		f.sites[s.Name] = s
	}
	findWorkplaces(f)
	units, err := f.db.Business.Query().Where(business.CompanyID(f.company.ID)).All(ctx)
	for _, u := range units {
		f.units[u.Name] = u
	}
	return err
}

func readShifts(ctx context.Context, f *filler) error {
	rows, err := f.db.Shift.Query().Where(entShift.CompanyID(f.company.ID)).All(ctx)
	for _, s := range rows {
		f.shifts[s.Name] = s
	}
	return err
}

// readPeople reads the people in the order in which they are described.
func readPeople(ctx context.Context, f *filler) error {
	rows, err := f.db.User.Query().Where(user.CompanyID(f.company.ID)).Select(user.FieldCompanyID, user.FieldEmail).All(ctx)
	if err != nil {
		return err
	}
	by := make(map[string]*ent.User, len(rows))
	for _, u := range rows {
		by[u.Email] = u
	}
	f.users = make([]*ent.User, len(f.people))
	for i, p := range f.people {
		if f.users[i] = by[p.email]; f.users[i] == nil {
			return fmt.Errorf("%s is gone", p.email)
		}
	}
	return nil
}

// step fills the next weeks in one transaction, or does nothing where another instance did.
func (p *progress) step(ctx context.Context, db *ent.Client, f *filler) error {
	next, from := *p, firstDate(f).AddDays(7*p.Weeks)
	next.Weeks = min(p.Weeks+weeksAtOnce, yearWeeks)
	until := firstDate(f).AddDays(7 * next.Weeks)
	if next.Done = p.Weeks == yearWeeks; next.Done {
		until = scheduling.Last(p.Now).AddDays(1)
	}
	return tx.Run(ctx, db, func(ctx context.Context) error {
		db := ent.FromContext(ctx)
		n, err := db.Setting.Update().Where(entSetting.Name(largeMark), entSetting.Value(p.text())).SetValue(next.text()).Save(ctx)
		if err != nil || n == 0 {
			return err
		}
		f := within(f, db)
		if err := addWork(ctx, f, from, until); err != nil || !next.Done {
			return err
		}
		return finish(ctx, f)
	})
}

// within returns the filler in the transaction of db.
func within(f *filler, db *ent.Client) *filler {
	in := *f
	in.db = db
	return &in
}

// finish adds what the first people of the large company ask for, as in the other companies,
// decides about the overtime of all, and has the server make occurrences from now on.
func finish(ctx context.Context, f *filler) error {
	few := *f
	few.people, few.users = f.people[:teamSize], f.users[:teamSize]
	for _, step := range []func(context.Context) error{
		few.addRequests,
		func(ctx context.Context) error { return addCalendar(ctx, &few) },
		func(ctx context.Context) error { return addTime(ctx, &few) },
		func(ctx context.Context) error { return addTickets(ctx, &few) },
		f.decideOvertime,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return f.db.ClockState.Update().Where(clockstate.CompanyID(f.company.ID)).SetPlannedUntil(string(scheduling.Last(f.now))).Exec(ctx)
}
