package attachment

import (
	"context"

	"entgo.io/ent/dialect/sql"

	"workforce/internal/app/input"
	"workforce/internal/errs"
	"workforce/internal/textform"
)

// The columns of the rows, and of the tables of their words.
const (
	columnID      = "id"
	columnCompany = "company_id"
	columnWord    = "word"
)

// SearchFilter returns the conditions that a row has, for each word of a text, a word that begins with
// it, or has it anywhere where its script has no blanks between words. The words of rows are in a
// table, whose column refers to the row. Nil and empty text is no search, text without a word finds
// nothing. It adds a fault on search for more than 20 words.
func SearchFilter(faults *errs.Faults, text *string, table, column string) (all []func(*sql.Selector)) {
	if text == nil {
		return nil
	}
	words := textform.SearchedWords(*text)
	if len(words) > input.MaxWords {
		faults.Add("search", errs.TooMany, errs.Meta{"max": input.MaxWords})
		return nil
	}
	if len(words) == 0 && *text != "" {
		return []func(*sql.Selector){func(s *sql.Selector) { s.Where(sql.False()) }}
	}
	for _, word := range words {
		all = append(all, func(s *sql.Selector) {
			found := sql.Table(table).As("found_words")
			matches := sql.And(sql.GTE(found.C(columnWord), word), sql.LT(found.C(columnWord), after(word)))
			if textform.IsUnspaced(word) {
				matches = sql.Contains(found.C(columnWord), word)
			}
			s.Where(sql.In(s.C(columnID), sql.Dialect(s.Dialect()).Select(found.C(column)).From(found).Where(sql.And(
				sql.ColumnsEQ(found.C(columnCompany), s.C(columnCompany)), matches,
			))))
		})
	}
	return all
}

// The bounds of a widget.
const (
	widgetItems = 5
	maxItems    = 50
)

// WidgetItems returns how many items a widget shows: limit, or 5 for nil. It fails with a fault on
// limit for one that is not between 1 and 50.
func WidgetItems(ctx context.Context, limit *int) (int, error) {
	n := widgetItems
	if limit != nil {
		n = *limit
	}
	var faults errs.Faults
	if n < 1 || n > maxItems {
		faults.Add("limit", errs.OutOfRange, errs.Meta{"min": 1, "max": maxItems})
	}
	return n, faults.Err()
}

// after returns the first text in byte order that does not begin with a word: words that
// do lie between the word and it.
func after(word string) string { return word + "\U0010FFFF" }
