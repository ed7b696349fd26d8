// Package blob keeps the bytes of files: in a folder or in an S3 bucket. It signs the
// links under which clients fetch them, and serves the folder's.
package blob

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"workforce/internal/sealed"
)

// Life is how long a link is valid: from the beginning of the hour in which it was
// signed, so that links and entity tags stay the same for an hour. A new link is
// valid for 23 hours at least.
const Life = 24 * time.Hour

// Path is where the links of a folder lead, below the public URL.
const Path = "/files/"

// ErrNotFound is returned for an object that the store does not have.
var ErrNotFound = errors.New("blob: no such object")

// A backend keeps objects. Names are valid.
type backend interface {
	put(ctx context.Context, name string, r io.Reader) error
	// get opens an object at an offset in bytes.
	get(ctx context.Context, name string, offset int64) (io.ReadCloser, error)
	// stat returns the size of an object in bytes, and when it was written.
	stat(ctx context.Context, name string) (int64, time.Time, error)
	delete(ctx context.Context, name string) error
	// list calls f with each object whose name begins with prefix, "" or a folder's with
	// a slash, and when it was written, in any order.
	list(ctx context.Context, prefix string, f func(name string, written time.Time) error) error
	// create writes an object unless there is one.
	create(ctx context.Context, name, text string) error
	// move renames an object, if it is there, and replaces what has the new name. It counts
	// as written now.
	move(ctx context.Context, from, to string) error
	// clean deletes what killed processes left unfinished an hour ago.
	clean(ctx context.Context) error
}

// Config holds what a store needs besides its URL.
type Config struct {
	PublicURL string           // base of a folder's links
	Keys      *sealed.Derived  // sign a folder's links; nil where nobody asks for one
	Now       func() time.Time // of links
}

// A Store keeps objects by name. Its methods are safe for concurrent use.
type Store struct {
	backend
	*signer

	installation string // id with which it was claimed
}

// Check returns why Open would refuse a URL without opening anything; it quotes no
// part of the URL.
func Check(raw string) error {
	if path, ok := strings.CutPrefix(raw, "file:"); ok {
		if path == "" {
			return errors.New("write file:PATH")
		}
		return nil
	}
	_, err := parseS3(raw)
	return err
}

// Open opens a store: file:PATH, a folder that is created where it is missing, or
// s3://bucket?endpoint=…&region=…, with the credentials of the environment.
func Open(ctx context.Context, raw string, c Config) (*Store, error) {
	if err := Check(raw); err != nil {
		return nil, err
	}
	if path, ok := strings.CutPrefix(raw, "file:"); ok {
		f, err := openFolder(path)
		if err != nil {
			return nil, err
		}
		keys := func() []aws.CredentialsProvider { return folderKeys(c.Keys) }
		return &Store{backend: f, signer: newSigner(c.PublicURL+strings.TrimSuffix(Path, "/"), "local", keys, c.Now)}, nil
	}
	u, err := parseS3(raw)
	if err != nil {
		return nil, err
	}
	b, base, err := openS3(ctx, u)
	if err != nil {
		return nil, err
	}
	own := []aws.CredentialsProvider{b.config.Credentials}
	keys := func() []aws.CredentialsProvider { return own }
	return &Store{backend: b, signer: newSigner(base, b.config.Region, keys, c.Now)}, nil
}

// Origin returns the origin of the links to a bucket's objects; "" for a folder, whose links are
// of the server itself.
func (s *Store) Origin() string {
	if _, ok := s.backend.(*bucket); !ok {
		return ""
	}
	u, err := url.Parse(s.base)
	if err != nil {
		panic(err) // baseOf made it from a URL
	}
	return u.Scheme + "://" + u.Host
}

// A Kind is a media type that a store keeps.
type Kind struct {
	MediaType string
	Extension string // of an object's name
	Inline    bool   // shown by browsers; any other is saved to a file

	other []string // extensions that its files have too
}

// kinds are the media types that a store keeps. A page, a script or a program is none of them.
var kinds = []Kind{
	{"image/jpeg", "jpg", true, []string{"jpeg", "jpe", "jfif"}},
	{"image/png", "png", true, nil},
	{"text/csv; charset=utf-8", "csv", false, []string{"txt"}},
	{"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx", false, nil},
	{"application/pdf", "pdf", false, nil},
	{"application/zip", "zip", false, nil},
	{"text/plain", "txt", false, []string{"csv"}},
	{"application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx", false, nil},
	{"application/vnd.openxmlformats-officedocument.presentationml.presentation", "pptx", false, nil},
	{"application/vnd.oasis.opendocument.text", "odt", false, nil},
	{"application/vnd.oasis.opendocument.spreadsheet", "ods", false, nil},
	{"application/vnd.oasis.opendocument.presentation", "odp", false, nil},
	{"image/heic", "heic", false, nil},
	{"image/heif", "heif", false, []string{"heic"}},
}

// kindOf returns the kind of an object by its name.
func kindOf(name string) Kind {
	_, extension, _ := strings.Cut(name, ".")
	for _, k := range kinds {
		if k.Extension == extension {
			return k
		}
	}
	return Kind{MediaType: "application/octet-stream"}
}

// kindByType returns the kind of a media type, with or without parameters; none has no extension.
func kindByType(mediaType string) Kind {
	mediaType, _, _ = strings.Cut(mediaType, ";")
	for _, k := range kinds {
		if media, _, _ := strings.Cut(k.MediaType, ";"); media == mediaType {
			return k
		}
	}
	return Kind{}
}

