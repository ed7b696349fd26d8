package cache

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/business"
	"workforce/ent/company"
	"workforce/ent/user"
	"workforce/internal/app/auth/credential"
	"workforce/internal/scenario/harness"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// A tokenChange changes what somebody's access token stands for.
type tokenChange struct {
	name, email string
	path        string // where it shows; "" is /user/token-info
	want        string // what shows then, beside being another answer than before
	change      func(t *testing.T, s *harness.Server)
}

// tokenChanges are the changes that the tests make, each to another person.
func tokenChanges() []tokenChange {
	const agus, hendra, indah, joko, siti, nur = "agus@demo.test", "hendra@demo.test", "indah@demo.test",
		"joko@demo.test", "siti@demo.test", "nur@demo.test"
	const asep, ratna = "asep@demo.test", "manager@demo.test"
	return []tokenChange{
		{name: "sessions ended", email: agus, want: "401", change: func(t *testing.T, s *harness.Server) {
			mutate(t, s, "revokeAllSessions(userId:%s){id}", harness.PersonID(t, s, agus))
		}},
		{name: "deactivated", email: hendra, want: "401", change: func(t *testing.T, s *harness.Server) {
			mutate(t, s, "updateUser(id:%s,input:{active:false}){id}", harness.PersonID(t, s, hendra))
		}},
		{name: "another role", email: indah, want: "user.write.all", change: func(t *testing.T, s *harness.Server) {
			mutate(t, s, "updateUser(id:%s,input:{roleIds:[%s]}){id}", harness.PersonID(t, s, indah), s.Vars["role.admin"])
		}},
		{name: "a role of other permissions", email: joko, want: "report.read.all", change: func(t *testing.T, s *harness.Server) {
			mutate(t, s, `updateRole(id:%s,input:{permissions:["report.read.all"]}){id}`, s.Vars["custom"])
		}},
		{name: "team given away", email: siti, path: "/graphql?query={attendances{totalCount}}", change: func(t *testing.T, s *harness.Server) {
			id := s.Store.Ent.Business.Query().Where(business.HasManagerWith(user.EmailKey(siti))).OnlyIDX(viewer.System(t.Context()))
			mutate(t, s, "updateBusiness(id:%d,input:{managerId:%s}){id}", id, harness.PersonID(t, s, "admin@demo.test"))
		}},
		{name: "a unit moved out of the team", email: asep, path: "/graphql?query={attendances{totalCount}}", change: func(t *testing.T, s *harness.Server) {
			mutate(t, s, "moveBusiness(id:%d,parentId:%d){id}", unitID(t, s, "Operasional Bandung"), unitID(t, s, "Nusantara"))
		}},
		{name: "the unit above given away", email: ratna, path: "/graphql?query={attendances{totalCount}}", change: func(t *testing.T, s *harness.Server) {
			mutate(t, s, "updateBusiness(id:%d,input:{managerId:%s}){id}", unitID(t, s, "Kantor Jakarta"), harness.PersonID(t, s, "admin@demo.test"))
		}},
		{name: "company's language", email: nur, want: "[en]", change: func(t *testing.T, s *harness.Server) {
			ctx := viewer.System(t.Context())
			harness.Rewrite(t, ctx, s.Store.Ent, func(db *ent.Client) {
				db.Company.Update().Where(company.Name("Nusantara Demo")).SetLocale("en").ExecX(ctx)
			})
		}},
	}
}

// unitID returns the id of a business of the demo company.
func unitID(t *testing.T, s *harness.Server, name string) int {
	t.Helper()
	return s.Store.Ent.Business.Query().Where(business.Name(name)).OnlyIDX(viewer.System(t.Context()))
}

// prepareChanges gives the changes something to change, and returns everybody's tokens.
func prepareChanges(t *testing.T, s *harness.Server) map[string]string {
	t.Helper()
	ctx := viewer.System(t.Context())
	tokens := map[string]string{}
	for _, c := range tokenChanges() {
		tokens[c.email] = accessToken(t, s.Server, c.email)
	}
	s.Vars["owner.access"] = accessToken(t, s.Server, "admin@demo.test")
	harness.RoleIDs(t, s, "owner", "")
	harness.Rewrite(t, ctx, s.Store.Ent, func(db *ent.Client) {
		db.User.Update().Where(user.EmailKey("nur@demo.test")).SetLocale("").ExecX(ctx)
		joko := db.User.Query().Where(user.EmailKey("joko@demo.test")).OnlyX(ctx)
		custom := db.Role.Create().SetCompanyID(joko.CompanyID).SetName("Custom").SetCustomPermissions(nil).SaveX(ctx)
		db.UserRole.Create().SetCompanyID(joko.CompanyID).SetUserID(joko.ID).SetRoleID(custom.ID).ExecX(ctx)
		s.Vars["custom"] = strconv.Itoa(custom.ID)
	})
	return tokens
}

