package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"workforce/ent"
	"workforce/internal/app/audit"
	"workforce/internal/app/tx"
	"workforce/internal/database"
	"workforce/internal/server"
	"workforce/internal/viewer"
)

// defaultDatabase is that of serve and of all commands.
const defaultDatabase = "sqlite:data/workforce.db"

// databaseFlag names the database of commands that work without a server.
type databaseFlag struct {
	configFlag
	Database string `default:"sqlite:data/workforce.db" env:"WORKFORCE_DATABASE" help:"sqlite:PATH or mysql://user:password@host:3306/name."`
}

// change runs a step as the system, in one transaction of a database whose pending
// migrations it applies first.
func change(ctx context.Context, url string, step func(context.Context, *ent.Client) error) (err error) {
	s, err := openStore(ctx, url)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	return changeStore(ctx, s, step)
}

// changeStore runs a step as the system, in one transaction of an open database.
func changeStore(ctx context.Context, s *server.Store, step func(context.Context, *ent.Client) error) error {
	ctx = viewer.System(ctx)
	return tx.Run(ctx, s.Ent, func(ctx context.Context) error { return step(ctx, ent.FromContext(ctx)) })
}

// record records what a command did in the audit, in its transaction. Nobody is signed
// in: the actor is the operator, as of everything that the server does by itself.
func record(ctx context.Context, db *ent.Client, e audit.Event) error {
	return (&audit.Recorder{DB: db, Now: now}).Record(ctx, e)
}

// openStore opens a database that is there and applies its pending migrations.
func openStore(ctx context.Context, url string) (*server.Store, error) { return open(ctx, url, true) }

// openUnchanged opens a database that is there and has no pending migrations.
func openUnchanged(ctx context.Context, url string) (*server.Store, error) {
	return open(ctx, url, false)
}

func open(ctx context.Context, url string, migrate bool) (*server.Store, error) {
	if err := errors.Join(database.Check(url), database.CheckExists(url)); err != nil {
		return nil, badDatabase(err)
	}
	return server.OpenStore(ctx, url, migrate, slog.New(slog.DiscardHandler))
}

// openDatabase opens a database that is there, as it is.
func openDatabase(url string) (*database.DB, error) {
	if err := database.CheckExists(url); err != nil {
		return nil, badDatabase(err)
	}
	return openOrCreate(url)
}

// openOrCreate opens a database, and creates a SQLite file that is not there.
func openOrCreate(url string) (*database.DB, error) {
	db, err := database.Open(url, nil)
	if err != nil {
		return nil, badDatabase(err)
	}
	return db, nil
}

func badDatabase(err error) error {
	return fmt.Errorf("--database: %s", strings.TrimPrefix(err.Error(), "database: "))
}

// now is the time of commands that run without a server.
func now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }
