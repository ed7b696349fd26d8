package faults

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"workforce/internal/scenario/harness"
	"workforce/internal/testdb"
)

// A crowd is clients that send the same request again and again, whatever they are answered,
// each on a connection of its own.
type crowd struct {
	addr, request string

	served, refused atomic.Int64
	failed          atomic.Pointer[error]
}

// run has clients send for some time, and returns how many were served a second, but for the
// first second.
func (c *crowd) run(t *testing.T, clients int, long time.Duration) float64 {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for range clients {
		all.Go(func() {
			if err := c.client(ctx); err != nil && ctx.Err() == nil {
				c.failed.Store(&err)
			}
		})
	}
	time.Sleep(time.Second)
	before, began := c.served.Load(), time.Now()
	time.Sleep(long)
	rate := float64(c.served.Load()-before) / time.Since(began).Seconds()
	stop()
	all.Wait()
	if err := c.failed.Load(); err != nil {
		t.Fatal(*err)
	}
	return rate
}

// client sends requests until ctx ends.
func (c *crowd) client(ctx context.Context) error {
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp", c.addr)
	if err != nil {
		return err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	in := bufio.NewReaderSize(conn, 4<<10)
	for ctx.Err() == nil {
		if _, err := io.WriteString(conn, c.request); err != nil {
			return err
		}
		resp, err := http.ReadResponse(in, nil)
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, resp.Body)
		switch {
		case err != nil:
			return err
		case resp.StatusCode == http.StatusOK:
			c.served.Add(1)
		case resp.StatusCode == http.StatusServiceUnavailable && resp.Header.Get("Retry-After") != "":
			c.refused.Add(1)
		default:
			return errors.New(resp.Status)
		}
	}
	return nil
}

// TestImpatientClients has 3,000 clients ask a server on MariaDB, and those that are refused ask
// again at once. Most of the answers that 64 clients get are still given: without refusals
// that are held back there are hardly any. Other tests take the processors now and then: one of
// three rounds is enough.
func TestImpatientClients(t *testing.T) {
	w := newWorld(t, harness.Build(t), testdb.MySQL(t))
	w.startAll(t)
	p := newPerson("budi@demo.test")
	w.signIn(t, p, "impatient")
	c := &crowd{
		addr:    w.servers[0].addr,
		request: "GET /attendance/today HTTP/1.1\r\nHost: wf.test\r\nAuthorization: Bearer " + p.token + "\r\n\r\n",
	}
	for range 3 {
		c.refused.Store(0)
		few := c.run(t, 64, 3*time.Second)
		if n := c.refused.Load(); n > 0 {
			t.Errorf("%d of few clients were refused", n)
		}
		many := c.run(t, 3000, 4*time.Second)
		t.Logf("%.0f answers a second to 64 clients, %.0f to 3,000 of which %d were refused", few, many, c.refused.Load())
		if c.refused.Load() > 0 && many >= few/4 {
			return
		}
	}
	t.Error("those who ask again at once take the server from the others")
}
