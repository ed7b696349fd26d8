package auth

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"math/big"
	"strconv"
	"time"

	"workforce/ent"
	entmessage "workforce/ent/message"
	"workforce/ent/onetimecode"
	"workforce/ent/user"
	"workforce/internal/app/audit"
	"workforce/internal/app/notify"
	"workforce/internal/app/tx"
	"workforce/internal/contact"
	"workforce/internal/errs"
	"workforce/internal/message"
	"workforce/internal/otp"
	"workforce/internal/request"
)

// What bounds one-time codes (rules OT-02, OT-03 and OT-05).
const (
	textLife     = 5 * time.Minute  // by SMS or WhatsApp
	mailLife     = 10 * time.Minute // by e-mail
	codeTries    = 5
	codeGap      = time.Minute // between two codes
	codesPerHour = 5           // not used, of one account
	codesPerDay  = 15
)

// codes makes and checks one-time codes.
type codes struct {
	Deps
	key, accountKey []byte // of the digests of codes and of accounts
}

// A codeRequest asks for a code for one account on one device.
type codeRequest struct {
	purpose onetimecode.Purpose
	user    *ent.User // nil for an account that does not exist
	device  int
	kind    contact.Kind // of what was typed
	typed   string       // its key
}

// channel is the channel of the code, unless the user stopped it: that of the
// address that was typed. Whether the user prefers WhatsApp to SMS is shown only
// to who gave the password.
func (q codeRequest) channel() entmessage.Channel {
	if q.kind == contact.Email {
		return entmessage.ChannelEmail
	}
	if q.purpose == onetimecode.PurposeLogin && q.user.MessageChannel != nil && *q.user.MessageChannel == user.MessageChannelWhatsapp {
		return entmessage.ChannelWhatsapp
	}
	return entmessage.ChannelSms
}

func (q codeRequest) life() time.Duration {
	if q.kind == contact.Email {
		return mailLife
	}
	return textLife
}

// account returns the digest that the bounds are counted for: of the user,
// whatever name was typed, or of a name without an account.
func (s *codes) account(user *ent.User, typed string) []byte {
	name := "name:" + typed
	if user != nil {
		name = "user:" + strconv.Itoa(user.ID)
	}
	mac := hmac.New(sha256.New, s.accountKey)
	mac.Write([]byte(name))
	return mac.Sum(nil)
}

// A codeState tells which code of an account is valid, and when another may be
// sent.
type codeState struct {
	live *ent.OneTimeCode // for the same purpose on the same device; nil without one
	wait time.Duration    // until another may be asked for
}

// state returns the state of an account's codes.
func (s *codes) state(ctx context.Context, q codeRequest) (codeState, error) {
	now := s.Now()
	recent, err := ent.FromContext(ctx).OneTimeCode.Query().
		Where(onetimecode.Account(s.account(q.user, q.typed)), onetimecode.CreatedAtGT(now.Add(-24*time.Hour))).
		Order(ent.Desc(onetimecode.FieldCreatedAt)).All(ctx)
	if err != nil {
		return codeState{}, err
	}
	var st codeState
	var unused []time.Time // newest first
	for _, c := range recent {
		same := c.Purpose == q.purpose && c.DeviceID == q.device
		if same && st.live == nil && c.Live != nil {
			st.live = c
		}
		if same && c.UsedAt == nil {
			st.wait = max(st.wait, codeGap-now.Sub(c.CreatedAt))
		}
		if c.UsedAt == nil {
			unused = append(unused, c.CreatedAt)
		}
	}
	if len(unused) >= codesPerHour {
		st.wait = max(st.wait, time.Hour-now.Sub(unused[codesPerHour-1]))
	}
	if len(unused) >= codesPerDay {
		st.wait = max(st.wait, 24*time.Hour-now.Sub(unused[codesPerDay-1]))
	}
	return st, nil
}

// send makes a code and queues its message. The code before it is void from then
// on. Where another request makes one at the same instant, it is a constraint
// error.
func (s *codes) send(ctx context.Context, q codeRequest) (*ent.OneTimeCode, error) {
	db, now := ent.FromContext(ctx), s.Now()
	account := s.account(q.user, q.typed)
	err := db.OneTimeCode.Update().
		Where(onetimecode.Account(account), onetimecode.PurposeEQ(q.purpose), onetimecode.DeviceID(q.device), onetimecode.LiveNotNil()).
		ClearLive().SetVoidedAt(now).Exec(ctx)
	if err != nil {
		return nil, err
	}
	text, err := otp.New(rand.Reader)
	if err != nil {
		return nil, err
	}
	id, err := requestID()
	if err != nil {
		return nil, err
	}
	digest := otp.Digest(s.key, binding(q.purpose, account, q.device), text)
	create := db.OneTimeCode.Create().SetPurpose(q.purpose).SetAccount(account).SetDeviceID(q.device).
		SetRequestID(id).SetDigest(digest[:]).SetCreatedAt(now).SetExpiresAt(now.Add(q.life()))
	if q.user != nil {
		create.SetUserID(q.user.ID)
	}
	code, err := create.Save(ctx)
	if err != nil || q.user == nil {
		return code, err
	}
	return code, s.notify(ctx, q, text, code.ExpiresAt)
}

