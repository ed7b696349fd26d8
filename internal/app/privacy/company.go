package privacy

import (
	"context"
	"fmt"
	"io"

	"workforce/ent"
	"workforce/internal/app/audit"
)

// Company writes all of a company to w. The rows of tables that nobody but their owner
// reads, such as faces, are counted alone. The caller must be the system. NOT_FOUND for
// no company.
func (s *Service) Company(ctx context.Context, w io.Writer, company int) error {
	if _, err := s.DB.Company.Get(ctx, company); err != nil {
		return err
	}
	err := s.Audit.Record(ctx, audit.Event{Action: audit.CompanyExported, Company: company, Subject: ent.TypeCompany, ID: company})
	if err != nil {
		return err
	}
	m := manifest{Kind: "company", Company: named{ID: company}, Counts: map[string]int{}}
	return s.write(ctx, w, m, quietly, func(ctx context.Context, e *writing) error {
		var all []source
		for _, x := range ent.Exports {
			rows := sourceOf(x, inCompany(x), company)
			if a := ent.Facts[x.Entity].Access; a == nil || !a.Private {
				all = append(all, rows)
				continue
			}
			err := rows.each(ctx, e.db, func([]any) error {
				e.manifest.Counts[x.Table]++
				return nil
			})
			if err != nil {
				return err
			}
		}
		if err := e.addTables(ctx, all); err != nil {
			return err
		}
		return e.chooseObjects(ctx, "company_id = ?", company)
	})
}

// inCompany returns the condition that rows are of a company, whose id is its argument.
func inCompany(x ent.Export) string {
	switch {
	case x.Company != "":
		return "`" + x.Company + "` = ?"
	case x.Entity == ent.TypeCompany:
		return "id = ?"
	case x.Entity == ent.TypeDevice: // it belongs to none: those that somebody of the company trusts
		return "id IN (SELECT device_id FROM device_trusts WHERE company_id = ?)"
	}
	panic(fmt.Sprintf("export: which %s are of a company?", x.Table))
}

// quietly tells no progress.
func quietly(int, int) error { return nil }
