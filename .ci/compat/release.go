package compat

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A release is what clients rely on.
type release struct{ openAPI, schema []byte }

// problems compares a release with the one before, whose breaks text declares: a line for each, and below it, indented,
// why. They are breaks that are not declared, declared ones that are none or have no reason, and a version of the API
// that does not tell of a break.
func (r release) problems(before release, text string) ([]string, error) {
	breaks, err := OpenAPIBreaks(before.openAPI, r.openAPI)
	if err != nil {
		return nil, err
	}
	more, err := SchemaBreaks(before.schema, r.schema)
	if err != nil {
		return nil, err
	}
	breaks = append(breaks, more...)
	declared := declarations(text)
	var found []string
	for _, b := range breaks {
		if _, ok := declared[b]; !ok {
			found = append(found, "not declared: "+b)
		}
	}
	for b, why := range declared {
		switch {
		case !slices.Contains(breaks, b):
			found = append(found, "declared, and no break: "+b)
		case why == "":
			found = append(found, "declared without a reason: "+b)
		}
	}
	was, err := major(before.openAPI)
	if err != nil {
		return nil, err
	}
	is, err := major(r.openAPI)
	if err == nil && len(declared) > 0 && is <= was {
		found = append(found, fmt.Sprintf("a break needs version %d of the API", was+1))
	}
	slices.Sort(found)
	return found, err
}

// declarations returns the reasons of breaks.
func declarations(text string) map[string]string {
	declared, last := map[string]string{}, ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n\t ")
		why := strings.TrimLeft(line, "\t ")
		switch {
		case line == "" || line[0] == '#':
		case line == why:
			last = line
			declared[last] = ""
		case last != "":
			declared[last] += why
		}
	}
	return declared
}

// major returns the first number of the version of an OpenAPI document.
func major(document []byte) (int, error) {
	var doc struct{ Info struct{ Version string } }
	if err := json.Unmarshal(document, &doc); err != nil {
		return 0, err
	}
	number, _, _ := strings.Cut(doc.Info.Version, ".")
	return strconv.Atoi(number)
}
