// Package telemetry makes OpenTelemetry traces and sends them to a collector, where the standard variables
// OTEL_* ask for it. Where they do not, its functions allocate nothing.
//
// A span has names that the program or its documents give, kinds, codes and ids. It has no values of
// variables or statements, no addresses and no positions.
package telemetry

import (
	"context"
	"log/slog"
	"net/http"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// scope names what makes the spans.
const scope = "workforce"

// A Tracer begins traces, or goes on with those of callers. Nil makes none.
type Tracer struct {
	provider *sdktrace.TracerProvider
	inbound  bool // the trace context of callers is taken
}

// Open returns the tracer that the variables of the process ask for, nil where they ask for none: an
// endpoint is set, or OTEL_TRACES_EXPORTER is otlp. version is the program's. An error names the
// variable, and quotes no value. That the collector takes no spans is logged once each time that begins.
func Open(version string, log *slog.Logger) (*Tracer, error) {
	s, err := readSettings()
	if err != nil || !s.on {
		return nil, err
	}
	out, err := newCollector(s, log)
	if err != nil {
		return nil, err
	}
	// Variables of the resource that cannot be read leave the rest of it.
	of, _ := resource.New(context.Background(), resource.WithTelemetrySDK(),
		resource.WithAttributes(attribute.String("service.name", "workforce"), attribute.String("service.version", version)),
		resource.WithFromEnv())
	return &Tracer{provider: sdktrace.NewTracerProvider(
		sdktrace.WithBatcher(otlptrace.NewUnstarted(out)), sdktrace.WithResource(of)), inbound: s.inbound}, nil
}

// Close sends the spans that wait, until ctx ends.
func (t *Tracer) Close(ctx context.Context) error {
	if t == nil {
		return nil
	}
	return t.provider.Shutdown(ctx)
}

// Request begins the span of a request, within the trace that its header traceparent tells, if it does.
// Of tracestate, which may hold anything, nothing is kept.
func (t *Tracer) Request(ctx context.Context, h http.Header, method string) (context.Context, Span) {
	if t == nil {
		return ctx, Span{}
	}
	if t.inbound {
		ctx = within(ctx, h.Get(traceparent))
	}
	return t.start(ctx, trace.SpanKindServer, method)
}

// Resume begins a span of work that was asked for earlier, within the trace that Parent told then; "" is
// a new one.
func (t *Tracer) Resume(ctx context.Context, parent, name string) (context.Context, Span) {
	if t == nil {
		return ctx, Span{}
	}
	return t.start(within(trace.ContextWithSpanContext(ctx, trace.SpanContext{}), parent), trace.SpanKindConsumer, name)
}

// within returns a context of the trace that a traceparent tells; ctx where it tells none.
func within(ctx context.Context, parent string) context.Context {
	return propagation.TraceContext{}.Extract(ctx, propagation.MapCarrier{traceparent: parent})
}

func (t *Tracer) start(ctx context.Context, kind trace.SpanKind, name string) (context.Context, Span) {
	ctx, s := t.provider.Tracer(scope).Start(ctx, name, trace.WithSpanKind(kind))
	return ctx, Span{s}
}
