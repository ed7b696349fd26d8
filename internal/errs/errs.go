// Package errs classifies errors. One table maps each code to an HTTP status
// and to its messages in every language of the service.
package errs

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
)

// Code classifies an error. The zero value is Internal, so an error that nobody
// classified never shows its text.
type Code string

// The codes of the service; catalogue.go gives the status and messages of each.
const (
	Internal              Code = ""
	BadRequest            Code = "BAD_REQUEST"
	Unauthenticated       Code = "UNAUTHENTICATED"
	InvalidCredentials    Code = "INVALID_CREDENTIALS"
	Forbidden             Code = "FORBIDDEN"
	VerificationRequired  Code = "VERIFICATION_REQUIRED"
	NotFound              Code = "NOT_FOUND"
	MethodNotAllowed      Code = "METHOD_NOT_ALLOWED"
	PersistedQuery        Code = "PERSISTED_QUERY_NOT_SUPPORTED"
	PersistedQueryUnknown Code = "PERSISTED_QUERY_NOT_FOUND"
	OperationNotTrusted   Code = "OPERATION_NOT_TRUSTED"
	Conflict              Code = "CONFLICT"
	AlreadyClockedIn      Code = "ALREADY_CLOCKED_IN"
	NotClockedIn          Code = "NOT_CLOCKED_IN"
	NoRunningTimer        Code = "NO_RUNNING_TIMER"
	TaskInUse             Code = "TASK_IN_USE"
	DesignationInUse      Code = "DESIGNATION_IN_USE"
	ReportNotReady        Code = "REPORT_NOT_READY"
	VersionConflict       Code = "VERSION_CONFLICT"
	IdempotencyInProgress Code = "IDEMPOTENCY_IN_PROGRESS"
	PreconditionFailed    Code = "PRECONDITION_FAILED"
	PayloadTooLarge       Code = "PAYLOAD_TOO_LARGE"
	UnsupportedMediaType  Code = "UNSUPPORTED_MEDIA_TYPE"
	RangeNotSatisfiable   Code = "RANGE_NOT_SATISFIABLE"
	Invalid               Code = "VALIDATION_FAILED"
	OTPInvalid            Code = "OTP_INVALID"
	OTPExpired            Code = "OTP_EXPIRED"
	OTPExhausted          Code = "OTP_EXHAUSTED"
	PasswordWeak          Code = "PASSWORD_WEAK"
	PasswordKeyInvalid    Code = "PASSWORD_KEY_INVALID"
	NoShift               Code = "NO_SHIFT"
	ShiftWindowClosed     Code = "SHIFT_WINDOW_CLOSED"
	LocationNotAllowed    Code = "LOCATION_NOT_ALLOWED"
	OutsideLocation       Code = "OUTSIDE_ALLOWED_LOCATION"
	LowAccuracy           Code = "LOW_ACCURACY"
	PositionMocked        Code = "POSITION_MOCKED"
	PositionImplausible   Code = "POSITION_IMPLAUSIBLE"
	DeviceNotAllowed      Code = "DEVICE_NOT_ALLOWED"
	FaceRequired          Code = "FACE_REQUIRED"
	FaceInvalid           Code = "FACE_INVALID"
	FaceMismatch          Code = "FACE_MISMATCH"
	FaceReplayed          Code = "FACE_REPLAYED"
	RecordedAtOutOfRange  Code = "RECORDED_AT_OUT_OF_RANGE"
	Cycle                 Code = "CYCLE"
	IdempotencyMismatch   Code = "IDEMPOTENCY_MISMATCH"
	UpgradeRequired       Code = "UPGRADE_REQUIRED"
	RateLimited           Code = "RATE_LIMITED"
	Unavailable           Code = "UNAVAILABLE"
)

// String returns the code as clients see it; the zero value is INTERNAL.
func (c Code) String() string {
	if c == Internal {
		return "INTERNAL"
	}
	return string(c)
}

