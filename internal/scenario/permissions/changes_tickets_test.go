package permissions

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	entMessage "workforce/ent/message"
	"workforce/ent/user"
	"workforce/internal/scenario/harness"
)

// ticketSteps are what becomes of a ticket of budi (TI-06, TI-11). Who is named in it changes
// it, and whoever has one of them in scope does as far as they write tickets; who follows it
// sees it. notes are internal notes, which its requester never sees.
var ticketSteps = []step{
	{"saved", "andini", `{__typename}`, "",
		"andini change notes, ratna see notes, siti see notes, budi change"},
	{"its requester takes it", "budi", assigned("budi"), "",
		"andini change notes, ratna see notes, siti see notes, budi change"},
	{"and gives it back", "budi", `mutation{updateTicket(id:"{{ticket}}",input:{assigneeId:null}){id}}`, "",
		"andini change notes, ratna see notes, siti see notes, budi change"},
	{"somebody of Bandung helps", "andini", assigned("cecep"), "",
		"andini change notes, ratna see notes, siti see notes, budi change, cecep change notes, asep see notes"},
	{"and follows, with a colleague", "andini", followed("cecep", "agus"), "",
		"andini change notes, ratna see notes, siti see notes, budi change, cecep change notes, asep see notes, agus see"},
	{"helps no more, but follows", "andini", `mutation{updateTicket(id:"{{ticket}}",input:{assigneeId:null}){id}}`, "",
		"andini change notes, ratna see notes, siti see notes, budi change, cecep see, agus see"},
	{"a follower does not take it", "agus", assigned("agus"), "FORBIDDEN",
		"andini change notes, ratna see notes, siti see notes, budi change, cecep see, agus see"},
	{"a follower leaves", "cecep", `mutation{unfollowTicket(input:{ticketId:"{{ticket}}"}){deleted}}`, "",
		"andini change notes, ratna see notes, siti see notes, budi change, agus see"},
	{"and does not come back alone", "cecep", `mutation{followTicket(input:{ticketId:"{{ticket}}"}){id}}`, "NOT_FOUND",
		"andini change notes, ratna see notes, siti see notes, budi change, agus see"},
	{"a follower helps", "andini", assigned("agus"), "",
		"andini change notes, ratna see notes, siti see notes, budi change, agus change notes"},
	{"and follows no more", "agus", `mutation{unfollowTicket(input:{ticketId:"{{ticket}}"}){deleted}}`, "",
		"andini change notes, ratna see notes, siti see notes, budi change, agus change notes"},
	{"the requester follows", "budi", `mutation{followTicket(input:{ticketId:"{{ticket}}"}){id}}`, "",
		"andini change notes, ratna see notes, siti see notes, budi change, agus change notes"},
	{"and takes it", "budi", assigned("budi"), "",
		"andini change notes, ratna see notes, siti see notes, budi change"},
	{"the supervisor helps", "andini", assigned("siti"), "",
		"andini change notes, ratna see notes, siti change notes, budi change"},
	{"whose team another leads", "andini", managed("asep"), "",
		"andini change notes, ratna see notes, siti change notes, budi change, asep see notes"},
	{"helps no more", "siti", `mutation{updateTicket(id:"{{ticket}}",input:{assigneeId:null}){number}}`, "NOT_FOUND",
		"andini change notes, ratna see notes, siti change notes, budi change, asep see notes"},
	{"by the owner's hand", "andini", `mutation{updateTicket(id:"{{ticket}}",input:{assigneeId:null}){id}}`, "",
		"andini change notes, ratna see notes, budi change, asep see notes"},
	{"the requester leads the team", "andini", managed("budi"), "",
		"andini change notes, ratna see notes, budi change"},
	{"as a manager", "andini", roleOf("budi", "manager"), "",
		"andini change notes, ratna see notes, budi change"},
	{"and takes it as one", "budi", assigned("budi"), "",
		"andini change notes, ratna see notes, budi change"},
	{"reads all tickets", "andini", roleOf("budi", "desk"), "",
		"andini change notes, ratna see notes, budi change notes"},
	{"reads their own again", "andini", roleOf("budi", "employee"), "",
		"andini change notes, ratna see notes, budi change"},
	{"works in Bandung", "andini", moved("bandung"), "",
		"andini change notes, budi change, asep see notes"},
}

func assigned(who string) string {
	return `mutation{updateTicket(id:"{{ticket}}",input:{assigneeId:"{{` + who + `}}"}){id}}`
}

func followed(who ...string) string {
	return `mutation{updateTicket(id:"{{ticket}}",input:{followerIds:["{{` + strings.Join(who, `}}","{{`) + `}}"]}){id}}`
}

