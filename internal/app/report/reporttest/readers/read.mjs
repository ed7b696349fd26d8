// Prints what exceljs and SheetJS have of workbooks: a line for each, exceljs first.
import ExcelJS from 'exceljs'
import XLSX from 'xlsx'

const print = (reading) => console.log(JSON.stringify(reading))

for (const file of process.argv.slice(2)) {
  const book = new ExcelJS.Workbook()
  await book.xlsx.readFile(file)
  const rows = []
  book.worksheets[0].eachRow((row) => rows.push(row.values.slice(1).map((v) => (v instanceof Date ? v.toISOString() : String(v ?? '')))))
  print({
    creator: book.creator,
    editor: book.lastModifiedBy,
    created: book.created,
    modified: book.modified,
    sheets: book.worksheets.map((s) => s.name),
    rows,
  })

  const other = XLSX.readFile(file)
  print({
    creator: other.Props.Author,
    editor: other.Props.LastAuthor,
    created: other.Props.CreatedDate,
    modified: other.Props.ModifiedDate,
    sheets: other.SheetNames,
    rows: XLSX.utils.sheet_to_json(other.Sheets[other.SheetNames[0]], { header: 1, raw: false, defval: '' }),
  })
}
