package executor

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"entgo.io/ent/dialect/sql/sqlgraph"
	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"workforce/ent"
	"workforce/ent/idempotencyclaim"
	"workforce/ent/predicate"
	"workforce/internal/app/tx"
	"workforce/internal/database"
	"workforce/internal/errs"
	"workforce/internal/request"
	"workforce/internal/rootfield"
	"workforce/internal/viewer"
)

// releaseTime is how long a refused request may take to release its key.
const releaseTime = 2 * time.Second

// A keyClaim is the claim of a mutation on its Idempotency-Key.
type keyClaim struct {
	company, user int
	key           string
	fingerprints  [][]byte // under each secret key, the one to store first
	holder        []byte   // random, names this request
	id            int      // of the claim's row, once the request has it
}

// insertClaim is the statement that stores a claim, by dialect: ent cannot insert a
// time of the database's.
func insertClaim(dialect string) string {
	return "INSERT INTO " + idempotencyclaim.Table + " (" + strings.Join([]string{
		idempotencyclaim.FieldCompanyID, idempotencyclaim.FieldUserID, "`" + idempotencyclaim.FieldKey + "`", idempotencyclaim.FieldFingerprint,
		idempotencyclaim.FieldHolder, idempotencyclaim.FieldCreatedAt, idempotencyclaim.FieldLeaseUntil,
	}, ", ") + ") VALUES (?, ?, ?, ?, ?, ?, " + lease.End(dialect) + ")"
}

// claimFrom returns the claim under which the operation runs; nil for none.
func claimFrom(ctx context.Context) *keyClaim {
	k, _ := graphql.GetOperationContext(ctx).Stats.GetExtension(claimExtension).(*keyClaim)
	return k
}

// claimExtension and outcomeExtension are what this package keeps with an operation of gqlgen's.
const (
	claimExtension   = "idempotency claim"   // of *keyClaim
	outcomeExtension = "transaction outcome" // of *txOutcome
)

// replayable reports whether the outcome of the operation may be stored and
// replayed: a mutation of a signed-in user, without a field that never is.
func (e *Executor) replayable(ctx context.Context) bool {
	op := graphql.GetOperationContext(ctx).Operation
	if op == nil || op.Operation != ast.Mutation || viewer.From(ctx).UserID == 0 {
		return false
	}
	return !slices.ContainsFunc(e.Fields.Of(op), func(f *rootfield.Field) bool { return f.NeverRemembered })
}

// newClaim returns a claim on the request's Idempotency-Key; nil where it has none
// or the operation is not replayable. VALIDATION_FAILED for a malformed key.
func (e *Executor) newClaim(ctx context.Context) (*keyClaim, error) {
	if !e.replayable(ctx) {
		return nil, nil
	}
	key, err := request.IdempotencyKey(request.From(ctx).Header)
	if err != nil || key == "" {
		return nil, err
	}
	sums, err := e.fingerprints(graphql.GetOperationContext(ctx))
	if err != nil {
		return nil, err
	}
	holder := make([]byte, 32)
	_, _ = rand.Read(holder) // never fails
	v := viewer.From(ctx)
	return &keyClaim{company: v.CompanyID, user: v.Principal(), key: key, fingerprints: sums, holder: holder}, nil
}

// claimKey runs a mutation under its Idempotency-Key, if it has one: the claim is
// committed before the mutation begins, the outcome with its effect, and a refusal
// releases the key.
func (e *Executor) claimKey(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	k, err := e.newClaim(ctx)
	if err != nil {
		return e.failed(ctx, err)
	}
	if k == nil {
		return next(ctx)
	}
	graphql.GetOperationContext(ctx).Stats.SetExtension(claimExtension, k)
	handle := next(ctx)
	return single(func(inner context.Context) *graphql.Response {
		resp := e.runOnce(inner, k, handle)
		if resp != nil {
			setRetryAfter(ctx, resp.Errors)
		}
		return resp
	})
}

// runOnce takes the key and runs the mutation, or replays its stored outcome.
func (e *Executor) runOnce(ctx context.Context, k *keyClaim, handle graphql.ResponseHandler) *graphql.Response {
	outcome, err := e.takeKey(ctx, k)
	switch {
	case err != nil:
		if database.Away(err) || database.Retryable(err) { // the claim may have been committed
			e.releaseKey(ctx, k)
		}
		return &graphql.Response{Errors: gqlerror.List{e.present(ctx, err)}}
	case outcome != nil:
		return replay(ctx, *outcome)
	}
	defer e.leases.hold(k, e.renewLeases)()
	resp := handle(ctx)
	if resp != nil && len(resp.Errors) == 0 {
		return resp
	}
	if stored := e.releaseKey(ctx, k); stored != nil {
		return stored
	}
	return resp
}

