package graph

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"workforce/internal/request"
	"workforce/internal/token"
)

// speak settles the language where the headers ask for none: the user's, else
// their company's.
func speak(ctx context.Context, all claims) {
	info := request.From(ctx)
	if info.Language != "" {
		return
	}
	for _, kind := range everyKind {
		if c := all[kind]; c != nil && c.known() && kind != token.Device {
			info.Language = c.Locale
			return
		}
	}
}

// platform returns that of the device which any token names, else the one that
// a registration gives.
func platform(ctx context.Context, all claims) string {
	for _, kind := range everyKind {
		if c := all[kind]; c != nil && c.known() {
			return c.Device.Platform
		}
	}
	oc := graphql.GetOperationContext(ctx)
	for _, f := range rootFields(oc.Operation.SelectionSet) {
		if f.Name != "registerDevice" {
			continue
		}
		if input, ok := f.ArgumentMap(oc.Variables)["input"].(map[string]any); ok {
			p, _ := input["platform"].(string)
			return p
		}
	}
	return ""
}
