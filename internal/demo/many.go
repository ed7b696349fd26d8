package demo

import (
	"context"
	"fmt"
	"time"

	"workforce/ent"
	"workforce/internal/viewer"
)

// FillMany adds a company with n people, sites, businesses and designations, for
// tests that count. Person i, person<i>@many.test, is an owner and manages
// business i; the first two have every designation. The context is the system's,
// db a transaction's client; now and passwordHash are as in Fill.
func FillMany(ctx context.Context, db *ent.Client, now time.Time, passwordHash string, n int) error {
	many := companyData{name: "Many", timezone: "Asia/Jakarta", seed: 1, shifts: []shiftData{flexible()}}
	var titles []string
	for i := range n {
		name, email, parent := fmt.Sprint("Part ", i), fmt.Sprintf("person%d@many.test", i), ""
		if i > 0 {
			parent = "Part 0"
		}
		many.designations = append(many.designations, titleData{name, parent})
		titles = append(titles, name)
		many.sites = append(many.sites, siteData{name, "A street", -6.2, 106.816666, 100, name})
		many.units = append(many.units, unitData{name, parent, email, name})
		many.people = append(many.people, personData{
			name: fmt.Sprint("Person ", i), email: email, role: viewer.Owner, unit: name, titles: []string{name},
			shift: "Fleksibel", days: 7, joined: 100, locale: "en",
		})
	}
	many.people[0].titles, many.people[1].titles = titles, titles
	return many.create(ctx, db, now, passwordHash)
}
