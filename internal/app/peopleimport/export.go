package peopleimport

import (
	"context"
	"io"
	"strconv"
	"strings"

	"workforce/ent"
	"workforce/ent/user"
	"workforce/internal/app/input"
	"workforce/internal/table"
)

// Export writes the active people of a company as a table that Import reads, by id. The
// caller must be the system.
func (s *Service) Export(ctx context.Context, w io.Writer, format string, company int) error {
	ctx = s.system(ctx)
	p := &plan{}
	var err error
	if p.company, err = s.DB.Company.Get(ctx, company); err != nil {
		return err
	}
	if err := p.loadNames(ctx, s.DB); err != nil {
		return err
	}
	about := table.Properties{Title: p.company.Name, Creator: p.company.Name, Made: s.Now()}
	return write(w, format, about, func(row func(...string) error) error {
		for last, users := 0, []*ent.User(nil); ; last = users[len(users)-1].ID {
			users, err = s.DB.User.Query().Where(user.CompanyID(company), user.Active(true), user.IDGT(last)).
				WithDesignations().Order(ent.Asc(user.FieldID)).Limit(chunk).All(ctx)
			if err != nil || len(users) == 0 {
				return err
			}
			for _, u := range users {
				if err := row(p.cells(u)...); err != nil {
					return err
				}
			}
		}
	})
}

// cells returns the cells of a person, as Columns names them.
func (p *plan) cells(u *ent.User) []string {
	var titles []string
	for _, d := range u.Edges.Designations {
		titles = append(titles, p.designations.path(d.ID))
	}
	code := ""
	if u.MobileNumber.CountryCode != nil {
		code = strconv.Itoa(*u.MobileNumber.CountryCode)
	}
	return []string{
		u.Name, u.Email, input.Value(u.EmployeeNumber), code, input.Value(u.MobileNumber.Number), input.Value(u.Gender), u.Locale,
		p.businesses.path(input.Value(u.BusinessID)), strings.Join(titles, listSeparator), input.Value(u.JoinedOn), input.Value(u.LeftOn),
	}
}
