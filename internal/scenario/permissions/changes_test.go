package permissions

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"workforce/ent"
	"workforce/ent/business"
	"workforce/ent/user"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// The tests of changes have people come into a row and leave it, as requester, assignee,
// follower, member or manager, and compare after each change what each of them sees, through
// all doors, with what docs/rules.md says.

// lookers are the people who look. Kantor Jakarta, which ratna manages, has the businesses of
// budi, agus and siti, whom siti leads, and of indah; asep manages Kantor Bandung, where cecep
// works.
var lookers = map[string]string{
	"andini": "admin@demo.test", "ratna": "manager@demo.test", "siti": "siti@demo.test", "budi": "budi@demo.test", "agus": "agus@demo.test",
	"indah": "indah@demo.test", "asep": "asep@demo.test", "cecep": "cecep@demo.test", "daeng": "admin@tetangga.test",
}

// A changing is a server on which people and rows change.
type changing struct {
	*harness.Server
	ctx       context.Context
	company   int
	listeners map[string]*listener
	rows      map[string]int // about budi, by entity; those that wait for a decision
}

// A step is a change of who somebody is in a row, and what people see after it.
type step struct {
	name     string
	by       string // who makes it
	document string // of GraphQL, with the ids of Vars
	refused  string // code, of a change that is refused
	want     string // by person, such as "andini change, budi see"; nothing for all others
}

// newChanging signs everybody in. asep has the role manager.
func newChanging(t *testing.T, s *harness.Server) changing {
	t.Helper()
	c := changing{Server: s, ctx: viewer.System(t.Context()), listeners: map[string]*listener{}, rows: map[string]int{}}
	for name, email := range lookers {
		s.SignIn(t, name, email)
		s.Vars[name] = harness.PersonID(t, s, email)
	}
	c.company = c.person("budi").CompanyID
	for key, name := range map[string]string{"operations": "Operasional Jakarta", "bandung": "Operasional Bandung"} {
		s.Vars[key] = fmt.Sprint(s.Store.Ent.Business.Query().Where(business.CompanyID(c.company), business.Name(name)).OnlyIDX(c.ctx))
	}
	harness.RoleIDs(t, s, "andini", "")
	c.do(t, "andini", roleOf("asep", viewer.Manager))
	return c
}

// person returns one of those who look.
func (c changing) person(name string) *ent.User {
	return c.Store.Ent.User.Query().Where(user.EmailKey(lookers[name])).OnlyX(c.ctx)
}

