package connection

import (
	"context"
	stdsql "database/sql"
	"reflect"
	"strconv"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"workforce/ent"
	entTask "workforce/ent/task"
	"workforce/ent/taskattachment"
	"workforce/ent/ticketattachment"
	"workforce/ent/user"
	"workforce/internal/blob"
	"workforce/internal/booking"
	"workforce/internal/contact"
	"workforce/internal/geofence"
	"workforce/internal/operation"
	"workforce/internal/sqlplan"
	"workforce/internal/viewer"
)

// A Link returns the link that clients see for the text of a FileLink column.
type Link func(text string) (string, error)

// Links is the gqlgen field middleware that writes links for FileLink columns.
func Links(link Link) graphql.FieldMiddleware {
	return func(ctx context.Context, next graphql.Resolver) (any, error) {
		res, err := next(ctx)
		if err != nil {
			return res, err
		}
		switch text := res.(type) {
		case string:
			if isLink(ctx) {
				return link(text)
			}
		case *string:
			if text != nil && isLink(ctx) {
				written, err := link(*text)
				return &written, err
			}
		}
		return res, nil
	}
}

// isLink reports whether the field of ctx is a FileLink.
func isLink(ctx context.Context) bool {
	return graphql.GetFieldContext(ctx).Field.Definition.Type.NamedType == fileLink
}

const fileLink = "FileLink"

// Compiler returns the compiler of selections of the schema.
// now is the clock of timers that run.
func Compiler(schema *ast.Schema, link Link, now func() time.Time) *sqlplan.Compiler {
	tables := ent.Tables()
	tables["Task"].Derived = []sqlplan.Derived{
		{Field: "running", Columns: []string{entTask.FieldTimers}, Write: func(to []byte, values [][]byte) ([]byte, bool) {
			n, ok := integers(values)
			return strconv.AppendBool(to, n[0] > 0), ok
		}},
		{Field: "durationSeconds", Columns: []string{entTask.FieldTrackedSeconds, entTask.FieldTimers, entTask.FieldTimersStarted}, Write: func(to []byte, values [][]byte) ([]byte, bool) {
			n, ok := integers(values)
			return strconv.AppendInt(to, int64(booking.Tracked(int(n[0]), int(n[1]), n[2], now())), 10), ok
		}},
	}
	tables["TaskAttachment"].Derived = []sqlplan.Derived{
		link.named(taskattachment.FieldURL, taskattachment.FieldName),
	}
	tables["TicketAttachment"].Derived = []sqlplan.Derived{
		link.named(ticketattachment.FieldURL, ticketattachment.FieldName),
	}
	tables["User"].Columns = append(tables["User"].Columns, sqlplan.Column{Name: user.FieldID, Field: "databaseId"})
	return sqlplan.New(schema, tables, runQuery,
		sqlplan.Scalars{
			Writers: map[string]sqlplan.Writer{"Time": sqlplan.Time, "Date": sqlplan.String, "Coordinate": writeDegrees, fileLink: link.write},
			Values: map[string]sqlplan.ValueWriter{
				"Time": writeUTC, "Date": sqlplan.StringValue, "Coordinate": writeCoordinate, fileLink: link.writeValue,
			},
			Own: sqlplan.Own{Of: operation.IsTrusted, Values: map[string]sqlplan.ValueWriter{"Time": writeTime}},
		},
		map[string]map[string]sqlplan.Writer{"MobileNumber": {"countryCode": writeCountryCode, "number": writeNumber}},
		sqlplan.Guard{Fields: ent.Details, Open: func(ctx context.Context) bool { return details(ctx) == viewer.All }})
}

// named returns the field of a column of links, whose files are saved under the name in another.
func (l Link) named(column, name string) sqlplan.Derived {
	return sqlplan.Derived{
		Field: column, Columns: []string{column, name},
		Write: func(to []byte, values [][]byte) ([]byte, bool) {
			return l.write(to, []byte(blob.Named(string(values[0]), string(values[1]))))
		},
	}
}

// runQuery runs a statement by the client of a request.
func runQuery(ctx context.Context, text string, args ...any) (*stdsql.Rows, error) {
	return ent.FromContext(ctx).QueryContext(ctx, text, args...)
}

// integers reads up to three integers.
func integers(values [][]byte) (n [3]int64, ok bool) {
	for i, value := range values {
		var err error
		if n[i], err = strconv.ParseInt(string(value), 10, 64); err != nil {
			return n, false
		}
	}
	return n, true
}

// write writes the link of a column's bytes; gqlgen reports the error of one that cannot
// be signed.
func (l Link) write(to, value []byte) ([]byte, bool) {
	text, err := l(string(value))
	return sqlplan.AppendString(to, text), err == nil
}

func (l Link) writeValue(to []byte, v reflect.Value) ([]byte, bool) {
	if v.Kind() != reflect.String {
		return to, false
	}
	return l.write(to, []byte(v.String()))
}

// writeUTC writes an instant in UTC, as all operations but those of endpoints have it.
func writeUTC(to []byte, v reflect.Value) ([]byte, bool) {
	if v.CanAddr() { // else it would be copied to the heap
		if t, ok := v.Addr().Interface().(*time.Time); ok {
			return append(t.UTC().AppendFormat(append(to, '"'), time.RFC3339), '"'), true
		}
	}
	t, ok := v.Interface().(time.Time)
	return append(t.UTC().AppendFormat(append(to, '"'), time.RFC3339), '"'), ok
}

// writeTime writes an instant in its zone.
func writeTime(to []byte, v reflect.Value) ([]byte, bool) {
	if v.CanAddr() { // else it would be copied to the heap
		if t, ok := v.Addr().Interface().(*time.Time); ok {
			return append(t.AppendFormat(append(to, '"'), time.RFC3339), '"'), true
		}
	}
	t, ok := v.Interface().(time.Time)
	return append(t.AppendFormat(append(to, '"'), time.RFC3339), '"'), ok
}

func writeCoordinate(to []byte, v reflect.Value) ([]byte, bool) {
	if v.Kind() != reflect.Float64 {
		return to, false
	}
	return sqlplan.AppendString(to, geofence.FormatDegrees(v.Float())), true
}

func writeDegrees(to, value []byte) ([]byte, bool) {
	d, err := strconv.ParseFloat(string(value), 64)
	return sqlplan.AppendString(to, geofence.FormatDegrees(d)), err == nil
}

func writeCountryCode(to, value []byte) ([]byte, bool) {
	code, _ := contact.Stored(string(value))
	if code == "" {
		return append(to, "null"...), true
	}
	n, err := strconv.Atoi(code)
	return strconv.AppendInt(to, int64(n), 10), err == nil
}

func writeNumber(to, value []byte) ([]byte, bool) {
	_, number := contact.Stored(string(value))
	if number == "" {
		return append(to, "null"...), true
	}
	return sqlplan.AppendString(to, number), true
}
