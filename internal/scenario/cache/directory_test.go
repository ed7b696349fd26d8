package cache

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/company"
	"workforce/ent/designation"
	"workforce/ent/user"
	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// instances are servers on one database: two that keep answers, and one that
// keeps none. They share who is signed in.
type instances struct {
	*harness.Server // the one that keeps none
	both            [2]*harness.Server
	people          []string // ids of whom writes are about
	random          *rand.Rand
}

// newInstances starts them, and signs in an owner, a manager, an employee, and
// the owner of another company.
func newInstances(t *testing.T, database string, seed uint64) *instances {
	t.Helper()
	i := &instances{Server: harness.New(t, database, harness.Uncached), random: rand.New(rand.NewPCG(seed, 2))}
	for n := range i.both {
		i.both[n] = harness.New(t, database)
	}
	for name, email := range map[string]string{
		"andini": "admin@demo.test", "ratna": "manager@demo.test", "budi": "budi@demo.test", "daeng": "admin@tetangga.test",
	} {
		i.SignIn(t, name, email)
	}
	for _, s := range i.both {
		s.Vars = i.Vars
	}
	ours := i.Store.Ent.Company.Query().Where(company.Name("Nusantara Demo")).OnlyIDX(viewer.System(t.Context()))
	for _, u := range i.Store.Ent.User.Query().Where(user.EmailNotIn("admin@demo.test", "manager@demo.test", "budi@demo.test"),
		user.CompanyID(ours)).AllX(viewer.System(t.Context())) {
		i.people = append(i.people, strconv.Itoa(u.ID))
	}
	return i
}

// directoryReads are requests for the directory: paths, or GraphQL documents.
var directoryReads = []string{
	"/user", "/user?limit=5&page=2", "/user?limit=5&page=3", "/user?search=a", "/user?search=Baru&limit=50", "/privelge/role",
	`{ users(first: 40, orderBy: {field: NAME, direction: DESC}) { totalCount edges { cursor node { id name email active messageChannel business { name manager { name } } roles { name permissions } designations { name } } } pageInfo { endCursor } } }`,
	`query($n: String = "a") { users(where: {nameContainsFold: $n}) { totalCount edges { node { name locale } } } }`,
	`{ users(where: {hasDesignationsWith: {nameHasPrefix: "S"}}) { totalCount edges { node { name } } } }`,
	`{ businesses(first: 50) { totalCount edges { node { id name parent { name } children { name } manager { name email } } } } }`,
	`{ roles { edges { node { name builtin permissions } } } roleList { name userCount permissions } }`,
	`{ designations { totalCount edges { node { id name } } } company { name locale } }`,
	`{ employees(limit: 7) { totalCount nodes { ...P } } } fragment P on User { image mobileNumber { number } joinedOn roles { name } }`,
}

// read asks a server for something of the directory, and returns the answer with
// the headers that tell of it.
func read(s *harness.Server, who, what string) (string, error) {
	method, path, body := "GET", what, ""
	if !strings.HasPrefix(what, "/") {
		method, path, body = "POST", "/graphql", apitest.Query(what, map[string]any{"n": "a"})
	}
	header := map[string]string{"Content-Type": "application/json"}
	for name, value := range s.HeaderOf(who) {
		header[name] = value
	}
	a, err := s.Ask(method, path, header, body)
	if err == nil && (a.Status != 200 || strings.Contains(a.Body, `"errors"`)) {
		err = fmt.Errorf("%s: %d %s", what, a.Status, a.Body)
	}
	return a.Body, err
}

