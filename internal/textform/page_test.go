package textform

import "testing"

func TestIsPage(t *testing.T) {
	for text, want := range map[string]bool{
		"<!DOCTYPE html>\n<html>": true, " \r\n<html lang=\"id\">": true, "<!-- saved -->": true,
		"": false, "name,email\n<html>": false, "BEGIN:VCALENDAR": false, "<htmlx>": false,
	} {
		if got := IsPage([]byte(text)); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}
