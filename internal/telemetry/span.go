package telemetry

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// traceparent is the header of W3C Trace Context.
const traceparent = "traceparent"

// A Kind says which part a span is.
type Kind = trace.SpanKind

// The kinds of spans within one of ours.
const (
	Internal = trace.SpanKindInternal
	Client   = trace.SpanKindClient // of another program, such as a database
)

// A Span is a part of a trace. The zero Span is none: its methods do nothing.
type Span struct{ of trace.Span }

// On reports whether a span of the work of ctx is recorded. Whoever has to put a name together asks first.
func On(ctx context.Context) bool { return trace.SpanFromContext(ctx).IsRecording() }

// Of returns the span of the work of ctx.
func Of(ctx context.Context) Span { return Span{trace.SpanFromContext(ctx)} }

// Start begins a span within that of ctx; without one that is recorded it begins none.
func Start(ctx context.Context, kind Kind, name string) (context.Context, Span) {
	parent := trace.SpanFromContext(ctx)
	if !parent.IsRecording() {
		return ctx, Span{}
	}
	ctx, s := parent.TracerProvider().Tracer(scope).Start(ctx, name, trace.WithSpanKind(kind))
	return ctx, Span{s}
}

// On reports whether the span is recorded.
func (s Span) On() bool { return s.of != nil && s.of.IsRecording() }

// Name renames the span.
func (s Span) Name(name string) {
	if s.On() {
		s.of.SetName(name)
	}
}

// Set adds an attribute.
func (s Span) Set(key, value string) {
	if s.On() {
		s.of.SetAttributes(attribute.String(key, value))
	}
}

// SetInt adds an attribute.
func (s Span) SetInt(key string, value int) {
	if s.On() {
		s.of.SetAttributes(attribute.Int(key, value))
	}
}

// Fail marks the work as failed, for a reason that is a code or a class, never a text.
func (s Span) Fail(reason string) {
	if s.On() {
		s.of.SetStatus(codes.Error, "")
		s.of.SetAttributes(attribute.String("error.type", reason))
	}
}

// End ends the span.
func (s Span) End() {
	if s.of != nil {
		s.of.End()
	}
}

// Parent returns the trace and the span of ctx as a traceparent of 55 bytes, to be kept with work that is
// done later; nil without any.
func Parent(ctx context.Context) *string {
	if !trace.SpanContextFromContext(ctx).IsValid() {
		return nil
	}
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carrier)
	parent := carrier[traceparent]
	return &parent
}
