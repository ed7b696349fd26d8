package websession

import "testing"

// TestBrowserOf names browsers by what they send.
func TestBrowserOf(t *testing.T) {
	const webkit = " AppleWebKit/537.36 (KHTML, like Gecko) "
	const apple = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)" + webkit
	for agent, want := range map[string]string{
		"Mozilla/5.0 (X11; Linux x86_64)" + webkit + "Chrome/148.0.0.0 Safari/537.36":         "Chrome, Linux",
		"Mozilla/5.0 (Windows NT 10.0)" + webkit + "Chrome/148.0.0.0 Safari/537.36 Edg/148.0": "Edge, Windows",
		"Mozilla/5.0 (Linux; Android 10; K)" + webkit + "Chrome/148.0.0.0 Mobile Safari":      "Chrome, Android",
		"Mozilla/5.0 (Linux; Android 15)" + webkit + "SamsungBrowser/28.0 Chrome/130.0.0.0":   "Samsung Internet, Android",
		apple + "Version/18.5 Mobile/15E148 Safari/604.1":                                     "Safari, iPhone",
		apple + "FxiOS/140.0 Mobile/15E148 Safari/605.1.15":                                   "Firefox, iPhone",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15) Gecko/20100101 Firefox/150.0":          "Firefox, macOS",
		"curl/8.14.1": "Browser", "": "Browser", "Something (Windows)": "Windows", "Firefox": "Firefox",
	} {
		if got := browserOf(agent); got != want {
			t.Errorf("%s: %q, want %q", agent, got, want)
		}
	}
}
