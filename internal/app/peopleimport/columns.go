// Package peopleimport imports the people of a company from tables, and exports them.
package peopleimport

import (
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"workforce/internal/errs"
	"workforce/internal/table"
)

// Columns are those of a table of people, as exports and the template have them. An
// import takes them in any order, ignoring case, and some of them.
var Columns = []string{
	"name", "email", "employeeNumber", "countryCode", "mobileNumber", "gender", "locale", "business", "designations", "joinedOn", "leftOn",
}

// A Fault is what is wrong with a cell, or with the header.
type Fault struct {
	Row    int    // the header is 1; 0 for the file as a whole
	Column string // of Columns, or as the header has it; "" for the whole row
	errs.Fault
	place int // of the column in the table, from the left
}

// A line is one row of an import.
type line struct {
	row    int
	header []string          // the columns, as the table has them
	cells  map[string]string // by column; those that the header has
	phone  string            // the mobile number in E.164; "" for none
	faults []Fault           // cells that cannot be read

	since1904 bool // days count from 1904
}

// fault returns what is wrong with a cell, or with a column that the table lacks.
func (l line) fault(column string, f errs.Fault) Fault {
	place := slices.Index(l.header, column)
	if place < 0 {
		place = len(l.header)
	}
	return Fault{Row: l.row, Column: column, Fault: f, place: place}
}

// read returns the rows of a table, or what is wrong with it.
func read(r io.Reader) (lines []line, faults []Fault, err error) {
	var header []string
	var beside []Fault
	err = table.Read(r, func(r table.Record) error {
		if r.Number == 1 {
			if header, faults = columns(r.Cells); len(r.Faults) > 0 {
				faults = unread(r, nil)
			}
			return nil
		}
		if len(faults) > 0 || header == nil {
			return nil
		}
		l := line{row: r.Number, header: header, cells: map[string]string{}, faults: unread(r, header), since1904: r.Since1904}
		for i, name := range header {
			l.cells[name] = ""
			if i < len(r.Cells) {
				l.cells[name] = strings.TrimSpace(table.Plain(r.Cells[i]))
			}
		}
		for i := len(header); i < len(r.Cells); i++ {
			if strings.TrimSpace(r.Cells[i]) != "" {
				beside = append(beside, outside(r.Number, i)) // the first of the row tells enough
				break
			}
		}
		l.phone = phoneOf(l.cells["countryCode"], l.cells["mobileNumber"])
		lines = append(lines, l)
		return nil
	})
	var malformed *table.Fault
	switch {
	case errors.As(err, &malformed):
		return nil, append(faults, cellFault(malformed, header)), nil
	case err == nil && header == nil && len(faults) == 0:
		faults = []Fault{nobody("")}
	}
	if faults = append(faults, beside...); len(faults) > 0 {
		lines = nil
	}
	return lines, faults, err
}

// unread returns the cells of a row that cannot be read.
func unread(r table.Record, header []string) (faults []Fault) {
	for _, f := range r.Faults {
		faults = append(faults, cellFault(f, header))
	}
	return faults
}

// cellFault is a fault of a table. Its column is that of the header, or the letters of a spreadsheet
// where the header has none.
func cellFault(f *table.Fault, header []string) Fault {
	column := ""
	switch {
	case f.Column > len(header):
		column = letters(f.Column)
	case f.Column > 0:
		column = header[f.Column-1]
	}
	return Fault{
		Row: f.Record, Column: column, place: f.Column - 1,
		Fault: errs.Fault{Field: column, Code: errs.Invalid, Reason: f.Reason, Meta: f.Meta},
	}
}

// outside is the fault of a cell to the right of the header.
func outside(row, place int) Fault {
	return cellFault(&table.Fault{Record: row, Column: place + 1, Reason: errs.OutsideHeader}, nil)
}

// letters returns how spreadsheets name a column: A for 1.
func letters(column int) (name string) {
	for ; column > 0; column = (column - 1) / 26 {
		name = string(rune('A'+(column-1)%26)) + name
	}
	return name
}

// columns returns the columns of a header, and what is wrong with it: columns that
// nobody knows or that are there twice, and none that tells whom a row is about.
func columns(header []string) (names []string, faults []Fault) {
	for _, cell := range header {
		cell = strings.TrimSpace(cell)
		i := slices.IndexFunc(Columns, func(c string) bool { return strings.EqualFold(c, cell) })
		switch {
		case i < 0:
			faults = append(faults, headerFault(cell, errs.UnknownColumn, errs.Meta{"allowed": strings.Join(Columns, ", ")}))
			continue
		case slices.Contains(names, Columns[i]):
			faults = append(faults, headerFault(Columns[i], errs.RepeatedColumn, nil))
		}
		names = append(names, Columns[i])
	}
	if len(faults) == 0 && !slices.Contains(names, "email") && !slices.Contains(names, "employeeNumber") {
		faults = append(faults, nobody("email"))
	}
	return names, faults
}

func headerFault(column string, reason errs.Reason, meta errs.Meta) Fault {
	return Fault{Row: 1, Column: column, Fault: errs.Fault{Field: column, Code: errs.Invalid, Reason: reason, Meta: meta}}
}

// nobody is the fault of a header that does not say whom the rows are about.
func nobody(column string) Fault {
	return headerFault(column, errs.MissingColumn, errs.Meta{"columns": "email / employeeNumber"})
}

// Spreadsheets store dates as numbers of days. Those of 1954 to 2118 are taken for one:
// 2026 is not.
const (
	minSerial = 20_000
	maxSerial = 80_000
)

// firstSerial is day 0 of the dates that spreadsheets store as numbers of days, and daysTo1904 how much
// later it is where they count from 1904.
var firstSerial = time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)

const daysTo1904 = 1462

// midnight matches the time that spreadsheets write behind a date.
var midnight = regexp.MustCompile(`^[T ]0?0:00(:00(\.0+)?)?Z?$`)

// date returns a cell as YYYY-MM-DD, also where a spreadsheet stored a date as a
// number, or with midnight as its time, and whether it is one.
func date(cell string, since1904 bool) (string, bool) {
	if days, err := strconv.Atoi(cell); err == nil && minSerial <= days && days < maxSerial {
		if since1904 {
			days += daysTo1904
		}
		return firstSerial.AddDate(0, 0, days).Format(time.DateOnly), true
	}
	if n := len(time.DateOnly); len(cell) > n && midnight.MatchString(cell[n:]) {
		cell = cell[:n]
	}
	_, err := time.Parse(time.DateOnly, cell)
	return cell, err == nil
}

// Template writes a table with the header and two rows that show how cells are filled. made is when.
func Template(w io.Writer, format string, made time.Time) error {
	return write(w, format, table.Properties{Title: "Import", Made: made}, func(row func(...string) error) error {
		return errors.Join(
			row("Budi Santoso", "budi@example.com", "E-001", "62", "811123789", "male", "id", "Jakarta / Finance", "Accountant | Team Lead", "2026-01-05", ""),
			row("Siti Rahma", "siti@example.com", "E-002", "", "", "female", "en", "Bandung", "", "2026-02-01", "2026-12-31"),
		)
	})
}

// write writes the header and rows of a table of people.
func write(w io.Writer, format string, p table.Properties, rows func(row func(cells ...string) error) error) error {
	out, err := table.NewWriter(w, format, p)
	if err != nil {
		return err
	}
	row := func(cells ...string) error {
		for i, c := range cells {
			cells[i] = table.Protect(c)
		}
		return out.Write(cells)
	}
	err = row(slices.Clone(Columns)...)
	if err == nil {
		err = rows(row)
	}
	return errors.Join(err, out.Close())
}
