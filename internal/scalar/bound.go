package scalar

import (
	"io"

	"workforce/internal/period"
	"workforce/internal/shift"
)

// A DateOrTime is one end of a period as it was sent.
type DateOrTime struct{ period.Bound }

// UnmarshalGQL reads a local date, or an instant as ReadTime does.
func (b *DateOrTime) UnmarshalGQL(v any) error {
	if text, ok := v.(string); ok {
		if d, err := shift.ParseDate(text); err == nil {
			b.Bound = period.Day(d)
			return nil
		}
	}
	at, err := ReadTime(v)
	if err != nil {
		return badFormat("2026-03-10, 2026-03-10T08:00:00+07:00")
	}
	b.Bound = period.Instant(at)
	return nil
}

// MarshalGQL writes a date or an instant.
func (b DateOrTime) MarshalGQL(w io.Writer) { _, _ = io.WriteString(w, `"`+b.String()+`"`) }
