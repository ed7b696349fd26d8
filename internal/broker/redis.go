package broker

import (
	"bytes"
	"context"
	"crypto/rand"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gomodule/redigo/redis"
)

const (
	channel      = "workforce:events"
	waiting      = 4096            // texts that wait to be published; more are lost
	timeout      = 2 * time.Second // of connecting, and of one command
	pingInterval = 3 * time.Second // of pings while subscribed; silence for twice as long ends a connection
	retryAfter   = 200 * time.Millisecond
	maxRetry     = 2 * time.Second
)

// Redis is a broker over Redis' publish and subscribe. Each text begins with the name
// of its instance and a line feed; one without anything else says that its instance
// may have lost some.
type Redis struct {
	server   server
	instance []byte // random, with the line feed
	log      *slog.Logger
	queue    chan []byte
	lost     atomic.Bool // a text was not published
}

func newRedis(s server, log *slog.Logger) *Redis {
	return &Redis{server: s, instance: []byte(rand.Text() + "\n"), log: log, queue: make(chan []byte, waiting)}
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
}

// publishAll publishes what is queued, and after a failure that something was lost.
func (r *Redis) publishAll(ctx context.Context) {
	p := &publisher{server: r.server}
	defer p.close()
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
		if r.lost.Load() && !r.confess(ctx, p) {
			continue // and so is this one
		}
		if text != nil && !r.send(ctx, p, text) {
			r.lost.Store(true)
		}
	}
}

// confess tells the other instances that something was lost.
func (r *Redis) confess(ctx context.Context, p *publisher) bool {
	r.lost.Store(false)
	if r.send(ctx, p, nil) {
		return true
	}
	r.lost.Store(true)
	return false
}

func (r *Redis) send(ctx context.Context, p *publisher, text []byte) bool {
	err := p.publish(ctx, append(bytes.Clone(r.instance), text...))
	if err != nil && ctx.Err() == nil {
		r.log.WarnContext(ctx, "broker: an event was not published", "error", err)
	}
	return err == nil
}

// A publisher publishes over one connection, which it replaces after a failure.
type publisher struct {
	server server
	conn   redis.Conn // nil before the first text and after a failure
	used   time.Time
}

// publish sends a text once: one that may have been published is not published again.
func (p *publisher) publish(ctx context.Context, text []byte) error {
	if p.conn != nil && time.Since(p.used) > pingInterval { // the server may have closed it meanwhile
		if _, err := redis.DoContext(p.conn, ctx, "PING"); err != nil {
			p.close()
		}
	}
	if p.conn == nil {
		conn, err := p.server.dial(ctx, timeout)
		if err != nil {
			return err
		}
		p.conn = conn
	}
	_, err := redis.DoContext(p.conn, ctx, "PUBLISH", channel, text)
	if p.used = time.Now(); p.conn.Err() != nil {
		p.close()
	}
	return err
}

func (p *publisher) close() {
	if p.conn != nil {
		_ = p.conn.Close() // nothing is left to be sent
		p.conn = nil
	}
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
	conn, err := r.server.dial(ctx, 2*pingInterval)
	if err != nil {
		return err
	}
	defer conn.Close()
	subscription := redis.PubSubConn{Conn: conn}
	if err := subscription.Subscribe(channel); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	var pings sync.WaitGroup
	pings.Go(func() { ping(ctx, subscription) })
	defer pings.Wait()
	defer stop()
	for {
		switch got := subscription.ReceiveContext(ctx).(type) {
		case error:
			return got
		case redis.Subscription:
			connected()
		case redis.Message:
			r.pass(got.Data, deliver, missed)
		}
	}
}

// ping has the server say something in every interval, until ctx or the connection ends.
func ping(ctx context.Context, subscription redis.PubSubConn) {
	interval := time.NewTicker(pingInterval)
	defer interval.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-interval.C:
			if subscription.Ping("") != nil {
				return // receive has the error too
			}
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
