package blob

import (
	"crypto/subtle"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"workforce/internal/errs"
	"workforce/internal/request"
)

const (
	// maxLife is the longest life of a link.
	maxLife = 7 * 24 * time.Hour
	// skew is how far the clock of the instance that signed a link may be ahead.
	skew = 5 * time.Minute
)

// A handler serves the links of a folder.
type handler struct {
	folder *folder // nil for a bucket
	*signer
}

// ServeHTTP answers GET and HEAD of a link.
func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if h.folder == nil {
		request.Fail(w, r, errs.New(errs.NotFound, nil))
		return
	}
	name, err := h.verify(r)
	if err != nil {
		request.Fail(w, r, err)
		return
	}
	file, err := h.folder.open(name)
	switch {
	case errors.Is(err, ErrNotFound):
		request.Fail(w, r, errs.New(errs.NotFound, nil))
		return
	case err != nil:
		request.Fail(w, r, &errs.Error{Code: errs.Unavailable, Err: err})
		return
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		request.Fail(w, r, &errs.Error{Code: errs.Unavailable, Err: err})
		return
	}
	kindOf(name).describe(w.Header(), name)
	if signed := r.URL.Query().Get(disposition); signed != "" {
		w.Header().Set("Content-Disposition", signed)
	}
	request.ServeContent(w, r, info.ModTime(), file)
}

// verify returns the name of the object that a link leads to: FORBIDDEN unless
// exactly this link was signed and is still valid, BAD_REQUEST for a parameter that is
// given twice.
func (h handler) verify(r *http.Request) (string, error) {
	refused := errs.New(errs.Forbidden, nil)
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return "", refused
	}
	for _, list := range query {
		if len(list) > 1 {
			return "", errs.New(errs.BadRequest, nil)
		}
	}
	name, ok := strings.CutPrefix(r.URL.EscapedPath(), Path)
	at, err := time.Parse(dateFormat, query.Get(date))
	if err != nil || !ok || !names.MatchString(name) {
		return "", refused
	}
	seconds, err := strconv.ParseUint(query.Get(expires), 10, 32)
	life := time.Duration(seconds) * time.Second
	if err != nil || strconv.FormatUint(seconds, 10) != query.Get(expires) || life > maxLife {
		return "", refused
	}
	signed := slices.ContainsFunc(h.keys(), func(by aws.CredentialsProvider) bool {
		link, err := h.sign(by, name, query.Get(disposition), at, life)
		return err == nil && sameQuery(link, query)
	})
	now := h.now()
	if !signed || now.Before(at.Add(-skew)) || !now.Before(at.Add(life)) {
		return "", refused
	}
	return name, nil
}

// sameQuery reports whether a query has the parameters of a link and no others. The
// signature is compared in constant time.
func sameQuery(link string, query url.Values) bool {
	u, err := url.Parse(link)
	if err != nil {
		return false
	}
	want := u.Query()
	same := subtle.ConstantTimeCompare([]byte(want.Get(signature)), []byte(query.Get(signature)))
	for _, name := range []string{algorithm, credential, date, expires, signedHeaders, disposition} {
		same &= subtle.ConstantTimeCompare([]byte(want.Get(name)), []byte(query.Get(name)))
	}
	return same == 1 && len(want) == len(query)
}
