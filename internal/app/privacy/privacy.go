// Package privacy erases people, and exports what is stored about one person or a whole
// company. What is personal, and which tables and columns an export has, stands in the
// schema, as ent.Personals and ent.Exports.
//
// An export is a ZIP file. It is read in one transaction, which sees one state of the database
// and holds off no writer. No export has passwords, tokens, keys or codes, or their hashes.
//
// An erasure has two parts. The transaction of the request does what must not wait: the
// person has no name, no sign-in, no face and no message to be sent any more. A queued
// job does the rest in chunks of rows, each in a transaction of its own, so that it holds
// no lock for long; it may run any number of times. It runs again once requests of the
// person that were running meanwhile have ended.
package privacy

import (
	"context"
	"fmt"
	"slices"
	"time"

	"workforce/ent"
	"workforce/ent/clockstate"
	entCorrection "workforce/ent/correction"
	"workforce/ent/devicetrust"
	entMessage "workforce/ent/message"
	"workforce/ent/personexport"
	"workforce/ent/user"
	"workforce/internal/app/audit"
	"workforce/internal/app/auth"
	"workforce/internal/app/auth/credential"
	"workforce/internal/app/files"
	"workforce/internal/app/job"
	"workforce/internal/app/organization"
	"workforce/internal/audittrail"
	"workforce/internal/blob"
	"workforce/internal/contact"
	"workforce/internal/errs"
	"workforce/internal/sealed"
	"workforce/internal/viewer"
)

// A Service erases people and writes exports. Its methods are safe for concurrent use.
type Service struct {
	DB      *ent.Client
	Now     func() time.Time // UTC, to the microsecond
	Faces   *sealed.Sealer   // of face templates; nil where none is opened
	Objects *blob.Store      // the file store; nil where there is none yet
	Files   *files.Service   // keeps the exports that people ask for
	Jobs    *job.Runner      // erases people and makes exports
	Audit   *audit.Recorder
}

// settled is how long after an erasure its job runs once more: no request that was
// running at the time runs still.
const settled = 10 * time.Minute

