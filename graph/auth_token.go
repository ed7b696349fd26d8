package graph

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"workforce/ent"
	"workforce/ent/device"
	enttoken "workforce/ent/token"
	"workforce/internal/request"
	"workforce/internal/token"
)

// headers names the header of each kind of token.
var headers = map[token.Kind]string{
	token.Access: "X-Access-Token", token.Refresh: "X-Refresh-Token", token.User: "X-User-Token", token.Device: "X-Device-Token",
}

// claim looks the request's token of a kind up: its own header first, then the
// bearer value, where a token of another kind is passed over. The reason is
// that of its own header, else of the bearer.
func (r *Resolver) claim(ctx context.Context, kind token.Kind) (*claim, error) {
	h := request.From(ctx).Header
	var first *claim
	try := func(text string) (*claim, error) {
		c, err := r.lookUp(ctx, kind, text)
		if err != nil || c.reason == valid {
			return c, err
		}
		first = cmp.Or(first, c)
		return nil, nil
	}
	if text := h.Get(headers[kind]); text != "" {
		if c, err := try(text); c != nil || err != nil {
			return c, err
		}
	}
	if text, ok := bearer(h.Get("Authorization")); ok {
		if t, err := token.Parse(text); err != nil || t.Kind() == kind {
			if c, err := try(text); c != nil || err != nil {
				return c, err
			}
		}
	}
	return cmp.Or(first, &claim{kind: kind, reason: missing}), nil
}

func bearer(authorization string) (string, bool) {
	scheme, text, ok := strings.Cut(authorization, " ")
	text = strings.TrimSpace(text)
	return text, ok && strings.EqualFold(scheme, "Bearer") && text != ""
}

// lookUp finds out what the text of a token stands for.
func (r *Resolver) lookUp(ctx context.Context, kind token.Kind, text string) (*claim, error) {
	t, err := token.Parse(text)
	if err != nil || t.Kind() != kind {
		return &claim{kind: kind, reason: invalid}, nil
	}
	if kind == token.Device {
		return r.deviceClaim(ctx, t)
	}
	return r.sessionClaim(ctx, t)
}

// deviceClaim looks up a device by its token. The first use of a token that is
// to take over ends the one before it.
func (r *Resolver) deviceClaim(ctx context.Context, t token.Token) (*claim, error) {
	hash := t.Hash()
	db := ent.FromContext(ctx)
	d, err := db.Device.Query().Where(device.Or(device.TokenHash(hash[:]), device.NextTokenHash(hash[:]))).Only(ctx)
	if ent.IsNotFound(err) {
		return &claim{kind: t.Kind(), reason: invalid}, nil
	}
	if err != nil {
		return nil, err
	}
	if d.RevokedAt != nil {
		return &claim{kind: t.Kind(), reason: revoked, device: d}, nil
	}
	if d.NextTokenHash != nil && slices.Equal(*d.NextTokenHash, hash[:]) {
		err := db.Device.Update().Where(device.ID(d.ID), device.NextTokenHash(hash[:])).
			SetTokenHash(hash[:]).ClearNextTokenHash().Exec(ctx)
		if err != nil {
			return nil, err
		}
	}
	return &claim{kind: t.Kind(), device: d}, nil
}

// sessionClaim looks up a user, access or refresh token.
func (r *Resolver) sessionClaim(ctx context.Context, t token.Token) (*claim, error) {
	hash := t.Hash()
	row, err := ent.FromContext(ctx).Token.Query().
		Where(enttoken.Hash(hash[:]), enttoken.KindEQ(enttoken.Kind(t.Kind().Name()))).
		WithSession(func(q *ent.SessionQuery) {
			q.WithDevice().WithUser(func(q *ent.UserQuery) { q.WithCompany().WithRoles() })
		}).Only(ctx)
	if ent.IsNotFound(err) {
		return &claim{kind: t.Kind(), reason: invalid}, nil
	}
	if err != nil {
		return nil, err
	}
	s := row.Edges.Session
	return &claim{kind: t.Kind(), reason: standing(row, r.Now()), token: row, session: s, device: s.Edges.Device}, nil
}

// standing says whether a token counts at an instant. A spent refresh token
// does here: what it is still good for is refreshToken's to say.
func standing(t *ent.Token, now time.Time) string {
	s := t.Edges.Session
	switch {
	case t.RevokedAt != nil, s.RevokedAt != nil, s.Edges.Device.RevokedAt != nil, !s.Edges.User.Active:
		return revoked
	case !now.Before(t.ExpiresAt), s.EndsAt != nil && !now.Before(*s.EndsAt):
		return expired
	}
	return valid
}
