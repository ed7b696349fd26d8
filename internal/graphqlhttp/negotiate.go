package graphqlhttp

import (
	"mime"
	"net/http"
	"strconv"
	"strings"
)

const (
	mediaJSON    = "application/json"
	mediaGraphQL = "application/graphql-response+json"
)

// negotiate chooses the media type of the response: the one that is wanted more,
// and application/json when the client has no wish. It reports false when the
// client takes neither.
func negotiate(h http.Header) (string, bool) {
	accept := strings.Join(h.Values("Accept"), ",")
	if strings.Trim(accept, " ,") == "" {
		return mediaJSON, true
	}
	graph, explicit := quality(accept, mediaGraphQL)
	json, _ := quality(accept, mediaJSON)
	switch {
	case graph == 0 && json == 0:
		return mediaJSON, false
	case graph > json || graph == json && explicit:
		return mediaGraphQL, true
	}
	return mediaJSON, true
}

// quality returns how much an Accept header wants a media type, 0 to 1, by the
// most specific range for it, and whether that is the type itself.
func quality(accept, media string) (q float64, explicit bool) {
	best := 0
	for part := range strings.SplitSeq(accept, ",") {
		got, params, err := mime.ParseMediaType(part)
		if err != nil {
			continue
		}
		rank := map[string]int{"*/*": 1, "application/*": 2, media: 3}[got]
		if rank > best {
			best, q = rank, weight(params["q"])
		}
	}
	return q, best == 3
}

func weight(q string) float64 {
	if q == "" {
		return 1
	}
	w, err := strconv.ParseFloat(q, 64)
	if err != nil || !(w >= 0 && w <= 1) {
		return 0
	}
	return w
}

// isJSON reports whether Content-Type is JSON in UTF-8. A body without
// a type is not: browsers send such bodies to other sites without asking.
func isJSON(h http.Header) bool {
	media, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	charset := params["charset"]
	return err == nil && media == mediaJSON && (charset == "" || strings.EqualFold(charset, "utf-8"))
}

// preflightHeaders are those that a browser sends to another site only after
// that site has agreed.
var preflightHeaders = []string{
	"X-Req-Id", "X-App-Version", "GraphQL-Preflight", "GraphQL-Require-Preflight", "Apollo-Require-Preflight",
}

// preflighted reports whether no browser can have sent the request for another
// site without asking. They add credentials of other schemes than Bearer by themselves.
func preflighted(h http.Header) bool {
	if scheme, _, _ := strings.Cut(h.Get("Authorization"), " "); strings.EqualFold(scheme, "Bearer") {
		return true
	}
	for _, name := range preflightHeaders {
		if h.Get(name) != "" {
			return true
		}
	}
	media, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	switch media {
	case "text/plain", "application/x-www-form-urlencoded", "multipart/form-data":
		return false
	}
	return err == nil
}