// TestNeverStale drives writes that are drawn at random through two instances,
// and wants either of them to answer after each as the one does that keeps
// nothing.
func TestNeverStale(t *testing.T) {
	for _, seed := range []uint64{1, uint64(time.Now().UnixNano())} {
		testdb.Each(t, func(t *testing.T, database string) {
			t.Logf("seed %d", seed)
			i := newInstances(t, database, seed)
			for step := range 80 {
				what := i.write(t)
				for range 2 {
					i.compare(t, fmt.Sprintf("seed %d, step %d, after %s", seed, step, what))
				}
				if t.Failed() {
					return
				}
			}
			for n, s := range i.both {
				if hits := s.Executor.Responses.Hits(); hits < 100 {
					t.Errorf("instance %d: only %d answers were kept ones", n, hits)
				}
			}
			if i.Executor.Responses != nil {
				t.Error("the third keeps answers too")
			}
		})
	}
}

// compare asks all instances, those that keep answers twice.
func (i *instances) compare(t *testing.T, after string) {
	t.Helper()
	who := []string{"andini", "ratna", "budi", "daeng"}[i.random.IntN(4)]
	what := directoryReads[i.random.IntN(len(directoryReads))]
	var want string
	for n, s := range []*harness.Server{i.Server, i.both[0], i.both[1], i.both[0], i.both[1]} {
		got, err := read(s, who, what)
		if err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			want = got
		}
		if got != want {
			t.Errorf("%s: instance %d answers %s %s\n got %s\nwant %s", after, n, who, what, got, want)
		}
	}
}

// write changes something of the directory through either instance, and returns
// what. The API refuses some of it. Another instance may take an identity, and with it
// a manager's team, to be the same for five seconds: here each reads them again.
func (i *instances) write(t *testing.T) string {
	t.Helper()
	defer func() {
		for _, s := range []*harness.Server{i.Server, i.both[0], i.both[1]} {
			s.Identities.Invalidate()
		}
	}()
	s, n := i.both[i.random.IntN(2)], i.random.IntN(1_000_000)
	if n%5 == 0 {
		return i.rewrite(t, s, n)
	}
	writes := []func() string{
		func() string { return i.person(`name:"Baru %d"`, n) },
		func() string { return i.person(`email:"a%d@demo.test",locale:"en"`, n) },
		func() string { return i.person(`active:%t`, n%2 == 0) },
		func() string { return i.person(`mobileNumber:{countryCode:62,number:"0840 2%07d"}`, n) },
		func() string { return i.person(`designationIds:[%s]`, i.ids("designations", n%3)) },
		func() string { return i.person(`roleIds:[%s]`, i.ids("roles", 1+n%2)) },
		func() string { return i.person(`businessId:%s`, i.ids("businesses", 1)) },
		func() string {
			return fmt.Sprintf(`mutation{createUser(input:{name:"baru %d",email:"b%d@demo.test"}){id}}`, n, n)
		},
		func() string { return fmt.Sprintf(`mutation{deleteUser(id:%s){deleted}}`, i.anyone()) },
		func() string {
			return fmt.Sprintf(`mutation{createRole(input:{name:"R %d",permissions:["task.read.all"]}){id}}`, n)
		},
		func() string {
			return fmt.Sprintf(`mutation{updateRole(id:%s,input:{name:"S %d"}){id}}`, i.ids("roles", 1), n)
		},
		func() string { return fmt.Sprintf(`mutation{deleteRole(id:%s){deleted}}`, i.ids("roles", 1)) },
		func() string {
			return fmt.Sprintf(`mutation{a:createBusiness(input:{name:"B %d"}){id} b:createBusiness(input:{name:"C %d",managerId:%s}){id}}`, n, n, i.anyone())
		},
		func() string {
			return fmt.Sprintf(`mutation{updateBusiness(id:%s,input:{name:"D %d",parentId:%s}){id}}`, i.ids("businesses", 1), n, i.ids("businesses", 1))
		},
		func() string { return fmt.Sprintf(`mutation{deleteBusiness(id:%s){deleted}}`, i.ids("businesses", 1)) },
	}
	document := writes[i.random.IntN(len(writes))]()
	s.AskGraphQL(t, s.HeaderOf("andini"), document, nil)
	return document
}

