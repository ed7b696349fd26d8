package privacy

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"workforce/ent"
	"workforce/ent/auditevent"
	"workforce/ent/device"
	"workforce/ent/devicetrust"
	"workforce/ent/idempotencyclaim"
	"workforce/ent/requestrecord"
	"workforce/ent/session"
	"workforce/ent/user"
	"workforce/internal/app/job"
)

// erasing is the kind of the jobs that finish erasures.
const erasing = "erasure"

// An erasure is the payload of a job.
type erasure struct {
	User    int
	Settled bool // whether no request runs any more that ran at the time of the erasure
}

// Erasing finishes the erasure of a person.
func (s *Service) Erasing() job.Kind {
	return job.Kind{Name: erasing, Attempts: 20, Run: func(ctx context.Context, r *job.Run) error {
		var payload erasure
		if err := r.Payload(&payload); err != nil {
			return err
		}
		e := eraser{Service: s, company: r.Company, user: payload.User, settled: payload.Settled, commit: r.Commit}
		return e.run(ctx)
	}}
}

// An eraser erases one person.
type eraser struct {
	*Service
	company, user int
	settled       bool                                                     // as in erasure
	commit        func(context.Context, func(context.Context) error) error // runs a step in a transaction
}

// chunk is how many rows one transaction changes.
const chunk = 500

