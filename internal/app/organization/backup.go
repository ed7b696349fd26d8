package organization

import (
	"context"
	"time"

	"entgo.io/ent/dialect/sql"

	"workforce/ent"
	"workforce/ent/predicate"
	entSetting "workforce/ent/setting"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// lastBackup names the setting of the installation that holds the instant of the last backup,
// RFC 3339, UTC.
const lastBackup = "last-backup"

// LastBackup returns the instant of the last backup of the installation; nil before the first, and for
// whoever lacks company.write.all.
func LastBackup(ctx context.Context, db *ent.Client) (_ *time.Time, err error) {
	defer errs.Step(&err, "organization: last backup")
	if me := viewer.From(ctx); !me.IsSystem() && me.Scope("company", "write") < viewer.All {
		return nil, nil
	}
	row, err := db.Setting.Query().Where(entSetting.Name(lastBackup)).Only(viewer.System(ctx))
	if ent.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	at, err := time.Parse(time.RFC3339, row.Value)
	return &at, err
}

// Backed records that there is a backup of an instant. One that is older than the last changes
// nothing.
func Backed(ctx context.Context, db *ent.Client, instant time.Time) (err error) {
	defer errs.Step(&err, "organization: record a backup")
	ctx = viewer.System(ctx)
	value := instant.UTC().Format(time.RFC3339)
	isBefore := predicate.Setting(sql.FieldLT(entSetting.FieldValue, value))
	n, err := db.Setting.Update().Where(entSetting.Name(lastBackup), isBefore).SetValue(value).Save(ctx)
	if err != nil || n > 0 {
		return err
	}
	err = db.Setting.Create().SetName(lastBackup).SetValue(value).Exec(ctx)
	if ent.IsConstraintError(err) { // there is a newer one
		return nil
	}
	return err
}
