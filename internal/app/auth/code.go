package auth

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"workforce/ent"
	entMessage "workforce/ent/message"
	"workforce/ent/onetimecode"
	"workforce/ent/user"
	"workforce/internal/app/audit"
	"workforce/internal/app/notify"
	"workforce/internal/app/policysql"
	"workforce/internal/app/ratelimit"
	"workforce/internal/app/tx"
	"workforce/internal/errs"
	"workforce/internal/message"
	"workforce/internal/request"
	"workforce/internal/sealed"
	"workforce/internal/textform"
)

// What bounds one-time codes (rules OT-02, OT-03 and OT-05).
const (
	textLife     = 5 * time.Minute  // by SMS or WhatsApp
	mailLife     = 10 * time.Minute // by e-mail
	codeTries    = 5
	codeGap      = time.Minute // between two codes for one typed name, purpose and device
	codesPerHour = 5           // not used, of one typed name and of one account
	codesPerDay  = 15
)

// codes makes and checks one-time codes.
type codes struct {
	Deps
	key, accountKey *sealed.Derived // of the digests of codes, and of typed names and accounts
}

// A codeRequest asks for a code for one account on one device.
type codeRequest struct {
	purpose onetimecode.Purpose
	user    *ent.User // nil for an account that does not exist
	device  int
	kind    textform.Kind // of what was typed
	typed   string        // its key
}

// channel is the channel of the code, unless the user stopped it: that of the
// address that was typed. Whether the user prefers WhatsApp to SMS is shown only
// to who gave the password, or is signed in.
func (q codeRequest) channel() entMessage.Channel {
	if q.kind == textform.Email {
		return entMessage.ChannelEmail
	}
	if q.purpose != onetimecode.PurposeReset && q.user.MessageChannel != nil &&
		*q.user.MessageChannel == user.MessageChannelWhatsapp {
		return entMessage.ChannelWhatsapp
	}
	return entMessage.ChannelSms
}

func (q codeRequest) life() time.Duration {
	if q.kind == textform.Email {
		return mailLife
	}
	return textLife
}

// digests returns keyed digests of an account, the one that is stored first: of the user,
// whatever name was typed, or for nobody of the name.
func (s *codes) digests(user *ent.User, typed string) (all [][]byte) {
	name := "name:" + typed
	if user != nil {
		name = "user:" + strconv.Itoa(user.ID)
	}
	for _, key := range s.accountKey.Keys() {
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(name))
		all = append(all, mac.Sum(nil))
	}
	return all
}

// isRight reports whether a text is that of a code, under whichever secret key.
func (s *codes) isRight(c *ent.OneTimeCode, text string) (right bool) {
	for _, key := range s.key.Keys() {
		digest := otpDigest(key, binding(c.Purpose, c.Account, c.DeviceID), text)
		right = equalOTP(c.Digest, digest) || right
	}
	return right
}

// A codeState tells which code of an account is valid, and when another may be
// sent.
type codeState struct {
	live  *ent.OneTimeCode // for the same purpose on the same device; nil without one
	wait  time.Duration    // until another may be asked for with the typed name
	limit int              // of codes, that asks to wait
	full  bool             // the account may be sent none, by whatever name
}

// lock has requests for codes of one account run one after the other until their
// transactions end, and returns the state of its codes.
func (s *codes) lock(ctx context.Context, q codeRequest) (codeState, error) {
	now, names := s.Now(), s.digests(nil, q.typed)
	if err := ratelimit.Lock(ctx, s.digests(q.user, q.typed)[0], now); err != nil {
		return codeState{}, err
	}
	recent, err := ent.FromContext(ctx).OneTimeCode.Query().
		Where(onetimecode.Or(onetimecode.AccountIn(names...), onetimecode.UserID(idOf(q.user))),
			onetimecode.CreatedAtGT(now.Add(-24*time.Hour))).
		Order(ent.Desc(onetimecode.FieldCreatedAt, onetimecode.FieldID)).All(ctx)
	if err != nil {
		return codeState{}, err
	}
	var st codeState
	var ofName, ofUser []time.Time // of codes that were not used, the newest first
	for _, c := range recent {
		same := c.Purpose == q.purpose && c.DeviceID == q.device
		if same && st.live == nil && c.Live != nil && c.VoidedAt == nil {
			st.live = c
		}
		if c.UsedAt != nil || c.Purpose == onetimecode.PurposeFirst {
			continue
		}
		if slices.ContainsFunc(names, func(name []byte) bool { return bytes.Equal(c.Account, name) }) {
			ofName = append(ofName, c.CreatedAt)
			if wait := codeGap - now.Sub(c.CreatedAt); same && wait > st.wait {
				st.wait, st.limit = wait, 1
			}
		}
		if q.user != nil && c.UserID != nil && *c.UserID == q.user.ID {
			ofUser = append(ofUser, c.CreatedAt)
		}
	}
	if wait, limit := untilCode(ofName, now); wait > st.wait {
		st.wait, st.limit = wait, limit
	}
	wait, _ := untilCode(ofUser, now)
	st.full = wait > 0
	return st, nil
}

// untilCode returns how long it is until another code may be sent after some, the
// newest first, and the limit that asks to wait.
func untilCode(sent []time.Time, now time.Time) (wait time.Duration, limit int) {
	for _, most := range []struct {
		codes  int
		within time.Duration
	}{{codesPerHour, time.Hour}, {codesPerDay, 24 * time.Hour}} {
		if len(sent) < most.codes {
			break
		}
		if w := most.within - now.Sub(sent[most.codes-1]); w > wait {
			wait, limit = w, most.codes
		}
	}
	return wait, limit
}

