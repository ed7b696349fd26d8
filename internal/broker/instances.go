package broker

import "time"

// silence is how long an instance may give no sign of life. After that it has died, or what
// it publishes does not arrive. Redis may hang for 6 s before its connections end.
const silence = 10 * time.Second

// instances are the others that live, each with when it gave its last sign.
type instances map[string]time.Time

// heard notes a sign of an instance, which lives or leaves.
func (i instances) heard(name string, lives bool, now time.Time) {
	if lives {
		i[name] = now
	} else {
		delete(i, name)
	}
}

// refresh begins the silence of all anew: no sign could be heard before.
func (i instances) refresh(now time.Time) {
	for name := range i {
		i[name] = now
	}
}

// forgetSilent forgets those that are silent for too long, and reports whether there were any.
func (i instances) forgetSilent(now time.Time) (some bool) {
	for name, at := range i {
		if now.Sub(at) >= silence {
			delete(i, name)
			some = true
		}
	}
	return some
}
