package peopleimport

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"

	"workforce/ent"
	"workforce/ent/business"
	"workforce/ent/designation"
	"workforce/ent/user"
	"workforce/internal/app/input"
	"workforce/internal/app/organization"
	"workforce/internal/app/people"
	"workforce/internal/contact"
	"workforce/internal/errs"
	"workforce/internal/shift"
	"workforce/internal/textform"
	"workforce/internal/tree"
	"workforce/internal/viewer"
)

// A plan says what the rows of a table are to do, of those that were checked.
type plan struct {
	company                  *ent.Company
	today                    string         // the date there
	caller                   *viewer.Viewer // nil for the operator
	businesses, designations names
	created, updated         int // rows without faults: new people, and those who are something else
	invited                  int // people whose invitations were queued
	faults                   []Fault
	more                     int                        // faults of an earlier run that are not listed
	seen                     map[string]map[string]bool // values by column
	owners                   map[int]bool               // who owns the company until no known day, less those whom a row lets leave
	partial                  bool                       // rows with faults are left out
	leaving                  bool                       // a row lets an owner leave, or would
}

// planned is a row, and what the person is to be.
type planned struct {
	line
	people.NewUser
	emailKey string
	taken    string    // the phone that the row gives them; "" for none, and for the one that they have
	user     *ent.User // who they are, with their designations and roles; nil for a new one
}

// plan returns a plan without rows.
func (s *Service) plan(ctx context.Context, o Options) (*plan, error) {
	ctx = viewer.System(ctx)
	p, db := &plan{caller: o.caller, partial: o.Partial}, ent.FromContext(ctx)
	p.seen = map[string]map[string]bool{"email": {}, "employeeNumber": {}, "mobileNumber": {}}
	var err error
	if p.company, err = db.Company.Get(ctx, o.Company); err != nil {
		return p, err
	}
	p.today = string(shift.DateOf(s.Now(), shift.ZoneNamed(p.company.Timezone)))
	return p, errors.Join(p.loadNames(ctx, db), p.loadOwners(ctx, o))
}

// loadOwners reads who owns the company now.
func (p *plan) loadOwners(ctx context.Context, o Options) error {
	ids, err := organization.Lasting(o.within(ctx, p.company))
	p.owners = make(map[int]bool, len(ids))
	for _, id := range ids {
		p.owners[id] = true
	}
	return err
}

// clone returns a plan that other rows may be added to.
func (p *plan) clone() *plan {
	next := *p
	next.faults, next.seen = slices.Clone(p.faults), map[string]map[string]bool{}
	for column, values := range p.seen {
		next.seen[column] = maps.Clone(values)
	}
	next.owners = maps.Clone(p.owners)
	return &next
}

// check adds rows, at most chunk of them, and returns those without faults. It reads in
// the transaction of ctx, if there is one.
func (p *plan) check(ctx context.Context, lines []line) (rows []*planned, err error) {
	known, err := loadKnown(viewer.System(ctx), lines, p.company.ID)
	if err != nil {
		return nil, err
	}
	for _, l := range lines {
		if len(l.faults) > 0 {
			p.faults = append(p.faults, l.faults...)
			continue
		}
		row := &planned{line: l}
		before := len(p.faults)
		p.person(row, known)
		p.unique(row, known)
		p.permitted(row)
		if len(p.faults) == before {
			p.keepOwner(row)
		}
		faulty := len(p.faults) > before
		if !faulty || !p.partial {
			p.claim(row)
		}
		if faulty {
			continue
		}
		switch rows = append(rows, row); {
		case row.user == nil:
			p.created++
		case row.changes():
			p.updated++
		}
	}
	return rows, nil
}

// result counts the rows without faults, and lists the faults.
func (p *plan) result() *Result {
	return (&Result{Created: p.created, Updated: p.updated, Invited: p.invited, More: p.more}).with(slices.Clone(p.faults))
}

func (p *plan) loadNames(ctx context.Context, db *ent.Client) error {
	businesses, err1 := db.Business.Query().Where(business.CompanyID(p.company.ID)).All(ctx)
	designations, err2 := db.Designation.Query().Where(designation.CompanyID(p.company.ID)).All(ctx)
	var units, titles []tree.Node
	for _, b := range businesses {
		units = append(units, tree.Node{ID: b.ID, Parent: b.ParentID, Name: b.Name, SortName: b.SortName})
	}
	for _, d := range designations {
		titles = append(titles, tree.Node{ID: d.ID, Parent: d.ParentID, Name: d.Name, SortName: d.SortName})
	}
	p.businesses, p.designations = newNames(units), newNames(titles)
	return errors.Join(err1, err2)
}

