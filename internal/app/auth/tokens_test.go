package auth

import (
	"slices"
	"testing"
	"time"

	"workforce/ent"
	entToken "workforce/ent/token"
	"workforce/graph/model"
	"workforce/internal/app/auth/credential"
	"workforce/internal/token"
	"workforce/internal/viewer"
)

// tokensOf returns the rows of a session's tokens of a generation, access before
// refresh.
func (w *world) tokensOf(s *ent.Session, generation int) []*ent.Token {
	return w.DB.Token.Query().Where(entToken.SessionID(s.ID), entToken.Generation(generation), entToken.KindNEQ(entToken.KindUser)).
		Order(ent.Asc(entToken.FieldID)).AllX(w.System())
}

// pairRows is what is stored of a pair that is issued now.
func (w *world) pairRows(s *ent.Session, pair *model.TokenPair, generation, firstID int) []*ent.Token {
	access, refresh := token.Hash(pair.AccessToken), token.Hash(pair.RefreshToken)
	return []*ent.Token{{
		ID: firstID, CompanyID: s.CompanyID, SessionID: s.ID, Kind: entToken.KindAccess, Hash: access[:], Generation: generation,
		IssuedAt: w.Now(), ExpiresAt: w.Now().Add(15 * time.Minute),
	}, {
		ID: firstID + 1, CompanyID: s.CompanyID, SessionID: s.ID, Kind: entToken.KindRefresh, Hash: refresh[:], Generation: generation,
		IssuedAt: w.Now(), ExpiresAt: w.Now().Add(30 * 24 * time.Hour),
	}}
}

func TestPairIsDerived(t *testing.T) {
	w := newWorld(t)
	one, two := &ent.Session{Family: []byte("family 1 of 16 b")}, &ent.Session{Family: []byte("family 2 of 16 b")}
	var all []string
	for _, s := range []*ent.Session{one, two} {
		for _, generation := range []int{1, 2} {
			s.Generation = generation
			access, refresh := pair(w.auth.sessions.key.Key(), s)
			again, _ := pair(newWorld(t).auth.sessions.key.Key(), s)
			if again != access || access.Kind() != token.Access || refresh.Kind() != token.Refresh {
				t.Errorf("pair %v, %v", access, refresh)
			}
			all = append(all, access.Text()[4:], refresh.Text()[4:])
		}
	}
	slices.Sort(all)
	if n := len(slices.Compact(all)); n != 8 {
		t.Errorf("%d secrets, want 8", n)
	}
}

func TestAccessToken(t *testing.T) {
	w := newWorld(t)
	u := w.person(t, "Budi")
	d, row := w.device(t, "a")
	another, anotherRow := w.device(t, "b")
	out, err := w.login(t, d, u.Email, secret)
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.accessToken(w.request(t, out.UserToken))
	wantCode(t, "before the code", err, "VERIFICATION_REQUIRED")
	wantCode(t, "verify", w.verify(t, d, out.UserToken, w.lastCode(t, u)), "")
	_, err = w.accessToken(w.request(t, another, out.UserToken))
	wantCode(t, "with another device's token", err, "UNAUTHENTICATED")

	first, err := w.accessToken(w.request(t, d, out.UserToken))
	if err != nil {
		t.Fatal(err)
	}
	wantEqual(t, "answer", first, &model.TokenPair{
		UserID: u.ID, AccessToken: first.AccessToken, RefreshToken: first.RefreshToken, TokenType: "Bearer", ExpiresIn: 900, RefreshExpiresIn: 30 * 24 * 3600,
	})
	s := w.sessionOf(1)
	wantEqual(t, "session", s, &ent.Session{
		ID: 1, CompanyID: u.CompanyID, UserID: u.ID, DeviceID: row.ID, Family: s.Family, Generation: 1, CreatedAt: w.Now(),
		VerifiedAt: new(w.Now()), EndsAt: new(later(90 * 24 * time.Hour)),
	})
	wantEqual(t, "tokens", w.tokensOf(s, 1), w.pairRows(s, first, 1, 2))

	w.Advance(time.Minute)
	stale := w.request(t, out.UserToken)
	second, err := w.accessToken(w.request(t, out.UserToken)) // the device token may be left out
	if err != nil {
		t.Fatal(err)
	}
	s = w.sessionOf(1)
	if s.Generation != 2 || !s.EndsAt.Equal(later(90*24*time.Hour)) {
		t.Errorf("session %v, want generation 2 and the same end", s)
	}
	wantEqual(t, "tokens", w.tokensOf(s, 2), w.pairRows(s, second, 2, 4))
	for _, old := range w.tokensOf(s, 1) {
		if old.RevokedAt == nil || !old.RevokedAt.Equal(w.Now()) || old.SpentAt != nil {
			t.Errorf("replaced token %v, want revoked", old)
		}
	}
	for text, want := range map[string]credential.Reason{
		first.AccessToken: credential.Revoked, first.RefreshToken: credential.Revoked,
		second.AccessToken: credential.Valid, second.RefreshToken: credential.Valid, out.UserToken: credential.Valid,
	} {
		if got := w.reasonOf(t, text); got != want {
			t.Errorf("token %s: %q, want %q", text[:3], got, want)
		}
	}
	w.DB.Session.UpdateOneID(1).SetRevokedAt(w.Now()).ExecX(w.System())
	_, err = w.accessToken(stale)
	wantCode(t, "of a session that ended meanwhile", err, "UNAUTHENTICATED")
	w.DB.Device.UpdateOneID(anotherRow.ID).SetRevokedAt(w.Now()).ExecX(w.System())
	_, err = w.accessToken(w.request(t, another, out.UserToken))
	wantCode(t, "with a revoked device's token", err, "UNAUTHENTICATED")
}

