package attendance

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"time"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	"workforce/internal/app/policysql"
	"workforce/internal/errs"
	"workforce/internal/face"
	"workforce/internal/setting"
	"workforce/internal/verdict"
	"workforce/internal/viewer"
)

// The flags of a face that came with a clock event.
const (
	flagFaceReplayed = "face_replayed" // sent before, by anybody of the company
	flagFaceDoubtful = "face_doubtful"
	flagFaceMismatch = "face_mismatch"
)

// doubtFlags are the flags of captures that are hardly those of a face before a camera.
var doubtFlags = map[face.Doubt]string{
	face.NoDepth: "face_flat", face.Misshapen: "face_implausible", face.TurnedAway: "face_implausible",
}

// A storedFace is what is stored of the viewer's face. It is read if a face came with the event.
type storedFace struct {
	version     int           // of the template in force; 0 for none
	gallery     *face.Gallery // of the face in force; nil for none
	lastVersion int           // of the gallery's row; 0 for no row
	replayed    bool          // an event of the company came with the same array
}

// A comparedFace is what the rules decided about the face that came with an event.
type comparedFace struct {
	verdict  face.Verdict
	distance *float64
	policy   string
	accepted bool // into the gallery
}

// compareFace applies the policy of faces to a usable face that was sent before, or that is not
// the registered one.
func (j *judgement) compareFace() error {
	j.compared.policy = j.policy(setting.Face)
	j.flagDoubts()
	gallery := j.stored.gallery
	limits, shape := faceLimits(j.me.Settings), face.Normalize(j.landmarks)
	if gallery != nil {
		j.judged.Face = &verdict.FaceLimits{Match: limits.Match, Doubtful: limits.Doubtful, Replay: limits.Replay}
	}
	replayed := j.stored.replayed || gallery != nil && gallery.Replays(shape, j.at(), limits.Replay)
	if replayed {
		if err := j.apply(setting.Face, flagFaceReplayed, errs.Field(errs.FaceReplayed, "faceLandmark", nil)); err != nil {
			return err
		}
	}
	if gallery == nil {
		return nil
	}
	if err := j.compareShapes(shape, limits); err != nil {
		return err
	}
	j.compared.accepted = !replayed && j.compared.verdict != face.Mismatch
	return nil
}

// flagDoubts flags a capture that is hardly one of a face before a camera.
func (j *judgement) flagDoubts() {
	if j.compared.policy == setting.Off {
		return
	}
	for _, doubt := range face.Doubts(j.landmarks) {
		j.flag(doubtFlags[doubt])
	}
}

// compareShapes compares a capture with the gallery. Another number of points than the
// registered face has is a mismatch without a distance.
func (j *judgement) compareShapes(shape face.Shape, limits face.Limits) error {
	gallery, c := j.stored.gallery, &j.compared
	if gallery.Len() == shape.Len() {
		c.distance = new(math.Round(gallery.Distance(shape)*1e6) / 1e6)
		c.verdict = limits.Verdict(*c.distance)
	} else {
		c.verdict = face.Mismatch
	}
	switch {
	case c.verdict == face.Mismatch:
		return j.apply(setting.Face, flagFaceMismatch, errs.Field(errs.FaceMismatch, "faceLandmark", nil))
	case c.verdict == face.Doubtful && c.policy != setting.Off: // never refused
		j.flag(flagFaceDoubtful)
	}
	return nil
}

// faceLimits returns the limits of a company.
func faceLimits(v setting.Values) face.Limits {
	part := func(k setting.Key[int]) float64 { return float64(k.Of(v)) / 1000 }
	return face.Limits{
		Match: part(setting.FaceMatch), Doubtful: part(setting.FaceDoubtful), Replay: part(setting.FaceReplay),
	}
}

// readFace reads what is stored of the viewer's face, and whether anybody of the company sent the
// same array before.
func (s *Service) readFace(ctx context.Context, r *request, f *facts) error {
	row, err := readSealedFace(ctx, r)
	if err != nil {
		return err
	}
	f.stored = storedFace{version: row.Version, lastVersion: row.GalleryVersion, replayed: row.Replayed}
	if row.Version > 0 {
		f.stored.gallery, err = s.openGallery(r.me, row)
	}
	return err
}

// openGallery decrypts the gallery of the face in force. It makes that of a face that a release
// without galleries registered.
func (s *Service) openGallery(me *viewer.Viewer, row sealedFace) (*face.Gallery, error) {
	if row.Template == "" {
		plain, err := s.Faces.Open(row.Gallery, galleryBinding(me, row.Version)...)
		if err != nil {
			return nil, err
		}
		gallery := new(face.Gallery)
		return gallery, gallery.UnmarshalBinary(plain)
	}
	plain, err := s.Faces.Open(row.Template, strconv.Itoa(me.CompanyID), strconv.Itoa(me.UserID))
	if err != nil {
		return nil, err
	}
	var landmarks []face.Point
	if err := json.Unmarshal(plain, &landmarks); err != nil {
		return nil, err
	}
	return face.NewGallery(face.Normalize(landmarks), time.Unix(0, 0)), nil
}