// id returns an id of Vars as a number.
func (c changing) id(t *testing.T, name string) int {
	t.Helper()
	id, err := strconv.Atoi(c.Vars[name])
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// roleOf is the document that gives somebody one role.
func roleOf(who, role string) string {
	return `mutation{updateUser(id:"{{` + who + `}}",input:{roleIds:["{{role.` + role + `}}"]}){id}}`
}

// managed is the document that has somebody manage Operasional Jakarta.
func managed(who string) string {
	return `mutation{updateBusiness(id:"{{operations}}",input:{managerId:"{{` + who + `}}"}){id}}`
}

// moved is the document that has budi work in another business.
func moved(to string) string {
	return `mutation{updateUser(id:"{{budi}}",input:{businessId:"{{` + to + `}}"}){id}}`
}

// filled returns a text with the values of Vars.
func (c changing) filled(text string) string {
	for name, value := range c.Vars {
		text = strings.ReplaceAll(text, "{{"+name+"}}", value)
	}
	return text
}

// ask asks for a document in somebody's name.
func (c changing) ask(t *testing.T, who, document string) harness.GraphQLAnswer {
	t.Helper()
	return c.AskGraphQL(t, c.HeaderOf(who), c.filled(document), nil)
}

// do asks for a document that must succeed, and returns the id in its answer.
func (c changing) do(t *testing.T, who, document string) string {
	t.Helper()
	a := c.ask(t, who, document)
	var data map[string]struct{ ID string }
	if err := json.Unmarshal(a.Data, &data); err != nil || a.Code() != "" {
		t.Fatalf("%s: %s", c.filled(document), a.Text)
	}
	for _, answer := range data {
		return answer.ID
	}
	return ""
}

// walk makes changes one after another, and compares what look says of each person with what is
// wanted. settled, unless nil, is called after each change.
func (c changing) walk(t *testing.T, steps []step, settled func(t *testing.T, s step), look func(t *testing.T, who string) string) {
	t.Helper()
	for _, s := range steps {
		switch a := c.ask(t, s.by, s.document); {
		case a.Code() != s.refused:
			t.Fatalf("%s: %s, want code %q", s.name, a.Text, s.refused)
		case settled != nil:
			settled(t, s)
		}
		wants := wanted(t, s.want)
		for who := range lookers {
			if got := look(t, who); got != wants[who] {
				t.Errorf("%s: %s has %q, want %q", s.name, who, got, wants[who])
			}
		}
	}
}

// wanted parts what is wanted of people by person.
func wanted(t *testing.T, text string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for part := range strings.SplitSeq(text, ", ") {
		if text == "" {
			break
		}
		who, sight, _ := strings.Cut(part, " ")
		if lookers[who] == "" || all[who] != "" || sight == "" {
			t.Fatalf("%q is not what somebody sees", part)
		}
		all[who] = sight
	}
	return all
}

// A sight is what somebody sees of a row: by word, whether each door shows it.
type sight map[string]map[string]bool

// add says whether a door shows what a word stands for.
func (s sight) add(word, door string, shown bool) {
	if s[word] == nil {
		s[word] = map[string]bool{}
	}
	s[word][door] = shown
}

// words returns those of all words that all doors show, in order. Where doors disagree, it says
// so. Who changes a row sees it.
func (s sight) words(all ...string) string {
	var out []string
	for _, word := range all {
		by := map[bool][]string{}
		for door, shown := range s[word] {
			by[shown] = append(by[shown], door)
		}
		slices.Sort(by[true])
		slices.Sort(by[false])
		switch {
		case len(by[true]) == 0, len(by[false]) == 0 && word == "see" && len(out) > 0: // who changes or decides, sees
		case len(by[false]) == 0:
			out = append(out, word)
		default:
			out = append(out, fmt.Sprintf("%s by %q, not by %q", word, by[true], by[false]))
		}
	}
	return strings.Join(out, " ")
}

// texts are what doors show of what words stand for.
type texts map[string][]string

// byGraphQL says what each field of a document shows.
func (c changing) byGraphQL(t *testing.T, s sight, who, document string, words texts) {
	t.Helper()
	a := c.ask(t, who, document)
	data := map[string]json.RawMessage{}
	if code := a.Code(); code == "NOT_FOUND" {
		field, _, _ := strings.Cut(strings.TrimPrefix(document, "{"), "(")
		data[field] = nil
	} else if err := json.Unmarshal(a.Data, &data); err != nil || code != "" {
		t.Fatalf("%s asks for %s: %s", who, c.filled(document), a.Text)
	}
	for field, answer := range data {
		for word, parts := range words {
			for _, text := range parts {
				s.add(word, field+" "+text, strings.Contains(string(answer), c.filled(text)))
			}
		}
	}
}

// byREST says what paths show.
func (c changing) byREST(t *testing.T, s sight, who string, words texts, paths ...string) {
	t.Helper()
	for _, path := range paths {
		resp, answer := c.Get(t, who, c.filled(path))
		if resp.StatusCode != http.StatusOK && resp.StatusCode != http.StatusNotFound {
			t.Fatalf("%s asks for %s: %d %s", who, path, resp.StatusCode, answer)
		}
		for word, parts := range words {
			for _, text := range parts {
				s.add(word, path+" "+text, resp.StatusCode == http.StatusOK && strings.Contains(string(answer), c.filled(text)))
			}
		}
	}
}

// A listener is somebody's connection with a subscription.
type listener struct{ *websocket.Conn }

// listen opens a connection of each person with a subscription.
func (c changing) listen(t *testing.T, document string) {
	t.Helper()
	for who := range lookers {
		conn, _, err := websocket.Dial(t.Context(), c.URL+"/graphql", &websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.CloseNow() })
		l := &listener{conn}
		l.send(t, `{"type":"connection_init","payload":{"Authorization":"Bearer `+c.Vars[who+".access"]+`"}}`)
		l.send(t, `{"id":"1","type":"subscribe","payload":{"query":"`+document+`"}}`)
		l.until(t, "connection_ack")
		l.shown(t)
		c.listeners[who] = l
	}
}

func (l *listener) send(t *testing.T, text string) {
	t.Helper()
	if err := l.Write(t.Context(), websocket.MessageText, []byte(text)); err != nil {
		t.Fatal(err)
	}
}

// until returns the next message that has a text, and what came before it.
func (l *listener) until(t *testing.T, text string) (message, before string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for {
		_, m, err := l.Read(ctx)
		if err != nil {
			t.Fatalf("%v after %s; want %s", err, before, text)
		}
		if strings.Contains(string(m), text) {
			return string(m), before
		}
		before += string(m)
	}
}

// shown returns what has come.
func (l *listener) shown(t *testing.T) string {
	t.Helper()
	l.send(t, `{"type":"ping"}`)
	_, shown := l.until(t, `"pong"`)
	return shown
}

// events compares what subscriptions show of a row that has a mark since a step: those who see
// the row are shown it, and what a word stands for where the word is wanted of them.
func (c changing) events(t *testing.T, s step, mark string, words texts) {
	t.Helper()
	wants := wanted(t, s.want)
	for who, l := range c.listeners {
		has := strings.Fields(wants[who])
		if !slices.Contains(has, "see") && !slices.Contains(has, "change") {
			if shown := l.shown(t); strings.Contains(shown, mark) {
				t.Errorf("%s: %s is told of it: %s", s.name, who, shown)
			}
			continue
		}
		shown, _ := l.until(t, mark)
		for word, parts := range words {
			for _, text := range parts {
				if is := strings.Contains(shown, text); is != slices.Contains(has, word) {
					t.Errorf("%s: %s is shown %s: %v, want %v", s.name, who, text, is, !is)
				}
			}
		}
	}
}
