package graphqlhttp

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"workforce/internal/errs"
	"workforce/internal/persisted"
	"workforce/internal/request"
)

const hello = "{hello}"

// hashed is a request of a text, "" for none, with a hash.
func hashed(text, hash string) string {
	extensions := fmt.Sprintf(`"extensions":{"persistedQuery":{"version":1,"sha256Hash":%q}}`, hash)
	if text == "" {
		return "{" + extensions + "}"
	}
	return fmt.Sprintf(`{"query":%q,%s}`, text, extensions)
}

// hashServer serves an API with hashes to a signed-in user, or to nobody where the request says X-Nobody.
func hashServer(h Hashes) http.Handler {
	api := newAPI(func(ctx context.Context, _ *graphql.OperationContext) (context.Context, gqlerror.List) {
		if info := request.From(ctx); info.Header.Get("X-Nobody") == "" {
			info.UserID = 1
		}
		return ctx, nil
	})
	api.Hashes = h
	srv := serverOf(yes, api)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		info := request.From(r.Context()).Again()
		info.Header, info.Addr, info.Language = r.Header, netip.MustParseAddr("192.0.2.1"), r.Header.Get("X-Language")
		srv.ServeHTTP(w, r.WithContext(request.NewContext(r.Context(), info)))
	})
}

func newStore() *persisted.Store { return persisted.NewStore(time.Now) }

func TestByHash(t *testing.T) {
	srv, hash := hashServer(Hashes{Kept: newStore()}), persisted.Hash(hello)
	for _, step := range []struct {
		name, body string
		status     int
		code       string
	}{
		{"unknown", hashed("", hash), 200, "PERSISTED_QUERY_NOT_FOUND"},
		{"the hash of another text", hashed(hello, persisted.Hash("{a:hello}")), 400, "BAD_REQUEST"},
		{"a hash in capitals", hashed(hello, strings.ToUpper(hash)), 400, "BAD_REQUEST"},
		{"another version", strings.Replace(hashed(hello, hash), `"version":1`, `"version":2`, 1), 400, "BAD_REQUEST"},
		{"no hash", `{"extensions":{"persistedQuery":{"version":1}}}`, 400, "BAD_REQUEST"},
		{"no object", `{"extensions":{"persistedQuery":"x"}}`, 400, "BAD_REQUEST"},
		{"without either", `{"extensions":{"persistedQuery":null}}`, 400, "BAD_REQUEST"},
		{"still unknown", hashed("", hash), 200, "PERSISTED_QUERY_NOT_FOUND"},
		{"an invalid document", hashed("{nosuch}", persisted.Hash("{nosuch}")), 200, "BAD_REQUEST"},
		{"an invalid document is not kept", hashed("", persisted.Hash("{nosuch}")), 200, "PERSISTED_QUERY_NOT_FOUND"},
		{"text and hash", hashed(hello, hash), 200, ""},
		{"known", hashed("", hash), 200, ""},
	} {
		got := post(t, srv, step.body)
		code := ""
		if len(got.body.Errors) > 0 {
			code = got.code()
		}
		if got.status != step.status || code != step.code || code == "" && got.text != `{"data":{"hello":"x"}}` {
			t.Errorf("%s: %d %s", step.name, got.status, got.text)
		}
		if h := got.header.Get("Cache-Control"); h != "no-store" {
			t.Errorf("%s: Cache-Control %q", step.name, h)
		}
	}
	extensions := `{"persistedQuery":{"version":1,"sha256Hash":"` + hash + `"}}`
	r := httptest.NewRequest("GET", "/graphql?extensions="+url.QueryEscape(extensions), nil)
	r.Header.Set("GraphQL-Preflight", "1")
	if got := send(t, srv, r); got.text != `{"data":{"hello":"x"}}` {
		t.Errorf("by GET: %s", got.text)
	}
}

