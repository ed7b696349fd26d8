package executor

import (
	"context"
	"sync"
)

// A versionReader reads the versions of companies' directories. Of a company, one
// read runs at a time unless one fails, and the requests that begin meanwhile share the
// next: a read that began before a request may not see what was written before the request.
type versionReader struct {
	mu            sync.Mutex
	running, next map[int]*versionRead // by company
}

// A versionRead is a read for everybody who waits for it.
type versionRead struct {
	done    chan struct{}
	version int
	err     error
}

func newVersionReader() *versionReader {
	return &versionReader{running: map[int]*versionRead{}, next: map[int]*versionRead{}}
}

// get returns the version of a company's directory as of now, as read returns it. A
// request whose shared read fails reads for itself; the first of those that share a read waits
// for the read before it even when its own client has gone.
func (v *versionReader) get(ctx context.Context, company int, read func(context.Context, int) (int, error)) (int, error) {
	r, before, shared := v.join(company)
	if shared {
		select {
		case <-r.done:
		case <-ctx.Done():
			return 0, ctx.Err()
		}
		if r.err == nil {
			return r.version, nil
		}
		return read(ctx, company)
	}
	if before != nil {
		<-before.done
		v.start(company, r)
	}
	defer v.end(company, r)
	r.version, r.err = read(ctx, company)
	return r.version, r.err
}

// join returns the next read of a company: one that others wait for already, which
// is shared, or a new one, which begins when the read before it, if any, has ended.
func (v *versionReader) join(company int) (r, before *versionRead, shared bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if r := v.next[company]; r != nil {
		return r, nil, true
	}
	// A read that panics leaves the error, so that those who share it read for themselves.
	r, before = &versionRead{done: make(chan struct{}), err: errNotShared}, v.running[company]
	if before == nil {
		v.running[company] = r
	} else {
		v.next[company] = r
	}
	return r, before, false
}

// start makes the next read of a company the one that runs.
func (v *versionReader) start(company int, r *versionRead) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.running[company] = r
	delete(v.next, company)
}

// end tells everybody who waits that a read has ended.
func (v *versionReader) end(company int, r *versionRead) {
	v.mu.Lock()
	delete(v.running, company)
	v.mu.Unlock()
	close(r.done)
}
