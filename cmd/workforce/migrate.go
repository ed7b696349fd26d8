package main

import (
	"context"
	"errors"
	"fmt"

	"workforce/internal/migration"
)

// migrateCmd shows and applies the migrations of a database.
type migrateCmd struct {
	Status migrateStatusCmd `cmd:"" help:"List the migrations and when they were applied."`
	Plan   migratePlanCmd   `cmd:"" help:"Print the SQL that up would run."`
	Up     migrateUpCmd     `cmd:"" help:"Apply pending migrations; creates a SQLite file that is not there."`
}

type migrateStatusCmd struct{ databaseFlag }

// Run implements the command.
func (c *migrateStatusCmd) Run(ctx context.Context, io streams) (err error) {
	db, err := openDatabase(c.Database)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	all, err := migration.Status(ctx, db)
	for _, m := range all {
		at := "pending"
		if !m.AppliedAt.IsZero() {
			at = m.AppliedAt.Local().Format("2006-01-02 15:04:05 MST")
		}
		fmt.Fprintf(io.out, "%-24s %s\n", at, m.Name)
	}
	return err
}

type migratePlanCmd struct{ databaseFlag }

// Run implements the command.
func (c *migratePlanCmd) Run(ctx context.Context, io streams) (err error) {
	db, err := openDatabase(c.Database)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	plan, err := migration.Plan(ctx, db)
	fmt.Fprint(io.out, plan)
	return err
}

type migrateUpCmd struct{ databaseFlag }

// Run implements the command.
func (c *migrateUpCmd) Run(ctx context.Context) (err error) {
	db, err := openOrCreate(c.Database)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return migration.Up(ctx, db)
}
