package authentication

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"workforce/ent"
	entToken "workforce/ent/token"
	"workforce/ent/widgettoken"
	"workforce/internal/app/apptest"
	"workforce/internal/app/auth/credential"
	"workforce/internal/appversion"
	"workforce/internal/audittrail"
	"workforce/internal/errs"
	"workforce/internal/request"
	"workforce/internal/rootfield"
	"workforce/internal/token"
	"workforce/internal/viewer"
)

// A world is a company with a signed-in user, and an authenticator.
type world struct {
	*apptest.World
	who     *Authenticator
	user    *ent.User
	device  *ent.Device
	session *ent.Session
	texts   map[token.Kind]string // one valid token of each kind
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{World: apptest.New(t), texts: map[token.Kind]string{}}
	w.who = &Authenticator{DB: w.DB, Now: w.Now, Cache: credential.New()}
	w.user = w.User(t, "Budi")
	var hash []byte
	w.texts[token.Device], hash = newToken(t, token.Device)
	w.device = w.DB.Device.Create().SetDeviceID("a").SetPlatform("ios").SetTokenHash(hash).SetCreatedAt(w.Now()).SaveX(w.System())
	w.session = w.DB.Session.Create().SetCompanyID(w.Company.ID).SetUserID(w.user.ID).SetDeviceID(w.device.ID).
		SetFamily(hash[:16]).SetCreatedAt(w.Now()).SaveX(w.System())
	for _, kind := range []token.Kind{token.Access, token.Refresh, token.User} {
		w.texts[kind] = w.give(t, kind)
	}
	return w
}

func newToken(t *testing.T, kind token.Kind) (text string, hash []byte) {
	t.Helper()
	n, err := token.New(kind, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	digest := n.Hash()
	return n.Text(), digest[:]
}

// give gives the session a token for an hour, changed by changes.
func (w *world) give(t *testing.T, kind token.Kind, changes ...func(*ent.TokenCreate)) string {
	t.Helper()
	text, hash := newToken(t, kind)
	create := w.DB.Token.Create().SetCompanyID(w.Company.ID).SetSessionID(w.session.ID).SetKind(entToken.Kind(kind.Name())).
		SetHash(hash).SetGeneration(1).SetIssuedAt(w.Now()).SetExpiresAt(w.Now().Add(time.Hour))
	for _, change := range changes {
		change(create)
	}
	create.ExecX(w.System())
	return text
}

func (w *world) expired(t *testing.T, kind token.Kind) string {
	return w.give(t, kind, func(c *ent.TokenCreate) { c.SetExpiresAt(w.Now()) })
}

func (w *world) revoked(t *testing.T, kind token.Kind) string {
	return w.give(t, kind, func(c *ent.TokenCreate) { c.SetRevokedAt(w.Now()) })
}

// identify returns the context of a request with headers: names and values in turn.
func (w *world) identify(kinds []token.Kind, headers ...string) context.Context {
	return w.identifyIn(context.Background(), kinds, headers...)
}

// identifyIn is identify for a request within a context.
func (w *world) identifyIn(within context.Context, kinds []token.Kind, headers ...string) context.Context {
	h := http.Header{}
	for pair := range slices.Chunk(headers, 2) {
		h.Set(pair[0], pair[1])
	}
	info := &request.Info{
		ID: "r1", Language: h.Get("X-Language"), AppVersion: h.Get("X-App-Version"),
		Addr: netip.MustParseAddr("192.0.2.1"), Header: h, Reply: http.Header{},
	}
	r := httptest.NewRequest("POST", "/", nil).WithContext(request.NewContext(within, info))
	r.Header = h
	if kinds == nil || w.who.gated(h) {
		kinds = allKinds
	}
	return w.who.identify(r.Context(), h, rootfield.Needs{Kinds: kinds})
}

// TestWrap looks up what the operation of a path takes; without one, the access token
// alone where there is one.
func TestWrap(t *testing.T) {
	w := newWorld(t)
	refresh := operation(t, w.who, "{refresh}")
	tests := []struct {
		name    string
		needs   []token.Kind // nil where only the body tells
		headers []string
		want    []token.Kind
	}{
		{"the operation's", w.who.Fields.Needs(refresh).Kinds, []string{"X-Access-Token", w.texts[token.Access]}, []token.Kind{token.Device, token.Refresh}},
		{"access alone", nil, []string{"X-Access-Token", w.texts[token.Access], "X-Device-Token", w.texts[token.Device]},
			[]token.Kind{token.Access, token.Key}},
		{"all without one", nil, []string{"X-Device-Token", w.texts[token.Device]}, append(slices.Clone(allKinds),
			token.Key)},
	}
	for _, tt := range tests {
		r := httptest.NewRequest("POST", "/", nil)
		for pair := range slices.Chunk(tt.headers, 2) {
			r.Header.Set(pair[0], pair[1])
		}
		var got []token.Kind
		next := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			got = slices.Sorted(maps.Keys(credential.LookupFrom(r.Context()).Credentials))
		})
		needs := func(*http.Request) (rootfield.Needs, bool) { return rootfield.Needs{Kinds: tt.needs}, tt.needs != nil }
		w.who.Wrap(next, needs).ServeHTTP(httptest.NewRecorder(), r)
		if want := slices.Sorted(slices.Values(tt.want)); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", tt.name, got, want)
		}
	}
}

