package broker

import (
	"cmp"
	"context"
	"errors"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gomodule/redigo/redis"
)

// A server is a Redis server and how to sign in to it.
type server struct {
	address            string // host:port
	tls                bool
	username, password string
	database           int
}

// parse reads the URL of a Redis server. The error does not quote it: it may hold a
// password.
func parse(raw string) (server, error) {
	if !strings.HasPrefix(raw, "redis://") && !strings.HasPrefix(raw, "rediss://") {
		return server{}, errors.New("must be memory, or begin with redis:// or rediss://")
	}
	u, err := url.Parse(raw)
	if err != nil || u.RawQuery != "" || u.Fragment != "" {
		return server{}, errNoURL
	}
	s := server{
		address:  net.JoinHostPort(cmp.Or(u.Hostname(), "localhost"), cmp.Or(u.Port(), "6379")),
		tls:      u.Scheme == "rediss",
		username: u.User.Username(),
	}
	s.password, _ = u.User.Password()
	if database := strings.Trim(u.Path, "/"); database != "" {
		if s.database, err = strconv.Atoi(database); err != nil || s.database < 0 {
			return server{}, errNoURL
		}
	}
	return s, nil
}

var errNoURL = errors.New("is no URL such as redis://:password@host:6379/0")

// dial connects and signs in, within the time limit of a command. A read from the connection
// fails after the silence.
func (s server) dial(ctx context.Context, silence time.Duration) (redis.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	return redis.DialContext(ctx, "tcp", s.address,
		redis.DialUseTLS(s.tls), redis.DialTLSHandshakeTimeout(timeout),
		redis.DialUsername(s.username), redis.DialPassword(s.password), redis.DialDatabase(s.database),
		redis.DialReadTimeout(silence), redis.DialWriteTimeout(timeout))
}