// cacheControl lets clients keep a picture, whose bytes never change, and nothing else.
func (k Kind) cacheControl() string {
	if k.Inline {
		return "private, max-age=82800, immutable"
	}
	return "private, no-store"
}

// names matches the names of objects: 7/0123456789abcdef0123456789abcdef.jpg.
var names = regexp.MustCompile(`^[1-9][0-9]{0,18}/[0-9a-f]{32}\.[a-z]{3,4}$`)

// NewName returns a random name for an object of a company. It fails for a media
// type that a store does not keep.
func NewName(company int, mediaType string) (string, error) {
	k := kindByType(mediaType)
	if k.Extension == "" {
		return "", fmt.Errorf("blob: media type %q is not kept", mediaType)
	}
	var random [16]byte
	_, _ = rand.Read(random[:]) // never fails
	return fmt.Sprintf("%d/%x.%s", company, random, k.Extension), nil
}

// checkName refuses what NewName does not return.
func checkName(name string) error {
	if !names.MatchString(name) {
		return fmt.Errorf("blob: %q is not the name of an object", name)
	}
	return nil
}

// Put writes an object, or replaces it. When it returns, the object survives a power
// loss.
func (s *Store) Put(ctx context.Context, name string, r io.Reader) error {
	if err := checkName(name); err != nil {
		return err
	}
	return s.put(ctx, name, r)
}

// Get opens an object. ErrNotFound where there is none.
func (s *Store) Get(ctx context.Context, name string) (io.ReadCloser, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	return s.get(ctx, name, 0)
}

// Delete deletes an object, if it is there, also where it was set aside.
func (s *Store) Delete(ctx context.Context, name string) error {
	if err := checkName(name); err != nil {
		return err
	}
	return errors.Join(s.delete(ctx, orphans+name), s.delete(ctx, name))
}

// List calls f with the names of the objects that were written at least so long ago, in
// any order. Ages are by the machine's clock, as files and buckets record it. Other
// things in the folder or bucket are passed over, but for what killed processes left.
func (s *Store) List(ctx context.Context, age time.Duration, f func(name string) error) error {
	return errors.Join(s.clean(ctx), s.listOld(ctx, "", age, f))
}

// Handler returns the handler of Path, for a folder: an object as long as its link is
// valid, else FORBIDDEN. A bucket serves its links itself; the handler then answers
// NOT_FOUND.
func (s *Store) Handler() http.Handler {
	f, _ := s.backend.(*folder)
	return handler{f, s.signer}
}

// prefix marks texts that name an object of the store.
const prefix = "file:"

// Ref returns the text that stands for an object in a column: file: and its name.
func Ref(name string) string { return prefix + name }

// nameMark stands between the text of a column and the name of its file.
const nameMark = "\x00"

// Named returns the text of a column with the name under which clients save its object, for Link.
func Named(text, saveAs string) string { return text + nameMark + saveAs }

// Link returns what clients see of a column: for an object of the store (Ref, Named) a link
// to it, for anything else the text itself.
func (s *Store) Link(text string) (string, error) {
	text, saveAs, _ := strings.Cut(text, nameMark)
	name, ok := strings.CutPrefix(text, prefix)
	if !ok {
		return text, nil
	}
	return s.link(name, saveAs)
}

// Temporary returns a link to an object, saved under a name, that is valid for so long from now.
func (s *Store) Temporary(name, saveAs string, life time.Duration) (string, error) {
	if err := checkName(name); err != nil {
		return "", err
	}
	return s.sign(s.keys()[0], name, kindOf(name).disposition(saveAs), s.now().UTC(), life)
}

// parseS3 parses the URL of a bucket.
func parseS3(raw string) (*url.URL, error) {
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "s3" {
		return nil, errors.New("the URL begins neither with file: nor with s3://")
	}
	if u.Host == "" || strings.Trim(u.Path, "/") != "" || u.User != nil || u.Fragment != "" {
		return nil, errors.New("write s3://bucket?endpoint=…&region=…")
	}
	q := u.Query()
	for name, list := range q {
		if name != "endpoint" && name != "region" || len(list) != 1 {
			return nil, errors.New("only endpoint and region may follow the bucket, each once")
		}
	}
	if endpoint := q.Get("endpoint"); endpoint != "" {
		e, err := url.Parse(endpoint)
		if err != nil || e.Scheme != "http" && e.Scheme != "https" || e.Host == "" || e.RawQuery != "" || e.User != nil {
			return nil, errors.New("endpoint must begin with http:// or https:// and name a host")
		}
	}
	return u, nil
}

// Bare reports whether there is nothing in the store, by whatever name.
func (s *Store) Bare(ctx context.Context) (bool, error) {
	err := s.list(ctx, "", func(string, time.Time) error { return errKnown })
	if errors.Is(err, errKnown) {
		return false, nil
	}
	return true, err
}

// Empty deletes all objects of the store, which must have been claimed.
func (s *Store) Empty(ctx context.Context) error {
	if err := s.CheckMark(ctx); err != nil {
		return err
	}
	return s.list(ctx, "", func(name string, _ time.Time) error {
		if checkName(strings.TrimPrefix(name, orphans)) != nil {
			return nil
		}
		return s.delete(ctx, name)
	})
}
