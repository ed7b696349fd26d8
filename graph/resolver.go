// Package graph is the GraphQL schema and its resolvers. They read the input, call a
// use case and return its answer.
package graph

import (
	"workforce/internal/app/attendance"
	"workforce/internal/app/auth"
	"workforce/internal/app/organization"
	"workforce/internal/app/people"
	"workforce/internal/app/privacy"
	"workforce/internal/app/profile"
)

// Resolver holds the use cases by domain.
type Resolver struct {
	Auth         *auth.Service
	People       *people.Service
	Organization *organization.Service
	Attendance   *attendance.Service
	Profiles     *profile.Service
	Privacy      *privacy.Service
}
