package entries

import (
	"context"
	"time"

	"workforce/ent"
	"workforce/ent/clockstate"
	row "workforce/ent/timeentry"
	"workforce/internal/app/rows"
)

// Starting a timer, which stops another, is written by hand: by ent it took eight statements more,
// most of them for the audit, and twice as long.

// readRunning reads the zone of the person now, and their running timers, the oldest first, without
// note, tags and position.
func (c *change) readRunning(ctx context.Context) error {
	var zone *string
	var id *int
	var e ent.TimeEntry
	q := rows.New(ctx)
	into := rows.Columns{
		rows.Read(row.FieldID, rows.Nullable(&id)), rows.Read(row.FieldTaskID, rows.Optional(&e.TaskID)),
		rows.Read(row.FieldProjectID, rows.Nullable(&e.ProjectID)), rows.Read(row.FieldCategoryID, rows.Nullable(&e.CategoryID)),
		rows.Read(row.FieldAddressID, rows.Nullable(&e.AddressID)), rows.Read(row.FieldKind, rows.Optional((*string)(&e.Kind))),
		rows.Read(row.FieldStartedAt, rows.Nullable(&e.StartedAt)), rows.Read(row.FieldSeconds, rows.Optional(&e.Seconds)),
		rows.Read(row.FieldDate, rows.Optional(&e.Date)), rows.Read(row.FieldLastDate, rows.Optional(&e.LastDate)),
		rows.Read(row.FieldTimezone, rows.Optional(&e.Timezone)), rows.Read(row.FieldSlot, rows.Nullable(&e.Slot)),
		rows.Read(row.FieldLongAt, rows.Nullable(&e.LongAt)),
	}
	q.Add("SELECT s."+clockstate.FieldTimezone+", s."+clockstate.FieldTimers+", "+into.Of("e")+" FROM "+clockstate.Table+" s LEFT JOIN "+
		row.Table+" e ON e."+row.FieldUserID+" = s."+clockstate.FieldUserID+" AND e."+row.FieldSlot+" IS NOT NULL WHERE s."+
		clockstate.FieldUserID+" = ? ORDER BY e."+row.FieldStartedAt+", e."+row.FieldID, c.user)
	all := append([]any{rows.Nullable(&zone), &c.timers}, rows.Into(into)...)
	err := q.Each(func(scan rows.Scan) error {
		e = ent.TimeEntry{CompanyID: c.me.CompanyID, UserID: c.user}
		if err := scan(all...); err != nil || id == nil {
			return err
		}
		e.ID = *id
		c.running = append(c.running, new(e))
		return nil
	})
	if zone != nil {
		c.zone = *zone
	}
	return err
}

// audited has the audit told of an entry, as it was before, nil for a new one, and as it is.
func (c *change) audited(before, after *ent.TimeEntry) {
	if c.after == nil {
		c.before, c.after = map[int]ent.Row{}, map[int]ent.Row{}
	}
	if before != nil {
		c.before[before.ID] = ent.Row{Company: c.me.CompanyID, Value: before}
	}
	c.after[after.ID] = ent.Row{Company: c.me.CompanyID, Value: after}
}

// insert writes a new entry, and sets its id.
func insert(ctx context.Context, e *ent.TimeEntry) (err error) {
	e.ID, err = rows.Insert(ctx, row.Table,
		rows.Set(row.FieldCompanyID, e.CompanyID), rows.Set(row.FieldUserID, e.UserID), rows.Set(row.FieldTaskID, e.TaskID),
		rows.Set(row.FieldProjectID, e.ProjectID), rows.Set(row.FieldCategoryID, e.CategoryID), rows.Set(row.FieldAddressID, e.AddressID),
		rows.Set(row.FieldKind, string(e.Kind)), rows.Set(row.FieldStartedAt, e.StartedAt), rows.Set(row.FieldEndedAt, e.EndedAt),
		rows.Set(row.FieldSeconds, e.Seconds), rows.Set(row.FieldDate, e.Date), rows.Set(row.FieldLastDate, e.LastDate),
		rows.Set(row.FieldTimezone, e.Timezone), rows.Set(row.FieldSlot, e.Slot), rows.Set(row.FieldNote, e.Note),
		rows.SetJSON(row.FieldTags, e.Tags), rows.Set(row.FieldLatitude, e.Latitude), rows.Set(row.FieldLongitude, e.Longitude),
		rows.Set(row.FieldCreatedAt, e.CreatedAt), rows.Set(row.FieldUpdatedAt, e.UpdatedAt))
	return err
}

// writeEnd writes that an entry has ended.
func writeEnd(ctx context.Context, e *ent.TimeEntry, now time.Time) error {
	_, err := ent.FromContext(ctx).ExecContext(ctx, "UPDATE "+row.Table+" SET "+row.FieldEndedAt+" = ?, "+row.FieldSlot+" = NULL, "+
		row.FieldSeconds+" = ?, "+row.FieldLastDate+" = ?, "+row.FieldLongAt+" = ?, "+row.FieldUpdatedAt+" = ? WHERE "+row.FieldID+" = ?",
		e.EndedAt, e.Seconds, e.LastDate, e.LongAt, now, e.ID)
	return err
}
