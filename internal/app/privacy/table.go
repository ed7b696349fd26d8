package privacy

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"time"

	"workforce/internal/table"
)

// An archiveTable is rows with the same columns. A value is nil, bool, int64, float64, string,
// time.Time or json.RawMessage.
type archiveTable struct {
	Name    string
	Columns []string
	// Each calls f with the values of each row, which are valid during the call only. It
	// is called twice, and must give the same rows in the same order.
	Each func(f func(values []any) error) error
}

// AddTable writes a table twice: as NAME.json, an array with an object for each row on a
// line of its own, and as NAME.csv, whose cells no spreadsheet takes for formulas.
func (w *archive) AddTable(t archiveTable) error {
	for _, form := range []struct {
		extension, mediaType string
		write                func(io.Writer, archiveTable) (int, error)
	}{{"json", "application/json", writeJSON}, {"csv", "text/csv", writeCSV}} {
		e := archiveEntry{Path: "tables/" + t.Name + "." + form.extension, MediaType: form.mediaType}
		err := w.add(e, false, func(out io.Writer, e *archiveEntry) error {
			rows, err := form.write(out, t)
			e.Rows = &rows
			return err
		})
		if err != nil {
			return fmt.Errorf("%s: %w", e.Path, err)
		}
	}
	return nil
}

// writeJSON writes rows as an array, and returns how many there are.
func writeJSON(w io.Writer, t archiveTable) (rows int, err error) {
	out := bufio.NewWriter(w)
	names := make([][]byte, len(t.Columns))
	for i, c := range t.Columns {
		if names[i], err = json.Marshal(c); err != nil {
			return 0, err
		}
	}
	_ = out.WriteByte('[') // Flush tells
	err = t.Each(func(values []any) error {
		separator := ",\n{"
		if rows++; rows == 1 {
			separator = "\n{"
		}
		_, _ = out.WriteString(separator)
		for i, v := range values {
			text, err := json.Marshal(v)
			if err != nil {
				return fmt.Errorf("%s: %w", t.Columns[i], err)
			}
			if i > 0 {
				_ = out.WriteByte(',')
			}
			_, _ = out.Write(names[i])
			_ = out.WriteByte(':')
			if _, err := out.Write(text); err != nil {
				return err
			}
		}
		return out.WriteByte('}')
	})
	if err != nil {
		return rows, err
	}
	_, _ = out.WriteString("\n]\n")
	return rows, out.Flush()
}

// writeCSV writes rows below a header, and returns how many there are.
func writeCSV(w io.Writer, t archiveTable) (rows int, err error) {
	out, err := table.NewWriter(w, "csv", table.Properties{})
	if err == nil {
		err = out.Write(t.Columns)
	}
	if err != nil {
		return 0, err
	}
	cells := make([]string, len(t.Columns))
	err = t.Each(func(values []any) error {
		rows++
		for i, v := range values {
			cells[i] = cell(v)
		}
		return out.Write(cells)
	})
	if err != nil {
		return rows, err
	}
	return rows, out.Close()
}

// cell returns a value as the cell of a table; empty for nil. Text is protected, and
// numbers are not.
func cell(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return table.Protect(v)
	case json.RawMessage:
		return table.Protect(string(v))
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case time.Time:
		return v.Format(time.RFC3339Nano)
	}
	return fmt.Sprint(v)
}
