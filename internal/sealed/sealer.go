package sealed

import (
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-jose/go-jose/v4"
)

// ErrOpen is in the chain of every error of Open.
var ErrOpen = errors.New("sealed text cannot be opened")

// A Sealer encrypts the data of one purpose. It is safe for concurrent use.
//
// A sealed text is a compact JWE (dir, A256GCM) whose kid is the fingerprint of
// the secret key. The content key is derived from purpose and binding, so that
// a text opens only where it was sealed for: not for another user, another
// company or another purpose.
type Sealer struct{ keys *Derived }

// NewSealer returns the sealer of a purpose. It seals with current and opens
// what current or one of older sealed.
func NewSealer(purpose string, current Key, older ...Key) *Sealer {
	return NewRing(current, older...).Sealer(purpose)
}

// Sealer returns the sealer of a purpose, which follows the keys of the ring.
func (r *Ring) Sealer(purpose string) *Sealer { return &Sealer{r.Derive("seal " + purpose)} }

// Seal encrypts plaintext for what binding names, such as company and user.
func (s *Sealer) Seal(plaintext []byte, binding ...string) (string, error) {
	keys := s.keys.set()
	recipient := jose.Recipient{
		Algorithm: jose.DIRECT,
		Key:       contentKey(keys.keys[0], binding),
		KeyID:     keys.names[0],
	}
	enc, err := jose.NewEncrypter(jose.A256GCM, recipient, nil)
	if err != nil {
		return "", fmt.Errorf("seal: %w", err)
	}
	jwe, err := enc.Encrypt(plaintext)
	if err != nil {
		return "", fmt.Errorf("seal: %w", err)
	}
	return jwe.CompactSerialize()
}

// Open decrypts what Seal returned for the same binding. Anything else, by as
// little as one bit, is ErrOpen.
func (s *Sealer) Open(text string, binding ...string) ([]byte, error) {
	jwe, err := parse(text)
	if err != nil {
		return nil, fmt.Errorf("%w: not a sealed text", ErrOpen)
	}
	keys := s.keys.set()
	i := slices.Index(keys.names, jwe.Header.KeyID)
	if i < 0 {
		return nil, fmt.Errorf("%w: no key %q", ErrOpen, jwe.Header.KeyID)
	}
	plaintext, err := jwe.Decrypt(contentKey(keys.keys[i], binding))
	if err != nil {
		return nil, fmt.Errorf("%w: altered, or sealed for something else", ErrOpen)
	}
	return plaintext, nil
}

// Current reports whether text was sealed with the key that seals now; one that
// was not is to be sealed again before its key goes.
func (s *Sealer) Current(text string) bool {
	jwe, err := parse(text)
	return err == nil && jwe.Header.KeyID == s.keys.set().names[0]
}

// Prefix returns how every text begins that a key sealed, and no other key's.
func (k Key) Prefix() (string, error) {
	text, err := NewSealer("", k).Seal(nil)
	head, _, _ := strings.Cut(text, ".")
	return head + ".", err
}

// parse accepts no other algorithms than those that Seal uses.
func parse(text string) (*jose.JSONWebEncryption, error) {
	return jose.ParseEncryptedCompact(text, []jose.KeyAlgorithm{jose.DIRECT}, []jose.ContentEncryption{jose.A256GCM})
}

// contentKey derives the key for one binding. The parts' lengths go in, so that
// no two bindings read the same.
func contentKey(purpose []byte, binding []string) []byte {
	var info []byte
	for _, part := range binding {
		info = binary.BigEndian.AppendUint64(info, uint64(len(part)))
		info = append(info, part...)
	}
	key, err := hkdf.Expand(sha256.New, purpose, string(info), keySize)
	if err != nil {
		panic(err) // only for sizes that nobody asks for
	}
	return key
}