// schema has a field for each kind of token requirement.
const schema = `
directive @token(kinds: [TokenKind!]!, all: Boolean, optional: Boolean, expired: Boolean, also: [TokenKind!], fresh: Boolean) on FIELD_DEFINITION
directive @access(public: Boolean) on FIELD_DEFINITION
enum TokenKind { ACCESS REFRESH USER DEVICE }
type Query {
  own: Int @access(public: true)
  exact: Int @token(kinds: [ACCESS], fresh: true) @access(public: true)
  login: Int @token(kinds: [DEVICE]) @access(public: true)
  verify: Int @token(kinds: [DEVICE, USER], all: true) @access(public: true)
  logout: Int @token(kinds: [ACCESS, REFRESH], expired: true) @access(public: true)
  register: Int @token(kinds: [DEVICE], optional: true) @access(public: true)
  refresh: Int @token(kinds: [REFRESH], also: [DEVICE]) @access(public: true)
}`

func operation(t *testing.T, who *Authenticator, text string) *ast.OperationDefinition {
	t.Helper()
	s := gqlparser.MustLoadSchema(&ast.Source{Input: schema})
	fields, err := rootfield.Load(s)
	if err != nil {
		t.Fatal(err)
	}
	who.Fields = fields
	return gqlparser.MustLoadQueryWithRules(s, text, nil).Operations[0]
}

func reason(c *credential.Credential) string { return string(c.Reason) }

// TestHeaderOrBearer chooses between a kind's own header and the bearer value.
func TestHeaderOrBearer(t *testing.T) {
	w := newWorld(t)
	good, another := w.texts[token.Access], w.give(t, token.Access)
	unknown, _ := newToken(t, token.Access)
	expired, revoked := w.expired(t, token.Access), w.revoked(t, token.Access)
	tests := []struct {
		name, header, authorization string
		want, reason                string
		bearer                      bool
	}{
		{"none", "", "", "", "missing", false},
		{"header", good, "", good, "", false},
		{"bearer", "", "Bearer " + good, good, "", true},
		{"bearer in another case, with spaces", "", "bearer   " + good + " ", good, "", true},
		{"another scheme", "", "Basic " + good, "", "missing", false},
		{"bearer without a value", "", "Bearer ", "", "missing", false},
		{"both: the header first", good, "Bearer " + another, good, "", false},
		{"the first valid one", expired, "Bearer " + good, good, "", true},
		{"unknown header, valid bearer", unknown, "Bearer " + good, good, "", true},
		{"garbage, valid bearer", "garbage", "Bearer " + good, good, "", true},
		{"bearer of another kind", "", "Bearer " + w.texts[token.Refresh], "", "missing", false},
		{"header of another kind", w.texts[token.Refresh], "", "", "invalid", false},
		{"the header's reason", expired, "Bearer " + revoked, expired, "expired", false},
		{"the header's reason, the other way round", revoked, "Bearer " + expired, revoked, "revoked", false},
		{"the bearer's reason", "", "Bearer " + expired, expired, "expired", true},
		{"expired header, bearer of another kind", expired, "Bearer " + w.texts[token.User], expired, "expired", false},
		{"garbage as bearer is of every kind", "", "Bearer garbage", "", "invalid", true},
		{"unknown", unknown, "", unknown, "invalid", false},
	}
	for _, tt := range tests {
		headers := []string{"X-Access-Token", tt.header, "Authorization", tt.authorization}
		ctx := w.identify([]token.Kind{token.Access}, headers...)
		c := credential.From(ctx, token.Access)
		if reason(c) != tt.reason || c.Bearer != tt.bearer || tt.want != "" && c.Sent.Hash != token.Hash(tt.want) {
			t.Errorf("%s: %q, bearer %v, the wanted token %v; want %q, bearer %v", tt.name, c.Reason, c.Bearer, c.Sent.Hash == token.Hash(tt.want), tt.reason, tt.bearer)
		}
		if got := viewer.From(ctx).UserID; (got == w.user.ID) != (tt.reason == "") {
			t.Errorf("%s: viewer %d", tt.name, got)
		}
	}
}

