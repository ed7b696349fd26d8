package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/vektah/gqlparser/v2/ast"

	"workforce/graph"
	"workforce/internal/database"
	"workforce/internal/migration"
)

// databaseFlag names the database of commands that work without a server.
type databaseFlag struct {
	Database string `default:"sqlite:data/workforce.db" env:"WORKFORCE_DATABASE" help:"sqlite:PATH or mysql://user:password@host:3306/name."`
}

// migrateCmd looks at and changes the schema of a database.
type migrateCmd struct {
	Status migrateStatusCmd `cmd:"" help:"List the migrations and when they were applied."`
	Plan   migratePlanCmd   `cmd:"" help:"Print the SQL that up would run."`
	Up     migrateUpCmd     `cmd:"" help:"Apply pending migrations."`
}

type migrateStatusCmd struct{ databaseFlag }

// Run implements the command.
func (c *migrateStatusCmd) Run(ctx context.Context, io streams) (err error) {
	db, err := database.Open(c.Database, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	all, err := migration.Status(ctx, db)
	for _, m := range all {
		at := "pending"
		if !m.AppliedAt.IsZero() {
			at = m.AppliedAt.Format("2006-01-02 15:04:05")
		}
		fmt.Fprintf(io.out, "%-20s %s\n", at, m.Name)
	}
	return err
}

type migratePlanCmd struct{ databaseFlag }

// Run implements the command.
func (c *migratePlanCmd) Run(ctx context.Context, io streams) (err error) {
	db, err := database.Open(c.Database, nil)
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
	db, err := database.Open(c.Database, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return migration.Up(ctx, db)
}

// operationsCmd works with operation documents.
type operationsCmd struct {
	Check operationsCheckCmd `cmd:"" help:"Tell what is wrong with a folder of documents laid over the built-in ones."`
}

type operationsCheckCmd struct {
	Dir string `arg:"" type:"existingdir" help:"The folder."`
}

// Run implements the command.
func (c *operationsCheckCmd) Run(io streams) error {
	api, err := loadAPI(schemaOnly(), c.Dir)
	if err != nil {
		return err
	}
	fmt.Fprintf(io.out, "%d endpoints, all documents are good\n", len(api.Endpoints()))
	return nil
}

type openapiCmd struct{}

// Run implements the command.
func (openapiCmd) Run(io streams) error {
	api, err := loadAPI(schemaOnly(), "")
	if err != nil {
		return err
	}
	doc, err := api.OpenAPI(apiInfo(""))
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(io.out, "%s\n", doc)
	return err
}

// configCmd works with the settings.
type configCmd struct {
	Print configPrintCmd `cmd:"" help:"Print the settings that serve would have."`
}

type configPrintCmd struct{ settings }

// Run implements the command. Secrets are not shown.
func (c *configPrintCmd) Run(io streams) error {
	if _, err := c.parse(); err != nil {
		return err
	}
	out := json.NewEncoder(io.out)
	out.SetIndent("", "  ")
	return out.Encode(c.redacted())
}

type versionCmd struct{}

// Run implements the command.
func (versionCmd) Run(io streams) error {
	_, err := fmt.Fprintln(io.out, "workforce", version())
	return err
}

// version is that of the build: a tag, else the revision it was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}

// schemaOnly is the GraphQL schema, for what needs no server.
func schemaOnly() *ast.Schema { return (&graph.Resolver{}).Schema().Schema() }
