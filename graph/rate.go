package graph

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

// count counts an event of the request's network address in this hour, and
// refuses it with RATE_LIMITED beyond limit. Instances count together. The answer
// tells how many are left.
func (r *Resolver) count(ctx context.Context, event string, limit int) error {
	row := r.window(ctx, event)
	if err := row.add(ctx); err != nil {
		return err
	}
	n, err := row.count(ctx)
	if err != nil {
		return err
	}
	if n > limit {
		return r.limited(row, limit)
	}
	request.LimitHeaders(request.From(ctx).Reply, errs.Limit{Limit: limit, Remaining: limit - n, Reset: r.untilEnd(row)})
	return nil
}

// full refuses with RATE_LIMITED when limit events were counted already. It
// counts nothing.
func (r *Resolver) full(ctx context.Context, event string, limit int) error {
	row := r.window(ctx, event)
	n, err := row.count(ctx)
	if err == nil && n >= limit {
		return r.limited(row, limit)
	}
	return err
}

// A rateRow names the window in which something is counted.
type rateRow struct {
	key      []byte
	startsAt time.Time
}

func (r *Resolver) window(ctx context.Context, event string) rateRow {
	mac := hmac.New(sha256.New, r.keys.rates)
	mac.Write([]byte(event + "\x00" + request.From(ctx).Addr.String()))
	return rateRow{mac.Sum(nil), r.Now().Truncate(time.Hour)}
}

// add counts one event more.
func (w rateRow) add(ctx context.Context) error {
	return ent.FromContext(ctx).RateWindow.Create().SetKey(w.key).SetStartsAt(w.startsAt).SetCount(1).
		OnConflict(sql.ConflictColumns(ratewindow.FieldKey, ratewindow.FieldStartsAt)).
		Update(func(u *ent.RateWindowUpsert) { u.AddCount(1) }).Exec(ctx)
}

func (w rateRow) count(ctx context.Context) (int, error) {
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

func (r *Resolver) limited(w rateRow, limit int) error {
	return tooMany(r.untilEnd(w), &errs.Limit{Limit: limit})
}

func (r *Resolver) untilEnd(w rateRow) time.Duration { return w.startsAt.Add(time.Hour).Sub(r.Now()) }

// tooMany is RATE_LIMITED until wait is over.
func tooMany(wait time.Duration, l *errs.Limit) error {
	wait = max(wait, time.Second)
	seconds := int((wait + time.Second - 1) / time.Second)
	if l != nil {
		l.Reset = wait
	}
	return &errs.Error{
		Code: errs.RateLimited, Meta: errs.Meta{"retryAfterSeconds": seconds}, RetryAfter: wait, Limit: l,
	}
}
