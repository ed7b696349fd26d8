package server

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"workforce/ent"
	"workforce/internal/blob"
	"workforce/internal/viewer"
)

// installationID names the setting that holds the random id of the installation, which the
// mark of its file store repeats.
const installationID = "installation"

// installation returns the id of the installation, which the first instance draws.
func (s *Store) installation(ctx context.Context) (string, error) {
	ctx = viewer.System(ctx)
	id, err := s.setting(ctx, installationID)
	if err != nil || id != "" {
		return id, err
	}
	var random [16]byte
	_, _ = rand.Read(random[:]) // never fails
	err = s.Ent.Setting.Create().SetName(installationID).SetValue(fmt.Sprintf("%x", random)).Exec(ctx)
	if err != nil && !ent.IsConstraintError(err) { // another instance was faster
		return "", err
	}
	return s.setting(ctx, installationID)
}

// claimFiles claims a file store for the installation, and refuses another installation's.
func (s *Store) claimFiles(ctx context.Context, files *blob.Store, url string, knows blob.Lookup) error {
	id, err := s.installation(ctx)
	if err != nil {
		return err
	}
	err = files.Claim(ctx, id, knows)
	if errors.Is(err, blob.ErrUnknown) {
		return fmt.Errorf("%s has files and no mark, and this database names none of them; %s", url, remedy)
	}
	return s.refused(err, url, id)
}

// checkFiles refuses the file store of another installation, and changes nothing.
func (s *Store) checkFiles(ctx context.Context, files *blob.Store, url string) error {
	id, err := s.setting(viewer.System(ctx), installationID)
	if err != nil {
		return err
	}
	mark, err := files.Mark(ctx)
	if err == nil && mark != "" && mark != id {
		err = &blob.ForeignError{Mark: mark}
	}
	return s.refused(err, url, id)
}

// remedy says what to do about a store that was refused.
const remedy = "start with the --database and --files that belong together, or name an empty folder or bucket"

// refused says why a store was refused; id is the installation's.
func (s *Store) refused(err error, url, id string) error {
	foreign, ok := errors.AsType[*blob.ForeignError](err)
	if !ok {
		return err
	}
	if id == "" {
		id = "not set"
	}
	return fmt.Errorf("%s belongs to another database (its mark is %s, the id of this database is %s); %s",
		url, foreign.Mark, id, remedy)
}
