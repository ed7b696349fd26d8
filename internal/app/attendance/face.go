package attendance

import (
	"context"
	"encoding/json"
	"math"
	"strconv"
	"time"

	"workforce/ent"
	"workforce/ent/attendance"
	"workforce/ent/facegallery"
	"workforce/ent/facetemplate"
	"workforce/internal/app/rows"
	"workforce/internal/errs"
	"workforce/internal/face"
	"workforce/internal/setting"
	"workforce/internal/verdict"
)

// The flags of a face that came with a clock event.
const (
	flagFaceReplayed = "face_replayed" // sent before, by anybody of the company
	flagFaceDoubtful = "face_doubtful"
	flagFaceMismatch = "face_mismatch"
)

// doubtFlags are the flags of captures that are hardly those of a face before a camera.
var doubtFlags = map[face.Doubt]string{face.NoDepth: "face_flat", face.Misshapen: "face_implausible", face.TurnedAway: "face_implausible"}

// A storedFace is what is stored of the viewer's face.
type storedFace struct {
	version  int    // of the template in force; 0 for none
	template string // sealed; read only where the gallery is not of its version
	last     int    // version of the gallery's row; 0 for no row
	gallery  string // sealed
	sent     bool   // an event of the company came with the same array
}

// A seenFace is what the rules decided of the face that came with an event.
type seenFace struct {
	verdict  face.Verdict
	distance *float64
	policy   string
	gallery  *face.Gallery // with the capture; nil where it is not taken in
}

// into returns the destinations of what selectFace selects.
func (f *storedFace) into() []any {
	return []any{rows.Optional(&f.version), rows.Optional(&f.template), rows.Optional(&f.last), rows.Optional(&f.gallery), &f.sent}
}

// selectFace selects what is stored of the viewer's face, as far as the event needs it,
// and whether anybody of the company sent the same array before.
func selectFace(e *clockEvent, q *rows.Query) {
	if len(e.points) == 0 {
		q.Add(", f.version, NULL, NULL, NULL, FALSE")
		return
	}
	digest := face.Digest(e.FaceKey, e.points)
	q.Add(", f.version, CASE WHEN g.version = f.version AND g.sealed IS NOT NULL THEN NULL ELSE f.sealed END, g.version, g.sealed"+`,
  EXISTS (SELECT 1 FROM attendances x WHERE x.company_id = ? AND x.face_digest = ?) OR
  EXISTS (SELECT 1 FROM attendances x WHERE x.company_id = ? AND x.clocked_out_face_digest = ?)`,
		e.me.CompanyID, digest[:], e.me.CompanyID, digest[:])
}

// joinFace joins the viewer's template in force and their gallery, each or NULL.
func joinFace(e *clockEvent, q *rows.Query) {
	q.Add(" LEFT JOIN face_templates f ON f.user_id = ? AND f.in_force = 1 AND ", e.me.UserID)
	q.WherePolicy(facetemplate.Policy, facetemplate.Table, "f")
	if len(e.points) > 0 {
		q.Add(" LEFT JOIN face_galleries g ON g.user_id = ? AND ", e.me.UserID)
		q.WherePolicy(facegallery.Policy, facegallery.Table, "g")
	}
}

// compareFace treats a usable face that was sent before, or that is not the registered
// one, by the policy of faces.
func compareFace(e *clockEvent) error {
	e.seen = seenFace{policy: policyOf(e, setting.Face)}
	flagDoubts(e)
	gallery, err := openGallery(e)
	if err != nil {
		return err
	}
	limits, shape := limitsOf(e.me.Settings), face.Normalize(e.points)
	if gallery != nil {
		e.judged.Face = &verdict.FaceLimits{Match: limits.Match, Doubtful: limits.Doubtful, Replay: limits.Replay}
	}
	replayed := e.face.sent || gallery != nil && gallery.Replays(shape, e.at, limits.Replay)
	if replayed {
		if err := judge(e, setting.Face, flagFaceReplayed, errs.Field(errs.FaceReplayed, "faceLandmark", nil)); err != nil {
			return err
		}
	}
	if gallery == nil {
		return nil
	}
	if err := judgeFace(e, gallery, shape, limits); err != nil {
		return err
	}
	if !replayed && e.seen.verdict != face.Mismatch {
		gallery.Accept(shape, e.at, limits)
		e.seen.gallery = gallery
	}
	return nil
}

// flagDoubts flags a capture that is hardly one of a face before a camera.
func flagDoubts(e *clockEvent) {
	if e.seen.policy == setting.Off {
		return
	}
	for _, doubt := range face.Doubts(e.points) {
		flagOnce(e, doubtFlags[doubt])
	}
}

// judgeFace compares a capture with the gallery. Another number of points than the
// registered face has is a mismatch without a distance.
func judgeFace(e *clockEvent, gallery *face.Gallery, s face.Shape, limits face.Limits) error {
	if gallery.Len() == s.Len() {
		e.seen.distance = new(math.Round(gallery.Distance(s)*1e6) / 1e6)
		e.seen.verdict = limits.Verdict(*e.seen.distance)
	} else {
		e.seen.verdict = face.Mismatch
	}
	switch {
	case e.seen.verdict == face.Mismatch:
		return judge(e, setting.Face, flagFaceMismatch, errs.Field(errs.FaceMismatch, "faceLandmark", nil))
	case e.seen.verdict == face.Doubtful && e.seen.policy != setting.Off: // never refused
		flagOnce(e, flagFaceDoubtful)
	}
	return nil
}

