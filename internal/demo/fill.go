package demo

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"workforce/ent"
	"workforce/ent/shiftassignment"
	"workforce/internal/app/organization"
	"workforce/internal/app/people"
	"workforce/internal/contact"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// pastDays is how many past days the demo has attendance of.
const pastDays = 14

// companyData describes a company of the demo. Its parts refer to one another by
// name.
type companyData struct {
	name, timezone string
	seed           uint64 // of what varies from day to day
	designations   []titleData
	sites          []siteData
	units          []unitData
	shifts         []shiftData
	people         []personData
	weeks          int // of past attendance before this week; 0 is pastDays in all
}

// titleData describes a designation.
type titleData struct {
	name, parent string // the parent comes before; "" for a topmost one
}

// siteData describes a work site; its radius is in metres, its position in degrees.
type siteData struct {
	name, address string
	lat, lng      float64
	radius        int
	unit          string // the business that it belongs to
}

// unitData describes a business. Its people clock in at the site.
type unitData struct {
	name, parent string // the parent comes before; "" for the topmost
	manager      string // e-mail address; "" for none
	site         string
}

// shiftData describes a shift, and when those who have it are at work.
type shiftData struct {
	name        string
	hours       shift.Shift // in the company's zone
	graces      bool        // whether one can be late or leave early
	from, until shift.Clock
}

// personData describes an employee.
type personData struct {
	name, email    string
	number         string // without the country's code; "" for none
	verified       bool
	gender, locale string
	role           string // "" is an employee
	unit           string
	titles         []string
	shift          string
	days           int // of work a week, from Monday on
	joined         int // days ago
}

// A filler fills in one company: each step uses what earlier steps made.
type filler struct {
	companyData
	db           *ent.Client
	now          time.Time
	passwordHash string

	company      *ent.Company
	zone         *time.Location
	random       *rand.Rand
	designations map[string]int
	sites        map[string]*ent.Address
	workplaces   map[string]*ent.Address // of the businesses
	units        map[string]*ent.Business
	shifts       map[string]*ent.Shift
	users        []*ent.User // in the order of people
	assignments  map[int]*ent.ShiftAssignment
}

