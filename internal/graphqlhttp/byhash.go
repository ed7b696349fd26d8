package graphqlhttp

import (
	"context"
	"fmt"

	"github.com/vektah/gqlparser/v2/ast"

	"workforce/internal/errs"
	"workforce/internal/persisted"
	"workforce/internal/request"
)

// Hashes are the documents that clients may name by their hash.
type Hashes struct {
	Own     persisted.Manifest // of the web app
	Trusted persisted.Manifest // of the operator; nil: clients may send any document
	Kept    *persisted.Store   // what clients sent; nil keeps nothing

	Free func(context.Context) bool // whether the caller may run any document in spite of Trusted; nil: nobody
}

// Known returns the texts of the documents that are the server's or the operator's.
func (h *Hashes) Known() map[string]bool {
	known := map[string]bool{}
	for _, m := range []persisted.Manifest{h.Own, h.Trusted} {
		for _, text := range m {
			known[text] = true
		}
	}
	return known
}

// CheckDocuments fails with the hash of a document that does not fit the schema, and why.
func CheckDocuments(schema *ast.Schema, m persisted.Manifest) error {
	d := newDocuments(schema)
	explain := func(context.Context) bool { return true }
	for hash, text := range m {
		if _, invalid := d.load(context.Background(), text, explain); len(invalid) > 0 {
			return fmt.Errorf("%s: %w", hash, invalid[0].Err)
		}
	}
	return nil
}

// textOf returns the text of a request's document. It fails where the hash is unknown or that
// of another text, and where only listed documents run and this is none of them.
func (a *API) textOf(ctx context.Context, p *params) (string, error) {
	text, known := p.query, false
	if p.byHash {
		text, known = a.Hashes.find(p.hash)
	} else if p.hash != "" && p.hash != persisted.Hash(text) {
		return "", malformed("The hash is not the SHA-256 of the query.")
	}
	switch {
	case a.Hashes.Trusted != nil && !a.Hashes.lists(p, text) && !a.Hashes.free(ctx):
		return "", errs.New(errs.OperationNotTrusted, nil)
	case !p.byHash || known:
		return text, nil
	case a.Hashes.Kept == nil:
		return "", errs.New(errs.PersistedQuery, nil)
	}
	return "", errs.New(errs.PersistedQueryUnknown, nil)
}

// find returns the text of a hash.
func (h *Hashes) find(hash string) (text string, ok bool) {
	for _, m := range []persisted.Manifest{h.Own, h.Trusted} {
		if text, ok = m[hash]; ok {
			return text, true
		}
	}
	if h.Kept == nil {
		return "", false
	}
	return h.Kept.Text(hash)
}

// lists reports whether a document is the web app's or the operator's.
func (h *Hashes) lists(p *params, text string) bool {
	hash := p.hash
	if hash == "" {
		hash = persisted.Hash(text)
	}
	_, own := h.Own[hash]
	_, trusted := h.Trusted[hash]
	return own || trusted
}

func (h *Hashes) free(ctx context.Context) bool { return h.Free != nil && h.Free(ctx) }

// keep keeps a document that a client sent with its hash, once it is known to be valid and the
// client to have a valid token.
func (a *API) keep(ctx context.Context, p *params, text string) {
	info := request.From(ctx)
	if a.Hashes.Kept == nil || p.hash == "" || p.byHash || info.UserID == 0 {
		return
	}
	if _, listed := a.Hashes.find(p.hash); !listed {
		a.Hashes.Kept.Keep(request.Network(info.Addr), p.hash, text)
	}
}
