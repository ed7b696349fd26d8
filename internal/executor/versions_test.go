package executor

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
)

// TestVersionReader lets requests come while a read runs: they share the next one,
// which begins when the first has ended.
func TestVersionReader(t *testing.T) {
	failed := errors.New("connection lost")
	for _, tt := range []struct {
		name  string
		errs  []error // of the reads, in their order
		reads int32
	}{
		{"shared", []error{nil, nil}, 2},
		{"a first read that fails is not theirs", []error{failed, nil}, 2},
		{"each reads for itself when the shared read fails", []error{nil, failed, nil, nil}, 4},
	} {
		synctest.Test(t, func(t *testing.T) {
			v := newVersionReader()
			var reads atomic.Int32
			hold := make(chan struct{})
			read := func(context.Context, int) (int, error) {
				n := reads.Add(1)
				<-hold
				return int(n), tt.errs[n-1]
			}
			var all sync.WaitGroup
			versions := make([]int, 4)
			for i := range versions {
				all.Go(func() { versions[i], _ = v.get(t.Context(), 1, read) })
				synctest.Wait()
			}
			if got := reads.Load(); got != 1 {
				t.Errorf("%s: %d reads at once, want 1", tt.name, got)
			}
			close(hold)
			all.Wait()
			if got := reads.Load(); got != tt.reads {
				t.Errorf("%s: %d reads, want %d", tt.name, got, tt.reads)
			}
			if versions[0] != 1 || versions[1] != 2 || versions[2] < 2 || versions[3] < 2 {
				t.Errorf("%s: versions %v", tt.name, versions)
			}
			if len(v.running)+len(v.next) > 0 {
				t.Errorf("%s: left behind: %v %v", tt.name, v.running, v.next)
			}
		})
	}
}

// TestVersionReaderCompanies reads the versions of two companies side by side.
func TestVersionReaderCompanies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := newVersionReader()
		hold := make(chan struct{})
		go func() {
			_, _ = v.get(t.Context(), 1, func(context.Context, int) (int, error) { <-hold; return 1, nil })
		}()
		synctest.Wait()
		if got, err := v.get(t.Context(), 2, func(_ context.Context, company int) (int, error) { return company, nil }); got != 2 || err != nil {
			t.Errorf("version %d, %v; want 2", got, err)
		}
		close(hold)
	})
}

// TestVersionReaderLater has a request that comes while the second read runs start a third.
func TestVersionReaderLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := newVersionReader()
		var reads int
		holds := []chan struct{}{make(chan struct{}), make(chan struct{}), make(chan struct{})}
		read := func(context.Context, int) (int, error) {
			reads++
			n := reads
			<-holds[n-1]
			return n, nil
		}
		versions := make([]int, 3)
		var all sync.WaitGroup
		for i := range versions {
			all.Go(func() { versions[i], _ = v.get(t.Context(), 1, read) })
			synctest.Wait()
			if i == 1 {
				close(holds[0])
				synctest.Wait() // the second read runs
			}
		}
		close(holds[1])
		close(holds[2])
		all.Wait()
		if versions[0] != 1 || versions[1] != 2 || versions[2] != 3 {
			t.Errorf("versions %v, want 1, 2 and 3", versions)
		}
	})
}

// TestVersionReaderCancelled does not let a request that shares a read wait longer than its client.
func TestVersionReaderCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := newVersionReader()
		hold := make(chan struct{})
		read := func(context.Context, int) (int, error) { <-hold; return 1, nil }
		for range 2 {
			go func() { _, _ = v.get(t.Context(), 1, read) }()
			synctest.Wait()
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := v.get(ctx, 1, read); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want %v", err, context.Canceled)
		}
		close(hold)
	})
}

// TestVersionsAreNotStale writes while many read: nobody reads a version from before
// a write that was acknowledged before.
func TestVersionsAreNotStale(t *testing.T) {
	v := newVersionReader()
	var version atomic.Int64
	read := func(context.Context, int) (int, error) {
		n := int(version.Load())
		runtime.Gosched() // others join
		return n, nil
	}
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			for range 500 {
				written := int(version.Add(1))
				if got, err := v.get(t.Context(), 1, read); got < written || err != nil {
					t.Errorf("version %d, %v after version %d was written", got, err, written)
				}
			}
		})
	}
	all.Wait()
}
