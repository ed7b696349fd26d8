package websession

import "testing"

// TestBrowserOf names browsers by what they send.
func TestBrowserOf(t *testing.T) {
	const webkit = "AppleWebKit/537.36 (KHTML, like Gecko) "
	for agent, want := range map[string]string{
		"Mozilla/5.0 (X11; Linux x86_64) " + webkit + "Chrome/148.0.0.0 Safari/537.36":                                                              "Chrome, Linux",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) " + webkit + "Chrome/148.0.0.0 Safari/537.36 Edg/148.0.0.0":                                      "Edge, Windows",
		"Mozilla/5.0 (Linux; Android 10; K) " + webkit + "Chrome/148.0.0.0 Mobile Safari/537.36":                                                    "Chrome, Android",
		"Mozilla/5.0 (Linux; Android 15; SM-S931B) " + webkit + "SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36":                         "Samsung Internet, Android",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1":   "Safari, iPhone",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/140.0 Mobile/15E148 Safari/605.1.15": "Firefox, iPhone",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:150.0) Gecko/20100101 Firefox/150.0":                                                      "Firefox, macOS",
		"curl/8.14.1": "Browser", "": "Browser", "Something (Windows)": "Windows", "Firefox": "Firefox",
	} {
		if got := browserOf(agent); got != want {
			t.Errorf("%s: %q, want %q", agent, got, want)
		}
	}
}
