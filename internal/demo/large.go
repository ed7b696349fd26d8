package demo

import (
	"fmt"

	"workforce/internal/viewer"
)

const (
	// teamSize is how many people of the large company a business has, and how many people
	// one step of the scale adds.
	teamSize = 50
	// regionSize is how many businesses of the large company a region has.
	regionSize = 10
	// yearWeeks is how many whole weeks of attendance the large company has.
	yearWeeks = 52
	// MaxScale is the largest scale of the demo.
	MaxScale = 1000
	// LargeOwner is the e-mail address of the owner of the large company.
	LargeOwner = "admin@samudra.test"
)

var (
	largeGiven = []string{
		"Adi", "Bambang", "Citra", "dewi", "Eka", "Farida", "Galih", "Hesti", "Irfan", "Juwita", "Krisna", "Laras", "Made", "Nadia", "Oki",
		"Puspa", "Rahmat", "Surya", "Tri", "Wulan", "Yusuf",
	}
	largeFamily = []string{
		"Hartono", "Kusuma", "Lubis", "Mulyani", "Nasution", "Pranoto", "Rahayu", "Saputra", "Siregar", "Suryadi", "Utami", "Wibowo", "Yulianti",
	}
)

// large is the company that shows a year of work at scale. Of each business, the second
// person is its manager; the first one of a region manages that.
func large(scale int) companyData {
	const top = "Samudra"
	d := companyData{
		name: "Samudra Demo", timezone: "Asia/Jakarta", seed: 3, weeks: yearWeeks,
		designations: nusantara().designations,
		units:        []unitData{{top, "", LargeOwner, "Lokasi 0001"}},
		shifts:       []shiftData{day(), night()},
	}
	for team := range scale {
		region, unit, site := fmt.Sprintf("Wilayah %02d", team/regionSize+1), fmt.Sprintf("Cabang %04d", team+1), fmt.Sprintf("Lokasi %04d", team+1)
		first := len(d.people)
		for i := range teamSize {
			d.people = append(d.people, largePerson(first+i, unit))
		}
		if team%regionSize == 0 {
			if first > 0 {
				d.people[first].role, d.people[first].titles = viewer.Manager, []string{"Kepala Kantor"}
			}
			d.units = append(d.units, unitData{region, top, d.people[first].email, site})
		}
		d.people[first+1].role, d.people[first+1].titles = viewer.Supervisor, []string{"Penyelia"}
		d.units = append(d.units, unitData{unit, region, d.people[first+1].email, site})
		d.sites = append(d.sites, siteData{
			site, fmt.Sprintf("Jalan Pelabuhan %d", team+1), -6.1 - 0.01*float64(team/25), 106.6 + 0.01*float64(team%25), 100 + 50*(team%3), unit,
		})
	}
	owner := &d.people[0]
	owner.name, owner.email, owner.verified, owner.role, owner.titles = "Laksmi Paramitha", LargeOwner, true, viewer.Owner, []string{"Direktur"}
	return d
}

// largePerson describes the i-th person of the large company: one in four works at night,
// one in ten has a sixth day.
func largePerson(i int, unit string) personData {
	titles := nusantara().designations[3:]
	p := personData{
		name:   largeGiven[i%len(largeGiven)] + " " + largeFamily[i/len(largeGiven)%len(largeFamily)],
		email:  fmt.Sprintf("p%05d@samudra.test", i+1),
		gender: []string{male, female, ""}[i%3],
		unit:   unit, titles: []string{titles[i%len(titles)].name},
		shift: "Pagi", days: 5, joined: 7*(yearWeeks+1) + i*37%2500,
	}
	if i%5 != 4 {
		p.number = fmt.Sprintf("0840 13%06d", i+1)
	}
	if i%4 == 3 {
		p.shift = "Malam"
	}
	if i%10 == 6 {
		p.days = 6
	}
	return p
}
