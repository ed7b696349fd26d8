package graph

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
	"workforce/internal/plan"
)

// compiler returns what makes plans of selections of the schema.
func compiler(schema *ast.Schema) *plan.Compiler {
	tables := ent.Tables()
	tables["User"].Columns = append(tables["User"].Columns, plan.Column{Name: user.FieldID, Field: "databaseId"})
	return plan.New(schema, tables,
		plan.Scalars{
			Writers: map[string]plan.Writer{"Time": plan.Time, "Date": plan.String, "Coordinate": writeDegrees},
			Values:  map[string]plan.ValueWriter{"Time": writeTime, "Date": plan.StringValue, "Coordinate": writeCoordinate},
		},
		map[string]map[string]plan.Writer{"MobileNumber": {"countryCode": writeCountryCode, "number": writeNumber}})
}

func writeTime(to []byte, v reflect.Value) ([]byte, bool) {
	t, ok := v.Interface().(time.Time)
	return append(t.AppendFormat(append(to, '"'), time.RFC3339), '"'), ok
}

func writeCoordinate(to []byte, v reflect.Value) ([]byte, bool) {
	if v.Kind() != reflect.Float64 {
		return to, false
	}
	return plan.AppendString(to, geofence.FormatDegrees(v.Float())), true
}

func writeDegrees(to, value []byte) ([]byte, bool) {
	d, err := strconv.ParseFloat(string(value), 64)
	return plan.AppendString(to, geofence.FormatDegrees(d)), err == nil
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
	return plan.AppendString(to, number), true
}

// connect returns a connection, which paginate loads. With a plan, that loads no
// more than ids, and the plan the rest.
func connect[C interface{ Page() plan.Page }](ctx context.Context, paginate func(context.Context) (C, error)) (C, error) {
	if p := plan.From(ctx); p != nil {
		conn, err := paginate(p.Lean(ctx))
		if err == nil && p.Answer(ctx, conn.Page()) {
			return conn, nil
		}
	}
	return paginate(plan.Merged(ctx))
}