// EraseUser erases a person. FORBIDDEN for oneself, for the last owner, and for somebody
// with permissions that the viewer lacks. Who was erased already stays so, and nothing is
// recorded. The lock row comes first, so that of two erasures at once the later knows of
// the other.
func (s *Service) EraseUser(ctx context.Context, id int) error {
	if err := ent.FromContext(ctx).ClockState.Update().Where(clockstate.UserID(id)).AddEvents(1).Exec(viewer.System(ctx)); err != nil {
		return err
	}
	u, err := erasable(ctx, id)
	if err != nil || u.EmailKey == contact.ErasedKey(id) {
		return err
	}
	if err := s.eraseFirst(viewer.System(ctx), u.CompanyID, u.ID); err != nil {
		return err
	}
	err = s.Audit.Record(ctx, audit.Event{Action: audit.UserErased, Company: u.CompanyID, Subject: ent.TypeUser, ID: u.ID})
	if err != nil {
		return err
	}
	for _, after := range []time.Duration{0, settled} {
		_, err := s.Jobs.Enqueue(ctx, job.Request{
			Kind: erasing, Key: fmt.Sprint(erasing, "-", u.ID, "-", int(after.Minutes())), Company: u.CompanyID,
			CreatedBy: viewer.From(ctx).UserID, Payload: erasure{User: u.ID, Settled: after == settled}, After: s.Now().Add(after),
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// erasable returns a user whom the viewer may erase.
func erasable(ctx context.Context, id int) (*ent.User, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	u, err := ent.FromContext(ctx).User.Query().Where(user.ID(id)).WithRoles().Only(ctx)
	if err != nil {
		return nil, err
	}
	owner := slices.ContainsFunc(u.Edges.Roles, func(r *ent.Role) bool { return r.Builtin != nil && *r.Builtin == viewer.Owner })
	if me.Scope("user", "write") < viewer.All || u.ID == me.UserID || owner && !me.Owner || !me.Covers(credential.Permissions(u.Edges.Roles)) {
		return nil, errs.New(errs.Forbidden, nil)
	}
	if owner && u.Active {
		err = organization.KeepOwner(ctx, u)
	}
	if errs.CodeOf(err) == errs.Conflict {
		err = errs.New(errs.Forbidden, nil)
	}
	return u, err
}

// eraseFirst does, in the transaction of ctx, what must not wait: it takes the person's
// name away, ends what lets them in, and deletes faces, codes and the messages that are
// not sent yet. The audit keeps none of what was.
func (s *Service) eraseFirst(ctx context.Context, company, id int) error {
	ctx = audittrail.WithoutTrail(ctx)
	db := ent.FromContext(ctx)
	if err := db.ClockState.Update().Where(clockstate.UserID(id)).AddEvents(1).Exec(ctx); err != nil {
		return err
	}
	if err := s.unname(ctx, company, id); err != nil {
		return err
	}
	if err := auth.EndSessions(ctx, s.Now(), id); err != nil {
		return err
	}
	err := db.DeviceTrust.Update().Where(devicetrust.UserID(id), devicetrust.RevokedAtIsNil()).SetRevokedAt(s.Now()).Exec(ctx)
	if err != nil {
		return err
	}
	_, err = db.Message.Delete().Where(entMessage.UserID(id), entMessage.StatusEQ(entMessage.StatusQueued)).Exec(ctx)
	if err != nil {
		return err
	}
	if err := forgetTold(ctx, id); err != nil {
		return err
	}
	if err := s.removeAttachments(ctx, id); err != nil {
		return err
	}
	exports, err := db.PersonExport.Query().Where(personexport.UserID(id)).All(ctx)
	if err != nil {
		return err
	}
	for _, p := range ent.Personals {
		if p.Erased && (ent.Facts[p.Entity].Directory || slices.Contains(first, p.Entity)) {
			condition, args := rowsOf(p, id)
			if _, err := db.ExecContext(ctx, "DELETE FROM `"+p.Table+"` WHERE "+condition, args...); err != nil {
				return fmt.Errorf("%s: %w", p.Table, err)
			}
		}
	}
	for _, e := range exports {
		if err := s.Files.Release(ctx, e.FileID); err != nil {
			return err
		}
	}
	return nil
}

// forgetTold clears the texts of the messages that name a person to others. Those that
// were not sent yet never are.
func forgetTold(ctx context.Context, id int) error {
	db := ent.FromContext(ctx).Message
	err := db.Update().Where(entMessage.AboutID(id), entMessage.StatusEQ(entMessage.StatusQueued)).SetStatus(entMessage.StatusFailed).Exec(ctx)
	if err != nil {
		return err
	}
	return db.Update().Where(entMessage.AboutID(id), entMessage.SealedTextNotNil()).ClearSealedText().ClearDueAt().Exec(ctx)
}

// removeAttachments takes the pictures off the corrections of a person.
func (s *Service) removeAttachments(ctx context.Context, id int) error {
	db := ent.FromContext(ctx).Correction
	list, err := db.Query().Where(entCorrection.UserID(id), entCorrection.AttachmentFileIDNotNil()).All(ctx)
	if err != nil || len(list) == 0 {
		return err
	}
	err = db.Update().Where(entCorrection.UserID(id)).ClearAttachment().ClearAttachmentFileID().Exec(ctx)
	for _, c := range list {
		if err == nil {
			err = s.Files.Release(ctx, c.AttachmentFileID)
		}
	}
	return err
}

// first are the entities whose rows go at once, of which a person has few. Rows of the
// directory go at once too, as unname gives the directory another version.
var first = []string{ent.TypeFaceTemplate, ent.TypeFaceGallery, ent.TypeOneTimeCode, ent.TypeFormerPassword, ent.TypePersonExport}

// unname empties the personal columns of a user, and releases their picture. What may
// not be empty becomes neutral: the key of the address is none that can be typed, and
// the address none that mail goes to.
func (s *Service) unname(ctx context.Context, company, id int) error {
	db := ent.FromContext(ctx)
	of, err := db.Company.Get(ctx, company)
	if err != nil {
		return err
	}
	u, err := db.User.Get(ctx, id)
	if err != nil {
		return err
	}
	update := u.Update()
	for i, column := range personalOf(ent.TypeUser).Columns {
		if personalOf(ent.TypeUser).Empty[i] == nil {
			if err := update.Mutation().ClearField(column); err != nil {
				return err
			}
		}
	}
	key := contact.ErasedKey(id)
	err = update.SetName(erasedName(of.Locale, id)).SetEmail(key + "@erased.invalid").SetEmailKey(key).
		SetMobileNumber(contact.NoNumber()).SetImage(user.DefaultImage).SetActive(false).Exec(ctx)
	if err != nil {
		return err
	}
	return s.Files.Release(ctx, u.ImageFileID)
}

// personalOf returns what is personal of an entity.
func personalOf(entity string) ent.Personal {
	i := slices.IndexFunc(ent.Personals, func(p ent.Personal) bool { return p.Entity == entity })
	return ent.Personals[i]
}

// erasedName is the name of a person who was erased, in the language of the company.
func erasedName(locale string, id int) string {
	if locale == "en" {
		return fmt.Sprintf("Erased person %d", id)
	}
	return fmt.Sprintf("Orang terhapus %d", id)
}
