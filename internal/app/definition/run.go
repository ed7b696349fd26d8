package definition

import (
	"context"
	"maps"
	"slices"
	"strings"

	"workforce/internal/app/organization"
	"workforce/internal/definition"
	"workforce/internal/errs"
	"workforce/internal/textform"
)

// A row is an element of a section that the company has.
type row struct {
	id       int
	key      string         // what it is found by: its name, or the names of its path
	name     string         // what it is called
	depth    int            // of a tree: how many are above it
	active   bool           // it is not archived
	values   map[string]any // members of the inputs, with ids
	builtin  string         // of a role that nobody changes: which of the built-in ones
	failed   bool           // the file has it, with a fault: what names it has none of its own
	twin     bool           // another one, which is not archived either, has its key
	mentions bool           // the file has it
}

// A table is the rows of a section.
type table struct {
	all   []*row
	byKey map[string]*row
	byID  map[int]*row
}

func newTable(rows []*row) *table {
	t := &table{all: rows, byKey: map[string]*row{}, byID: map[int]*row{}}
	for _, r := range rows {
		t.byID[r.id] = r
		switch other := t.byKey[r.key]; {
		case other == nil || r.active && !other.active:
			t.byKey[r.key] = r
		case r.active && other.active:
			other.twin = true
		}
	}
	return t
}

// A run applies one file in the transaction of a context.
type run struct {
	*Service
	Options
	file   *definition.File
	result *Result
	faults []definition.Fault

	kinds  map[string]kind
	tables map[string]*table // by section, once they are read
	people *peopleTable
	held   map[int][]*row // roles by person, once they are read
}

func newRun(s *Service, file *definition.File, o Options) *run {
	return &run{Service: s, Options: o, file: file, result: &Result{}, kinds: newKinds(), tables: map[string]*table{}}
}

// do applies the file: what it names in the order of the sections, then what is deleted, the other way round.
// Files come one after the other.
func (r *run) do(ctx context.Context) error {
	if err := organization.Lock(ctx); err != nil {
		return err
	}
	for _, s := range definition.Sections() {
		if !r.file.Mentions(s.Name) {
			continue
		}
		var err error
		switch s.Name {
		case definition.Company:
			ctx, err = r.applySettings(ctx)
		case definition.Assignments:
			err = r.applyAssignments(ctx)
		default:
			err = r.applySection(ctx, s.Name)
		}
		if err != nil {
			return err
		}
	}
	if !r.Prune {
		return nil
	}
	for _, s := range slices.Backward(definition.Sections()) {
		if r.file.Mentions(s.Name) && r.kinds[s.Name].remove != nil {
			if err := r.prune(ctx, s.Name); err != nil {
				return err
			}
		}
	}
	return nil
}

// table returns the rows of a section.
func (r *run) table(ctx context.Context, section string) (*table, error) {
	if t := r.tables[section]; t != nil {
		return t, nil
	}
	rows, err := r.kinds[section].load(ctx)
	if err != nil {
		return nil, err
	}
	r.tables[section] = newTable(rows)
	return r.tables[section], nil
}

// fault adds what is wrong with a member of an element.
func (r *run) fault(e *definition.Element, f errs.Fault) {
	r.faults = append(r.faults, definition.Fault{Line: e.LineOf(f.Field), Section: e.Section.Name,
		Element: e.Name(), Fault: f})
}

func (r *run) because(e *definition.Element, member string, reason errs.Reason, meta errs.Meta) {
	r.fault(e, errs.Fault{Field: member, Code: errs.Invalid, Reason: reason, Meta: meta})
}

// members are what files call the members of inputs that have ids.
var members = map[string]string{
	"parentId": "parent", "managerId": "manager", "businessId": "business", "addressId": "site",
	"userId": "email", "shiftId": "shift", "rotationId": "rotation",
	"roleIds": "roles",
}

// refused adds the faults of an error of a use case, and returns an error that is none of the file's.
func (r *run) refused(e *definition.Element, err error) error {
	for _, f := range faultsOf(err) {
		if name, ok := members[f.Field]; ok {
			f.Field = name
		}
		if f.Field == "id" { // of an operation, which an element does not have
			f.Field = ""
		}
		r.fault(e, f)
	}
	if errs.CodeOf(err) == errs.Internal {
		return err
	}
	return nil
}

// faultsOf returns what a classified error says is wrong; none for another one.
func faultsOf(err error) []errs.Fault {
	code := errs.CodeOf(err)
	if code == errs.Internal {
		return nil
	}
	e := errs.As(err)
	if len(e.Faults) > 0 {
		return slices.Clone(e.Faults)
	}
	return []errs.Fault{{Code: code, Meta: e.Meta}}
}

// applySection creates and updates the elements of a section.
func (r *run) applySection(ctx context.Context, section string) error {
	t, err := r.table(ctx, section)
	if err != nil {
		return err
	}
	elements := slices.Clone(r.file.Elements[section])
	if section == definition.Businesses || section == definition.Designations { // what is above comes first
		slices.SortStableFunc(elements, func(a, b *definition.Element) int { return depthOf(a) - depthOf(b) })
	}
	for _, e := range elements {
		if err := r.applyElement(ctx, t, e); err != nil {
			return err
		}
	}
	return nil
}

func depthOf(e *definition.Element) int { return len(definition.SplitPath(e.Text("parent"))) }

