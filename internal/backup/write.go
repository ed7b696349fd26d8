package backup

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"time"

	"filippo.io/age"
	"github.com/klauspost/compress/zstd"

	"workforce/internal/blob"
	"workforce/internal/database"
	"workforce/internal/migration"
	"workforce/internal/sealed"
)

// A Source is what is backed up.
type Source struct {
	DB      *database.DB
	Objects Objects
	Key     sealed.Key
	Now     func() time.Time
	Program string // version of the program

	Recipients []age.Recipient // whose identities open the backup; none leaves it open to everybody
	KeyFile    []byte          // the file of the secret key, to be in the backup; nil for none

	// Progress is told what was written so far; nil is silent.
	Progress func(rows, files int)
}

// Objects are the objects of a file store; see blob.Store.
type Objects interface {
	Get(ctx context.Context, name string) (io.ReadCloser, error)
}

// Write writes a backup. The database is read on one connection that sees one state, while
// others write; no migration begins, and no object is deleted meanwhile. What it returned
// an error for is no backup. An installation whose file store lacks objects gets one, see
// Manifest.Incomplete.
func Write(ctx context.Context, to io.Writer, s Source) (m Manifest, err error) {
	err = migration.Hold(ctx, s.DB, func(ctx context.Context, version int64) error {
		return holdObjects(ctx, s.DB, func(ctx context.Context) error {
			m = Manifest{
				Format: Format, Program: s.Program, Schema: version, WithKey: s.KeyFile != nil,
				Tables: []Table{}, Files: Files{Missing: []string{}, Damaged: []string{}}, Sums: []Part{},
			}
			return s.write(ctx, to, &m)
		})
	})
	if err != nil {
		return m, fmt.Errorf("backup: %w", err)
	}
	return m, nil
}

// write encrypts, compresses and writes.
func (s *Source) write(ctx context.Context, to io.Writer, m *Manifest) error {
	encrypted := io.WriteCloser(keptOpen{to})
	if len(s.Recipients) > 0 {
		var err error
		if encrypted, err = age.Encrypt(to, s.Recipients...); err != nil {
			return err
		}
	}
	compressed, err := zstd.NewWriter(encrypted, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<20))
	if err != nil {
		return err
	}
	w := &writer{Source: s, tar: tar.NewWriter(compressed), Manifest: m}
	if err := w.writeAll(ctx); err != nil {
		return err
	}
	return errors.Join(w.tar.Close(), compressed.Close(), encrypted.Close())
}

// keptOpen is a writer that somebody else closes.
type keptOpen struct{ io.Writer }

func (keptOpen) Close() error { return nil }

// A writer writes the entries of one backup.
type writer struct {
	*Source
	*Manifest
	tar *tar.Writer

	rows   int // so far
	listed int // files of the list of sums
	sums   bytes.Buffer
}

func (w *writer) writeAll(ctx context.Context) error {
	snapshot, err := openSnapshot(ctx, w.DB)
	if err != nil {
		return err
	}
	defer snapshot.close()
	if w.Instant, w.Installation, err = snapshot.begin(w.Now); err != nil {
		return err
	}
	if err := w.add(formatName, fmt.Appendln(nil, Format)); err != nil {
		return err
	}
	tables, err := snapshot.tables()
	if err != nil {
		return err
	}
	for _, t := range tables {
		if err := w.addTable(snapshot, t); err != nil {
			return fmt.Errorf("table %s: %w", t.Name, err)
		}
	}
	if err := snapshot.files(func(f file) error { return w.addFile(ctx, f) }); err != nil {
		return err
	}
	if err := w.flushSums(); err != nil {
		return err
	}
	if w.WithKey {
		if err := w.add(keyName, w.KeyFile); err != nil {
			return err
		}
	}
	if err := w.sign(w.Source.Key); err != nil {
		return err
	}
	encoded, err := json.MarshalIndent(w.Manifest, "", "  ")
	if err != nil {
		return err
	}
	return w.add(manifestName, append(encoded, '\n'))
}

