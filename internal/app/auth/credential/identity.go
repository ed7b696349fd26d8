// Package credential reads what the tokens of a request stand for: with one
// statement, or from a cache of a few seconds.
package credential

import (
	"cmp"
	"database/sql"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"workforce/ent"
	entToken "workforce/ent/token"
	"workforce/internal/shift"
	"workforce/internal/token"
	"workforce/internal/viewer"
)

// A Reason says why a token is not valid.
type Reason string

// The reasons, as meta.reason has them.
const (
	Valid   Reason = ""
	Missing Reason = "missing"
	Invalid Reason = "invalid" // unknown, or of another kind
	Expired Reason = "expired"
	Revoked Reason = "revoked"
)

// An Identity is what a token stands for, as the database had it at one
// instant. Requests share it: it must not be changed. A write to one of its rows
// is conditional on the row's present state.
type Identity struct {
	Kind    token.Kind
	Token   Token   // none of a device token
	Session Session // the token's; none of a device token
	Device  Device  // of the token, or its session's
	Locale  string  // the user's language, else their company's; none of a device token
	Widget  Widget  // of the token of one

	// Whom an access token, or that of a widget, makes the caller. Permissions and businesses are of these
	// alone, settings of every session.
	Viewer viewer.Viewer

	inactive bool             // the session's user may not sign in any more
	employed shift.Employment // of the session's user
}

// A Token is the row of a user, access or refresh token.
type Token struct {
	ID, Generation      int
	IssuedAt, ExpiresAt time.Time

	revoked bool
}

// A Session says whose it is, and where.
type Session struct {
	ID, CompanyID, UserID, DeviceID int
	Verified                        bool // the device was known to be the user's

	endsAt  *time.Time
	revoked bool
}

// A Widget is what the token of one shows, and to pages of which origin.
type Widget struct {
	Name, Origin string
	Person       int // id of the user whom it is about
}

// SessionOf returns what the row of a session says of whose it is.
func SessionOf(s *ent.Session) Session {
	return Session{ID: s.ID, CompanyID: s.CompanyID, UserID: s.UserID, DeviceID: s.DeviceID}
}

// A Device is one installation of the app.
type Device struct {
	ID       int
	DeviceID string // as the app names itself
	Platform string
	Next     bool // the token is yet to take over

	revoked bool
}

// Check returns whether the token is Valid, Expired or Revoked at an instant: Revoked
// too before the user's first and after their last day of work. A
// spent refresh token is Valid: refreshToken decides what it still gives.
func (i *Identity) Check(now time.Time) Reason {
	switch {
	case i.Device.revoked, i.Token.revoked, i.Session.revoked, i.inactive, !i.employed.Contains(now):
		return Revoked
	case i.Kind == token.Device:
		return Valid
	case !now.Before(i.Token.ExpiresAt), i.Session.endsAt != nil && !now.Before(*i.Session.endsAt):
		return Expired
	}
	return Valid
}

// kinds are the kinds of token by the names that their rows have.
var kinds = map[string]token.Kind{
	string(entToken.KindAccess): token.Access, string(entToken.KindRefresh): token.Refresh, string(entToken.KindUser): token.User,
	token.Widget.Name(): token.Widget, token.Key.Name(): token.Key,
}

// newIdentity makes an identity of the rows that one token has.
func newIdentity(rows []*row) (*Identity, error) {
	i := &Identity{}
	var roles []*ent.Role
	var team []int
	var holder *row // one of those that say whose the token is
	owner := false
	for _, r := range rows {
		switch r.kind {
		case ofBusiness:
			team = append(team, r.business.V)
			continue
		case ofDevice, ofNext, ofFormer:
			i.Kind = token.Device
		default:
			holder = r
			if err := i.setSession(r); err != nil {
				return nil, err
			}
		}
		i.Device = Device{
			ID: r.device.V, DeviceID: r.deviceID.V, Platform: r.platform.V,
			Next: r.kind == ofNext, revoked: r.deviceRevokedAt.Valid,
		}
		role, err := r.role()
		if err != nil {
			return nil, err
		}
		roles = append(roles, role)
		owner = owner || role.Builtin != nil && *role.Builtin == viewer.Owner
	}
	switch i.Kind {
	case token.Access, token.Widget:
		i.Viewer.Owner = owner
		i.Viewer.Permissions = slices.Clip(Permissions(roles))
		if i.Session.ID == 0 { // an API key made it, and shows what is the person's own
			i.Viewer.Owner, i.Viewer.Permissions = false, ownWidgets
		}
	case token.Key:
		if err := i.limit(holder, Permissions(roles)); err != nil {
			return nil, err
		}
	}
	if i.Viewer.Businesses = teamOf(team, i.Viewer.Permissions); i.Viewer.Bounded {
		i.Viewer.Businesses = team
	}
	return i, nil
}

// ownWidgets are the permissions with which a person sees their own widgets.
var ownWidgets = []string{"attendance.read.own", "task.read.own", "ticket.read.own"}

// limit sets what a key may: what is in its list, as JSON, and its maker may now; within businesses, that of a team.
func (i *Identity) limit(key *row, makers []string) error {
	var listed []string
	if err := json.Unmarshal([]byte(key.listed.V), &listed); err != nil {
		return err
	}
	i.Viewer.Key, i.Viewer.Bounded, i.Viewer.Permissions = i.Token.ID, key.within.Valid, []string{}
	for _, p := range listed {
		needed := p
		if p == viewer.MakesWidgets { // is nobody's but of keys, whose makers may make keys
			needed = "developer.write.all"
		}
		if _, ok := slices.BinarySearch(makers, needed); !ok {
			continue
		}
		if all, ok := strings.CutSuffix(p, ".all"); ok && i.Viewer.Bounded {
			p = all + ".team"
		}
		i.Viewer.Permissions = append(i.Viewer.Permissions, p)
	}
	slices.Sort(i.Viewer.Permissions)
	return nil
}

// setSession sets what a row tells of a session, its user and their company.
func (i *Identity) setSession(r *row) error {
	zone, err := shift.Zone(r.timezone.V)
	if err != nil {
		return err
	}
	i.Kind = kinds[r.kind]
	i.Token = Token{
		ID: r.tokenID.V, Generation: r.generation.V,
		IssuedAt: r.issuedAt.V, ExpiresAt: r.expiresAt.V, revoked: r.tokenRevokedAt.Valid,
	}
	i.Session = Session{
		ID: r.sessionID.V, CompanyID: r.companyID.V, UserID: r.userID.V, DeviceID: r.device.V,
		Verified: r.verifiedAt.Valid, endsAt: pointer(r.endsAt), revoked: r.sessionRevokedAt.Valid,
	}
	i.Widget = Widget{Name: r.widget.V, Origin: r.origin.V, Person: r.person.V}
	i.employed = shift.EmploymentBetween(pointer(r.joinedOn), pointer(r.leftOn), zone)
	i.inactive, i.Locale = !r.active.V, cmp.Or(r.locale.V, r.companyLocale.V)
	i.Viewer = viewer.Viewer{
		UserID: r.userID.V, CompanyID: r.companyID.V, SessionID: r.sessionID.V, DeviceID: r.device.V,
		Locale: i.Locale, Timezone: r.timezone.V, Widget: r.person.V,
	}
	if !r.settings.Valid {
		return nil
	}
	return json.Unmarshal([]byte(r.settings.V), &i.Viewer.Settings)
}

func pointer[T any](v sql.Null[T]) *T {
	if !v.Valid {
		return nil
	}
	return &v.V
}