// limitsOf returns the limits of a company.
func limitsOf(v setting.Values) face.Limits {
	part := func(k setting.Key[int]) float64 { return float64(k.Of(v)) / 1000 }
	return face.Limits{Match: part(setting.FaceMatch), Doubtful: part(setting.FaceDoubtful), Replay: part(setting.FaceReplay)}
}

// openGallery decrypts the gallery of the face in force; nil without one. It makes that
// of a face that a release without galleries registered.
func openGallery(e *clockEvent) (*face.Gallery, error) {
	if e.face.version == 0 {
		return nil, nil
	}
	if e.face.template == "" {
		plain, err := e.Faces.Open(e.face.gallery, galleryBinding(e, e.face.version)...)
		if err != nil {
			return nil, err
		}
		gallery := new(face.Gallery)
		return gallery, gallery.UnmarshalBinary(plain)
	}
	plain, err := e.Faces.Open(e.face.template, strconv.Itoa(e.me.CompanyID), strconv.Itoa(e.me.UserID))
	if err != nil {
		return nil, err
	}
	var points []face.Point
	if err := json.Unmarshal(plain, &points); err != nil {
		return nil, err
	}
	return face.NewGallery(face.Normalize(points), time.Unix(0, 0)), nil
}

// galleryBinding names whose gallery it is, and of which face.
func galleryBinding(e *clockEvent, version int) []string {
	return []string{strconv.Itoa(e.me.CompanyID), strconv.Itoa(e.me.UserID), "gallery", strconv.Itoa(version)}
}

// keepFaceIn stores the face that came with a clock-in: it registers that of a user who
// has none, and else takes it into the gallery where it matched. It returns what the
// attendance says of it.
func keepFaceIn(ctx context.Context, e *clockEvent) ([]rows.Cell, error) {
	var (
		result  = attendance.FaceVerdictNone
		matched *bool
		version *int
		policy  *string
		digest  any
		err     error
	)
	if len(e.points) > 0 {
		sum := face.Digest(e.FaceKey, e.points)
		version, policy, digest = new(e.face.version), &e.seen.policy, sum[:]
		if e.face.version == 0 {
			*version = e.face.last + 1
			result, err = registerFace(ctx, e, *version)
		} else {
			result, matched = attendance.FaceVerdict(e.seen.verdict), new(e.seen.verdict == face.Match)
			err = storeGallery(ctx, e, *version, e.seen.gallery)
		}
	}
	return []rows.Cell{
		rows.Set(attendance.FieldFaceMatched, matched),
		rows.Set(attendance.FieldFaceVerdict, string(result)),
		rows.Set(attendance.FieldFaceVersion, version),
		rows.Set(attendance.FieldFacePolicy, policy),
		rows.Set(attendance.FieldFaceDigest, digest),
		rows.Set(attendance.FieldFaceDistance, e.seen.distance),
	}, err
}

// keepFaceOut stores the face that came with a clock-out, which never registers one.
func keepFaceOut(ctx context.Context, e *clockEvent, a *ent.AttendanceMutation) error {
	if len(e.points) == 0 {
		return nil
	}
	digest := face.Digest(e.FaceKey, e.points)
	a.SetClockedOutFacePolicy(attendance.ClockedOutFacePolicy(e.seen.policy))
	a.SetClockedOutFaceDigest(digest[:])
	if e.face.version > 0 {
		a.SetClockedOutFaceVerdict(attendance.ClockedOutFaceVerdict(e.seen.verdict))
		a.SetClockedOutFaceVersion(e.face.version)
	}
	if e.seen.distance != nil {
		a.SetClockedOutFaceDistance(*e.seen.distance)
	}
	return storeGallery(ctx, e, e.face.version, e.seen.gallery)
}

// registerFace stores the face of a user who has none, sealed; provisionally where the
// event has flags.
func registerFace(ctx context.Context, e *clockEvent, version int) (attendance.FaceVerdict, error) {
	plain, err := json.Marshal(e.points)
	if err != nil {
		return "", err
	}
	text, err := e.Faces.Seal(plain, strconv.Itoa(e.me.CompanyID), strconv.Itoa(e.me.UserID))
	if err != nil {
		return "", err
	}
	provisional := len(e.flags) > 0
	err = ent.FromContext(ctx).FaceTemplate.Create().SetCompanyID(e.me.CompanyID).SetUserID(e.me.UserID).SetVersion(version).
		SetProvisional(provisional).SetPoints(len(e.points)).SetSealed(text).SetCreatedAt(e.now).Exec(ctx)
	if err == nil {
		err = storeGallery(ctx, e, version, face.NewGallery(face.Normalize(e.points), e.at))
	}
	if err == nil {
		err = e.Notify.NotifyFace(ctx, e.me.UserID)
	}
	if provisional {
		return attendance.FaceVerdictProvisional, err
	}
	return attendance.FaceVerdictRegistered, err
}

// storeGallery seals a gallery, nil for one that did not change, as that of a version of
// the user's face. Their row is locked.
func storeGallery(ctx context.Context, e *clockEvent, version int, gallery *face.Gallery) error {
	if gallery == nil {
		return nil
	}
	plain, err := gallery.MarshalBinary()
	if err != nil {
		return err
	}
	text, err := e.Faces.Seal(plain, galleryBinding(e, version)...)
	if err != nil {
		return err
	}
	db := ent.FromContext(ctx)
	if e.face.last == 0 {
		return db.FaceGallery.Create().SetCompanyID(e.me.CompanyID).SetUserID(e.me.UserID).SetVersion(version).SetSealed(text).Exec(ctx)
	}
	_, err = db.ExecContext(ctx, updateGallery, version, text, e.me.UserID)
	return err
}
