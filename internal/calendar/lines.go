package calendar

import (
	"bytes"
	"fmt"
	"io"
	"mime/quotedprintable"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"workforce/internal/errs"
	"workforce/internal/shift"
)

// A property is one line of a calendar file after its folds are undone, such as
// SUMMARY;LANGUAGE=id:Nyepi.
type property struct {
	line   int    // of the file where it begins, from 1
	name   string // in capitals
	params string // as they are written
	value  string
}

// A component is an event as it is written.
type component struct {
	line       int // of its BEGIN
	properties map[string][]property
	broken     int   // the first line that is no property; 0 for none
	cancels    *bool // whether the events of its calendar are cancelled
}

// unfold splits text into its lines and undoes folds: a line that begins with a space or tab
// continues the one before it. Lines end with CRLF, LF or CR. It calls each with the number of
// the first line of each whole one.
func unfold(text []byte, each func(number int, line []byte) error) error {
	text = bytes.ReplaceAll(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")), []byte("\r"), []byte("\n"))
	var whole []byte
	first, number := 0, 0
	for line := range bytes.Lines(text) {
		number++
		line = bytes.TrimSuffix(line, []byte("\n"))
		if first > 0 && len(line) > 0 && (line[0] == ' ' || line[0] == '\t') {
			whole = append(whole, line[1:]...)
			continue
		}
		if first > 0 {
			if err := each(first, whole); err != nil {
				return err
			}
		}
		first, whole = number, append([]byte(nil), line...)
	}
	if first == 0 {
		return nil
	}
	return each(first, whole)
}

// readComponents returns the events of all calendars of a file. It fails, naming the line, where
// the text is not UTF-8, and where the BEGINs and ENDs do not match, as in a file that was cut off.
func readComponents(text []byte) (events []*component, err error) {
	var open []string // the components around a line, the outermost first
	var event *component
	calendars := 0
	var cancels *bool // of the calendar around a line
	unreadable := func(line int) error { return errs.Because("file", errs.Unreadable, errs.Meta{"line": line}) }
	last := 0
	err = unfold(text, func(number int, raw []byte) error {
		last = number
		switch {
		case !utf8.Valid(raw) || bytes.IndexByte(raw, 0) >= 0:
			return errs.Because("file", errs.NotUTF8, errs.Meta{"line": number})
		case len(raw) > maxLine && !isRead(raw): // such as a picture, or a description as a page
			return nil
		}
		p, ok := readProperty(number, string(raw))
		inEvent := len(open) == 2 && event != nil
		switch {
		case !ok || len(raw) > maxLine:
			if inEvent && event.broken == 0 && strings.TrimSpace(string(raw)) != "" {
				event.broken = number
			}
		case p.name == "BEGIN":
			kind := strings.ToUpper(strings.TrimSpace(p.value))
			if len(open) == 0 && kind == "VCALENDAR" {
				calendars++
				cancels = new(bool)
			}
			open = append(open, kind)
			if len(open) == 2 && open[0] == "VCALENDAR" && kind == "VEVENT" {
				if len(events) == maxEvents {
					return errs.Because("file", errs.TooMany, errs.Meta{"max": maxEvents})
				}
				event = &component{line: number, properties: map[string][]property{}, cancels: cancels}
				events = append(events, event)
			}
		case p.name == "END":
			if len(open) == 0 || open[len(open)-1] != strings.ToUpper(strings.TrimSpace(p.value)) {
				return unreadable(number)
			}
			open = open[:len(open)-1]
			if len(open) < 2 {
				event = nil
			}
		case len(open) == 1 && open[0] == "VCALENDAR" && p.name == "METHOD":
			*cancels = strings.EqualFold(strings.TrimSpace(p.value), "CANCEL")
		case inEvent:
			event.properties[p.name] = append(event.properties[p.name], p)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if calendars == 0 || len(open) > 0 {
		return nil, unreadable(max(last, 1))
	}
	return events, nil
}

// isRead reports whether a line has a property of which events are read.
func isRead(line []byte) bool {
	name := strings.ToUpper(string(line[:max(0, bytes.IndexAny(line, ";:"))]))
	return slices.Contains(single, name) || name == "RDATE" || name == "EXDATE"
}

// zone returns the zone of a time; nil where it has none, or one that is not known.
func (p property) zone() *time.Location {
	for param := range strings.SplitSeq(p.params, ";") {
		if name, value, _ := strings.Cut(param, "="); strings.EqualFold(name, "TZID") {
			if zone, err := shift.Zone(strings.Trim(value, `"`)); err == nil {
				return zone
			}
		}
	}
	return nil
}

// readProperty reads a line. ok is false for one without a name and a colon.
func readProperty(number int, line string) (p property, ok bool) {
	quoted := false
	for i := range len(line) {
		switch {
		case line[i] == '"':
			quoted = !quoted
		case line[i] == ':' && !quoted:
			name, params, _ := strings.Cut(line[:i], ";")
			p = property{line: number, name: strings.ToUpper(name), params: params, value: line[i+1:]}
			return p, name != "" && strings.Trim(p.name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") == ""
		}
	}
	return property{}, false
}

// dates returns the values of a property of dates, without the colons that some programs write
// unquoted into the names of zones before it.
func (p property) dates() []string {
	return strings.Split(strings.TrimSpace(p.value[strings.LastIndexByte(p.value, ':')+1:]), ",")
}

// unescape undoes the escapes of text, of which a line break becomes a space.
var unescape = strings.NewReplacer(`\\`, `\`, `\;`, `;`, `\,`, `,`, `\"`, `"`, `\n`, " ", `\N`, " ", "\t", " ")

// text returns the value as text: without escapes, or as quoted-printable, which calendars of the
// older format have. It is "", and ok false, where that is not UTF-8.
func (p property) text() (text string, ok bool) {
	if !strings.Contains(strings.ToUpper(p.params), "QUOTED-PRINTABLE") {
		return unescape.Replace(p.value), true
	}
	decoded, err := io.ReadAll(quotedprintable.NewReader(strings.NewReader(p.value)))
	if err != nil || !utf8.Valid(decoded) || bytes.IndexByte(decoded, 0) >= 0 {
		return "", false
	}
	return unescape.Replace(string(decoded)), true
}

// field names a property of an event in a fault.
func field(event int, property string) string {
	return fmt.Sprintf("events.%d.%s", event, strings.ToLower(property))
}
