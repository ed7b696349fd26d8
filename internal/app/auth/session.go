package auth

import (
	"bytes"
	"context"
	"crypto/rand"
	"math"
	"time"

	"workforce/ent"
	"workforce/ent/session"
	entToken "workforce/ent/token"
	"workforce/graph/model"
	"workforce/internal/app/auth/credential"
	"workforce/internal/sealed"
	"workforce/internal/setting"
	"workforce/internal/token"
)

// Lifetimes are how long tokens live. A device token lives until it is revoked.
type Lifetimes struct {
	Access  time.Duration
	User    time.Duration
	Refresh time.Duration // since the pair was given: idle
	Session time.Duration // of a session in all, however much it is used
}

// lifetimes returns those of a company: its settings, else the installation's.
func (ss *sessions) lifetimes(v setting.Values) Lifetimes {
	all := ss.Lifetimes
	if days := setting.RefreshIdleDays.Of(v); days > 0 {
		all.Refresh = time.Duration(days) * 24 * time.Hour
	}
	if days := setting.SessionDays.Of(v); days > 0 {
		all.Session = time.Duration(days) * 24 * time.Hour
	}
	return all
}

// endOthers ends the other sessions of a session's user where the company wants a single
// one.
func (ss *sessions) endOthers(ctx context.Context, s *ent.Session, v setting.Values) error {
	if !setting.SingleSession.Of(v) {
		return nil
	}
	live, err := liveSessions(ctx, s.UserID)
	if err != nil {
		return err
	}
	return ss.revoke(ctx, without(live, s.ID)...)
}

// DefaultLifetimes are those of an installation that sets none.
var DefaultLifetimes = Lifetimes{
	Access: 15 * time.Minute, User: 15 * time.Minute, Refresh: 30 * 24 * time.Hour, Session: 90 * 24 * time.Hour,
}

// refreshLost is how long a spent refresh token gives the same successor.
const refreshLost = time.Minute

// sessions begins and ends sessions and issues their tokens.
type sessions struct {
	Deps
	key *sealed.Derived // from which token pairs are derived
}

// start begins a session of a user on a device and returns its user
// token.
func (ss *sessions) start(ctx context.Context, user *ent.User, device int, verified bool) (token.Token, *ent.Session, error) {
	t, err := token.New(token.User, rand.Reader)
	if err != nil {
		return t, nil, err
	}
	family := make([]byte, 16)
	rand.Read(family) // never fails
	now := ss.Now()
	create := ent.FromContext(ctx).Session.Create().
		SetCompanyID(user.CompanyID).SetUserID(user.ID).SetDeviceID(device).SetFamily(family).SetCreatedAt(now)
	if verified {
		create.SetVerifiedAt(now)
	}
	s, err := create.Save(ctx)
	if err != nil {
		return t, nil, err
	}
	return t, s, ss.storeToken(ctx, s, t, 0, now.Add(ss.Lifetimes.User))
}

// storeToken stores the hash of a session's token.
func (ss *sessions) storeToken(ctx context.Context, s *ent.Session, t token.Token, generation int, expires time.Time) error {
	hash := t.Hash()
	return ent.FromContext(ctx).Token.Create().
		SetCompanyID(s.CompanyID).SetSessionID(s.ID).SetKind(entToken.Kind(t.Kind().Name())).
		SetHash(hash[:]).SetGeneration(generation).SetIssuedAt(ss.Now()).SetExpiresAt(expires).Exec(ctx)
}

// issuePair stores the token pair of the session's generation and returns it.
func (ss *sessions) issuePair(ctx context.Context, s *ent.Session, v setting.Values) (*model.TokenPair, error) {
	access, refresh := pair(ss.key.Key(), s)
	expires := ss.Now().Add(ss.lifetimes(v).Refresh)
	if s.EndsAt.Before(expires) {
		expires = *s.EndsAt
	}
	if err := ss.storeToken(ctx, s, access, s.Generation, ss.Now().Add(ss.Lifetimes.Access)); err != nil {
		return nil, err
	}
	if err := ss.storeToken(ctx, s, refresh, s.Generation, expires); err != nil {
		return nil, err
	}
	return ss.tokenPair(s, access, refresh, ss.Now().Add(ss.Lifetimes.Access), expires), nil
}

