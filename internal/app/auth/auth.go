// Package auth holds the use cases of signing in: devices, sessions and their
// tokens, one-time codes, and passwords.
package auth

import (
	"context"
	"time"

	"workforce/ent"
	"workforce/internal/app/audit"
	"workforce/internal/app/auth/credential"
	"workforce/internal/app/auth/trust"
	"workforce/internal/app/notify"
	"workforce/internal/app/ratelimit"
	"workforce/internal/app/tx"
	"workforce/internal/password"
	"workforce/internal/sealed"
)

// Deps are what the use cases need.
type Deps struct {
	DB       *ent.Client
	Now      func() time.Time // UTC, to the microsecond
	Keys     *sealed.Ring     // of the installation
	Hasher   *password.Hasher
	Audit    *audit.Recorder
	Notify   *notify.Service
	Profiles *Profiles
	Limiter  *ratelimit.Limiter

	Country         string // ISO 3166, in which phone numbers without + are read
	Base64Passwords bool   // a password that is not encrypted is base64
	Lifetimes       Lifetimes
}

// A Service signs people in and out. Its methods are safe for concurrent use.
type Service struct {
	Deps
	Passwords *Passwords
	FaceCodes *FaceCodes
	Trust     *trust.Service

	codes    *codes
	sessions *sessions
	attempts *attempts
	devices  *devices
}

// New returns the service.
func New(d Deps) *Service {
	s := &Service{
		Deps:      d,
		Trust:     &trust.Service{Now: d.Now, Audit: d.Audit, Notify: d.Notify},
		Passwords: &Passwords{Deps: d, Keys: NewKeyring(d.DB, d.Keys, d.Now)},
		sessions:  &sessions{Deps: d, key: d.Keys.Derive("tokens")},
		attempts:  &attempts{Deps: d, key: d.Keys.Derive("rate windows")},
		codes:     &codes{Deps: d, key: d.Keys.Derive("one-time codes"), accountKey: d.Keys.Derive("accounts")},
		devices:   &devices{Deps: d, key: d.Keys.Derive("device tokens")},
	}
	s.FaceCodes = &FaceCodes{s.codes, s.sessions}
	return s
}

// decoyEvent is as long as the facts of an event about a user.
const decoyEvent = `{"device_id":1000}`

// record records an event about a user's account, on a device. For nobody it writes
// a decoy instead, which takes the same statements.
func (d Deps) record(ctx context.Context, action string, u *ent.User, device int) error {
	if ent.TxFromContext(ctx) == nil {
		return tx.Run(ctx, d.DB, func(ctx context.Context) error { return d.record(ctx, action, u, device) })
	}
	if u == nil {
		return ent.FromContext(ctx).Decoy.Create().SetText(decoyEvent).SetCreatedAt(d.Now()).Exec(ctx)
	}
	return d.Audit.Record(ctx, ofUser(action, u, device))
}

// ofUser is an event about a user's account, on a device.
func ofUser(action string, u *ent.User, device int) audit.Event {
	return audit.Event{
		Action: action, Company: u.CompanyID, Subject: ent.TypeUser, ID: u.ID, Facts: map[string]any{"device_id": device},
	}
}

// ofSession is an event about a session.
func ofSession(action string, s credential.Session) audit.Event {
	return audit.Event{
		Action: action, Company: s.CompanyID, Subject: ent.TypeSession, ID: s.ID, Actor: s.UserID,
		Facts: map[string]any{"user_id": s.UserID, "device_id": s.DeviceID},
	}
}
