package auth

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
	"workforce/internal/app/policysql"
	"workforce/internal/contact"
	"workforce/internal/errs"
	"workforce/internal/face"
	"workforce/internal/scalar"
	"workforce/internal/sealed"
)

// Profiles reads people as their own apps know them.
type Profiles struct {
	Faces *sealed.Sealer // of face templates
}

// Of returns the profile of a user, with their face if withFace is set: for
// themselves alone. NOT_FOUND for a user whom the viewer does not see.
func (s *Profiles) Of(ctx context.Context, id int, withFace bool) (*model.Profile, error) {
	p, t, err := readProfile(ctx, id, withFace)
	if err != nil || t.Sealed == "" {
		return p, err
	}
	p.FaceLandmark, err = s.openFace(t, id)
	return p, err
}

// readProfile reads a user with their designations, and with their face if withFace is
// set, in one statement. NOT_FOUND for a user whom the viewer does not see.
func readProfile(ctx context.Context, id int, withFace bool) (*model.Profile, *ent.FaceTemplate, error) {
	var p *model.Profile
	t, designations := &ent.FaceTemplate{}, []*ent.Designation{}
	err := profileQuery(ctx, id, withFace).Each(func(scan policysql.Scan) error {
		u, d := &model.Profile{MobileNumber: &contact.Number{}, FaceLandmark: []*face.Point{}}, &ent.Designation{}
		err := scan(policysql.Optional(&u.Name), policysql.Optional(&u.Email), policysql.Optional(&u.Image), u.MobileNumber, policysql.Nullable(&u.Gender),
			policysql.Nullable(&u.Salutation), policysql.Optional(&u.Locale), policysql.Optional(&t.CompanyID), policysql.Optional(&t.Sealed),
			policysql.Optional(&d.ID), policysql.Optional(&d.Name), policysql.Optional(&d.SortName))
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

// profileQuery is the statement of readProfile: the user with the face, then each designation,
// within the policies of their tables.
func profileQuery(ctx context.Context, id int, withFace bool) *policysql.Query {
	s := policysql.New(ctx)
	s.Add("SELECT u.name, u.email, u.image, u.mobile_number, u.gender, u.salutation, u.locale, ")
	if withFace {
		s.Add("f.company_id, f.sealed, NULL, NULL, NULL FROM users u LEFT JOIN face_templates f ON f.user_id = ? AND f.in_force = 1 AND ", id)
		s.WherePolicy(facetemplate.Policy, facetemplate.Table, "f")
	} else {
		s.Add("NULL, NULL, NULL, NULL, NULL FROM users u")
	}
	s.Add(" WHERE u.id = ? AND ", id)
	s.WherePolicy(user.Policy, user.Table, "u")
	s.Add(` UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, d.id, d.name, d.sort_name
FROM user_designations l JOIN designations d ON d.id = l.designation_id AND `)
	s.WherePolicy(designation.Policy, designation.Table, "d")
	s.Add(" WHERE l.user_id = ? AND ", id)
	s.WherePolicy(userdesignation.Policy, userdesignation.Table, "l")
	return s
}

// openFace decrypts the face of a user.
func (s *Profiles) openFace(t *ent.FaceTemplate, userID int) ([]*face.Point, error) {
	plain, err := s.Faces.Open(t.Sealed, strconv.Itoa(t.CompanyID), strconv.Itoa(userID))
	if err != nil {
		return nil, err
	}
	list, ok := scalar.ReadLandmarks(plain)
	if !ok {
		var points []*face.Point
		return points, json.Unmarshal(plain, &points)
	}
	points := make([]*face.Point, len(list))
	for i := range list {
		points[i] = &list[i]
	}
	return points, nil
}
