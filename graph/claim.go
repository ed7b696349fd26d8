package graph

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"slices"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"workforce/ent"
	"workforce/ent/idempotencyclaim"
	"workforce/ent/predicate"
	"workforce/internal/database"
	"workforce/internal/errs"
	"workforce/internal/graphqlhttp"
	"workforce/internal/request"
	"workforce/internal/viewer"
)

// claimLease is how long a claim keeps other requests away: well beyond the
// time that a request has. One that died holds its key that long.
const claimLease = 2 * graphqlhttp.DefaultTimeout

// releaseTime is how long a refused request may take to give its key back.
const releaseTime = 2 * time.Second

// A keyed is a mutation under an Idempotency-Key. Unlike X-Req-Id, the key
// covers the operation as a whole, whatever the number of its fields.
type keyed struct {
	company, user int
	key           string
	fingerprint   []byte
	holder        []byte // names this one request among those with the key
}

type keyedKey struct{}

// keyedFrom returns the claim under which the operation runs; nil for none.
func keyedFrom(ctx context.Context) *keyed {
	k, _ := ctx.Value(keyedKey{}).(*keyed)
	return k
}

// memorable reports whether the operation is one whose outcome may be
// remembered: a mutation by a known user, with no field that never is.
func memorable(ctx context.Context) bool {
	op := graphql.GetOperationContext(ctx).Operation
	if op == nil || op.Operation != ast.Mutation || viewer.From(ctx).UserID == 0 {
		return false
	}
	return !slices.ContainsFunc(rootFields(op.SelectionSet), func(f *ast.Field) bool {
		return slices.Contains(neverRemembered, f.Name)
	})
}

// keyedOf returns the request of ctx if its Idempotency-Key counts, else nil. A
// key that cannot be read is VALIDATION_FAILED.
func (r *Resolver) keyedOf(ctx context.Context) (*keyed, error) {
	if !memorable(ctx) {
		return nil, nil
	}
	key, err := request.IdempotencyKey(request.From(ctx).Header)
	if err != nil || key == "" {
		return nil, err
	}
	sum, err := r.fingerprint(graphql.GetOperationContext(ctx))
	if err != nil {
		return nil, err
	}
	holder := make([]byte, 32)
	_, _ = rand.Read(holder) // never fails
	v := viewer.From(ctx)
	return &keyed{v.CompanyID, v.UserID, key, sum, holder}, nil
}

// claimKey runs a mutation under its Idempotency-Key, if it has one: the claim
// is committed before the mutation begins, the outcome with its effect, and a
// refusal gives the key back.
func (r *Resolver) claimKey(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	k, err := r.keyedOf(ctx)
	if err != nil {
		return r.failed(ctx, err)
	}
	if k == nil {
		return next(ctx)
	}
	ctx = context.WithValue(ctx, keyedKey{}, k)
	handle := next(ctx)
	return single(func(inner context.Context) *graphql.Response {
		resp := r.underKey(inner, k, handle)
		if resp != nil {
			retryLater(ctx, resp.Errors)
		}
		return resp
	})
}

// underKey takes the key and runs the mutation, or repeats its outcome.
func (r *Resolver) underKey(ctx context.Context, k *keyed, handle graphql.ResponseHandler) *graphql.Response {
	outcome, err := r.takeKey(ctx, k)
	switch {
	case err != nil:
		if database.Away(err) { // the claim may have been kept
			r.releaseKey(ctx, k)
		}
		return &graphql.Response{Errors: gqlerror.List{r.present(ctx, err)}}
	case outcome != nil:
		return replay(ctx, *outcome)
	}
	resp := handle(ctx)
	if resp != nil && len(resp.Errors) == 0 {
		return resp
	}
	if kept := r.releaseKey(ctx, k); kept != nil {
		return kept
	}
	return resp
}

// takeKey commits the claim of a request. It returns the outcome of an earlier
// one instead, if there is any: of the same request, at most a day old. It fails
// with IDEMPOTENCY_MISMATCH where the key named another request, and with
// IDEMPOTENCY_IN_PROGRESS while the first still runs.
func (r *Resolver) takeKey(ctx context.Context, k *keyed) (outcome *string, err error) {
	err = r.inTx(viewer.System(ctx), func(ctx context.Context) error {
		db, now := ent.FromContext(ctx).IdempotencyClaim, r.Now()
		row, err := db.Query().Where(idempotencyclaim.UserID(k.user), idempotencyclaim.Key(k.key)).Only(ctx)
		switch {
		case ent.IsNotFound(err):
			return k.insert(ctx, now)
		case err != nil:
			return err
		case now.Sub(row.CreatedAt) > remembered:
			if _, err := db.Delete().Where(idempotencyclaim.ID(row.ID)).Exec(ctx); err != nil {
				return err
			}
			return k.insert(ctx, now)
		case !bytes.Equal(row.Fingerprint, k.fingerprint):
			return errs.New(errs.IdempotencyMismatch, nil)
		case row.Outcome != nil:
			outcome = row.Outcome
			return nil
		case now.Before(row.LeaseUntil):
			return errs.New(errs.IdempotencyInProgress, nil)
		}
		return k.takeOver(ctx, row, now)
	})
	return outcome, err
}

