package pages

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"time"

	"workforce/internal/errs"
	"workforce/internal/request"
	"workforce/internal/shift"
)

// A Setup is what the page of the first start does. Both functions fail with CONFLICT
// where there is a company already, and with NOT_FOUND for a token that is not valid.
type Setup struct {
	Check  func(ctx context.Context, token string) error
	Create func(ctx context.Context, token string, f SetupForm) (code string, expires time.Time, err error)
	// Classify gives errors of the database their code.
	Classify func(ctx context.Context, err error) error
}

// A SetupForm is what the page asks for. The names of its fields in the form are those
// of the errors.
type SetupForm struct {
	CompanyName, Timezone, Locale string
	Name, Email, Phone, Password  string
}

// maxForm bounds the form, in bytes.
const maxForm = 64 << 10

// A setupPage is the data of the page.
type setupPage struct {
	Lang    string
	Text    setupText
	Token   string
	Fields  []setupField
	Message string // above the form; "" for none
	Code    string // of the first sign-in, once the company is created
	Expires string
}

// A setupField is one line of the form.
type setupField struct {
	Name, Label, Hint, Value, Type, Autocomplete string
	Options                                      []string // of a choice; nil for a line of text
	Required                                     bool
	Fault                                        string
}

// show answers GET /setup?token=…: the form, while the token is valid. It has no
// script, and nothing but its own POST uses the token up.
func (s Setup) show(w http.ResponseWriter, r *http.Request) {
	token := r.URL.Query().Get("token")
	if err := s.Check(r.Context(), token); err != nil {
		s.fail(w, r, err)
		return
	}
	lang := language(r)
	form := SetupForm{Timezone: "Asia/Jakarta", Locale: lang}
	s.write(w, http.StatusOK, setupPage{Lang: lang, Token: token, Fields: fields(form, lang, nil)})
}

// submit answers the form. The token in it authorizes the request; a page of another
// site does not know it.
func (s Setup) submit(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		code := errs.BadRequest
		if large := (*http.MaxBytesError)(nil); errors.As(err, &large) {
			code = errs.PayloadTooLarge
		}
		s.fail(w, r, &errs.Error{Code: code, Meta: errs.Meta{"limit": maxForm}, Err: err})
		return
	}
	f, token, lang := formOf(r), r.PostForm.Get("token"), language(r)
	code, expires, err := s.Create(r.Context(), token, f)
	if e := errs.As(err); err != nil && len(e.Faults) > 0 {
		problem := request.Problem(r.Context(), err)
		s.write(w, problem.Status, setupPage{
			Lang: lang, Token: token, Message: texts[lang].Faulty, Fields: fields(f, lang, problem.Errors),
		})
		return
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	s.write(w, http.StatusOK, setupPage{Lang: lang, Code: code, Expires: inZone(expires, f.Timezone)})
}

// formOf returns what was entered.
func formOf(r *http.Request) SetupForm {
	v := r.PostForm.Get
	return SetupForm{
		CompanyName: v("companyName"), Timezone: v("timezone"), Locale: v("locale"),
		Name: v("name"), Email: v("email"), Phone: v("phone"), Password: v("password"),
	}
}

// inZone writes a time of a time zone for people.
func inZone(t time.Time, zone string) string {
	if place, err := shift.Zone(zone); err == nil {
		t = t.In(place)
	}
	return t.Format("2006-01-02 15:04 MST")
}

// fail answers with a page that says why there is no form: 410 where there is a company
// already, and for a token that is not valid.
func (s Setup) fail(w http.ResponseWriter, r *http.Request, err error) {
	lang := language(r)
	switch {
	case errs.Is(err, errs.Conflict):
		s.write(w, http.StatusGone, setupPage{Lang: lang, Message: texts[lang].Over})
		return
	case errs.Is(err, errs.NotFound):
		s.write(w, http.StatusGone, setupPage{Lang: lang, Message: texts[lang].Gone})
		return
	}
	if known := (*errs.Error)(nil); !errors.As(err, &known) {
		err = s.Classify(r.Context(), err)
	}
	problem := request.Problem(r.Context(), err)
	request.ErrorHeaders(w.Header(), errs.As(err))
	s.write(w, problem.Status, setupPage{Lang: lang, Message: problem.Detail})
}

// write answers with the page, which nobody keeps: it shows the token or the code.
func (s Setup) write(w http.ResponseWriter, status int, page setupPage) {
	page.Text = texts[page.Lang]
	write(w, status, "setup.html", page, "'self'", "no-store")
}

// fields returns the lines of the form with what was entered, except for the password,
// and with their faults.
func fields(f SetupForm, lang string, faults []errs.FaultDetail) []setupField {
	t := texts[lang]
	all := []setupField{
		{Name: "companyName", Label: t.Company, Value: f.CompanyName, Autocomplete: "organization", Required: true},
		{Name: "timezone", Label: t.Timezone, Value: f.Timezone, Hint: t.TimezoneHint, Autocomplete: "off", Required: true},
		{Name: "locale", Label: t.Locale, Value: f.Locale, Options: []string{"id", "en"}, Autocomplete: "off"},
		{Name: "name", Label: t.Name, Value: f.Name, Autocomplete: "name", Required: true},
		{Name: "email", Label: t.Email, Value: f.Email, Type: "email", Autocomplete: "email", Required: true},
		{Name: "phone", Label: t.Phone, Value: f.Phone, Hint: t.PhoneHint, Type: "tel", Autocomplete: "tel"},
		{Name: "password", Label: t.Password, Hint: t.PasswordHint, Type: "password", Autocomplete: "new-password", Required: true},
	}
	for i := range all {
		all[i].Type = cmp.Or(all[i].Type, "text")
		for _, fault := range faults {
			if fault.Field == all[i].Name {
				all[i].Fault = fault.Detail
			}
		}
	}
	return all
}

// language returns the language that the request asks for, else English.
func language(r *http.Request) string {
	if lang := request.From(r.Context()).Language; lang == "id" {
		return lang
	}
	return "en"
}
