package ticket

import (
	"context"

	"workforce/ent"
	"workforce/ent/ticketattachment"
	"workforce/graph/model"
	"workforce/internal/app/attachment"
	"workforce/internal/app/files"
	"workforce/internal/blob"
	"workforce/internal/viewer"
)

// Attach adds a file to a ticket and returns the id of the attachment: that of the same file, if the
// ticket has it. Errors on the file are those of attachment.Attach.
func (s *Service) Attach(ctx context.Context, in model.CreateTicketAttachmentInput) (int, error) {
	if _, err := find(ctx, "ticketId", in.TicketID); err != nil {
		return 0, err
	}
	t, err := s.lock(ctx, in.TicketID)
	if err != nil {
		return 0, err
	}
	sys, db := viewer.System(ctx), ent.FromContext(ctx).TicketAttachment
	upload := files.Upload{File: in.File.File, Name: in.File.Filename}
	return attachment.Attach(ctx, s.Files, upload, func() (has []attachment.File, err error) {
		err = db.Query().Where(ticketattachment.TicketID(t.ID)).
			Select(ticketattachment.FieldID, ticketattachment.FieldFileID).Scan(sys, &has)
		return has, err
	}, func(d *files.Document) (int, error) {
		a, err := db.Create().SetCompanyID(t.CompanyID).SetTicketID(t.ID).SetUserID(viewer.From(ctx).UserID).
			SetName(d.Name).SetURL(blob.Ref(d.File.Name)).SetFileID(d.ID).
			SetContentType(d.MediaType).SetSize(d.Size).SetCreatedAt(s.Now()).Save(sys)
		if err != nil {
			return 0, err
		}
		return a.ID, s.publish(ctx, t)
	})
}

// Detach removes a file of a ticket.
func (s *Service) Detach(ctx context.Context, id int) error {
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
	return s.publish(ctx, t)
}
