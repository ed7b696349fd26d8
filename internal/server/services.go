package server

import (
	"cmp"
	"context"
	"maps"
	"runtime"
	"strings"
	"time"

	"log/slog"

	"workforce/ent"
	entMessage "workforce/ent/message"
	"workforce/graph"
	"workforce/internal/admission"
	"workforce/internal/app/approval"
	"workforce/internal/app/attendance"
	"workforce/internal/app/audit"
	"workforce/internal/app/auth"
	"workforce/internal/app/bootstrap"
	"workforce/internal/app/correction"
	"workforce/internal/app/definition"
	"workforce/internal/app/faceenrolment"
	"workforce/internal/app/files"
	"workforce/internal/app/job"
	"workforce/internal/app/leave"
	"workforce/internal/app/live"
	"workforce/internal/app/notify"
	"workforce/internal/app/organization"
	"workforce/internal/app/people"
	"workforce/internal/app/peopleimport"
	"workforce/internal/app/position"
	"workforce/internal/app/privacy"
	"workforce/internal/app/project"
	"workforce/internal/app/ratelimit"
	"workforce/internal/app/report"
	"workforce/internal/app/results"
	"workforce/internal/app/roster"
	"workforce/internal/app/scheduling"
	"workforce/internal/app/secretkey"
	"workforce/internal/app/task"
	"workforce/internal/app/ticket"
	"workforce/internal/app/timeentry"
	"workforce/internal/app/timesheets"
	"workforce/internal/app/timetotals"
	"workforce/internal/app/worktime"
	"workforce/internal/blob"
	"workforce/internal/message"
	"workforce/internal/password"
	"workforce/internal/sealed"
	"workforce/internal/web"
)

// Services are the use cases by domain, and what they share.
type Services struct {
	graph.Resolver
	Files   *files.Service
	Jobs    *job.Runner
	Notify  *notify.Service
	Audit   *audit.Recorder
	Limiter *ratelimit.Limiter
	Hasher  *password.Hasher
	Now     func() time.Time // UTC, to the microsecond
	Setup   *bootstrap.Service
	Live    *live.Service
	Secret  *secretkey.Service // rotates the secret key
}

// waitingPictures is how many uploaded pictures may wait to be decoded.
const waitingPictures = 8

// waitingTables is how many uploaded tables may wait to be read, one at a time: each
// may take tens of megabytes.
const waitingTables = 8

// newServices builds the services on a database.
func newServices(db *ent.Client, store *blob.Store, keys *sealed.Ring, now func() time.Time, s Config,
	sender message.Router, log *slog.Logger) *Services {
	faces := faceSealer(keys)
	out := &Services{
		Files: &files.Service{
			DB: db, Now: now, Store: store, Pictures: admission.NewLane(runtime.GOMAXPROCS(0), waitingPictures),
		},
		Notify:  notify.New(keys.Sealer("messages")),
		Audit:   &audit.Recorder{DB: db, Now: now, Log: log},
		Limiter: &ratelimit.Limiter{Limits: maps.Clone(ratelimit.Default), Now: now, Key: keys.Derive("rate windows")},
		Hasher:  password.NewHasher(cmp.Or(s.PasswordWork, password.Standard)),
		Now:     now,
		Live:    live.New(now, log),
	}
	out.Files.Uploads = out.Limiter
	if s.RegistrationLimit > 0 {
		out.Limiter.Limits[ratelimit.Registration] = s.RegistrationLimit
	}
	out.Notify.DB, out.Notify.Log, out.Notify.Now, out.Notify.Sender = db, log, now, sender
	out.Notify.Unserved, out.Notify.Audit, out.Messages = unserved(sender), out.Audit, out.Notify
	out.Privacy = &privacy.Service{DB: db, Now: now, Faces: faces, Objects: store, Files: out.Files, Audit: out.Audit}
	out.Jobs = job.New(sweeping(out.Files), out.Privacy.Making())
	out.Privacy.Jobs = out.Jobs
	out.Jobs.DB, out.Jobs.Log, out.Jobs.Now, out.Live.DB = db, log, now, db
	out.Notify.Tracer, out.Jobs.Tracer, out.Notify.AppURL = s.Tracer, s.Tracer, s.appURL()
	out.Jobs.Everywhere(out.Notify.Run)
	out.Jobs.Everywhere(out.Live.Run)
	out.Profiles = &auth.Profiles{Faces: faces}
	out.Auth = auth.New(auth.Deps{
		DB: db, Now: now, Keys: keys, Hasher: out.Hasher, Audit: out.Audit, Notify: out.Notify,
		Profiles: out.Profiles, Limiter: out.Limiter,
		Country: s.Country, Base64Passwords: s.PasswordLegacy == "base64", Lifetimes: s.lifetimes(),
	})
	out.Setup = &bootstrap.Service{DB: db, Now: now, Hasher: out.Hasher, Auth: out.Auth, Audit: out.Audit}
	plans := &scheduling.Planner{DB: db, Now: now, Jobs: out.Jobs, Notify: out.Notify, Audit: out.Audit}
	out.People = &people.Service{
		Now: now, Hasher: out.Hasher, Passwords: out.Auth.Passwords, Notify: out.Notify, Files: out.Files, Plans: plans, Country: s.Country,
		Audit: out.Audit, Limiter: out.Limiter,
	}
	out.Organization = &organization.Service{DB: db, Files: out.Files, Now: now, Audit: out.Audit, Plans: plans, Uploads: out.Limiter}
	out.Roster = &roster.Service{Plans: plans, Managers: out.Organization.Managers}
	out.Days = &results.Service{DB: db, Now: now, Log: log, Notify: out.Notify, Audit: out.Audit, Live: out.Live}
	for _, k := range out.Days.Kinds() {
		out.Jobs.Add(k)
	}
	desk := out.newDesk(plans)
	out.Corrections = &correction.Service{DB: db, Now: now, Desk: desk, Files: out.Files, Audit: out.Audit, Days: out.Days, Live: out.Live}
	out.Leaves = &leave.Service{Now: now, Desk: desk, Days: out.Days}
	out.Booked = &timetotals.Service{Now: now}
	out.Sheets = &timesheets.Service{Now: now, Booked: out.Booked.Days}
	out.Overtime = &approval.Overtime{Now: now, Plans: plans, Days: out.Sheets.Days}
	out.Projects = &project.Service{Now: now}
	out.Tasks = &task.Service{DB: db, Now: now, Files: out.Files, Notify: out.Notify, Live: out.Live}
	out.Entries = &timeentry.Service{DB: db, Now: now, Desk: desk, Notify: out.Notify, NewTask: out.Tasks.Save, TaskChanged: out.Live.TaskChanged}
	out.Tickets = &ticket.Service{DB: db, Now: now, Files: out.Files, Notify: out.Notify, Live: out.Live, Managers: out.Organization.Managers}
	out.Work = &worktime.Service{Now: now, Plans: plans}
	out.Attendances = &attendance.Service{
		Now: now, Faces: faces, FaceKey: keys.Derive("face digests"), Notify: out.Notify, Audit: out.Audit,
		Work: out.Work, Desk: desk,
		Days: out.Days, Live: out.Live, StopTimers: out.Entries.StopAll,
	}
	out.Coordinates = &position.Service{Now: now, Audit: out.Audit}
	out.Enrolment = &faceenrolment.Service{Now: now, Notify: out.Notify, Organization: out.Organization, Codes: out.Auth.FaceCodes}
	out.Transfers = &peopleimport.Service{
		DB: db, Now: now, Jobs: out.Jobs, Plans: plans, Audit: out.Audit,
		Uploads: out.Limiter, Tables: admission.NewLane(1, waitingTables), Files: out.Files, Objects: store,
	}
	out.Definitions = out.newDefinitions(db)
	out.Reports = &report.Service{
		DB: db, Now: now, Jobs: out.Jobs, Files: out.Files, Objects: store, Sheets: out.Sheets, Booked: out.Booked,
		Notify: out.Notify, Live: out.Live,
	}
	out.addJobs(append(plans.Kinds(), out.Reports.Making(), out.Reports.Asking(), out.Reports.Watching(),
		job.Cleaning(now, out.Reports.Clean, out.Privacy.Clean, out.Transfers.Clean, out.Corrections.Clean, out.Tasks.Clean),
		peopleimport.Invitations(out.Notify), out.Transfers.Importing(), out.Privacy.Erasing()))
	out.Secret = out.newSecret(keys, s.SecretKeyFile)
	return out
}

