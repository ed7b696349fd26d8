package middleware

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"workforce/internal/request"
)

// ask sends a request with headers, given as name and value in turn, through
// Wrap, and returns what the handler at GET /x was told.
func ask(t *testing.T, cfg Config, headers ...string) (*request.Info, http.Header) {
	t.Helper()
	var info *request.Info
	mux := http.NewServeMux()
	mux.HandleFunc("GET /x", func(w http.ResponseWriter, r *http.Request) { info = request.From(r.Context()) })
	r := httptest.NewRequest("GET", "/x", nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	Wrap(mux, cfg).ServeHTTP(w, r)
	if info == nil {
		t.Fatalf("not served: %d %s", w.Code, w.Body)
	}
	return info, w.Result().Header
}

func TestRequestID(t *testing.T) {
	tests := []struct {
		name, sent string
		given      bool
	}{
		{"uuid", "0f8fad5b-d9cb-469f-a165-70867728950e", true},
		{"one character", "!", true},
		{"all of visible ASCII's ends", "!~", true},
		{"128 characters", strings.Repeat("a", 128), true},
		{"129 characters", strings.Repeat("a", 129), false},
		{"none", "", false},
		{"space inside", "a b", false},
		{"line break", "a\r\nSet-Cookie: b=c", false},
		{"tab", "a\tb", false},
		{"delete", "a\x7f", false},
		{"null", "a\x00", false},
		{"not ASCII", "é", false},
		{"a token", "wfa_" + strings.Repeat("A", 48), false},
		{"a token within", "retry/wfd_" + strings.Repeat("-", 48) + "/2", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			info, h := ask(t, Config{}, "X-Req-Id", tt.sent)
			if info.IDGiven != tt.given || tt.given != (info.ID == tt.sent) {
				t.Errorf("ID = %q, given %v, want given %v", info.ID, info.IDGiven, tt.given)
			}
			if len(info.ID) < 26 && !tt.given {
				t.Errorf("made %q: less than 128 bits", info.ID)
			}
			if got := h.Values("X-Req-Id"); len(got) != 1 || got[0] != info.ID {
				t.Errorf("answered %q, want %q", got, info.ID)
			}
		})
	}
	a, _ := ask(t, Config{})
	b, _ := ask(t, Config{})
	if a.ID == b.ID {
		t.Errorf("made %q twice", a.ID)
	}
}

func TestLanguage(t *testing.T) {
	tests := []struct{ name, x, accept, want string }{
		{"none", "", "", ""},
		{"Indonesian", "id", "", "id"},
		{"English", "en", "", "en"},
		{"upper case", "ID", "", "id"},
		{"region", "id-ID", "", "id"},
		{"underscore", "en_US", "", "en"},
		{"old tag of Indonesian", "in-ID", "", "id"},
		{"X-Language before Accept-Language", "id", "en", "id"},
		{"unknown X-Language, known Accept-Language", "zh", "id;q=0.1", "id"},
		{"Chinese", "", "zh-CN,zh;q=0.9", ""},
		{"Javanese, whose speakers read Indonesian", "", "jv", "id"},
		{"browser", "", "en-US,en;q=0.9,id;q=0.8", "en"},
		{"weights out of order", "", "en;q=0.2, id;q=0.8", "id"},
		{"equal weights", "", "id;q=0.5,en;q=0.5", "id"},
		{"unknown first", "", "fr, zh;q=0.9, id;q=0.3", "id"},
		{"refused", "", "en;q=0", ""},
		{"refused, then another", "", "en;q=0,id;q=0.1", "id"},
		{"anything", "", "*", ""},
		{"anything else", "", "id;q=0.5,*;q=0.1", "id"},
		{"list in X-Language", "zh, id;q=0.4", "en", "id"},
		{"garbage", "\x01!!", "", ""},
		{"garbage beside", "", "not a tag, ;;q, id", "id"},
		{"bad weight", "", "en;q=high, id;q=0.1", "id"},
		{"weight not a number", "", "en;q=NaN, id;q=0.1", "id"},
		{"too far down a list", "", strings.Repeat("fr,", maxLanguages) + "id", ""},
		{"thousands", "", strings.Repeat(",", 30000), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			info, h := ask(t, Config{}, "X-Language", tt.x, "Accept-Language", tt.accept)
			said := tt.want
			if said == "" {
				said = "en"
			}
			if info.Language != tt.want || h.Get("Content-Language") != said {
				t.Errorf("language %q, said %q; want %q, %q", info.Language, h.Get("Content-Language"), tt.want, said)
			}
		})
	}
}