// pair derives the tokens of a session's generation from a key, so that the same pair
// can be given again without storing it.
func pair(key []byte, s *ent.Session) (access, refresh token.Token) {
	return token.Derive(key, token.Access, s.Family, uint32(s.Generation)),
		token.Derive(key, token.Refresh, s.Family, uint32(s.Generation))
}

func (ss *sessions) tokenPair(
	s *ent.Session, access, refresh token.Token, accessExpires, refreshExpires time.Time,
) *model.TokenPair {
	return &model.TokenPair{
		UserID: s.UserID, AccessToken: access.Text(), RefreshToken: refresh.Text(), TokenType: "Bearer",
		ExpiresIn: ss.secondsTo(accessExpires), RefreshExpiresIn: ss.secondsTo(refreshExpires),
	}
}

// secondsTo returns the seconds from now to t, rounded up, none for the past.
func (ss *sessions) secondsTo(t time.Time) int {
	return max(0, int(math.Ceil(t.Sub(ss.Now()).Seconds())))
}

// rotate spends a refresh token: of several requests at once, one makes the
// successor. It reports false where the token was spent already.
func (ss *sessions) rotate(ctx context.Context, id int, t credential.Token, v setting.Values) (*model.TokenPair, bool, error) {
	db := ent.FromContext(ctx)
	n, err := db.Session.Update().
		Where(session.ID(id), session.Generation(t.Generation), session.RevokedAtIsNil()).
		AddGeneration(1).Save(ctx)
	if err != nil || n == 0 {
		return nil, false, err
	}
	n, err = db.Token.Update().Where(entToken.ID(t.ID), entToken.SpentAtIsNil(), entToken.RevokedAtIsNil()).
		SetSpentAt(ss.Now()).Save(ctx)
	if err != nil {
		return nil, false, err
	}
	if n == 0 { // replaced meanwhile
		return nil, false, credential.Unauthenticated(token.Refresh, credential.Revoked)
	}
	s, err := db.Session.Get(ctx, id)
	if err != nil {
		return nil, false, err
	}
	pair, err := ss.issuePair(ctx, s, v)
	return pair, true, err
}

// successor returns the pair that a spent refresh token gave, for refreshLost and
// until that pair is used: the answer may have been lost. It is nil otherwise.
func (ss *sessions) successor(ctx context.Context, id int) (*model.TokenPair, error) {
	db := ent.FromContext(ctx)
	t, err := db.Token.Query().Where(entToken.ID(id)).WithSession().Only(ctx)
	if err != nil {
		return nil, err
	}
	s := t.Edges.Session
	if s.RevokedAt != nil || t.SpentAt == nil || ss.Now().Sub(*t.SpentAt) > refreshLost || s.Generation != t.Generation+1 {
		return nil, nil
	}
	rows, err := db.Token.Query().
		Where(entToken.SessionID(s.ID), entToken.Generation(s.Generation), entToken.RevokedAtIsNil()).All(ctx)
	if err != nil {
		return nil, err
	}
	stored := map[entToken.Kind]*ent.Token{}
	for _, row := range rows {
		stored[row.Kind] = row
	}
	if len(stored) != 2 {
		return nil, nil
	}
	given := stored[entToken.KindRefresh]
	for _, key := range ss.key.Keys() {
		access, refresh := pair(key, s)
		if hash := refresh.Hash(); bytes.Equal(hash[:], given.Hash) {
			return ss.tokenPair(s, access, refresh, stored[entToken.KindAccess].ExpiresAt, given.ExpiresAt), nil
		}
	}
	return nil, nil
}

// end revokes a session, and with it all of its tokens. It reports whether this
// call did.
func (ss *sessions) end(ctx context.Context, id int) (bool, error) {
	n, err := ent.FromContext(ctx).Session.Update().
		Where(session.ID(id), session.RevokedAtIsNil()).SetRevokedAt(ss.Now()).Save(ctx)
	return n == 1, err
}