func TestEachKindHasItsHeader(t *testing.T) {
	w := newWorld(t)
	for kind, header := range map[token.Kind]string{
		token.Access: "X-Access-Token", token.Refresh: "X-Refresh-Token", token.User: "X-User-Token", token.Device: "X-Device-Token",
	} {
		for _, headers := range [][]string{{header, w.texts[kind]}, {"Authorization", "Bearer " + w.texts[kind]}} {
			ctx := w.identify(nil, headers...)
			for _, other := range allKinds {
				want := "missing"
				if other == kind {
					want = ""
				}
				if got := reason(credential.From(ctx, other)); got != want {
					t.Errorf("%s with a %s token: %s is %q, want %q", headers[0], kind, other, got, want)
				}
			}
		}
	}
	if ctx := w.identify([]token.Kind{token.User}, "X-Access-Token", w.texts[token.Access]); credential.From(ctx, token.Access).Reason != credential.Missing {
		t.Error("a kind that the request may not use is looked up")
	}
}

// TestNextDeviceToken ends a device's token with the first use of the next.
func TestNextDeviceToken(t *testing.T) {
	w := newWorld(t)
	old := w.texts[token.Device]
	next, hash := newToken(t, token.Device)
	w.DB.Device.UpdateOne(w.device).SetNextTokenHash(hash).ExecX(w.System())
	w.who.Cache.Watch(w.DB)
	for i, step := range []struct{ use, want string }{{old, ""}, {old, ""}, {next, ""}, {old, "revoked"}, {next, ""}} {
		ctx := w.identify([]token.Kind{token.Device}, "X-Device-Token", step.use)
		if got := reason(credential.From(ctx, token.Device)); got != step.want {
			t.Errorf("use %d: %q, want %q", i+1, got, step.want)
		}
	}
	d := w.DB.Device.GetX(w.System(), w.device.ID)
	if string(d.TokenHash) != string(hash) || d.NextTokenHash != nil && *d.NextTokenHash != nil {
		t.Errorf("device %v, want the next token in use", d)
	}
	former := w.DB.FormerDeviceToken.Query().OnlyX(w.System())
	if string(former.Hash) != string(w.device.TokenHash) || former.DeviceID != d.ID || !former.ReplacedAt.Equal(w.Now()) {
		t.Errorf("former token %v", former)
	}
}

// TestCheck asks for what a field takes. The codes are token and reason of each
// refused field.
func TestCheck(t *testing.T) {
	w := newWorld(t)
	access, refresh, user, device := w.texts[token.Access], w.texts[token.Refresh], w.texts[token.User], w.texts[token.Device]
	expired, revoked := w.expired(t, token.Access), w.revoked(t, token.Access)
	tests := []struct {
		name, query string
		headers     []string
		want        []string
	}{
		{"access token", "{own}", []string{"X-Access-Token", access}, nil},
		{"none", "{own}", nil, []string{"own access missing"}},
		{"another kind", "{own}", []string{"X-Refresh-Token", refresh}, []string{"own access missing"}},
		{"expired", "{own}", []string{"X-Access-Token", expired}, []string{"own access expired"}},
		{"every kind of two", "{verify}", []string{"X-Device-Token", device, "X-User-Token", user}, nil},
		{"one of two, where both are needed", "{verify}", []string{"X-Device-Token", device}, []string{"verify user missing"}},
		{"the other", "{verify}", []string{"X-User-Token", user}, []string{"verify device missing"}},
		{"the bad one is to blame, not the missing one", "{verify}", []string{"X-User-Token", access}, []string{"verify user invalid"}},
		{"expired, at logout", "{logout}", []string{"X-Access-Token", expired}, nil},
		{"revoked, at logout", "{logout}", []string{"X-Access-Token", revoked}, []string{"logout access revoked"}},
		{"the other of two, at logout", "{logout}", []string{"X-Access-Token", revoked, "X-Refresh-Token", refresh}, nil},
		{"expired refresh token, at logout", "{logout}", []string{"X-Refresh-Token", w.expired(t, token.Refresh)}, []string{"logout refresh expired"}},
		{"nothing, at logout", "{logout}", nil, []string{"logout access missing"}},
		{"optional: none", "{register}", nil, nil},
		{"optional: garbage", "{register}", []string{"X-Device-Token", "garbage"}, nil},
		{"looked up besides", "{refresh}", []string{"X-Refresh-Token", refresh, "X-Device-Token", "garbage"}, nil},
		{"each field, by its alias", "{a: own b: login register}", nil, []string{"a access missing", "b device missing"}},
		{"a field twice", "{own own}", nil, []string{"own access missing"}},
		{"what may be left out", "{own @skip(if: true) ... @include(if: false) {login} __typename}", nil, nil},
		{"in a fragment", "{...f} fragment f on Query {login}", nil, []string{"login device missing"}},
	}
	for _, tt := range tests {
		op := operation(t, w.who, tt.query)
		ctx := w.identify(w.who.Fields.Needs(op).Kinds, tt.headers...)
		var got []string
		for _, e := range w.who.Check(ctx, op) {
			meta := errs.As(e).Meta
			got = append(got, fmt.Sprintf("%s %v %v", e.Path, meta["token"], meta["reason"]))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: want -, got +\n%s", tt.name, diff)
		}
	}
	op := operation(t, w.who, "{own}")
	if got := len(w.who.Check(t.Context(), op)); got != 1 {
		t.Errorf("a request that nobody looked at: %d errors, want 1", got)
	}
}

