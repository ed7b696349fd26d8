package credential

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect"
	"github.com/google/go-cmp/cmp"

	"workforce/ent"
	"workforce/ent/migrate"
	entToken "workforce/ent/token"
	"workforce/internal/testdb"
	"workforce/internal/token"
	"workforce/internal/viewer"
)

// TestReadIsWhatTheRowsSay compares the statement with what ent loads along the
// edges, for tokens of every kind at once.
func TestReadIsWhatTheRowsSay(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		c, other := w.company(), w.company()
		supervisor, custom := w.builtin(c, "supervisor"), w.role(c, "audit.read.all", "user.write.all")
		boss := w.user(c, supervisor, custom, w.builtin(c, "employee"))
		plain, lonely, stranger := w.user(c, w.builtin(c, "owner")), w.user(c), w.user(other, w.builtin(other, "supervisor"))
		root := w.business(c, nil, plain)
		mine := w.business(c, root, boss)
		below := w.business(c, w.business(c, mine, nil), lonely)
		w.business(c, root, nil)
		w.business(other, nil, stranger)
		w.write(func(tx *ent.Tx) {
			tx.User.UpdateOneID(stranger.ID).SetLocale("").ExecX(w.ctx)
			tx.Company.UpdateOneID(other.ID).SetLocale("en").ExecX(w.ctx)
		})

		var sent []Sent
		for _, u := range []*ent.User{boss, plain, lonely, stranger} {
			s := w.session(t, u)
			for _, kind := range []token.Kind{token.Access, token.Refresh, token.User} {
				_, one := w.give(t, s, kind)
				sent = append(sent, one)
			}
		}
		w.Session.Update().SetVerifiedAt(now).SetEndsAt(now.Add(time.Minute)).ExecX(w.ctx)
		got := read(t, w, append(sent, newSent(t, token.Access), newSent(t, token.Device), Sent{Kind: token.Access})...)
		if len(got) != len(sent) {
			t.Errorf("%d identities, want %d", len(got), len(sent))
		}
		for _, one := range sent {
			if diff := cmp.Diff(w.expected(one), got[one.Hash], cmp.AllowUnexported(Identity{}, Token{}, Session{}, Device{}, viewer.Viewer{})); diff != "" {
				t.Errorf("%s: want -, got +\n%s", one.Kind, diff)
			}
		}
		if teams := got[sent[0].Hash].Viewer.Businesses; !slices.Contains(teams, below.ID) || len(teams) != 3 {
			t.Errorf("businesses of the supervisor: %v, want %d and two more", teams, below.ID)
		}
	})
}

// expected returns what a token stands for by the edges of its row.
func (w *world) expected(sent Sent) *Identity {
	row := w.Token.Query().Where(entToken.Hash(sent.Hash[:])).WithSession(func(q *ent.SessionQuery) {
		q.WithDevice().WithUser(func(q *ent.UserQuery) { q.WithRoles() })
	}).OnlyX(w.ctx)
	s := row.Edges.Session
	d, u := s.Edges.Device, s.Edges.User
	c := w.Company.GetX(w.ctx, u.CompanyID)
	i := &Identity{
		Kind:    sent.Kind,
		Token:   Token{ID: row.ID, Generation: row.Generation, IssuedAt: row.IssuedAt, ExpiresAt: row.ExpiresAt, revoked: row.RevokedAt != nil},
		Session: SessionOf(s),
		Device:  Device{ID: d.ID, DeviceID: d.DeviceID, Platform: string(d.Platform), revoked: d.RevokedAt != nil},
		Locale:  u.Locale, inactive: !u.Active,
		Viewer: viewer.Viewer{UserID: u.ID, CompanyID: u.CompanyID, SessionID: s.ID, DeviceID: d.ID, Timezone: c.Timezone},
	}
	if i.Locale == "" {
		i.Locale = c.Locale
	}
	i.Viewer.Locale = i.Locale
	i.Session.Verified, i.Session.endsAt, i.Session.revoked = s.VerifiedAt != nil, s.EndsAt, s.RevokedAt != nil
	if sent.Kind == token.Access {
		i.Viewer.Permissions = Permissions(u.Edges.Roles)
		i.Viewer.Owner = slices.ContainsFunc(u.Edges.Roles, func(r *ent.Role) bool { return r.Builtin != nil && *r.Builtin == viewer.Owner })
		i.Viewer.Businesses = teamOf(w.managed(u), i.Viewer.Permissions)
	}
	return i
}