// newSecret builds what replaces the secret key of a file.
func (s *Services) newSecret(keys *sealed.Ring, file string) *secretkey.Service {
	secret := secretkey.New()
	secret.DB, secret.Now, secret.Log = s.Jobs.DB, s.Now, s.Jobs.Log
	secret.File, secret.Keys, secret.Jobs, secret.Audit = file, keys, s.Jobs, s.Audit
	s.Jobs.Add(secret.Resealing())
	return secret
}

// newDefinitions builds the service that applies files which describe companies.
func (s *Services) newDefinitions(db *ent.Client) *definition.Service {
	return &definition.Service{
		DB: db, Now: s.Now, Audit: s.Audit, Organization: s.Organization, Roster: s.Roster, Leaves: s.Leaves,
		People: s.People, Uploads: s.Limiter, Reading: admission.NewLane(1, waitingTables),
	}
}

// newDesk builds the desk of requests, which tells those who listen how much waits for them.
func (s *Services) newDesk(plans *scheduling.Planner) *approval.Desk {
	s.Desk = &approval.Desk{Plans: plans, Managers: s.Organization.Managers}
	s.Live.Inbox = s.Desk.Watched
	s.Live.WatchInbox()
	return s.Desk
}

// unserved returns the channels that nothing carries messages of.
func unserved(sender message.Router) (channels []entMessage.Channel) {
	for _, c := range []entMessage.Channel{entMessage.ChannelEmail, entMessage.ChannelSms, entMessage.ChannelWhatsapp} {
		if !sender.Carries(string(c)) {
			channels = append(channels, c)
		}
	}
	return channels
}

// faceSealer returns the sealer of face templates.
func faceSealer(keys *sealed.Ring) *sealed.Sealer { return keys.Sealer("faces") }

// sweepInterval is how often files that no row names are erased.
const sweepInterval = time.Hour

// sweeping is the job that erases the files that no row names.
func sweeping(f *files.Service) job.Kind {
	return job.Kind{Name: "files", Every: sweepInterval, Run: func(ctx context.Context, _ *job.Run) error { return f.Sweep(ctx) }}
}

// addJobs has kinds of jobs done, and those of the domains that have one or two.
func (s *Services) addJobs(kinds []job.Kind) {
	kinds = append(kinds, s.Leaves.Expiring(), s.Leaves.Recharging(), s.Roster.Expiring(), s.Corrections.Expiring())
	for _, k := range append(kinds, s.Tasks.CopyJob(), s.Tickets.AlertJob(), s.Entries.Watching()) {
		s.Jobs.Add(k)
	}
}

// appURL returns where the web app is; "" where the public URL is not known.
func (s Config) appURL() string {
	if s.PublicURL == "" {
		return ""
	}
	return strings.TrimSuffix(s.PublicURL, "/") + web.Path
}
