package backup

import (
	"archive/tar"
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"filippo.io/age"
	"github.com/klauspost/compress/zstd"

	"workforce/internal/sealed"
)

// A Keyring is what a backup is opened and checked with.
type Keyring struct {
	Identities []age.Identity // of a recipient; none for a backup that is not encrypted
	Keys       []sealed.Key   // under one of which the manifest was signed; none leaves the signature unchecked
}

// Verify reads all of a backup and checks each sum, and the signature where the key is known.
func Verify(from io.Reader, k Keyring) (Manifest, error) {
	r := reader{Keyring: k}
	err := r.read(from)
	return r.manifest, err
}

// A reader reads a backup and checks it.
type reader struct {
	Keyring
	// What is read is given to these, where they are not nil, before the manifest was seen.
	onPart func(path string, data []byte) error
	onFile func(name string, content io.Reader) error

	manifest Manifest
	keyFile  []byte // of the secret key, where it is in the backup
	parts    []Part // of tables, and of lists of sums, as they were read
	files    Files
	listed   bytes.Buffer // what the next list of sums must be
}

// Beginnings of files.
var (
	ageMagic  = []byte("age-encryption.org/")
	zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}
)

// Errors of what is no backup.
var (
	errNone     = errors.New("the file is no backup")
	errIdentity = errors.New("the backup is encrypted: name a file with the identity by --identity")
	errCut      = errors.New("the backup has no manifest at its end: it was cut")
)

// read reads to the end.
func (r *reader) read(from io.Reader) error {
	in := bufio.NewReaderSize(from, 1<<16)
	begin, err := in.Peek(len(ageMagic))
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	plain := io.Reader(in)
	if bytes.Equal(begin, ageMagic) {
		if len(r.Identities) == 0 {
			return errIdentity
		}
		if plain, err = age.Decrypt(in, r.Identities...); err != nil {
			return fmt.Errorf("the backup cannot be decrypted: %w", err)
		}
	} else if !bytes.HasPrefix(begin, zstdMagic) {
		return errNone
	}
	archive, err := zstd.NewReader(plain, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(8<<20))
	if err != nil {
		return err
	}
	defer archive.Close()
	if err := r.entries(tar.NewReader(archive)); err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, archive); err != nil { // to the sums of what was compressed and encrypted
		return unreadable(err)
	}
	return r.compare()
}

// unreadable is an error of a layer below the entries.
func unreadable(err error) error {
	return fmt.Errorf("the backup cannot be read further, it was cut or changed: %w", err)
}

// entries reads the entries.
func (r *reader) entries(t *tar.Reader) error {
	for first := true; ; first = false {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return unreadable(err)
		}
		if first != (h.Name == formatName) || r.manifest.Format != 0 {
			return fmt.Errorf("the entry %q is in a place where none may be", h.Name)
		}
		if err := r.entry(h, t); err != nil {
			return err
		}
	}
}

// entry reads one entry.
func (r *reader) entry(h *tar.Header, content io.Reader) error {
	if name, ok := strings.CutPrefix(h.Name, filesFolder); ok {
		return r.file(name, h.Size, content)
	}
	limit := map[string]int64{formatName: 32, keyName: 4 << 10, manifestName: maxManifest}[h.Name]
	isPart := strings.HasPrefix(h.Name, "tables/") || strings.HasPrefix(h.Name, "sums/")
	if isPart {
		limit = maxRow
	}
	if h.Size > limit {
		return fmt.Errorf("the entry %q has %d bytes, and may have %d", h.Name, h.Size, limit)
	}
	data := make([]byte, h.Size)
	if _, err := io.ReadFull(content, data); err != nil {
		return unreadable(err)
	}
	switch h.Name {
	case formatName:
		return checkFormat(string(data))
	case keyName:
		r.keyFile = data
		return nil
	case manifestName:
		return r.readManifest(data)
	}
	return r.part(h.Name, data)
}

// checkFormat refuses a format that is not known.
func checkFormat(text string) error {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err == nil && n > Format {
		return fmt.Errorf("the backup has format %d, this program reads formats up to %d: use a newer one", n, Format)
	}
	if err != nil || n < 1 {
		return errNone
	}
	return nil
}

func (r *reader) readManifest(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&r.manifest); err != nil {
		return fmt.Errorf("%s: %w", manifestName, err)
	}
	for _, t := range r.manifest.Tables {
		for _, c := range append([]Column{{Name: t.Name}},
			t.Columns...) {
			if !inSQL.MatchString(c.Name) {
				return fmt.Errorf("%s: %q is not the name of a table or a column", manifestName, c.Name)
			}
		}
	}
	return checkFormat(strconv.Itoa(r.manifest.Format))
}

// inSQL matches the names of tables and columns.
var inSQL = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// part takes note of a part of a table or of a list of sums.
func (r *reader) part(path string, data []byte) error {
	r.parts = append(r.parts, Part{path, bytes.Count(data, []byte("\n")), int64(len(data)), sumOf(data)})
	if strings.HasPrefix(path, "sums/") {
		if !bytes.Equal(data, r.listed.Bytes()) {
			return fmt.Errorf("files before %s are not those that it lists: %s", path,
				firstOther(r.listed.String(), string(data)))
		}
		r.listed.Reset()
		return nil
	}
	if r.onPart == nil {
		return nil
	}
	return r.onPart(path, data)
}

// firstOther returns the first line in which two lists differ.
func firstOther(got, want string) string {
	wanted := slices.Collect(strings.Lines(want))
	n := 0
	for line := range strings.Lines(got) {
		if n >= len(wanted) || wanted[n] != line {
			return strings.TrimSpace(line)
		}
		n++
	}
	return strings.TrimSpace(strings.Join(wanted[min(n, len(wanted)):], " "))
}

// file reads an object.
func (r *reader) file(name string, size int64, content io.Reader) error {
	if r.listed.Len() > maxSums {
		return errors.New("a list of sums is missing")
	}
	digest := sha256.New()
	content = io.TeeReader(content, digest)
	if r.onFile != nil {
		if err := r.onFile(name, content); err != nil {
			return fmt.Errorf("file %s: %w", name, err)
		}
	}
	if _, err := io.Copy(io.Discard, content); err != nil {
		return unreadable(err)
	}
	r.files.Count++
	r.files.Bytes += size
	_, err := fmt.Fprintf(&r.listed, "%s  %s%s\n", hex.EncodeToString(digest.Sum(nil)), filesFolder, name)
	return err
}

// compare compares what was read with the manifest, and its signature.
func (r *reader) compare() error {
	m := &r.manifest
	if m.Format == 0 {
		return errCut
	}
	if len(r.Keys) > 0 {
		if err := m.check(r.Keys); err != nil {
			return err
		}
	}
	var want []Part
	for _, t := range m.Tables {
		want = append(want, t.Parts...)
	}
	want = append(want, m.Sums...)
	for i := range max(len(want), len(r.parts)) {
		switch {
		case i >= len(r.parts):
			return fmt.Errorf("%s is missing", want[i].Path)
		case i >= len(want) || want[i] != r.parts[i]:
			return fmt.Errorf("%s is not what the manifest says of it", r.parts[i].Path)
		}
	}
	if r.listed.Len() > 0 || r.files.Count != m.Files.Count || r.files.Bytes != m.Files.Bytes ||
		m.WithKey != (r.keyFile != nil) {
		return errors.New("the files are not what the manifest says of them")
	}
	return nil
}
