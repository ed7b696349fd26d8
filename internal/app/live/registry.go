package live

import (
	"sync"

	"workforce/internal/app/auth/credential"
	"workforce/internal/errs"
)

// A registry holds the connections that are open. It is safe for concurrent use.
type registry struct {
	mu        sync.Mutex
	all       map[*Connection]struct{}
	companies map[int]map[*Connection]struct{} // those of people who have signed in
	sessions  map[int]int                      // how many each session has
	strangers map[string]int                   // of each network: how many have not signed in
	unknown   int                              // sum of strangers
	stopping  bool
	empty     chan struct{} // closed when none is left, once stopping
}

func newRegistry() *registry {
	return &registry{
		all: map[*Connection]struct{}{}, companies: map[int]map[*Connection]struct{}{}, sessions: map[int]int{}, strangers: map[string]int{},
		empty: make(chan struct{}),
	}
}

// add adds a connection of somebody who has not signed in: UNAVAILABLE where there is no room,
// RATE_LIMITED where those of their network take all of theirs.
func (r *registry) add(c *Connection) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.stopping || len(r.all) >= c.service.Most || r.unknown >= maxStrangers:
		return errs.New(errs.Unavailable, nil)
	case r.strangers[c.network] >= maxOfNetwork:
		return limited(strangerWait, maxOfNetwork)
	}
	r.all[c] = struct{}{}
	r.strangers[c.network]++
	r.unknown++
	return nil
}

// known takes a connection off those who have not signed in. The caller holds mu.
func (r *registry) known(c *Connection) {
	r.unknown--
	if r.strangers[c.network]--; r.strangers[c.network] <= 0 {
		delete(r.strangers, c.network)
	}
}

// crowded reports whether more than half of the room for people who have not signed in is
// taken, of all or of a connection's network.
func (r *registry) crowded(c *Connection) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.unknown > maxStrangers/2 || r.strangers[c.network] > maxOfNetwork/2
}

// signIn makes a connection that of the holder of a token; false where their session has
// too many.
func (r *registry) signIn(c *Connection, who *credential.Credential) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	session := who.Session
	if r.sessions[session.ID] >= maxOfSession {
		return false
	}
	if _, open := r.all[c]; !open { // closed meanwhile
		return true
	}
	c.sent = who.Sent
	c.identify(who.Identity)
	r.known(c)
	r.sessions[session.ID]++
	if r.companies[session.CompanyID] == nil {
		r.companies[session.CompanyID] = map[*Connection]struct{}{}
	}
	r.companies[session.CompanyID][c] = struct{}{}
	return true
}

// count adds n to the subscriptions of a connection to a field.
func (r *registry) count(c *Connection, field string, n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if c.fields == nil {
		c.fields = map[string]int{}
	}
	if c.fields[field] += n; c.fields[field] <= 0 {
		delete(c.fields, field)
	}
}

// remove removes a connection; one that was removed already is not there.
func (r *registry) remove(c *Connection) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, open := r.all[c]; !open {
		return
	}
	delete(r.all, c)
	defer r.closeIfEmpty()
	h := c.holder.Load()
	if h == nil {
		r.known(c)
		return
	}
	company := h.Session.CompanyID
	if delete(r.companies[company], c); len(r.companies[company]) == 0 {
		delete(r.companies, company)
	}
	if r.sessions[h.Session.ID]--; r.sessions[h.Session.ID] <= 0 {
		delete(r.sessions, h.Session.ID)
	}
}

// list returns the connections that match, which is called under mu; every one for nil.
func (r *registry) list(match func(*Connection) bool) []*Connection {
	r.mu.Lock()
	defer r.mu.Unlock()
	var list []*Connection
	for c := range r.all {
		if match == nil || match(c) {
			list = append(list, c)
		}
	}
	return list
}

// signedIn returns the connections of people who have signed in.
func (r *registry) signedIn() []*Connection {
	return r.list(func(c *Connection) bool { return c.holder.Load() != nil })
}

// listeners returns the connections of a company, or of all for 0, with a subscription to a field.
func (r *registry) listeners(company int, field string) []*Connection {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := r.companies[company]
	if company == 0 {
		all = r.all
	}
	var list []*Connection
	for c := range all {
		if c.fields[field] > 0 && c.holder.Load() != nil {
			list = append(list, c)
		}
	}
	return list
}

// stop makes add refuse, and returns what is closed when no connection is left.
func (r *registry) stop() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stopping = true
	r.closeIfEmpty()
	return r.empty
}

// closeIfEmpty closes empty when it is time. The caller holds mu.
func (r *registry) closeIfEmpty() {
	if !r.stopping || len(r.all) > 0 {
		return
	}
	select {
	case <-r.empty:
	default:
		close(r.empty)
	}
}
