package executor

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"entgo.io/ent/dialect/sql/sqlgraph"
	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"workforce/ent"
	"workforce/ent/requestrecord"
	"workforce/internal/request"
	"workforce/internal/viewer"
)

// The statements of a request's record. ent's own take a tenth of a clock-in.
var (
	insertRecord = "INSERT INTO " + requestrecord.Table + " (" + strings.Join([]string{
		requestrecord.FieldCompanyID, requestrecord.FieldUserID, requestrecord.FieldDeviceID, requestrecord.FieldRequestID,
		requestrecord.FieldFingerprint, requestrecord.FieldOutcome, requestrecord.FieldCreatedAt,
	}, ", ") + ") VALUES (?, ?, ?, ?, ?, '', ?)"
	updateRecord = "UPDATE " + requestrecord.Table + " SET " + requestrecord.FieldOutcome + " = ?, " +
		requestrecord.FieldCreatedAt + " = ? WHERE " + requestrecord.FieldID + " = ?"
)

// storedFor is how long the outcome of a request is stored.
const storedFor = 24 * time.Hour

// A requestKey identifies a write by a signed-in user under an X-Req-Id of the
// client's own.
type requestKey struct {
	company, user, device int
	id                    string
	fingerprints          [][]byte // under each secret key, the one to store first
}

// requestKeyOf returns the key of the request; false where its outcome is not
// stored.
func (e *Executor) requestKeyOf(ctx context.Context) (requestKey, bool) {
	info, oc, v := request.From(ctx), graphql.GetOperationContext(ctx), viewer.From(ctx)
	if !info.IDGiven || !e.replayable(ctx) {
		return requestKey{}, false
	}
	sums, err := e.fingerprints(oc)
	if err != nil { // a repeat is not recognized, then
		return requestKey{}, false
	}
	return requestKey{v.CompanyID, v.Principal(), v.DeviceID, info.ID, sums}, true
}

// dedupe makes a retry safe: within the transaction of a write, the row of the
// request is the first insert, so that a second request waits for the first and then
// replays its outcome. An Idempotency-Key takes precedence over the X-Req-Id.
func (e *Executor) dedupe(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
	if k := claimFrom(ctx); k != nil {
		return e.storeOutcome(ctx, k, next)
	}
	q, ok := e.requestKeyOf(ctx)
	if !ok {
		return next(ctx)
	}
	row, repeat, err := e.record(viewer.System(ctx), q)
	if err != nil {
		return &graphql.Response{Errors: gqlerror.List{e.present(ctx, err)}}
	}
	if repeat {
		return replay(ctx, row.Outcome)
	}
	resp := next(ctx)
	if resp == nil || len(resp.Errors) > 0 {
		return resp // the row is rolled back with the transaction
	}
	if _, err = ent.FromContext(ctx).ExecContext(ctx, updateRecord, string(resp.Data), e.Now(), row.ID); err != nil {
		return &graphql.Response{Errors: gqlerror.List{e.present(ctx, err)}}
	}
	return resp
}

// record inserts the row of a request, or returns the row of its first attempt;
// repeat says that the stored outcome is the answer.
func (e *Executor) record(ctx context.Context, q requestKey) (row *ent.RequestRecord, repeat bool, err error) {
	made, err := ent.FromContext(ctx).ExecContext(ctx, insertRecord,
		q.company, q.user, q.device, q.id, q.fingerprints[0], e.Now())
	if err == nil {
		id, err := made.LastInsertId()
		if err != nil || len(q.fingerprints) == 1 {
			return &ent.RequestRecord{ID: int(id)}, false, err
		}
		return e.recordedOnce(ctx, q, int(id))
	}
	if !sqlgraph.IsConstraintError(err) {
		return nil, false, err
	}
	row, err = e.recorded(ctx, q)
	if err != nil {
		return nil, false, err
	}
	repeat, err = e.current(ctx, row)
	return row, repeat, err
}

// recordedOnce is record's answer after it inserted a row under the newest secret key: the
// row of a first attempt under an older one takes the place of that.
func (e *Executor) recordedOnce(ctx context.Context, q requestKey, made int) (*ent.RequestRecord, bool, error) {
	db := ent.FromContext(ctx).RequestRecord
	older, err := db.Query().Where(requestrecord.UserID(q.user), requestrecord.RequestID(q.id),
		requestrecord.FingerprintIn(q.fingerprints[1:]...)).First(ctx)
	if ent.IsNotFound(err) {
		return &ent.RequestRecord{ID: made}, false, nil
	}
	if err == nil {
		_, err = db.Delete().Where(requestrecord.ID(made)).Exec(ctx)
	}
	if err != nil {
		return nil, false, err
	}
	repeat, err := e.current(ctx, older)
	return older, repeat, err
}

func (e *Executor) recorded(ctx context.Context, q requestKey) (*ent.RequestRecord, error) {
	return ent.FromContext(ctx).RequestRecord.Query().
		Where(requestrecord.UserID(q.user), requestrecord.RequestID(q.id), requestrecord.FingerprintIn(q.fingerprints...)).
		Order(ent.Desc(requestrecord.FieldID)).First(ctx)
}

// current reports whether a record holds an outcome that is still the answer: it is
// at most storedFor old, and its id names this request alone. An id that the device
// has also sent with another operation or body is a constant, and identifies nothing.
func (e *Executor) current(ctx context.Context, row *ent.RequestRecord) (bool, error) {
	if row.Outcome == "" || e.Now().Sub(row.CreatedAt) > storedFor {
		return false, nil
	}
	constant, err := ent.FromContext(ctx).RequestRecord.Query().
		Where(requestrecord.DeviceID(row.DeviceID), requestrecord.RequestID(row.RequestID), requestrecord.IDNEQ(row.ID)).Exist(ctx)
	return !constant, err
}

// replay returns a stored outcome as the answer.
func replay(ctx context.Context, outcome string) *graphql.Response {
	request.From(ctx).Reply.Set("Idempotent-Replayed", "true")
	return &graphql.Response{Data: json.RawMessage(outcome)}
}

// lookupOutcome finds out, after a commit that may have taken place or not, whether
// it did: then it returns the outcome. Where it did not, the request may run again:
// there is no record, one without an outcome, or one from before the request began.
// It returns nil and false for a request that stores nothing.
func (e *Executor) lookupOutcome(ctx context.Context, began time.Time) (resp *graphql.Response, again bool) {
	if k := claimFrom(ctx); k != nil {
		resp, err := e.outcomeOf(ctx, k)
		return resp, resp == nil && err == nil
	}
	q, ok := e.requestKeyOf(ctx)
	if !ok {
		return nil, false
	}
	row, err := e.recorded(viewer.System(ent.NewContext(ctx, e.DB)), q)
	switch {
	case ent.IsNotFound(err):
		return nil, true
	case err != nil:
		return nil, false
	case row.Outcome == "" || row.CreatedAt.Before(began):
		return nil, true
	}
	return &graphql.Response{Data: json.RawMessage(row.Outcome)}, false
}
