package rest

import (
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"workforce/internal/errs"
)

const (
	maxLimit    = 1000
	totalHeader = "X-Total-Count"
)

// paging returns the members page and limit of an operation that has both.
func (o *document) paging() (page, limit *member, ok bool) {
	page, limit = o.member("page"), o.member("limit")
	return page, limit, page != nil && limit != nil
}

// checkPage checks page, from 1, and limit, 1 to 1000; a page needs a limit. One
// past the last is empty.
func (o *document) checkPage(vars map[string]any, faults *errs.Faults) {
	page, limit, ok := o.paging()
	if !ok {
		return
	}
	if n, ok := vars[page.Variable].(int64); ok && n < 1 {
		faults.Add(page.wire, errs.OutOfRange, errs.Meta{"min": 1, "max": math.MaxInt32})
	}
	if n, ok := vars[limit.Variable].(int64); ok && (n < 1 || n > maxLimit) {
		faults.Add(limit.wire, errs.OutOfRange, errs.Meta{"min": 1, "max": maxLimit})
	}
	if vars["page"] != nil && vars["limit"] == nil && limit.DefaultValue == nil {
		faults.Add(page.wire, errs.Needs, errs.Meta{"other": limit.wire})
	}
}

// link adds the Link header (RFC 8288) of one page of a list whose total number is
// known.
func (o *document) link(h http.Header, u *url.URL, vars map[string]any) {
	page, limit, ok := o.paging()
	size, _ := vars["limit"].(int64)
	total, err := strconv.ParseInt(h.Get(totalHeader), 10, 64)
	if !ok || size < 1 || err != nil {
		return
	}
	at, given := vars["page"].(int64)
	if !given {
		at = 1
	}
	last := max(1, (total+size-1)/size)
	query := u.Query()
	query.Set(limit.wire, strconv.FormatInt(size, 10))
	var links []string
	add := func(rel string, n int64) {
		query.Set(page.wire, strconv.FormatInt(n, 10))
		links = append(links, "<"+u.EscapedPath()+"?"+query.Encode()+`>; rel="`+rel+`"`)
	}
	add("first", 1)
	if at > 1 {
		add("prev", min(at-1, last))
	}
	if at < last {
		add("next", at+1)
	}
	add("last", last)
	h.Add("Link", strings.Join(links, ", "))
}
