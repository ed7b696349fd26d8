// Package attachment holds what tasks and tickets have in common: the lock of a row, its title,
// comments and files, the people who are assigned to it, and the words by which it is found.
package attachment

import (
	"context"
	"slices"
	"time"

	"workforce/internal/app/files"
	"workforce/internal/app/input"
	"workforce/internal/errs"
	"workforce/internal/image"
	"workforce/internal/setting"
	"workforce/internal/viewer"
)

// The limits of what is attached.
const (
	maxFiles = 20   // of a row
	MaxTitle = 200  // characters
	maxText  = 5000 // characters
)

// Lock returns a row that the viewer may change, which stays as it is until the transaction ends:
// the error of read for one that they do not see, FORBIDDEN for one that they may not change.
// read returns the row and when it was updated, touch sets that and returns how many rows it updated.
//
// MySQL counts the rows whose columns an update changed: the new time must differ from the old one.
// It may be the same where somebody else has set it meanwhile. The row is locked then, and the second
// attempt succeeds.
func Lock[T any](
	now func() time.Time, read func() (T, time.Time, error), touch func(at time.Time) (int, error),
) (none T, err error) {
	for range 2 {
		_, updated, err := read()
		if err != nil {
			return none, err
		}
		at := now()
		if !at.After(updated) {
			at = updated.Add(time.Microsecond)
		}
		n, err := touch(at)
		if err != nil {
			return none, err
		}
		if n == 1 {
			row, _, err := read()
			return row, err
		}
	}
	return none, errs.New(errs.Forbidden, nil)
}

// Title returns a title that is given: input.Required text of at most 200 characters.
func Title(faults *errs.Faults, field string, sent input.Omittable[*string]) input.Omittable[*string] {
	text, given := sent.ValueOK()
	if !given {
		return sent
	}
	title := input.Required(faults, field, text, MaxTitle)
	return input.Given(&title)
}

// Description returns a description that is given; a blank one is null. It adds a fault for more
// than 5000 characters.
func Description(faults *errs.Faults, sent input.Omittable[*string]) input.Omittable[*string] {
	if !sent.IsSet() {
		return sent
	}
	text := input.Text(faults, "description", sent.Value(), maxText)
	if text == "" {
		return input.Given[*string](nil)
	}
	return input.Given(&text)
}

// A File is a file that a row has.
type File struct {
	ID     int  `sql:"id"`      // of the attachment
	FileID *int `sql:"file_id"` // nil once its bytes were erased
}

// Attach attaches an uploaded file to a row and returns the id of the attachment: that of the same
// file, if the row has it. Which types of file are taken is the setting attachmentTypes of the
// company. list returns the files of the row, add writes an attachment. Errors are those of
// files.Service.Document, and TOO_MANY for more than 20 files, on the member file.
func Attach(
	ctx context.Context, store *files.Service, upload files.Upload,
	list func() ([]File, error), add func(*files.Document) (int, error),
) (_ int, err error) {
	defer errs.Step(&err, "attachment: attach a file")
	me, err := viewer.Require(ctx)
	if err != nil {
		return 0, err
	}
	d, err := store.Document(ctx, "file", upload, image.Largest, setting.AttachmentTypes.Of(me.Settings))
	if err != nil {
		return 0, err
	}
	has, err := list()
	if err != nil {
		return 0, err
	}
	for _, one := range has {
		if one.FileID != nil && *one.FileID == d.ID {
			return one.ID, nil
		}
	}
	if len(has) >= maxFiles {
		return 0, errs.Because("file", errs.TooMany, errs.Meta{"max": maxFiles})
	}
	if err := store.Use(ctx, d.ID); err != nil {
		return 0, err
	}
	return add(d)
}

// batch is how many rows one statement inserts or deletes.
const batch = 500

// Replace makes wanted the members of a row that has others: remove deletes those that are no longer
// wanted, add inserts the new ones. Either is called with at most 500 members at a time.
func Replace[T comparable](has, wanted []T, remove, add func([]T) error) error {
	for part := range slices.Chunk(Without(has, wanted), batch) {
		if err := remove(part); err != nil {
			return err
		}
	}
	for part := range slices.Chunk(Without(wanted, has), batch) {
		if err := add(part); err != nil {
			return err
		}
	}
	return nil
}

// Without returns the elements of list that other does not contain.
func Without[T comparable](list, other []T) []T {
	in := make(map[T]bool, len(other))
	for _, v := range other {
		in[v] = true
	}
	var out []T
	for _, v := range list {
		if !in[v] {
			out = append(out, v)
		}
	}
	return out
}