// UntilInvitation returns how long it is until somebody may be invited again after invitations,
// the newest first, and the limit that asks to wait: as for codes.
func UntilInvitation(sent []time.Time, now time.Time) (wait time.Duration, limit int) {
	wait, limit = untilCode(sent, now)
	if len(sent) > 0 {
		if gap := codeGap - now.Sub(sent[0]); gap > wait {
			return gap, 1
		}
	}
	return wait, limit
}

// send makes a code and queues its message. The codes before it are void from then
// on. For nobody it makes a code that is never right, and a decoy of the message.
func (s *codes) send(ctx context.Context, q codeRequest) (*ent.OneTimeCode, error) {
	db, now, names := ent.FromContext(ctx), s.Now(), s.digests(nil, q.typed)
	if err := s.void(ctx, q, names); err != nil {
		return nil, err
	}
	text, err := newOTP(rand.Reader)
	if err != nil {
		return nil, err
	}
	id, err := requestID()
	if err != nil {
		return nil, err
	}
	name := names[0]
	digest := otpDigest(s.key.Key(), binding(q.purpose, name, q.device), text)
	create := db.OneTimeCode.Create().SetPurpose(q.purpose).SetAccount(name).SetDeviceID(q.device).
		SetRequestID(id).SetDigest(digest[:]).SetCreatedAt(now).SetExpiresAt(now.Add(q.life()))
	if q.user != nil {
		create.SetUserID(q.user.ID)
	}
	code, err := create.Save(ctx)
	if err != nil {
		return nil, err
	}
	return code, s.notify(ctx, q, text, code)
}

// void makes the codes before a new one void: the one that was asked for with the
// same name, and those asked for with another name of the user. The latter are still
// tried, as wrong codes, so that nobody learns whether two names are of one account.
func (s *codes) void(ctx context.Context, q codeRequest, names [][]byte) error {
	live := func() *ent.OneTimeCodeUpdate {
		return ent.FromContext(ctx).OneTimeCode.Update().
			Where(onetimecode.PurposeEQ(q.purpose), onetimecode.DeviceID(q.device), onetimecode.LiveNotNil()).
			SetVoidedAt(s.Now())
	}
	if err := live().Where(onetimecode.AccountIn(names...)).ClearLive().Exec(ctx); err != nil {
		return err
	}
	return live().Where(onetimecode.UserID(idOf(q.user)), onetimecode.VoidedAtIsNil()).Exec(ctx)
}

// notify queues the message that carries a code.
func (s *codes) notify(ctx context.Context, q codeRequest, text string, code *ent.OneTimeCode) error {
	n := notify.Notification{
		Kind: q.kindOfMessage(), User: q.user, Channel: q.channel(),
		Facts: message.Facts{Code: text, Minutes: int(q.life().Minutes())}, Expires: code.ExpiresAt, CodeID: &code.ID,
	}
	if q.user != nil {
		n.Channel, n.Destination = notify.Reach(q.user, n.Channel)
	}
	var err error
	if n.Language, err = languageFor(ctx, q.user); err != nil {
		return err
	}
	return s.Notify.Queue(ctx, n)
}

// kindOfMessage is the kind of message that carries the code.
func (q codeRequest) kindOfMessage() message.Kind {
	switch q.purpose {
	case onetimecode.PurposeReset:
		return message.ResetCode
	case onetimecode.PurposeFace:
		return message.FaceCode
	}
	return message.LoginCode
}

// languageFor returns the language of a message that a user asked for: that of the
// request, else the user's, else their company's.
func languageFor(ctx context.Context, u *ent.User) (string, error) {
	language := request.From(ctx).Language
	if language == "" && u != nil {
		language = u.Locale
	}
	if language != "" || u == nil {
		return language, nil
	}
	company, err := ent.FromContext(ctx).Company.Get(ctx, u.CompanyID)
	if err != nil {
		return "", err
	}
	return company.Locale, nil
}

// binding is what a code is good for.
func binding(purpose onetimecode.Purpose, account []byte, device int) otpBinding {
	return otpBinding{Subject: string(account), Purpose: string(purpose), Device: strconv.Itoa(device)}
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

// ReadCode returns the code that a person typed, without space around it, or what is
// wrong with its form.
func ReadCode(typed string) (code string, faults errs.Faults) {
	code = strings.TrimSpace(typed)
	switch {
	case code == "":
		faults.Add("otp", errs.Required, nil)
	case !isOTP(code):
		faults.Add("otp", errs.BadFormat, errs.Meta{"expected": "012345"})
	}
	return code, faults
}

// try checks one try at a code, and runs then in the transaction of a right one. The
// count is committed before the answer, so that parallel tries are counted too; codes
// of nobody and void ones that are live are tried alike. A right code is not used up:
// use does that.
func (s *codes) try(ctx context.Context, c *ent.OneTimeCode, text string, then func(context.Context) error) error {
	switch {
	case c == nil || c.Live == nil:
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
		right = s.isRight(c, text) && c.UserID != nil && c.VoidedAt == nil
		if right {
			return then(ctx)
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
	id := 0
	if c.UserID != nil {
		id = *c.UserID
	}
	u, err := ent.FromContext(ctx).User.Query().Where(user.ID(id)).Only(ctx)
	if err := policysql.IgnoreNotFound(err); err != nil {
		return err
	}
	action := audit.CodeFailed
	if tried.Attempts == codeTries {
		action = audit.CodeExhausted
	}
	return s.record(ctx, action, u, c.DeviceID)
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
		Where(onetimecode.ID(c.ID), onetimecode.LiveNotNil(), onetimecode.VoidedAtIsNil()).
		ClearLive().SetUsedAt(s.Now()).Save(ctx)
	if err == nil && n == 0 {
		return errs.Field(errs.OTPInvalid, "otp", nil)
	}
	return err
}
