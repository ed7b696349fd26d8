// Package demo fills an empty database with the demo companies.
package demo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"workforce/ent"
	entSetting "workforce/ent/setting"
	"workforce/internal/app/tx"
)

// Password is the password of every demo user.
const Password = "demo-password"

// mark names the setting that marks a database which the demo filled. Its
// value is when.
const mark = "demo"

// errOtherData refuses to put the demo's people, whose password everybody knows,
// beside others.
var errOtherData = errors.New("the database holds data other than the demo's")

// Filled reports whether the database holds the demo companies. It returns an
// error if it holds other data: a company or a registered device. The context is
// the system's.
func Filled(ctx context.Context, db *ent.Client) (filled bool, err error) {
	companies, err := db.Company.Query().Exist(ctx)
	if err != nil {
		return false, err
	}
	devices, err := db.Device.Query().Exist(ctx)
	if err != nil {
		return false, err
	}
	// The mark comes last: it is committed together with the companies, so that
	// whoever saw them sees it.
	filled, err = db.Setting.Query().Where(entSetting.Name(mark)).Exist(ctx)
	if err == nil && !filled && (companies || devices) {
		return false, errOtherData
	}
	return filled, err
}

// Fill fills an empty database with the demo companies, in one transaction. It
// does nothing if they are there already, and returns an error if the database
// holds other data. The context is the system's; now is the end of the two weeks
// of attendance that are made; passwordHash is every user's, in PHC form.
func Fill(ctx context.Context, db *ent.Client, now time.Time, passwordHash string) error {
	if filled, err := Filled(ctx, db); err != nil || filled {
		return err
	}
	err := tx.With(ctx, db, func(db *ent.Client) error {
		return fillAll(ctx, db, now.UTC().Truncate(time.Microsecond), passwordHash)
	})
	if err == nil {
		return nil
	}
	if filled, _ := Filled(ctx, db); filled { // another instance was faster, or the answer to the commit was lost
		return nil
	}
	return fmt.Errorf("demo: %w", err)
}

// fillAll marks the database and fills it. The mark is a unique key, so that of
// several instances that start at once a single one fills.
func fillAll(ctx context.Context, db *ent.Client, now time.Time, passwordHash string) error {
	if err := db.Setting.Create().SetName(mark).SetValue(now.Format(time.RFC3339)).Exec(ctx); err != nil {
		return err
	}
	for _, d := range []companyData{nusantara(), tetangga()} {
		if err := d.create(ctx, db, now, passwordHash); err != nil {
			return fmt.Errorf("%s: %w", d.name, err)
		}
	}
	return nil
}
