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
	signs        = "workforce:instances"  // the channel of signs of life
	waiting      = 4096                   // texts that wait to be published; more are lost
	timeout      = 2 * time.Second        // of connecting, and of one command
	signInterval = 2 * time.Second        // of signs of life; each tries again what was not published
	pingInterval = 3 * time.Second        // of pings while subscribed; silence for twice as long ends a connection
	leaveTime    = 300 * time.Millisecond // to publish at the end what still waits
	retryAfter   = 200 * time.Millisecond
	maxRetry     = 2 * time.Second
)

// What a sign of life says behind the name of its instance.
const (
	alive   = "alive"
	leaving = "leaving" // all was published
)

// Redis is a broker over Redis' publish and subscribe. Each text begins with the name
// of its instance and a line feed; one without anything else says that its instance
// may have lost some. Each instance gives a sign of life in every interval: one that falls
// silent without leaving may have died between a commit and the publication of its event.
type Redis struct {
	server   server
	instance []byte // random, with the line feed
	log      *slog.Logger
	queue    chan []byte
	lost     atomic.Bool // a text was not published
	others   instances   // used by subscribe alone
}

func newRedis(s server, log *slog.Logger) *Redis {
	return &Redis{
		server: s, instance: []byte(rand.Text() + "\n"), log: log, queue: make(chan []byte, waiting), others: instances{},
	}
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

// publishAll publishes signs of life and what is queued, and after a failure that something
// was lost.
func (r *Redis) publishAll(ctx context.Context) {
	p := &publisher{server: r.server}
	defer p.close()
	stopping := ctx.Done()
	sending, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	context.AfterFunc(ctx, func() { time.AfterFunc(leaveTime, cancel) })
	ctx = sending
	defer r.leave(ctx, p)
	sign := time.NewTicker(signInterval)
	defer sign.Stop()
	_ = r.sign(ctx, p, alive) // subscribe logs that the server is away
	for {
		var text []byte
		select {
		case <-stopping:
			return
		case <-sign.C:
			if _ = r.sign(ctx, p, alive); !r.lost.Load() {
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

// leave publishes what still waits, and then that this instance leaves. Where it cannot,
// its silence tells the others that they may have missed something.
func (r *Redis) leave(ctx context.Context, p *publisher) {
	for !r.lost.Load() {
		select {
		case text := <-r.queue:
			r.lost.Store(!r.send(ctx, p, text))
		default:
			_ = r.sign(ctx, p, leaving)
			return
		}
	}
}

// sign publishes a sign of life.
func (r *Redis) sign(ctx context.Context, p *publisher, text string) error {
	return p.publish(ctx, signs, append(bytes.Clone(r.instance), text...))
}

func (r *Redis) send(ctx context.Context, p *publisher, text []byte) bool {
	err := p.publish(ctx, channel, append(bytes.Clone(r.instance), text...))
	if err != nil && ctx.Err() == nil {
		r.log.WarnContext(ctx, "broker: an event was not published", "error", err)
	}
	return err == nil
}

// A publisher publishes over one connection, which it replaces after a failure.
type publisher struct {
	server server
	conn   redis.Conn // nil before the first text and after a failure
}

// publish sends a text once: one that may have been published is not published again.
func (p *publisher) publish(ctx context.Context, channel string, text []byte) error {
	if p.conn == nil {
		conn, err := p.server.dial(ctx, timeout)
		if err != nil {
			return err
		}
		p.conn = conn
	}
	_, err := redis.DoContext(p.conn, ctx, "PUBLISH", channel, text)
	if p.conn.Err() != nil {
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
	if err := subscription.Subscribe(channel, signs); err != nil {
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
			if got.Count == 2 { // to both channels
				r.others.refresh(time.Now())
				connected()
			}
		case redis.Pong:
			if r.others.forgetSilent(time.Now()) {
				r.log.WarnContext(ctx, "broker: another instance died: its last events may be missed")
				missed()
			}
		case redis.Message:
			r.pass(got, deliver, missed)
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

// pass delivers a text of another instance. Each is a sign of life: who died before its first
// one was heard is missed too.
func (r *Redis) pass(m redis.Message, deliver func([]byte), missed func()) {
	from, rest, _ := bytes.Cut(m.Data, []byte("\n"))
	if bytes.Equal(from, bytes.TrimSpace(r.instance)) {
		return
	}
	isSign := m.Channel == signs
	r.others.heard(string(from), !isSign || string(rest) != leaving, time.Now())
	switch {
	case isSign:
	case len(rest) == 0:
		missed()
	default:
		deliver(rest)
	}
}
