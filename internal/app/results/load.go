package results

import (
	"context"

	"workforce/ent"
	"workforce/internal/app/worktime"
	"workforce/internal/timesheet"
)

// days are what is known of the days of people of a company.
type days struct {
	policy timesheet.Policy
	people []*worktime.Person
	events map[int]int      // how often each person's row was locked before their days were read
	found  map[int]*finding // what the works came to, by their ids
}

// load reads the days of people of a company, in a number of statements that does not
// grow with them. The context is the system's.
func load(ctx context.Context, company *ent.Company, users []worktime.Employee, p timesheet.Period) (*days, error) {
	people, err := worktime.ReadPeople(ctx, worktime.Company{ID: company.ID, Settings: company.Settings}, users, p)
	return &days{policy: timesheet.PolicyOf(company.Settings), people: people}, err
}