// galleryBinding names whose gallery it is, and of which face.
func galleryBinding(me *viewer.Viewer, version int) []string {
	return []string{strconv.Itoa(me.CompanyID), strconv.Itoa(me.UserID), "gallery", strconv.Itoa(version)}
}

// storeFaceIn stores the face that came with a clock-in: it registers that of a user who has
// none, and else takes it into the gallery if it matched. It returns the columns of the
// attendance.
func (s *Service) storeFaceIn(ctx context.Context, r *request, f *facts, d decision) ([]policysql.Cell, error) {
	var (
		result  = entAttendance.FaceVerdictNone
		matched *bool
		version *int
		policy  *string
		digest  any
		err     error
	)
	if len(r.landmarks) > 0 {
		version, policy, digest = new(f.stored.version), &d.compared.policy, r.digests[0]
		if f.stored.version == 0 {
			*version = f.stored.lastVersion + 1
			result, err = s.registerFace(ctx, r, f, d, *version)
		} else {
			result, matched = entAttendance.FaceVerdict(d.compared.verdict), new(d.compared.verdict == face.Match)
			err = s.acceptFace(ctx, r, f, d)
		}
	}
	return []policysql.Cell{
		policysql.Set(entAttendance.FieldFaceMatched, matched),
		policysql.Set(entAttendance.FieldFaceVerdict, string(result)),
		policysql.Set(entAttendance.FieldFaceVersion, version),
		policysql.Set(entAttendance.FieldFacePolicy, policy),
		policysql.Set(entAttendance.FieldFaceDigest, digest),
		policysql.Set(entAttendance.FieldFaceDistance, d.compared.distance),
	}, err
}

// storeFaceOut stores the face that came with a clock-out, which never registers one.
func (s *Service) storeFaceOut(
	ctx context.Context, r *request, f *facts, d decision, a *ent.AttendanceMutation,
) error {
	if len(r.landmarks) == 0 {
		return nil
	}
	a.SetClockedOutFacePolicy(entAttendance.ClockedOutFacePolicy(d.compared.policy))
	a.SetClockedOutFaceDigest(r.digests[0])
	if f.stored.version > 0 {
		a.SetClockedOutFaceVerdict(entAttendance.ClockedOutFaceVerdict(d.compared.verdict))
		a.SetClockedOutFaceVersion(f.stored.version)
	}
	if d.compared.distance != nil {
		a.SetClockedOutFaceDistance(*d.compared.distance)
	}
	return s.acceptFace(ctx, r, f, d)
}

// registerFace stores the face of a user who has none, sealed; provisionally if the event has
// flags.
func (s *Service) registerFace(
	ctx context.Context, r *request, f *facts, d decision, version int,
) (entAttendance.FaceVerdict, error) {
	plain, err := json.Marshal(r.landmarks)
	if err != nil {
		return "", err
	}
	template, err := s.Faces.Seal(plain, strconv.Itoa(r.me.CompanyID), strconv.Itoa(r.me.UserID))
	if err != nil {
		return "", err
	}
	provisional := len(d.flags) > 0
	err = ent.FromContext(ctx).FaceTemplate.Create().SetCompanyID(r.me.CompanyID).SetUserID(r.me.UserID).
		SetVersion(version).SetProvisional(provisional).SetPoints(len(r.landmarks)).SetSealed(template).
		SetCreatedAt(r.receivedAt).Exec(ctx)
	if err != nil {
		return "", fmt.Errorf("store the face: %w", err)
	}
	gallery := face.NewGallery(face.Normalize(r.landmarks), r.at())
	if err := s.storeGallery(ctx, r.me, f.stored.lastVersion, version, gallery); err != nil {
		return "", err
	}
	if err := s.Notify.NotifyFace(ctx, r.me.UserID); err != nil {
		return "", err
	}
	if provisional {
		return entAttendance.FaceVerdictProvisional, nil
	}
	return entAttendance.FaceVerdictRegistered, nil
}

// acceptFace takes the face that came with an event into the gallery, if the rules accepted it.
func (s *Service) acceptFace(ctx context.Context, r *request, f *facts, d decision) error {
	if !d.compared.accepted {
		return nil
	}
	f.stored.gallery.Accept(face.Normalize(r.landmarks), r.at(), faceLimits(r.me.Settings))
	return s.storeGallery(ctx, r.me, f.stored.lastVersion, f.stored.version, f.stored.gallery)
}

// storeGallery seals a gallery as that of a version of the user's face. Their row is locked.
func (s *Service) storeGallery(
	ctx context.Context, me *viewer.Viewer, lastVersion, version int, gallery *face.Gallery,
) error {
	plain, err := gallery.MarshalBinary()
	if err != nil {
		return err
	}
	text, err := s.Faces.Seal(plain, galleryBinding(me, version)...)
	if err != nil {
		return err
	}
	db := ent.FromContext(ctx)
	if lastVersion == 0 {
		err = db.FaceGallery.Create().SetCompanyID(me.CompanyID).SetUserID(me.UserID).
			SetVersion(version).SetSealed(text).Exec(ctx)
	} else {
		_, err = db.ExecContext(ctx, updateGallery, version, text, me.UserID)
	}
	if err != nil {
		return fmt.Errorf("store the gallery: %w", err)
	}
	return nil
}
