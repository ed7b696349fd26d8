package privacy

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"entgo.io/ent/schema/field"

	"workforce/ent"
	"workforce/ent/auditevent"
	"workforce/ent/business"
	"workforce/ent/device"
	"workforce/ent/facetemplate"
	"workforce/ent/user"
	"workforce/internal/app/audit"
)

// Person writes what is stored about a person of a company to w. The caller must be the
// system. NOT_FOUND for somebody of another company.
func (s *Service) Person(ctx context.Context, w io.Writer, company, id int) error {
	if _, err := s.DB.User.Query().Where(user.ID(id), user.CompanyID(company)).OnlyID(ctx); err != nil {
		return err
	}
	err := s.Audit.Record(ctx, audit.Event{Action: audit.UserExported, Company: company, Subject: ent.TypeUser, ID: id})
	if err != nil {
		return err
	}
	return s.person(ctx, w, company, id, quietly)
}

// person writes what is stored about a person, and tells how much of it is done.
func (s *Service) person(ctx context.Context, w io.Writer, company, id int, progress func(done, total int) error) error {
	m := manifest{Kind: "person", Company: named{ID: company}, Person: &id}
	return s.write(ctx, w, m, progress, func(ctx context.Context, e *writing) error {
		sources := s.personal(company, id)
		if err := e.addTables(ctx, append(sources, namesOf(sources, id)...)); err != nil {
			return err
		}
		return e.addPictures(ctx, id)
	})
}

// personal returns the rows about a person of all tables.
func (s *Service) personal(company, id int) (all []source) {
	for _, p := range ent.Personals {
		for _, x := range ent.Exports {
			if x.Entity != p.Entity {
				continue
			}
			where, args := about(p, id)
			rows := sourceOf(x, where, args...)
			switch x.Entity {
			case ent.TypeAuditEvent:
				rows = ownEvents(x, id)
			case ent.TypeFaceTemplate:
				rows = s.openFaces(rows, company, id)
			}
			all = append(all, rows)
		}
	}
	return all
}

// about returns the condition that rows are about a person, with its arguments.
func about(p ent.Personal, id int) (string, []any) {
	switch p.Of {
	case user.Table:
		return "`" + p.By + "` = ?", []any{id}
	case device.Table:
		return "`" + p.By + "` IN (SELECT device_id FROM sessions WHERE user_id = ? UNION SELECT device_id FROM device_trusts WHERE user_id = ?)", []any{id, id}
	}
	panic(fmt.Sprintf("export: which %s are about a person?", p.Table))
}

// ownEvents returns the audit of what a person did, and of what was done to their own
// row. Of others it has numbers alone: neither what they did it from, nor what became of
// their rows.
func ownEvents(x ent.Export, id int) source {
	s := sourceOf(x, "actor_id = ? OR subject_type = ? AND subject_id = ?", id, ent.TypeUser, id)
	actor, kind, subject := s.index(auditevent.FieldActorID), s.index(auditevent.FieldSubjectType), s.index(auditevent.FieldSubjectID)
	from := []int{s.index(auditevent.FieldAddress), s.index(auditevent.FieldRequestID)}
	changed := []int{s.index(auditevent.FieldBefore), s.index(auditevent.FieldAfter)}
	s.change = func(row []any) error {
		if row[actor] != int64(id) {
			clearAll(row, from)
		}
		if row[kind] != ent.TypeUser || row[subject] != int64(id) {
			clearAll(row, changed)
		}
		return nil
	}
	return s
}

func clearAll(row []any, places []int) {
	for _, i := range places {
		row[i] = nil
	}
}

// openFaces adds the landmarks of faces to their rows.
func (s *Service) openFaces(rows source, company, id int) source {
	columns := append([]ent.ExportColumn{}, rows.columns...)
	rows.columns = append(columns, ent.ExportColumn{Name: facetemplate.FieldSealed, Type: field.TypeString})
	last := len(columns)
	rows.change = func(row []any) error {
		plain, err := s.Faces.Open(row[last].(string), strconv.Itoa(company), strconv.Itoa(id))
		row[last] = json.RawMessage(plain)
		return err
	}
	rows.renamed = map[string]string{facetemplate.FieldSealed: "landmarks"}
	return rows
}

// namesOf returns the names of what rows refer to, such as work sites and shifts: of
// tables that are about nobody. The businesses that a person manages are among them.
func namesOf(sources []source, id int) (all []source) {
	for _, x := range ent.Exports {
		if isPersonal(x.Entity) || !hasColumn(x, "name") || x.Company == "" {
			continue
		}
		names := sourceOf(x, "")
		names.columns = columnsOf(x.Entity, "id", "name")
		if x.Entity == ent.TypeBusiness {
			names = managedBy(id)
		}
		for _, s := range sources {
			for _, ref := range ent.References[s.name] {
				if ref.Table != x.Table {
					continue
				}
				if names.where != "" {
					names.where += " OR "
				}
				names.where += "id IN (SELECT `" + ref.Column + "` FROM `" + s.name + "` WHERE " + s.where + ")"
				names.args = append(names.args, s.args...)
			}
		}
		if names.where != "" {
			all = append(all, names)
		}
	}
	return all
}

// managedBy returns the businesses that a person manages, of which alone the rows name
// the manager.
func managedBy(id int) source {
	s := sourceOf(exportOf(ent.TypeBusiness), "`"+business.FieldManagerID+"` = ?", id)
	s.columns = columnsOf(ent.TypeBusiness, "id", "name", business.FieldManagerID)
	s.change = func(row []any) error {
		if row[2] != int64(id) {
			row[2] = nil
		}
		return nil
	}
	return s
}

func isPersonal(entity string) bool {
	for _, p := range ent.Personals {
		if p.Entity == entity {
			return true
		}
	}
	return false
}

func hasColumn(x ent.Export, name string) bool {
	for _, c := range x.Columns {
		if c.Name == name {
			return true
		}
	}
	return false
}

// addPictures has the files added that rows about a person name.
func (e *writing) addPictures(ctx context.Context, id int) error {
	for _, p := range ent.Personals {
		for _, column := range ent.FileColumns[p.Table] {
			where, args := about(p, id)
			if err := e.chooseObjects(ctx, "id IN (SELECT `"+column+"` FROM `"+p.Table+"` WHERE "+where+")", args...); err != nil {
				return err
			}
		}
	}
	return nil
}
