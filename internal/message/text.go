package message

import (
	"errors"
	"fmt"
	htmltemplate "html/template"
	"strings"
	"sync"
	"text/template"
	"time"
	"unicode"

	"golang.org/x/text/language"

	"workforce/internal/errs"
)

// A Text is a worded message. Plain fits a text message and a mail alike; HTML
// says the same and loads nothing from anywhere.
type Text struct{ Subject, Plain, HTML string }

// Kind is what a message tells.
type Kind string

// The kinds of messages, with the facts that each needs; wordings.go words them.
const (
	LoginCode          Kind = "login_code"           // Code, Minutes
	ResetCode          Kind = "reset_code"           // Code, Minutes
	PasswordChanged    Kind = "password_changed"     // At
	NewDevice          Kind = "new_device"           // At; Device if known
	DeviceRequested    Kind = "device_requested"     // At, Name; Device if known
	DeviceApproved     Kind = "device_approved"      // At; Device if known
	DeviceRefused      Kind = "device_refused"       // At; Device if known
	FaceRegistered     Kind = "face_registered"      // At; Name when it is told to another person
	FaceCode           Kind = "face_code"            // Code, Minutes
	FaceReset          Kind = "face_reset"           // At
	FaceResetRequested Kind = "face_reset_requested" // Name
	FaceResetRejected  Kind = "face_reset_rejected"  // nothing
	Invited            Kind = "invited"              // Company, Username; Link to the web app if it is known
	ShiftsChanged      Kind = "shifts_changed"       // Date where it is one date
	SwapAsked          Kind = "swap_asked"           // Name, who asks; Date
	SwapApproved       Kind = "swap_approved"        // Date
	SwapRefused        Kind = "swap_refused"         // Date
	CorrectionAsked    Kind = "correction_asked"     // Name, who asks; Date
	CorrectionApproved Kind = "correction_approved"  // Date; Note if there is one
	CorrectionRefused  Kind = "correction_refused"   // Date; Note if there is one
	LeaveAsked         Kind = "leave_asked"          // Name, who asks; Date, the first
	LeaveApproved      Kind = "leave_approved"       // Date, the first; Note if there is one
	LeaveRefused       Kind = "leave_refused"        // Date, the first; Note if there is one
	LeaveRecounted     Kind = "leave_recounted"      // Date, the first; Days, DaysBefore; Short if there is one
	TeamLeaveRecounted Kind = "team_leave_recounted" // Name; Date, the first; Days, DaysBefore; Short if there is one
	WorksOnLeave       Kind = "works_on_leave"       // Name; Date
	InRejected         Kind = "in_rejected"          // Event; Note if there is one
	OutRejected        Kind = "out_rejected"         // Event; Note if there is one
	StillClockedIn     Kind = "still_clocked_in"     // Event, the clock-in
	AttendanceClosed   Kind = "attendance_closed"    // Event, the end that a rule gave
	TimerLong          Kind = "timer_long"           // Event, the start
	WeekAsked          Kind = "week_asked"           // Name, who submits; Date, the first
	WeekApproved       Kind = "week_approved"        // Date, the first; Note if there is one
	WeekRejected       Kind = "week_rejected"        // Date, the first; Note if there is one
	TaskMention        Kind = "task_mention"         // Name, who mentions; Title
	ReportReady        Kind = "report_ready"         // Title; Link

	TicketAssigned       Kind = "ticket_assigned"        // Name, who assigns; Title
	TicketComment        Kind = "ticket_comment"         // Name, who comments; Title
	TicketNote           Kind = "ticket_note"            // Name, who notes; Title
	TicketResolved       Kind = "ticket_resolved"        // Name, who resolves; Title
	TicketClosed         Kind = "ticket_closed"          // Name, who closes; Title
	TicketReopened       Kind = "ticket_reopened"        // Name, who opens it again; Title
	TicketResponseSoon   Kind = "ticket_response_soon"   // Title; Event, when it is due
	TicketResponseOver   Kind = "ticket_response_over"   // Title; Event, when it was due
	TicketResolutionSoon Kind = "ticket_resolution_soon" // Title; Event, when it is due
	TicketResolutionOver Kind = "ticket_resolution_over" // Title; Event, when it was due
)

// HasCode reports whether messages of the kind carry a code that lets somebody in.
func (k Kind) HasCode() bool { return k == LoginCode || k == ResetCode || k == FaceCode }

