package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"workforce/ent"
	"workforce/ent/role"
	"workforce/ent/user"
	"workforce/internal/viewer"
)

// jsonFlag has a command print what it tells as JSON.
type jsonFlag struct {
	JSON bool `name:"json" help:"Print JSON."`
}

// print prints facts as JSON, or what of them a person or a script wants to read.
func (f jsonFlag) print(w io.Writer, facts map[string]any, text any) error {
	if f.JSON {
		return printJSON(w, facts)
	}
	_, err := fmt.Fprintln(w, text)
	return err
}

// printJSON prints a value on lines of its own.
func printJSON(w io.Writer, value any) error {
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	out.SetEscapeHTML(false)
	return out.Encode(value)
}

type userListCmd struct {
	databaseFlag
	jsonFlag
	Company int `help:"Id of the company; without it, all companies."`
}

// A listedUser is what is told of a user.
type listedUser struct {
	ID        int      `json:"id"`
	CompanyID int      `json:"companyId"`
	Company   string   `json:"company"`
	Name      string   `json:"name"`
	Email     string   `json:"email"`
	Roles     []string `json:"roles"`
	Active    bool     `json:"active"`
}

// Run implements the command.
func (c *userListCmd) Run(ctx context.Context, io streams) (err error) {
	s, err := openStore(ctx, c.Database)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	list, err := c.read(viewer.System(ctx), s.Ent)
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(io.out, list)
	}
	return printUsers(io.out, list)
}

// read returns the users by company and id.
func (c *userListCmd) read(ctx context.Context, db *ent.Client) ([]listedUser, error) {
	names := map[int]string{}
	companies, err := db.Company.Query().All(ctx)
	if err != nil {
		return nil, err
	}
	for _, one := range companies {
		names[one.ID] = one.Name
	}
	q := db.User.Query().WithRoles(func(q *ent.RoleQuery) { q.Order(ent.Asc(role.FieldID)) }).
		Order(ent.Asc(user.FieldCompanyID, user.FieldID))
	if c.Company != 0 {
		if _, ok := names[c.Company]; !ok {
			return nil, fmt.Errorf("no company %d", c.Company)
		}
		q.Where(user.CompanyID(c.Company))
	}
	users, err := q.All(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]listedUser, len(users))
	for i, u := range users {
		list[i] = listedUser{
			ID: u.ID, CompanyID: u.CompanyID, Company: names[u.CompanyID], Name: u.Name, Email: u.Email,
			Roles: []string{}, Active: u.Active,
		}
		for _, r := range u.Edges.Roles {
			list[i].Roles = append(list[i].Roles, r.Name)
		}
	}
	return list, nil
}

// printUsers prints a line for each user, in columns.
func printUsers(w io.Writer, list []listedUser) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "ID\tCOMPANY\tNAME\tE-MAIL\tROLES\tSTATE")
	for _, u := range list {
		state := "active"
		if !u.Active {
			state = "deactivated"
		}
		fmt.Fprintf(t, "%d\t%d %s\t%s\t%s\t%s\t%s\n",
			u.ID, u.CompanyID, u.Company, u.Name, u.Email, strings.Join(u.Roles, ", "), state)
	}
	return t.Flush()
}
