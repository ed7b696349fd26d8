package errs

import (
	"maps"
	"strings"

	"github.com/nicksnyder/go-i18n/v2/i18n"
)

// Problem is the body of every error (RFC 9457), with members of our own. The
// members are always present; Errors is [] and Meta {} when empty.
type Problem struct {
	Type      string        `json:"type"`
	Code      string        `json:"code"`
	Title     string        `json:"title"`
	Status    int           `json:"status"`
	Detail    string        `json:"detail"`
	RequestID string        `json:"requestId"`
	Errors    []FaultDetail `json:"errors"`
	Meta      Meta          `json:"meta"`
}

// FaultDetail is a Fault as clients see it.
type FaultDetail struct {
	Field  string `json:"field"`
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

// ProblemOf localizes err in a language ("en" or "id"; anything else is English).
// Type and RequestID are left to the caller. The cause is never shown.
func ProblemOf(err error, lang string) *Problem {
	e := As(err)
	l := i18n.NewLocalizer(bundle(), lang)
	localize := func(id string, meta Meta) string {
		text, err := l.Localize(&i18n.LocalizeConfig{MessageID: id, TemplateData: written(meta, lang)})
		if err != nil {
			return ""
		}
		return text
	}
	code := e.Code.String()
	p := &Problem{
		Code: code, Status: e.Code.Status(), Meta: e.Meta, Errors: []FaultDetail{},
		Title: localize(code+".title", nil), Detail: localize(detailID(e.Code, e.Meta), e.facts()),
	}
	if p.Meta == nil {
		p.Meta = Meta{}
	}
	for _, f := range e.Faults {
		id := string(f.Reason)
		if f.Reason == Unspecified {
			id = detailID(f.Code, f.Meta)
		}
		p.Errors = append(p.Errors, FaultDetail{f.Field, f.Code.String(), localize(id, f.Meta)})
	}
	return p
}

// detailID returns the id of the detail of a code with facts: of a CONFLICT that of its reason.
func detailID(code Code, meta Meta) string {
	name, _ := meta[conflictFact].(string)
	if reason := ConflictReason(name); code == Conflict && conflicts[reason] != [2]string{} {
		return reason.textID()
	}
	return code.String() + ".detail"
}

// written returns meta with its times and lists as people write them.
func written(meta Meta, lang string) map[string]any {
	out := make(map[string]any, len(meta))
	for name, value := range meta {
		switch v := value.(type) {
		case Time:
			value = v.text(lang)
		case []string:
			value = strings.Join(v, ", ")
		}
		out[name] = value
	}
	return out
}

// months are the Indonesian abbreviations.
var months = [...]string{"Jan", "Feb", "Mar", "Apr", "Mei", "Jun", "Jul", "Agu", "Sep", "Okt", "Nov", "Des"}

// text returns the time with its day, as in 10 Mar 08:00 WIB, and of an exact one the seconds that are not 0.
func (t Time) text(lang string) string {
	clock := "15:04"
	if t.Exact && t.Second() != 0 {
		clock = "15:04:05"
	}
	if lang == "id" {
		return t.Format("2 ") + months[t.Month()-1] + t.Format(" "+strings.ReplaceAll(clock, ":", ".")+" MST")
	}
	return t.Format("2 Jan " + clock + " MST")
}

// facts returns the data of an error's detail: its meta, and what a
// fault of the same code adds to that.
func (e *Error) facts() Meta {
	if len(e.Faults) == 0 || e.Faults[0].Code != e.Code {
		return e.Meta
	}
	facts := maps.Clone(e.Faults[0].Meta)
	if facts == nil {
		return e.Meta
	}
	maps.Copy(facts, e.Meta)
	return facts
}
