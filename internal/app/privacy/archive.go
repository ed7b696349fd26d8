package privacy

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"time"
)

// An archiveEntry is what a manifest tells of an entry of the archive.
type archiveEntry struct {
	Path      string `json:"path"`
	MediaType string `json:"mediaType"`
	Rows      *int   `json:"rows,omitempty"` // of a table
	Bytes     int64  `json:"bytes"`
	SHA256    string `json:"sha256"` // of the unpacked bytes, in hexadecimal
}

// An archive writes a ZIP file of tables and files, whose last entry is a manifest that lists the
// others with sizes and digests. It holds no more in memory than what it knows of its
// entries.
type archive struct {
	zip     *zip.Writer
	at      time.Time // of all entries
	entries []archiveEntry
}

// newArchive returns a writer of an archive, whose entries are of an instant.
func newArchive(w io.Writer, at time.Time) *archive { return &archive{zip: zip.NewWriter(w), at: at} }

// Entries returns what was written so far.
func (w *archive) Entries() []archiveEntry { return w.entries }

// Add writes an entry. What is compressed already is stored as it is.
func (w *archive) Add(path, mediaType string, compressed bool, r io.Reader) error {
	return w.add(archiveEntry{Path: path, MediaType: mediaType}, compressed, func(out io.Writer, _ *archiveEntry) error {
		_, err := io.Copy(out, r)
		return err
	})
}

func (w *archive) add(e archiveEntry, compressed bool, write func(io.Writer, *archiveEntry) error) error {
	header := &zip.FileHeader{Name: e.Path, Method: zip.Deflate, Modified: w.at.UTC()}
	if compressed {
		header.Method = zip.Store
	}
	entry, err := w.zip.CreateHeader(header)
	if err != nil {
		return err
	}
	digest, size := sha256.New(), byteCounter(0)
	if err := write(io.MultiWriter(entry, digest, &size), &e); err != nil {
		return err
	}
	e.Bytes, e.SHA256 = int64(size), hex.EncodeToString(digest.Sum(nil))
	w.entries = append(w.entries, e)
	return nil
}

// A byteCounter counts the bytes that are written to it.
type byteCounter int64

func (c *byteCounter) Write(p []byte) (int, error) {
	*c += byteCounter(len(p))
	return len(p), nil
}

// Close writes the manifest as manifest.json and ends the archive. It leaves what the
// archive was written to open.
func (w *archive) Close(manifest any) error {
	out, err := w.zip.CreateHeader(&zip.FileHeader{Name: "manifest.json", Method: zip.Deflate, Modified: w.at.UTC()})
	if err != nil {
		return err
	}
	text := json.NewEncoder(out)
	text.SetIndent("", "  ")
	return errors.Join(text.Encode(manifest), w.zip.Close())
}
