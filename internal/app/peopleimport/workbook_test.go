package peopleimport

import (
	"archive/zip"
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"workforce/ent/user"
	"workforce/internal/table"
)

// workbook returns an XLSX file with rows of a sheet in XML. Cells of style 1 are dates, those of
// style 2 have five digits.
func workbook(t *testing.T, since1904, rows string) string {
	t.Helper()
	const kind = `Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/`
	var file bytes.Buffer
	out := zip.NewWriter(&file)
	for name, text := range map[string]string{
		"_rels/.rels": `<Relationships><Relationship Id="a" ` + kind + `officeDocument" Target="xl/workbook.xml"/></Relationships>`,
		"xl/workbook.xml": `<workbook xmlns:r="r"><workbookPr date1904="` + since1904 + `"/>` +
			`<sheets><sheet name="People" r:id="a"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="a" ` + kind + `worksheet" Target="sheet.xml"/>` +
			`<Relationship Id="b" ` + kind + `styles" Target="styles.xml"/></Relationships>`,
		"xl/styles.xml": `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="00000"/></numFmts>` +
			`<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></styleSheet>`,
		"xl/sheet.xml": "<worksheet><sheetData>" + rows + "</sheetData></worksheet>",
	} {
		w, err := out.Create(name)
		if err == nil {
			_, err = io.WriteString(w, text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return file.String()
}

// row returns a row of cells: those that begin with < as they are, others as text.
func row(cells ...string) string {
	text := "<row>"
	for _, c := range cells {
		if !strings.HasPrefix(c, "<") {
			c = `<c t="str"><v>` + c + "</v></c>"
		}
		text += c
	}
	return text + "</row>"
}

// TestCells imports cells as their sheet shows them.
func TestCells(t *testing.T) {
	header := row("name", "email", "employeeNumber", "countryCode", "mobileNumber", "joinedOn", "leftOn")
	for since1904, days := range map[string][2]string{"0": {"46027", "46028"}, "1": {"44565", "44566"}} {
		f := newFixture(t)
		r := f.run(workbook(t, since1904, header+row("Budi", "budi@x.test", `<c s="2"><v>12</v></c>`, "<c><v>62.0</v></c>",
			"<c><v>8.11123789E8</v></c>", `<c s="1"><v>`+days[0]+"</v></c>", "<c><v>"+days[1]+"</v></c>")))
		if r.Created != 1 || len(r.Faults) != 0 {
			t.Fatalf("%+v", r)
		}
		u := f.DB.User.Query().Where(user.EmailKey("budi@x.test")).OnlyX(f.System())
		if *u.EmployeeNumber != "00012" || *u.Phone != "+62811123789" || *u.JoinedOn != "2026-01-05" || *u.LeftOn != "2026-01-06" {
			t.Errorf("date1904=%s: %s, %s, from %s to %s", since1904, *u.EmployeeNumber, *u.Phone, *u.JoinedOn, *u.LeftOn)
		}
	}
}

// TestUnreadableCells refuses cells that show an error or nothing yet, by row and column, and
// imports the rows beside them if asked to.
func TestUnreadableCells(t *testing.T) {
	const failed, open = `<c t="e"><v>#REF!</v></c>`, "<c><f>A1</f></c>"
	rows := row("name", "email") + row(failed, "a@x.test") + row("Siti", "siti@x.test") + row("Budi", open, failed)
	want := []string{"2 name cell_error", "4 C cell_error", "4 email no_value"}
	f := newFixture(t)
	if r := f.run(workbook(t, "0", rows)); !slices.Equal(faults(r), want) || len(f.export(t, "csv")) != 0 {
		t.Errorf("%q, %+v", faults(r), r)
	}
	if r := f.run(workbook(t, "0", rows), partial); !slices.Equal(faults(r), want) || r.Created != 1 {
		t.Errorf("%q, %+v", faults(r), r)
	}
	header := workbook(t, "0", row("name", failed)+row("Budi", "budi@x.test"))
	if r := f.run(header, partial); !slices.Equal(faults(r), []string{"1 B cell_error"}) || r.Created != 0 {
		t.Errorf("%q, %+v", faults(r), r)
	}
}

// TestExportProperties names the company as who made an export.
func TestExportProperties(t *testing.T) {
	f := newFixture(t)
	var out bytes.Buffer
	if err := f.service.Export(f.System(), &out, "xlsx", f.Company.ID); err != nil {
		t.Fatal(err)
	}
	file, err := zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil || !table.IsXLSX(out.Bytes()) {
		t.Fatal(err)
	}
	in, err := file.Open("docProps/core.xml")
	if err != nil {
		t.Fatal(err)
	}
	core, err := io.ReadAll(in)
	made := f.service.Now().UTC().Format("2006-01-02T15:04:05Z")
	if err != nil || !strings.Contains(string(core), "<dc:creator>"+f.Company.Name+"<") || !strings.Contains(string(core), ">"+made+"<") {
		t.Errorf("%s, %v", core, err)
	}
}
