package audit

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"workforce/ent"
	"workforce/ent/auditevent"
	"workforce/internal/audittrail"
	"workforce/internal/errs"
)

// Changes records rows of an entity that were written in bulk, without their own record:
// an event for each that differs, in the transaction of ctx. before and after are rows by
// id. Without a trail in ctx nothing is recorded.
func Changes(ctx context.Context, entity string, before, after map[int]ent.Row) (err error) {
	defer errs.Step(&err, "audit: read the changes of an event")
	trail, ok := audittrail.From(ctx)
	if !ok {
		return nil
	}
	ids := maps.Clone(before)
	if ids == nil {
		ids = map[int]ent.Row{}
	}
	maps.Copy(ids, after)
	var cells []any
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		was, is, err := audittrail.Changed(before[id].Value, after[id].Value, ent.Unaudited)
		if err != nil {
			return fmt.Errorf("audit %s %d: %w", entity, id, err)
		}
		if was == nil && is == nil {
			continue
		}
		verb := "updated"
		switch {
		case before[id].Value == nil:
			verb = "created"
		case after[id].Value == nil:
			verb = "deleted"
		}
		cells = append(cells, ids[id].Company, trail.Actor(), trail.Key(), ent.Facts[entity].Audited+"."+verb, entity, id,
			trail.Now(), trail.Address, trail.RequestID, was, is)
	}
	const marks, columns, most = ", (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", 11, 2000 // SQLite takes 32,766 values
	for part := range slices.Chunk(cells, most*columns) {
		_, err := ent.FromContext(ctx).ExecContext(ctx, insert+strings.Repeat(marks, len(part)/columns)[2:], part...)
		if err != nil {
			return err
		}
	}
	return nil
}

// insert is written by hand: a builder of ent for each event takes longer than the database.
const insert = "INSERT INTO " + auditevent.Table + " (" + auditevent.FieldCompanyID + ", " +
	auditevent.FieldActorID + ", " +
	auditevent.FieldAPIKeyID + ", " + auditevent.FieldAction + ", " + auditevent.FieldSubjectType + ", " +
	auditevent.FieldSubjectID + ", " + auditevent.FieldAt + ", " + auditevent.FieldAddress + ", " +
	auditevent.FieldRequestID + ", `" + auditevent.FieldBefore + "`, `" + auditevent.FieldAfter + "`) VALUES "
