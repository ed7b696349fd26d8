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
	"workforce/internal/shift"
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
	zone, err := shift.Zone(company.Timezone)
	if err != nil {
		return fmt.Errorf("company %d: %w", company.ID, err)
	}
	facts.Company, facts.At = company.Name, r.Now().In(zone)
	l := letter{
		kind: kind, user: u, language: cmp.Or(u.Locale, company.Locale), facts: facts, expires: r.Now().Add(noticeLife),
	}
	l.channel, l.destination = reach(u, preferred(u))
	return r.post(ctx, l)
}

// preferred returns how somebody likes to be told things: by e-mail unless they
// say otherwise.
func preferred(u *ent.User) message.Channel {
	if u.MessageChannel == nil {
		return message.ChannelEmail
	}
	return message.Channel(*u.MessageChannel)
}

// reach returns how and where a message gets to somebody: by the channel that is
// wanted, else by the first of WhatsApp, SMS and e-mail that they have and did
// not stop. Where they stopped all that they have it is the one wanted, for
// those who ask for a code.
func reach(u *ent.User, wanted message.Channel) (message.Channel, string) {
	if u.Phone == nil {
		wanted = message.ChannelEmail
	}
	for _, c := range []message.Channel{wanted, message.ChannelWhatsapp, message.ChannelSms, message.ChannelEmail} {
		if to := addressBy(u, c); to != "" && !stopped(u, c) {
			return c, to
		}
	}
	return wanted, addressBy(u, wanted)
}

// addressBy returns where a channel reaches somebody; "" where it does not.
func addressBy(u *ent.User, c message.Channel) string {
	switch {
	case c == message.ChannelEmail:
		return u.Email
	case u.Phone == nil:
		return ""
	}
	return *u.Phone
}

// stopped reports whether somebody wants nothing by a channel any more. Who has
// another address since is not held to it.
func stopped(u *ent.User, c message.Channel) bool {
	at := map[message.Channel]*string{
		message.ChannelWhatsapp: u.StoppedWhatsapp, message.ChannelSms: u.StoppedSms, message.ChannelEmail: u.StoppedEmail,
	}[c]
	return at != nil && *at == addressBy(u, c)
}

// stop notes that somebody wants nothing more by a channel at an address, if
// that is still theirs.
func stop(ctx context.Context, id int, c message.Channel, address string) error {
	update := ent.FromContext(ctx).User.Update().Where(user.ID(id))
	switch c {
	case message.ChannelWhatsapp:
		update.Where(user.Phone(address)).SetStoppedWhatsapp(address)
	case message.ChannelSms:
		update.Where(user.Phone(address)).SetStoppedSms(address)
	default:
		update.Where(user.Email(address)).SetStoppedEmail(address)
	}
	return update.Exec(ctx)
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
