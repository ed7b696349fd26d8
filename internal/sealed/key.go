// Package sealed keeps data at rest secret: one secret key file, keys per
// purpose derived from it, and ciphertexts bound to what they belong to.
package sealed

import (
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// keySize is the size of the secret key, and of every key derived from it.
const keySize = 32 // bytes

// A Key is an installation's secret, from which every other key is derived.
type Key struct{ secret [keySize]byte }

// maxKeys is how many keys a secret key file has at most: during a rotation, two.
const maxKeys = 2

// Load reads the secret key file: 32 bytes in base64, or two lines of them, the newest
// first. A missing file is fs.ErrNotExist.
func Load(path string) ([]Key, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if len(lines) > maxKeys {
		return nil, fmt.Errorf("%s has %d lines: it may have %d", path, len(lines), maxKeys)
	}
	var keys []Key
	for _, line := range lines {
		raw, err := base64.StdEncoding.Strict().DecodeString(strings.TrimSpace(line))
		if err != nil || len(raw) != keySize {
			return nil, fmt.Errorf("%s does not hold %d bytes in base64", path, keySize)
		}
		k := Key{secret: [keySize]byte(raw)}
		if slices.Contains(keys, k) {
			return nil, fmt.Errorf("%s has the same key twice", path)
		}
		keys = append(keys, k)
	}
	return keys, nil
}

// New returns a random key.
func New() (k Key) {
	rand.Read(k.secret[:]) // never fails
	return k
}

// Create makes a new key and writes it to path, for the owner alone to read.
// The file is there whole or not at all, and outlives a loss of power once
// Create returned. An existing one is never replaced: fs.ErrExist.
func Create(path string) (Key, error) {
	k := New()
	if err := write(path, os.Link, k); err != nil {
		return Key{}, err
	}
	return k, nil
}

// Replace writes keys over a secret key file, as Create does.
func Replace(path string, keys ...Key) error { return write(path, os.Rename, keys...) }

// write writes a file beside path and puts it into place: a link, unlike a rename, does
// not replace.
func write(path string, put func(from, to string) error, keys ...Key) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".secret-*") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	for _, k := range keys {
		_, failed := f.WriteString(base64.StdEncoding.EncodeToString(k.secret[:]) + "\n")
		err = errors.Join(err, failed)
	}
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := put(f.Name(), path); err != nil {
		return err
	}
	return syncDir(dir)
}

// syncDir makes the names in a folder outlive a loss of power.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// Fingerprint names the key without telling anything of it: 32 hexadecimal
// digits.
func (k Key) Fingerprint() string { return hex.EncodeToString(k.derive("fingerprint", 16)) }

// Derive returns the 32-byte key of a purpose: the same each time, and telling
// nothing of the secret or of another purpose's key.
func (k Key) Derive(purpose string) []byte { return k.derive("purpose "+purpose, keySize) }

func (k Key) derive(info string, size int) []byte {
	key, err := hkdf.Key(sha256.New, k.secret[:], nil, "workforce "+info, size)
	if err != nil {
		panic(err) // only for sizes that nobody asks for
	}
	return key
}

// String hides the secret.
func (k Key) String() string { return "secret key" }

// GoString hides the secret.
func (k Key) GoString() string { return k.String() }

// LogValue hides the secret.
func (k Key) LogValue() slog.Value { return slog.StringValue(k.String()) }
