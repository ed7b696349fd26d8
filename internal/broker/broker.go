// Package broker carries events between the instances of an installation.
package broker

import (
	"context"
	"fmt"
	"log/slog"
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

// Open returns the broker of a URL; "" is memory. It does not connect yet, so that a
// server starts while the broker is away.
func Open(url string, log *slog.Logger) (Broker, error) {
	if url == "" || url == "memory" {
		return Memory{}, nil
	}
	s, err := parse(url)
	if err != nil {
		return nil, fmt.Errorf("broker: %w", err)
	}
	return newRedis(s, log), nil
}

// Memory is the broker of an instance that is alone.
type Memory struct{}

// Publish implements Broker: there is nobody else.
func (Memory) Publish([]byte) {}

// Run implements Broker.
func (Memory) Run(ctx context.Context, _ func([]byte), _ func()) { <-ctx.Done() }
