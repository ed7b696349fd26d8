package graph

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/executor"
	"github.com/vektah/gqlparser/v2/ast"

	"workforce/ent"
	"workforce/graph/model"
	"workforce/internal/contact"
	"workforce/internal/face"
)

// TestShapes holds shapes against gqlgen: selections at random, of values at
// random, have the same answer to the byte.
func TestShapes(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	v := values{rand.New(rand.NewPCG(seed, 1))}
	r := &Resolver{}
	schema := r.Schema()
	var value any
	constant := func(context.Context, graphql.Resolver) (any, error) { return value, nil }
	root := func(then graphql.FieldMiddleware) graphql.FieldMiddleware {
		return func(ctx context.Context, next graphql.Resolver) (any, error) {
			if graphql.GetFieldContext(ctx).Object != "Query" {
				return next(ctx)
			}
			return then(ctx, next)
		}
	}
	used := 0
	byField, byShape := executor.New(schema), executor.New(schema)
	byField.AroundFields(root(constant))
	byShape.AroundFields(root(func(ctx context.Context, _ graphql.Resolver) (any, error) {
		res, err := shaped(ctx, func(context.Context) (any, error) { return value, nil })
		if _, ok := res.(graphql.Marshaler); ok {
			used++
		}
		return res, err
	}))
	const documents = 600
	for i := range documents {
		name := "profile"
		switch i % 3 {
		case 0:
			value = v.profile()
		case 1:
			name, value = "attendanceToday", v.attendance()
		case 2:
			name, value = "shiftToday", v.some(func() *model.ShiftToday { return v.shift() })
		}
		field := schema.Schema().Query.Fields.ForName(name)
		text := "{ a: " + name + v.selection(schema.Schema(), field.Type.Name()) + " }"
		want, got := run(t.Context(), byField, text), run(t.Context(), byShape, text)
		if want != got {
			t.Fatalf("%s\nby shape: %s\nby field: %s", text, got, want)
		}
		if strings.Contains(want, "refused") {
			t.Fatal(text, want)
		}
	}
	if used < documents*9/10 {
		t.Errorf("%d of %d documents were answered by shapes", used, documents)
	}
}

// TestShapesAreWhole has a field in them, or a reason, for each of their types'.
func TestShapesAreWhole(t *testing.T) {
	schema := (&Resolver{}).Schema().Schema()
	for typename, fields := range map[string][]string{
		"Profile":         fieldsOf(profileShape.Fields, profileShape.Objects),
		"MobileNumber":    fieldsOf(numberShape.Fields, numberShape.Objects),
		"FacePoint":       fieldsOf(pointShape.Fields, pointShape.Objects),
		"AttendanceToday": fieldsOf(attendanceTodayShape.Fields, attendanceTodayShape.Objects),
		"ShiftToday":      fieldsOf(shiftTodayShape.Fields, shiftTodayShape.Objects),
		"AttendanceEntry": fieldsOf(entryShape.Fields, entryShape.Objects),
	} {
		var want []string
		for _, f := range schema.Types[typename].Fields {
			want = append(want, f.Name)
		}
		slices.Sort(want)
		if !slices.Equal(fields, want) {
			t.Errorf("shape of %s has %q, want %q", typename, fields, want)
		}
	}
}

