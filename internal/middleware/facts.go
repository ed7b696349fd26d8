package middleware

import (
	"crypto/rand"
	"net/http"
	"net/textproto"
	"slices"
	"strings"

	"golang.org/x/text/language"

	"workforce/internal/database"
	"workforce/internal/errs"
	"workforce/internal/request"
)

// facts gives the request its request.Info, and every answer the headers that
// depend on nothing else.
func facts(cfg Config) layer {
	base := strings.TrimRight(cfg.PublicURL, "/")
	spoken := language.NewMatcher(errs.Languages)
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			id, given := requestID(r.Header.Get("X-Req-Id"))
			info := &request.Info{
				ID: id, IDGiven: given,
				Language:   languageOf(r.Header, spoken),
				AppVersion: r.Header.Get("X-App-Version"),
				Addr:       clientAddr(r, cfg.TrustedProxies),
				UserAgent:  r.UserAgent(),
				PublicURL:  base,
				Header:     r.Header,
				Reply:      w.Header(),
			}
			w.Header().Set("X-Req-Id", id)
			w.Header().Set("X-Content-Type-Options", "nosniff")
			out := &reply{ResponseWriter: w, before: func(h http.Header) { complete(h, info) }}
			ctx := database.CountStatements(request.NewContext(r.Context(), info), &info.Statements)
			next.ServeHTTP(out, r.WithContext(ctx))
			out.finish()
		})
	}
}

// complete sets the headers that are only known once the answer is written.
func complete(h http.Header, info *request.Info) {
	if h.Get("Content-Language") == "" {
		lang := info.Language
		if lang == "" {
			lang = errs.Languages[0].String()
		}
		h.Set("Content-Language", lang)
	}
	if said := h.Values("Vary"); len(said) > 0 {
		h.Set("Vary", vary(said))
	} else {
		h.Set("Vary", varies)
	}
}

// varies names what every answer depends on.
const varies = "Accept-Encoding, Accept-Language, X-Language"

// vary adds what every answer depends on to what a handler says, each once.
func vary(said []string) string {
	names := strings.Split(varies, ", ")
	for name := range strings.SplitSeq(strings.Join(said, ","), ",") {
		name = textproto.CanonicalMIMEHeaderKey(strings.TrimSpace(name))
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// requestID returns the id that the client gave if it is 1 to 128 visible ASCII
// characters, else a random one of 128 bits or more.
func requestID(id string) (_ string, given bool) {
	invisible := func(c rune) bool { return c <= ' ' || c > '~' }
	if id == "" || len(id) > 128 || strings.ContainsFunc(id, invisible) {
		return rand.Text(), false
	}
	return id, true
}

// languageOf returns the language that the headers ask for, or "" when they ask
// for none that is spoken here: the user's own is then to be taken.
func languageOf(h http.Header, spoken language.Matcher) string {
	for _, name := range []string{"X-Language", "Accept-Language"} {
		if list := h.Get(name); list != "" {
			if lang := bestOf(list, spoken); lang != "" {
				return lang
			}
		}
	}
	return ""
}

// maxLanguages bounds how much of a list is looked at.
const maxLanguages = 16

// bestOf returns the spoken language of the highest weight in a list of BCP 47
// tags, the first of equals. Entries that cannot be read are passed over.
func bestOf(list string, spoken language.Matcher) (lang string) {
	best := float32(0)
	entries := strings.SplitN(list, ",", maxLanguages+1)
	for _, entry := range entries[:min(len(entries), maxLanguages)] {
		tags, weights, err := language.ParseAcceptLanguage(entry)
		if err != nil || len(tags) == 0 || !(weights[0] > best) { // not a number is no weight
			continue
		}
		if _, i, confidence := spoken.Match(tags[0]); confidence >= language.High {
			best, lang = weights[0], errs.Languages[i].String()
		}
	}
	return lang
}
