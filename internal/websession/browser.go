package websession

import "strings"

// Products by which programs and systems name themselves in a User-Agent, the more special
// first: most browsers also name those that they descend from.
var (
	programs = [][2]string{
		{"Edg", "Edge"}, {"OPR/", "Opera"}, {"SamsungBrowser", "Samsung Internet"},
		{"Firefox", "Firefox"}, {"FxiOS", "Firefox"}, {"Chrome", "Chrome"}, {"CriOS", "Chrome"}, {"Safari", "Safari"},
	}
	systems = [][2]string{
		{"Android", "Android"}, {"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Windows", "Windows"}, {"Mac OS X", "macOS"},
		{"CrOS", "ChromeOS"}, {"Linux", "Linux"},
	}
)

// browserOf says what a User-Agent is in words, for the list of a person's devices.
func browserOf(agent string) string {
	program, system := named(programs, agent), named(systems, agent)
	switch {
	case program == "" && system == "":
		return "Browser"
	case system == "":
		return program
	case program == "":
		return system
	}
	return program + ", " + system
}

func named(list [][2]string, agent string) string {
	for _, one := range list {
		if strings.Contains(agent, one[0]) {
			return one[1]
		}
	}
	return ""
}
