package tx

import (
	"context"
	"errors"
	"slices"

	"entgo.io/ent/privacy"

	"workforce/ent"
	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/database"
	"workforce/internal/errs"
)

// MaxNote is how many characters a reason or a note has, MaxItems how many rows a bulk verb has.
const (
	MaxNote  = 250
	MaxItems = 100
)

// Each runs step for each of some rows, once and in the order of their ids, and answers for each
// as the list has them. What a step that is refused wrote is taken back, the others stay. ctx has
// a transaction. VALIDATION_FAILED on ids or note.
func Each(
	ctx context.Context, ids []int, note *string, step func(ctx context.Context, id int) error,
) ([]*model.Decided, error) {
	return EachOf(ctx, ids, note, func(context.Context, []int) error { return nil }, step)
}

// EachOf is Each where begin prepares all steps: it gets the ids, once and in order, and ends all if
// it fails.
func EachOf(
	ctx context.Context, ids []int, note *string,
	begin func(ctx context.Context, ids []int) error, step func(ctx context.Context, id int) error,
) ([]*model.Decided, error) {
	var faults errs.Faults
	input.Line(&faults, "note", note, MaxNote)
	switch n := len(ids); {
	case n == 0:
		faults.Add("ids", errs.Required, nil)
	case n > MaxItems:
		faults.Add("ids", errs.TooMany, errs.Meta{"max": MaxItems})
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	sorted, codes := slices.Compact(slices.Sorted(slices.Values(ids))), map[int]*string{}
	if err := begin(ctx, sorted); err != nil {
		return nil, err
	}
	for _, id := range sorted {
		err := savepoint(ctx, func() error { return step(ctx, id) })
		if err == nil {
			continue
		}
		code := refusal(err)
		if code == errs.Internal {
			return nil, err
		}
		codes[id] = new(code.String())
	}
	out := make([]*model.Decided, len(ids))
	for i, id := range ids {
		out[i] = &model.Decided{ID: id, Code: codes[id]}
	}
	return out, nil
}

// savepoint runs a part of the transaction of ctx, and takes back what it wrote where it fails.
func savepoint(ctx context.Context, step func() error) error {
	db := ent.FromContext(ctx)
	if _, err := db.ExecContext(ctx, "SAVEPOINT part"); err != nil {
		return err
	}
	err := step()
	if err != nil && refusal(err) == errs.Internal { // the whole transaction is rolled back
		return err
	}
	end := "RELEASE SAVEPOINT part"
	if err != nil {
		end = "ROLLBACK TO SAVEPOINT part"
	}
	if _, failed := db.ExecContext(ctx, end); failed != nil {
		return failed
	}
	return err
}

// refusal returns the code of an error that refuses a row; Internal for what ends the whole.
func refusal(err error) errs.Code {
	switch code := errs.CodeOf(err); {
	case database.Away(err), database.Retryable(err), code == errs.Unavailable:
		return errs.Internal
	case code != errs.Internal:
		return code
	case ent.IsNotFound(err):
		return errs.NotFound
	case errors.Is(err, privacy.Deny):
		return errs.Forbidden
	case ent.IsConstraintError(err):
		return errs.Conflict
	}
	return errs.Internal
}
