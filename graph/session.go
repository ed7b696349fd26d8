package graph

import (
	"context"
	"math"
	"time"

	"workforce/ent"
	"workforce/ent/session"
	enttoken "workforce/ent/token"
	"workforce/graph/identity"
	"workforce/graph/model"
	"workforce/internal/errs"
	"workforce/internal/token"
)

// Lifetimes say how long tokens live. A device token lives until it is revoked.
type Lifetimes struct {
	Access  time.Duration
	User    time.Duration
	Refresh time.Duration // since the pair was given: idle
	Session time.Duration // of a session in all, however much it is used
}

// DefaultLifetimes are those of an installation that sets none.
var DefaultLifetimes = Lifetimes{
	Access: 15 * time.Minute, User: 15 * time.Minute, Refresh: 30 * 24 * time.Hour, Session: 90 * 24 * time.Hour,
}

// refreshLost is how long a spent refresh token gives the same successor.
const refreshLost = time.Minute

// startSession begins a session of a user on a device and returns its user
// token.
func (r *Resolver) startSession(ctx context.Context, user *ent.User, device int, verified bool) (token.Token, *ent.Session, error) {
	t, err := token.New(token.User, r.random)
	if err != nil {
		return t, nil, err
	}
	family := make([]byte, 16)
	if _, err := r.random.Read(family); err != nil {
		return t, nil, err
	}
	now := r.Now()
	create := ent.FromContext(ctx).Session.Create().
		SetCompanyID(user.CompanyID).SetUserID(user.ID).SetDeviceID(device).SetFamily(family).SetCreatedAt(now)
	if verified {
		create.SetVerifiedAt(now)
	}
	s, err := create.Save(ctx)
	if err != nil {
		return t, nil, err
	}
	return t, s, r.keepToken(ctx, s, t, 0, now.Add(r.Lifetimes.User))
}

// keepToken stores the hash of a session's token.
func (r *Resolver) keepToken(ctx context.Context, s *ent.Session, t token.Token, generation int, expires time.Time) error {
	hash := t.Hash()
	return ent.FromContext(ctx).Token.Create().
		SetCompanyID(s.CompanyID).SetSessionID(s.ID).SetKind(enttoken.Kind(t.Kind().Name())).
		SetHash(hash[:]).SetGeneration(generation).SetIssuedAt(r.Now()).SetExpiresAt(expires).Exec(ctx)
}

// issuePair stores the token pair of the session's generation and returns it.
func (r *Resolver) issuePair(ctx context.Context, s *ent.Session) (*model.TokenPair, error) {
	access, refresh := r.pair(s, s.Generation)
	expires := r.Now().Add(r.Lifetimes.Refresh)
	if s.EndsAt.Before(expires) {
		expires = *s.EndsAt
	}
	if err := r.keepToken(ctx, s, access, s.Generation, r.Now().Add(r.Lifetimes.Access)); err != nil {
		return nil, err
	}
	if err := r.keepToken(ctx, s, refresh, s.Generation, expires); err != nil {
		return nil, err
	}
	return r.tokenPair(access, refresh, r.Now().Add(r.Lifetimes.Access), expires), nil
}

// pair derives the tokens of a session's generation: knowing the session is
// enough to give them again.
func (r *Resolver) pair(s *ent.Session, generation int) (access, refresh token.Token) {
	return token.Derive(r.keys.tokens, token.Access, s.Family, uint32(generation)),
		token.Derive(r.keys.tokens, token.Refresh, s.Family, uint32(generation))
}

func (r *Resolver) tokenPair(access, refresh token.Token, accessExpires, refreshExpires time.Time) *model.TokenPair {
	return &model.TokenPair{
		AccessToken: access.Text(), RefreshToken: refresh.Text(), TokenType: "Bearer",
		ExpiresIn: r.secondsTo(accessExpires), RefreshExpiresIn: r.secondsTo(refreshExpires),
	}
}

// secondsTo returns the seconds from now to t, rounded up, none for the past.
func (r *Resolver) secondsTo(t time.Time) int {
	return max(0, int(math.Ceil(t.Sub(r.Now()).Seconds())))
}

// rotate spends a refresh token: of several at once, one makes the successor
// and the others find it made. It reports false where the token was spent.
func (r *Resolver) rotate(ctx context.Context, id int, t identity.Token) (*model.TokenPair, bool, error) {
	db := ent.FromContext(ctx)
	n, err := db.Session.Update().
		Where(session.ID(id), session.Generation(t.Generation), session.RevokedAtIsNil()).
		AddGeneration(1).Save(ctx)
	if err != nil || n == 0 {
		return nil, false, err
	}
	n, err = db.Token.Update().Where(enttoken.ID(t.ID), enttoken.SpentAtIsNil(), enttoken.RevokedAtIsNil()).
		SetSpentAt(r.Now()).Save(ctx)
	if err != nil {
		return nil, false, err
	}
	if n == 0 { // replaced meanwhile
		return nil, false, errs.New(errs.Unauthenticated, errs.Meta{"token": "refresh", "reason": revoked})
	}
	s, err := db.Session.Get(ctx, id)
	if err != nil {
		return nil, false, err
	}
	pair, err := r.issuePair(ctx, s)
	return pair, true, err
}

// successor gives the pair that a spent refresh token gave before, as long as
// that may be because the answer was lost. It is nil otherwise.
func (r *Resolver) successor(ctx context.Context, id int) (*model.TokenPair, error) {
	db := ent.FromContext(ctx)
	t, err := db.Token.Query().Where(enttoken.ID(id)).WithSession().Only(ctx)
	if err != nil {
		return nil, err
	}
	s := t.Edges.Session
	if s.RevokedAt != nil || t.SpentAt == nil || r.Now().Sub(*t.SpentAt) > refreshLost || s.Generation != t.Generation+1 {
		return nil, nil
	}
	rows, err := db.Token.Query().
		Where(enttoken.SessionID(s.ID), enttoken.Generation(s.Generation), enttoken.RevokedAtIsNil()).All(ctx)
	if err != nil {
		return nil, err
	}
	expires := map[enttoken.Kind]time.Time{}
	for _, row := range rows {
		expires[row.Kind] = row.ExpiresAt
	}
	if len(expires) != 2 {
		return nil, nil
	}
	access, refresh := r.pair(s, s.Generation)
	return r.tokenPair(access, refresh, expires[enttoken.KindAccess], expires[enttoken.KindRefresh]), nil
}

// endSession revokes a session, and with it all of its tokens. It reports
// whether this call did.
func (r *Resolver) endSession(ctx context.Context, id int) (bool, error) {
	n, err := ent.FromContext(ctx).Session.Update().
		Where(session.ID(id), session.RevokedAtIsNil()).SetRevokedAt(r.Now()).Save(ctx)
	return n == 1, err
}
