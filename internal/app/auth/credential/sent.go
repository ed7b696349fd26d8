package credential

import (
	"crypto/sha256"

	"workforce/internal/token"
)

// A Digest is what is stored of a token.
type Digest = [sha256.Size]byte

// A Sent token is one of a request: what its text says without the database.
type Sent struct {
	Kind token.Kind // that it is to be of
	Hash Digest
	OK   bool // the text has the form of a token of that kind
}

// Parse reads the text of a token that is to be of a kind.
func Parse(kind token.Kind, text string) Sent {
	t, err := token.Parse(text)
	if err != nil || t.Kind() != kind {
		return Sent{Kind: kind}
	}
	return Sent{kind, t.Hash(), true}
}
