package peopleimport

import (
	"fmt"
	"strings"
	"testing"
)

// many returns a table of people, who are called, work and are titled as said.
func many(n int, name, business, titles string) string {
	var text strings.Builder
	text.WriteString("name,email,employeeNumber,countryCode,mobileNumber,gender,locale,business,designations,joinedOn,leftOn\n")
	for i := range n {
		fmt.Fprintf(&text, "%s %d,p%d@many.test,N-%d,62,811%d,male,id,%s,%s,2026-01-05,\n", name, i, i, i, 1_000_000+i, business, titles)
	}
	return text.String()
}

// BenchmarkImport creates 10,000 people, and moves them all.
func BenchmarkImport(b *testing.B) {
	for b.Loop() {
		f := newFixture(b)
		f.run(many(10_000, "Person", "Jakarta", "Cook | Driver"))
		f.run(many(10_000, "Human", "Bandung", "Cook"))
	}
}
