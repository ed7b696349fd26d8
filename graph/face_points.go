package graph

import (
	"context"
	"io"
	"math"
	"strconv"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"workforce/internal/face"
)

// facePoints writes the landmarks of a face at once, where gqlgen would visit
// four fields of each of hundreds: with the same bytes, and not where a number
// would be an error or something else is selected.
func facePoints(ctx context.Context, next graphql.Resolver) (any, error) {
	res, err := next(ctx)
	points, ok := res.([]*face.Point)
	if err != nil || !ok || points == nil {
		return res, err
	}
	members := pointMembers(ctx)
	if members == nil {
		return res, nil
	}
	text := []byte{'['}
	for i, p := range points {
		if i > 0 {
			text = append(text, ',')
		}
		if text, ok = appendPoint(text, p, members); !ok {
			return res, nil
		}
	}
	text = append(text, ']')
	return graphql.WriterFunc(func(w io.Writer) { _, _ = w.Write(text) }), nil // to memory
}

// A pointMember is a selected member of a point.
type pointMember struct {
	key string // with what stands before it and its colon
	of  func(*face.Point) float64
}

// pointMembers returns what is selected of the field that is being resolved; nil
// where it is not numbers alone.
func pointMembers(ctx context.Context) (members []pointMember) {
	set := graphql.GetFieldContext(ctx).Field.Selections
	for i, f := range graphql.CollectFields(graphql.GetOperationContext(ctx), set, []string{"FacePoint"}) {
		of := pointNumbers[f.Name]
		if of == nil || len(f.Deferrables) > 0 || !plainDirectives(f.Directives) {
			return nil
		}
		key := `"` + f.Alias + `":`
		if i > 0 {
			key = "," + key
		}
		members = append(members, pointMember{key, of})
	}
	return members
}

var pointNumbers = map[string]func(*face.Point) float64{
	"x":          func(p *face.Point) float64 { return p.X },
	"y":          func(p *face.Point) float64 { return p.Y },
	"z":          func(p *face.Point) float64 { return p.Z },
	"visibility": func(p *face.Point) float64 { return p.Visibility },
}

// plainDirectives reports whether there is none but those that CollectFields
// has judged.
func plainDirectives(list ast.DirectiveList) bool {
	for _, d := range list {
		if d.Name != "skip" && d.Name != "include" {
			return false
		}
	}
	return true
}

// appendPoint appends a point as JSON. It reports false for what has no form.
func appendPoint(text []byte, p *face.Point, members []pointMember) ([]byte, bool) {
	if p == nil {
		return nil, false
	}
	text = append(text, '{')
	for _, m := range members {
		n := m.of(p)
		if math.IsInf(n, 0) || math.IsNaN(n) {
			return nil, false
		}
		text = strconv.AppendFloat(append(text, m.key...), n, 'g', -1, 64) // as fmt's %g
	}
	return append(text, '}'), true
}
