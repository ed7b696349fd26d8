package demo

import (
	"context"
	"strconv"
	"time"

	"workforce/ent"
	entTicket "workforce/ent/ticket"
	"workforce/ent/tickethold"
	"workforce/internal/calendar"
	"workforce/internal/setting"
	"workforce/internal/sla"
	"workforce/internal/textform"
)

var ticketCategories = []string{"Jaringan", "Perangkat", "Ruang kerja"}

// A ticketData describes a ticket of the n-th person of the company, for another one to help
// with, -1 for nobody yet. It was saved so many hours ago.
type ticketData struct {
	subject     string
	status      entTicket.Status
	priority    entTicket.Priority
	category    int
	requester   int
	assignee    int
	hours       int
	held, noted bool
}

var ticketList = []ticketData{
	{"Kartu akses tidak terbaca", entTicket.StatusClosed, entTicket.PriorityNormal, 2, 4, 1, 240, false, true},
	{"Laptop tidak menyala", entTicket.StatusResolved, entTicket.PriorityHigh, 1, 2, 1, 170, false, true},
	{"Kursi rusak", entTicket.StatusClosed, entTicket.PriorityLow, 2, 5, 0, 150, false, false},
	{"Tinta printer habis", entTicket.StatusInProgress, entTicket.PriorityNormal, 1, 2, 1, 50, true, true},
	{"VPN sering terputus", entTicket.StatusInProgress, entTicket.PriorityHigh, 0, 3, 1, 26, false, false},
	{"Akun surel baru", entTicket.StatusOpen, entTicket.PriorityNormal, 1, 6, -1, 20, false, false},
	{"Lampu meja kerja redup", entTicket.StatusOpen, entTicket.PriorityLow, 2, 2, -1, 3, false, false},
	{"Wi-Fi lantai 3 mati", entTicket.StatusOpen, entTicket.PriorityUrgent, 0, 1, 0, 1, false, false},
}

// addTickets adds tickets in every status, one of them on hold.
func addTickets(ctx context.Context, f *filler) error {
	categories := make([]int, len(ticketCategories))
	for i, name := range ticketCategories {
		c, err := f.db.TicketCategory.Create().SetCompanyID(f.company.ID).SetName(name).Save(ctx)
		if err != nil {
			return err
		}
		categories[i] = c.ID
	}
	number := 0
	for _, t := range ticketList {
		if max(t.requester, t.assignee) >= len(f.users) {
			continue
		}
		number++
		if err := addTicket(ctx, f, number, t, categories[t.category]); err != nil {
			return err
		}
	}
	return f.db.TicketCounter.Create().SetID(f.company.ID).SetLast(number).Exec(ctx)
}

func addTicket(ctx context.Context, f *filler, number int, t ticketData, category int) error {
	who, created := f.users[t.requester], f.now.Add(-time.Duration(t.hours)*time.Hour)
	after := func(n int) time.Time { return created.Add(time.Duration(t.hours*n) * 6 * time.Minute) } // tenths of its age
	create := f.db.Ticket.Create().SetCompanyID(f.company.ID).SetNumber(number).SetRequesterID(who.ID).SetSubject(t.subject).SetStatus(t.status).
		SetPriority(t.priority).SetCategoryID(category).SetCreatedAt(created).SetUpdatedAt(created)
	if t.assignee >= 0 {
		create.SetAssigneeID(f.users[t.assignee].ID)
	}
	target := sla.TargetOf(nil, string(t.priority))
	hours := sla.HoursOf(nil, f.zone, calendar.Calendar{WeeklyOffs: setting.WeeklyOffs.Of(nil)})
	respond, _ := hours.Due(created, target.Response)
	resolve, _ := hours.Due(created, target.Resolution)
	create.SetRespondBy(respond)
	if t.held {
		create.SetHeldAt(after(2))
	} else {
		create.SetResolveBy(resolve)
	}
	if t.status != entTicket.StatusOpen {
		create.SetRespondedAt(after(1))
	}
	switch t.status {
	case entTicket.StatusClosed:
		create.SetResolvedAt(after(5)).SetClosedAt(after(6))
	case entTicket.StatusResolved:
		create.SetResolvedAt(f.now.Add(-time.Hour))
	}
	made, err := create.Save(ctx)
	if err != nil {
		return err
	}
	words := textform.Words(strconv.Itoa(number), t.subject)
	err = f.db.TicketWord.MapCreateBulk(words, func(w *ent.TicketWordCreate, i int) {
		w.SetCompanyID(f.company.ID).SetTicketID(made.ID).SetWord(words[i])
	}).Exec(ctx)
	if err != nil || t.assignee < 0 {
		return err
	}
	return addTicketParts(ctx, f, made, t, after)
}

// addTicketParts adds the hold and the comments of a ticket.
func addTicketParts(ctx context.Context, f *filler, made *ent.Ticket, t ticketData, after func(int) time.Time) error {
	helper := f.users[t.assignee]
	if t.held {
		err := f.db.TicketHold.Create().SetCompanyID(f.company.ID).SetTicketID(made.ID).SetUserID(helper.ID).SetKind(tickethold.KindWaiting).
			SetReason("Menunggu foto").SetStartedAt(after(2)).Exec(ctx)
		if err != nil {
			return err
		}
	}
	if !t.noted {
		return nil
	}
	say := func(u *ent.User, text string, internal bool, n int) error {
		return f.db.TicketComment.Create().SetCompanyID(f.company.ID).SetTicketID(made.ID).SetUserID(u.ID).SetText(text).SetInternal(internal).
			SetCreatedAt(after(n)).Exec(ctx)
	}
	if err := say(helper, "Sedang kami periksa.", false, 1); err != nil {
		return err
	}
	return say(helper, "Suku cadang sudah dipesan.", true, 3)
}
