// Package ratelimit counts events of one network address in a sliding hour, and what a
// person uploads in a sliding day.
// Instances count together: the counters are rows.
package ratelimit

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"hash"
	"time"

	"workforce/ent"
	"workforce/ent/ratelog"
	"workforce/internal/database"
	"workforce/internal/errs"
	"workforce/internal/request"
	"workforce/internal/sealed"
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

// Limits are how many events of one network address are allowed in any hour.
type Limits map[Event]int

// Default are the limits of an installation that sets none.
var Default = Limits{Registration: 300, Code: 200, Failure: 100, Encryption: 200}

// A Limiter counts events and refuses those beyond the limits.
type Limiter struct {
	Limits Limits
	Now    func() time.Time
	Key    *sealed.Derived // of the digests of network addresses
}

// Count counts an event of the request's network address at now, in the transaction
// of ctx, and refuses it with RATE_LIMITED where the hour before has as many as are
// allowed. The RateLimit headers of the answer tell how many are left.
func (l *Limiter) Count(ctx context.Context, event Event) error {
	key, limit, now := l.key(ctx, event), l.Limits[event], l.Now()
	log, err := l.lock(ctx, key, window)
	if err != nil {
		return err
	}
	if wait := log.wait(now, 1, limit, window); wait > 0 || limit <= 0 {
		return TooMany(wait, limit)
	}
	return l.store(ctx, event, key, log.add(now, 1))
}

// TakeBack undoes Count, in a transaction, for an event that was counted at an
// instant.
func (l *Limiter) TakeBack(ctx context.Context, event Event, at time.Time) error {
	key := l.key(ctx, event)
	log, err := l.lock(ctx, key, window)
	if err != nil {
		return err
	}
	return l.store(ctx, event, key, log.remove(at))
}

// lock returns the log of a key. The write comes first: the row is locked until the
// transaction ends, so that others count what this one does.
func (l *Limiter) lock(ctx context.Context, key []byte, window time.Duration) (log, error) {
	if err := Lock(ctx, key, l.Now()); err != nil {
		return nil, err
	}
	row, err := ent.FromContext(ctx).RateLog.Query().Where(ratelog.Key(key)).Only(ctx)
	if err != nil {
		return nil, err
	}
	return parse(row.Events).recent(l.Now(), window), nil
}

var logUpsert = database.Upsert{
	Table: ratelog.Table, Columns: []string{ratelog.FieldKey, ratelog.FieldUpdatedAt},
	Key: []string{ratelog.FieldKey}, Replace: []string{ratelog.FieldUpdatedAt},
}

// Lock has transactions with the same key run one after the other, from here to
// their end. A key is a digest of 32 bytes.
func Lock(ctx context.Context, key []byte, now time.Time) error {
	return logUpsert.Exec(ctx, ent.FromContext(ctx), key, now)
}

// store stores a log and sets the RateLimit headers of the answer.
func (l *Limiter) store(ctx context.Context, event Event, key []byte, events log) error {
	err := ent.FromContext(ctx).RateLog.Update().Where(ratelog.Key(key)).SetEvents(events.bytes()).Exec(ctx)
	if err != nil {
		return err
	}
	limit := errs.Limit{Limit: l.Limits[event]}
	limit.Remaining = max(0, limit.Limit-events.count())
	if len(events) > 0 {
		limit.Reset = events[0].at.Add(window).Sub(l.Now())
	}
	request.LimitHeaders(request.From(ctx).Reply, limit)
	return nil
}

// mac makes digests. A limiter of nothing that an address tells needs no key.
func (l *Limiter) mac() hash.Hash {
	var key []byte
	if l.Key != nil {
		key = l.Key.Key()
	}
	return hmac.New(sha256.New, key)
}

// key returns the digest of an event and the request's network address.
func (l *Limiter) key(ctx context.Context, event Event) []byte {
	mac := l.mac()
	mac.Write([]byte(string(event) + "\x00" + request.Network(request.From(ctx).Addr)))
	return mac.Sum(nil)
}

// TooMany returns RATE_LIMITED until wait is over, at least a second, where limit
// events are allowed.
func TooMany(wait time.Duration, limit int) error {
	e := errs.Limited(wait, nil)
	e.Limit = &errs.Limit{Limit: limit, Reset: e.RetryAfter}
	return e
}
