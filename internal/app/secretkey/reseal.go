package secretkey

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"workforce/ent"
	"workforce/ent/certificate"
	"workforce/ent/facegallery"
	"workforce/ent/facetemplate"
	"workforce/ent/message"
	"workforce/ent/passwordkey"
	entSetting "workforce/ent/setting"
	"workforce/internal/app/job"
	"workforce/internal/app/tx"
	"workforce/internal/sealed"
	"workforce/internal/viewer"
)

// kind names the job that seals rows anew.
const kind = "secret_key"

// batch is how many rows are sealed anew in one transaction.
const batch = 50

// A column holds texts that are sealed for a purpose. binding are the SQL expressions of
// what a row's text is bound to.
type column struct {
	table, name, purpose string
	binding              []string
}

// columns are all that the secret key sealed.
var columns = []column{
	{passwordkey.Table, passwordkey.FieldSealedPrivate, "password keys", []string{passwordkey.FieldKid}},
	{facetemplate.Table, facetemplate.FieldSealed, "faces",
		[]string{facetemplate.FieldCompanyID, facetemplate.FieldUserID}},
	{facegallery.Table, facegallery.FieldSealed, "faces",
		[]string{facegallery.FieldCompanyID, facegallery.FieldUserID, "'gallery'", facegallery.FieldVersion}},
	{certificate.Table, certificate.FieldSealed, "certificates", []string{certificate.FieldName}},
	{message.Table, message.FieldSealedText, "messages", []string{message.FieldCompanyID, message.FieldUserID}},
}

// Resealing is the job that seals anew what the key before sealed. It may be killed: the
// next run goes on with the rows that are left.
func (s *Service) Resealing() job.Kind { return job.Kind{Name: kind, Run: s.reseal} }

func (s *Service) reseal(ctx context.Context, r *job.Run) error {
	st, err := readState(ctx, s.DB)
	if err != nil || st.before == "" {
		return err
	}
	keys := s.Keys.Keys()
	i := index(keys, st.before)
	if keys[0].Fingerprint() != st.current || i < 0 { // the instance has not looked yet
		return nil
	}
	prefix, err := keys[i].Prefix()
	if err != nil {
		return err
	}
	total, err := left(ctx, s.DB, prefix)
	if err != nil {
		return err
	}
	sealed := 0
	for _, c := range columns {
		sealer := s.Keys.Sealer(c.purpose)
		for after := 0; ; {
			n, last, err := c.step(ctx, s.DB, sealer, prefix, after)
			if err != nil {
				return err
			}
			if last == 0 {
				break
			}
			after, sealed = last, sealed+n
			if err := r.Progress(ctx, sealed, total); err != nil {
				return err
			}
		}
	}
	total, err = left(ctx, s.DB, prefix)
	if err != nil || total > 0 || !st.sealed.IsZero() { // the next look asks again, or a run before was the last
		return err
	}
	return setSealed(ctx, s.DB, s.Now())
}

// setSealed records when nothing was left; zero takes it back.
func setSealed(ctx context.Context, db *ent.Client, at time.Time) error {
	return tx.Run(viewer.System(ctx), db, func(ctx context.Context) error {
		settings := ent.FromContext(ctx).Setting
		if _, err := settings.Delete().Where(entSetting.Name(done)).Exec(ctx); err != nil || at.IsZero() {
			return err
		}
		return settings.Create().SetName(done).SetValue(at.UTC().Format(time.RFC3339)).Exec(ctx)
	})
}

// A row is a sealed text with what it is bound to.
type row struct {
	id      int
	text    string
	binding []string
}

// step seals the next rows after an id anew, and returns how many and the last id; 0 for
// no row. What others changed meanwhile stays as they wrote it. A row that cannot be
// opened is left.
func (c column) step(ctx context.Context, db *ent.Client, sealer *sealed.Sealer, prefix string,
	after int) (n, last int, err error) {
	rows, err := c.rows(ctx, db, prefix, after)
	if err != nil || len(rows) == 0 {
		return 0, 0, err
	}
	err = tx.Run(ctx, db, func(ctx context.Context) error {
		n = 0
		for _, r := range rows {
			plain, err := sealer.Open(r.text, r.binding...)
			if err != nil { // of no use to anybody
				continue
			}
			text, err := sealer.Seal(plain, r.binding...)
			if err != nil {
				return err
			}
			_, err = ent.FromContext(ctx).ExecContext(ctx,
				fmt.Sprintf("UPDATE %s SET %s = ? WHERE id = ? AND %s = ?", c.table, c.name, c.name), text, r.id, r.text)
			if err != nil {
				return err
			}
			n++
		}
		return nil
	})
	return n, rows[len(rows)-1].id, err
}

// rows returns the next rows after an id that a key sealed.
func (c column) rows(ctx context.Context, db *ent.Client, prefix string, after int) (list []row, err error) {
	query := fmt.Sprintf("SELECT id, %s, %s FROM %s WHERE id > ? AND %s LIKE ? ORDER BY id LIMIT %d",
		c.name, strings.Join(c.binding, ", "), c.table, c.name, batch)
	found, err := db.QueryContext(ctx, query, after, prefix+"%")
	if err != nil {
		return nil, err
	}
	defer found.Close()
	for found.Next() {
		r := row{binding: make([]string, len(c.binding))}
		cells := []any{&r.id, &r.text}
		for i := range r.binding {
			cells = append(cells, &r.binding[i])
		}
		if err := found.Scan(cells...); err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, found.Err()
}

// left returns how many rows a key sealed.
func left(ctx context.Context, db *ent.Client, prefix string) (total int, err error) {
	for _, c := range columns {
		query := fmt.Sprintf("SELECT COUNT(*) FROM %s WHERE %s LIKE ?", c.table, c.name)
		found, err := db.QueryContext(ctx, query, prefix+"%")
		if err != nil {
			return 0, err
		}
		n := 0
		for found.Next() {
			err = found.Scan(&n)
		}
		if err = errors.Join(err, found.Err(), found.Close()); err != nil {
			return 0, err
		}
		total += n
	}
	return total, nil
}
