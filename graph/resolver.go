// Package graph is the API: its GraphQL schema, the resolvers that are its use
// cases, and the executor that runs them for every door.
package graph

import (
	"crypto/rand"
	"io"
	"log/slog"
	"time"

	"workforce/ent"
	"workforce/graph/identity"
	"workforce/internal/appversion"
	"workforce/internal/password"
	"workforce/internal/sealed"
)

// Resolver holds what the use cases depend on.
type Resolver struct {
	DB        *ent.Client
	Log       *slog.Logger
	Now       func() time.Time // the only clock; UTC, to the microsecond
	Passwords *password.Hasher
	Country   string // ISO 3166, in which phone numbers without + are read
	Gate      appversion.Gate

	// Base64Passwords reads a password that is not encrypted as base64.
	Base64Passwords bool

	Introspection bool // for everybody, not just those with developer.read.all

	// FieldByField answers every list as gqlgen does, without plans: what these
	// are measured and tested against.
	FieldByField bool

	Answers *Answers // of the directory; nil keeps none

	keys      keys
	faces     *sealed.Sealer
	texts     *sealed.Sealer
	ring      keyring
	callers   *identity.Cache
	wake      chan struct{} // tells the outbox that there is something to send
	random    io.Reader
	Limits    Limits
	Lifetimes Lifetimes
	carrier   Carrier
}

// Limits are how many events of one network address are taken in an hour.
type Limits struct {
	Registrations int // of new devices
	Codes         int // one-time codes asked for
	Failures      int // failed sign-ins
	Encryptions   int // passwords encrypted for clients
}

// DefaultLimits are those of an installation that sets none.
var DefaultLimits = Limits{Registrations: 300, Codes: 200, Failures: 100, Encryptions: 200}

// keys are the secrets of one purpose each.
type keys struct {
	codes    []byte // digests of one-time codes
	accounts []byte // digests of accounts and typed names
	requests []byte // fingerprints of request bodies
	tokens   []byte // successors of tokens
	faces    []byte // digests of faces
	rates    []byte // digests of what is counted
}

// New returns a resolver whose secrets are derived from key. The caller sets
// the exported fields.
func New(key sealed.Key, carrier Carrier) *Resolver {
	return &Resolver{
		keys: keys{
			codes: key.Derive("one-time codes"), accounts: key.Derive("accounts"), requests: key.Derive("requests"),
			tokens: key.Derive("tokens"), faces: key.Derive("face digests"), rates: key.Derive("rate windows"),
		},
		faces:     sealed.NewSealer("faces", key),
		texts:     sealed.NewSealer("messages", key),
		ring:      keyring{sealer: sealed.NewSealer("password keys", key)},
		callers:   identity.New(),
		wake:      make(chan struct{}, 1),
		random:    rand.Reader,
		carrier:   carrier,
		Limits:    DefaultLimits,
		Lifetimes: DefaultLifetimes,
		Country:   "ID",
	}
}
