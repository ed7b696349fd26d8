// Package archive writes ZIP files of tables and files. Their last entry is a manifest
// that lists the others with sizes and digests.
package archive

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"time"
)

// An Entry is what a manifest tells of an entry of the archive.
type Entry struct {
	Path      string `json:"path"`
	MediaType string `json:"mediaType"`
	Rows      *int   `json:"rows,omitempty"` // of a table
	Bytes     int64  `json:"bytes"`
	SHA256    string `json:"sha256"` // of the unpacked bytes, in hexadecimal
}

// A Writer writes an archive, and holds no more in memory than what it knows of its
// entries.
type Writer struct {
	zip     *zip.Writer
	at      time.Time // of all entries
	entries []Entry
}

// New returns a writer of an archive, whose entries are of an instant.
func New(w io.Writer, at time.Time) *Writer { return &Writer{zip: zip.NewWriter(w), at: at} }

// Entries returns what was written so far.
func (w *Writer) Entries() []Entry { return w.entries }

// Add writes an entry. What is compressed already is stored as it is.
func (w *Writer) Add(path, mediaType string, compressed bool, r io.Reader) error {
	return w.add(Entry{Path: path, MediaType: mediaType}, compressed, func(out io.Writer, _ *Entry) error {
		_, err := io.Copy(out, r)
		return err
	})
}

func (w *Writer) add(e Entry, compressed bool, write func(io.Writer, *Entry) error) error {
	header := &zip.FileHeader{Name: e.Path, Method: zip.Deflate, Modified: w.at.UTC()}
	if compressed {
		header.Method = zip.Store
	}
	entry, err := w.zip.CreateHeader(header)
	if err != nil {
		return err
	}
	digest, size := sha256.New(), counter(0)
	if err := write(io.MultiWriter(entry, digest, &size), &e); err != nil {
		return err
	}
	e.Bytes, e.SHA256 = int64(size), hex.EncodeToString(digest.Sum(nil))
	w.entries = append(w.entries, e)
	return nil
}

// A counter counts the bytes that are written to it.
type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// Close writes the manifest as manifest.json and ends the archive. It leaves what the
// archive was written to open.
func (w *Writer) Close(manifest any) error {
	out, err := w.zip.CreateHeader(&zip.FileHeader{Name: "manifest.json", Method: zip.Deflate, Modified: w.at.UTC()})
	if err != nil {
		return err
	}
	text := json.NewEncoder(out)
	text.SetIndent("", "  ")
	return errors.Join(text.Encode(manifest), w.zip.Close())
}
