package sqlplan

import (
	"bytes"
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"

	"workforce/internal/operation"
)

// TestAnswerTooLarge stops at the element with which an answer is too large, and
// leaves out long texts of other fields then.
func TestAnswerTooLarge(t *testing.T) {
	long := strings.Repeat("a", longText)
	operation.BoundAnswer(t.Context(), func(ctx context.Context) *graphql.Response {
		w, written := answerWriter{answer: operation.AnswerFrom(ctx)}, 0
		if got := withinAnswer(ctx, long); got != long {
			t.Errorf("a text that fits is %q", got)
		}
		const size = operation.MaxAnswer / 4
		err := w.list(8, func(int) { w.to, written = make([]byte, len(w.to)+size), written+1 })
		if err != errTooLarge || written != 4 { // the long text was before
			t.Errorf("%v after %d elements", err, written)
		}
		for _, res := range []any{long, &long, "short", (*string)(nil), 5} {
			got, want := withinAnswer(ctx, res), res
			switch s := got.(type) {
			case string:
				if res == any(long) {
					want = ""
				}
			case *string:
				if s != nil && *s == "" {
					want = got
				}
			}
			if got != want || got == any(&long) {
				t.Errorf("%v becomes %v", res, got)
			}
		}
		return nil
	})
}

// TestMarshal puts an answer behind what gqlgen wrote before it, without a copy where that is no more
// than a key.
func TestMarshal(t *testing.T) {
	answer := strings.Repeat("a", 5000)
	for name, tt := range map[string]struct {
		before string
		loan   *operation.Loan
		copied bool
	}{
		"a key":      {`{"people":`, &operation.Loan{}, false},
		"nothing":    {"", &operation.Loan{}, false},
		"a long key": {`{"` + strings.Repeat("k", headroom) + `":`, &operation.Loan{}, true},
		"a field":    {`{"a":` + strings.Repeat("1", headroom) + `,"people":`, &operation.Loan{}, true},
		"no loan":    {`{"people":`, nil, true},
	} {
		for _, left := range []string{"", strings.Repeat("another answer", 500)} {
			text := newText()
			*text = append(append(*text, left...)[:headroom], answer...)
			own := *text
			var to bytes.Buffer
			to.WriteString(tt.before)
			(&Plan{text: text, loan: tt.loan}).MarshalGQL(&to)
			to.WriteString("}")
			if got := to.String(); got != tt.before+answer+"}" {
				t.Errorf("%s: %.100s", name, got)
			}
			if copied := &to.Bytes()[len(tt.before)] != &own[headroom]; copied != tt.copied && cap(own) > len(own) {
				t.Errorf("%s: copied: %v", name, copied)
			}
			if tt.loan != nil && slices.Contains(tt.loan.Buffers, text) == tt.copied {
				t.Errorf("%s: the buffer that the answer is in is not on loan, or one is that others may have", name)
			}
		}
	}
	first, second := newText(), newText()
	*first, *second = append(*first, "1"...), append(*second, "2"...)
	var to bytes.Buffer
	for i, text := range []*[]byte{first, second} {
		to.WriteString([]string{`{"a":`, `,"b":`}[i])
		(&Plan{text: text, loan: &operation.Loan{}}).MarshalGQL(&to)
	}
	if got := to.String(); got != `{"a":1,"b":2` {
		t.Errorf("two plans write %s", got)
	}
	var other strings.Builder
	third := newText()
	*third = append(*third, "3"...)
	(&Plan{text: third}).MarshalGQL(&other)
	if other.String() != "3" {
		t.Errorf("another writer gets %s", other.String())
	}
}

// TestFreeRows shows that rows that are reused hold nothing of those before.
func TestFreeRows(t *testing.T) {
	o := &object{edges: make([]*edge, 1)}
	child := newRows(o, 1)
	r := newRows(o, 2)
	r.ids, r.parents, r.more, r.values, r.unordered = append(r.ids, 1), append(r.parents, 2), []int{3}, append(r.values, []byte("4")), true
	r.spans, r.placeholders, r.children = append(r.spans, chunkSpan{}), append(r.placeholders, placeholder{}), append(r.children, child)
	r.text.close(append(r.text.open(), "5"...))
	r.group([]pair{{6, 0}, {7, 0}})
	r.free()
	for v, i := reflect.ValueOf(*r), 0; i < v.NumField(); i++ {
		if f := v.Field(i); f.Kind() == reflect.Slice && f.Len() > 0 || f.Kind() != reflect.Slice && f.Kind() != reflect.Struct && !f.IsZero() {
			t.Errorf("%s is left: %v", v.Type().Field(i).Name, f)
		}
	}
	if r.index.low != 0 || r.index.byID != nil || len(r.index.array) > 0 || r.children[:1][0] != nil || r.values[:1][0] != nil || r.text[:1][0] != nil {
		t.Error("an index, a child or a text is left")
	}
}
