package graph

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"entgo.io/ent/dialect/sql/sqlgraph"
	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"workforce/ent"
	"workforce/ent/attendance"
	"workforce/ent/requestrecord"
	"workforce/internal/request"
	"workforce/internal/viewer"
)

// remembered is how long the outcome of a request is kept.
const remembered = 24 * time.Hour

// neverRemembered lists the mutations whose answers hold secrets or must be
// judged each time, beside those that run without a transaction.
var neverRemembered = append(slices.Clone(withoutTransaction), "registerDevice", "logout", "accessToken")

// A repeatable is a request that may be recognized when it is sent again: one
// write of a known user under an id of the client's own.
type repeatable struct {
	company, user, device int
	id                    string
	fingerprint           []byte
}

type subjectKey struct{}

// A subject is what a request opened, noted by its resolver.
type subject struct{ attendance *int }

// opened notes the attendance that a clock-in opened: its answer is repeated
// only as long as that is open.
func opened(ctx context.Context, attendanceID int) {
	if s, ok := ctx.Value(subjectKey{}).(*subject); ok {
		s.attendance = &attendanceID
	}
}

// repeatableOf returns the request of ctx if its outcome is to be remembered.
func (r *Resolver) repeatableOf(ctx context.Context) (repeatable, bool) {
	info, oc, v := request.From(ctx), graphql.GetOperationContext(ctx), viewer.From(ctx)
	if !info.IDGiven || !memorable(ctx) || len(rootFields(oc.Operation.SelectionSet)) != 1 {
		return repeatable{}, false
	}
	sum, err := r.fingerprint(oc)
	if err != nil { // not to be recognized, then
		return repeatable{}, false
	}
	return repeatable{v.CompanyID, v.UserID, v.DeviceID, info.ID, sum}, true
}

// remember makes a retry safe: within the transaction of a write, the row of
// the request is the first insert, so that a second request waits for the first
// and then repeats its outcome. An Idempotency-Key goes before the request's id.
func (r *Resolver) remember(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
	if k := keyedFrom(ctx); k != nil {
		return r.keep(ctx, k, next)
	}
	q, ok := r.repeatableOf(ctx)
	if !ok {
		return next(ctx)
	}
	row, repeat, err := r.record(viewer.System(ctx), q)
	if err != nil {
		return &graphql.Response{Errors: gqlerror.List{r.present(ctx, err)}}
	}
	if repeat {
		return replay(ctx, row.Outcome)
	}
	s := &subject{}
	resp := next(context.WithValue(ctx, subjectKey{}, s))
	if resp == nil || len(resp.Errors) > 0 {
		return resp // and the row goes with the transaction
	}
	_, err = ent.FromContext(ctx).ExecContext(ctx, "UPDATE request_records SET outcome = ?, attendance_id = ?, created_at = ? WHERE id = ?",
		string(resp.Data), s.attendance, r.Now(), row.ID)
	if err != nil {
		return &graphql.Response{Errors: gqlerror.List{r.present(ctx, err)}}
	}
	return resp
}

// record writes the row of a request, or finds the one it left before; repeat
// says that its outcome is the answer.
func (r *Resolver) record(ctx context.Context, q repeatable) (row *ent.RequestRecord, repeat bool, err error) {
	made, err := ent.FromContext(ctx).ExecContext(ctx, `
INSERT INTO request_records (company_id, user_id, device_id, request_id, fingerprint, outcome, created_at) VALUES (?, ?, ?, ?, ?, '', ?)`,
		q.company, q.user, q.device, q.id, q.fingerprint, r.Now())
	if err == nil {
		id, err := made.LastInsertId()
		return &ent.RequestRecord{ID: int(id)}, false, err
	}
	if !sqlgraph.IsConstraintError(err) {
		return nil, false, err
	}
	row, err = r.recorded(ctx, q)
	if err != nil {
		return nil, false, err
	}
	repeat, err = r.holds(ctx, row)
	return row, repeat, err
}

func (r *Resolver) recorded(ctx context.Context, q repeatable) (*ent.RequestRecord, error) {
	return ent.FromContext(ctx).RequestRecord.Query().
		Where(requestrecord.UserID(q.user), requestrecord.RequestID(q.id), requestrecord.Fingerprint(q.fingerprint)).Only(ctx)
}

// holds reports whether the outcome of an earlier request is still the answer:
// it is young enough, the attendance that it opened is open, and its id names
// this request alone. An id that the device has also sent with another
// operation or body is a constant, and tells nothing.
func (r *Resolver) holds(ctx context.Context, row *ent.RequestRecord) (bool, error) {
	if r.Now().Sub(row.CreatedAt) > remembered {
		return false, nil
	}
	db := ent.FromContext(ctx)
	if row.AttendanceID != nil {
		open, err := db.Attendance.Query().
			Where(attendance.ID(*row.AttendanceID), attendance.OpenMarkerNotNil()).Exist(ctx)
		if err != nil || !open {
			return false, err
		}
	}
	constant, err := db.RequestRecord.Query().
		Where(requestrecord.DeviceID(row.DeviceID), requestrecord.RequestID(row.RequestID), requestrecord.IDNEQ(row.ID)).Exist(ctx)
	return !constant, err
}

// replay answers with the outcome of an earlier request.
func replay(ctx context.Context, outcome string) *graphql.Response {
	request.From(ctx).Reply.Set("Idempotent-Replayed", "true")
	return &graphql.Response{Data: json.RawMessage(outcome)}
}

// recall looks up, after the answer to a commit was lost, whether it took place:
// then it returns the outcome. Where it did not, the request may run again: there
// is no record, or one from before it began. A request that leaves no record
// leaves both open.
func (r *Resolver) recall(ctx context.Context, began time.Time) (resp *graphql.Response, again bool) {
	if k := keyedFrom(ctx); k != nil {
		resp, err := r.outcomeOf(ctx, k)
		return resp, resp == nil && err == nil
	}
	q, ok := r.repeatableOf(ctx)
	if !ok {
		return nil, false
	}
	row, err := r.recorded(viewer.System(ent.NewContext(ctx, r.DB)), q)
	switch {
	case ent.IsNotFound(err):
		return nil, true
	case err != nil:
		return nil, false
	case row.CreatedAt.Before(began):
		return nil, true
	}
	return &graphql.Response{Data: json.RawMessage(row.Outcome)}, false
}
