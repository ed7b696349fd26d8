package harness

import (
	"encoding/json"
	"testing"

	"github.com/go-jose/go-jose/v4"
)

// KeySet asks for the key set, as an app does.
func KeySet(t *testing.T, s *Server) (set jose.JSONWebKeySet) {
	t.Helper()
	a, err := s.Ask("GET", "/encrypt", nil, "")
	if err == nil {
		err = json.Unmarshal([]byte(a.Body), &set)
	}
	if err != nil || a.Status != 200 || len(set.Keys) == 0 {
		t.Fatalf("key set: %v, %v", a, err)
	}
	return set
}

// EncryptFor encrypts a text as an app does.
func EncryptFor(t *testing.T, key jose.JSONWebKey, text string) string {
	t.Helper()
	e, err := jose.NewEncrypter(jose.A256GCM, jose.Recipient{Algorithm: jose.RSA_OAEP_256, Key: key.Key, KeyID: key.KeyID}, nil)
	if err != nil {
		t.Fatal(err)
	}
	jwe, err := e.Encrypt([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	compact, err := jwe.CompactSerialize()
	if err != nil {
		t.Fatal(err)
	}
	return compact
}
