package broker

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	channel      = "workforce:events"
	waiting      = 4096            // texts that wait to be published; more are lost
	timeout      = 2 * time.Second // of one command
	pingInterval = 3 * time.Second // after which a silent connection is tried; twice as long ends it
	retryAfter   = 200 * time.Millisecond
	maxRetry     = 2 * time.Second
)

// Redis is a broker over Redis' publish and subscribe. Each text begins with the name
// of its instance and a line feed; one without anything else says that its instance
// may have lost some.
type Redis struct {
	client   *redis.Client
	instance []byte // random, with the line feed
	log      *slog.Logger
	queue    chan []byte
	lost     atomic.Bool // a text was not published
}

// silence keeps the library from writing to standard error; what matters is logged here.
var silence = sync.OnceFunc(func() { redis.SetLogger(silent{}) })

type silent struct{}

// Printf implements the library's logger.
func (silent) Printf(context.Context, string, ...any) {}

func newRedis(o *redis.Options, log *slog.Logger) *Redis {
	silence()
	o.DialTimeout, o.ReadTimeout, o.WriteTimeout = timeout, timeout, timeout
	o.MaxRetries = -1 // a text that may have been published is not published again
	o.DisableIdentity = true
	o.PoolSize = 2
	return &Redis{client: redis.NewClient(o), instance: []byte(rand.Text() + "\n"), log: log, queue: make(chan []byte, waiting)}
}

// Publish implements Broker.
func (r *Redis) Publish(text []byte) {
	select {
	case r.queue <- text:
	default:
		r.lost.Store(true)
	}
}

// Run implements Broker. It closes the connections at the end.
func (r *Redis) Run(ctx context.Context, deliver func([]byte), missed func()) {
	var both sync.WaitGroup
	both.Go(func() { r.publishAll(ctx) })
	both.Go(func() { r.subscribe(ctx, deliver, missed) })
	both.Wait()
	_ = r.client.Close() // nothing is left to be sent
}

// publishAll publishes what is queued, and after a failure that something was lost.
func (r *Redis) publishAll(ctx context.Context) {
	again := time.NewTicker(maxRetry)
	defer again.Stop()
	for {
		var text []byte
		select {
		case <-ctx.Done():
			return
		case <-again.C:
			if !r.lost.Load() {
				continue
			}
		case text = <-r.queue:
		}
		if r.lost.Load() && !r.confess(ctx) {
			continue // and so is this one
		}
		if text != nil && !r.send(ctx, text) {
			r.lost.Store(true)
		}
	}
}

// confess tells the other instances that something was lost.
func (r *Redis) confess(ctx context.Context) bool {
	r.lost.Store(false)
	if r.send(ctx, nil) {
		return true
	}
	r.lost.Store(true)
	return false
}

func (r *Redis) send(ctx context.Context, text []byte) bool {
	err := r.client.Publish(ctx, channel, append(bytes.Clone(r.instance), text...)).Err()
	if err != nil && ctx.Err() == nil {
		r.log.WarnContext(ctx, "broker: an event was not published", "error", err)
	}
	return err == nil
}

// subscribe receives until ctx ends. missed is called when the connection ends, and for
// whoever began to listen meanwhile when it is there again.
func (r *Redis) subscribe(ctx context.Context, deliver func([]byte), missed func()) {
	wait := retryAfter
	for first := true; ; first = false {
		connected := false
		err := r.receive(ctx, deliver, missed, func() {
			if connected, wait = true, retryAfter; !first {
				r.log.InfoContext(ctx, "broker: connected again")
				missed()
			}
		})
		if ctx.Err() != nil {
			return
		}
		if connected || first {
			r.log.WarnContext(ctx, "broker: events of other instances are missed", "error", err)
			missed()
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		wait = min(2*wait, maxRetry)
	}
}

// receive subscribes, calls connected, and delivers until the connection ends.
func (r *Redis) receive(ctx context.Context, deliver func([]byte), missed, connected func()) error {
	subscription := r.client.Subscribe(ctx, channel)
	defer subscription.Close()
	defer context.AfterFunc(ctx, func() { _ = subscription.Close() })()
	if _, err := subscription.ReceiveTimeout(ctx, timeout); err != nil {
		return err
	}
	connected()
	for pinged := false; ; {
		got, err := subscription.ReceiveTimeout(ctx, pingInterval)
		if silent, ok := errors.AsType[net.Error](err); ok && silent.Timeout() && !pinged {
			if pinged = true; subscription.Ping(ctx) == nil {
				continue
			}
		}
		if err != nil {
			return err
		}
		pinged = false
		if m, ok := got.(*redis.Message); ok {
			r.pass([]byte(m.Payload), deliver, missed)
		}
	}
}

// pass delivers a text of another instance.
func (r *Redis) pass(text []byte, deliver func([]byte), missed func()) {
	from, rest, _ := bytes.Cut(text, []byte("\n"))
	switch {
	case bytes.Equal(from, bytes.TrimSpace(r.instance)):
	case len(rest) == 0:
		missed()
	default:
		deliver(rest)
	}
}
