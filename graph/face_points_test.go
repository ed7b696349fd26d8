package graph

import (
	"bytes"
	"context"
	"math"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"pgregory.net/rapid"

	"workforce/internal/face"
)

// TestFacePointsAsGqlgen writes random landmarks and selections as gqlgen does
// field by field.
func TestFacePointsAsGqlgen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.OneOf(rapid.Float64(), rapid.Float64Range(-1, 1), rapid.Just(math.NaN()), rapid.Just(math.Copysign(0, -1)))
		points := []*face.Point{}
		for range rapid.IntRange(0, 5).Draw(t, "points") {
			points = append(points, &face.Point{X: number.Draw(t, "x"), Y: number.Draw(t, "y"), Z: number.Draw(t, "z"), Visibility: number.Draw(t, "v")})
		}
		var set ast.SelectionSet
		names := rapid.SliceOfN(rapid.SampledFrom([]string{"x", "y", "z", "visibility", "__typename"}), 1, 6).Draw(t, "selection")
		for _, name := range names {
			alias := rapid.SampledFrom([]string{name, "my" + name}).Draw(t, "alias")
			set = append(set, &ast.Field{Name: name, Alias: alias, Definition: &ast.FieldDefinition{Name: name, Type: ast.NonNullNamedType("Float", nil)}})
		}
		ctx := graphql.WithOperationContext(context.Background(), &graphql.OperationContext{})
		field := graphql.CollectedField{Field: &ast.Field{Name: "faceLandmark"}, Selections: set}
		ctx = graphql.WithFieldContext(ctx, &graphql.FieldContext{Field: field})
		got, err := facePoints(ctx, func(context.Context) (any, error) { return points, nil })
		if err != nil {
			t.Fatal(err)
		}
		want, ok := pointsOfGqlgen(ctx, points, set)
		m, wrote := got.(graphql.Marshaler)
		if wrote != ok {
			t.Fatalf("written at once: %v, want %v", wrote, ok)
		}
		if !wrote {
			return
		}
		var text bytes.Buffer
		m.MarshalGQL(&text)
		if text.String() != want {
			t.Errorf("got  %s\nwant %s", &text, want)
		}
	})
}

// pointsOfGqlgen writes points with gqlgen's own writers; ok is false where a
// field would be an error, or is no number.
func pointsOfGqlgen(ctx context.Context, points []*face.Point, set ast.SelectionSet) (_ string, ok bool) {
	fields := graphql.CollectFields(graphql.GetOperationContext(ctx), set, []string{"FacePoint"})
	all := graphql.Array{}
	for _, f := range fields {
		if f.Name == "__typename" {
			return "", false
		}
	}
	for _, p := range points {
		numbers := map[string]float64{"x": p.X, "y": p.Y, "z": p.Z, "visibility": p.Visibility}
		one := graphql.NewFieldSet(fields)
		for i, f := range fields {
			var text bytes.Buffer
			if graphql.MarshalFloatContext(numbers[f.Name]).MarshalGQLContext(ctx, &text) != nil {
				return "", false
			}
			one.Values[i] = graphql.WrapContextMarshaler(ctx, graphql.MarshalFloatContext(numbers[f.Name]))
		}
		all = append(all, one)
	}
	var text bytes.Buffer
	all.MarshalGQL(&text)
	return text.String(), true
}
