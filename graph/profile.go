package graph

import (
	"context"
	"encoding/json"
	"strconv"

	"workforce/ent"
	"workforce/ent/facetemplate"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/face"
	"workforce/internal/scalar"
)

// profileOf returns a user as their own app knows them, without their face.
func profileOf(ctx context.Context, id int) (*model.Profile, error) {
	u, err := ent.FromContext(ctx).User.Query().Where(user.ID(id)).WithDesignations().Only(ctx)
	if err != nil {
		return nil, err
	}
	return &model.Profile{
		Name: u.Name, Email: u.Email, Image: u.Image, MobileNumber: &u.MobileNumber,
		Gender: u.Gender, Salutation: u.Salutation, Locale: u.Locale,
		Designations: u.Edges.Designations, FaceLandmark: []*face.Point{},
	}, nil
}

// fullProfileOf returns a user as their own app knows them, with their face:
// for themselves alone.
func (r *Resolver) fullProfileOf(ctx context.Context, id int) (*model.Profile, error) {
	p, err := profileOf(ctx, id)
	if err != nil {
		return nil, err
	}
	p.FaceLandmark, err = r.registeredFace(ctx, id)
	return p, err
}

// registeredFace opens the face that is in force for a user; empty without one.
func (r *Resolver) registeredFace(ctx context.Context, userID int) ([]*face.Point, error) {
	t, err := ent.FromContext(ctx).FaceTemplate.Query().
		Where(facetemplate.UserID(userID), facetemplate.InForceNotNil()).Only(ctx)
	if ent.IsNotFound(err) {
		return []*face.Point{}, nil
	}
	if err != nil {
		return nil, err
	}
	plain, err := r.faces.Open(t.Sealed, strconv.Itoa(t.CompanyID), strconv.Itoa(userID))
	if err != nil {
		return nil, err
	}
	var points []*face.Point
	list, ok := scalar.ReadLandmarks(plain)
	if !ok {
		return points, json.Unmarshal(plain, &points)
	}
	for _, l := range list {
		points = append(points, &l.(*scalar.Landmark).Point)
	}
	return points, nil
}
