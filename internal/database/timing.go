package database

import (
	"context"
	"database/sql/driver"
	"regexp"
	"strings"
	"time"

	"workforce/internal/telemetry"
)

// A timing is one statement that is measured, and a span where its work is traced.
type timing struct {
	durations *durations
	kind      int
	began     time.Time
	span      telemetry.Span
}

// begin begins to measure a statement. On nil it measures nothing.
func (d *durations) begin(ctx context.Context, kind int, text string) timing {
	if d == nil {
		return timing{}
	}
	t := timing{durations: d, kind: kind, began: time.Now()}
	if !telemetry.On(ctx) {
		return t
	}
	verb, table := strings.ToUpper(kindNames[kind]), tableOf(text)
	_, t.span = telemetry.Start(ctx, telemetry.Client, strings.TrimSpace(verb+" "+table))
	t.span.Set("db.system.name", d.system)
	t.span.Set("db.operation.name", verb)
	if table != "" {
		t.span.Set("db.collection.name", table)
	}
	return t
}

// end ends it.
func (t timing) end(err error) {
	t.observe()
	t.finish(err)
}

// read ends it with the rows of a query, and its span when they are closed.
func (t timing) read(rows driver.Rows, err error) driver.Rows {
	t.observe()
	if err != nil || !t.span.On() {
		t.finish(err)
		return rows
	}
	return tracedRows{rows, t}
}

func (t timing) observe() {
	if t.durations != nil {
		t.durations.byKind[t.kind].Observe(time.Since(t.began).Seconds())
	}
}

// finish ends the span. Of an error it tells a class: its text may have values.
func (t timing) finish(err error) {
	switch {
	case err == nil:
	case Away(err):
		t.span.Fail("away")
	case Retryable(err):
		t.span.Fail("retryable")
	default:
		t.span.Fail("refused")
	}
	t.span.End()
}

// tracedRows are the rows of a query whose span ends with them.
type tracedRows struct {
	driver.Rows
	timing timing
}

// Close implements driver.Rows.
func (r tracedRows) Close() error {
	err := r.Rows.Close()
	r.timing.finish(err)
	return err
}

// tableNamed matches what a statement reads or writes, whether its name is quoted or not.
var tableNamed = regexp.MustCompile("(?i)\\b(?:FROM|INTO|UPDATE)\\s+`?([a-z_][a-z0-9_]*)")

// tableOf returns the first table that a statement names; "" for none.
func tableOf(text string) string {
	if found := tableNamed.FindStringSubmatch(text); found != nil {
		return found[1]
	}
	return ""
}
