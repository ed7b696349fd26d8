package blob

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"
)

// A Vault keeps files by plain names, such as backups, in a folder or a bucket of their own.
type Vault struct{ backend }

// OpenVault opens the vault of a URL, which is as that of Open.
func OpenVault(ctx context.Context, raw string) (*Vault, error) {
	if err := Check(raw); err != nil {
		return nil, err
	}
	if path, ok := strings.CutPrefix(raw, "file:"); ok {
		f, err := openFolder(path)
		if err != nil {
			return nil, err
		}
		return &Vault{f}, nil
	}
	u, err := parseS3(raw)
	if err != nil {
		return nil, err
	}
	b, _, err := openS3(ctx, u)
	if err != nil {
		return nil, err
	}
	return &Vault{b}, nil
}

// plain matches the names of a vault's files.
var plain = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$`)

// Put writes a file, or replaces it. Where it fails, there is none of the name, or the one before.
func (v *Vault) Put(ctx context.Context, name string, r io.Reader) error {
	if !plain.MatchString(name) {
		return fmt.Errorf("blob: %q is not the name of a file", name)
	}
	return v.put(ctx, name, r)
}

// Names lists the files, in any order, and deletes what killed processes left unfinished.
func (v *Vault) Names(ctx context.Context) (list []string, err error) {
	if err := v.clean(ctx); err != nil {
		return nil, err
	}
	err = v.list(ctx, "", func(name string, _ time.Time) error {
		if plain.MatchString(name) && !strings.HasSuffix(name, temporary) {
			list = append(list, name)
		}
		return nil
	})
	return list, err
}

// Delete deletes a file, if it is there.
func (v *Vault) Delete(ctx context.Context, name string) error {
	if !plain.MatchString(name) {
		return fmt.Errorf("blob: %q is not the name of a file", name)
	}
	return v.delete(ctx, name)
}
