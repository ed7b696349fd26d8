package bench

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// A rawConn is a connection of a client that costs next to nothing: it sends
// requests as they were rendered before, and reads of an answer the status and
// the lengths alone.
type rawConn struct {
	net.Conn
	in  *bufio.Reader
	out []byte
}

func dialRaw(addr string) (*rawConn, error) {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, err
	}
	return &rawConn{Conn: c, in: bufio.NewReaderSize(c, 64<<10)}, nil
}

// do sends a request and reads the answer. It is served with status 200; not so
// with 503, which says that it took too long; any other is an error.
func (c *rawConn) do(request, tail []byte) (served bool, err error) {
	if len(tail) > 0 {
		c.out = append(append(c.out[:0], request...), tail...)
		request = c.out
	}
	if _, err := c.Write(request); err != nil {
		return false, err
	}
	line, err := c.in.ReadSlice('\n')
	if err != nil {
		return false, err
	}
	served = bytes.HasPrefix(line, []byte("HTTP/1.1 200"))
	if !served && !bytes.HasPrefix(line, []byte("HTTP/1.1 503")) {
		text := string(line)
		_ = c.SetReadDeadline(time.Now().Add(time.Second))
		rest, _ := io.ReadAll(io.LimitReader(c.in, 2000)) // to be read by people
		return false, fmt.Errorf("%s%s", text, rest)
	}
	length, err := c.header()
	if err != nil {
		return false, err
	}
	if length >= 0 {
		_, err := c.in.Discard(length)
		return served, err
	}
	return served, c.chunks()
}

// header reads the header and returns the body's length, or -1 for one in
// chunks.
func (c *rawConn) header() (int, error) {
	length := -1
	for {
		line, err := c.in.ReadSlice('\n')
		if err != nil || len(line) <= 2 {
			return length, err
		}
		if name := []byte("Content-Length: "); bytes.HasPrefix(line, name) {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(line[len(name):]))); err != nil {
				return 0, err
			}
		}
	}
}

func (c *rawConn) chunks() error {
	for {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			return err
		}
		n, err := strconv.ParseInt(string(bytes.TrimSpace(line)), 16, 32)
		if err != nil {
			return err
		}
		if _, err := c.in.Discard(int(n) + 2); err != nil || n == 0 {
			return err
		}
	}
}

// A requestSet are requests that connections take in turn.
type requestSet struct {
	all   [][]byte
	tails [][]byte // ends that requests share, one after the other; none when empty
	once  bool     // each of them one time only
	next  atomic.Int64
}

// take returns the next request in two parts; nil when there is none left.
func (s *requestSet) take() (request, tail []byte) {
	i := int(s.next.Add(1)) - 1
	if s.once && i >= len(s.all) {
		return nil, nil
	}
	return s.all[i%len(s.all)], s.tail(i)
}

func (s *requestSet) tail(i int) []byte {
	if len(s.tails) == 0 {
		return nil
	}
	return s.tails[i%len(s.tails)]
}

// A loadResult tells of the requests of one slice of time.
type loadResult struct {
	requests int // served
	unserved int // took too long
	elapsed  time.Duration
	times    []time.Duration // of each request that was served, sorted
}

// perSecond returns the throughput.
func (r loadResult) perSecond() float64 { return float64(r.requests) / r.elapsed.Seconds() }

// percentile returns the time within which p percent were answered.
func (r loadResult) percentile(p int) time.Duration {
	if len(r.times) == 0 {
		return 0
	}
	return r.times[min(len(r.times)-1, len(r.times)*p/100)]
}

// load sends requests over so many connections at once for a while. A request
// that began in time counts, and so does the time that it takes.
func load(conns []*rawConn, set *requestSet, for_ time.Duration) (loadResult, error) {
	times, failed := make([][]time.Duration, len(conns)), make([]error, len(conns))
	var unserved atomic.Int64
	for i := range times {
		times[i] = make([]time.Duration, 0, 1<<11)
	}
	var all sync.WaitGroup
	start := time.Now()
	for i, c := range conns {
		all.Go(func() {
			for now := start; now.Sub(start) < for_; {
				request, tail := set.take()
				if request == nil {
					return
				}
				served, err := c.do(request, tail)
				if err != nil {
					failed[i] = err
					return
				}
				then := time.Now()
				if served {
					times[i] = append(times[i], then.Sub(now))
				} else {
					unserved.Add(1)
				}
				now = then
			}
		})
	}
	all.Wait()
	r := loadResult{elapsed: time.Since(start), times: slices.Concat(times...), unserved: int(unserved.Load())}
	r.requests = len(r.times)
	slices.Sort(r.times)
	for _, err := range failed {
		if err != nil {
			return r, err // one tells enough
		}
	}
	if r.requests+r.unserved == 0 {
		return r, errors.New("there was nothing to send")
	}
	return r, nil
}

// render returns a request as it goes over the wire.
func render(method, path, token, body string, header ...string) []byte {
	text := method + " " + path + " HTTP/1.1\r\nHost: bench.test\r\nUser-Agent: bench\r\nAccept: application/json\r\n" +
		"Authorization: Bearer " + token + "\r\n"
	if body != "" {
		text += "Content-Type: application/json\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\n"
	}
	for _, line := range header {
		text += line + "\r\n"
	}
	return []byte(text + "\r\n" + body)
}

// fetchOnce sends one request over a connection of its own and returns the answer.
func fetchOnce(addr string, request []byte) (body []byte, header http.Header, err error) {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, nil, err
	}
	defer c.Close()
	if _, err := c.Write(request); err != nil {
		return nil, nil, err
	}
	resp, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return nil, nil, err
	}
	defer resp.Body.Close()
	body, err = io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %.500s", resp.Status, body)
	}
	return body, resp.Header, err
}
