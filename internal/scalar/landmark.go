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

// A Landmark is a face.Point as clients send it: a FacePointInput.
type Landmark struct{ face.Point }

// MarshalGQL does nothing: landmarks are only received.
func (Landmark) MarshalGQL(io.Writer) {}

// UnmarshalGQL reads the members of a landmark, or takes one that ReadLandmarks
// has read.
func (l *Landmark) UnmarshalGQL(v any) (err error) {
	switch v := v.(type) {
	case *Landmark:
		*l = *v
		return nil
	case map[string]any:
		for name, member := range v {
			if to := l.member(name); to != nil && err == nil {
				*to, err = graphql.UnmarshalFloat(member)
			}
		}
		return err
	}
	return fmt.Errorf("%T is not a landmark", v)
}

// member returns where a member goes; nil for an unknown one.
func (l *Landmark) member(name string) *float64 {
	switch name {
	case "x":
		return &l.X
	case "y":
		return &l.Y
	case "z":
		return &l.Z
	case "visibility":
		return &l.Visibility
	}
	return nil
}

// ReadLandmarks reads a valid JSON array of landmarks, each a *Landmark, at a
// fraction of the cost of reading them member by member. It reports false where
// members are missing, repeated, unknown or no numbers.
func ReadLandmarks(array []byte) (list []any, ok bool) {
	if len(array) == 0 || array[0] != '[' {
		return nil, false
	}
	most := min(bytes.Count(array, []byte("{")), len(array)/len(`{"x":0,"y":0}`))
	all := make([]Landmark, 0, most)
	list = make([]any, 0, most)
	for object := range jsonscan.Elements(array) {
		if len(all) == most || object[0] != '{' {
			return nil, false
		}
		all = all[:len(all)+1]
		l := &all[len(all)-1]
		if !l.read(object) {
			return nil, false
		}
		list = append(list, l)
	}
	return list, true
}

// read reads an object that has x and y.
func (l *Landmark) read(object []byte) bool {
	read := make([]*float64, 0, 4)
	for name, value := range jsonscan.Members(object) {
		to := l.member(string(name))
		if to == nil || slices.Contains(read, to) {
			return false
		}
		f, err := strconv.ParseFloat(string(value), 64) // no value of another type parses
		if err != nil {
			return false
		}
		*to, read = f, append(read, to)
	}
	return slices.Contains(read, &l.X) && slices.Contains(read, &l.Y)
}

// AppendBinary implements encoding.BinaryAppender: 32 bytes that tell a landmark
// from any other.
func (l *Landmark) AppendBinary(b []byte) ([]byte, error) {
	for _, f := range [...]float64{l.X, l.Y, l.Z, l.Visibility} {
		b = binary.BigEndian.AppendUint64(b, math.Float64bits(f))
	}
	return b, nil
}
