// Package worktime reads what people were to work, what they worked, and what frees them from
// work, in a number of statements that does not grow with the people. Timesheets, the screen of
// a day, stored results and the rules that close attendances read it here.
package worktime

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"workforce/ent"
	"workforce/internal/app/policysql"
	"workforce/internal/errs"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
)

// A Work is an occurrence with what was clocked for it, by clock-in, and its result if it has
// one that is not outdated.
type Work struct {
	timesheet.Record
	ID       int
	site     int // the address of the first entry; 0 without entries
	fallback bool
}

// An Employee is a user as working time names them: the entity has ten times as much.
type Employee struct {
	ID             int
	Name           string
	Image          string
	Active         bool
	JoinedOn       *string `sql:"joined_on"` // first local date of work; nil for none
	LeftOn         *string `sql:"left_on"`   // last local date of work; nil for none
	SortName       string  `sql:"sort_name"`
	EmployeeNumber *string `sql:"employee_number"`
}

// NewEmployee returns the employee that a user is.
func NewEmployee(u *ent.User) Employee {
	return Employee{
		ID: u.ID, Name: u.Name, Image: u.Image, Active: u.Active, JoinedOn: u.JoinedOn, LeftOn: u.LeftOn,
		SortName: u.SortName, EmployeeNumber: u.EmployeeNumber,
	}
}

// A Person is an employee with what they were to work, by start, and worked.
type Person struct {
	Employee
	Works  []Work
	bounds timesheet.Bounds
	off    *DaysOff
}

// Off returns what frees the person from the work of a date, at the address where they worked
// last until then.
func (p *Person) Off(d shift.Date) timesheet.Off { return p.offAt(d, p.site(d), time.UTC) }

func (p *Person) offAt(d shift.Date, site int, zone *time.Location) timesheet.Off {
	off := p.off.For(p.ID, d, site, zone)
	off.NotEmployed = !p.bounds.Contain(d)
	return off
}

// site returns the address of the person's last attendance until a date; 0 for none.
func (p *Person) site(d shift.Date) int {
	site := p.off.Site(p.ID)
	if !p.off.Local() {
		return site
	}
	for i := range p.Works {
		w := &p.Works[i]
		if w.Date > d {
			break
		}
		site = cmp.Or(w.site, site)
	}
	return site
}

// SiteOn returns the address of the person's first attendance of a date; 0 for none.
func (p *Person) SiteOn(d shift.Date) int {
	for i := range p.Works {
		if w := &p.Works[i]; w.Date == d && w.site != 0 {
			return w.site
		}
	}
	return 0
}

// OffFor returns what frees the person from a work: at the address where it was worked, else at
// that of the last attendance until then. Nobody is expected on a date on which they are not
// employed, nor for a fallback shift on a date on which another shift was worked.
func (p *Person) OffFor(w *Work) timesheet.Off {
	site := w.site
	if site == 0 {
		site = p.site(w.Date)
	}
	off := p.offAt(w.Date, site, w.Zone)
	off.NotEmployed = off.NotEmployed || p.replaced(w)
	return off
}

// Expected appends the works of the person, each with what frees them from it. It leaves out
// works that nobody expects and that were not worked.
func (p *Person) Expected(to []timesheet.Record) []timesheet.Record {
	for i := range p.Works {
		w := &p.Works[i]
		w.Off = p.OffFor(w)
		if !w.Off.NotEmployed || len(w.Entries) > 0 || w.Stored != nil {
			to = append(to, w.Record)
		}
	}
	return to
}

// replaced reports whether an occurrence is of a fallback shift, which counts only where no
// other shift of the date was worked.
func (p *Person) replaced(w *Work) bool {
	return w.fallback && slices.ContainsFunc(p.Works, func(other Work) bool {
		return other.Date == w.Date && !other.fallback && len(other.Entries) > 0
	})
}

