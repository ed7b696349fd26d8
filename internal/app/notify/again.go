package notify

import (
	"context"
	"crypto/sha256"
	"slices"
	"strconv"
	"time"

	"workforce/ent"
	entMessage "workforce/ent/message"
	"workforce/ent/user"
	"workforce/internal/app/audit"
	"workforce/internal/app/ratelimit"
	"workforce/internal/errs"
	"workforce/internal/message"
	"workforce/internal/viewer"
)

// againGap is how long a message that was asked for again is not sent once more.
const againGap = time.Minute

// keepFailed keeps the text of a message that failed until it expires, so that it may be sent
// again. That of a code goes.
func (s *Service) keepFailed(update *ent.MessageUpdate, m *ent.Message) *ent.MessageUpdate {
	if m.SealedText == nil || hasCode(m) || !s.Now().Before(m.ExpiresAt) {
		return update.ClearSealedText().ClearDueAt()
	}
	return update.SetDueAt(m.ExpiresAt)
}

func hasCode(m *ent.Message) bool { return m.CodeID != nil || message.Kind(m.Kind).HasCode() }

// Again queues a message once more that failed or was sent, to where its person is reached now,
// and returns the id of the message that is sent: of itself while it waits, else of a new one.
// Requests for one message run one after the other.
func (s *Service) Again(ctx context.Context, id int) (int, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return 0, err
	}
	m, err := ent.FromContext(ctx).Message.Query().Where(entMessage.ID(id)).Only(ctx)
	if err != nil {
		return 0, err
	}
	system := viewer.System(ctx)
	u, err := ent.FromContext(ctx).User.Query().Where(user.ID(m.UserID)).WithRoles().Only(system)
	if err != nil {
		return 0, err
	}
	if !mayRepeat(me, u) {
		return 0, errs.New(errs.Forbidden, nil)
	}
	key := sha256.Sum256([]byte("message sent again\x00" + strconv.Itoa(id)))
	if err := ratelimit.Lock(system, key[:], s.Now()); err != nil {
		return 0, err
	}
	if m, err = ent.FromContext(ctx).Message.Query().Where(entMessage.ID(id)).Only(system); err != nil {
		return 0, err
	}
	switch {
	case hasCode(m):
		return 0, errs.Conflicts(errs.HasCode, "", nil)
	case m.SealedText == nil || !s.Now().Before(m.ExpiresAt):
		return 0, errs.Conflicts(errs.TextGone, "", nil)
	case !u.Active:
		return 0, errs.Conflicts(errs.State, "", errs.Meta{"state": "inactive"})
	case m.Status == entMessage.StatusQueued:
		return id, nil
	}
	return s.repeat(system, m, u)
}

// mayRepeat reports whether a viewer has messages of a user sent again, which of an owner only
// owners do.
func mayRepeat(me *viewer.Viewer, u *ent.User) bool {
	owns := slices.ContainsFunc(u.Edges.Roles, func(r *ent.Role) bool {
		return r.Builtin != nil && *r.Builtin == viewer.Owner
	})
	return me.Reaches(me.Scope("message", "write"), u.ID, u.BusinessID) && (me.Owner || !owns)
}

// repeat queues the text of a message once more, unless that was done within againGap or waits
// still. What it queues has the same sealed text, which no other message has.
func (s *Service) repeat(ctx context.Context, m *ent.Message, u *ent.User) (int, error) {
	messages, now := ent.FromContext(ctx).Message, s.Now()
	last, err := messages.Query().Where(
		entMessage.UserID(u.ID), entMessage.SealedText(*m.SealedText), entMessage.IDGT(m.ID),
		entMessage.Or(entMessage.StatusEQ(entMessage.StatusQueued), entMessage.CreatedAtGT(now.Add(-againGap)))).
		Order(ent.Desc(entMessage.FieldID)).Limit(1).IDs(ctx)
	if err != nil {
		return 0, err
	}
	if len(last) > 0 {
		return last[0], nil
	}
	channel, to := Reach(u, m.Channel)
	again := messages.Create().SetCompanyID(m.CompanyID).SetUserID(u.ID).SetNillableAboutID(m.AboutID).
		SetKind(m.Kind).SetChannel(channel).SetDestination(to).SetSealedText(*m.SealedText).
		SetCreatedAt(now).SetDueAt(now).SetExpiresAt(now.Add(noticeLife))
	if err := s.enqueue(ctx, again); err != nil {
		return 0, err
	}
	id, _ := again.Mutation().ID()
	return id, s.Audit.Record(ctx, audit.Event{
		Action: audit.MessageRepeated, Company: m.CompanyID, Subject: ent.TypeMessage, ID: m.ID,
		Facts: map[string]any{"again": id},
	})
}
