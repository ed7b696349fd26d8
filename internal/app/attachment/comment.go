package attachment

import (
	"context"

	"workforce/internal/app/input"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// CommentText returns the text of a comment. It adds a fault on text for a blank one, and for more
// than 5000 characters.
func CommentText(faults *errs.Faults, text string) string {
	text = input.Text(faults, "text", &text, maxText)
	if text == "" {
		faults.Add("text", errs.Required, nil)
	}
	return text
}

// EditComment returns the new text of a comment: FORBIDDEN for anybody but its author.
func EditComment(ctx context.Context, author int, text string) (string, error) {
	if author != viewer.From(ctx).Self() {
		return "", errs.New(errs.Forbidden, nil)
	}
	var faults errs.Faults
	text = CommentText(&faults, text)
	return text, faults.Err()
}