// Facts fill the places of a text. They may be what anybody typed: they stay on
// one line, and names are cut at 60 characters.
type Facts struct {
	Code     string
	Minutes  int       // that Code is valid
	At       time.Time // in the zone in which it is shown
	Event    time.Time // when what is told of took place, in the zone in which it is shown
	Device   string
	Name     string // the person told of
	Company  string
	Username string // to sign in with
	Date     string // local, 2006-01-02
	Note     string // of who decided
	Title    string // of a task, ticket or report
	Link     string // to what is told of

	Days, DaysBefore string // how many dates leave takes, and took
	Short            string // the year whose allowance does not suffice
}

// Render words a message in the language that fits lang (a BCP 47 tag) best,
// English where none does. The plain text of a code begins with the code. It
// fails for an unknown kind or a missing fact.
func Render(kind Kind, lang string, f Facts) (Text, error) {
	t, ok := texts()[kind]
	if !ok {
		return Text{}, fmt.Errorf("no message of kind %q", kind)
	}
	_, i := language.MatchStrings(languages, lang)
	text, err := t[i].fill(f.clean())
	if err != nil {
		return Text{}, fmt.Errorf("message of kind %q: %w", kind, err)
	}
	return text, nil
}

const nameLength = 60 // characters

// clean returns the facts as they may stand in a text.
func (f Facts) clean() Facts {
	f.Code, f.Username = printable(f.Code), printable(f.Username)
	f.Device, f.Name, f.Company = name(f.Device), name(f.Name), name(f.Company)
	f.Note, f.Title = printable(f.Note), name(f.Title)
	f.Link = printable(f.Link)
	return f
}

func name(text string) string {
	if r := []rune(printable(text)); len(r) > nameLength {
		return strings.TrimSpace(string(r[:nameLength]))
	}
	return printable(text)
}

// printable drops what cannot be seen, and joins words by one space.
func printable(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return r == ' ' || !unicode.IsPrint(r)
	}), " ")
}

// A textTemplate is the text of one kind in one language.
type textTemplate struct {
	subject string
	plain   *template.Template
	html    *htmltemplate.Template
}

func (t textTemplate) fill(f Facts) (Text, error) {
	var plain, html strings.Builder
	if err := t.plain.Execute(&plain, f); err != nil {
		return Text{}, err
	}
	if err := t.html.Execute(&html, f); err != nil {
		return Text{}, err
	}
	return Text{Subject: t.subject, Plain: plain.String(), HTML: html.String()}, nil
}

var (
	languages = language.NewMatcher(errs.Languages)
	texts     = sync.OnceValue(parseWordings) // when the first is needed
)

// parseWordings parses the table once. It panics where the table is malformed.
func parseWordings() map[Kind][2]textTemplate {
	parsed := map[Kind][2]textTemplate{}
	for kind, in := range wordings {
		parsed[kind] = [2]textTemplate{in[0].parse(errs.Languages[0]), in[1].parse(errs.Languages[1])}
	}
	return parsed
}

func (w wording) parse(lang language.Tag) textTemplate {
	funcs := map[string]any{"need": need, "at": at, "strong": need}
	plain := template.New("").Funcs(funcs)
	funcs["strong"] = strong
	html := htmltemplate.New("").Funcs(funcs)
	return textTemplate{
		subject: w.subject,
		plain:   template.Must(plain.Parse(w.text + " " + w.note)),
		html:    htmltemplate.Must(html.Parse(fmt.Sprintf(page, lang, w.subject, w.text, w.note))),
	}
}

// need returns a fact that must be there.
func need(fact any) (any, error) {
	if there, _ := template.IsTrue(fact); !there {
		return nil, errors.New("a fact is missing")
	}
	return fact, nil
}

// at writes a time that must be there, the same in every language.
func at(t time.Time) (string, error) {
	if t.IsZero() {
		return "", errors.New("a time is missing")
	}
	return t.Format("2006-01-02 15:04 MST"), nil
}

// strong makes a text that must be there stand out in HTML.
func strong(text string) (htmltemplate.HTML, error) {
	_, err := need(text)
	return htmltemplate.HTML(`<strong style="font-size:1.5em">` + htmltemplate.HTMLEscapeString(text) + `</strong>`), err
}
