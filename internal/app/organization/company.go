package organization

import (
	"context"
	"strings"
	"time"

	"workforce/ent"
	"workforce/internal/app/input"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// Locales are the languages of people and companies.
var Locales = []string{"id", "en"}

// CreateCompany creates a company with the built-in roles. The context is the
// system's, db a transaction's client. The time zone is an IANA name, the locale
// id or en; another is VALIDATION_FAILED.
func CreateCompany(ctx context.Context, db *ent.Client, now time.Time, name, timezone, locale string) (*ent.Company, error) {
	if err := CheckCompany(name, timezone, locale).Err(); err != nil {
		return nil, err
	}
	c, err := db.Company.Create().
		SetName(input.Name(&errs.Faults{}, "name", &name)).
		SetTimezone(timezone).
		SetLocale(locale).
		SetCreatedAt(now).
		Save(ctx)
	if err != nil {
		return nil, err
	}
	return c, db.Role.MapCreateBulk(viewer.Builtin, func(r *ent.RoleCreate, i int) {
		builtin := viewer.Builtin[i]
		r.SetCompanyID(c.ID).SetBuiltin(builtin).SetName(strings.ToUpper(builtin[:1]) + builtin[1:])
	}).Exec(ctx)
}

// CheckCompany returns the faults of a company's name, time zone and locale.
func CheckCompany(name, timezone, locale string) errs.Faults {
	var faults errs.Faults
	input.Name(&faults, "name", &name)
	CheckZone(&faults, &timezone)
	input.OneOf(&faults, "locale", input.Given(&locale), false, Locales...)
	return faults
}
