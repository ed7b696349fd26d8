package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"workforce/internal/sealed"
	"workforce/internal/server"
	"workforce/internal/shift"
)

// How much a report of a year shows, and may take.
const (
	reportPeople = 1000
	reportTime   = time.Minute
	reportMemory = 256 << 10 // KiB, of the process at its peak
)

// BenchmarkReport has a server of its own process make a workbook of the attendance of 1,000
// people in a year of 250 working days, and prints how long it took and how much memory the
// process held at its peak. It is part of make bench, as the workload report-year.
func BenchmarkReport(b *testing.B) {
	if wanted := regexp.MustCompile("^(" + *benchWorkloads + ")$"); *benchWorkloads != "" && !wanted.MatchString("report-year") {
		b.Skip("not among the workloads")
	}
	var lines []string
	for name := range strings.SplitSeq(*benchDatabases, ",") {
		b.Run(name, func(b *testing.B) { lines = append(lines, yearOf(b, name)) })
	}
	fmt.Println()
	for _, line := range lines {
		fmt.Println(line)
	}
}

// yearOf makes the report on a database, and returns the line that says so.
func yearOf(b *testing.B, name string) string {
	b.Helper()
	at, keyFile := (&comparison{database: name}).openDatabase(b), filepath.Join(b.TempDir(), "secret.key")
	srv, err := server.New(b.Context(), benchConfig(at, keyFile), slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	keys, err := sealed.Load(keyFile)
	if err != nil {
		b.Fatal(err)
	}
	f := newFill(b, srv.Store, keys[0])
	c := f.company("Seribu Tahun", reportPeople, 1)
	from, to := f.year(c)
	if err := srv.Store.Close(); err != nil {
		b.Fatal(err)
	}
	addr, pid := startAlone(b, at, keyFile)
	asked := fmt.Sprintf(`mutation{generateReport(input:{kind:attendance,from:%q,to:%q}){status rows size url failure}}`, from, to)
	began := time.Now()
	for {
		r := askReport(b, addr, c.callers[0].token, asked)
		took := time.Since(began)
		switch {
		case r.Status == "done":
			peak := peakOf(b, pid)
			line := fmt.Sprintf("report-year/%s: %d rows, %.1f MB in %.1f s, peak %d MiB of the process", name, r.Rows, float64(r.Size)/1e6, took.Seconds(), peak>>10)
			if took > reportTime || peak > reportMemory {
				b.Errorf("%s: more than %v or %d MiB", line, reportTime, reportMemory>>10)
			}
			return line
		case r.Status == "failed" || took > 10*reportTime:
			b.Fatalf("after %v: %+v", took, r)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// year gives everybody of a company 250 working days in the year before yesterday, and returns
// its first and last date.
func (f *benchFill) year(c *benchCompany) (from, to shift.Date) {
	zone := handZone(f.zone)
	p := shift.Shift{
		Start: "09:00", End: "18:00", Zone: zone, OpensBefore: 60, ClosesAfter: 60,
		Breaks: []shift.Break{{Start: "12:00", End: "13:00"}},
	}
	id, last := f.one("SELECT id FROM shifts WHERE company_id = ?", c.id), shift.DateOf(f.now, zone).AddDays(-benchDays-1)
	var dates []shift.Date
	for d := last; len(dates) < 250; d = d.AddDays(-1) {
		if d.Weekday() <= 5 {
			dates = append(dates, d)
		}
	}
	for _, user := range c.users {
		var occurrences, attendances, results [][]any
		for _, d := range dates {
			o, occurrence := p.On(d), f.id("employee_shifts")
			in, out := o.StartAt.Add(time.Duration(f.random.IntN(3600)-2700)*time.Second), o.EndAt.Add(time.Duration(f.random.IntN(3600))*time.Second)
			occurrences = append(occurrences, occurrenceRow(c.id, user, id, occurrence, o, f.zone, f.now))
			attendances = append(attendances, f.stay(c, user, occurrence, d, in, &out))
			results = append(results, []any{
				f.id("shift_results"), c.id, user, occurrence, string(d), "present", max(0, int(in.Sub(o.StartAt)/time.Second)), 0, 8 * 3600, 8 * 3600, 0, f.now,
			})
		}
		f.insert("employee_shifts", occurrenceFields, occurrences)
		f.insert("attendances", stayFields, attendances)
		f.insert("shift_results", "id, company_id, user_id, employee_shift_id, date, status, late_seconds, early_seconds, worked_seconds, "+
			"expected_seconds, overtime_seconds, evaluated_at", results)
	}
	return dates[len(dates)-1], last
}

// A yearReport is what the server says of the report.
type yearReport struct {
	Status     string
	Failure    *string
	Rows, Size int
}

func askReport(b *testing.B, addr, token, document string) (r yearReport) {
	b.Helper()
	body, _ := json.Marshal(map[string]string{"query": document}) // text
	req, err := http.NewRequestWithContext(b.Context(), http.MethodPost, "http://"+addr+"/graphql", bytes.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		b.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	var answer struct {
		Errors []any
		Data   struct{ GenerateReport yearReport }
	}
	if err == nil {
		err = json.Unmarshal(text, &answer)
	}
	if err != nil || len(answer.Errors) > 0 {
		b.Fatalf("%v: %s", err, text)
	}
	return answer.Data.GenerateReport
}

// peakOf returns the most memory that a process held, in KiB.
func peakOf(b *testing.B, pid int) (kib int) {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		b.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			if _, err := fmt.Sscan(rest, &kib); err != nil {
				b.Fatal(err)
			}
		}
	}
	return kib
}