// TestTicketChanges tries the ticket, its comments, notes and files through both APIs and the
// subscription after each step, and who may change it. Nobody is told of notes who does not see
// them, and the requester has none of them in what is exported about them.
func TestTicketChanges(t *testing.T) {
	harness.OnSQLite(t, func(t *testing.T, s *harness.Server) {
		c := newChanging(t, s)
		s.Vars["role.desk"] = c.do(t, "andini",
			`mutation{createRole(input:{name:"Layanan",permissions:["ticket.read.all","ticket.write.own"]}){id}}`)
		s.Vars["ticket"] = c.do(t, "budi", `mutation{saveTicket(input:{subject:"Mesin kopi"}){id}}`)
		c.do(t, "andini", `mutation{createTicketComment(input:{ticketId:"{{ticket}}",text:"kata"}){id}}`)
		s.Vars["note"] = c.do(t, "andini",
			`mutation{createTicketComment(input:{ticketId:"{{ticket}}",text:"rahasia",internal:true}){id}}`)
		c.attach(t)
		c.listen(t, `subscription{ticketChanged{description comments{text} attachments{url}}}`)
		n := 0
		c.walk(t, ticketSteps, func(t *testing.T, s step) {
			n++
			mark := fmt.Sprintf("langkah %d.", n)
			c.do(t, "andini", `mutation{updateTicket(id:"{{ticket}}",input:{description:"`+mark+`"}){id}}`)
			c.events(t, s, mark, texts{"notes": {"rahasia"}})
			c.do(t, "andini",
				`mutation{createTicketComment(input:{ticketId:"{{ticket}}",text:"rahasia lagi",internal:true}){id}}`)
		}, c.ticketSight)
		c.merge(t)
		told := s.Store.Ent.Message.Query().Where(entMessage.Kind("ticket_note"),
			entMessage.HasUserWith(user.EmailKey(lookers["budi"]))).CountX(c.ctx)
		if told != 0 {
			t.Errorf("the requester is told of %d notes", told)
		}
		if text := c.exported(t, "budi"); !strings.Contains(text, "Mesin kopi") || strings.Contains(text, "rahasia") {
			t.Errorf("what is exported about the requester has the ticket: %v, its notes: %v",
				strings.Contains(text, "Mesin kopi"), strings.Contains(text, "rahasia"))
		}
	})
}

// merge merges the ticket with one of cecep, whom its requester does not see there: nor does cecep
// see the ticket.
func (c changing) merge(t *testing.T) {
	t.Helper()
	c.Vars["other"] = c.do(t, "cecep", `mutation{saveTicket(input:{subject:"Kulkas"}){id}}`)
	merged := step{"merged", "andini", `mutation{updateTicket(id:"{{ticket}}",input:{duplicateOfId:"{{other}}"}){id}}`, "",
		"andini see other, asep see other, budi see"}
	c.walk(t, []step{merged}, nil, func(t *testing.T, who string) string {
		s := sight{}
		c.byGraphQL(t, s, who, `{ticket(id:"{{ticket}}"){subject duplicateOf{subject}}}`,
			texts{"see": {"Mesin kopi"}, "other": {"Kulkas"}})
		c.byGraphQL(t, s, who, `{tickets(first:5,where:{id:"{{ticket}}"}){edges{node{subject duplicateOf{subject}}}}}`,
			texts{"see": {"Mesin kopi"}, "other": {"Kulkas"}})
		return s.words("see", "other")
	})
}

// attach adds a file to the ticket.
func (c changing) attach(t *testing.T) {
	t.Helper()
	c.Store.Ent.TicketAttachment.Create().SetCompanyID(c.company).SetTicketID(c.id(t, "ticket")).
		SetUserID(c.person("andini").ID).SetName("x").
		SetURL("images/ticket.png").SetContentType("image/png").SetSize(1).SetCreatedAt(harness.Morning).SaveX(c.ctx)
}

// ticketSight says what somebody sees of the ticket.
func (c changing) ticketSight(t *testing.T, who string) string {
	const members = `{subject comments{text} attachments{url}}`
	s, parts := sight{}, texts{"see": {`"Mesin kopi"`, `"kata"`, "images/ticket.png"}, "notes": {`"rahasia`}}
	c.byGraphQL(t, s, who, `{ticket(id:"{{ticket}}")`+members+`}`, parts)
	c.byGraphQL(t, s, who, `{tickets(first:5,where:{id:"{{ticket}}"}){edges{node`+members+`}} `+
		`ticketList(search:"mesin kopi",limit:5){nodes`+members+`} ticketWidget(limit:20){items`+members+`}}`, parts)
	c.byGraphQL(t, s, who, `{tickets(where:{id:"{{ticket}}"}){totalCount} ticketList(search:"mesin kopi"){totalCount}}`,
		texts{"see": {`"totalCount":1`}})
	c.byREST(t, s, who,
		texts{"see": {`"Mesin kopi"`}}, "/ticket/{{ticket}}", "/ticket?search=mesin%20kopi", "/widget/ticket?limit=20")
	note := c.ask(t, who, `mutation{updateTicketComment(id:"{{note}}",input:{text:""}){id}}`).Code() // of nothing
	s.add("notes", "updateTicketComment", note != "NOT_FOUND")
	change := c.ask(t, who, `mutation{resumeTicket(id:"{{ticket}}"){id}}`).Code() // which is not on hold
	s.add("change", "resumeTicket", change == "CONFLICT")
	s.add("see", "resumeTicket", change != "NOT_FOUND")
	return s.words("change", "see", "notes")
}

// exported returns what is exported about somebody, all files in one text.
func (c changing) exported(t *testing.T, who string) string {
	t.Helper()
	var data bytes.Buffer
	if err := c.Services.Privacy.Person(c.ctx, &data, c.company, c.person(who).ID); err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(data.Bytes()), int64(data.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(&all, r); err != nil {
			t.Fatal(err)
		}
		_ = r.Close()
	}
	return all.String()
}