// insert makes the claim. Where another request did so in the meantime, that
// one runs.
func (k *keyed) insert(ctx context.Context, now time.Time) error {
	err := ent.FromContext(ctx).IdempotencyClaim.Create().
		SetCompanyID(k.company).SetUserID(k.user).SetKey(k.key).SetFingerprint(k.fingerprint).
		SetHolder(k.holder).SetLeaseUntil(now.Add(claimLease)).SetCreatedAt(now).Exec(ctx)
	if ent.IsConstraintError(err) {
		return &errs.Error{Code: errs.IdempotencyInProgress, Err: err}
	}
	return err
}

// takeOver takes the claim from a request that died, or came to nothing in its
// time: should that one go on after all, its effect is undone with the outcome
// that it cannot write any more.
func (k *keyed) takeOver(ctx context.Context, row *ent.IdempotencyClaim, now time.Time) error {
	n, err := ent.FromContext(ctx).IdempotencyClaim.Update().
		Where(idempotencyclaim.ID(row.ID), idempotencyclaim.Holder(row.Holder), idempotencyclaim.OutcomeIsNil()).
		SetHolder(k.holder).SetLeaseUntil(now.Add(claimLease)).Save(ctx)
	if err == nil && n == 0 {
		err = errs.New(errs.IdempotencyInProgress, nil)
	}
	return err
}

// held finds the claim while this request has it.
func (k *keyed) held() predicate.IdempotencyClaim {
	return idempotencyclaim.And(idempotencyclaim.UserID(k.user), idempotencyclaim.Key(k.key), idempotencyclaim.Holder(k.holder))
}

// keep runs the mutation and writes its outcome in the same transaction. What
// lost its claim to another request is undone.
func (r *Resolver) keep(ctx context.Context, k *keyed, next graphql.ResponseHandler) *graphql.Response {
	resp := next(ctx)
	if resp == nil || len(resp.Errors) > 0 {
		return resp
	}
	n, err := ent.FromContext(ctx).IdempotencyClaim.Update().Where(k.held(), idempotencyclaim.OutcomeIsNil()).
		SetOutcome(string(resp.Data)).SetCreatedAt(r.Now()).Save(viewer.System(ctx))
	if err == nil && n == 0 {
		err = errs.New(errs.IdempotencyInProgress, nil)
	}
	if err != nil {
		return &graphql.Response{Errors: gqlerror.List{r.present(ctx, err)}}
	}
	return resp
}

// releaseKey gives the key back after a refusal, even if the client is gone. If
// the effect took place after all, its outcome is the answer. If the database
// cannot be asked, the lease ends the claim.
func (r *Resolver) releaseKey(ctx context.Context, k *keyed) *graphql.Response {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTime)
	defer cancel()
	var released int
	err := r.inTx(viewer.System(ctx), func(ctx context.Context) (err error) {
		released, err = ent.FromContext(ctx).IdempotencyClaim.Delete().Where(k.held(), idempotencyclaim.OutcomeIsNil()).Exec(ctx)
		return err
	})
	if err == nil && released > 0 {
		return nil
	}
	kept, _ := r.outcomeOf(ctx, k)
	return kept
}

// outcomeOf returns the outcome that this very request wrote; nil for none.
func (r *Resolver) outcomeOf(ctx context.Context, k *keyed) (*graphql.Response, error) {
	row, err := r.DB.IdempotencyClaim.Query().Where(k.held(), idempotencyclaim.OutcomeNotNil()).Only(viewer.System(ctx))
	if ent.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &graphql.Response{Data: json.RawMessage(*row.Outcome)}, nil
}

// retryLater has the answer say when to come back, at either door.
func retryLater(ctx context.Context, list gqlerror.List) {
	for _, g := range list {
		if errs.Is(g, errs.IdempotencyInProgress) {
			request.ErrorHeaders(request.From(ctx).Reply, errs.As(g))
		}
	}
}