// ReadPeople returns people of a company, whom the caller may read, with what they were to work in
// a period, and what frees them from work, in two statements, or three if an address has days off
// of its own.
func ReadPeople(ctx context.Context, company Company, users []Employee, p timesheet.Period) (_ []*Person, err error) {
	defer errs.Step(&err, "worktime: read the work of people")
	people, ids, byID := make([]*Person, len(users)), make([]int, len(users)), make(map[int]*Person, len(users))
	all := make([]Person, len(users))
	for i, u := range users {
		all[i] = Person{Employee: u, bounds: timesheet.Bounds{Inactive: !u.Active}}
		ids[i], people[i] = u.ID, &all[i]
		byID[u.ID] = people[i]
		if u.JoinedOn != nil {
			people[i].bounds.Joined = shift.Date(*u.JoinedOn)
		}
		if u.LeftOn != nil {
			people[i].bounds.Left = shift.Date(*u.LeftOn)
		}
	}
	if len(users) == 0 {
		return people, nil
	}
	off, err := ReadDaysOff(ctx, company, ids, p)
	if err != nil {
		return nil, err
	}
	if err := readWorks(ctx, company.ID, ids, p, byID); err != nil {
		return nil, fmt.Errorf("read works: %w", err)
	}
	for _, person := range people {
		person.off = off
		slices.SortStableFunc(person.Works, func(a, b Work) int { return cmp.Or(a.Start.Compare(b.Start), a.ID-b.ID) })
	}
	return people, nil
}

// A workRow is a row of the statement works: an occurrence with one of its attendances.
type workRow struct {
	User     int       `sql:"user_id"`
	ID       int       `sql:"id"`
	Date     string    `sql:"date"`
	Start    time.Time `sql:"start_at"`
	End      time.Time `sql:"end_at"`
	Until    time.Time `sql:"clock_in_until"`
	Fallback bool      `sql:"fallback"` // a fallback shift planned it
	terms
	In          time.Time `sql:"clocked_in_at"`  // zero for no attendance
	Out         time.Time `sql:"clocked_out_at"` // zero for an open one
	Unconfirmed bool      `sql:"needs_confirmation"`
	Site        int       `sql:"address_id"`
	Result      result    `sql:"result_"`
}

// works reads the occurrences of people in a period, each with its attendances and its result
// unless that is outdated. The attendances are those of the same person; saying so would have
// MariaDB, by the statistics of a table that grew fast, read all of a person's for each occurrence.
var works = policysql.Parse(`
SELECT o.user_id, o.id, o.date, o.start_at, o.end_at, o.clock_in_until, o.origin = 'fallback' AS fallback,
  o.timezone, o.breaks, o.break_minutes, o.break_after_minutes, o.late_grace_minutes, o.early_grace_minutes,
  o.half_day_below_minutes, o.absent_below_minutes,
  a.clocked_in_at, a.clocked_out_at, a.needs_confirmation, a.address_id,
  r.status AS result_status, r.off AS result_off, r.late_seconds AS result_late_seconds,
  r.early_seconds AS result_early_seconds, r.expected_seconds AS result_expected_seconds
FROM employee_shifts o
  LEFT JOIN attendances a ON a.employee_shift_id = o.id
  LEFT JOIN shift_results r ON r.employee_shift_id = o.id AND o.evaluated_at IS NOT NULL
WHERE o.company_id = :company AND o.date BETWEEN :from AND :to AND in(o.user_id, :people)`)

// readWorks adds their works to people. An occurrence has a row for each of its attendances, and
// these rows follow one another.
func readWorks(ctx context.Context, company int, ids []int, p timesheet.Period, people map[int]*Person) error {
	args := policysql.Args{"company": company, "from": string(p.From), "to": string(p.To), "people": ids}
	usual := (p.To.Days(p.From)+1)*3/4 + 1 // few work on more than five days a week
	var last *Work
	return policysql.SelectEach(ctx, works, args, nil, func(r *workRow) error {
		if last == nil || last.ID != r.ID {
			person := people[r.User]
			if person.Works == nil {
				person.Works = make([]Work, 0, usual)
			}
			person.Works = append(person.Works, r.work())
			last = &person.Works[len(person.Works)-1]
		}
		if !r.In.IsZero() {
			last.add(r)
		}
		return nil
	})
}

// work returns the occurrence of the row, without entries.
func (r *workRow) work() Work {
	o := r.occurrence(shift.Date(r.Date), r.Start, r.End, r.Until)
	record := timesheet.Record{Work: timesheet.Work{Occurrence: o}, Stored: r.Result.assessment()}
	return Work{Record: record, ID: r.ID, fallback: r.Fallback}
}

// add adds the attendance of a row in its place.
func (w *Work) add(r *workRow) {
	at := len(w.Entries)
	for at > 0 && r.In.Before(w.Entries[at-1].In) {
		at--
	}
	if at == 0 {
		w.site = r.Site
	}
	w.Entries = slices.Insert(w.Entries, at, timesheet.Entry{In: r.In, Out: r.Out, NeedsConfirmation: r.Unconfirmed})
}
