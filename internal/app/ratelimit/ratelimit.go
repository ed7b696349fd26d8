// Package ratelimit counts events of one network address by the hour. Instances
// count together: the counters are rows.
package ratelimit

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"time"

	"entgo.io/ent/dialect/sql"

	"workforce/ent"
	"workforce/ent/ratewindow"
	"workforce/internal/errs"
	"workforce/internal/request"
)

// An Event is something that is counted.
type Event string

// The events that are counted.
const (
	Registration Event = "registration" // of a new device
	Code         Event = "code"         // a one-time code that was sent
	Failure      Event = "failure"      // a failed sign-in
	Encryption   Event = "encryption"   // a password encrypted for a client
)

// Limits are how many events of one network address are allowed in an hour.
type Limits map[Event]int

// Default are the limits of an installation that sets none.
var Default = Limits{Registration: 300, Code: 200, Failure: 100, Encryption: 200}

// A Limiter counts events and refuses those beyond the limits.
type Limiter struct {
	Limits Limits
	Now    func() time.Time
	Key    []byte // of the digests of network addresses
}

// Count counts an event of the request's network address in this hour, and
// refuses it with RATE_LIMITED beyond the limit. The RateLimit headers of the
// answer tell how many are left.
func (l *Limiter) Count(ctx context.Context, event Event) error {
	w, limit := l.window(ctx, event), l.Limits[event]
	if err := w.add(ctx); err != nil {
		return err
	}
	n, err := w.count(ctx)
	if err != nil {
		return err
	}
	if n > limit {
		return l.exceeded(w, limit)
	}
	request.LimitHeaders(request.From(ctx).Reply, errs.Limit{Limit: limit, Remaining: limit - n, Reset: l.untilEnd(w)})
	return nil
}

// Check refuses with RATE_LIMITED when as many events were counted as are
// allowed. It counts nothing.
func (l *Limiter) Check(ctx context.Context, event Event) error {
	w, limit := l.window(ctx, event), l.Limits[event]
	n, err := w.count(ctx)
	if err == nil && n >= limit {
		return l.exceeded(w, limit)
	}
	return err
}

// A window is the hour in which the events of one address are counted.
type window struct {
	key      []byte
	startsAt time.Time
}

func (l *Limiter) window(ctx context.Context, event Event) window {
	mac := hmac.New(sha256.New, l.Key)
	mac.Write([]byte(string(event) + "\x00" + request.From(ctx).Addr.String()))
	return window{mac.Sum(nil), l.Now().Truncate(time.Hour)}
}

// add counts one event more.
func (w window) add(ctx context.Context) error {
	return ent.FromContext(ctx).RateWindow.Create().SetKey(w.key).SetStartsAt(w.startsAt).SetCount(1).
		OnConflict(sql.ConflictColumns(ratewindow.FieldKey, ratewindow.FieldStartsAt)).
		Update(func(u *ent.RateWindowUpsert) { u.AddCount(1) }).Exec(ctx)
}

func (w window) count(ctx context.Context) (int, error) {
	row, err := ent.FromContext(ctx).RateWindow.Query().
		Where(ratewindow.Key(w.key), ratewindow.StartsAt(w.startsAt)).Only(ctx)
	if ent.IsNotFound(err) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return row.Count, nil
}

func (l *Limiter) exceeded(w window, limit int) error {
	return TooMany(l.untilEnd(w), &errs.Limit{Limit: limit})
}

func (l *Limiter) untilEnd(w window) time.Duration { return w.startsAt.Add(time.Hour).Sub(l.Now()) }

// TooMany returns RATE_LIMITED until wait is over, at least a second.
func TooMany(wait time.Duration, l *errs.Limit) error {
	wait = max(wait, time.Second)
	seconds := int((wait + time.Second - 1) / time.Second)
	if l != nil {
		l.Reset = wait
	}
	return &errs.Error{
		Code: errs.RateLimited, Meta: errs.Meta{"retryAfterSeconds": seconds}, RetryAfter: wait, Limit: l,
	}
}
