package scalar

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/99designs/gqlgen/graphql"

	"workforce/internal/face"
	"workforce/internal/jsonscan"
)

// Landmarks are the points of a face as clients send them, a list of FacePointInput.
type Landmarks []face.Point

// MarshalGQL does nothing: landmarks are only received.
func (Landmarks) MarshalGQL(io.Writer) {}

// UnmarshalGQL reads the members of each point, or takes a list that ReadLandmarks has
// read.
func (l *Landmarks) UnmarshalGQL(v any) error {
	if list, ok := v.(Landmarks); ok {
		*l = list
		return nil
	}
	list := graphql.CoerceList(v)
	*l = make(Landmarks, len(list))
	for i, point := range list {
		members, ok := point.(map[string]any)
		if !ok {
			return fmt.Errorf("%T is not a landmark", point)
		}
		for name, value := range members {
			var err error
			if to := member(&(*l)[i], name); to != nil {
				*to, err = graphql.UnmarshalFloat(value)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// member returns where a member of a point goes; nil for an unknown one.
func member(p *face.Point, name string) *float64 {
	switch name {
	case "x":
		return &p.X
	case "y":
		return &p.Y
	case "z":
		return &p.Z
	case "visibility":
		return &p.Visibility
	}
	return nil
}

// ReadLandmarks reads a valid JSON array of points, at a fraction of the cost of reading
// them member by member. It reports false where members are missing, repeated, unknown or
// no numbers.
func ReadLandmarks(array []byte) (list Landmarks, ok bool) {
	if len(array) == 0 || array[0] != '[' {
		return nil, false
	}
	most := min(bytes.Count(array, []byte("{")), len(array)/len(`{"x":0,"y":0}`))
	list = make(Landmarks, 0, most)
	for object := range jsonscan.Elements(array) {
		if len(list) == most || object[0] != '{' {
			return nil, false
		}
		list = list[:len(list)+1]
		if !readPoint(&list[len(list)-1], object) {
			return nil, false
		}
	}
	return list, true
}

// readPoint reads an object that has x and y.
func readPoint(p *face.Point, object []byte) bool {
	read := make([]*float64, 0, 4)
	for name, value := range jsonscan.Members(object) {
		to := member(p, string(name))
		if to == nil || slices.Contains(read, to) {
			return false
		}
		f, err := strconv.ParseFloat(string(value), 64) // no value of another type parses
		if err != nil {
			return false
		}
		*to, read = f, append(read, to)
	}
	return slices.Contains(read, &p.X) && slices.Contains(read, &p.Y)
}

// AppendBinary implements encoding.BinaryAppender: 32 bytes a point, which tell a list
// from any other.
func (l Landmarks) AppendBinary(b []byte) ([]byte, error) {
	b = slices.Grow(b, 32*len(l))
	for _, p := range l {
		for _, f := range [...]float64{p.X, p.Y, p.Z, p.Visibility} {
			b = binary.BigEndian.AppendUint64(b, math.Float64bits(f))
		}
	}
	return b, nil
}