func TestCheckField(t *testing.T) {
	w := newWorld(t)
	operation(t, w.who, "{own}")
	ctx := w.identify(nil, "X-Access-Token", w.texts[token.Access])
	for name, want := range map[string]string{"own": "", "login": "UNAUTHENTICATED", "register": "", "logout": "", "__typename": ""} {
		if got := apptest.Code(w.who.CheckField(ctx, name)); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if got := apptest.Code(w.who.CheckField(t.Context(), "own")); got != "UNAUTHENTICATED" {
		t.Errorf("a request that nobody looked at: %q", got)
	}
}

// TestFreshLookUps reads from the database what the cache does not know: another
// instance revoked the token.
func TestFreshLookUps(t *testing.T) {
	w := newWorld(t)
	access := w.texts[token.Access]
	w.identify(nil, "X-Access-Token", access)
	w.DB.Token.Update().SetRevokedAt(w.Now()).ExecX(w.System()) // nobody watches
	for query, want := range map[string]int{"{own}": 0, "{exact}": 1, "{own exact}": 2} {
		op := operation(t, w.who, query)
		ctx := w.identify(w.who.Fields.Needs(op).Kinds, "X-Access-Token", access)
		before := viewer.From(ctx)
		if got := len(w.who.Check(ctx, op)); got != want {
			t.Errorf("%s: %d errors, want %d", query, got, want)
		}
		if before.UserID != w.user.ID {
			t.Errorf("%s: viewer %v", query, before)
		}
	}
}

func TestLanguage(t *testing.T) {
	w := newWorld(t)
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.User.UpdateOne(w.user).SetLocale("en").Exec(ctx)
	})
	tests := []struct {
		name    string
		headers []string
		want    string
	}{
		{"nobody", nil, ""},
		{"the user's", []string{"X-Access-Token", w.texts[token.Access]}, "en"},
		{"the request's", []string{"X-Access-Token", w.texts[token.Access], "X-Language", "id"}, "id"},
		{"of a user token", []string{"X-User-Token", w.texts[token.User]}, "en"},
		{"of an expired token", []string{"X-Refresh-Token", w.expired(t, token.Refresh)}, "en"},
		{"a device has none", []string{"X-Device-Token", w.texts[token.Device]}, ""},
	}
	for _, tt := range tests {
		if got := request.From(w.identify(nil, tt.headers...)).Language; got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.User.UpdateOne(w.user).SetLocale("").Exec(ctx)
	})
	if got := request.From(w.identify(nil, "X-User-Token", w.give(t, token.User))).Language; got != w.Company.Locale {
		t.Errorf("of a user without one: %q, want their company's", got)
	}
}

func TestTrail(t *testing.T) {
	w := newWorld(t)
	tests := []struct {
		name    string
		headers []string
		known   bool
	}{
		{"access token", []string{"X-Access-Token", w.texts[token.Access]}, true},
		{"expired access token", []string{"X-Access-Token", w.expired(t, token.Access)}, true},
		{"revoked access token", []string{"X-Access-Token", w.revoked(t, token.Access)}, false},
		{"revoked access token, valid refresh token", []string{"X-Access-Token", w.revoked(t, token.Access), "X-Refresh-Token", w.texts[token.Refresh]}, true},
		{"user token", []string{"X-User-Token", w.texts[token.User]}, true},
		{"device token", []string{"X-Device-Token", w.texts[token.Device]}, false},
		{"none", nil, false},
	}
	for _, tt := range tests {
		trail, ok := audittrail.From(w.identify(nil, tt.headers...))
		if !ok || (trail.ActorID == w.user.ID) != tt.known || trail.Address != "192.0.2.1" || trail.RequestID != "r1" {
			t.Errorf("%s: %+v, want actor known %v", tt.name, trail, tt.known)
		}
	}
}