// addTable adds the rows of a table.
func (w *writer) addTable(s *snapshot, t Table) error {
	t.Parts = []Part{}
	var part bytes.Buffer
	rows := 0
	flush := func() error {
		if rows == 0 {
			return nil
		}
		p := Part{fmt.Sprintf(tablePath, t.Name, len(t.Parts)+1), rows, int64(part.Len()), sumOf(part.Bytes())}
		if err := w.add(p.Path, part.Bytes()); err != nil {
			return err
		}
		t.Parts = append(t.Parts, p)
		t.Rows += rows
		w.rows += rows
		part.Reset()
		rows = 0
		w.tell()
		return nil
	}
	err := s.rows(t, func(row []byte) error {
		if part.Len()+len(row)+1 > maxPart {
			if err := flush(); err != nil {
				return err
			}
		}
		part.Write(row)
		part.WriteByte('\n')
		rows++
		return nil
	})
	if err == nil {
		err = flush()
	}
	w.Tables = append(w.Tables, t)
	return err
}

func (w *writer) tell() {
	if w.Progress != nil {
		w.Progress(w.rows, w.Files.Count)
	}
}

// add adds an entry.
func (w *writer) add(name string, data []byte) error {
	if err := w.begin(name, int64(len(data))); err != nil {
		return err
	}
	_, err := w.tar.Write(data)
	return err
}

// begin begins an entry of so many bytes.
func (w *writer) begin(name string, size int64) error {
	return w.tar.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: size, ModTime: w.Instant.Truncate(time.Second),
		Format: tar.FormatPAX})
}

// maxInMemory is how many bytes of an object are held in memory; a larger one is copied to a
// temporary file first, since an entry begins with its size.
const maxInMemory = 4 << 20

// addFile adds an object.
func (w *writer) addFile(ctx context.Context, f file) error {
	object, err := w.Objects.Get(ctx, f.name)
	if errors.Is(err, blob.ErrNotFound) {
		if !f.pending { // else its writer has not come to it
			w.Files.Missing = append(w.Files.Missing, f.name)
		}
		return nil
	}
	if err != nil {
		return err
	}
	defer object.Close()
	digest := sha256.New()
	content, size, err := spool(io.TeeReader(object, digest))
	if err != nil {
		return fmt.Errorf("file %s: %w", f.name, err)
	}
	defer content.Close()
	if !bytes.Equal(digest.Sum(nil), f.digest) {
		w.Files.Damaged = append(w.Files.Damaged, f.name)
	}
	if err := w.begin(filesFolder+f.name, size); err != nil {
		return err
	}
	if _, err := io.Copy(w.tar, content); err != nil {
		return err
	}
	w.Files.Count++
	w.Files.Bytes += size
	w.tell()
	return w.addSum(filesFolder+f.name, digest)
}

// spool reads all of r, to memory or to a temporary file.
func spool(r io.Reader) (content io.ReadCloser, size int64, err error) {
	var memory bytes.Buffer
	size, err = io.CopyN(&memory, r, maxInMemory)
	if errors.Is(err, io.EOF) {
		return io.NopCloser(&memory), size, nil
	}
	if err != nil {
		return nil, 0, err
	}
	f, err := os.CreateTemp("", "workforce-backup-")
	if err != nil {
		return nil, 0, err
	}
	size, err = io.Copy(f, io.MultiReader(&memory, r))
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err := errors.Join(err, os.Remove(f.Name())); err != nil { // the file goes once it is closed
		return nil, 0, errors.Join(err, f.Close())
	}
	return f, size, nil
}

// addSum adds a file to the list of sums.
func (w *writer) addSum(path string, digest hash.Hash) error {
	fmt.Fprintf(&w.sums, "%s  %s\n", hex.EncodeToString(digest.Sum(nil)), path)
	if w.listed++; w.listed < sumsOf {
		return nil
	}
	return w.flushSums()
}

// flushSums adds the list of sums.
func (w *writer) flushSums() error {
	if w.listed == 0 {
		return nil
	}
	p := Part{fmt.Sprintf(sumsPath, len(w.Sums)+1), w.listed, int64(w.sums.Len()), sumOf(w.sums.Bytes())}
	if err := w.add(p.Path, w.sums.Bytes()); err != nil {
		return err
	}
	w.Sums = append(w.Sums, p)
	w.listed = 0
	w.sums.Reset()
	return nil
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
