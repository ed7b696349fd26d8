// Package compat compares the two APIs with those of the last release. It has a go.mod of its own, so that it decides
// no version of the server's.
package compat

import (
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/oasdiff/oasdiff/checker"
	"github.com/oasdiff/oasdiff/diff"
	"github.com/oasdiff/oasdiff/load"
)

// levels are where docs/versioning.md judges otherwise than oasdiff: clients ignore values that they do not know, and
// whatever goes is a break, announced or not.
var levels = map[string]checker.Level{
	"response-property-enum-value-added":    checker.INFO,
	"response-mediatype-enum-value-added":   checker.INFO,
	"response-required-property-added":      checker.INFO,
	"response-non-success-status-removed":   checker.ERR,
	"response-success-status-added":         checker.ERR,
	"response-optional-property-removed":    checker.ERR,
	"response-property-enum-value-removed":  checker.ERR,
	"response-mediatype-enum-value-removed": checker.ERR,
	"optional-response-header-removed":      checker.ERR,
	"api-operation-id-removed":              checker.ERR,
	"api-security-component-removed":        checker.ERR,

	"api-path-removed-with-deprecation":                   checker.ERR,
	"api-removed-with-deprecation":                        checker.ERR,
	"request-parameter-removed-with-deprecation":          checker.ERR,
	"request-property-removed-with-deprecation":           checker.ERR,
	"response-required-property-removed-with-deprecation": checker.ERR,
	"request-parameter-default-value-added":               checker.ERR,
	"request-parameter-default-value-changed":             checker.ERR,
	"request-parameter-default-value-removed":             checker.ERR,
	"request-property-default-value-added":                checker.ERR,
	"request-property-default-value-changed":              checker.ERR,
	"request-property-default-value-removed":              checker.ERR,
}

// OpenAPIBreaks returns what a client of the OpenAPI document before may not survive.
func OpenAPIBreaks(before, after []byte) ([]string, error) {
	specs := make([]*load.SpecInfo, 2)
	for i, text := range [][]byte{before, after} {
		doc, err := openapi3.NewLoader().LoadFromData(text)
		if err != nil {
			return nil, err
		}
		specs[i] = &load.SpecInfo{Spec: doc}
	}
	report, sources, err := diff.GetWithOperationsSourcesMap(diff.NewConfig(), specs[0], specs[1])
	if err != nil {
		return nil, err
	}
	config := checker.NewConfig(checker.GetAllChecks(), checker.WithSeverityLevels(levels))
	var found []string
	for _, c := range checker.CheckBackwardCompatibility(config, report, sources) {
		place := strings.TrimSpace(c.GetOperation() + " " + c.GetPath())
		if place == "" {
			place = c.GetSection()
		}
		found = append(found, place+": "+c.GetUncolorizedText(checker.NewDefaultLocalizer()))
	}
	return found, nil
}
