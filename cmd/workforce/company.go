package main

import (
	"context"

	"workforce/ent"
	"workforce/internal/app/audit"
	"workforce/internal/app/bootstrap"
	"workforce/internal/app/organization"
)

// companyCmd manages companies.
type companyCmd struct {
	Create companyCreateCmd `cmd:"" help:"Create a company and its built-in roles; prints its id."`
}

type companyCreateCmd struct {
	databaseFlag
	jsonFlag
	Name     string `required:"" help:"Name of the company."`
	Timezone string `required:"" help:"IANA time zone of the company, such as Asia/Jakarta."`
	Locale   string `default:"id" help:"Language of users without one: id or en."`
}

// Run implements the command.
func (c *companyCreateCmd) Run(ctx context.Context, io streams) error {
	return change(ctx, c.Database, func(ctx context.Context, db *ent.Client) error {
		if err := bootstrap.Close(ctx, now()); err != nil {
			return err
		}
		company, err := organization.CreateCompany(ctx, db, now(), c.Name, c.Timezone, c.Locale)
		if err != nil {
			return err
		}
		err = record(ctx, db, audit.Event{
			Action: "company.created", Company: company.ID, Subject: ent.TypeCompany, ID: company.ID,
			Facts: map[string]any{"name": company.Name, "timezone": company.Timezone, "locale": company.Locale},
		})
		if err != nil {
			return err
		}
		return c.print(io.out, map[string]any{"id": company.ID}, company.ID)
	})
}