// run erases the audit of the person's rows first, which finds them by the rows, then
// the rows; of these tokens before sessions, and devices while it is known whose they were.
func (e *eraser) run(ctx context.Context) error {
	err := e.commit(ctx, func(ctx context.Context) error { return e.eraseFirst(ctx, e.company, e.user) })
	if err != nil {
		return err
	}
	steps := []func(context.Context) error{e.audit, e.empty, e.tokens, e.devices, e.rows}
	if e.settled {
		steps = append(steps, e.answers)
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// answered is how long an answer is remembered at least, for a client that lost it.
const answered = 5 * time.Minute

// answers forgets the answers that the company's people may have repeated, any of which
// may name the person: which ones do, nobody can tell once the name is gone. A request
// that is repeated later runs again.
func (e *eraser) answers(ctx context.Context) error {
	before := e.Now().Add(-answered)
	for _, forget := range []func(context.Context, *ent.Client) (int, error){
		func(ctx context.Context, db *ent.Client) (int, error) {
			ids, err := db.RequestRecord.Query().Where(requestrecord.CompanyID(e.company), requestrecord.CreatedAtLT(before)).Limit(chunk).IDs(ctx)
			if err != nil {
				return 0, err
			}
			return db.RequestRecord.Delete().Where(requestrecord.IDIn(ids...)).Exec(ctx)
		},
		func(ctx context.Context, db *ent.Client) (int, error) {
			ids, err := db.IdempotencyClaim.Query().Where(idempotencyclaim.CompanyID(e.company), idempotencyclaim.CreatedAtLT(before)).Limit(chunk).IDs(ctx)
			if err != nil {
				return 0, err
			}
			return db.IdempotencyClaim.Delete().Where(idempotencyclaim.IDIn(ids...)).Exec(ctx)
		},
	} {
		for n := chunk; n == chunk; {
			err := e.commit(ctx, func(ctx context.Context) (err error) {
				n, err = forget(ctx, ent.FromContext(ctx))
				return err
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// audit takes the personal columns out of the events of the person's rows, of those that
// are not there any more too, and where they came from out of those that nobody signed in
// did to the person.
func (e *eraser) audit(ctx context.Context) error {
	for _, p := range ent.Personals {
		if len(p.Columns) == 0 || p.Table == auditevent.Table {
			continue
		}
		about, args := rowsOf(p, e.user)
		if err := e.blank(ctx, p, "subject_id IN (SELECT id FROM `"+p.Table+"` WHERE "+about+")", args); err != nil {
			return err
		}
		gone, err := e.gone(ctx, p)
		if err != nil {
			return err
		}
		for ids := range slices.Chunk(gone, chunk) {
			if err := e.blank(ctx, p, "subject_id IN ("+marks(ids)+")", ids); err != nil {
				return err
			}
		}
	}
	return e.update(ctx, auditevent.Table, "company_id = ? AND subject_type = ? AND subject_id = ? AND actor_id IS NULL",
		[]any{e.company, ent.TypeUser, e.user}, "`address` = '', `request_id` = ''", nil)
}

// blank takes the personal columns of a table out of the events for whose rows a condition
// holds.
func (e *eraser) blank(ctx context.Context, p ent.Personal, which string, args []any) error {
	paths := make([]any, len(p.Columns))
	for i, column := range p.Columns {
		paths[i] = "$." + column
	}
	remove := "JSON_REMOVE(`%s`" + strings.Repeat(", ?", len(paths)) + ")"
	set := "`before` = " + fmt.Sprintf(remove, "before") + ", `after` = " + fmt.Sprintf(remove, "after")
	return e.update(ctx, auditevent.Table, "company_id = ? AND subject_type = ? AND "+which, append([]any{e.company, p.Entity}, args...), set, append(paths, paths...))
}

// gone returns the ids of rows about the person that were deleted before, as the audit
// tells.
func (e *eraser) gone(ctx context.Context, p ent.Personal) ([]any, error) {
	name := ent.Facts[p.Entity].Audited
	if name == "" || p.Of != user.Table {
		return nil, nil
	}
	return e.numbers(ctx, auditevent.Table,
		"SELECT subject_id FROM audit_events WHERE company_id = ? AND subject_type = ? AND action = ? AND JSON_EXTRACT(`before`, ?) = ?",
		e.company, p.Entity, name+".deleted", "$."+p.By, e.user)
}

// empty empties the personal columns of the rows that stay.
func (e *eraser) empty(ctx context.Context) error {
	for _, p := range ent.Personals {
		if p.Erased || len(p.Columns) == 0 || p.Table == user.Table {
			continue
		}
		condition, args := rowsOf(p, e.user)
		set := "`" + strings.Join(p.Columns, "` = ?, `") + "` = ?"
		if err := e.update(ctx, p.Table, condition, args, set, p.Empty); err != nil {
			return err
		}
	}
	return nil
}

// tokens deletes what goes with the person's sessions.
func (e *eraser) tokens(ctx context.Context) error {
	return e.remove(ctx, func(p ent.Personal) bool { return p.Of == session.Table })
}

// rows deletes what goes with the person but for the rows of the directory, which have
// gone already.
func (e *eraser) rows(ctx context.Context) error {
	return e.remove(ctx, func(p ent.Personal) bool { return p.Of == user.Table && !ent.Facts[p.Entity].Directory })
}

// remove deletes the rows of some tables.
func (e *eraser) remove(ctx context.Context, which func(ent.Personal) bool) error {
	for _, p := range ent.Personals {
		if !p.Erased || !which(p) {
			continue
		}
		condition, args := rowsOf(p, e.user)
		err := e.each(ctx, p.Table, condition, args, func(ctx context.Context, ids []any) error {
			_, err := ent.FromContext(ctx).ExecContext(ctx, "DELETE FROM `"+p.Table+"` WHERE id IN ("+marks(ids)+")", ids...)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// devices deletes the devices that only this person used, with their sessions. One that
// somebody signs in on meanwhile stays.
func (e *eraser) devices(ctx context.Context) error {
	condition, args := rowsOf(personalOf(ent.TypeDevice), e.user)
	ids, err := e.ids(ctx, device.Table, condition, args, 0, -1)
	for _, id := range ids {
		err = e.commit(ctx, func(ctx context.Context) error { return e.device(ctx, id.(int)) })
		if err != nil && !ent.IsConstraintError(err) {
			return err
		}
		err = nil
	}
	return err
}

// device deletes a device of the person, in a transaction.
func (e *eraser) device(ctx context.Context, id int) error {
	db := ent.FromContext(ctx)
	for _, p := range ent.Personals {
		if p.Of == device.Table && p.Table != device.Table {
			if _, err := db.ExecContext(ctx, "DELETE FROM `"+p.Table+"` WHERE `"+p.By+"` = ?", id); err != nil {
				return err
			}
		}
	}
	if _, err := db.Session.Delete().Where(session.UserID(e.user), session.DeviceID(id)).Exec(ctx); err != nil {
		return err
	}
	if _, err := db.DeviceTrust.Delete().Where(devicetrust.UserID(e.user), devicetrust.DeviceID(id)).Exec(ctx); err != nil {
		return err
	}
	_, err := db.Device.Delete().Where(device.ID(id)).Exec(ctx)
	return err
}

// update changes the rows of a table for which a condition holds.
func (e *eraser) update(ctx context.Context, table, condition string, args []any, set string, values []any) error {
	return e.each(ctx, table, condition, args, func(ctx context.Context, ids []any) error {
		_, err := ent.FromContext(ctx).ExecContext(ctx, "UPDATE `"+table+"` SET "+set+" WHERE id IN ("+marks(ids)+")",
			append(append([]any{}, values...), ids...)...)
		return err
	})
}

// each calls step, in a transaction, for each chunk of the rows of a table for which a
// condition holds.
func (e *eraser) each(ctx context.Context, table, condition string, args []any, step func(ctx context.Context, ids []any) error) error {
	for last := any(0); ; {
		ids, err := e.ids(ctx, table, condition, args, last, chunk)
		if err != nil || len(ids) == 0 {
			return err
		}
		if err := e.commit(ctx, func(ctx context.Context) error { return step(ctx, ids) }); err != nil {
			return fmt.Errorf("%s: %w", table, err)
		}
		last = ids[len(ids)-1]
	}
}

// ids returns the ids, after last, of the rows of a table for which a condition holds;
// at most limit, or all where that is negative.
func (e *eraser) ids(ctx context.Context, table, condition string, args []any, last any, limit int) ([]any, error) {
	text := "SELECT id FROM `" + table + "` WHERE " + condition + " AND id > ? ORDER BY id"
	if limit >= 0 {
		text += fmt.Sprint(" LIMIT ", limit)
	}
	return e.numbers(ctx, table, text, append(append([]any{}, args...), last)...)
}

// numbers returns the numbers of a column that a query of a table selects.
func (e *eraser) numbers(ctx context.Context, table, text string, args ...any) (list []any, err error) {
	rows, err := e.DB.QueryContext(ctx, text, args...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", table, err)
	}
	defer func() { _ = rows.Close() }() // Err tells more
	for rows.Next() {
		var n int
		if err := rows.Scan(&n); err != nil {
			return nil, err
		}
		list = append(list, n)
	}
	return list, rows.Err()
}

// rowsOf returns the condition that a row is about a person, with its arguments.
func rowsOf(p ent.Personal, id int) (string, []any) {
	column := "`" + p.Table + "`.`" + p.By + "`"
	switch p.Of {
	case session.Table:
		return column + " IN (SELECT id FROM sessions WHERE user_id = ?)", []any{id}
	case device.Table: // that only this person used
		return column + " IN (SELECT device_id FROM sessions WHERE user_id = ? UNION SELECT device_id FROM device_trusts WHERE user_id = ?)" +
				" AND NOT EXISTS (SELECT 1 FROM sessions AS theirs WHERE theirs.device_id = " + column + " AND theirs.user_id <> ?)" +
				" AND NOT EXISTS (SELECT 1 FROM device_trusts AS theirs WHERE theirs.device_id = " + column + " AND theirs.user_id <> ?)",
			[]any{id, id, id, id}
	}
	return column + " = ?", []any{id}
}

// marks returns a mark for each argument.
func marks(args []any) string { return strings.TrimPrefix(strings.Repeat(", ?", len(args)), ", ") }
