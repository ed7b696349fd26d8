package ticket

import (
	"context"

	"workforce/ent"
	"workforce/ent/ticketattachment"
	"workforce/graph/model"
	"workforce/internal/app/task"
	"workforce/internal/blob"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// The limits of the files of a ticket.
const (
	maxAttachments = 20
	longestSide    = 2560 // pixels, of a picture
)

// Uploads manages the files of tickets.
type Uploads struct{ *Service }

// Attach adds a file to a ticket and returns the id of the attachment. A file that the ticket
// has is that one.
func (s Uploads) Attach(ctx context.Context, in model.CreateTicketAttachmentInput) (int, error) {
	if _, err := seen(ctx, "ticketId", in.TicketID); err != nil {
		return 0, err
	}
	t, err := s.lock(ctx, in.TicketID)
	if err != nil {
		return 0, err
	}
	f, err := s.Files.Document(ctx, "file", in.File.File, longestSide)
	if err != nil {
		return 0, err
	}
	sys, db := viewer.System(ctx), ent.FromContext(ctx).TicketAttachment
	list, err := db.Query().Where(ticketattachment.TicketID(t.ID)).All(sys)
	if err != nil {
		return 0, err
	}
	for _, a := range list {
		if a.FileID != nil && *a.FileID == f.ID {
			return a.ID, nil
		}
	}
	if len(list) >= maxAttachments {
		return 0, errs.Because("file", errs.TooMany, errs.Meta{"max": maxAttachments})
	}
	if err := s.Files.Use(ctx, f.ID); err != nil {
		return 0, err
	}
	a, err := db.Create().SetCompanyID(t.CompanyID).SetTicketID(t.ID).SetUserID(viewer.From(ctx).UserID).SetName(task.FileName(in.File.Filename)).
		SetURL(blob.Ref(f.Name)).SetFileID(f.ID).SetContentType(f.MediaType).SetSize(f.Size).SetCreatedAt(s.Now()).Save(sys)
	if err != nil {
		return 0, err
	}
	return a.ID, s.changed(ctx, t)
}

// Detach removes a file of a ticket.
func (s Uploads) Detach(ctx context.Context, id int) error {
	a, err := ent.FromContext(ctx).TicketAttachment.Query().Where(ticketattachment.ID(id)).Only(ctx)
	if err != nil {
		return err
	}
	t, err := s.lock(ctx, a.TicketID)
	if err != nil {
		return err
	}
	if err := ent.FromContext(ctx).TicketAttachment.DeleteOne(a).Exec(viewer.System(ctx)); err != nil {
		return err
	}
	if err := s.Files.Release(viewer.System(ctx), a.FileID); err != nil {
		return err
	}
	return s.changed(ctx, t)
}
