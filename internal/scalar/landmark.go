package scalar

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"workforce/internal/face"
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
// fraction of the cost of reading them value by value. It reports false for
// whatever needs a closer look: members that are missing, repeated, unknown or
// no numbers.
func ReadLandmarks(array []byte) (list []any, ok bool) {
	r := landmarkReader{string(array)}
	all := make([]Landmark, min(strings.Count(r.text, "{"), len(r.text)/len(`{"x":0,"y":0}`))) // no more fit in
	list = make([]any, 0, len(all))
	if !r.take('[') {
		return nil, false
	}
	for r.another(']', len(list) == 0) {
		if len(list) == len(all) || !r.landmark(&all[len(list)]) {
			return nil, false
		}
		list = append(list, &all[len(list)])
	}
	return list, r.take(']')
}

// A landmarkReader is what is left of the text.
type landmarkReader struct{ text string }

// peek passes over white space and returns what comes next; 0 at the end.
func (r *landmarkReader) peek() byte {
	for i := range len(r.text) {
		if c := r.text[i]; c > ' ' {
			r.text = r.text[i:]
			return c
		}
	}
	return 0
}

// take passes over a character, if that comes next.
func (r *landmarkReader) take(c byte) bool {
	if r.peek() != c {
		return false
	}
	r.text = r.text[1:]
	return true
}

// another reports whether another element comes before the end: the first, or
// one after a comma.
func (r *landmarkReader) another(end byte, first bool) bool {
	if first {
		return r.peek() != end
	}
	return r.take(',')
}

// landmark reads an object that has x and y.
func (r *landmarkReader) landmark(l *Landmark) bool {
	if !r.take('{') {
		return false
	}
	read := make([]*float64, 0, 4)
	for r.another('}', len(read) == 0) {
		to := r.name(l)
		if to == nil || slices.Contains(read, to) || !r.number(to) {
			return false
		}
		read = append(read, to)
	}
	return slices.Contains(read, &l.X) && slices.Contains(read, &l.Y) && r.take('}')
}

// name reads the name of a member and the colon, and returns where it goes; nil
// for another name.
func (r *landmarkReader) name(l *Landmark) *float64 {
	if !r.take('"') {
		return nil
	}
	name, rest, _ := strings.Cut(r.text, `"`)
	r.text = rest
	if !r.take(':') {
		return nil
	}
	return l.member(name)
}

// number reads a number that there is as a float64.
func (r *landmarkReader) number(to *float64) bool {
	r.peek()
	end := strings.IndexFunc(r.text, func(c rune) bool { return c <= ' ' || c == ',' || c == '}' })
	if end < 0 {
		return false
	}
	f, err := strconv.ParseFloat(r.text[:end], 64)
	*to, r.text = f, r.text[end:]
	return err == nil
}
