package people

import (
	"context"

	"workforce/ent"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/app/organization"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// UpdateViewer changes what the viewer sets for themself, and returns their id.
func (s *Service) UpdateViewer(ctx context.Context, in model.UpdateViewerInput) (int, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return 0, err
	}
	ctx = viewer.System(ctx) // people change nothing else of themselves
	u, err := ent.FromContext(ctx).User.Get(ctx, me.UserID)
	if err != nil {
		return 0, err
	}
	if err := checkOwn(ctx, &in, u).Err(); err != nil {
		return 0, err
	}
	update := u.Update()
	m := update.Mutation()
	input.Set(in.Locale, m.SetLocale, nil)
	input.Set(in.MessageChannel, m.SetMessageChannel, m.ClearMessageChannel)
	input.Set(in.Gender, m.SetGender, m.ClearGender)
	input.Set(in.Salutation, m.SetSalutation, m.ClearSalutation)
	return u.ID, update.Exec(ctx)
}

// checkOwn returns the faults of what a user sets for themself; a channel needs the
// number that it goes to.
func checkOwn(ctx context.Context, in *model.UpdateViewerInput, u *ent.User) errs.Faults {
	var faults errs.Faults
	input.OneOf(&faults, "locale", in.Locale, false, organization.Locales...)
	input.OneOf(&faults, "gender", in.Gender, true, "male", "female")
	if text, given := in.Salutation.ValueOK(); given {
		if line := input.Line(&faults, "salutation", text, 32); line == "" {
			in.Salutation = input.Given[*string](nil)
		} else {
			in.Salutation = input.Given(&line)
		}
	}
	if c := in.MessageChannel.Value(); c != nil && *c != user.MessageChannelEmail && u.Phone == nil {
		faults.Add("messageChannel", errs.Needs, errs.Meta{"other": "mobileNumber"})
	}
	return faults
}
