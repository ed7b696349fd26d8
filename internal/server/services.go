package server

import (
	"maps"
	"time"

	"log/slog"

	"workforce/ent"
	"workforce/graph"
	"workforce/internal/app/attendance"
	"workforce/internal/app/audit"
	"workforce/internal/app/auth"
	"workforce/internal/app/bootstrap"
	"workforce/internal/app/notify"
	"workforce/internal/app/organization"
	"workforce/internal/app/people"
	"workforce/internal/app/profile"
	"workforce/internal/app/ratelimit"
	"workforce/internal/password"
	"workforce/internal/sealed"
)

// Services are the use cases by domain, and what they share.
type Services struct {
	graph.Resolver
	Notify  *notify.Service
	Audit   *audit.Recorder
	Limiter *ratelimit.Limiter
	Hasher  *password.Hasher
	Now     func() time.Time // UTC, to the microsecond
	Setup   *bootstrap.Service
}

// newServices builds the services on a database.
func newServices(db *ent.Client, key sealed.Key, now func() time.Time, s Config, sender notify.Sender, log *slog.Logger) *Services {
	faces := sealed.NewSealer("faces", key)
	out := &Services{
		Notify:  notify.New(sealed.NewSealer("messages", key)),
		Audit:   &audit.Recorder{DB: db, Now: now, Log: log},
		Limiter: &ratelimit.Limiter{Limits: maps.Clone(ratelimit.Default), Now: now, Key: key.Derive("rate windows")},
		Hasher:  password.NewHasher(),
		Now:     now,
	}
	if s.RegistrationLimit > 0 {
		out.Limiter.Limits[ratelimit.Registration] = s.RegistrationLimit
	}
	out.Notify.DB, out.Notify.Log, out.Notify.Now, out.Notify.Sender = db, log, now, sender
	out.Profiles = &profile.Service{Faces: faces}
	out.Auth = auth.New(auth.Deps{
		DB: db, Now: now, Key: key, Hasher: out.Hasher, Audit: out.Audit, Notify: out.Notify, Profiles: out.Profiles, Limiter: out.Limiter,
		Country: s.Country, Base64Passwords: s.PasswordLegacy == "base64", Lifetimes: s.lifetimes(),
	})
	out.Setup = &bootstrap.Service{DB: db, Now: now, Hasher: out.Hasher, Auth: out.Auth, Audit: out.Audit}
	out.People = &people.Service{Now: now, Hasher: out.Hasher, Passwords: out.Auth.Passwords, Notify: out.Notify}
	out.Organization = &organization.Service{}
	out.Attendance = &attendance.Service{Now: now, Faces: faces, FaceKey: key.Derive("face digests"), Notify: out.Notify, Audit: out.Audit}
	return out
}