// create fills the company into a database, in the transaction of db.
func (d companyData) create(ctx context.Context, db *ent.Client, now time.Time, passwordHash string) error {
	f, err := d.begin(ctx, db, now, passwordHash)
	if err != nil {
		return err
	}
	for _, step := range []func(context.Context) error{
		f.planToday, f.addAttendance, f.forget, f.addResults, f.addRequests,
		func(ctx context.Context) error { return addCalendar(ctx, f) },
		func(ctx context.Context) error { return addTasks(ctx, f) },
		func(ctx context.Context) error { return addTime(ctx, f) },
		func(ctx context.Context) error { return addTickets(ctx, f) },
		func(ctx context.Context) error { return addInbox(ctx, f) },
		func(ctx context.Context) error { return addToday(ctx, f) },
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// begin creates the company with its people and their shifts, in the transaction of db.
func (d companyData) begin(ctx context.Context, db *ent.Client, now time.Time, passwordHash string) (*filler, error) {
	f, err := d.filler(db, now)
	if err != nil {
		return nil, err
	}
	f.passwordHash = passwordHash
	if f.company, err = organization.CreateCompany(ctx, db, now, d.name, d.timezone, "id"); err != nil {
		return nil, err
	}
	for _, step := range []func(context.Context) error{
		f.addDesignations, f.addUnits, f.addSites, f.addPeople, f.appointManagers, f.addShifts, f.assignShifts,
	} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// filler returns a filler of the company that knows no row of it.
func (d companyData) filler(db *ent.Client, now time.Time) (*filler, error) {
	zone, err := shift.Zone(d.timezone)
	return &filler{
		companyData: d, db: db, now: now, zone: zone,
		random:       rand.New(rand.NewPCG(d.seed, 0)),
		designations: map[string]int{},
		sites:        map[string]*ent.Address{},
		workplaces:   map[string]*ent.Address{},
		units:        map[string]*ent.Business{},
		shifts:       map[string]*ent.Shift{},
		assignments:  map[int]*ent.ShiftAssignment{},
	}, err
}

// today is the company's local date.
func (f *filler) today() shift.Date { return shift.DateOf(f.now, f.zone) }

// firstDate is the first date of which there is attendance.
func firstDate(f *filler) shift.Date {
	if f.weeks > 0 {
		return f.today().Monday().AddDays(-7 * f.weeks)
	}
	return f.today().AddDays(-pastDays)
}

func (f *filler) addDesignations(ctx context.Context) error {
	for _, title := range f.companyData.designations {
		create := f.db.Designation.Create().SetCompanyID(f.company.ID).SetName(title.name)
		if title.parent != "" {
			create.SetParentID(f.designations[title.parent])
		}
		d, err := create.Save(ctx)
		if err != nil {
			return err
		}
		f.designations[title.name] = d.ID
	}
	return nil
}

func (f *filler) addSites(ctx context.Context) error {
	for _, s := range f.companyData.sites {
		site, err := f.db.Address.Create().
			SetCompanyID(f.company.ID).
			SetName(s.name).
			SetAddress(s.address).
			SetLatitude(s.lat).
			SetLongitude(s.lng).
			SetRadius(s.radius).
			SetBusinessID(f.units[s.unit].ID).
			Save(ctx)
		if err != nil {
			return err
		}
		f.sites[s.name] = site
	}
	findWorkplaces(f)
	return nil
}

// findWorkplaces finds the sites of the businesses.
func findWorkplaces(f *filler) {
	for _, u := range f.companyData.units {
		f.workplaces[u.name] = f.sites[u.site]
	}
}

func (f *filler) addUnits(ctx context.Context) error {
	for _, u := range f.companyData.units {
		create := f.db.Business.Create().SetCompanyID(f.company.ID).SetName(u.name)
		if u.parent != "" {
			create.SetParentID(f.units[u.parent].ID)
		}
		unit, err := create.Save(ctx)
		if err != nil {
			return err
		}
		f.units[u.name] = unit
	}
	return nil
}

// atOnce is how many people one statement creates or gives a shift.
const atOnce = 200

func (f *filler) addPeople(ctx context.Context) error {
	for part := range slices.Chunk(f.people, atOnce) {
		users := make([]people.NewUser, len(part))
		for i, p := range part {
			users[i] = f.person(p)
		}
		made, err := people.CreateUsers(ctx, f.db, f.company, f.now, users...)
		if err != nil {
			return err
		}
		f.users = append(f.users, made...)
	}
	return nil
}

func (f *filler) person(p personData) people.NewUser {
	mobile := contact.NoNumber()
	if p.number != "" {
		indonesia := 62
		mobile = contact.Number{CountryCode: &indonesia, Number: &p.number}
	}
	titles := make([]int, len(p.titles))
	for i, title := range p.titles {
		titles[i] = f.designations[title]
	}
	if p.role == "" {
		p.role = viewer.Employee
	}
	return people.NewUser{
		Name:         p.name,
		Email:        p.email,
		Mobile:       mobile,
		Verified:     p.verified,
		Gender:       p.gender,
		Locale:       p.locale,
		PasswordHash: f.passwordHash,
		JoinedOn:     string(f.today().AddDays(-p.joined)),
		Role:         p.role,
		Business:     f.units[p.unit].ID,
		Designations: titles,
	}
}

func (f *filler) appointManagers(ctx context.Context) error {
	for _, u := range f.companyData.units {
		i := slices.IndexFunc(f.people, func(p personData) bool { return p.email == u.manager })
		if i < 0 {
			continue
		}
		if err := f.units[u.name].Update().SetManagerID(f.users[i].ID).Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (f *filler) addShifts(ctx context.Context) error {
	for _, s := range f.companyData.shifts {
		create := f.db.Shift.Create().
			SetCompanyID(f.company.ID).
			SetName(s.name).
			SetStartTime(string(s.hours.Start)).
			SetEndTime(string(s.hours.End)).
			SetOpensBeforeMinutes(s.hours.OpensBefore).
			SetClosesAfterMinutes(s.hours.ClosesAfter).
			SetBreaks(breakTexts(s.hours.Breaks))
		if s.graces {
			create.SetLateGraceMinutes(0).SetEarlyGraceMinutes(0)
		}
		row, err := create.Save(ctx)
		if err != nil {
			return err
		}
		f.shifts[s.name] = row
	}
	return nil
}

func breakTexts(breaks []shift.Break) []string {
	texts := make([]string, len(breaks))
	for i, b := range breaks {
		texts[i] = fmt.Sprintf("%s-%s", b.Start, b.End)
	}
	return texts
}

// assignShifts gives everybody their shift, from the first of the past days or
// the day they joined, on and on.
func (f *filler) assignShifts(ctx context.Context) error {
	at := 0
	for part := range slices.Chunk(f.people, atOnce) {
		err := f.db.ShiftAssignment.MapCreateBulk(part, func(a *ent.ShiftAssignmentCreate, i int) {
			p := part[i]
			a.SetCompanyID(f.company.ID).
				SetUserID(f.users[at+i].ID).
				SetShiftID(f.shifts[p.shift].ID).
				SetStartsOn(string(max(firstDate(f), f.today().AddDays(-p.joined)))).
				SetWeekdays([]int{1, 2, 3, 4, 5, 6, 7}[:p.days])
		}).Exec(ctx)
		if err != nil {
			return err
		}
		at += len(part)
	}
	return readAssignments(ctx, f)
}

// readAssignments reads the shift of everybody.
func readAssignments(ctx context.Context, f *filler) error {
	rows, err := f.db.ShiftAssignment.Query().Where(shiftassignment.CompanyID(f.company.ID)).All(ctx)
	for _, a := range rows {
		f.assignments[a.UserID] = a
	}
	return err
}
