package live

import (
	"fmt"
	"testing"
	"time"

	"workforce/ent"
	entLeave "workforce/ent/leave"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// TestInboxChanged tells those for whom something waits how much, once for many changes, and nobody
// else anything.
func TestInboxChanged(t *testing.T) {
	const document = `subscription { inboxChanged { leaves } }`
	harness.Each(t, func(t *testing.T, s *harness.Server) {
		signIn(t, s)
		s.SignIn(t, "ratna", "manager@demo.test")
		var known struct{ InboxCount struct{ Leaves int } }
		s.GraphQL(t, s.HeaderOf("ratna"), `{ inboxCount { leaves } }`, nil, &known)
		ratna, agus := listen(t, s, "ratna", document), listen(t, s, "agus", document)
		foreign := listen(t, s, "foreign", document)
		harness.WaitForJobs(t, s)
		time.Sleep(500 * time.Millisecond) // what changed while the server started is shown
		for _, c := range []*socket{ratna, agus, foreign} {
			c.send(`{"type":"ping"}`)
			for text := ""; text != `{"type":"pong"}`; {
				var err error
				if text, err = c.read(); err != nil {
					t.Fatal(err)
				}
			}
		}
		shown := func(n int) {
			t.Helper()
			const event = `{"type":"next","id":"1","payload":{"data":{"inboxChanged":{"leaves":%d}}}}`
			want := fmt.Sprintf(event, known.InboxCount.Leaves+n)
			for range 3 { // not one for each of five
				if text, err := ratna.read(); err != nil || text == want {
					if err != nil {
						t.Fatal(err)
					}
					return
				}
			}
			t.Fatalf("no %s", want)
		}
		kind := s.Store.Ent.LeaveType.Query().Order(ent.Asc("id")).FirstIDX(viewer.System(t.Context()))
		for i := range 5 {
			input := fmt.Sprintf(`typeId:"%d",startsOn:"2026-06-%02d",endsOn:"2026-06-%02d",reason:"inbox"`, kind, 8+i, 8+i)
			s.AskGraphQL(t, s.HeaderOf("budi"), `mutation{requestLeave(input:{`+input+`}){id}}`, nil)
		}
		shown(5)
		id := s.Store.Ent.Leave.Query().Where(entLeave.Reason("inbox")).FirstIDX(viewer.System(t.Context()))
		decide := fmt.Sprintf(`mutation{decideLeaves(input:{ids:["%d"],approve:true}){code}}`, id)
		s.AskGraphQL(t, s.HeaderOf("ratna"), decide, nil)
		shown(4)
		s.AskGraphQL(t, s.HeaderOf("ratna"), decide, nil)
		time.Sleep(500 * time.Millisecond)
		for _, c := range []*socket{ratna, agus, foreign} {
			c.nothing()
		}
	})
}
