package graph

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"math/big"
	"strconv"
	"time"

	crand "crypto/rand"

	"workforce/ent"
	"workforce/ent/message"
	"workforce/ent/onetimecode"
	"workforce/ent/user"
	"workforce/internal/contact"
	"workforce/internal/errs"
	carry "workforce/internal/message"
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

// A codeRequest asks for a code for one account on one device.
type codeRequest struct {
	purpose onetimecode.Purpose
	user    *ent.User // nil for an account that does not exist
	device  int
	kind    contact.Kind // of what was typed
	typed   string       // its key
}

// channel is how the code goes unless the user stopped that: to the same kind of
// address as was typed. Only who gave the password is told which channel they
// prefer to SMS.
func (q codeRequest) channel() message.Channel {
	if q.kind == contact.Email {
		return message.ChannelEmail
	}
	if q.purpose == onetimecode.PurposeLogin && q.user.MessageChannel != nil && *q.user.MessageChannel == user.MessageChannelWhatsapp {
		return message.ChannelWhatsapp
	}
	return message.ChannelSms
}

func (q codeRequest) life() time.Duration {
	if q.kind == contact.Email {
		return mailLife
	}
	return textLife
}

// account names what the bounds are counted for: the user, whatever name was
// typed, or a name that is nobody's.
func (r *Resolver) account(user *ent.User, typed string) []byte {
	name := "name:" + typed
	if user != nil {
		name = "user:" + strconv.Itoa(user.ID)
	}
	mac := hmac.New(sha256.New, r.keys.accounts)
	mac.Write([]byte(name))
	return mac.Sum(nil)
}

// A codeState is what is known of the codes of an account before a new one.
type codeState struct {
	live *ent.OneTimeCode // for the same purpose on the same device; nil without one
	wait time.Duration    // until another may be asked for
}

// codeState finds the live code and how long another has to wait.
func (r *Resolver) codeState(ctx context.Context, q codeRequest) (codeState, error) {
	now := r.Now()
	recent, err := ent.FromContext(ctx).OneTimeCode.Query().
		Where(onetimecode.Account(r.account(q.user, q.typed)), onetimecode.CreatedAtGT(now.Add(-24*time.Hour))).
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

// sendCode makes a code and the message that carries it. The code before it is
// void from then on. A nil code with no error means that another request made
// one at the same instant.
func (r *Resolver) sendCode(ctx context.Context, q codeRequest) (*ent.OneTimeCode, error) {
	db, now := ent.FromContext(ctx), r.Now()
	account := r.account(q.user, q.typed)
	err := db.OneTimeCode.Update().
		Where(onetimecode.Account(account), onetimecode.PurposeEQ(q.purpose), onetimecode.DeviceID(q.device), onetimecode.LiveNotNil()).
		ClearLive().SetVoidedAt(now).Exec(ctx)
	if err != nil {
		return nil, err
	}
	text, err := otp.New(r.random)
	if err != nil {
		return nil, err
	}
	id, err := requestID()
	if err != nil {
		return nil, err
	}
	digest := otp.Digest(r.keys.codes, binding(q.purpose, account, q.device), text)
	create := db.OneTimeCode.Create().SetPurpose(q.purpose).SetAccount(account).SetDeviceID(q.device).
		SetRequestID(id).SetDigest(digest[:]).SetCreatedAt(now).SetExpiresAt(now.Add(q.life()))
	if q.user != nil {
		create.SetUserID(q.user.ID)
	}
	code, err := create.Save(ctx)
	if err != nil || q.user == nil {
		return code, err
	}
	language, err := languageFor(ctx, q.user)
	if err != nil {
		return nil, err
	}
	channel, to := reach(q.user, q.channel())
	return code, r.post(ctx, letter{
		kind: q.letter(), user: q.user, channel: channel, destination: to, language: language,
		facts: carry.Facts{Code: text, Minutes: int(q.life().Minutes())}, expires: code.ExpiresAt,
	})
}

// letter is the kind of message that carries the code.
func (q codeRequest) letter() carry.Kind {
	if q.purpose == onetimecode.PurposeReset {
		return carry.ResetCode
	}
	return carry.LoginCode
}

// languageFor is the language of a message that somebody asks for: that of the
// request, else theirs, else their company's.
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
	n, err := crand.Int(crand.Reader, new(big.Int).Mul(low, big.NewInt(9)))
	if err != nil {
		return "", err
	}
	return n.Add(n, low).String(), nil
}

// tryCode judges one try at a code. The try is counted, and the count kept,
// before it is told whether it was right: however many try at once, five are. A
// right code is not used up by it; useCode does that.
func (r *Resolver) tryCode(ctx context.Context, c *ent.OneTimeCode, text string) error {
	switch {
	case c == nil || c.UsedAt != nil || c.VoidedAt != nil:
		return errs.Field(errs.OTPInvalid, "otp", nil)
	case !r.Now().Before(c.ExpiresAt):
		return errs.Field(errs.OTPExpired, "otp", nil)
	}
	n, right := 0, false
	err := r.inTx(ctx, func(ctx context.Context) (err error) {
		n, err = ent.FromContext(ctx).OneTimeCode.Update().
			Where(onetimecode.ID(c.ID), onetimecode.AttemptsLT(codeTries), onetimecode.LiveNotNil()).
			AddAttempts(1).Save(ctx)
		if err != nil || n == 0 {
			return err
		}
		right = otp.Equal(c.Digest, otp.Digest(r.keys.codes, binding(c.Purpose, c.Account, c.DeviceID), text))
		if right || c.UserID == nil {
			return nil
		}
		return r.noteWrong(ctx, c)
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

// noteWrong puts a wrong try at a code down in the audit, the last one as such.
func (r *Resolver) noteWrong(ctx context.Context, c *ent.OneTimeCode) error {
	tried, err := ent.FromContext(ctx).OneTimeCode.Get(ctx, c.ID)
	if err != nil {
		return err
	}
	u, err := ent.FromContext(ctx).User.Get(ctx, *c.UserID)
	if err != nil {
		return err
	}
	action := codeFailed
	if tried.Attempts == codeTries {
		action = codeExhausted
	}
	return r.note(ctx, ofUser(action, u, c.DeviceID))
}

// giveBackTry uncounts the try of a right code that did not come to be used, so
// that it stays good however often that happens.
func (r *Resolver) giveBackTry(ctx context.Context, c *ent.OneTimeCode) error {
	return ent.FromContext(ctx).OneTimeCode.Update().
		Where(onetimecode.ID(c.ID), onetimecode.AttemptsGT(0)).AddAttempts(-1).Exec(ctx)
}

// useCode uses a code up. Of several at once, one succeeds.
func (r *Resolver) useCode(ctx context.Context, c *ent.OneTimeCode) error {
	n, err := ent.FromContext(ctx).OneTimeCode.Update().
		Where(onetimecode.ID(c.ID), onetimecode.LiveNotNil()).
		ClearLive().SetUsedAt(r.Now()).Save(ctx)
	if err == nil && n == 0 {
		return errs.Field(errs.OTPInvalid, "otp", nil)
	}
	return err
}
