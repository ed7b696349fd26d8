// Package notify renders messages to people, queues them in the transaction of the
// change that they report, sends them after its commit, and records the messaging
// gateway's delivery reports.
package notify

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"workforce/ent"
	"workforce/ent/business"
	entMessage "workforce/ent/message"
	"workforce/ent/user"
	"workforce/internal/app/policysql"
	"workforce/internal/errs"
	"workforce/internal/message"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// noticeLife is how long a notice is tried to be sent: over a weekend.
const noticeLife = 72 * time.Hour

// A Notification is a message to one person.
type Notification struct {
	Kind        message.Kind
	User        *ent.User // nil for nobody: a decoy is written
	Channel     entMessage.Channel
	Destination string // e-mail address, or phone number in E.164
	Language    string
	Facts       message.Facts
	About       *int      // the person whom Facts.Name names; nil for none
	Expires     time.Time // after which it is not sent any more
	CodeID      *int      // one-time code that it carries: where that is void, it is not sent
}

// Notify queues a notice to a user in the transaction of ctx: by the channel they
// prefer, in their language, and in their company's zone. The company, the
// time and, to invitations, the link to the web app are added to the facts.
func (s *Service) Notify(ctx context.Context, u *ent.User, kind message.Kind, facts message.Facts) error {
	return s.NotifyAbout(ctx, u, kind, facts, nil)
}

// NotifyAbout is Notify of what concerns another person, whose name it adds to the facts;
// nil for nobody.
func (s *Service) NotifyAbout(
	ctx context.Context, u *ent.User, kind message.Kind, facts message.Facts, about *ent.User,
) (err error) {
	defer errs.Step(&err, "notify: queue a message")
	ctx = viewer.System(ctx)
	company, err := ent.FromContext(ctx).Company.Get(ctx, u.CompanyID)
	if err != nil {
		return err
	}
	zone, err := shift.Zone(company.Timezone)
	if err != nil {
		return fmt.Errorf("company %d: %w", company.ID, err)
	}
	facts.Company, facts.At = company.Name, s.Now().In(zone)
	if kind == message.Invited {
		facts.Link = s.AppURL
	}
	n := Notification{
		Kind: kind, User: u, Language: cmp.Or(u.Locale, company.Locale), Facts: facts, Expires: s.Now().Add(noticeLife),
	}
	n.Channel, n.Destination = Reach(u, preferred(u))
	if about != nil {
		n.About, n.Facts.Name = &about.ID, about.Name
	}
	return s.Queue(ctx, n)
}

// preferred returns the channel that a user prefers, e-mail by default.
func preferred(u *ent.User) entMessage.Channel {
	if u.MessageChannel == nil {
		return entMessage.ChannelEmail
	}
	return entMessage.Channel(*u.MessageChannel)
}

// Reach returns the channel and the address by which a message reaches a user:
// the wanted channel, else the first of WhatsApp, SMS and e-mail that they have
// and did not stop. Where they stopped all of them it is the wanted one, since
// only codes that they asked for are sent then.
func Reach(u *ent.User, wanted entMessage.Channel) (entMessage.Channel, string) {
	if u.Phone == nil {
		wanted = entMessage.ChannelEmail
	}
	for _, c := range []entMessage.Channel{wanted, entMessage.ChannelWhatsapp, entMessage.ChannelSms, entMessage.ChannelEmail} {
		if to := Address(u, c); to != "" && !stopped(u, c) {
			return c, to
		}
	}
	return wanted, Address(u, wanted)
}

// Address returns the address of a user on a channel; "" for none.
func Address(u *ent.User, c entMessage.Channel) string {
	switch {
	case c == entMessage.ChannelEmail:
		return u.Email
	case u.Phone == nil:
		return ""
	}
	return *u.Phone
}

// stopped reports whether a user stopped a channel at their present address.
func stopped(u *ent.User, c entMessage.Channel) bool {
	at := map[entMessage.Channel]*string{
		entMessage.ChannelWhatsapp: u.StoppedWhatsapp, entMessage.ChannelSms: u.StoppedSms, entMessage.ChannelEmail: u.StoppedEmail,
	}[c]
	return at != nil && *at == Address(u, c)
}

// stop records that a user stopped a channel, if the address is still theirs.
func stop(ctx context.Context, id int, c entMessage.Channel, address string) error {
	update := ent.FromContext(ctx).User.Update().Where(user.ID(id))
	switch c {
	case entMessage.ChannelWhatsapp:
		update.Where(user.Phone(address)).SetStoppedWhatsapp(address)
	case entMessage.ChannelSms:
		update.Where(user.Phone(address)).SetStoppedSms(address)
	default:
		update.Where(user.Email(address)).SetStoppedEmail(address)
	}
	return update.Exec(ctx)
}

// NotifyFace tells a user, and the manager of their business, that a face was
// registered as theirs.
func (s *Service) NotifyFace(ctx context.Context, userID int) (err error) {
	defer errs.Step(&err, "notify: queue a message about a face")
	ctx = viewer.System(ctx)
	u, err := ent.FromContext(ctx).User.Get(ctx, userID)
	if err != nil {
		return err
	}
	if err := s.Notify(ctx, u, message.FaceRegistered, message.Facts{}); err != nil || u.BusinessID == nil {
		return err
	}
	manager, err := ent.FromContext(ctx).Business.Query().Where(business.ID(*u.BusinessID)).
		QueryManager().Where(user.Active(true), user.IDNEQ(userID)).Only(ctx)
	if err != nil {
		return policysql.IgnoreNotFound(err)
	}
	return s.NotifyAbout(ctx, manager, message.FaceRegistered, message.Facts{}, u)
}