// TestPlatform refuses old versions of an app on the platform that a token names.
func TestPlatform(t *testing.T) {
	w := newWorld(t)
	gate, err := appversion.ParseGate("ios=2.0.0", "")
	if err != nil {
		t.Fatal(err)
	}
	w.who.Gate = gate
	op := operation(t, w.who, "{register}")
	tests := []struct {
		name     string
		headers  []string
		platform string // of the registration
		want     [2]string
	}{
		{"old, by device token", []string{"X-Device-Token", w.texts[token.Device], "X-App-Version", "1.9"}, "", [2]string{"UPGRADE_REQUIRED", ""}},
		{"old, by a token that the field does not take", []string{"X-Access-Token", w.texts[token.Access], "X-App-Version", "1.9"}, "", [2]string{"UPGRADE_REQUIRED", ""}},
		{"new", []string{"X-Device-Token", w.texts[token.Device], "X-App-Version", "2.0"}, "", [2]string{}},
		{"without a version", []string{"X-Device-Token", w.texts[token.Device]}, "", [2]string{}},
		{"old, registers", []string{"X-App-Version", "1.9"}, "ios", [2]string{"", "UPGRADE_REQUIRED"}},
		{"old, registers as another", []string{"X-App-Version", "1.9"}, "android", [2]string{}},
		{"the token's platform counts", []string{"X-Device-Token", w.texts[token.Device], "X-App-Version", "2.0"}, "ios", [2]string{}},
	}
	for _, tt := range tests {
		ctx := w.identify([]token.Kind{token.Device}, tt.headers...)
		var got [2]string
		if list := w.who.Check(ctx, op); len(list) > 0 {
			got[0] = apptest.Code(list[0])
		}
		got[1] = apptest.Code(w.who.CheckPlatform(ctx, tt.platform))
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestLookUpFails answers with the error of the database, not UNAUTHENTICATED, also where
// a second look-up would succeed: the request's context has no viewer by then.
func TestLookUpFails(t *testing.T) {
	w := newWorld(t)
	op := operation(t, w.who, "{login}")
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	ctx := w.identifyIn(gone, []token.Kind{token.Device}, "X-Device-Token", w.texts[token.Device])
	for _, ctx := range []context.Context{ctx, context.WithoutCancel(ctx)} {
		list := w.who.Check(ctx, op)
		if len(list) != 1 || !errors.Is(list[0], context.Canceled) {
			t.Errorf("%v, want the error of the database", list)
		}
	}
}

// TestWidget takes the token of a widget for an access token, where the operation is that of the widget alone.
func TestWidget(t *testing.T) {
	w := newWorld(t)
	text, hash := newToken(t, token.Widget)
	w.DB.WidgetToken.Create().SetCompanyID(w.Company.ID).SetSessionID(w.session.ID).SetPersonID(w.user.ID).
		SetWidget(widgettoken.WidgetTasks).SetOrigin("https://a.example").SetHash(hash).
		SetIssuedAt(w.Now()).SetExpiresAt(w.Now().Add(time.Minute)).SaveX(w.System())
	access := []token.Kind{token.Access}
	tests := []struct {
		name, widget, header, text string
		want                       credential.Reason
		who                        int
	}{
		{"its own", "tasks", "Authorization", "Bearer " + text, credential.Valid, w.user.ID},
		{"another", "ticket", "Authorization", "Bearer " + text, credential.Invalid, 0},
		{"none", "", "Authorization", "Bearer " + text, credential.Missing, 0},
		{"in the header of access tokens", "tasks", "X-Access-Token", text, credential.Invalid, 0},
		{"an access token", "tasks", "X-Access-Token", w.texts[token.Access], credential.Valid, w.user.ID},
		{"nothing", "tasks", "X-Req-Id", "1", credential.Missing, 0},
	}
	for _, tt := range tests {
		h := http.Header{}
		h.Set(tt.header, tt.text)
		ctx := request.NewContext(t.Context(), &request.Info{Header: h, Reply: http.Header{}})
		ctx = w.who.identify(ctx, h, rootfield.Needs{Kinds: access, Widget: tt.widget})
		if c := credential.From(ctx, token.Access); c.Reason != tt.want || viewer.From(ctx).UserID != tt.who {
			t.Errorf("%s: %q of %d, want %q of %d", tt.name, c.Reason, viewer.From(ctx).UserID, tt.want, tt.who)
		}
	}
}
