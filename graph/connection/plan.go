package connection

import (
	"context"
	"reflect"
	"strconv"
	"time"

	"github.com/vektah/gqlparser/v2/ast"

	"workforce/ent"
	"workforce/ent/user"
	"workforce/internal/contact"
	"workforce/internal/geofence"
	"workforce/internal/sqlplan"
	"workforce/internal/viewer"
)

// Compiler returns the compiler of selections of the schema.
func Compiler(schema *ast.Schema) *sqlplan.Compiler {
	tables := ent.Tables()
	tables["User"].Columns = append(tables["User"].Columns, sqlplan.Column{Name: user.FieldID, Field: "databaseId"})
	return sqlplan.New(schema, tables,
		sqlplan.Scalars{
			Writers: map[string]sqlplan.Writer{"Time": sqlplan.Time, "Date": sqlplan.String, "Coordinate": writeDegrees},
			Values:  map[string]sqlplan.ValueWriter{"Time": writeTime, "Date": sqlplan.StringValue, "Coordinate": writeCoordinate},
		},
		map[string]map[string]sqlplan.Writer{"MobileNumber": {"countryCode": writeCountryCode, "number": writeNumber}},
		sqlplan.Guard{Fields: ent.Details, Open: func(ctx context.Context) bool { return details(ctx) == viewer.All }})
}

func writeTime(to []byte, v reflect.Value) ([]byte, bool) {
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