func fieldsOf[A, B any](fields map[string]A, objects map[string]B) (names []string) {
	for name := range fields {
		names = append(names, name)
	}
	for name := range objects {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// values makes values at random.
type values struct{ *rand.Rand }

func (v values) text() string {
	return []string{"", "Budi", "Dewi \"é\" <&>\u2028", "世界 🙂", "line\nbreak\ttab\\", "\x01\x7f"}[v.IntN(6)]
}

func (v values) number() float64 {
	return []float64{0, 0.5, -1e-9, 1e21, 123456789.125, v.NormFloat64(), 1e6, 1e-5, 100000}[v.IntN(9)]
}

func (v values) at() time.Time {
	zone := []*time.Location{time.UTC, time.FixedZone("", 7*3600), time.FixedZone("", -5400)}[v.IntN(3)]
	return time.Unix(v.Int64N(4e9), v.Int64N(1e9)).In(zone)
}

func maybe[T any](v values, value T) *T {
	if v.IntN(3) == 0 {
		return nil
	}
	return &value
}

func (v values) profile() *model.Profile {
	p := &model.Profile{
		Name: v.text(), Email: v.text(), Image: v.text(), Locale: v.text(), Gender: maybe(v, v.text()), Salutation: maybe(v, v.text()),
		MobileNumber: &contact.Number{CountryCode: maybe(v, v.IntN(999)), Number: maybe(v, v.text())},
		Designations: []*ent.Designation{}, FaceLandmark: []*face.Point{},
	}
	for range v.IntN(3) {
		p.Designations = append(p.Designations, &ent.Designation{ID: v.IntN(99), Name: v.text()})
		p.FaceLandmark = append(p.FaceLandmark, &face.Point{X: v.number(), Y: v.number(), Z: v.number(), Visibility: v.number()})
	}
	return p
}

func (v values) shift() *model.ShiftToday {
	return &model.ShiftToday{
		EmployeeShiftID: v.IntN(99), Name: v.text(), Date: v.text(), StartAt: v.at(), EndAt: v.at(), ClockInFrom: v.at(), ClockInUntil: v.at(),
		BreakSeconds: v.IntN(9), Timezone: v.text(), ClockedIn: v.IntN(2) == 0, ClockedOut: v.IntN(2) == 0,
	}
}

func (v values) attendance() *model.AttendanceToday {
	a := &model.AttendanceToday{
		Date: v.text(), Timezone: v.text(), Status: model.DayStatusHalfDay, ClockedIn: v.IntN(2) == 0,
		ClockInAt: maybe(v, v.at()), ClockOutAt: maybe(v, v.at()), WorkedSeconds: v.IntN(1e6), ClosedSeconds: -v.IntN(9),
		LateSeconds: v.IntN(9), EarlySeconds: v.IntN(9), Entries: []*model.AttendanceEntry{},
	}
	if v.IntN(2) == 0 {
		a.Shift = v.shift()
	}
	for range v.IntN(3) {
		a.Entries = append(a.Entries, &model.AttendanceEntry{
			ID: v.IntN(99), EmployeeShiftID: v.IntN(99), AddressID: v.IntN(99), ClockInAt: v.at(), ClockOutAt: maybe(v, v.at()),
			Status: model.DayStatusNone, FaceMatched: maybe(v, v.IntN(2) == 0),
		})
	}
	return a
}

func (v values) some(of func() *model.ShiftToday) []*model.ShiftToday {
	list := make([]*model.ShiftToday, v.IntN(3))
	for i := range list {
		list[i] = of()
	}
	return list
}

// selection writes a selection of a type: fields in any order, now and then
// under another name, twice, in a fragment, skipped, or the type's name.
func (v values) selection(schema *ast.Schema, typename string) string {
	var parts []string
	for _, i := range v.Perm(len(schema.Types[typename].Fields)) {
		f := schema.Types[typename].Fields[i]
		if v.IntN(3) == 0 && len(parts) > 0 || len(f.Arguments) > 0 || typename == "Designation" && f.Name != "id" && f.Name != "name" {
			continue
		}
		part := f.Name
		if v.IntN(5) == 0 {
			part = fmt.Sprintf("b%d: %s", v.IntN(1e9), part)
		}
		if v.IntN(9) == 0 {
			part += fmt.Sprintf(" @skip(if: %v)", v.IntN(2) == 0)
		}
		if schema.Types[f.Type.Name()].Kind == ast.Object {
			part += v.selection(schema, f.Type.Name())
		}
		switch v.IntN(20) {
		case 0:
			part = "... { " + part + " }"
		case 1:
			part = "... on " + typename + " { " + part + " }"
		case 2:
			part += " __typename"
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		parts = []string{"__typename"}
	}
	return " { " + strings.Join(parts, " ") + " }"
}
