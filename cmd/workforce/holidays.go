package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"workforce/ent"
	"workforce/ent/address"
	"workforce/internal/app/audit"
	"workforce/internal/app/organization"
	"workforce/internal/calendar"
	"workforce/internal/errs"
	"workforce/internal/shift"
)

// importHolidaysCmd adds the holidays of a calendar file.
type importHolidaysCmd struct {
	databaseFlag
	jsonFlag
	File    string `arg:"" type:"existingfile" help:"iCalendar file with all-day events."`
	Company int    `required:"" help:"Id of the company."`
	Address *int   `help:"Id of the one address where the holidays hold."`
	DryRun  bool   `help:"Print what would change, and change nothing; ends with status 3 if anything would."`
	Partial bool   `negatable:"" default:"true" help:"Leave out events that cannot be read; else nothing is imported then."`
}

// Run implements the command.
func (c *importHolidaysCmd) Run(ctx context.Context, io streams) error {
	file, err := os.Open(c.File)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // it was only read
	var done organization.ImportedHolidays
	err = change(ctx, c.Database, func(ctx context.Context, db *ent.Client) error {
		company, err := c.check(ctx, db)
		if err != nil {
			return err
		}
		year := now().In(shift.ZoneNamed(company.Timezone)).Year()
		in := organization.HolidayImport{
			Company: c.Company, Address: c.Address, File: file, Year: year, DryRun: c.DryRun, Whole: !c.Partial,
		}
		imported, err := (&organization.Service{Plans: newPlanner(db)}).ImportHolidays(ctx, in)
		if err != nil {
			return inFile(err)
		}
		done = *imported
		if err := c.tell(io.out, done); err != nil || c.DryRun {
			return err
		}
		return record(ctx, db, audit.Event{Action: "holidays.imported", Company: c.Company, Subject: ent.TypeCompany, ID: c.Company,
			Facts: map[string]any{"added": len(done.Added), "changed": len(done.Changed), "leftOut": len(done.LeftOut)}})
	})
	switch n := len(done.LeftOut); {
	case err != nil:
		return err
	case n > 0:
		return fmt.Errorf("events left out: %d", n)
	case c.DryRun && len(done.Added)+len(done.Changed) > 0:
		return wouldChange{}
	}
	return nil
}

// tell prints what is added, changed and left out.
func (c *importHolidaysCmd) tell(out io.Writer, done organization.ImportedHolidays) error {
	if c.JSON {
		return printJSON(out, holidayFacts(done))
	}
	for _, part := range []struct {
		verb   string
		events []calendar.Event
	}{{"added", done.Added}, {"changed", done.Changed}} {
		for _, e := range part.events {
			fmt.Fprintln(out, part.verb, e.Date, e.Name)
		}
	}
	for _, e := range done.LeftOut {
		f := errs.ProblemOf(errs.Faults{e.Fault}.Err(), "en").Errors[0]
		fmt.Fprintln(out, "left out", faultIn(calendar.Place{Line: e.Line, Name: e.Name}, f))
	}
	_, err := fmt.Fprintf(out, "%d added, %d changed, %d unchanged, %d left out\n",
		len(done.Added), len(done.Changed), len(done.Unchanged), len(done.LeftOut))
	return err
}

// holidayFacts returns what is added, changed and left out as JSON has it.
func holidayFacts(done organization.ImportedHolidays) map[string]any {
	days := func(events []calendar.Event) []any {
		all := []any{}
		for _, e := range events {
			all = append(all, map[string]any{"line": e.Line, "date": fmt.Sprint(e.Date), "name": e.Name})
		}
		return all
	}
	leftOut := []any{}
	for _, e := range done.LeftOut {
		leftOut = append(leftOut, map[string]any{
			"line": e.Line, "name": e.Name, "code": codeOf(e.Fault), "message": messageOf(e.Fault, "en"),
		})
	}
	return map[string]any{
		"added": days(done.Added), "changed": days(done.Changed), "unchanged": len(done.Unchanged), "leftOut": leftOut,
	}
}

// check returns the company. It refuses one that there is not, and an address that is not
// the company's.
func (c *importHolidaysCmd) check(ctx context.Context, db *ent.Client) (*ent.Company, error) {
	company, err := db.Company.Get(ctx, c.Company)
	if err != nil {
		return nil, noCompany(c.Company, err)
	}
	if c.Address == nil {
		return company, nil
	}
	_, err = db.Address.Query().Where(address.ID(*c.Address), address.CompanyID(c.Company)).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, fmt.Errorf("no address %d in company %d", *c.Address, c.Company)
	}
	return company, err
}

// inFile returns the faults of a file as the operator reads them, a line each.
func inFile(err error) error {
	p := errs.ProblemOf(err, "en")
	if len(p.Errors) == 0 {
		return err
	}
	places, _ := p.Meta["leftOut"].([]calendar.Place)
	var list []error
	for i, f := range p.Errors {
		text := f.Field + ": " + f.Detail
		if i < len(places) {
			text = faultIn(places[i], f)
		}
		list = append(list, errors.New(text))
	}
	return errors.Join(list...)
}

// faultIn returns the fault of an event with where that is.
func faultIn(at calendar.Place, f errs.FaultDetail) string {
	return fmt.Sprintf("line %d: %s of %q: %s", at.Line, f.Field, at.Name, f.Detail)
}
