// Package broker carries events between the instances of an installation.
package broker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/redis/go-redis/v9"
)

// A Broker carries texts from the instance that publishes them to all others.
type Broker interface {
	// Publish hands a text on and never waits: what cannot be delivered is lost, and the
	// others are told of it as soon as that is possible.
	Publish(text []byte)
	// Run calls deliver for each text of another instance, in the order in which that
	// published them, and missed where some may have been lost, until ctx ends. Neither
	// may wait for long.
	Run(ctx context.Context, deliver func(text []byte), missed func())
}

// Check returns nil for the URL of a broker: memory, or redis:// and rediss:// URLs.
func Check(url string) error {
	if url == "" || url == "memory" {
		return nil
	}
	_, err := parse(url)
	return err
}

// parse reads the URL of a Redis server. The error does not quote it: it may hold a
// password.
func parse(url string) (*redis.Options, error) {
	if !strings.HasPrefix(url, "redis://") && !strings.HasPrefix(url, "rediss://") {
		return nil, errors.New("must be memory, or begin with redis:// or rediss://")
	}
	o, err := redis.ParseURL(url)
	if err != nil {
		return nil, errors.New("is no URL such as redis://:password@host:6379/0")
	}
	return o, nil
}

// Open returns the broker of a URL; "" is memory. It does not connect yet, so that a
// server starts while the broker is away.
func Open(url string, log *slog.Logger) (Broker, error) {
	if url == "" || url == "memory" {
		return Memory{}, nil
	}
	o, err := parse(url)
	if err != nil {
		return nil, fmt.Errorf("broker: %w", err)
	}
	return newRedis(o, log), nil
}

// Memory is the broker of an instance that is alone.
type Memory struct{}

// Publish implements Broker: there is nobody else.
func (Memory) Publish([]byte) {}

// Run implements Broker.
func (Memory) Run(ctx context.Context, _ func([]byte), _ func()) { <-ctx.Done() }