// takeKey commits the claim of a request, or returns the stored outcome of the same
// request, at most a day old. IDEMPOTENCY_MISMATCH where the key named another
// request, IDEMPOTENCY_IN_PROGRESS while the first still runs.
func (e *Executor) takeKey(ctx context.Context, k *keyClaim) (outcome *string, err error) {
	err = tx.Run(viewer.System(ctx), e.DB, func(ctx context.Context) error {
		db, now := ent.FromContext(ctx).IdempotencyClaim, e.Now()
		row, err := db.Query().Where(idempotencyclaim.UserID(k.user), idempotencyclaim.Key(k.key)).Only(ctx)
		switch {
		case ent.IsNotFound(err):
			return e.insert(ctx, k)
		case err != nil:
			return err
		case now.Sub(row.CreatedAt) > storedFor:
			if _, err := db.Delete().Where(idempotencyclaim.ID(row.ID)).Exec(ctx); err != nil {
				return err
			}
			return e.insert(ctx, k)
		case !slices.ContainsFunc(k.fingerprints, func(sum []byte) bool { return bytes.Equal(row.Fingerprint, sum) }):
			return errs.New(errs.IdempotencyMismatch, nil)
		case row.Outcome != nil:
			outcome = row.Outcome
			return nil
		}
		return k.takeOver(ctx, row)
	})
	return outcome, err
}

// insert stores the claim. Where another request did so meanwhile, that one runs.
func (e *Executor) insert(ctx context.Context, k *keyClaim) error {
	made, err := ent.FromContext(ctx).ExecContext(ctx, insertClaim(e.Dialect),
		k.company, k.user, k.key, k.fingerprints[0], k.holder, e.Now())
	if sqlgraph.IsConstraintError(err) {
		return &errs.Error{Code: errs.IdempotencyInProgress, Err: err}
	}
	if err != nil {
		return err
	}
	id, err := made.LastInsertId()
	k.id = int(id)
	return err
}

// takeOver takes the claim of a request whose lease has ended. Should that request
// go on after all, its transaction fails with the outcome that it cannot store.
// IDEMPOTENCY_IN_PROGRESS while the lease lasts.
func (k *keyClaim) takeOver(ctx context.Context, row *ent.IdempotencyClaim) error {
	db := ent.FromContext(ctx).IdempotencyClaim
	over, err := db.Query().Where(idempotencyclaim.ID(row.ID), lease.Over).Exist(ctx) // takes no lock
	if err != nil {
		return err
	}
	n := 0
	if over {
		n, err = db.Update().
			Where(idempotencyclaim.ID(row.ID), idempotencyclaim.Holder(row.Holder), idempotencyclaim.OutcomeIsNil(), lease.Over).
			SetHolder(k.holder).Modify(lease.Renew).Save(ctx)
	}
	if err == nil && n == 0 {
		err = errs.New(errs.IdempotencyInProgress, nil)
	}
	k.id = row.ID
	return err
}

// owned matches the claim while this request has it.
func (k *keyClaim) owned() predicate.IdempotencyClaim {
	return idempotencyclaim.And(idempotencyclaim.UserID(k.user), idempotencyclaim.Key(k.key), idempotencyclaim.Holder(k.holder))
}

// storeOutcome runs the mutation and stores its outcome in the same transaction. It
// fails where another request took the claim over.
func (e *Executor) storeOutcome(ctx context.Context, k *keyClaim, next graphql.ResponseHandler) *graphql.Response {
	resp := next(ctx)
	if resp == nil || len(resp.Errors) > 0 {
		return resp
	}
	n, err := ent.FromContext(ctx).IdempotencyClaim.Update().Where(k.owned(), idempotencyclaim.OutcomeIsNil()).
		SetOutcome(string(resp.Data)).SetCreatedAt(e.Now()).Save(viewer.System(ctx))
	if err == nil && n == 0 {
		err = errs.New(errs.IdempotencyInProgress, nil)
	}
	if err != nil {
		return &graphql.Response{Errors: gqlerror.List{e.present(ctx, err)}}
	}
	return resp
}

// releaseKey deletes the claim after a refusal, even if the client is gone. Where
// the effect took place after all, it returns the stored outcome. If the database
// is away, the lease ends the claim.
func (e *Executor) releaseKey(ctx context.Context, k *keyClaim) *graphql.Response {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTime)
	defer cancel()
	var released int
	err := tx.Run(viewer.System(ctx), e.DB, func(ctx context.Context) (err error) {
		released, err = ent.FromContext(ctx).IdempotencyClaim.Delete().Where(k.owned(), idempotencyclaim.OutcomeIsNil()).Exec(ctx)
		return err
	})
	if err == nil && released > 0 {
		return nil
	}
	stored, _ := e.outcomeOf(ctx, k)
	return stored
}

// outcomeOf returns the outcome that this request stored; nil for none.
func (e *Executor) outcomeOf(ctx context.Context, k *keyClaim) (*graphql.Response, error) {
	row, err := e.DB.IdempotencyClaim.Query().Where(k.owned(), idempotencyclaim.OutcomeNotNil()).Only(viewer.System(ctx))
	if ent.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &graphql.Response{Data: json.RawMessage(*row.Outcome)}, nil
}

// setRetryAfter sets Retry-After where another request runs under the key.
func setRetryAfter(ctx context.Context, list gqlerror.List) {
	for _, g := range list {
		if errs.Is(g, errs.IdempotencyInProgress) {
			request.ErrorHeaders(request.From(ctx).Reply, errs.As(g))
		}
	}
}