// applyElement creates or updates one element.
func (r *run) applyElement(ctx context.Context, t *table, e *definition.Element) error {
	values, ok, err := r.resolve(ctx, e)
	if err != nil {
		return err
	}
	key := r.key(e)
	known := t.byKey[key]
	switch {
	case known != nil && known.mentions:
		r.because(e, "name", errs.Twice, errs.Meta{"value": e.Name()})
		return nil
	case known != nil && known.twin:
		r.because(e, "name", errs.SameName, nil)
		ok = false
	case known != nil && known.builtin != "":
		r.fault(e, errs.Fault{Field: "name", Code: errs.Forbidden})
		ok = false
	}
	if known == nil {
		known = &row{key: key, name: e.Name(), depth: depthOf(e), active: true}
		t.byKey[key] = known
	}
	known.mentions = true
	if !ok {
		known.failed = true
		return nil
	}
	if known.id == 0 {
		err = r.create(ctx, t, known, e, values)
	} else {
		err = r.update(ctx, known, e, values)
	}
	if err != nil {
		known.failed = true
		return r.refused(e, err)
	}
	return nil
}

// create creates an element.
func (r *run) create(ctx context.Context, t *table, to *row, e *definition.Element,
	values map[string]any) (err error) {
	k := r.kinds[e.Section.Name]
	archived := values["active"] == false
	delete(values, "active")
	if to.id, err = k.create(ctx, r, values); err != nil {
		return err
	}
	if archived {
		if err = k.update(ctx, r, to.id, map[string]any{"active": false}); err != nil {
			return err
		}
	}
	to.values, to.active = values, !archived
	t.byID[to.id] = to
	r.result.Changes = append(r.result.Changes, Change{Action: Create, Section: e.Section.Name, Name: e.Name()})
	return nil
}

// update changes the members of an element that differ.
func (r *run) update(ctx context.Context, to *row, e *definition.Element, values map[string]any) error {
	changed := map[string]any{}
	for member, v := range values {
		if !same(member, to.values[member], v) {
			changed[member] = v
		}
	}
	if len(changed) == 0 {
		r.result.Unchanged++
		return nil
	}
	shown, err := r.shown(ctx, e, to, changed)
	if err != nil {
		return err
	}
	k := r.kinds[e.Section.Name]
	if k.whole { // its update takes all members
		all := maps.Clone(to.values)
		maps.Copy(all, values)
		changed = all
	}
	if err := k.update(ctx, r, to.id, changed); err != nil {
		return err
	}
	r.result.Changes = append(r.result.Changes, Change{Action: Update, Section: e.Section.Name, Name: e.Name(),
		Members: shown})
	return nil
}

// shown returns how members change, as a file has them, in the order of the table.
func (r *run) shown(ctx context.Context, e *definition.Element, was *row,
	changed map[string]any) (list []Member, err error) {
	before, err := r.named(ctx, e.Section.Name, was.values)
	if err != nil {
		return nil, err
	}
	for _, f := range e.Section.Fields {
		input := f.Name
		for id, name := range members {
			if name == f.Name && r.kinds[e.Section.Name].links[id] {
				input = id
			}
		}
		if _, ok := changed[input]; ok {
			list = append(list, Member{f.Name, before[f.Name], e.Values[f.Name]})
		}
	}
	return list, nil
}

// prune deletes the rows of a section that the file does not have, the deepest first. Archived ones stay:
// they are of the past.
func (r *run) prune(ctx context.Context, section string) error {
	t, err := r.table(ctx, section)
	if err != nil {
		return err
	}
	rows := slices.DeleteFunc(slices.Clone(t.all), func(o *row) bool { return o.mentions || !o.active || o.builtin != "" })
	slices.SortStableFunc(rows, func(a, b *row) int { return b.depth - a.depth })
	for _, o := range rows {
		err := r.removable(ctx, section, o)
		if err == nil {
			err = r.kinds[section].remove(ctx, r, o.id)
		}
		if err := r.pruned(section, o.name, err); err != nil {
			return err
		}
	}
	return nil
}

// pruned notes that an element was deleted, or why it was not.
func (r *run) pruned(section, name string, refused error) error {
	if refused == nil {
		r.result.Changes = append(r.result.Changes, Change{Action: Delete, Section: section, Name: name})
		return nil
	}
	for _, f := range faultsOf(refused) {
		f.Field = ""
		r.faults = append(r.faults, definition.Fault{Line: r.file.Lines[section], Section: section, Element: name,
			Fault: f})
	}
	if errs.CodeOf(refused) == errs.Internal {
		return refused
	}
	return nil
}

// removable refuses a work site with holidays, which would go with it, where the file has no holidays.
func (r *run) removable(ctx context.Context, section string, of *row) error {
	if section != definition.Sites || r.file.Mentions(definition.Holidays) {
		return nil
	}
	t, err := r.table(ctx, definition.Holidays)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(t.all, func(h *row) bool { return h.values["addressId"] == of.id }) {
		return errs.Conflicts(errs.InUse, "", nil)
	}
	return nil
}

// key returns what an element is found by.
func (r *run) key(e *definition.Element) string {
	switch e.Section.Name {
	case definition.Businesses, definition.Designations:
		return pathKey(append(definition.SplitPath(e.Text("parent")), e.Text("name")))
	case definition.Holidays:
		return holidayKey(e.Text("date"), e.Text("name"), e.Text("site"))
	}
	return nameKey(e.Text("name"))
}

func nameKey(name string) string { return textform.SortKey(textform.Line(name)) }

// between stands between the parts of a key: no name has it.
const between = "\x00"

func pathKey(names []string) string {
	keys := make([]string, len(names))
	for i, n := range names {
		keys[i] = nameKey(n)
	}
	return strings.Join(keys, between)
}

func holidayKey(date, name, site string) string {
	return date + between + nameKey(name) + between + nameKey(site)
}
