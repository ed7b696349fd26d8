package passwordkey

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/big"
	"strings"
	"sync"
	"testing"
	"time"
)

// noon is when the tests take place.
var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// testKeys makes three keys once, as they take a while.
var testKeys = sync.OnceValues(func() ([3]Key, error) {
	var keys [3]Key
	for i := range keys {
		var err error
		if keys[i], err = New(noon); err != nil {
			return keys, err
		}
	}
	return keys, nil
})

func keysOf(t testing.TB) [3]Key {
	t.Helper()
	keys, err := testKeys()
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

func TestKeyID(t *testing.T) {
	k := keysOf(t)[0]
	n := base64.RawURLEncoding.EncodeToString(k.private.N.Bytes())
	sum := sha256.Sum256([]byte(`{"e":"AQAB","kty":"RSA","n":"` + n + `"}`)) // RFC 7638, section 3
	if want := base64.RawURLEncoding.EncodeToString(sum[:]); k.ID() != want {
		t.Errorf("ID = %s, want %s", k.ID(), want)
	}
	if k.private.N.BitLen() != 2048 || !k.CreatedAt.Equal(noon) || !k.AcceptedUntil.IsZero() {
		t.Errorf("%d bits, made at %v, accepted until %v", k.private.N.BitLen(), k.CreatedAt, k.AcceptedUntil)
	}
}

func TestMarshalRoundTrip(t *testing.T) {
	k := keysOf(t)[0]
	der, err := k.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	until := noon.Add(time.Hour)
	back, err := Unmarshal(der, noon.Add(-time.Hour), until)
	if err != nil {
		t.Fatal(err)
	}
	if back.ID() != k.ID() || !back.private.Equal(k.private) {
		t.Errorf("another key comes back: %v, want %v", back, k)
	}
	if !back.CreatedAt.Equal(noon.Add(-time.Hour)) || !back.AcceptedUntil.Equal(until) {
		t.Errorf("times %v and %v", back.CreatedAt, back.AcceptedUntil)
	}
	if _, err := (Key{}).Marshal(); err == nil {
		t.Error("the zero key is marshalled")
	}
}

func TestUnmarshalRefuses(t *testing.T) {
	small, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		t.Fatal(err)
	}
	curve, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der := func(key any) []byte {
		der, err := x509.MarshalPKCS8PrivateKey(key)
		if err != nil {
			t.Fatal(err)
		}
		return der
	}
	good := der(keysOf(t)[0].private)
	tests := []struct {
		name string
		der  []byte
	}{
		{"nothing", nil},
		{"text", []byte("key")},
		{"cut off", good[:len(good)-1]},
		{"1024 bits", der(small)},
		{"another kind", der(curve)},
		{"PKCS #1", x509.MarshalPKCS1PrivateKey(keysOf(t)[0].private)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if k, err := Unmarshal(tt.der, noon, time.Time{}); err == nil || k != (Key{}) {
				t.Errorf("Unmarshal = %v, %v; want an error", k, err)
			}
		})
	}
}

func TestNothingPrintsThePrivatePart(t *testing.T) {
	k := keysOf(t)[0]
	var out bytes.Buffer
	slog.New(slog.NewJSONHandler(&out, nil)).Info("m", "key", k, "set", NewSet(k), "in", struct{ K Key }{k})
	fmt.Fprintf(&out, "%v %+v %#v %s %v %+v", k, k, k, k, struct{ K Key }{k}, NewSet(k))
	if err := json.NewEncoder(&out).Encode(map[string]any{"key": k, "set": NewSet(k)}); err != nil {
		t.Fatal(err)
	}
	for name, secret := range map[string]*big.Int{"d": k.private.D, "p": k.private.Primes[0], "q": k.private.Primes[1]} {
		for _, form := range []string{secret.String(), secret.Text(16), base64.StdEncoding.EncodeToString(secret.Bytes())} {
			if strings.Contains(out.String(), form) {
				t.Errorf("%s was printed", name)
			}
		}
	}
	if !strings.Contains(out.String(), k.ID()) {
		t.Error("the kid was not printed")
	}
}
