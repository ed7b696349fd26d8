package bootstrap

import (
	"strings"

	"workforce/internal/app/organization"
	"workforce/internal/app/people"
	"workforce/internal/contact"
	"workforce/internal/errs"
	"workforce/internal/password"
	"workforce/internal/textform"
	"workforce/internal/viewer"
)

// A Founding holds what people enter for the first company and its owner.
type Founding struct {
	CompanyName string
	Timezone    string // IANA name
	Locale      string // id or en
	Name        string // of the owner
	Email       string
	Phone       string // with +; "" for none
	Password    string
}

// owner returns the owner to be, without a password.
func (f Founding) owner() people.NewUser {
	owner := people.NewUser{Name: f.Name, Email: strings.TrimSpace(f.Email), Locale: f.Locale, Role: viewer.Owner}
	if key, ok := textform.PhoneKey(f.Phone, ""); ok {
		owner.Mobile, owner.Verified = contact.SplitNumber(key), true
	}
	return owner
}

// check returns VALIDATION_FAILED with the faults of all members, by the names
// companyName, timezone, locale, name, email, phone and password.
func (f Founding) check() error {
	faults := organization.CheckCompany(f.CompanyName, f.Timezone, f.Locale)
	for i := range faults {
		if faults[i].Field == "name" {
			faults[i].Field = "companyName"
		}
	}
	for _, fault := range f.owner().Check("en") {
		if fault.Field != "locale" { // the company's, which was checked
			faults = append(faults, fault)
		}
	}
	if _, ok := textform.PhoneKey(f.Phone, ""); !ok && strings.TrimSpace(f.Phone) != "" {
		faults.Add("phone", errs.BadFormat, errs.Meta{"expected": "+62811123789"})
	}
	if err := password.Check("password", f.Password, f.CompanyName, f.Name, f.Email, f.Phone); err != nil {
		faults = append(faults, errs.As(err).Faults...)
	}
	return faults.Err()
}