// fault records what is wrong with a cell.
func (p *plan) fault(l line, column string, reason errs.Reason, meta errs.Meta) {
	p.faults = append(p.faults, l.fault(column, errs.Fault{Field: column, Code: errs.Invalid, Reason: reason, Meta: meta}))
}

// people by their keys.
type known struct {
	byEmail, byNumber, byPhone map[string]*ent.User // numbers of the company alone
	company                    int
}

// loadKnown returns the people of the company whom some rows name, and those of any company
// who have an address or a phone of theirs.
func loadKnown(ctx context.Context, lines []line, company int) (*known, error) {
	k := &known{map[string]*ent.User{}, map[string]*ent.User{}, map[string]*ent.User{}, company}
	var emails, numbers, phones []string
	for _, l := range lines {
		if email, ok := textform.EmailKey(l.cells["email"]); ok {
			emails = append(emails, email)
		}
		if number := l.cells["employeeNumber"]; number != "" {
			numbers = append(numbers, number)
		}
		if l.phone != "" {
			phones = append(phones, l.phone)
		}
	}
	// one query for each index
	for _, same := range []func(*ent.UserQuery){
		func(q *ent.UserQuery) { q.Where(user.EmailKeyIn(emails...)) },
		func(q *ent.UserQuery) { q.Where(user.CompanyID(company), user.EmployeeNumberIn(numbers...)) },
		func(q *ent.UserQuery) { q.Where(user.PhoneIn(phones...)) },
	} {
		q := ent.FromContext(ctx).User.Query().WithDesignations().WithRoles()
		same(q)
		users, err := q.All(ctx)
		if err != nil {
			return nil, err
		}
		for _, u := range users {
			k.add(u)
		}
	}
	return k, nil
}

func (k *known) add(u *ent.User) {
	k.byEmail[u.EmailKey] = u
	if u.Phone != nil {
		k.byPhone[*u.Phone] = u
	}
	if u.EmployeeNumber != nil && u.CompanyID == k.company {
		k.byNumber[*u.EmployeeNumber] = u
	}
}

// phoneOf returns a phone in E.164; "" for none.
func phoneOf(code, number string) string {
	c, err := strconv.Atoi(code)
	if err != nil || number == "" {
		return ""
	}
	phone, _ := textform.NumberKey(c, number)
	return phone
}

// person reads the cells of a row over what a known person is, and records what is
// wrong with them.
func (p *plan) person(row *planned, k *known) {
	row.emailKey, _ = textform.EmailKey(row.cells["email"])
	if u := k.byEmail[row.emailKey]; u != nil && u.CompanyID == k.company {
		row.user = u
	} else if u := k.byNumber[row.cells["employeeNumber"]]; u != nil {
		row.user = u
	}
	row.NewUser = people.NewUser{Role: viewer.Employee}
	if row.user != nil {
		row.NewUser = userOf(row.user)
	}
	n := &row.NewUser
	for column, to := range map[string]*string{"name": &n.Name, "email": &n.Email, "employeeNumber": &n.Number, "gender": &n.Gender} {
		row.cell(column, func(cell string) { *to = cell })
	}
	row.cell("locale", func(cell string) { n.Locale = cmp.Or(cell, n.Locale, p.company.Locale) })
	for column, to := range map[string]*string{"joinedOn": &n.JoinedOn, "leftOn": &n.LeftOn} {
		row.cell(column, func(cell string) {
			day, ok := date(cell, row.since1904)
			if cell != "" && !ok {
				p.fault(row.line, column, errs.BadFormat, errs.Meta{"expected": "2026-03-10"})
				return
			}
			*to = day
		})
	}
	p.number(row)
	p.places(row)
	for _, f := range n.Check(p.company.Locale) {
		p.faults = append(p.faults, row.fault(f.Field, f))
	}
}

// cell calls set with a cell, if the table has its column.
func (l line) cell(column string, set func(cell string)) {
	if cell, ok := l.cells[column]; ok {
		set(cell)
	}
}

