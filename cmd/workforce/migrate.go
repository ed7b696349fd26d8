package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"workforce/internal/migration"
)

// migrateCmd shows and applies the migrations of a database.
type migrateCmd struct {
	Status migrateStatusCmd `cmd:"" help:"List the migrations and when they were applied."`
	Plan   migratePlanCmd   `cmd:"" help:"Print the SQL that up would run."`
	Up     migrateUpCmd     `cmd:"" help:"Apply pending migrations; creates a SQLite file that is not there."`
}

type migrateStatusCmd struct {
	databaseFlag
	jsonFlag
}

// Run implements the command. It ends as a dry run of up would.
func (c *migrateStatusCmd) Run(ctx context.Context, io streams) (err error) {
	db, err := openDatabase(c.Database)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	all, err := migration.Status(ctx, db)
	if err != nil {
		return err
	}
	pending, told := 0, []any{}
	for _, m := range all {
		at, applied := "pending", any(nil)
		if m.AppliedAt.IsZero() {
			pending++
		} else {
			at, applied = m.AppliedAt.Local().Format("2006-01-02 15:04:05 MST"), m.AppliedAt.UTC().Format(time.RFC3339)
		}
		if c.JSON {
			told = append(told, map[string]any{"name": m.Name, "appliedAt": applied})
		} else {
			fmt.Fprintf(io.out, "%-24s %s\n", at, m.Name)
		}
	}
	if c.JSON {
		err = printJSON(io.out, told)
	}
	if err == nil && pending > 0 {
		err = wouldChange{}
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