// notify queues the message that carries a code.
func (s *codes) notify(ctx context.Context, q codeRequest, text string, expires time.Time) error {
	language, err := languageFor(ctx, q.user)
	if err != nil {
		return err
	}
	channel, to := notify.Reach(q.user, q.channel())
	return s.Notify.Queue(ctx, notify.Notification{
		Kind: q.kindOfMessage(), User: q.user, Channel: channel, Destination: to, Language: language,
		Facts: message.Facts{Code: text, Minutes: int(q.life().Minutes())}, Expires: expires,
	})
}

// kindOfMessage is the kind of message that carries the code.
func (q codeRequest) kindOfMessage() message.Kind {
	if q.purpose == onetimecode.PurposeReset {
		return message.ResetCode
	}
	return message.LoginCode
}

// languageFor returns the language of a message that a user asked for: that of the
// request, else the user's, else their company's.
func languageFor(ctx context.Context, u *ent.User) (string, error) {
	if language := cmp.Or(request.From(ctx).Language, u.Locale); language != "" {
		return language, nil
	}
	company, err := ent.FromContext(ctx).Company.Get(ctx, u.CompanyID)
	if err != nil {
		return "", err
	}
	return company.Locale, nil
}

// binding is what a code is good for.
func binding(purpose onetimecode.Purpose, account []byte, device int) otp.Binding {
	return otp.Binding{Subject: string(account), Purpose: string(purpose), Device: strconv.Itoa(device)}
}

// requestID returns 15 random digits, the first of which is not 0.
func requestID() (string, error) {
	low := big.NewInt(100_000_000_000_000)
	n, err := rand.Int(rand.Reader, new(big.Int).Mul(low, big.NewInt(9)))
	if err != nil {
		return "", err
	}
	return n.Add(n, low).String(), nil
}

// try checks one try at a code. The count is committed before the code is
// compared, so that parallel tries are counted too. A right code is not used up:
// use does that.
func (s *codes) try(ctx context.Context, c *ent.OneTimeCode, text string) error {
	switch {
	case c == nil || c.UsedAt != nil || c.VoidedAt != nil:
		return errs.Field(errs.OTPInvalid, "otp", nil)
	case !s.Now().Before(c.ExpiresAt):
		return errs.Field(errs.OTPExpired, "otp", nil)
	}
	n, right := 0, false
	err := tx.Run(ctx, s.DB, func(ctx context.Context) (err error) {
		n, err = ent.FromContext(ctx).OneTimeCode.Update().
			Where(onetimecode.ID(c.ID), onetimecode.AttemptsLT(codeTries), onetimecode.LiveNotNil()).
			AddAttempts(1).Save(ctx)
		if err != nil || n == 0 {
			return err
		}
		right = otp.Equal(c.Digest, otp.Digest(s.key, binding(c.Purpose, c.Account, c.DeviceID), text))
		if right || c.UserID == nil {
			return nil
		}
		return s.recordWrong(ctx, c)
	})
	if err != nil {
		return err
	}
	if n == 0 {
		return errs.Field(errs.OTPExhausted, "otp", nil)
	}
	if !right {
		return errs.Field(errs.OTPInvalid, "otp", nil)
	}
	return nil
}

// recordWrong records a wrong try in the audit, the last one as exhausted.
func (s *codes) recordWrong(ctx context.Context, c *ent.OneTimeCode) error {
	tried, err := ent.FromContext(ctx).OneTimeCode.Get(ctx, c.ID)
	if err != nil {
		return err
	}
	u, err := ent.FromContext(ctx).User.Get(ctx, *c.UserID)
	if err != nil {
		return err
	}
	action := audit.CodeFailed
	if tried.Attempts == codeTries {
		action = audit.CodeExhausted
	}
	return s.Audit.Record(ctx, ofUser(action, u, c.DeviceID))
}

// giveBackTry takes back the try of a right code that was not used up, so that
// the code stays valid however often that happens.
func (s *codes) giveBackTry(ctx context.Context, c *ent.OneTimeCode) error {
	return ent.FromContext(ctx).OneTimeCode.Update().
		Where(onetimecode.ID(c.ID), onetimecode.AttemptsGT(0)).AddAttempts(-1).Exec(ctx)
}

// use uses a code up. Of several requests at once, one succeeds.
func (s *codes) use(ctx context.Context, c *ent.OneTimeCode) error {
	n, err := ent.FromContext(ctx).OneTimeCode.Update().
		Where(onetimecode.ID(c.ID), onetimecode.LiveNotNil()).
		ClearLive().SetUsedAt(s.Now()).Save(ctx)
	if err == nil && n == 0 {
		return errs.Field(errs.OTPInvalid, "otp", nil)
	}
	return err
}
