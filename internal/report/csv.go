package report

import (
	"bufio"
	"encoding/csv"
	"errors"
	"io"
	"time"

	"workforce/internal/table"
)

// byteOrderMark begins UTF-8 that spreadsheets write.
const byteOrderMark = "\uFEFF"

type csvWriter struct {
	csv   *csv.Writer
	out   *bufio.Writer
	head  Head
	cells []string
}

// NewCSV writes the header and rows of a report as RFC 4180 has it, without totals: UTF-8,
// lines end with CRLF, times are RFC 3339, and durations h:mm:ss. Text that spreadsheets
// would take for a formula stands behind an apostrophe.
func NewCSV(w io.Writer, h Head, mark bool) (Writer, error) {
	out := &csvWriter{out: bufio.NewWriter(w), head: h}
	out.csv = csv.NewWriter(out.out)
	out.csv.UseCRLF = true
	if mark {
		if _, err := out.out.WriteString(byteOrderMark); err != nil {
			return nil, err
		}
	}
	titles := make([]Value, len(h.Columns))
	for i, c := range h.Columns {
		titles[i] = Of(c.Title)
	}
	return out, out.Row(titles)
}

func (w *csvWriter) Row(cells []Value) error {
	w.cells = w.cells[:0]
	for _, c := range cells {
		text := c.In(w.head.Zone)
		switch {
		case c.IsEmpty():
		case c.Type() == Instant:
			text = c.Time().In(w.head.Zone).Format(time.RFC3339)
		case c.Type() == Text:
			text = table.Protect(text)
		}
		w.cells = append(w.cells, text)
	}
	return w.csv.Write(w.cells)
}

func (w *csvWriter) Close(Summary) error {
	w.csv.Flush()
	return errors.Join(w.csv.Error(), w.out.Flush())
}
