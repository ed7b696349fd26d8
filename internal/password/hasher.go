package password

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"

	"golang.org/x/crypto/argon2"

	"workforce/internal/errs"
	"workforce/internal/textform"
)

const (
	running = 2  // hashes at once: 38 MiB, and no more cores than the smallest machine has
	waiting = 64 // hashes that may wait for these, about a second
)

// A Hasher hashes and verifies passwords with argon2id, a bounded number at
// once. It is safe for concurrent use, and is to be called outside of any
// transaction: a hash takes some 30 ms, and may wait.
//
// Where too many wait already, its methods return RATE_LIMITED at once; where
// ctx ends first, ctx.Err().
type Hasher struct {
	work     Work
	admitted chan struct{} // an element for each hash that runs or waits
	slots    chan struct{} // an element for each hash that runs
}

// Work is what it takes to hash a new password, and to refuse one of an unknown user.
type Work struct {
	Memory uint32 // KiB
	Passes uint32
}

// Standard is the work of every server. Tests whose passwords guard nothing take less.
var Standard = Work{Memory: 19 << 10, Passes: 2}

// NewHasher returns a Hasher that runs two hashes at once.
func NewHasher(work Work) *Hasher { return newHasher(work, running, waiting) }

func newHasher(work Work, running, waiting int) *Hasher {
	return &Hasher{
		work:     work,
		admitted: make(chan struct{}, running+waiting),
		slots:    make(chan struct{}, running),
	}
}

// Hash returns the PHC string that is stored of a password, in the form that
// textform.Password gives it.
func (h *Hasher) Hash(ctx context.Context, password string) (string, error) {
	s := h.work.fresh()
	rand.Read(s.salt) // never fails
	key, err := h.derive(ctx, s, textform.Password(password))
	if err != nil {
		return "", err
	}
	s.key = key
	return s.String(), nil
}

// Verify reports whether phc, as Hash returned it, is that of password in one of its forms
// (textform.PasswordForms), and whether it is outdated: of another form than Hash takes. No
// password matches an empty phc, which stands for a user who is unknown or has
// none, and takes as long as any other. A phc that is malformed or asks for an
// absurd amount of work is an error.
func (h *Hasher) Verify(ctx context.Context, phc, password string) (ok, outdated bool, err error) {
	s := h.work.fresh()
	if phc != "" {
		if s, err = parse(phc); err != nil {
			return false, false, err
		}
	}
	for i, form := range textform.PasswordForms(password) {
		key, err := h.derive(ctx, s, form)
		if err != nil {
			return false, false, err
		}
		if subtle.ConstantTimeCompare(key, s.key) == 1 && phc != "" {
			return true, i > 0, nil
		}
	}
	return false, false, nil
}

// derive waits for its turn and computes the key of a password.
func (h *Hasher) derive(ctx context.Context, s stored, password string) ([]byte, error) {
	select {
	case h.admitted <- struct{}{}:
		defer func() { <-h.admitted }()
	default:
		e := errs.Limited(time.Second, nil)
		e.Err = errors.New("too many passwords to hash")
		return nil, e
	}
	select {
	case h.slots <- struct{}{}:
		defer func() { <-h.slots }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return argon2.IDKey([]byte(password), s.salt, s.time, s.memory, s.threads, uint32(len(s.key))), nil
}

// A stored password: what a PHC string of argon2id holds.
type stored struct {
	memory    uint32 // KiB
	time      uint32 // passes
	threads   uint8
	salt, key []byte
}

// fresh returns what a password is hashed with, salt and key still zero.
func (w Work) fresh() stored {
	return stored{memory: w.Memory, time: w.Passes, threads: 1, salt: make([]byte, 16), key: make([]byte, 32)}
}

// String returns the PHC string.
func (s stored) String() string {
	b64 := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, s.memory, s.time, s.threads, b64(s.salt), b64(s.key))
}

// errMalformed never holds the hash, since errors are logged.
var errMalformed = errors.New("stored password is not an argon2id hash that can be verified")

// parse reads a PHC string. Work is bounded at 64 MiB, 10 passes and 4 threads,
// so that no row can tie the server up.
func parse(phc string) (stored, error) {
	var s stored
	var version int
	parts := strings.Split(phc, "$")
	if len(parts) != 6 {
		return s, errMalformed
	}
	b64 := base64.RawStdEncoding.DecodeString
	_, err1 := fmt.Sscanf(parts[2]+" "+parts[3], "v=%d m=%d,t=%d,p=%d", &version, &s.memory, &s.time, &s.threads)
	salt, err2 := b64(parts[4])
	key, err3 := b64(parts[5])
	s.salt, s.key = salt, key
	if errors.Join(err1, err2, err3) != nil || s.String() != phc || !s.bounded() {
		return s, errMalformed
	}
	return s, nil
}

func (s stored) bounded() bool {
	between := func(n, low, high int) bool { return low <= n && n <= high }
	return between(int(s.threads), 1, 4) &&
		between(int(s.time), 1, 10) &&
		between(int(s.memory), 8*int(s.threads), 64<<10) &&
		between(len(s.salt), 8, 64) &&
		between(len(s.key), 16, 64)
}