// mutate sends a mutation in the name of the owner.
func mutate(t *testing.T, s *harness.Server, document string, args ...any) {
	t.Helper()
	var data map[string]any
	s.GraphQL(t, s.HeaderOf("owner"), fmt.Sprintf("mutation{"+document+"}", args...), nil, &data)
	if len(data) == 0 {
		t.Fatalf("refused: "+document, args...)
	}
}

// look returns what a server answers to the holder of a token: status, language
// and body.
func look(t *testing.T, s *harness.Server, c tokenChange, token string) string {
	t.Helper()
	resp, body := s.Send(t, "GET", cmp.Or(c.path, "/user/token-info"), "", map[string]string{"X-Access-Token": token, "X-Req-Id": "look"})
	return fmt.Sprint(resp.StatusCode, " ", resp.Header["Content-Language"], " ", string(body))
}

// TestIdentityChangesShowAtOnce makes each change after the token was used: the
// next request shows it.
func TestIdentityChangesShowAtOnce(t *testing.T) {
	harness.Each(t, func(t *testing.T, s *harness.Server) {
		tokens := prepareChanges(t, s)
		for _, c := range tokenChanges() {
			before := look(t, s, c, tokens[c.email])
			if again := look(t, s, c, tokens[c.email]); again != before || !strings.HasPrefix(before, "200 ") {
				t.Errorf("%s: %s, then %s", c.name, before, again)
			}
			c.change(t, s)
			if after := look(t, s, c, tokens[c.email]); after == before || !strings.Contains(after, c.want) {
				t.Errorf("%s: still %s, want %q", c.name, after, c.want)
			}
		}
	})
}

// TestIdentityChangesShowElsewhere makes each change through one server after
// the token was used at another on the same database, which shows it 5 s later
// at most.
func TestIdentityChangesShowElsewhere(t *testing.T) {
	testdb.Each(t, func(t *testing.T, database string) {
		t.Parallel() // it waits
		s, other := harness.New(t, database), harness.New(t, database)
		tokens := prepareChanges(t, s)
		before, made := map[string]string{}, map[string]time.Time{}
		for _, c := range tokenChanges() {
			before[c.name] = look(t, other, c, tokens[c.email])
		}
		for _, c := range tokenChanges() {
			c.change(t, s)
			made[c.name] = time.Now()
		}
		for _, c := range tokenChanges() {
			for {
				asked := time.Now()
				now := look(t, other, c, tokens[c.email])
				if now != before[c.name] && strings.Contains(now, c.want) {
					break
				}
				if asked.Sub(made[c.name]) > credential.Life {
					t.Errorf("%s: %v later still %s, want %q", c.name, asked.Sub(made[c.name]), now, c.want)
					break
				}
				time.Sleep(20 * time.Millisecond)
			}
		}
	})
}

// TestIdentityUnderLoad has many ask what a token stands for while its role
// changes: who asks after a change was acknowledged sees it, or the next.
func TestIdentityUnderLoad(t *testing.T) {
	harness.Each(t, func(t *testing.T, s *harness.Server) {
		token := prepareChanges(t, s)["joko@demo.test"]
		const changes = 20
		permissions := func(n int64) string { return fmt.Sprintf("%s.read.all", []string{"report", "shift", "ticket"}[n%3]) }
		mutate(t, s, `updateRole(id:%s,input:{permissions:["%s"]}){id}`, s.Vars["custom"], permissions(0))
		var begun, acknowledged atomic.Int64
		var done atomic.Bool
		var readers sync.WaitGroup
		for range 4 {
			readers.Go(func() {
				for !done.Load() && !t.Failed() {
					least := acknowledged.Load()
					seen := look(t, s, tokenChange{}, token)
					most := begun.Load()
					ok := false
					for n := least; n <= most; n++ {
						ok = ok || strings.Contains(seen, permissions(n))
					}
					if !ok {
						t.Errorf("between changes %d and %d: %s", least, most, seen)
					}
				}
			})
		}
		for n := range int64(changes) {
			begun.Store(n)
			mutate(t, s, `updateRole(id:%s,input:{permissions:["%s"]}){id}`, s.Vars["custom"], permissions(n))
			acknowledged.Store(n)
		}
		done.Store(true)
		readers.Wait()
	})
}