// TestMessagesOfHashes has the messages that Apollo's and urql's clients compare, in each language.
func TestMessagesOfHashes(t *testing.T) {
	for _, language := range errs.Languages {
		stores := map[string]*persisted.Store{"PersistedQueryNotFound": newStore(), "PersistedQueryNotSupported": nil}
		for want, kept := range stores {
			got := post(t, hashServer(Hashes{Kept: kept}), hashed("", persisted.Hash(hello)), "X-Language: "+language.String())
			if got.status != 200 || got.body.Errors[0].Message != want {
				t.Errorf("%s: %d %s, want %s", language, got.status, got.text, want)
			}
		}
	}
}

func TestNobodyKeepsADocument(t *testing.T) {
	srv := hashServer(Hashes{Kept: newStore()})
	if got := post(t, srv, hashed(hello, persisted.Hash(hello)), "X-Nobody: 1"); got.text != `{"data":{"hello":"x"}}` {
		t.Errorf("it does not run: %s", got.text)
	}
	if got := post(t, srv, hashed("", persisted.Hash(hello))); got.code() != "PERSISTED_QUERY_NOT_FOUND" {
		t.Errorf("it is kept: %s", got.text)
	}
}

// TestFloodOfHashes sends more new documents than are kept of an address in a minute: all run.
func TestFloodOfHashes(t *testing.T) {
	store := persisted.NewStore(func() time.Time { return time.Unix(0, 0) })
	srv := hashServer(Hashes{Kept: store})
	text := func(i int) string { return fmt.Sprintf("{a%d:hello}", i) }
	for i := range 2 * persisted.MaxNew {
		if got := post(t, srv, hashed(text(i), persisted.Hash(text(i)))); len(got.body.Errors) > 0 {
			t.Fatalf("%d: %s", i, got.text)
		}
	}
	kept := 0
	for i := range 2 * persisted.MaxNew {
		if got := post(t, srv, hashed("", persisted.Hash(text(i)))); len(got.body.Errors) == 0 {
			kept++
		}
	}
	if kept != persisted.MaxNew {
		t.Errorf("%d are kept, want %d", kept, persisted.MaxNew)
	}
}

func TestTrustedDocuments(t *testing.T) {
	const own, trusted, other = "{own:hello}", "{trusted:hello}", "{hello}"
	manifest := func(text string) persisted.Manifest { return persisted.Manifest{persisted.Hash(text): text} }
	h := Hashes{Own: manifest(own), Trusted: manifest(trusted), Kept: newStore()}
	for _, free := range []bool{false, true} {
		h.Free = func(context.Context) bool { return free }
		srv := hashServer(h)
		for name, body := range map[string]string{
			"own by text": quoted(own), "own by hash": hashed("", persisted.Hash(own)),
			"trusted by text": quoted(trusted), "trusted by hash": hashed("", persisted.Hash(trusted)),
			"trusted by both": hashed(trusted, persisted.Hash(trusted)),
		} {
			if got := post(t, srv, body); len(got.body.Errors) > 0 {
				t.Errorf("%s: %s", name, got.text)
			}
		}
		for name, body := range map[string]string{
			"other by text": quoted(other), "other by both": hashed(other, persisted.Hash(other)),
			"other by hash":        hashed("", persisted.Hash(other)),
			"trusted with a space": quoted(trusted + " "), "invalid": quoted("{nosuch}"),
		} {
			got := post(t, srv, body)
			refused := got.status == 403 && got.code() == "OPERATION_NOT_TRUSTED"
			if refused == free {
				t.Errorf("%s, free %v: %d %s", name, free, got.status, got.text)
			}
		}
	}
	if got := post(t, hashServer(Hashes{Trusted: manifest(trusted)}), quoted(other)); got.status != 403 {
		t.Errorf("without Free: %d %s", got.status, got.text)
	}
}

func TestCheckDocuments(t *testing.T) {
	valid := persisted.Manifest{persisted.Hash(hello): hello}
	invalid := persisted.Manifest{persisted.Hash("{nosuch}"): "{nosuch}"}
	if err := CheckDocuments(parsed, valid); err != nil {
		t.Error(err)
	}
	err := CheckDocuments(parsed, invalid)
	if err == nil || !strings.Contains(err.Error(), persisted.Hash("{nosuch}")) ||
		!strings.Contains(err.Error(), "nosuch") {
		t.Errorf("%v does not name the hash and the field", err)
	}
}
