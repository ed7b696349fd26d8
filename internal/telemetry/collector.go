package telemetry

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	otlptracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// A collector takes batches of spans by OTLP over HTTP, in protobuf. What it does not take is dropped.
type collector struct {
	settings
	client *http.Client
	log    *slog.Logger
	away   atomic.Bool // it did not take the last batch
}

var _ otlptrace.Client = (*collector)(nil)

func newCollector(s settings, log *slog.Logger) (*collector, error) {
	transport, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return nil, errors.New("the default transport of HTTP is another one")
	}
	transport = transport.Clone()
	transport.TLSClientConfig = s.tls
	return &collector{settings: s, log: log, client: &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// Start implements otlptrace.Client.
func (c *collector) Start(context.Context) error { return nil }

// Stop implements otlptrace.Client.
func (c *collector) Stop(context.Context) error { return nil }

// UploadTraces implements otlptrace.Client. It logs what fails, and returns no error: the SDK would write
// it past our log.
func (c *collector) UploadTraces(ctx context.Context, spans []*otlptracepb.ResourceSpans) error {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	body, err := c.encode(spans)
	if err == nil {
		err = c.send(ctx, body)
	}
	switch {
	case err == nil && c.away.CompareAndSwap(true, false):
		c.log.InfoContext(ctx, "traces: the collector takes spans again")
	case err != nil && c.away.CompareAndSwap(false, true):
		c.log.WarnContext(ctx, "traces: the collector takes no spans", "error", err)
	}
	return nil
}

// encode returns a batch as ExportTraceServiceRequest, whose only field is that of TracesData: the package
// of the former has the code of a gRPC service, too.
func (c *collector) encode(spans []*otlptracepb.ResourceSpans) ([]byte, error) {
	body, err := proto.Marshal(&otlptracepb.TracesData{ResourceSpans: spans})
	if err != nil || !c.gzip {
		return body, err
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, err = w.Write(body)
	err = errors.Join(err, w.Close())
	return packed.Bytes(), err
}

// firstPause is how long the first retry waits; each waits twice as long as the one before.
const firstPause = 200 * time.Millisecond

// send posts a batch, and again while the collector is away or busy, until ctx ends.
func (c *collector) send(ctx context.Context, body []byte) error {
	for pause := firstPause; ; pause *= 2 {
		wait, err := c.post(ctx, body)
		if err == nil || wait < 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(max(pause, wait)):
		}
	}
}

// post posts a batch once. After a failure it returns how long the collector wants the next try to wait
// at least; below 0 where there is to be none. No error quotes the URL, which may hold a key.
func (c *collector) post(ctx context.Context, body []byte) (wait time.Duration, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return -1, errors.New("the URL cannot be used")
	}
	req.Header = c.header.Clone()
	req.Header.Set("Content-Type", "application/x-protobuf")
	if c.gzip {
		req.Header.Set("Content-Encoding", "gzip")
	}
	resp, err := c.client.Do(req)
	if quoting, ok := errors.AsType[*url.Error](err); ok {
		return 0, quoting.Err
	}
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 1<<20)) // so that the connection is used again
	switch resp.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		seconds, _ := strconv.Atoi(resp.Header.Get("Retry-After")) // 0 for none and for a date
		return time.Duration(max(0, seconds)) * time.Second, fmt.Errorf("it answered %d", resp.StatusCode)
	}
	if resp.StatusCode/100 != 2 {
		return -1, fmt.Errorf("it answered %d", resp.StatusCode)
	}
	return 0, nil
}
