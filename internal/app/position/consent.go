package position

import (
	"context"

	"workforce/ent"
	"workforce/internal/app/scheduling"
	"workforce/internal/viewer"
)

// SetConsent says whether positions that the viewer's phone reports may be stored, and
// returns the viewer's id. A report that runs meanwhile ends first.
func (s *Service) SetConsent(ctx context.Context, granted bool) (int, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return 0, err
	}
	ctx = viewer.System(ctx) // people change nothing else of themselves
	if err := scheduling.Lock(ctx, me.CompanyID, []int{me.UserID}); err != nil {
		return 0, err
	}
	u, err := ent.FromContext(ctx).User.Get(ctx, me.UserID)
	if err != nil || granted == (u.CoordinateConsentAt != nil) {
		return me.UserID, err
	}
	if !granted {
		return me.UserID, u.Update().ClearCoordinateConsentAt().Exec(ctx)
	}
	return me.UserID, u.Update().SetCoordinateConsentAt(s.Now()).Exec(ctx)
}
