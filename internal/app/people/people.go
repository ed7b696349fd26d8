// Package people holds the use cases of a company's users and roles.
package people

import (
	"cmp"
	"context"
	"slices"
	"time"

	"workforce/ent"
	"workforce/graph/model"
	"workforce/internal/app/audit"
	"workforce/internal/app/auth"
	"workforce/internal/app/files"
	"workforce/internal/app/input"
	"workforce/internal/app/notify"
	"workforce/internal/app/ratelimit"
	"workforce/internal/app/scheduling"
	"workforce/internal/errs"
	"workforce/internal/password"
	"workforce/internal/setting"
	"workforce/internal/viewer"
)

// A Service manages users and roles. Its methods are safe for concurrent use.
type Service struct {
	Now       func() time.Time // UTC, to the microsecond
	Hasher    *password.Hasher
	Passwords *auth.Passwords
	Notify    *notify.Service
	Files     *files.Service
	Audit     *audit.Recorder
	Limiter   *ratelimit.Limiter  // of messages that somebody asks for
	Plans     *scheduling.Planner // of the shifts that people have by where they work and what they hold
	Country   string              // ISO 3166, of companies that set none
}

// CreateUser adds a user to the viewer's company; without a password they are
// invited.
func (s *Service) CreateUser(ctx context.Context, in model.CreateUserInput) (*ent.User, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	if me.Scope("user", "write") < viewer.All {
		return nil, errs.New(errs.Forbidden, nil)
	}
	p := newPerson(in)
	p.country = s.country(me)
	hash, err := s.newHash(ctx, p, p.check(nil, nil), in.Password.Value())
	if err != nil {
		return nil, err
	}
	u, err := s.create(ctx, p, hash)
	if err != nil {
		return nil, p.taken(ctx, err)
	}
	return u, nil
}

// country returns the country in which numbers without a country code are read.
func (s *Service) country(me *viewer.Viewer) string {
	return cmp.Or(setting.CountryCode.Of(me.Settings), s.Country)
}

// UpdateUser changes a user.
func (s *Service) UpdateUser(ctx context.Context, id int, in model.UpdateUserInput) error {
	if err := keptFromKey(viewer.From(ctx), in); err != nil {
		return err
	}
	u, err := changeable(ctx, id)
	if err != nil {
		return err
	}
	p := person{UpdateUserInput: in, country: s.country(viewer.From(ctx))}
	if err := p.check(u.JoinedOn, u.LeftOn).Err(); err != nil {
		return err
	}
	return s.update(ctx, u, p)
}

// keptFromKey refuses to an API key what decides how somebody gets in, and a business that it does not reach.
func keptFromKey(me *viewer.Viewer, in model.UpdateUserInput) error {
	if me.Key == 0 {
		return nil
	}
	if in.RoleIds.IsSet() || in.Email.IsSet() || in.MobileNumber.IsSet() || in.Policies.IsSet() {
		return errs.New(errs.Forbidden, nil)
	}
	id := in.BusinessID.Value()
	if me.Bounded && in.BusinessID.IsSet() && (id == nil || !slices.Contains(me.Businesses, *id)) {
		return errs.Field(errs.Forbidden, "businessId", nil)
	}
	return nil
}

// DeleteUser deactivates a user. Their rows are kept.
func (s *Service) DeleteUser(ctx context.Context, id int) error {
	u, err := changeable(ctx, id)
	if err != nil {
		return err
	}
	inactive := false
	return s.update(ctx, u, person{UpdateUserInput: model.UpdateUserInput{Active: input.Given(&inactive)}})
}
