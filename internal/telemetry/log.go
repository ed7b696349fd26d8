package telemetry

import (
	"context"
	"log/slog"

	"go.opentelemetry.io/otel/trace"
)

// Log returns a log whose lines have the traceId of the work that they tell of. That of a nil Tracer is
// the log itself.
func (t *Tracer) Log(log *slog.Logger) *slog.Logger {
	if t == nil {
		return log
	}
	return slog.New(tracedLog{log.Handler()})
}

type tracedLog struct{ slog.Handler }

// Handle implements slog.Handler.
func (l tracedLog) Handle(ctx context.Context, r slog.Record) error {
	if s := trace.SpanContextFromContext(ctx); s.IsValid() {
		r.AddAttrs(slog.String("traceId", s.TraceID().String()))
	}
	return l.Handler.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (l tracedLog) WithAttrs(attrs []slog.Attr) slog.Handler {
	return tracedLog{l.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (l tracedLog) WithGroup(name string) slog.Handler { return tracedLog{l.Handler.WithGroup(name)} }
