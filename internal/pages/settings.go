package pages

import (
	"net/http"

	"workforce/internal/setting"
)

// showSettings answers /settings with what a company may set, in each language.
func showSettings(w http.ResponseWriter, _ *http.Request) { show(w, "settings.html", setting.Listed()) }
