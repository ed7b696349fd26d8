package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"workforce/internal/blob"
	"workforce/internal/certificate"
	"workforce/internal/sealed"
)

// files writes to the store, reads that and deletes it, and compares the store's mark with the
// database's id. A folder that is not there is not created.
func (s Subject) files(ctx context.Context, known installation) Result {
	if path, ok := strings.CutPrefix(s.Files, "file:"); ok {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return warning("files", "there is no folder "+path, "serve creates it; if there should be one, correct --files")
		}
	}
	const advice = "see --files: the account needs to write, read, list and delete there"
	store, err := blob.Open(ctx, s.Files, blob.Config{Now: s.Now})
	if err != nil {
		return failure("files", err.Error(), advice)
	}
	mark, err := store.Mark(ctx)
	if err == nil {
		err = store.Probe(ctx)
	}
	switch {
	case err != nil:
		return failure("files", err.Error(), advice)
	case mark != "" && known.read && mark != known.id:
		return failure("files", "the store belongs to another database: its mark is "+mark,
			"name the --database and --files that belong together")
	}
	return fine("files", s.Files+" is writable and readable")
}

// key judges the file of the secret key.
func (s Subject) key(known installation) Result {
	info, err := os.Stat(s.KeyFile)
	if errors.Is(err, fs.ErrNotExist) && known.fingerprint == "" {
		return warning("key", "there is no "+s.KeyFile,
			"serve creates it for a new database; if there should be one, correct --secret-key-file")
	}
	if err == nil {
		err = s.sameKey(known)
	}
	switch {
	case err != nil:
		return failure("key", err.Error(), "put the key of this database into --secret-key-file")
	case info.Mode().Perm()&0o077 != 0:
		return warning("key", fmt.Sprintf("%s has mode %v: others may use it", s.KeyFile, info.Mode().Perm()),
			"run chmod 600 "+s.KeyFile)
	}
	return fine("key", fmt.Sprintf("%s has mode %v", s.KeyFile, info.Mode().Perm()))
}

// sameKey returns an error unless the file holds the database's key.
func (s Subject) sameKey(known installation) error {
	keys, err := sealed.Load(s.KeyFile)
	same := func(k sealed.Key) bool { return k.Fingerprint() == known.fingerprint }
	if err == nil && known.fingerprint != "" && !slices.ContainsFunc(keys, same) {
		err = fmt.Errorf("%s is not the key of this database", s.KeyFile)
	}
	return err
}

// certificateWarning is how long before its end a certificate in files is warned of.
const certificateWarning = 14 * 24 * time.Hour

// certificate judges the files of the certificate.
func (s Subject) certificate() Result {
	const check = "certificate"
	const renew = "renew it: serve reads the files of --tls-cert and --tls-key again when they change"
	pair, err := certificate.Read(s.TLSCert, s.TLSKey)
	if err != nil {
		return failure(check, err.Error(), "see that --tls-cert and --tls-key name a certificate and its key, in PEM")
	}
	leaf, now := pair.Leaf, s.Now()
	found := fmt.Sprintf("%s is valid until %s", s.TLSCert, leaf.NotAfter.UTC().Format(time.RFC3339))
	u, err := url.Parse(s.PublicURL)
	switch {
	case now.Before(leaf.NotBefore):
		return failure(check, s.TLSCert+" is valid from "+leaf.NotBefore.UTC().Format(time.RFC3339)+" on",
			"see the clock of this machine, or use the certificate before it until then")
	case now.After(leaf.NotAfter):
		return failure(check, s.TLSCert+" ended at "+leaf.NotAfter.UTC().Format(time.RFC3339), renew)
	case s.PublicURL != "" && err == nil && leaf.VerifyHostname(u.Hostname()) != nil:
		return warning(check, s.TLSCert+" is not for "+u.Hostname()+", the host of --public-url", "get one for that name")
	case leaf.NotAfter.Sub(now) < certificateWarning:
		return warning(check, found, renew)
	}
	return fine(check, found)
}

// The free space of a file system, in bytes, below which it is nearly full or as good as full.
const (
	spaceWarning = 1 << 30
	spaceFailure = 100 << 20
)

// disk judges the file systems of database, files, key and temporary files by the one with the least
// space.
func (s Subject) disk() Result {
	folders := []string{filepath.Dir(s.KeyFile), os.TempDir()}
	if path, ok := strings.CutPrefix(s.Database, "sqlite:"); ok {
		folders = append(folders, filepath.Dir(path))
	}
	if path, ok := strings.CutPrefix(s.Files, "file:"); ok {
		folders = append(folders, path)
	}
	least, at := uint64(0), ""
	for _, folder := range folders {
		free, err := s.Disk(existing(folder))
		if err != nil {
			return warning("disk", "the space cannot be told: "+err.Error(), "look at "+folder)
		}
		if at == "" || free < least {
			least, at = free, folder
		}
	}
	found := fmt.Sprintf("%d MiB are free for %s", least>>20, at)
	switch {
	case least < spaceFailure:
		return failure("disk", found, "free space, or enlarge the disk: writes fail without")
	case least < spaceWarning:
		return warning("disk", found, "free space, or enlarge the disk")
	}
	return fine("disk", found)
}

// existing returns a folder, or the nearest around it that is there.
func existing(folder string) string {
	for {
		if _, err := os.Stat(folder); err == nil || filepath.Dir(folder) == folder {
			return folder
		}
		folder = filepath.Dir(folder)
	}
}