// managed returns the businesses that a user manages and all below them, found level
// by level.
func (w *world) managed(u *ent.User) []int {
	in := map[int]bool{}
	for grown := true; grown; {
		grown = false
		for _, b := range w.Business.Query().AllX(w.ctx) {
			mine := b.ManagerID != nil && *b.ManagerID == u.ID || b.ParentID != nil && in[*b.ParentID]
			if mine && !in[b.ID] {
				in[b.ID], grown = true, true
			}
		}
	}
	return slices.Sorted(maps.Keys(in))
}

// TestTeams finds the subtrees of managers.
func TestTeams(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		c := w.company()
		boss, other, employee := w.user(c, w.builtin(c, "supervisor")), w.user(c, w.builtin(c, "supervisor")), w.user(c, w.builtin(c, "employee"))
		low := w.business(c, nil, nil) // is put below the others, whose ids are higher
		root := w.business(c, nil, nil)
		top := w.business(c, root, boss)
		middle := w.business(c, top, boss)
		w.write(func(tx *ent.Tx) { tx.Business.UpdateOne(low).SetParentID(middle.ID).ExecX(w.ctx) })
		theirs := w.business(c, top, other)
		aside := w.business(c, nil, employee)
		second := w.business(c, aside, boss)
		for u, want := range map[*ent.User][]int{
			boss:                                  {low.ID, top.ID, middle.ID, theirs.ID, second.ID},
			other:                                 {theirs.ID},
			employee:                              nil,
			w.user(c, w.builtin(c, "supervisor")): nil,
		} {
			_, first := w.give(t, w.session(t, u), token.Access)
			_, again := w.give(t, w.session(t, u), token.Access)
			_, refresh := w.give(t, w.session(t, u), token.Refresh)
			got := read(t, w, first, again, refresh)
			for _, one := range []Sent{first, again} {
				if team := got[one.Hash].Viewer.Businesses; !slices.Equal(team, want) {
					t.Errorf("team of user %d: %v, want %v", u.ID, team, want)
				}
			}
			if team := got[refresh.Hash].Viewer.Businesses; len(team) > 0 {
				t.Errorf("team of a refresh token: %v", team)
			}
		}
	})
}

// BenchmarkTeam reads the token of somebody who manages two of 10,000 businesses.
func BenchmarkTeam(b *testing.B) {
	for name, open := range map[string]func(testing.TB) string{"sqlite": testdb.SQLite, "mysql": testdb.MySQL} {
		b.Run(name, func(b *testing.B) {
			w := newWorld(b, open(b))
			c := w.company()
			boss := w.user(c, w.builtin(c, "supervisor"))
			top := w.business(c, w.business(c, nil, nil), boss)
			w.business(c, top, nil)
			for range 10 {
				w.write(func(tx *ent.Tx) {
					tx.Business.MapCreateBulk(make([]struct{}, 1000), func(row *ent.BusinessCreate, i int) {
						row.SetCompanyID(c.ID).SetName(fmt.Sprint(i)).SetParentID(*top.ParentID)
					}).ExecX(w.ctx)
				})
			}
			_, sent := w.give(b, w.session(b, boss), token.Access)
			for b.Loop() {
				got, err := Read(w.ctx, w.Client, []Sent{sent})
				if err != nil || len(got[sent.Hash].Viewer.Businesses) != 2 {
					b.Fatal(err)
				}
			}
		})
	}
}

