// Package backup writes all that an installation holds, as it is at one instant, to one file,
// and fills an empty database and an empty file store from it, of either kind each.
//
// A file is a tar archive, compressed by zstd, and encrypted by age where recipients are given:
//
//	format                   the first one: the version of the format
//	tables/NAME/00001.jsonl  rows of a table by id, 4 MiB at most: a JSON array for each row
//	files/NAME               an object of the file store
//	sums/00001.txt           SHA-256 and path of up to 1,000 files before it, as sha256sum writes them
//	secret.key               the secret key, only where it was asked for
//	manifest.json            the last one: what there is, and its sums
//
// The manifest is signed under the secret key: a file without it, or with another signature, was
// cut or changed.
package backup

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"workforce/internal/sealed"
)

// Format is the version of the format.
const Format = 1

// A Manifest says what a backup holds.
type Manifest struct {
	Format       int       `json:"format"`
	Program      string    `json:"program"`      // version of the program that wrote it
	Schema       int64     `json:"schema"`       // version of the newest migration
	Installation string    `json:"installation"` // id of the database
	Instant      time.Time `json:"instant"`      // whose state it holds, UTC
	Tables       []Table   `json:"tables"`
	Files        Files     `json:"files"`
	Sums         []Part    `json:"sums"`      // of the lists of files
	WithKey      bool      `json:"withKey"`   // the secret key is in it
	Key          string    `json:"key"`       // fingerprint of the secret key
	Signature    string    `json:"signature"` // HMAC-SHA256 of the manifest without it, in hexadecimal digits
}

// A Table is the rows of a table.
type Table struct {
	Name    string   `json:"name"`
	Columns []Column `json:"columns"`
	Rows    int      `json:"rows"`
	Parts   []Part   `json:"parts"`
}

// A Column is the name of a column, and of which kind its values are.
type Column struct {
	Name string `json:"name"`
	Kind kind   `json:"kind"`
}

// A Part is an entry of the archive.
type Part struct {
	Path   string `json:"path"`
	Rows   int    `json:"rows"` // or lines
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// Files tells of the objects of the file store.
type Files struct {
	Count   int      `json:"count"`
	Bytes   int64    `json:"bytes"`
	Missing []string `json:"missing"` // that a row names and the store does not have
	Damaged []string `json:"damaged"` // whose bytes are not those that were stored; they are in the archive as they are
}

// Rows returns how many rows there are in all tables.
func (m *Manifest) Rows() (n int) {
	for _, t := range m.Tables {
		n += t.Rows
	}
	return n
}

// Incomplete returns an error that says what of the file store is not in the backup.
func (m *Manifest) Incomplete() error {
	if len(m.Files.Missing)+len(m.Files.Damaged) == 0 {
		return nil
	}
	return fmt.Errorf("the file store lacks %d of the files that the database names, and %d are damaged; "+
		"the backup has all the rest, and its manifest lists them", len(m.Files.Missing), len(m.Files.Damaged))
}

// Names of entries.
const (
	formatName   = "format"
	manifestName = "manifest.json"
	keyName      = "secret.key"
	tablePath    = "tables/%s/%05d.jsonl"
	sumsPath     = "sums/%05d.txt"
	filesFolder  = "files/"
)

// Limits of entries that are held in memory, in bytes.
const (
	maxPart     = 4 << 20   // of rows, where it has more than one
	maxRow      = 64 << 20  // of one row
	maxSums     = 1 << 20   // of a list of sums
	maxManifest = 256 << 20 // JSON
	sumsOf      = 1000      // files of a list of sums
)

// sign signs the manifest under a secret key.
func (m *Manifest) sign(key sealed.Key) error {
	m.Key = key.Fingerprint()
	signature, err := m.mac(key)
	m.Signature = hex.EncodeToString(signature)
	return err
}

// errKey is returned where a backup was written under another secret key.
var errKey = errors.New("the backup was written under another secret key than that of --secret-key-file")

// check refuses a manifest that was signed under none of the secret keys.
func (m *Manifest) check(keys []sealed.Key) error {
	i := slices.IndexFunc(keys, func(k sealed.Key) bool { return m.Key == k.Fingerprint() })
	if i < 0 {
		return errKey
	}
	want, err := m.mac(keys[i])
	got, _ := hex.DecodeString(m.Signature)
	if err == nil && !hmac.Equal(want, got) {
		err = errors.New("the signature of the manifest is wrong: the backup was changed")
	}
	return err
}

// mac returns the HMAC of the manifest.
func (m *Manifest) mac(key sealed.Key) ([]byte, error) {
	signed := *m
	signed.Signature = ""
	text, err := json.Marshal(&signed)
	if err != nil {
		return nil, err
	}
	h := hmac.New(sha256.New, key.Derive("backup manifest"))
	h.Write(text)
	return h.Sum(nil), nil
}
