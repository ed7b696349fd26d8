package executor

import (
	"context"
	"sync"
	"time"

	"workforce/ent/idempotencyclaim"
	"workforce/internal/database"
	"workforce/internal/operation"
	"workforce/internal/viewer"
)

// lease is that of a claim. It is renewed every leaseRenewal while its request runs, so that
// the key of a request that died with its process or its database is free soon after.
var lease = database.Lease{Column: idempotencyclaim.FieldLeaseUntil, Life: 4 * time.Second}

const leaseRenewal = time.Second

// renewals is how often the lease of one claim is renewed: until the request has
// had its time.
const renewals = int((operation.Timeout + releaseTime) / leaseRenewal)

// leases are the claims of the requests that run in this process. The zero value is
// ready for use.
type leases struct {
	mu   sync.Mutex
	held map[*keyClaim]int // in how many rounds each was held
	stop chan struct{}     // ends the rounds; nil while none is held
}

// hold has renew renew the lease of a claim, and of all others that are held, until
// release is called.
func (l *leases) hold(k *keyClaim, renew func([]*keyClaim)) (release func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stop == nil {
		l.held, l.stop = map[*keyClaim]int{}, make(chan struct{})
		go l.rounds(l.stop, renew)
	}
	l.held[k] = 0
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if delete(l.held, k); len(l.held) == 0 {
			close(l.stop)
			l.stop = nil
		}
	}
}

// count returns how many are held.
func (l *leases) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.held)
}

// rounds renews the leases every leaseRenewal until stop is closed.
func (l *leases) rounds(stop <-chan struct{}, renew func([]*keyClaim)) {
	ticker := time.NewTicker(leaseRenewal)
	defer ticker.Stop()
	for {
		select {
		case <-stop:
			return
		case <-ticker.C:
		}
		if due := l.due(); len(due) > 0 {
			renew(due)
		}
	}
}

// due returns the claims to renew. One that is new since the last round has time
// until the next.
func (l *leases) due() []*keyClaim {
	l.mu.Lock()
	defer l.mu.Unlock()
	var due []*keyClaim
	for k, rounds := range l.held {
		l.held[k]++
		if 0 < rounds && rounds <= renewals {
			due = append(due, k)
		}
	}
	return due
}

// renewLeases renews the leases of claims that are still their requests' own, by one
// statement. One that fails is repeated in the next round.
func (e *Executor) renewLeases(claims []*keyClaim) {
	ctx, cancel := context.WithTimeout(viewer.System(context.Background()), lease.Life)
	defer cancel()
	ids, holders := make([]int, len(claims)), make([][]byte, len(claims))
	for i, k := range claims {
		ids[i], holders[i] = k.id, k.holder
	}
	err := e.DB.IdempotencyClaim.Update().
		Where(idempotencyclaim.IDIn(ids...), idempotencyclaim.HolderIn(holders...), idempotencyclaim.OutcomeIsNil()).
		Modify(lease.Renew).Exec(ctx)
	if err != nil {
		e.Log.WarnContext(ctx, "renewing leases", "error", err)
	}
}
