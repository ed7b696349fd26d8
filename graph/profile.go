package graph

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strconv"

	"workforce/ent"
	"workforce/ent/designation"
	"workforce/ent/facetemplate"
	"workforce/ent/user"
	"workforce/ent/userdesignation"
	"workforce/graph/model"
	"workforce/internal/contact"
	"workforce/internal/errs"
	"workforce/internal/face"
	"workforce/internal/scalar"
)

// profileOf returns a user as their own app knows them, without their face.
func profileOf(ctx context.Context, id int) (*model.Profile, error) {
	p, _, err := readProfile(ctx, id, false)
	return p, err
}

// fullProfileOf returns a user as their own app knows them, with their face:
// for themselves alone.
func (r *Resolver) fullProfileOf(ctx context.Context, id int) (*model.Profile, error) {
	p, t, err := readProfile(ctx, id, true)
	if err != nil || t.Sealed == "" {
		return p, err
	}
	p.FaceLandmark, err = r.openFace(t, id)
	return p, err
}

// readProfile reads a user and their designations, and the face that is in force
// for them where it is asked for, in one statement. The error of a user who is
// not there, or whom the caller does not see, is NOT_FOUND.
func readProfile(ctx context.Context, id int, withFace bool) (*model.Profile, *ent.FaceTemplate, error) {
	s := profileStatement(ctx, id, withFace)
	if s.err != nil {
		return nil, nil, s.err
	}
	var p *model.Profile
	t, designations := &ent.FaceTemplate{}, []*ent.Designation{}
	err := eachRow(ctx, s.text.String(), s.args, func(scan scan) error {
		u, d := &model.Profile{MobileNumber: &contact.Number{}, FaceLandmark: []*face.Point{}}, &ent.Designation{}
		err := scan(optional(&u.Name), optional(&u.Email), optional(&u.Image), u.MobileNumber, nullable(&u.Gender),
			nullable(&u.Salutation), optional(&u.Locale), optional(&t.CompanyID), optional(&t.Sealed),
			optional(&d.ID), optional(&d.Name), optional(&d.SortName))
		if d.ID == 0 {
			p = u
		} else {
			designations = append(designations, d)
		}
		return err
	})
	if err == nil && p == nil {
		err = errs.New(errs.NotFound, nil)
	}
	if err != nil {
		return nil, nil, err
	}
	slices.SortFunc(designations, func(a, b *ent.Designation) int {
		return cmp.Or(cmp.Compare(a.SortName, b.SortName), a.ID-b.ID)
	})
	p.Designations = designations
	return p, t, nil
}

// profileStatement is that of readProfile: the user with the face, then each
// designation, all as the policies of their tables have it.
func profileStatement(ctx context.Context, id int, withFace bool) *statement {
	s := &statement{ctx: ctx}
	s.add("SELECT u.name, u.email, u.image, u.mobile_number, u.gender, u.salutation, u.locale, ")
	if withFace {
		s.add("f.company_id, f.sealed, NULL, NULL, NULL FROM users u LEFT JOIN face_templates f ON f.user_id = ? AND f.in_force = 1 AND ", id)
		s.seen(facetemplate.Policy, facetemplate.Table, "f")
	} else {
		s.add("NULL, NULL, NULL, NULL, NULL FROM users u")
	}
	s.add(" WHERE u.id = ? AND ", id)
	s.seen(user.Policy, user.Table, "u")
	s.add(` UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, d.id, d.name, d.sort_name
FROM user_designations l JOIN designations d ON d.id = l.designation_id AND `)
	s.seen(designation.Policy, designation.Table, "d")
	s.add(" WHERE l.user_id = ? AND ", id)
	s.seen(userdesignation.Policy, userdesignation.Table, "l")
	return s
}

// openFace opens a face of a user.
func (r *Resolver) openFace(t *ent.FaceTemplate, userID int) ([]*face.Point, error) {
	plain, err := r.faces.Open(t.Sealed, strconv.Itoa(t.CompanyID), strconv.Itoa(userID))
	if err != nil {
		return nil, err
	}
	list, ok := scalar.ReadLandmarks(plain)
	if !ok {
		var points []*face.Point
		return points, json.Unmarshal(plain, &points)
	}
	points := make([]*face.Point, len(list))
	for i, l := range list {
		points[i] = &l.(*scalar.Landmark).Point
	}
	return points, nil
}
