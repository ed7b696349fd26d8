package graph

import (
	"cmp"
	"context"
	"net/http"
	"strings"

	"workforce/ent"
	"workforce/ent/device"
	"workforce/graph/identity"
	"workforce/internal/request"
	"workforce/internal/token"
)

// headers names the header of each kind of token.
var headers = map[token.Kind]string{
	token.Access: "X-Access-Token", token.Refresh: "X-Refresh-Token", token.User: "X-User-Token", token.Device: "X-Device-Token",
}

// sentAs returns the request's tokens that may be of a kind: its own header
// first, then the bearer value, where a token of another kind is passed over.
func sentAs(kind token.Kind, h http.Header) []identity.Sent {
	var all []identity.Sent
	if text := h.Get(headers[kind]); text != "" {
		all = append(all, identity.Parse(kind, text))
	}
	if text, ok := bearer(h.Get("Authorization")); ok {
		if t, err := token.Parse(text); err != nil || t.Kind() == kind {
			all = append(all, identity.Parse(kind, text))
		}
	}
	return all
}

func bearer(authorization string) (string, bool) {
	scheme, text, ok := strings.Cut(authorization, " ")
	text = strings.TrimSpace(text)
	return text, ok && strings.EqualFold(scheme, "Bearer") && text != ""
}

// claims finds out what the request's tokens of some kinds stand for, in one
// statement at most. What was found out less than identity.Life ago will do
// unless it is to be anew.
func (r *Resolver) claims(ctx context.Context, kinds []token.Kind, anew bool) (claims, error) {
	h := request.From(ctx).Header
	var sent []identity.Sent
	for _, kind := range kinds {
		sent = append(sent, sentAs(kind, h)...)
	}
	known, err := r.callers.Of(ctx, r.DB, sent, r.Now(), anew)
	if err != nil {
		return nil, err
	}
	all := make(claims, len(kinds))
	for _, kind := range kinds {
		if all[kind], err = r.claim(ctx, kind, sent, known); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// claim judges the tokens that were sent as one kind: the first that counts is
// it. The reason is that of its own header, else of the bearer.
func (r *Resolver) claim(ctx context.Context, kind token.Kind, sent []identity.Sent, known map[identity.Digest]*identity.Identity) (*claim, error) {
	var first *claim
	for _, s := range sent {
		if s.Kind != kind {
			continue
		}
		c, err := r.judge(ctx, s, known[s.Hash])
		if err != nil || c.reason == valid {
			return c, err
		}
		first = cmp.Or(first, c)
	}
	return cmp.Or(first, &claim{kind: kind, reason: missing}), nil
}

// judge says whether a token counts now, given what is known of it. The first
// use of a device's token that is to take over ends the one before it.
func (r *Resolver) judge(ctx context.Context, s identity.Sent, i *identity.Identity) (*claim, error) {
	if i == nil || i.Kind != s.Kind {
		return &claim{kind: s.Kind, reason: invalid}, nil
	}
	c := &claim{kind: s.Kind, reason: i.Standing(r.Now()), Identity: i}
	if c.reason != valid || !i.Device.Next {
		return c, nil
	}
	err := ent.FromContext(ctx).Device.Update().Where(device.ID(i.Device.ID), device.NextTokenHash(s.Hash[:])).
		SetTokenHash(s.Hash[:]).ClearNextTokenHash().Exec(ctx)
	return c, err
}
