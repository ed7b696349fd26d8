package people

import (
	"context"
	"strings"
	"testing"

	"workforce/ent"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/viewer"
)

func TestUpdateViewer(t *testing.T) {
	w := newWorld(t)
	budi, ani := w.User(t, "Budi"), w.User(t, "Ani")
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.User.UpdateOne(ani).SetPhone("+628401100001").Exec(ctx)
	})
	set := func(u *ent.User, in model.UpdateViewerInput) string {
		return outcome(w.Try(w.As(u, viewer.Employee), func(ctx context.Context, _ *ent.Client) error {
			_, err := w.people.UpdateViewer(ctx, in)
			return err
		}))
	}
	for _, tt := range []struct {
		about string
		who   *ent.User
		in    model.UpdateViewerInput
		want  string
	}{
		{"all", ani, model.UpdateViewerInput{Locale: given("en"), Gender: given("female"), Salutation: given(" Ibu "), MessageChannel: given(user.MessageChannelWhatsapp)}, ""},
		{"nothing", ani, model.UpdateViewerInput{}, ""},
		{"e-mail without a number", budi, model.UpdateViewerInput{MessageChannel: given(user.MessageChannelEmail)}, ""},
		{"SMS without a number", budi, model.UpdateViewerInput{MessageChannel: given(user.MessageChannelSms)}, "VALIDATION_FAILED messageChannel(needs)"},
		{"all that is wrong", budi, model.UpdateViewerInput{Locale: null[string](), Gender: given("x"), Salutation: given(strings.Repeat("x", 33)), MessageChannel: given(user.MessageChannelWhatsapp)},
			"VALIDATION_FAILED locale(required) gender(not_one_of) salutation(too_long) messageChannel(needs)"},
	} {
		if got := set(tt.who, tt.in); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.about, got, tt.want)
		}
	}
	if u := w.get(ani.ID); u.Locale != "en" || *u.Gender != "female" || *u.Salutation != "Ibu" || *u.MessageChannel != user.MessageChannelWhatsapp {
		t.Errorf("stored %v", u)
	}
	if got := set(ani, model.UpdateViewerInput{Gender: null[string](), Salutation: given(" "), MessageChannel: null[user.MessageChannel]()}); got != "" {
		t.Error(got)
	}
	if u := w.get(ani.ID); u.Locale != "en" || u.Gender != nil || u.Salutation != nil || u.MessageChannel != nil {
		t.Errorf("stored %v", u)
	}
}
