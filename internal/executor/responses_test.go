package executor

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// respond returns a load of a text, and counts how often it runs.
func respond(text string, count *int) func() *graphql.Response {
	return func() *graphql.Response {
		*count++
		return &graphql.Response{Data: []byte(text)}
	}
}

func TestResponsesKeep(t *testing.T) {
	a := NewResponseCache(1 << 20)
	loads := 0
	steps := []struct {
		key     cacheKey
		version int
		loads   string
		want    string
	}{
		{cacheKey{1}, 7, "a", "a"},
		{cacheKey{1}, 7, "not asked", "a"},
		{cacheKey{2}, 7, "b", "b"},
		{cacheKey{1}, 8, "c", "c"},
		{cacheKey{1}, 8, "not asked", "c"},
		{cacheKey{1}, 7, "not asked", "a"}, // never so: versions do not come back
		{cacheKey{2}, 7, "not asked", "b"},
		{cacheKey{1}, 0, "e", "e"},
		{cacheKey{1}, 0, "not asked", "e"},
	}
	for i, s := range steps {
		if got := a.get(t.Context(), s.key, s.version, respond(s.loads, &loads)); string(got.Data) != s.want {
			t.Errorf("step %d: %q, want %q", i, got.Data, s.want)
		}
	}
	if a.Hits() != 5 || a.Misses() != 4 || loads != 4 {
		t.Errorf("%d hits, %d misses, %d loads; want 5, 4, 4", a.Hits(), a.Misses(), loads)
	}
	if a.entries.CleanUp(); a.Bytes() == 0 {
		t.Error("they take up nothing")
	}
}

// TestResponsesKeepNot lists what is passed on and not kept.
func TestResponsesKeepNot(t *testing.T) {
	const size = 1 << 16
	large := bytes.Repeat([]byte("x"), size/4)
	more := true
	for name, resp := range map[string]*graphql.Response{
		"none":             nil,
		"no data":          {},
		"errors":           {Data: []byte(`{"user":null}`), Errors: gqlerror.List{{Message: "no"}}},
		"extensions":       {Data: []byte(`{}`), Extensions: map[string]any{"a": 1}},
		"more is to come":  {Data: []byte(`{}`), HasNext: &more},
		"more than it may": {Data: large},
	} {
		a := NewResponseCache(size)
		for range 2 {
			if got := a.get(t.Context(), cacheKey{}, 1, func() *graphql.Response { return resp }); got != resp {
				t.Errorf("%s: %v", name, got)
			}
		}
		if a.Hits() != 0 || a.Misses() != 2 || a.entries.EstimatedSize() != 0 {
			t.Errorf("%s: %d hits, %d misses, %d kept", name, a.Hits(), a.Misses(), a.entries.EstimatedSize())
		}
	}
	if NewResponseCache(0) != nil {
		t.Error("0 bytes keep answers")
	}
}

// TestResponsesAreBounded keeps far more than there is room for.
func TestResponsesAreBounded(t *testing.T) {
	const size = 1 << 20
	a := NewResponseCache(size)
	text := string(bytes.Repeat([]byte("x"), 10_000))
	for i := range 1000 {
		n := 0
		a.get(t.Context(), cacheKey{byte(i), byte(i >> 8)}, 1, respond(text, &n))
	}
	a.entries.CleanUp()
	if got := a.Bytes(); got > size || got < size/2 {
		t.Errorf("they take up %d bytes of %d", got, size)
	}
}

// TestResponsesAreTheirOwn changes what was passed on.
func TestResponsesAreTheirOwn(t *testing.T) {
	a := NewResponseCache(1 << 20)
	data := append(make([]byte, 0, 100), "abc"...)
	a.get(t.Context(), cacheKey{}, 1, func() *graphql.Response { return &graphql.Response{Data: data} })
	data[0] = 'x'
	got := a.get(t.Context(), cacheKey{}, 1, nil).Data
	if string(got) != "abc" || cap(got) != len(got) {
		t.Errorf("kept %q with room for %d", got, cap(got))
	}
}

// TestResponsesLoadOnce has many ask while one loads.
func TestResponsesLoadOnce(t *testing.T) {
	a := NewResponseCache(1 << 20)
	began, release := make(chan struct{}), make(chan struct{})
	var asking sync.WaitGroup
	asking.Go(func() {
		a.get(t.Context(), cacheKey{}, 1, func() *graphql.Response {
			close(began)
			<-release
			return &graphql.Response{Data: []byte("a")}
		})
	})
	<-began
	n := 0
	if got := a.get(t.Context(), cacheKey{}, 2, respond("b", &n)); string(got.Data) != "b" {
		t.Errorf("another version waits, and gets %q", got.Data)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("the client is gone"))
	if got := a.get(ctx, cacheKey{}, 1, nil); got != nil {
		t.Errorf("who went away gets %q", got.Data)
	}
	for range 10 {
		asking.Go(func() {
			if got := a.get(t.Context(), cacheKey{}, 1, nil); string(got.Data) != "a" {
				t.Errorf("who waited gets %q", got.Data)
			}
		})
	}
	close(release)
	asking.Wait()
}

// TestResponsesOutliveAFailure has the one that loads fail in every way: those who
// wait find out for themselves.
func TestResponsesOutliveAFailure(t *testing.T) {
	failures := map[string]func() *graphql.Response{
		"nothing": func() *graphql.Response { return nil },
		"errors":  func() *graphql.Response { return &graphql.Response{Errors: gqlerror.List{{Message: "gone"}}} },
		"panic":   func() *graphql.Response { panic("lost") },
	}
	for name, fail := range failures {
		a := NewResponseCache(1 << 20)
		began, release := make(chan struct{}), make(chan struct{})
		var all sync.WaitGroup
		all.Go(func() {
			defer func() { _ = recover() }()
			a.get(t.Context(), cacheKey{}, 1, func() *graphql.Response {
				close(began)
				<-release
				return fail()
			})
		})
		<-began
		for range 3 {
			all.Go(func() {
				n := 0
				if got := a.get(t.Context(), cacheKey{}, 1, respond("own", &n)); got == nil || string(got.Data) != "own" {
					t.Errorf("%s: who waited gets %v", name, got)
				}
			})
		}
		close(release)
		all.Wait()
	}
}