// rewrite changes what no operation does, or many rows at once.
func (i *instances) rewrite(t *testing.T, s *harness.Server, n int) string {
	t.Helper()
	ctx, name := viewer.System(t.Context()), fmt.Sprintf("E %d", n)
	changes := map[string]func(*ent.Client){
		"company": func(db *ent.Client) {
			db.Company.Update().SetName(name).Where(company.NameNEQ("Tetangga Demo")).ExecX(ctx)
		},
		"designation": func(db *ent.Client) {
			db.Designation.UpdateOneID(db.Designation.Query().FirstIDX(ctx)).SetName(name).ExecX(ctx)
		},
		"locales": func(db *ent.Client) { db.User.Update().Where(user.ActiveEQ(n%2 == 0)).SetLocale("en").ExecX(ctx) },
		"back":    func(db *ent.Client) { db.User.Update().SetActive(true).ExecX(ctx) },
		"designation removed": func(db *ent.Client) {
			db.Designation.Delete().Where(designation.NameHasPrefix("F"), designation.Not(designation.HasUsers())).ExecX(ctx)
		},
		"designation made": func(db *ent.Client) {
			u := db.User.Query().FirstX(ctx)
			db.Designation.Create().SetCompanyID(u.CompanyID).SetName(fmt.Sprintf("F %d", n)).ExecX(ctx)
		},
	}
	names := []string{"company", "designation", "locales", "back", "designation removed", "designation made"}
	what := names[i.random.IntN(len(names))]
	harness.Rewrite(t, ctx, s.Store.Ent, changes[what])
	return what
}

func (i *instances) anyone() string { return i.people[i.random.IntN(len(i.people))] }

// person updates somebody.
func (i *instances) person(members string, args ...any) string {
	return fmt.Sprintf(`mutation{updateUser(id:%s,input:{`+members+`}){id}}`, append([]any{i.anyone()}, args...)...)
}

// ids returns some ids of the owner's, with commas.
func (i *instances) ids(of string, n int) string {
	a, err := read(i.Server, "andini", "{"+of+"(first:100){edges{node{id}}}}")
	var answer struct {
		Data map[string]struct {
			Edges []struct{ Node struct{ ID string } }
		}
	}
	if err != nil || json.Unmarshal([]byte(a), &answer) != nil || len(answer.Data[of].Edges) == 0 {
		return "0"
	}
	var list []string
	for range n {
		edges := answer.Data[of].Edges
		list = append(list, edges[i.random.IntN(len(edges))].Node.ID)
	}
	return strings.Join(list, ",")
}

// TestNeverStaleAtOnce renames people through two instances while others read
// through both: an answer has every write that was acknowledged before it was
// asked for, and none that was not begun.
func TestNeverStaleAtOnce(t *testing.T) {
	testdb.Each(t, func(t *testing.T, database string) {
		const writers, readers = 4, 6
		i := newInstances(t, database, 3)
		var begun, done [writers]atomic.Int64
		ctx, stop := context.WithTimeout(t.Context(), 3*time.Second)
		defer stop()
		var all sync.WaitGroup
		for w := range writers {
			all.Go(func() {
				for n := int64(1); ctx.Err() == nil; n++ {
					begun[w].Store(n)
					document := fmt.Sprintf(`mutation{updateUser(id:%s,input:{name:"Writer %d %d"}){name}}`, i.people[w], w, n)
					if _, err := read(i.both[w%2], "andini", document); err != nil {
						t.Error(err)
						return
					}
					done[w].Store(n)
				}
			})
		}
		reads := []string{"/user", "/user?search=Writer&limit=50", `{users(first:100){edges{node{name}}}}`}
		for r := range readers {
			all.Go(func() {
				for n := 0; ctx.Err() == nil; n++ {
					var before [writers]int64
					for w := range writers {
						before[w] = done[w].Load()
					}
					what := reads[(n+r)%len(reads)]
					text, err := read(i.both[r%2], "budi", what)
					if err != nil {
						t.Error(err)
						return
					}
					for w := range writers {
						shown, last := written(text, w), begun[w].Load()
						if shown < before[w] || shown > last {
							t.Errorf("%s shows write %d of writer %d; %d was done before, %d begun after", what, shown, w, before[w], last)
						}
					}
				}
			})
		}
		all.Wait()
		for n, s := range i.both {
			t.Logf("instance %d: %d kept answers, %d others", n, s.Executor.Responses.Hits(), s.Executor.Responses.Misses())
		}
		t.Logf("writes: %d %d %d %d", done[0].Load(), done[1].Load(), done[2].Load(), done[3].Load())
	})
}

