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
	"strings"
)

// keySize is the size of the secret key, and of every key derived from it.
const keySize = 32 // bytes

// A Key is an installation's secret, from which every other key is derived.
type Key struct{ secret [keySize]byte }

// Load reads the secret key file: 32 bytes in base64. A missing file is
// fs.ErrNotExist.
func Load(path string) (Key, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return Key{}, err
	}
	raw, err := base64.StdEncoding.Strict().DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(raw) != keySize {
		return Key{}, fmt.Errorf("%s does not hold %d bytes in base64", path, keySize)
	}
	return Key{secret: [keySize]byte(raw)}, nil
}

// Create makes a new key and writes it to path, for the owner alone to read.
// The file is there whole or not at all, and outlives a loss of power once
// Create returned. An existing one is never replaced: fs.ErrExist.
func Create(path string) (Key, error) {
	var k Key
	rand.Read(k.secret[:]) // never fails
	if err := create(path, base64.StdEncoding.EncodeToString(k.secret[:])+"\n"); err != nil {
		return Key{}, err
	}
	return k, nil
}

// create writes a file beside path and links it into place: a link, unlike a
// rename, does not replace.
func create(path, text string) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".secret-*") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Link(f.Name(), path); err != nil {
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
