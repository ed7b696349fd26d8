// Package request carries the facts of one HTTP request besides its body, and
// writes its errors.
package request

import (
	"context"
	"encoding/json"
	"math"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"workforce/internal/errs"
)

// Info holds the facts of one request. The middleware makes it; the check of the
// caller may fill in Language from their locale, and their ids, before any field is
// resolved.
type Info struct {
	ID         string     // X-Req-Id, or one made here
	IDGiven    bool       // ID came from the client
	Language   string     // "en" or "id"; "" while the headers ask for none
	AppVersion string     // X-App-Version as sent
	Addr       netip.Addr // the client's, trusted proxies taken into account
	UserAgent  string
	UserID     int         // of the tokens, once they are known; 0 for nobody
	CompanyID  int         // of that user
	PublicURL  string      // base of the links handed out, without a final slash
	Header     http.Header // of the request
	Reply      http.Header // of the response; may be added to until it is written

	Operation   Operation // of GraphQL, once its document is known
	ClockSource string    // where the time of the mutation's clock event comes from; "" for none

	Leaves []int // ids of leaves that the mutation has counted anew
	Looks  Looks // at positions of people

	Statements atomic.Int32 // run in the database so far
}

// An Operation is what the log and metrics say of a GraphQL operation.
type Operation struct {
	Name    string // of a document that the server knows, else Other; "" while there is none
	Kind    string // query, mutation or subscription
	Outcome string // Succeeded, Refused or Failed; "" while it is not executed
	Began   time.Time

	Deprecated []string // what it uses that will go, as in Query.users(first:)
}

// Other is the name of all operations whose documents clients made up, so that names are few.
const Other = "other"

// The outcomes of operations.
const (
	Succeeded = "ok"
	Refused   = "refused" // for a reason that is the caller's: a status below 500
	Failed    = "failed"
)

type key struct{}

// Again returns the facts for another operation of the same connection, which may run at
// the same time: nobody reads the headers of its answer.
func (i *Info) Again() *Info {
	return &Info{
		ID: i.ID, IDGiven: i.IDGiven, Language: i.Language, AppVersion: i.AppVersion, Addr: i.Addr, UserAgent: i.UserAgent,
		UserID: i.UserID, CompanyID: i.CompanyID, PublicURL: i.PublicURL, Header: i.Header, Reply: http.Header{},
	}
}

// NewContext returns a context that carries info.
func NewContext(ctx context.Context, info *Info) context.Context {
	return context.WithValue(ctx, key{}, info)
}

// From returns the request's facts; never nil.
func From(ctx context.Context) *Info {
	if info, ok := ctx.Value(key{}).(*Info); ok {
		return info
	}
	return &Info{Header: http.Header{}, Reply: http.Header{}}
}

// Problem localizes err for the request, complete with type and request id.
func Problem(ctx context.Context, err error) *errs.Problem {
	info := From(ctx)
	p := errs.ProblemOf(err, info.Language)
	p.Type = info.PublicURL + "/errors/" + p.Code
	p.RequestID = info.ID
	return p
}

// Fail writes an error as the response to a request: the body of errs.Problem, and the
// headers that its code asks for.
func Fail(w http.ResponseWriter, r *http.Request, err error) {
	e, p := errs.As(err), Problem(r.Context(), err)
	h := w.Header()
	h.Set("Content-Type", "application/json")
	if strings.Contains(r.Header.Get("Accept"), "application/problem+json") {
		h.Set("Content-Type", "application/problem+json")
	}
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Language", lang(r.Context()))
	h.Del("ETag")
	ErrorHeaders(h, e)
	body, err := json.Marshal(p)
	if err != nil { // a fact that has no JSON form; the code is still shown
		p.Meta = errs.Meta{}
		body, _ = json.Marshal(p)
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(p.Status)
	_, _ = w.Write(body) // the client may be gone
}

// ErrorHeaders sets the headers that an error asks for: WWW-Authenticate,
// Retry-After and the RateLimit ones.
func ErrorHeaders(h http.Header, e *errs.Error) {
	if e.Code.Status() == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", `Bearer realm="workforce"`)
	}
	retry := e.RetryAfter
	if retry == 0 && (e.Code == errs.Unavailable || e.Code == errs.IdempotencyInProgress) {
		retry = time.Second
	}
	if retry > 0 {
		h.Set("Retry-After", seconds(retry))
	}
	switch {
	case e.Limit != nil:
		LimitHeaders(h, *e.Limit)
	case e.Code == errs.RateLimited:
		LimitHeaders(h, errs.Limit{Limit: 1, Reset: retry})
	}
}

// LimitHeaders sets the RateLimit headers, on every response of a limited
// operation and on refusals.
func LimitHeaders(h http.Header, l errs.Limit) {
	h.Set("RateLimit-Limit", strconv.Itoa(l.Limit))
	h.Set("RateLimit-Remaining", strconv.Itoa(l.Remaining))
	h.Set("RateLimit-Reset", seconds(l.Reset))
}

func lang(ctx context.Context) string {
	if l := From(ctx).Language; l != "" {
		return l
	}
	return errs.Languages[0].String()
}

// seconds rounds a duration up, so that a client that waits that long is late
// enough.
func seconds(d time.Duration) string {
	return strconv.Itoa(int(math.Ceil(d.Seconds())))
}

// Network returns an IPv4 address, or the network of 64 bits of an IPv6 address,
// which is what one subscriber has.
func Network(a netip.Addr) string {
	a = a.Unmap().WithZone("")
	if p, err := a.Prefix(64); err == nil && a.Is6() {
		return p.String()
	}
	return a.String()
}
