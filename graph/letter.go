package graph

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"workforce/ent"
	"workforce/ent/business"
	"workforce/ent/message"
	"workforce/ent/user"
	carry "workforce/internal/message"
)

// noticeLife is how long it is tried to tell somebody of something: over a
// weekend.
const noticeLife = 72 * time.Hour

// A letter is a message to be written.
type letter struct {
	kind        carry.Kind
	user        *ent.User
	channel     message.Channel
	destination string
	language    string
	facts       carry.Facts
	expires     time.Time // after which it tells nothing any more
}

// tell writes a message to somebody, in the transaction of what it tells of: by
// the channel they prefer, in their language, and in their company's zone. The
// company and the time are filled into the facts.
func (r *Resolver) tell(ctx context.Context, u *ent.User, kind carry.Kind, facts carry.Facts) error {
	ctx = system(ctx)
	company, err := ent.FromContext(ctx).Company.Get(ctx, u.CompanyID)
	if err != nil {
		return err
	}
	zone, err := time.LoadLocation(company.Timezone)
	if err != nil {
		return fmt.Errorf("company %d: %w", company.ID, err)
	}
	facts.Company, facts.At = company.Name, r.Now().In(zone)
	l := letter{
		kind: kind, user: u, language: cmp.Or(u.Locale, company.Locale), facts: facts, expires: r.Now().Add(noticeLife),
	}
	l.channel, l.destination = preferred(u)
	return r.post(ctx, l)
}

// preferred returns where somebody likes to be told things. Without a verified
// number that is their e-mail address.
func preferred(u *ent.User) (message.Channel, string) {
	if u.MessageChannel == nil || *u.MessageChannel == user.MessageChannelEmail || u.Phone == nil {
		return message.ChannelEmail, u.Email
	}
	return message.Channel(*u.MessageChannel), *u.Phone
}

// tellFace tells somebody, and the manager of the business they work in, that a
// face was registered as theirs.
func (r *Resolver) tellFace(ctx context.Context, id int) error {
	ctx = system(ctx)
	u, err := ent.FromContext(ctx).User.Get(ctx, id)
	if err != nil {
		return err
	}
	if err := r.tell(ctx, u, carry.FaceRegistered, carry.Facts{}); err != nil || u.BusinessID == nil {
		return err
	}
	manager, err := ent.FromContext(ctx).Business.Query().Where(business.ID(*u.BusinessID)).
		QueryManager().Where(user.Active(true), user.IDNEQ(id)).Only(ctx)
	if err != nil {
		return ignoreNotFound(err)
	}
	return r.tell(ctx, manager, carry.FaceRegistered, carry.Facts{Name: u.Name})
}