func TestLanguageFoundLater(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /x", func(w http.ResponseWriter, r *http.Request) {
		request.From(r.Context()).Language = "id" // the caller's locale
		_, _ = w.Write([]byte("halo"))
	})
	w := httptest.NewRecorder()
	Wrap(mux, Config{}).ServeHTTP(w, httptest.NewRequest("GET", "/x", nil))
	if got := w.Header().Get("Content-Language"); got != "id" {
		t.Errorf("Content-Language %q, want id", got)
	}
}

func TestAnswerHeaders(t *testing.T) {
	info, h := ask(t, Config{PublicURL: "https://api.example.com/"}, "X-App-Version", "2.3.0", "User-Agent", "app")
	if info.PublicURL != "https://api.example.com" || info.AppVersion != "2.3.0" || info.UserAgent != "app" {
		t.Errorf("info %+v", info)
	}
	if got := h.Values("Vary"); len(got) != 1 || got[0] != "Accept-Encoding, Accept-Language, X-Language" {
		t.Errorf("Vary %q", got)
	}
	if got := h.Get("X-Content-Type-Options"); got != "nosniff" {
		t.Errorf("X-Content-Type-Options %q", got)
	}
}

func TestVary(t *testing.T) {
	const base = "Accept-Encoding, Accept-Language, X-Language"
	for value, want := range map[string]string{
		"":                        base,
		"accept-encoding":         base,
		"Origin":                  base + ", Origin",
		"Origin, Accept-Encoding": base + ", Origin",
		"Origin,,origin , Accept": base + ", Origin, Accept",
	} {
		if got := mergeVary([]string{value, "Accept-Encoding"}); got != want {
			t.Errorf("%q: %q, want %q", value, got, want)
		}
	}
}

