package face

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"workforce/internal/errs"
)

// maxCaptures bounds the work: two million pairs take a minute.
const maxCaptures = 2000

// maxLine is the longest line of JSON, in bytes.
const maxLine = 1 << 20

// A Capture is a face with the person whose it is.
type Capture struct {
	Person string  `json:"person"`
	Points []Point `json:"points"`
}

// ReadCaptures reads captures. A file that begins with { has one JSON object a line, with person
// and points {x y z}; another is CSV: the person, then x, y and z of each point. A first
// record whose second column is no number is a header. An error names the record, the
// first being 1.
func ReadCaptures(r io.Reader) ([]Capture, error) {
	in := bufio.NewReaderSize(r, 1<<16)
	read := readCSV
	if first, err := in.Peek(1); err == nil && first[0] == '{' {
		read = readJSON
	}
	var captures []Capture
	err := read(in, func(record int, c Capture) error {
		switch err := Check(c.Points); {
		case c.Person == "":
			return fmt.Errorf("record %d: no person", record)
		case err != nil:
			return fmt.Errorf("record %d: unusable face: %v", record, errs.As(err).Meta["reason"])
		case len(captures) == maxCaptures:
			return fmt.Errorf("more than %d captures", maxCaptures)
		}
		captures = append(captures, c)
		return nil
	})
	return captures, err
}

func readJSON(r io.Reader, add func(int, Capture) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	record := 0
	for lines.Scan() {
		record++
		if len(lines.Bytes()) == 0 {
			continue
		}
		var c Capture
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			return fmt.Errorf("record %d: %w", record, err)
		}
		if err := add(record, c); err != nil {
			return err
		}
	}
	return lines.Err()
}

func readCSV(r io.Reader, add func(int, Capture) error) error {
	table := csv.NewReader(r)
	table.FieldsPerRecord = -1
	for record := 1; ; record++ {
		fields, err := table.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if record == 1 && len(fields) > 1 {
			if _, err := strconv.ParseFloat(fields[1], 64); err != nil {
				continue
			}
		}
		points, err := pointsOf(fields[1:])
		if err != nil {
			return fmt.Errorf("record %d: %w", record, err)
		}
		if err := add(record, Capture{fields[0], points}); err != nil {
			return err
		}
	}
}

func pointsOf(fields []string) ([]Point, error) {
	if len(fields)%3 != 0 {
		return nil, fmt.Errorf("%d numbers, which are not x, y and z of points", len(fields))
	}
	points := make([]Point, len(fields)/3)
	for i, text := range fields {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, fmt.Errorf("%q is no number", text)
		}
		p := &points[i/3]
		*[]*float64{&p.X, &p.Y, &p.Z}[i%3] = v
	}
	return points, nil
}