// TestSameDevice tells which device tokens may be sent along.
func TestSameDevice(t *testing.T) {
	of := func(id int, reason credential.Reason, bearer bool) *credential.Credential {
		return &credential.Credential{Kind: token.Device, Reason: reason, Bearer: bearer, Identity: &credential.Identity{Device: credential.Device{ID: id}}}
	}
	tests := []struct {
		name string
		sent *credential.Credential
		want string
	}{
		{"none", nil, ""},
		{"the session's", of(7, credential.Valid, false), ""},
		{"another's", of(8, credential.Valid, false), "UNAUTHENTICATED"},
		{"revoked", of(7, credential.Revoked, false), "UNAUTHENTICATED"},
		{"as the bearer value, which is another token", of(8, credential.Invalid, true), ""},
	}
	for _, tt := range tests {
		ctx := credential.NewContext(t.Context(), &credential.Lookup{Credentials: credential.Credentials{token.Device: tt.sent}})
		wantCode(t, tt.name, sameDevice(ctx, credential.Session{DeviceID: 7}), tt.want)
	}
}

// TestRefresh spends refresh tokens. A step is the number of a pair whose token is
// spent, the time since the step before, and the pair that is wanted, 0 for the end
// of the session.
func TestRefresh(t *testing.T) {
	type step struct {
		spend int
		after time.Duration
		want  int
	}
	const lost = time.Minute
	tests := []struct {
		name  string
		steps []step
	}{
		{"one after the other", []step{{1, time.Hour, 2}, {2, time.Hour, 3}, {3, time.Hour, 4}}},
		{"the answer was lost", []step{{1, time.Hour, 2}, {1, lost, 2}, {2, 0, 3}}},
		{"lost twice", []step{{1, time.Hour, 2}, {1, time.Second, 2}, {1, 59 * time.Second, 2}}},
		{"too late", []step{{1, time.Hour, 2}, {1, lost + time.Microsecond, 0}}},
		{"the successor was used", []step{{1, time.Hour, 2}, {2, time.Second, 3}, {1, time.Second, 0}}},
		{"twice in a row", []step{{1, time.Hour, 2}, {2, time.Second, 3}, {2, time.Second, 3}, {3, 0, 4}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			u := w.person(t, "Budi")
			d, _ := w.device(t, "a")
			in := w.signIn(t, u, d)
			pairs := map[int]*model.TokenPair{1: {AccessToken: in.access, RefreshToken: in.refresh}}
			for _, step := range tt.steps {
				w.newEvents(t)
				w.Advance(step.after)
				got, err := w.refresh(t, pairs[step.spend].RefreshToken)
				s := w.sessionOf(in.session.ID)
				if step.want == 0 {
					wantCode(t, "reuse", err, "UNAUTHENTICATED")
					w.wantEvents(t, "refresh.reused"+sessionFacts(s))
					if s.RevokedAt == nil || !s.RevokedAt.Equal(w.Now()) {
						t.Errorf("session %v, want ended", s)
					}
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				if known := pairs[step.want]; known != nil && (got.AccessToken != known.AccessToken || got.RefreshToken != known.RefreshToken) {
					t.Errorf("another pair for token %d", step.spend)
				}
				if pairs[step.want] == nil {
					pairs[step.want] = got
					wantEqual(t, "tokens", w.tokensOf(s, step.want), w.pairRows(s, got, step.want, 2*step.want))
					if spent := w.tokensOf(s, step.spend)[1]; spent.SpentAt == nil || !spent.SpentAt.Equal(w.Now()) || spent.RevokedAt != nil {
						t.Errorf("token %v, want spent", spent)
					}
				}
				if s.Generation != step.want || s.RevokedAt != nil {
					t.Errorf("session %v, want generation %d", s, step.want)
				}
				w.wantEvents(t)
			}
			want := credential.Valid
			if w.sessionOf(in.session.ID).RevokedAt != nil {
				want = credential.Revoked
			}
			for n, p := range pairs {
				if got := w.reasonOf(t, p.RefreshToken); got != want {
					t.Errorf("refresh token %d: %q, want %q", n, got, want)
				}
			}
		})
	}
}

// TestLostAnswerCountsDown gives the same pair with what is left of its lives.
func TestLostAnswerCountsDown(t *testing.T) {
	w := newWorld(t)
	d, _ := w.device(t, "a")
	in := w.signIn(t, w.person(t, "Budi"), d)
	if _, err := w.refresh(t, in.refresh); err != nil {
		t.Fatal(err)
	}
	w.Advance(20*time.Second + time.Millisecond)
	again, err := w.refresh(t, in.refresh)
	if err != nil || again.ExpiresIn != 880 || again.RefreshExpiresIn != 30*24*3600-20 {
		t.Errorf("%+v, %v; want 880 s and 20 s less than 30 days, rounded up", again, err)
	}
}

func TestRefreshesAtOnce(t *testing.T) {
	w := newWorld(t)
	d, _ := w.device(t, "a")
	in := w.signIn(t, w.person(t, "Budi"), d)
	pairs := make(chan string, 10)
	ctx := w.request(t, in.refresh)
	got := codesOf(10, func() error {
		pair, err := w.auth.RefreshToken(ctx)
		if err == nil {
			pairs <- pair.RefreshToken
		}
		return err
	})
	wantEqual(t, "refreshes", got, map[string]int{"": 10})
	first := <-pairs
	for range 9 {
		if <-pairs != first {
			t.Error("several successors")
		}
	}
}

// TestMisusedRefreshToken ends the session of a token on another device, and of one
// whose pair was replaced.
func TestMisusedRefreshToken(t *testing.T) {
	w := newWorld(t)
	u := w.person(t, "Budi")
	d, _ := w.device(t, "a")
	another, _ := w.device(t, "b")
	in := w.signIn(t, u, d)
	w.newEvents(t)
	_, err := w.refresh(t, another, in.refresh)
	wantCode(t, "on another device", err, "UNAUTHENTICATED")
	w.wantEvents(t, "refresh.reused"+sessionFacts(in.session))
	_, err = w.refresh(t, another, in.refresh)
	wantCode(t, "again", err, "UNAUTHENTICATED")
	w.wantEvents(t)
	if w.sessionOf(in.session.ID).RevokedAt == nil {
		t.Error("the session goes on")
	}

	in = w.signIn(t, u, d)
	stale := w.request(t, in.refresh)
	if _, err := w.accessToken(w.request(t, in.user)); err != nil {
		t.Fatal(err)
	}
	_, err = w.auth.RefreshToken(stale)
	wantCode(t, "of a pair that was replaced", err, "UNAUTHENTICATED")
	if w.sessionOf(in.session.ID).RevokedAt == nil {
		t.Error("the session of a replaced pair goes on")
	}
}

// TestRefreshAfterTheEnd gives nothing for a token of a session that ended
// meanwhile, spent or not.
func TestRefreshAfterTheEnd(t *testing.T) {
	for _, spent := range []bool{false, true} {
		w := newWorld(t)
		d, _ := w.device(t, "a")
		in := w.signIn(t, w.person(t, "Budi"), d)
		ctx := w.request(t, in.refresh)
		if spent {
			if _, err := w.auth.RefreshToken(ctx); err != nil {
				t.Fatal(err)
			}
		}
		w.DB.Session.UpdateOneID(in.session.ID).SetRevokedAt(w.Now()).ExecX(w.System())
		before := w.DB.Token.Query().CountX(w.System())
		_, err := w.auth.RefreshToken(ctx)
		wantCode(t, "after the end", err, "UNAUTHENTICATED")
		if n := w.DB.Token.Query().CountX(w.System()); n != before {
			t.Errorf("spent %v: %d tokens, want %d", spent, n, before)
		}
	}
}

// TestSessionEnds refreshes each 29 days: tokens of the last pair live as long as
// the session, however much that is used.
func TestSessionEnds(t *testing.T) {
	w := newWorld(t)
	d, _ := w.device(t, "a")
	in := w.signIn(t, w.person(t, "Budi"), d)
	const day = 24 * time.Hour
	for _, want := range []int{30, 30, 3} {
		w.Advance(29 * day)
		pair, err := w.refresh(t, in.refresh)
		if err != nil || pair.RefreshExpiresIn != want*24*3600 {
			t.Fatalf("%+v, %v; want %d days", pair, err, want)
		}
		in.access, in.refresh = pair.AccessToken, pair.RefreshToken
	}
	for _, step := range []struct {
		after           time.Duration
		access, refresh credential.Reason
	}{
		{15*time.Minute - time.Microsecond, "", ""}, {time.Microsecond, "expired", ""},
		{3*day - 15*time.Minute - time.Microsecond, "expired", ""}, {time.Microsecond, "expired", "expired"},
	} {
		w.Advance(step.after)
		if a, r := w.reasonOf(t, in.access), w.reasonOf(t, in.refresh); a != step.access || r != step.refresh {
			t.Errorf("after %v more: access %q, refresh %q; want %q, %q", step.after, a, r, step.access, step.refresh)
		}
	}
}

func TestUserTokenExpires(t *testing.T) {
	w := newWorld(t)
	d, _ := w.device(t, "a")
	in := w.signIn(t, w.person(t, "Budi"), d)
	for _, step := range []struct {
		after time.Duration
		want  credential.Reason
	}{{15*time.Minute - time.Microsecond, ""}, {time.Microsecond, "expired"}} {
		w.Advance(step.after)
		if got := w.reasonOf(t, in.user); got != step.want {
			t.Errorf("after %v more: %q, want %q", step.after, got, step.want)
		}
	}
}

func TestLogout(t *testing.T) {
	tests := []struct {
		name string
		by   func(signedIn) []string
		wait time.Duration
	}{
		{"by access token", func(s signedIn) []string { return []string{s.access} }, 0},
		{"by an expired access token", func(s signedIn) []string { return []string{s.access} }, time.Hour},
		{"by refresh token", func(s signedIn) []string { return []string{s.refresh} }, 0},
		{"by both", func(s signedIn) []string { return []string{s.access, s.refresh} }, 0},
	}
	for _, tt := range tests {
		w := newWorld(t)
		u := w.person(t, "Budi")
		d, row := w.device(t, "a")
		other := w.signIn(t, u, d)
		in := w.signIn(t, u, d)
		w.newEvents(t)
		w.Advance(tt.wait)
		ctx := w.request(t, tt.by(in)...)
		got := codesOf(5, func() error { _, err := inTx(w, ctx, w.auth.Logout); return err })
		wantEqual(t, tt.name, got, map[string]int{"": 1, "UNAUTHENTICATED": 4})
		w.wantEvents(t, "session.ended"+sessionFacts(in.session))
		in.session.RevokedAt = new(w.Now())
		wantEqual(t, tt.name, w.sessionOf(in.session.ID), in.session)
		for _, text := range []string{in.user, in.access, in.refresh} {
			if got := w.reasonOf(t, text); got != credential.Revoked {
				t.Errorf("%s: token %s is %q, want revoked", tt.name, text[:3], got)
			}
		}
		if w.reasonOf(t, other.refresh) != credential.Valid || w.reasonOf(t, d) != credential.Valid || w.DB.Device.GetX(w.System(), row.ID).RevokedAt != nil {
			t.Errorf("%s: another session or the device ended", tt.name)
		}
	}
}

func TestTokenInfo(t *testing.T) {
	w := newWorld(t)
	u := w.person(t, "Budi")
	d, _ := w.device(t, "a")
	in := w.signIn(t, u, d)
	w.Advance(time.Minute)
	got, err := w.auth.TokenInfo(w.request(t, in.access))
	if err != nil {
		t.Fatal(err)
	}
	wantEqual(t, "token", got, &model.TokenInfo{
		Active: true, UserID: u.ID, CompanyID: u.CompanyID, DeviceID: "a",
		IssuedAt: later(0), ExpiresAt: later(15 * time.Minute), Permissions: viewer.Permissions(viewer.Employee),
	})
	_, err = w.auth.TokenInfo(w.request(t, in.refresh))
	wantCode(t, "without an access token", err, "UNAUTHENTICATED")
}