// written returns the number of a writer's write that a text shows; 0 for none.
func written(text string, writer int) int64 {
	_, rest, _ := strings.Cut(text, fmt.Sprintf(`"Writer %d `, writer))
	digits, _, _ := strings.Cut(rest, `"`)
	n, _ := strconv.ParseInt(digits, 10, 64)
	return n
}

// TestKeptAnswersAreTheViewers has people of different companies, teams and
// permissions ask the same, in turns: everybody gets what an instance answers
// that keeps nothing.
func TestKeptAnswersAreTheViewers(t *testing.T) {
	testdb.Each(t, func(t *testing.T, database string) {
		i, s := harness.New(t, database, harness.Uncached), harness.New(t, database)
		who := map[string]string{
			"andini": "admin@demo.test", "ratna": "manager@demo.test", "siti": "siti@demo.test", "budi": "budi@demo.test",
			"dimas": "dimas@demo.test", "daeng": "admin@tetangga.test",
		}
		i.Grant(t, "dimas@demo.test", "user.write.own")
		i.SetActive(t, "joko@demo.test", false)
		for name, email := range who {
			i.SignIn(t, name, email)
		}
		s.Vars = i.Vars
		const people = `{ users(first: 1000) { edges { node { name } } } }` // with those not active, for some
		answers := map[string]bool{}
		for _, what := range append([]string{people}, directoryReads...) {
			for range 2 {
				for name := range who {
					want, err := read(i, name, what)
					if err != nil {
						t.Fatal(err)
					}
					got, err := read(s, name, what)
					if err != nil || got != want {
						t.Errorf("%s %s: %v\n got %s\nwant %s", name, what, err, got, want)
					}
					answers[got] = answers[got] || what == people
				}
			}
		}
		different := 0
		for _, of := range answers {
			if of {
				different++
			}
		}
		if different != 3 {
			t.Errorf("%d different lists of people, want those of the one company, with and without who left, and of the other", different)
		}
	})
}

// TestDirectoryHasNoLanguage proves that what is kept is the same in every
// language.
func TestDirectoryHasNoLanguage(t *testing.T) {
	s := harness.New(t, testdb.SQLite(t), harness.Uncached)
	s.SignIn(t, "budi", "budi@demo.test")
	for _, what := range directoryReads {
		answers := map[string]bool{}
		for _, language := range []string{"id", "en"} {
			header := s.HeaderOf("budi")
			header["X-Language"], header["X-Req-Id"] = language, "r"
			path := what
			if !strings.HasPrefix(what, "/") {
				path = "/graphql?" + url.Values{"query": {what}}.Encode()
			}
			a, err := s.Ask("GET", path, header, "")
			if err != nil || a.Status != 200 {
				t.Errorf("%s: %v %v", what, a, err)
			}
			answers[a.Body] = true
		}
		if len(answers) != 1 {
			t.Errorf("%s: %d different answers", what, len(answers))
		}
	}
}

