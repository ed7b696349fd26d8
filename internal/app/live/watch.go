package live

import (
	"context"
	"time"

	"workforce/ent"
	"workforce/internal/app/auth/credential"
	"workforce/internal/viewer"
)

// How often connections are looked at.
const (
	checkEvery  = time.Second            // whether tokens have expired
	lookUpEvery = 4                      // checks: whether another instance revoked them, which counts within 5 s
	settle      = 100 * time.Millisecond // after changes in this process
)

// Watch makes the service look at tokens as soon as this process changes what they stand
// for.
func (s *Service) Watch(identities *credential.Cache) {
	s.Identities = identities
	identities.OnChange = func() {
		select {
		case s.recheck <- struct{}{}:
		default: // it is about to
		}
	}
}

// watch ends connections whose token expired or was revoked, until ctx ends.
func (s *Service) watch(ctx context.Context) {
	ctx = viewer.System(ent.NewContext(ctx, s.DB))
	check := time.NewTicker(checkEvery)
	defer check.Stop()
	for n := 1; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-s.recheck:
			s.lookUp(ctx, false)
			select {
			case <-ctx.Done():
			case <-time.After(settle):
			}
		case <-check.C:
			s.expire()
			if n%lookUpEvery == 0 {
				s.lookUp(ctx, true)
			}
		}
	}
}

// expire ends the connections whose tokens have expired.
func (s *Service) expire() {
	now := s.Now()
	for _, c := range s.open.signedIn() {
		if c.holder.Load().Check(now) != credential.Valid {
			c.receiver.End(SignedOut)
		}
	}
}

// lookUp ends the connections whose tokens are not valid. While the database is away
// nothing is delivered, and they stay.
func (s *Service) lookUp(ctx context.Context, fresh bool) {
	list := s.open.signedIn()
	if len(list) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, deliverTime)
	defer cancel()
	if _, err := s.identify(ctx, list, fresh); err != nil && ctx.Err() == nil {
		s.Log.WarnContext(ctx, "live: tokens could not be looked up", "error", err)
	}
}
