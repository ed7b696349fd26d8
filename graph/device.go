package graph

import (
	"context"
	"unicode/utf8"

	"workforce/ent"
	"workforce/graph/model"
	"workforce/internal/errs"
	"workforce/internal/token"
	"workforce/internal/viewer"
)

// system lets a step look at rows before the caller's own rights say which:
// the claims of the request's tokens are what it goes by.
func system(ctx context.Context) context.Context { return viewer.System(ctx) }

// checkDevice lists what is wrong with the members of a registration.
func checkDevice(input model.RegisterDeviceInput) error {
	var faults errs.Faults
	if input.DeviceID == "" {
		faults.Add("deviceId", errs.Required, nil)
	}
	text := func(field string, value *string, most int) {
		if value != nil && utf8.RuneCountInString(*value) > most {
			faults.Add(field, errs.TooLong, errs.Meta{"max": most})
		}
	}
	text("deviceId", &input.DeviceID, 255)
	text("model", input.Model.Value(), 255)
	text("osVersion", input.OsVersion.Value(), 64)
	text("appVersion", input.AppVersion.Value(), 64)
	text("pushToken", input.PushToken.Value(), 4096)
	return faults.Err()
}

func registration(t token.Token) *model.DeviceRegistration {
	return &model.DeviceRegistration{DeviceToken: t.Text()}
}

// rotateDevice gives a device its next token. The one in use dies when the next
// is first used, so that a lost answer locks nobody out. What the device calls
// itself stays.
func (r *Resolver) rotateDevice(ctx context.Context, id int, next token.Token, input model.RegisterDeviceInput) error {
	if err := r.noteRotated(ctx, id); err != nil {
		return err
	}
	hash := next.Hash()
	return ent.FromContext(ctx).Device.UpdateOneID(id).SetNextTokenHash(hash[:]).SetPlatform(input.Platform).
		SetNillableModel(input.Model.Value()).SetNillableOsVersion(input.OsVersion.Value()).
		SetNillableAppVersion(input.AppVersion.Value()).SetNillablePushToken(input.PushToken.Value()).Exec(ctx)
}
