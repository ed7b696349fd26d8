package auth

import (
	"context"
	"time"

	"workforce/ent"
	"workforce/ent/onetimecode"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/app/ratelimit"
	"workforce/internal/app/tx"
	"workforce/internal/contact"
	"workforce/internal/textform"
	"workforce/internal/viewer"
)

// FaceCodes are the one-time codes with which people ask to register their face anew.
type FaceCodes struct {
	*codes
	sessions *sessions
}

// Send sends the viewer a code, for the device of their session. RATE_LIMITED too soon
// after the code before.
func (s *FaceCodes) Send(ctx context.Context) (*model.CodeSent, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	ctx = viewer.System(ctx)
	u, err := ent.FromContext(ctx).User.Get(ctx, me.UserID)
	if err != nil {
		return nil, err
	}
	q := codeRequest{purpose: onetimecode.PurposeFace, user: u, device: me.DeviceID, kind: textform.Email, typed: u.EmailKey}
	if c := u.MessageChannel; u.Phone != nil && c != nil && *c != user.MessageChannelEmail {
		q.kind, q.typed = textform.Phone, *u.Phone
	}
	st, err := s.lock(ctx, q)
	switch {
	case err != nil:
		return nil, err
	case st.wait > 0:
		return nil, ratelimit.TooMany(st.wait, st.limit)
	case st.full:
		return nil, ratelimit.TooMany(time.Hour, codesPerHour)
	}
	if err := s.Limiter.Count(ctx, ratelimit.Code); err != nil {
		return nil, err
	}
	code, err := s.send(ctx, q)
	if err != nil {
		return nil, err
	}
	return &model.CodeSent{Channel: q.channel(), Destination: contact.Mask(q.kind, q.typed), ExpiresIn: s.sessions.secondsTo(code.ExpiresAt)}, nil
}

// A faceTry is a try at the viewer's latest code for their face.
type faceTry struct {
	user, device int
	code         string
}

// Use uses a code up that was sent to the viewer, in the transaction of ctx. The try is
// counted outside of it. It fails as verify does.
func (s *FaceCodes) Use(ctx context.Context, code string) error {
	me := viewer.From(ctx)
	ctx = viewer.System(ctx)
	try := faceTry{me.UserID, me.DeviceID, code}
	c, err := tx.Outside(ctx, try, func(ctx context.Context) (*ent.OneTimeCode, error) {
		ctx = viewer.System(ctx)
		c, err := newest(ctx, s.DB.OneTimeCode.Query().
			Where(onetimecode.PurposeEQ(onetimecode.PurposeFace), onetimecode.UserID(try.user), onetimecode.DeviceID(try.device)))
		if err != nil {
			return nil, err
		}
		return c, s.try(ctx, c, code, func(context.Context) error { return nil })
	})
	if err != nil {
		return err
	}
	return s.use(ctx, c)
}
