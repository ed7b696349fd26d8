package tx

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"workforce/ent"
	"workforce/internal/app/apptest"
	"workforce/internal/app/input"
	"workforce/internal/errs"
)

// TestEach writes a row for each id: what is refused is taken back, and what fails ends all.
func TestEach(t *testing.T) {
	many, long := make([]int, 101), strings.Repeat("x", 251)
	refused, broken := errs.New(errs.Forbidden, nil), errors.New("broken")
	tests := []struct {
		name  string
		ids   []int
		note  *string
		fails map[int]error
		want  string
		rows  int
	}{
		{"all", []int{2, 1}, nil, nil, "2: 1:", 2},
		{"one twice", []int{1, 1}, nil, nil, "1: 1:", 1},
		{"one is refused", []int{3, 2, 1}, nil, map[int]error{2: refused}, "3: 2:FORBIDDEN 1:", 2},
		{"one is not found", []int{1, 2}, nil, map[int]error{1: &ent.NotFoundError{}}, "1:NOT_FOUND 2:", 1},
		{"one conflicts", []int{1, 2}, nil, map[int]error{1: &ent.ConstraintError{}}, "1:CONFLICT 2:", 1},
		{"all are refused", []int{1, 2}, nil, map[int]error{1: refused, 2: refused}, "1:FORBIDDEN 2:FORBIDDEN", 0},
		{"one fails", []int{1, 2}, nil, map[int]error{2: broken}, "broken", 0},
		{"a deadlock", []int{1, 2}, nil, map[int]error{2: deadlock}, deadlock.Error(), 0},
		{"nothing", nil, nil, nil, "VALIDATION_FAILED ids required", 0},
		{"too many", many, nil, nil, "VALIDATION_FAILED ids too_many", 0},
		{"a note that is too long", []int{1}, &long, nil, "VALIDATION_FAILED note too_long", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w, got := apptest.New(t), ""
			_, err := once(w.System(), w.DB, func(ctx context.Context) error {
				list, err := Each(ctx, tt.ids, tt.note, func(ctx context.Context, id int) error {
					row := ent.FromContext(ctx).RateLog.Create().SetKey(fmt.Appendf(nil, "%032d", id))
					if err := row.SetUpdatedAt(apptest.Now).Exec(ctx); err != nil {
						return err
					}
					return tt.fails[id]
				})
				for _, d := range list {
					got += fmt.Sprintf(" %d:%s", d.ID, input.Value(d.Code))
				}
				return err
			})
			if err != nil {
				got = apptest.Code(err)
			}
			if got = strings.TrimSpace(got); got != tt.want || rows(w) != tt.rows {
				t.Errorf("%q with %d rows, want %q with %d", got, rows(w), tt.want, tt.rows)
			}
		})
	}
}

// TestEachOf begins once, with every id once and in order, and takes no step if that fails.
func TestEachOf(t *testing.T) {
	broken := errors.New("broken")
	for _, tt := range []struct {
		ids   []int
		fails error
		want  string
	}{
		{[]int{3, 1, 3, 2}, nil, "begin [1 2 3] 1 2 3"},
		{[]int{2, 1}, broken, "begin [1 2] broken"},
		{nil, nil, "VALIDATION_FAILED ids required"},
	} {
		w := apptest.New(t)
		var got []string
		_, err := once(w.System(), w.DB, func(ctx context.Context) error {
			_, err := EachOf(ctx, tt.ids, nil, func(_ context.Context, ids []int) error {
				got = append(got, fmt.Sprint("begin ", ids))
				return tt.fails
			}, func(_ context.Context, id int) error {
				got = append(got, fmt.Sprint(id))
				return nil
			})
			return err
		})
		if err != nil {
			got = append(got, apptest.Code(err))
		}
		if text := strings.Join(got, " "); text != tt.want {
			t.Errorf("%v: %q, want %q", tt.ids, text, tt.want)
		}
	}
}