func TestDevices(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		d, sent := w.device(t)
		next := newSent(t, token.Device)
		w.Device.UpdateOne(d).SetNextTokenHash(next.Hash[:]).ExecX(w.ctx)
		got := read(t, w, sent, next)
		want := Device{ID: d.ID, DeviceID: d.DeviceID, Platform: "ios"}
		if i := got[sent.Hash]; i == nil || i.Kind != token.Device || i.Device != want || i.Check(now) != Valid {
			t.Errorf("token in use: %+v", i)
		}
		want.Next = true
		if i := got[next.Hash]; i == nil || i.Kind != token.Device || i.Device != want || i.Check(now) != Valid {
			t.Errorf("next token: %+v", i)
		}
		w.Device.UpdateOne(d).SetRevokedAt(now).ExecX(w.ctx)
		if i := read(t, w, sent)[sent.Hash]; i.Check(now) != Revoked {
			t.Errorf("of a dead device: %+v", i)
		}
	})
}

func TestCheck(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		tests := []struct {
			name   string
			change func(u *ent.User, s *ent.Session, row *ent.Token)
			after  time.Duration
			want   Reason
		}{
			{"at once", nil, 0, Valid},
			{"at its last instant", nil, time.Hour - time.Microsecond, Valid},
			{"at its end", nil, time.Hour, Expired},
			{"session over", func(_ *ent.User, s *ent.Session, _ *ent.Token) { w.Session.UpdateOne(s).SetEndsAt(now).ExecX(w.ctx) }, 0, Expired},
			{"session to end", func(_ *ent.User, s *ent.Session, _ *ent.Token) {
				w.Session.UpdateOne(s).SetEndsAt(now.Add(1)).ExecX(w.ctx)
			}, -1, Valid},
			{"spent", func(_ *ent.User, _ *ent.Session, row *ent.Token) { w.Token.UpdateOne(row).SetSpentAt(now).ExecX(w.ctx) }, 0, Valid},
			{"revoked", func(_ *ent.User, _ *ent.Session, row *ent.Token) {
				w.Token.UpdateOne(row).SetRevokedAt(now).ExecX(w.ctx)
			}, time.Hour, Revoked},
			{"session revoked", func(_ *ent.User, s *ent.Session, _ *ent.Token) {
				w.Session.UpdateOne(s).SetRevokedAt(now).ExecX(w.ctx)
			}, 0, Revoked},
			{"device revoked", func(_ *ent.User, s *ent.Session, _ *ent.Token) {
				w.Device.UpdateOneID(s.DeviceID).SetRevokedAt(now).ExecX(w.ctx)
			}, 0, Revoked},
			{"user gone", func(u *ent.User, _ *ent.Session, _ *ent.Token) {
				w.write(func(tx *ent.Tx) { tx.User.UpdateOneID(u.ID).SetActive(false).ExecX(w.ctx) })
			}, 0, Revoked},
		}
		c := w.company()
		for _, tt := range tests {
			u := w.user(c)
			s := w.session(t, u)
			row, sent := w.give(t, s, token.Access)
			if tt.change != nil {
				tt.change(u, s, row)
			}
			if got := read(t, w, sent)[sent.Hash].Check(now.Add(tt.after)); got != tt.want {
				t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
			}
		}
	})
}

// every is a token of every kind.
func every(t *testing.T) []Sent {
	var all []Sent
	for _, kind := range []token.Kind{token.Access, token.Refresh, token.User, token.Device} {
		all = append(all, newSent(t, kind))
	}
	return all
}

// ofTeam matches the lines of a plan that read the businesses of a team, which are in
// memory.
var ofTeam = regexp.MustCompile(`SCAN (above|below|team)\b|table=(<derived\d+>|<union\S+>|above|below|team) `)

