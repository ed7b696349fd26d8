package auth

import (
	"context"
	"crypto/rand"
	"regexp"
	"slices"
	"strings"
	"time"

	"workforce/ent"
	"workforce/ent/user"
	"workforce/ent/widgettoken"
	"workforce/graph/model"
	"workforce/internal/app/audit"
	"workforce/internal/app/input"
	"workforce/internal/app/worktime"
	"workforce/internal/errs"
	"workforce/internal/token"
	"workforce/internal/viewer"
)

// widgetLife is how long the token of a widget is valid: its page asks for the next one.
const widgetLife = 10 * time.Minute

// maxOrigin is how many characters the origin of a page may have.
const maxOrigin = 300

// CreateWidgetToken makes a token for a widget of the viewer, or of a person whose attendance
// they read: NOT_FOUND on userId for others. An API key with widget.create names a person that it reaches, for
// each widget.
func (s *Service) CreateWidgetToken(
	ctx context.Context, in model.CreateWidgetTokenInput,
) (*model.CreatedWidgetToken, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	var faults errs.Faults
	origin, ok := parseOrigin(in.Origin)
	if !ok {
		faults.Add("origin", errs.BadFormat, errs.Meta{"expected": "https://host, https://host:port"})
	}
	person := me.Self()
	if id := in.UserID.Value(); id != nil {
		person = *id
		if in.Widget != model.WidgetNameTimesheet && me.Key == 0 {
			faults.Add("userId", errs.Excludes, errs.Meta{"other": "widget"})
		}
	} else if me.Key != 0 {
		faults.Add("userId", errs.Required, nil)
	}
	if len(faults) > 0 {
		return nil, faults.Err()
	}
	if err := s.showsWidget(ctx, me, person); err != nil {
		return nil, err
	}
	t, err := token.New(token.Widget, rand.Reader)
	if err != nil {
		return nil, err
	}
	hash, now := t.Hash(), s.Now()
	made, err := ent.FromContext(ctx).WidgetToken.Create().
		SetCompanyID(me.CompanyID).SetNillableSessionID(given(me.SessionID)).SetNillableAPIKeyID(given(me.Key)).
		SetPersonID(person).
		SetWidget(widgettoken.Widget(in.Widget)).SetOrigin(origin).
		SetHash(hash[:]).SetIssuedAt(now).SetExpiresAt(now.Add(widgetLife)).Save(viewer.System(ctx))
	if err != nil {
		return nil, err
	}
	err = s.Audit.Record(ctx, audit.Event{
		Action: audit.WidgetTokenMade, Company: me.CompanyID, Subject: ent.TypeUser, ID: person,
		Facts: map[string]any{"widget": string(in.Widget), "origin": origin},
	})
	return &model.CreatedWidgetToken{Token: t.Text(), ExpiresAt: made.ExpiresAt}, err
}

// showsWidget returns NOT_FOUND on userId for a person whom the viewer may not have a widget show.
func (s *Service) showsWidget(ctx context.Context, me *viewer.Viewer, person int) error {
	if me.Key == 0 {
		scope := ent.Facts[ent.TypeAttendance].Access.Reads(me)
		_, err := worktime.Named(ctx, me, max(scope, viewer.Own), "userId", []int{person})
		return err
	}
	if _, ok := slices.BinarySearch(me.Permissions, viewer.MakesWidgets); !ok {
		return errs.New(errs.Forbidden, nil)
	}
	scope := viewer.All
	if me.Bounded {
		scope = viewer.Team
	}
	found, err := ent.FromContext(ctx).User.Query().
		Where(user.ID(person), user.Active(true), worktime.InScope(me, scope)).Exist(ctx)
	return input.Referenced("userId", found, err)
}

// given returns a pointer to an id, nil for 0.
func given(id int) *int {
	if id == 0 {
		return nil
	}
	return &id
}

// originForm is the origin of a page, in small letters, as browsers send it: scheme, host, and port unless it is the
// scheme's.
var originForm = regexp.MustCompile(`^(https?)://(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?$`)

// parseOrigin reads the origin of a page, and reports whether the text is one.
func parseOrigin(text string) (string, bool) {
	origin := strings.ToLower(text)
	parts := originForm.FindStringSubmatch(origin)
	if parts == nil || len(origin) > maxOrigin {
		return "", false
	}
	usual := map[string]string{"https": ":443", "http": ":80"}
	if parts[2] == usual[parts[1]] {
		origin = strings.TrimSuffix(origin, parts[2])
	}
	return origin, true
}