// number reads the phone number.
func (p *plan) number(row *planned) {
	number, given := row.cells["mobileNumber"]
	code := row.cells["countryCode"]
	if !given && code == "" {
		return
	}
	c, err := strconv.Atoi(code)
	if code != "" && (err != nil || c <= 0) {
		p.fault(row.line, "countryCode", errs.BadFormat, errs.Meta{"expected": "62"})
		return
	}
	var entered contact.Number
	if code != "" {
		entered.CountryCode = &c
	}
	if number != "" {
		entered.Number = &number
	}
	if row.user != nil && people.SameNumber(row.user.MobileNumber, entered) {
		return
	}
	if (code == "") != (number == "") {
		column, other := "countryCode", "mobileNumber"
		if number == "" {
			column, other = other, column
		}
		p.fault(row.line, other, errs.Needs, errs.Meta{"other": column})
		return
	}
	row.Mobile, row.Verified, row.taken = entered, number != "", row.line.phone
}

// places reads the business and the designations.
func (p *plan) places(row *planned) {
	row.cell("business", func(cell string) {
		row.Business = 0
		if cell == "" {
			return
		}
		id, reason := p.businesses.find(cell)
		if row.Business = id; reason != "" {
			p.fault(row.line, "business", reason, nil)
		}
	})
	row.cell("designations", func(cell string) {
		row.Designations = nil
		for _, part := range split(cell, "|;") {
			if part == "" {
				continue
			}
			id, reason := p.designations.find(part)
			if reason != "" {
				p.fault(row.line, "designations", reason, nil)
				return
			}
			row.Designations = append(row.Designations, id)
		}
		row.Designations = input.Distinct(row.Designations)
	})
}

// unique records what another person has, or another row.
func (p *plan) unique(row *planned, k *known) {
	has := map[string]*ent.User{
		"email": k.byEmail[row.emailKey], "employeeNumber": k.byNumber[row.Number], "mobileNumber": k.byPhone[row.taken],
	}
	for column, value := range row.claims() {
		taken := has[column] != nil && (row.user == nil || has[column].ID != row.user.ID)
		if value != "" && (taken || p.seen[column][value]) {
			p.fault(row.line, column, errs.AlreadyTaken, nil)
		}
	}
}

// claim keeps later rows from having what a row has. In a partial import a row with faults
// claims nothing: nobody gets what it has.
func (p *plan) claim(row *planned) {
	for column, value := range row.claims() {
		p.seen[column][value] = true
	}
}

// claims returns what no two people have, by column; "" for nothing.
func (r *planned) claims() map[string]string {
	return map[string]string{"email": r.emailKey, "employeeNumber": r.Number, "mobileNumber": r.taken}
}

// permitted records that the caller may not change a person whose roles are above their
// own.
func (p *plan) permitted(row *planned) {
	if p.caller == nil || row.user == nil || !row.changes() || !people.Exceeds(p.caller, row.user.Edges.Roles) {
		return
	}
	p.faults = append(p.faults, Fault{Row: row.row, Fault: errs.Fault{Code: errs.Forbidden}})
}

// keepOwner records that a row would let the last owner leave: by a last day of work, or
// by a first one that is to come.
func (p *plan) keepOwner(row *planned) {
	column := "leftOn"
	if row.LeftOn == "" {
		column = "joinedOn"
	}
	switch {
	case row.user == nil || !p.owners[row.user.ID] || row.LeftOn == "" && row.JoinedOn <= p.today:
		return
	case len(p.owners) > 1:
		delete(p.owners, row.user.ID)
	default:
		p.faults = append(p.faults, row.fault(column, errs.Conflicts(errs.LastOwner, column, errs.Meta{"owners": 1}).Faults[0]))
	}
	p.leaving = true
}

// userOf returns what a known person is.
func userOf(u *ent.User) people.NewUser {
	return people.NewUser{
		Name: u.Name, Email: u.Email, Mobile: u.MobileNumber, Gender: input.Value(u.Gender), Locale: u.Locale,
		Number: input.Value(u.EmployeeNumber), JoinedOn: input.Value(u.JoinedOn), LeftOn: input.Value(u.LeftOn),
		Role: viewer.Employee, Business: input.Value(u.BusinessID), Designations: people.DesignationIDs(u),
	}
}

// changes reports whether a known person is to be something else.
func (r *planned) changes() bool {
	is, to := userOf(r.user), r.NewUser
	return !slices.Equal(is.Designations, to.Designations) || !people.SameNumber(is.Mobile, to.Mobile) ||
		is.Name != to.Name || is.Email != to.Email || is.Gender != to.Gender || is.Locale != to.Locale || is.Number != to.Number ||
		is.JoinedOn != to.JoinedOn || is.LeftOn != to.LeftOn || is.Business != to.Business
}
