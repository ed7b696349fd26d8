package hostile

import (
	"archive/zip"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"strings"
)

// pngOf returns a gray PNG of a size whose pixels are compressed zeros; pixels that are
// missing make it end too early. Chunks come before the pixels.
func pngOf(width, height, pixels int, chunks ...string) string {
	var b bytes.Buffer
	b.WriteString("\x89PNG\r\n\x1a\n")
	chunk := func(name, data string) {
		text := name + data
		_ = binary.Write(&b, binary.BigEndian, uint32(len(data))) // to memory
		b.WriteString(text)
		_ = binary.Write(&b, binary.BigEndian, crc32.ChecksumIEEE([]byte(text)))
	}
	size := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(width)), uint32(height))
	chunk("IHDR", string(size)+"\x08\x00\x00\x00\x00")
	for _, text := range chunks {
		chunk(text[:4], text[4:])
	}
	chunk("IDAT", deflated(pixels))
	chunk("IEND", "")
	return b.String()
}

// deflated returns so many zeros, compressed.
func deflated(n int) string {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	_, _ = z.Write(make([]byte, n)) // to memory
	_ = z.Close()
	return b.String()
}

// uploads are pictures that cost more than they show, and multipart bodies that do.
func uploads() (out []hostile) {
	const operations = `{"query":"mutation($input:SetAvatarInput!){setAvatar(input:$input){id}}","variables":{"input":{"image":null}}}`
	field := func(name, text string) string {
		return "--b\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + text + "\r\n"
	}
	file := func(name, text string) string {
		return "--b\r\nContent-Disposition: form-data; name=\"" + name + "\"; filename=\"../../../etc/passwd\"\r\n\r\n" + text + "\r\n"
	}
	request := func(parts ...string) string {
		return sent("POST", "/graphql", strings.Join(parts, "")+"--b--\r\n", "Content-Type: multipart/form-data; boundary=b", "GraphQL-Preflight: 1")
	}
	begin := field("operations", operations) + field("map", `{"0":["variables.input.image"]}`)
	picture := func(text string) string { return request(begin, file("0", text)) }
	const small = 9 * 8
	progressive := "\xff\xd8\xff\xc2\x00\x11\x08\x12\xc0\x12\xc0\x03\x01\x11\x00\x02\x11\x00\x03\x11\x00" + strings.Repeat("\xff\xda\x00\x08\x01\x01\x00\x00\x00\x00\x00", 90_000)
	for name, text := range map[string]string{
		"50,000 by 50,000 pixels":  picture(pngOf(50_000, 50_000, small)),
		"a very wide picture":      picture(pngOf(1<<31-1, 1, small)),
		"40 megapixels of zeros":   picture(pngOf(8_000, 5_000, 8_001*5_000)),
		"40 missing megapixels":    picture(pngOf(8_000, 5_000, small)),
		"more pixels than said":    picture(pngOf(8, 8, 50<<20)),
		"a compressed text":        picture(pngOf(8, 8, small, "zTXta\x00\x00"+deflated(100<<20), "iCCPa\x00\x00"+deflated(100<<20))),
		"10,000 frames":            picture(pngOf(8, 8, small, "acTL\x00\x00\x27\x10\x00\x00\x00\x00")),
		"many chunks":              picture(pngOf(8, 8, small, strings.Split(strings.Repeat("tEXt,", 500_000)+"tEXt", ",")...)),
		"a progressive picture":    picture(progressive),
		"a WebP of 268 megapixels": picture("RIFF\x16\x00\x00\x00WEBPVP8L\x05\x00\x00\x00\x2f\xff\xff\xff\x0f\x00"),
		"a page":                   picture(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`),
		"an archive":               picture("PK\x03\x04" + strings.Repeat("\x00", 5<<20)),
		"a picture and an archive": picture(pngOf(8, 8, small) + "PK\x03\x04" + strings.Repeat("a", 5<<20)),
		"a name with NUL":          strings.Replace(picture(pngOf(8, 8, small)), "passwd", "pass\x00d", 1),
		"11 MiB":                   picture(strings.Repeat("a", 11<<20)),
		"ten files":                request(append([]string{begin}, numberedFiles(file)...)...),
		"deep operations":          request(field("operations", strings.Repeat("[", 200_000)), field("map", "{}")),
		"a deep map":               request(field("operations", operations), field("map", strings.Repeat(`{"0":`, 50_000))),
		"a map of many places":     request(field("operations", operations), field("map", `{"0":["variables.input.image`+strings.Repeat(`","variables.input.image`, 8_000)+`"]}`)),
		"a map of a deep place":    request(field("operations", operations), field("map", `{"0":["variables`+strings.Repeat(".input", 30_000)+`"]}`), file("0", "a")),
		"a map of prototypes":      request(field("operations", operations), field("map", `{"0":["variables.__proto__.image"]}`), file("0", "a")),
		"a batch":                  request(field("operations", "["+operations+"]"), field("map", `{"0":["0.variables.input.image"]}`), file("0", "a")),
		"a file without an end":    strings.TrimSuffix(picture(strings.Repeat("a", 1<<20)), "\r\n--b--\r\n"),
	} {
		out = append(out, twice("upload: "+name, text)...)
	}
	return out
}

// tables are uploads that cost an import more than they hold.
func tables() (out []hostile) {
	const operations = `{"query":"mutation($input:ImportUsersInput!){importUsers(input:$input){created faultCount}}","variables":{"input":{"file":null,"dryRun":true}}}`
	request := func(file string) string { return withFile(operations, file) }
	const mebi = 1 << 20
	people := "name,email\n" + numbered(250, "Person %d,p%[1]d-"+once+"@hostile.test\n")
	changed := numbered(252, "Person %d "+once+",person%[1]d@many.test,"+once+"%[1]d,female,Part 1,Part 7 | Part 8,2020-01-01,2030-01-01\n")
	moved := "name,email,employeeNumber,gender,business,designations,joinedOn,leftOn\n" + strings.SplitN(changed, "\n", 3)[2] // the first two hold 1,000 designations
	written := strings.Replace(operations, `"dryRun":true`, `"dryRun":false`, 1)
	out = append(out, hostile{name: "table: 250 people, written", text: withFile(written, people), token: true},
		hostile{name: "table: 250 people, moved", text: withFile(written, moved), token: true})
	for name, file := range map[string]string{
		"250 people":                people,
		"10,000 people":             "email\n" + strings.Repeat("a@hostile.test\n", 10_000),
		"250 faulty people":         "name,email,gender,locale,countryCode,mobileNumber,business,designations,joinedOn,leftOn\n" + strings.Repeat(",x,x,x,x,x,x,x,x,x\n", 250),
		"10 MiB of rows":            "email\n" + strings.Repeat("a\n", 5*mebi-100),
		"10 MiB of empty rows":      "email\n" + strings.Repeat("\n", 10*mebi-100),
		"a million separators":      strings.Repeat(",", mebi),
		"10 million separators":     "email\n" + strings.Repeat(",", 10*mebi-100),
		"a cell of 10 MiB":          "email\n" + strings.Repeat("a", 10*mebi-100),
		"an open quote":             "email\n\"" + strings.Repeat("a\n", 5*mebi-100),
		"50 columns of text":        "email\n" + strings.Repeat(strings.Repeat("abcd,", 49)+"\n", 40_000),
		"a compressed sheet":        zipped("xl/worksheets/sheet1.xml", "<worksheet><sheetData>"+strings.Repeat("<row><c t=\"inlineStr\"><is><t>a</t></is></c></row>", 1<<20)),
		"a sheet of empty rows":     zipped("xl/worksheets/sheet1.xml", "<worksheet><sheetData>"+strings.Repeat("<row/>", 1<<20)+"</sheetData></worksheet>"),
		"a sheet with a far row":    zipped("xl/worksheets/sheet1.xml", `<worksheet><sheetData><row r="1048576"><c r="XFD1048576" t="inlineStr"><is><t>a</t></is></c></row></sheetData></worksheet>`),
		"many shared strings":       zipped("xl/sharedStrings.xml", "<sst>"+strings.Repeat("<si><t>a</t></si>", 1<<20)+"</sst>"),
		"a compressed attachment":   zipped("xl/media/zeros.bin", strings.Repeat("\x00", 200*mebi)),
		"100,000 parts":             zipped("a", "", manyParts(100_000)...),
		"a sheet of many columns":   zipped("xl/worksheets/sheet1.xml", "<worksheet><sheetData><row>"+strings.Repeat("<c><v>1</v></c>", 1<<20)+"</row></sheetData></worksheet>"),
		"a deep sheet":              zipped("xl/worksheets/sheet1.xml", "<worksheet><sheetData><row><c>"+strings.Repeat("<is>", 1<<20)),
		"deep shared strings":       zipped("xl/sharedStrings.xml", "<sst>"+strings.Repeat("<si>", 1<<20)),
		"deep content types":        zipped("[Content_Types].xml", "<Types>"+strings.Repeat("<a>", 1<<20)),
		"a deep workbook":           zipped("xl/workbook.xml", "<workbook>"+strings.Repeat("<sheets>", 1<<20)),
		"a workbook of many sheets": zipped("xl/workbook.xml", "<workbook><sheets>"+strings.Repeat(`<sheet name="S" sheetId="1" r:id="rId1"/>`, 100_000)+"</sheets></workbook>"),
		"a record of many lines":    "email\n" + strings.Repeat("\"a\n\",", mebi),
		"an endless record":         "email\n\"" + strings.Repeat("\"\",", mebi),
		"many attributes":           zipped("xl/worksheets/sheet1.xml", "<worksheet"+numbered(400_000, " a%d=\"\"")+"><sheetData/></worksheet>"),
		"many namespaces":           zipped("xl/worksheets/sheet1.xml", "<worksheet"+numbered(400_000, " xmlns:a%d=\"b\"")+"><sheetData/></worksheet>"),
		"many attributes of a book": zipped("xl/workbook.xml", "<workbook"+numbered(400_000, " a%d=\"\"")+"></workbook>"),
		"many entities":             zipped("xl/sharedStrings.xml", "<sst><si><t>"+strings.Repeat("&lt;", 2*mebi)+"</t></si></sst>"),
		"many references":           zipped("xl/worksheets/sheet1.xml", `<worksheet><sheetData>`+numbered(300_000, `<row r="%d"><c t="s"><v>0</v></c></row>`)+`</sheetData></worksheet>`),
		"many merged cells":         zipped("xl/worksheets/sheet1.xml", `<worksheet><sheetData/><mergeCells>`+strings.Repeat(`<mergeCell ref="A1:XFD1048576"/>`, 300_000)+`</mergeCells></worksheet>`),
		"a comment":                 zipped("xl/worksheets/sheet1.xml", "<worksheet><!--"+strings.Repeat("-a", 4*mebi)+"--></worksheet>"),
		"a large other part":        zipped("docProps/custom.xml", "<a>"+strings.Repeat("a", 60*mebi)+"</a>"),
		"many styles":               zipped("xl/styles.xml", "<styleSheet><cellXfs>"+strings.Repeat("<xf/>", 1<<20)+"</cellXfs></styleSheet>"),
		"a long shared string":      zipped("xl/sharedStrings.xml", "<sst><si><t>"+strings.Repeat("a", 7*mebi)+"</t></si></sst>"),
	} {
		out = append(out, twice("table: "+name, request(file))...)
	}
	return out
}

// withFile is a request to /graphql with a file at input.file.
func withFile(operations, file string) string {
	body := "--b\r\nContent-Disposition: form-data; name=\"operations\"\r\n\r\n" + operations +
		"\r\n--b\r\nContent-Disposition: form-data; name=\"map\"\r\n\r\n{\"0\":[\"variables.input.file\"]}" +
		"\r\n--b\r\nContent-Disposition: form-data; name=\"0\"; filename=\"a.csv\"\r\n\r\n" + file + "\r\n--b--\r\n"
	return sent("POST", "/graphql", body, "Content-Type: multipart/form-data; boundary=b", "GraphQL-Preflight: 1")
}

func manyParts(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprint("xl/worksheets/other", i, ".xml")
	}
	return list
}

// zipped returns a workbook with a part, in place of its own where it has one, and empty
// ones.
func zipped(name, text string, empty ...string) string {
	parts := map[string]string{
		"[Content_Types].xml":        `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/></Types>`,
		"_rels/.rels":                `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
		"xl/workbook.xml":            `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
		"xl/worksheets/sheet1.xml":   `<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c></row></sheetData></worksheet>`,
	}
	parts[name] = text
	for _, n := range empty {
		parts[n] = ""
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for n, t := range parts {
		if w, err := z.Create(n); err == nil {
			_, _ = w.Write([]byte(t)) // to memory
		}
	}
	_ = z.Close()
	return b.String()
}

// numberedFiles returns ten files of 1 MiB that no place needs.
func numberedFiles(file func(name, text string) string) (list []string) {
	for i := range 10 {
		list = append(list, file(fmt.Sprint(i), strings.Repeat("a", 1<<20)))
	}
	return list
}
