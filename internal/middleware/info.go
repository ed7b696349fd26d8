package middleware

import (
	"crypto/rand"
	"log/slog"
	"net/http"
	"net/netip"
	"net/textproto"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/language"

	"workforce/internal/database"
	"workforce/internal/errs"
	"workforce/internal/request"
	"workforce/internal/token"
)

// requestInfo adds the request.Info to the context, and to the response the
// headers that depend on it alone.
func requestInfo(cfg Config, log *slog.Logger) layer {
	hint := &forwardedHint{log: log, trusted: cfg.TrustedProxies, known: map[netip.Prefix]bool{}}
	base := strings.TrimRight(cfg.PublicURL, "/")
	supported := language.NewMatcher(errs.Languages)
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			hint.check(r)
			id, given := requestID(r.Header.Get("X-Req-Id"))
			info := &request.Info{
				ID: id, IDGiven: given,
				Language:   requestedLanguage(r.Header, supported),
				AppVersion: r.Header.Get("X-App-Version"),
				Addr:       clientAddr(r, cfg.TrustedProxies),
				UserAgent:  r.UserAgent(),
				PublicURL:  base,
				Header:     r.Header,
				Reply:      w.Header(),
			}
			w.Header().Set("X-Req-Id", id)
			w.Header().Set("X-Content-Type-Options", "nosniff")
			out := &recorder{ResponseWriter: w, beforeHeader: func(h http.Header) {
				setCommonHeaders(h, info)
				startWriting(w, r)
			}}
			next.ServeHTTP(out, r.WithContext(database.CountStatements(request.NewContext(r.Context(), info), &info.Statements)))
			out.runBeforeHeader()
		})
	}
}

// writeTime is how long a client may take to read a response.
const writeTime = time.Minute

// startWriting gives the client writeTime from now on, so that a request that took
// too long is still answered. Streams set a deadline of their own.
func startWriting(w http.ResponseWriter, r *http.Request) {
	if !isStream(r) {
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeTime)) // unsupported: there is none
	}
}

// setCommonHeaders sets Content-Language and Vary, just before the response
// header is written: the language may be known no earlier.
func setCommonHeaders(h http.Header, info *request.Info) {
	if h.Get("Content-Language") == "" {
		lang := info.Language
		if lang == "" {
			lang = errs.Languages[0].String()
		}
		h.Set("Content-Language", lang)
	}
	if values := h.Values("Vary"); len(values) > 0 {
		h.Set("Vary", mergeVary(values))
	} else {
		h.Set("Vary", commonVary)
	}
}

// commonVary lists the request headers that every response depends on.
const commonVary = "Accept-Encoding, Accept-Language, X-Language"

// mergeVary adds a handler's Vary values to commonVary, each once.
func mergeVary(values []string) string {
	names := strings.Split(commonVary, ", ")
	for name := range strings.SplitSeq(strings.Join(values, ","), ",") {
		name = textproto.CanonicalMIMEHeaderKey(strings.TrimSpace(name))
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// requestID returns the client's id if it is 1 to 128 visible ASCII characters and
// has no token, since it is logged and kept; else a random one of at least 128 bits.
func requestID(id string) (_ string, given bool) {
	invisible := func(c rune) bool { return c <= ' ' || c > '~' }
	if id == "" || len(id) > 128 || strings.ContainsFunc(id, invisible) || token.Mask(id) != id {
		return rand.Text(), false
	}
	return id, true
}

// requestedLanguage returns the language that the headers ask for, "" when they
// ask for none that is supported. The user's own language then applies.
func requestedLanguage(h http.Header, supported language.Matcher) string {
	for _, name := range []string{"X-Language", "Accept-Language"} {
		if list := h.Get(name); list != "" {
			if lang := bestLanguage(list, supported); lang != "" {
				return lang
			}
		}
	}
	return ""
}

// maxLanguages is the number of entries that are read of a list.
const maxLanguages = 16

// bestLanguage returns the supported language of the highest weight in a list of
// BCP 47 tags, the first one of equal weights. It skips malformed entries.
func bestLanguage(list string, supported language.Matcher) (lang string) {
	best := float32(0)
	entries := strings.SplitN(list, ",", maxLanguages+1)
	for _, entry := range entries[:min(len(entries), maxLanguages)] {
		tags, weights, err := language.ParseAcceptLanguage(entry)
		if err != nil || len(tags) == 0 || !(weights[0] > best) { // false for NaN
			continue
		}
		if _, i, confidence := supported.Match(tags[0]); confidence >= language.High {
			best, lang = weights[0], errs.Languages[i].String()
		}
	}
	return lang
}