// Meta holds the facts of an error: shown to clients as they are, and filled
// into the {{.name}} places of the message.
type Meta map[string]any

// A Time is an instant in Meta, in the zone of the people concerned: RFC 3339 for
// clients, and in messages as people write it.
type Time struct {
	time.Time
	Exact bool // people are told its seconds too, where they are not 0
}

// String returns the instant as clients get it.
func (t Time) String() string { return t.Format(time.RFC3339) }

// MarshalJSON implements json.Marshaler.
func (t Time) MarshalJSON() ([]byte, error) { return []byte(`"` + t.String() + `"`), nil }

// Reason is what is wrong with one member of a request.
type Reason string

// The reasons; catalogue.go gives the text of each.
const (
	Unspecified  Reason = ""              // the code's own detail
	Required     Reason = "required"      // missing, null or empty
	WrongType    Reason = "wrong_type"    // Meta: expected
	BadFormat    Reason = "bad_format"    // Meta: expected, part
	TooLong      Reason = "too_long"      // Meta: max
	OutOfRange   Reason = "out_of_range"  // Meta: min, max
	NotOneOf     Reason = "not_one_of"    // Meta: allowed, part
	Twice        Reason = "twice"         // a list has Meta: value more than once
	Needs        Reason = "needs"         // Meta: other, a member that must come with it, part
	Excludes     Reason = "excludes"      // Meta: other, a member that must not come with it, part
	WrongSecret  Reason = "wrong_secret"  // the old password does not match
	AlreadyTaken Reason = "already_taken" // another row has this value
	Unreadable   Reason = "unreadable"    // cannot be decoded; Meta of a file: line
	Moving       Reason = "moving"        // a picture of several frames
	Coding       Reason = "coding"        // a JPEG of arithmetic or another rare coding
	NotUTF8      Reason = "not_utf8"      // text of a file in another encoding; Meta: line
	EmptyFile    Reason = "empty_file"    // has nothing but blanks
	WebPage      Reason = "web_page"      // a page in place of the file that it links to
	NotPlain     Reason = "not_plain"     // has line breaks, or control characters, such as of direction
	Invisible    Reason = "invisible"     // has characters that show nothing
	TooMany      Reason = "too_many"      // more elements than Meta: max
	Unknown      Reason = "unknown"       // nothing has this name
	Ambiguous    Reason = "ambiguous"     // several have this name
	SameAs       Reason = "same_as"       // Meta: other, a member that it must differ from
	NotWithin    Reason = "not_within"    // Meta: other, members that bound it
	Crosses      Reason = "crosses"       // Meta: other, a member of which another element covers the same time

	UnknownColumn  Reason = "unknown_column"  // of a table, other than Meta: allowed
	RepeatedColumn Reason = "repeated_column" // of a table
	MissingColumn  Reason = "missing_column"  // a table has none of Meta: columns
	OutsideHeader  Reason = "outside_header"  // a cell of a table in a column that has no name
	OpenQuote      Reason = "open_quote"      // a cell of a table that begins in Meta: line is not closed
	QuoteWithin    Reason = "quote_within"    // a cell of a table has a quote and is not quoted; Meta: line
	CellError      Reason = "cell_error"      // a cell of a table shows Meta: value, such as #REF!
	NoValue        Reason = "no_value"        // a cell of a table has a formula that was not calculated

	WrongEnd    Reason = "wrong_end"    // of an event of a calendar: not 1 to Meta: max days after its start
	WrongLength Reason = "wrong_length" // of an event of a calendar: Meta: value, not 1 to Meta: max days
	TimedEvent  Reason = "timed_event"  // an event of a calendar at a time
	NoDates     Reason = "no_dates"     // a rule without a further date
	TooOften    Reason = "too_often"    // a rule of a calendar with more than Meta: max dates a year
	OwnEvent    Reason = "own_event"    // a date of a calendar that has to be an event of its own

	Alias         Reason = "alias"          // a file has an alias, an anchor or a tag of YAML
	UnknownMember Reason = "unknown_member" // of an object of a file, other than Meta: allowed
	SameName      Reason = "same_name"      // several rows of the company have the name, which a file needs as a key
)

