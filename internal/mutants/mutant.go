package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// listFile is the path of a package's mutants, relative to its folder.
const listFile = "testdata/mutants.txt"

// A mutant is one change to a source file.
type mutant struct {
	name     string
	file     string // relative to the folder of the package
	old, new string // old occurs in the file exactly once
}

func (m mutant) String() string { return m.file + ": " + m.name }

// parse reads a list of mutants. Each is a name, a file, the old text behind
// minus signs and the new one behind plus signs, which may be empty:
//
//	# A comment.
//	name: a position on the circle is outside
//	file: geofence.go
//	-return d <= radius
//	+return d < radius
//
// A text of one line may be a part of a line in the file. Several lines of a text
// are joined by newlines.
func parse(r io.Reader) ([]mutant, error) {
	var list []mutant
	var old, replacement []string
	finish := func() error {
		if len(list) == 0 {
			return nil
		}
		m := &list[len(list)-1]
		m.old, m.new = strings.Join(old, "\n"), strings.Join(replacement, "\n")
		old, replacement = nil, nil
		switch {
		case m.name == "" || m.file == "" || m.old == "":
			return fmt.Errorf("mutant %q needs name:, file: and the old text", m.name)
		case m.old == m.new:
			return fmt.Errorf("mutant %q changes nothing", m.name)
		}
		return nil
	}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		key, value, _ := strings.Cut(line, ": ")
		switch {
		case line == "" || line[0] == '#':
		case key == "name":
			if err := finish(); err != nil {
				return nil, err
			}
			list = append(list, mutant{name: value})
		case len(list) == 0:
			return nil, fmt.Errorf("line %d: want name: first", n)
		case key == "file":
			list[len(list)-1].file = value
		case line[0] == '-':
			old = append(old, line[1:])
		case line[0] == '+':
			replacement = append(replacement, line[1:])
		default:
			return nil, fmt.Errorf("line %d: want name:, file:, -, + or #", n)
		}
	}
	if err := finish(); err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, errors.New("no mutants")
	}
	return list, lines.Err()
}

// apply returns the source with the change of m.
func (m mutant) apply(source string) (string, error) {
	if n := strings.Count(source, m.old); n != 1 {
		return "", fmt.Errorf("%q is in the file %d times, want once", m.old, n)
	}
	return strings.Replace(source, m.old, m.new, 1), nil
}