// TestEveryTableIsReachedByAnIndex asks the databases how they go about the
// statement, with tokens that exist among some hundred others.
func TestEveryTableIsReachedByAnIndex(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		var sent []Sent
		for range 12 {
			c := w.company()
			role := w.builtin(c, "supervisor")
			var top *ent.Business
			for range 4 {
				u := w.user(c, role)
				top = w.business(c, top, u)
				_, one := w.give(t, w.session(t, u), token.Access)
				_, device := w.device(t)
				sent = []Sent{one, device}
			}
		}
		if w.db.Dialect == dialect.MySQL { // counts the rows, which it else does when it likes
			tables := "tokens, sessions, users, companies, devices, user_roles, roles, businesses"
			if _, err := w.db.Writer.Exec("ANALYZE TABLE " + tables); err != nil {
				t.Fatal(err)
			}
		}
		for name, tokens := range map[string][]Sent{"one": sent[:1], "device": sent[1:], "every kind": append(every(t), sent...)} {
			query, args := statement(tokens)
			plan := explain(t, w, query, args)
			t.Logf("%s:\n%s", name, strings.Join(plan, "\n"))
			for _, line := range plan {
				if ofTeam.MatchString(line) {
					continue
				}
				if strings.Contains(line, "SCAN") || strings.Contains(line, "type=ALL") || strings.Contains(line, "type=index") {
					t.Errorf("%s: %s", name, line)
				}
			}
		}
	})
}

// explain returns the lines of a plan, as name=value.
func explain(t *testing.T, w *world, query string, args []any) []string {
	t.Helper()
	verb := "EXPLAIN "
	if w.db.Dialect == dialect.SQLite {
		verb = "EXPLAIN QUERY PLAN "
	}
	rows, err := w.db.Reader.QueryContext(w.ctx, verb+query, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for rows.Next() {
		values, into := make([]any, len(names)), make([]any, len(names))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		var line []string
		for i, v := range values {
			if b, ok := v.([]byte); ok {
				v = string(b)
			}
			line = append(line, fmt.Sprintf("%s=%v", names[i], v))
		}
		lines = append(lines, strings.Join(line, " "))
	}
	if err := rows.Err(); err != nil || len(lines) == 0 {
		t.Fatalf("%d lines, %v", len(lines), err)
	}
	return lines
}

// TestColumns compares the columns that are marked as credentials with those that
// the statement reads.
func TestColumns(t *testing.T) {
	entities := map[string]string{
		"t": ent.TypeToken, "s": ent.TypeSession, "d": ent.TypeDevice, "u": ent.TypeUser, "c": ent.TypeCompany,
		"ur": ent.TypeUserRole, "r": ent.TypeRole, "n": ent.TypeBusiness, "m": ent.TypeBusiness,
		"f": ent.TypeFormerDeviceToken,
	}
	immutable := map[string]bool{ // and what says whose a row is
		"t.hash": true, "t.kind": true, "t.id": true, "t.generation": true, "t.issued_at": true, "t.expires_at": true, "t.session_id": true,
		"s.id": true, "s.user_id": true, "s.device_id": true, "u.id": true, "u.company_id": true, "c.id": true, "d.id": true,
		"r.id": true, "n.id": true, "m.id": true, // and of a part of the statement itself:
		"team.root": true, "team.id": true, "above.root": true, "above.id": true,
		"f.hash": true, "f.device_id": true, "f.replaced_at": true,
	}
	query, _ := statement(every(t))
	for _, found := range regexp.MustCompile(`\b([a-z]+)\.([a-z_]+)\b`).FindAllStringSubmatch(query, -1) {
		entity := entities[found[1]]
		if !immutable[found[0]] && !slices.Contains(ent.Facts[entity].Credential, found[2]) {
			t.Errorf("a change of %s (%s) is not noticed", found[0], entity)
		}
	}
	tables := map[string]bool{}
	for _, table := range migrate.Tables {
		tables[table.Name] = true
	}
	for _, found := range regexp.MustCompile(`(?:FROM|JOIN) (\w+) (\w+)`).FindAllStringSubmatch(query, -1) {
		if found[1] == "below" {
			continue // a part of the statement
		}
		if !tables[found[1]] || entities[found[2]] == "" {
			t.Errorf("%s %s: not known", found[1], found[2])
		}
	}
}