// A Fault is what is wrong with one member of a request.
type Fault struct {
	Field  string // the member's name on the wire
	Code   Code
	Reason Reason
	Meta   Meta // fills the reason's message
}

// A Limit is the state of a rate limit, sent in the RateLimit headers.
type Limit struct {
	Limit, Remaining int
	Reset            time.Duration
}

// Error is a classified error.
type Error struct {
	Code       Code
	Meta       Meta
	Faults     []Fault
	RetryAfter time.Duration // zero: no Retry-After header
	Limit      *Limit        // nil: no RateLimit headers
	Err        error         // cause, logged and never shown
}

func (e *Error) Error() string {
	s := e.Code.String()
	for _, f := range e.Faults {
		s += " " + f.Field
		if f.Reason != "" {
			s += "(" + string(f.Reason) + ")"
		}
	}
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

func (e *Error) Unwrap() error { return e.Err }

// Wrap returns e with its cause.
func (e *Error) Wrap(cause error) *Error {
	e.Err = cause
	return e
}

// Step tells in an error what was being done, for the log: package and verb, as in "files: keep".
// An error with a code of its own, which clients are shown, stays as it is. It is deferred by what
// a package offers to others.
func Step(err *error, step string) {
	var coded *Error
	if *err != nil && !errors.As(*err, &coded) {
		*err = fmt.Errorf("%s: %w", step, *err)
	}
}

// New returns an error of a code with its facts. Conflicts makes those of CONFLICT.
func New(code Code, meta Meta) *Error { return &Error{Code: code, Meta: meta} }

// Limited returns RATE_LIMITED with its facts until wait is over, at least a second.
func Limited(wait time.Duration, meta Meta) *Error {
	wait = max(wait, time.Second)
	facts := Meta{"retryAfterSeconds": int((wait + time.Second - 1) / time.Second)}
	maps.Copy(facts, meta)
	return &Error{Code: RateLimited, Meta: facts, RetryAfter: wait}
}

// Field returns an error of a code that one member causes.
func Field(code Code, field string, meta Meta) *Error {
	return &Error{Code: code, Meta: meta, Faults: []Fault{{Field: field, Code: code, Meta: meta}}}
}

// Because returns a VALIDATION_FAILED error for one member.
func Because(field string, reason Reason, meta Meta) *Error {
	return &Error{Code: Invalid, Faults: []Fault{{Field: field, Code: Invalid, Reason: reason, Meta: meta}}}
}

// Faults collects what is wrong with the members of one request.
type Faults []Fault

// Add records a VALIDATION_FAILED fault of a member.
func (f *Faults) Add(field string, reason Reason, meta Meta) {
	*f = append(*f, Fault{Field: field, Code: Invalid, Reason: reason, Meta: meta})
}

// Err returns nil when no fault was recorded, else one error that lists them all: of
// their code where they have the same, else VALIDATION_FAILED. The facts of a code of
// one fault's own are those of the error.
func (f Faults) Err() error {
	if len(f) == 0 {
		return nil
	}
	code := f[0].Code
	if len(f) == 1 && code != Invalid {
		return &Error{Code: code, Meta: f[0].Meta, Faults: f}
	}
	if slices.ContainsFunc(f, func(other Fault) bool { return other.Code != code }) {
		code = Invalid
	}
	return &Error{Code: code, Faults: f}
}

// As returns the first Error in err's chain, or one of code Internal around err.
func As(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return &Error{Err: err}
}

// CodeOf returns the code of the first Error in err's chain, or Internal.
func CodeOf(err error) Code { return As(err).Code }

// Is reports whether err is classified as code. A nil error is of no code.
func Is(err error, code Code) bool { return err != nil && CodeOf(err) == code }