// TestKeptAnswersAreNotForAnybody asks for what is kept without a token, with
// one that has expired, and with one that was revoked.
func TestKeptAnswersAreNotForAnybody(t *testing.T) {
	s := harness.New(t, testdb.SQLite(t))
	budi := s.SignIn(t, "budi", "budi@demo.test")
	s.SignIn(t, "dimas", "dimas@demo.test")
	ask := func(token string) int {
		resp, _ := s.Send(t, "GET", "/user", "", map[string]string{"Authorization": token})
		return resp.StatusCode
	}
	for range 2 {
		if got := ask("Bearer " + budi.Access); got != 200 {
			t.Fatalf("budi: %d", got)
		}
	}
	if s.Executor.Responses.Hits() == 0 {
		t.Fatal("nothing is kept")
	}
	s.Run(t, []apitest.Scenario{{Name: "dimas signs out", Method: "POST", Path: "/user/logout", Header: harness.SignedIn("dimas")}})
	for _, token := range []string{"", "Bearer nonsense", "Bearer {{dimas.access}}"} {
		if got := ask(strings.ReplaceAll(token, "{{dimas.access}}", s.Vars["dimas.access"])); got != 401 {
			t.Errorf("%q: %d, want 401", token, got)
		}
	}
	s.Clock.Advance(time.Hour)
	if got := ask("Bearer " + budi.Access); got != 401 {
		t.Errorf("an expired token: %d, want 401", got)
	}
}

// TestDailyWorkLeavesTheDirectory signs people in and has them work: their
// companies' directories keep their versions, and what is kept stays.
func TestDailyWorkLeavesTheDirectory(t *testing.T) {
	harness.Each(t, func(t *testing.T, s *harness.Server) {
		s.SignIn(t, "budi", "budi@demo.test")
		versions := func() string {
			rows := s.Store.Ent.DirectoryVersion.Query().Order(ent.Asc("id")).AllX(viewer.System(t.Context()))
			return fmt.Sprint(rows)
		}
		if _, err := read(s, "budi", "/user"); err != nil {
			t.Fatal(err)
		}
		before, hits := versions(), s.Executor.Responses.Hits()
		s.SignIn(t, "andini", "admin@demo.test")
		s.SaveSites(t, "budi")
		s.SaveShift(t, "budi")
		s.Run(t, []apitest.Scenario{harness.ClockIn("budi")})
		s.Clock.Advance(time.Minute)
		s.Run(t, []apitest.Scenario{harness.ClockOut("budi")})
		for _, what := range []string{"/user/profile", "/attendance/today", "/user/permission"} {
			if _, err := read(s, "budi", what); err != nil {
				t.Error(err)
			}
		}
		if _, err := read(s, "budi", "/user"); err != nil || s.Executor.Responses.Hits() != hits+1 {
			t.Errorf("the list was not kept: %v", err)
		}
		if after := versions(); after != before || before == "[]" {
			t.Errorf("versions were\n%s, are\n%s", before, after)
		}
	})
}

// TestKeptAnswersAreNotChanged asks for what is kept in every form in which it
// goes out: it stays as it is.
func TestKeptAnswersAreNotChanged(t *testing.T) {
	s := harness.New(t, testdb.SQLite(t))
	s.SignIn(t, "budi", "budi@demo.test")
	for _, what := range directoryReads {
		first, err := read(s, "budi", what)
		if err != nil {
			t.Fatal(err)
		}
		path, q := what, url.Values{"query": {what}, "variables": {`{"n":"a"}`}}
		if !strings.HasPrefix(what, "/") {
			path = "/graphql?" + q.Encode()
		}
		var all sync.WaitGroup
		for _, extra := range []map[string]string{
			{"Accept-Encoding": "gzip"}, {"Accept-Encoding": "zstd"}, {"If-None-Match": `"x"`}, {"Accept": "application/graphql-response+json"},
			{"X-Language": "en"}, {"Range": "bytes=0-10"}, {},
		} {
			header := s.HeaderOf("budi")
			header["X-Req-Id"] = "r"
			for name, value := range extra {
				header[name] = value
			}
			all.Go(func() {
				if _, err := s.Ask("GET", path, header, ""); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if last, err := read(s, "budi", what); err != nil || !bytes.Equal([]byte(last), []byte(first)) {
			t.Errorf("%s: first\n%s\nthen\n%s %v", what, first, last, err)
		}
	}
}