func TestClientAddr(t *testing.T) {
	trusted, err := ParseProxies([]string{"10.0.0.0/8", " 192.0.2.7", "fd00::/8"})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, peer string
		forwarded  []string
		want       string
	}{
		{"direct", "203.0.113.9:4711", nil, "203.0.113.9"},
		{"direct, claiming to be forwarded", "203.0.113.9:4711", []string{"10.0.0.1"}, "203.0.113.9"},
		{"proxied", "10.1.2.3:80", []string{"203.0.113.9"}, "203.0.113.9"},
		{"proxied twice", "10.1.2.3:80", []string{"203.0.113.9, 192.0.2.7"}, "203.0.113.9"},
		{"client wrote before", "10.1.2.3:80", []string{"127.0.0.1, 203.0.113.9"}, "203.0.113.9"},
		{"client wrote a proxy before", "10.1.2.3:80", []string{"1.1.1.1, 10.0.0.1, 203.0.113.9"}, "203.0.113.9"},
		{"several lines", "10.1.2.3:80", []string{"1.1.1.1", "203.0.113.9", "10.0.0.2"}, "203.0.113.9"},
		{"only proxies", "10.1.2.3:80", []string{"10.0.0.9, 10.0.0.2"}, "10.0.0.9"},
		{"garbage", "10.1.2.3:80", []string{"203.0.113.9, unknown"}, "10.1.2.3"},
		{"garbage left of the client", "10.1.2.3:80", []string{"<script>, 203.0.113.9"}, "203.0.113.9"},
		{"empty", "10.1.2.3:80", []string{""}, "10.1.2.3"},
		{"none", "10.1.2.3:80", nil, "10.1.2.3"},
		{"with port", "10.1.2.3:80", []string{"203.0.113.9:5000"}, "203.0.113.9"},
		{"IPv6", "[fd00::1]:80", []string{"2001:db8::1"}, "2001:db8::1"},
		{"IPv6 with port", "[fd00::1]:80", []string{"[2001:db8::1]:99"}, "2001:db8::1"},
		{"IPv6 in brackets", "[fd00::1]:80", []string{"[2001:db8::1]"}, "2001:db8::1"},
		{"IPv4 as IPv6", "[::ffff:10.1.2.3]:80", []string{"::ffff:203.0.113.9"}, "203.0.113.9"},
		{"no address", "@", []string{"203.0.113.9"}, "invalid IP"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := httptest.NewRequest("GET", "/", nil)
			r.RemoteAddr, r.Header["X-Forwarded-For"] = tt.peer, tt.forwarded
			if got := clientAddr(r, trusted).String(); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestParseProxies(t *testing.T) {
	got, err := ParseProxies([]string{"10.9.8.7/8", "::1"})
	want := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("::1/128")}
	if err != nil || len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	for _, bad := range []string{"", "10.0.0.0/33", "proxy.local", "::ffff:10.0.0.0/104", "::ffff:10.0.0.1", "fe80::1%eth0", "*"} {
		if got, err := ParseProxies([]string{bad}); err == nil {
			t.Errorf("%q: got %v, want an error", bad, got)
		}
	}
}

// TestForwardedHint logs an X-Forwarded-For that is ignored, once for each network of
// peers, and repeats nothing that the client sent.
func TestForwardedHint(t *testing.T) {
	proxies, err := ParseProxies([]string{"10.0.0.0/8"})
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	h := Wrap(http.NewServeMux(), Config{TrustedProxies: proxies, Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn}))})
	ask := func(peer, forwarded string) string {
		log.Reset()
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = peer
		if forwarded != "" {
			r.Header.Set("X-Forwarded-For", forwarded)
		}
		h.ServeHTTP(httptest.NewRecorder(), r)
		return log.String()
	}
	for _, tt := range []struct {
		name, peer, forwarded string
		want                  bool
	}{
		{"a trusted proxy", "10.1.2.3:1", "192.0.2.1", false},
		{"no header", "172.16.0.1:1", "", false},
		{"another proxy", "172.16.0.1:1", "canary", true},
		{"its neighbour", "172.16.0.200:1", "192.0.2.1", false},
		{"another network", "172.16.1.1:1", "192.0.2.1", true},
		{"IPv6", "[2001:db8::1]:1", "192.0.2.1", true},
		{"the same network", "[2001:db8::2]:1", "192.0.2.1", false},
		{"no address", "@", "192.0.2.1", false},
	} {
		got := ask(tt.peer, tt.forwarded)
		if strings.Contains(got, "--trusted-proxies") != tt.want || strings.Contains(got, "canary") || strings.Count(got, "\n") > 1 {
			t.Errorf("%s: logged %q, want a hint: %v", tt.name, got, tt.want)
		}
	}
	hints := 3
	for i := range 100 {
		if ask(fmt.Sprintf("198.51.%d.1:1", i), "192.0.2.1") != "" {
			hints++
		}
	}
	if hints != maxHints {
		t.Errorf("%d hints, want %d at most", hints, maxHints)
	}
}

func TestDate(t *testing.T) {
	at := time.Date(2026, 3, 10, 9, 0, 0, 0, time.FixedZone("", 7*60*60))
	_, h := ask(t, Config{Now: func() time.Time { return at }})
	if got := h.Get("Date"); got != "Tue, 10 Mar 2026 02:00:00 GMT" {
		t.Errorf("Date %q", got)
	}
}
