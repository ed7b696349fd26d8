// Package websession keeps the session of the web app in cookies that no script can read: its
// endpoints below /app/session call the operations of the mobile apps with the tokens of the
// cookies, and hand out access tokens alone.
package websession

import (
	"context"
	"crypto/rand"
	"embed"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"strconv"
	"time"

	"workforce/internal/errs"
	"workforce/internal/request"
)

// Path is where the endpoints begin.
const Path = "/app/session/"

//go:embed operations
var documents embed.FS

// Operations returns the documents of the operations that the endpoints call.
func Operations() fs.FS {
	layer, err := fs.Sub(documents, "operations")
	if err != nil {
		panic(err) // only for a name that is not a valid path
	}
	return layer
}

// Sessions serves the endpoints.
type Sessions struct {
	// Call answers the operations, at their paths, for the tokens in the headers.
	Call http.Handler
	// Own reports whether the page that sent a request is the web app's own.
	Own func(*http.Request) bool
	// Encrypt encrypts a password for the operations that take one: what a page sends is the
	// password itself, whatever the apps send.
	Encrypt func(ctx context.Context, field, text string) (string, error)
	// Secure tells browsers to send the cookies over HTTPS alone.
	Secure bool
	// UserLife is how long a user token lives.
	UserLife time.Duration
}

// Register routes the endpoints on mux.
func (s *Sessions) Register(mux *http.ServeMux) {
	for name, answer := range map[string]func(*exchange) (any, error){
		"sign-in": (*exchange).signIn, "verify": (*exchange).verify, "resume": (*exchange).resume,
		"refresh": (*exchange).refresh, "sign-out": (*exchange).signOut, "forgot": (*exchange).forgot, "reset": (*exchange).reset,
		"recover": (*exchange).recover,
	} {
		mux.HandleFunc("POST "+Path+name, s.serve(answer))
		mux.HandleFunc("GET "+Path+name, notGet)
	}
	mux.HandleFunc("GET "+Path, notFound)
	mux.HandleFunc("POST "+Path, notFound)
}

// notGet answers GET of an endpoint, which would else get the page of the app.
func notGet(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Allow", "POST, OPTIONS")
	request.Fail(w, r, errs.New(errs.MethodNotAllowed, nil))
}

func notFound(w http.ResponseWriter, r *http.Request) {
	request.Fail(w, r, errs.New(errs.NotFound, nil))
}

// maxBody bounds a body, in bytes.
const maxBody = 16 << 10

// sent is what the bodies have, all texts.
type sent struct{ Username, Password, OTP, Token string }

// serve returns the handler of an endpoint: it judges the page that asks, reads the body, and
// writes the answer with the cookies. Nobody keeps an answer.
func (s *Sessions) serve(answer func(*exchange) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		x := &exchange{Sessions: s, w: w, r: r, tokens: s.cookies(r)}
		body, err := any(nil), x.receive()
		if err == nil {
			body, err = answer(x)
		}
		if failed := (*failure)(nil); errors.As(err, &failed) {
			failed.write(w)
			return
		}
		if err != nil {
			request.Fail(w, r, err)
			return
		}
		text, err := json.Marshal(body)
		if err != nil {
			panic(err) // not for texts, numbers and flags
		}
		h := w.Header()
		h.Set("Content-Type", "application/json")
		h.Set("Content-Length", strconv.Itoa(len(text)))
		h.Set("Cache-Control", "no-store")
		_, _ = w.Write(text) // the client may be gone
	}
}

// receive reads the body of a request of the app's own page.
func (x *exchange) receive() error {
	if !x.Own(x.r) {
		return errs.New(errs.Forbidden, nil)
	}
	if kind, _, err := mime.ParseMediaType(x.r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return errs.New(errs.UnsupportedMediaType, errs.Meta{"expected": "application/json"})
	}
	text, err := io.ReadAll(http.MaxBytesReader(x.w, x.r.Body, maxBody))
	if large := (*http.MaxBytesError)(nil); errors.As(err, &large) {
		return &errs.Error{Code: errs.PayloadTooLarge, Meta: errs.Meta{"limit": maxBody}, Err: err}
	}
	var object map[string]json.RawMessage
	if err != nil || json.Unmarshal(text, &object) != nil || object == nil {
		return &errs.Error{Code: errs.BadRequest, Err: err}
	}
	var faults errs.Faults
	members := map[string]*string{
		"username": &x.sent.Username, "password": &x.sent.Password, "otp": &x.sent.OTP, "token": &x.sent.Token,
	}
	for name, to := range members {
		if object[name] != nil && json.Unmarshal(object[name], to) != nil {
			faults.Add(name, errs.Unreadable, nil)
		}
	}
	return faults.Err()
}

// An exchange is one request and its answer.
type exchange struct {
	*Sessions
	w      http.ResponseWriter
	r      *http.Request
	sent   sent
	tokens tokens // of the cookies, and what replaces them
}

// signedIn is the answer of a request that has a session now.
type signedIn struct {
	State       string `json:"state"`
	UserID      string `json:"userId,omitempty"`
	AccessToken string `json:"accessToken,omitempty"`
	ExpiresIn   int    `json:"expiresIn,omitempty"`
}

// codeSent is the answer of a request that a code was sent for.
type codeSent struct {
	State       string `json:"state,omitempty"`
	Channel     string `json:"channel"`
	Destination string `json:"destination"`
	ExpiresIn   int    `json:"expiresIn"`
}

// pair is what the operations give that give tokens.
type pair struct {
	AccessToken, RefreshToken   string
	ExpiresIn, RefreshExpiresIn int
	UserID                      string
}

// signIn begins a session: it registers the browser where it has no valid token, and ends the
// session that the browser had.
func (x *exchange) signIn() (any, error) {
	secret, err := x.encrypted()
	if err != nil {
		return nil, err
	}
	body := map[string]string{"username": x.sent.Username, "password": secret}
	var login struct {
		UserToken    string
		Verified     bool
		Verification codeSent
	}
	if err := x.onDevice("/sign-in", body, &login); err != nil {
		return nil, err
	}
	if err := x.end(); err != nil {
		return nil, err
	}
	x.set(user, login.UserToken, x.UserLife)
	if !login.Verified {
		login.Verification.State = "code"
		return login.Verification, nil
	}
	return x.resume()
}

// verify proves by a code that the browser is the person's.
func (x *exchange) verify() (any, error) {
	var verified struct{ Verified bool }
	err := x.call("/verify", map[string]string{"otp": x.sent.OTP}, &verified)
	if awaitsApproval(err) {
		return signedIn{State: "approval"}, nil
	}
	if err != nil {
		return nil, err
	}
	return x.resume()
}

// resume gives the tokens of the sign-in that the browser began, once it is verified and
// approved.
func (x *exchange) resume() (any, error) {
	var p pair
	err := x.call("/pair", nil, &p)
	if awaitsApproval(err) {
		return signedIn{State: "approval"}, nil
	}
	return x.keep(p), err
}

// refresh gives the next tokens. What it refuses costs no cookie: another tab may have a newer
// one already.
func (x *exchange) refresh() (any, error) {
	if x.tokens[refresh] == "" || x.tokens[device] == "" {
		return nil, errs.New(errs.Unauthenticated, errs.Meta{"token": "refresh", "reason": "missing"})
	}
	var p pair
	err := x.call("/refresh", nil, &p)
	return x.keep(p), err
}

// keep puts the refresh token of a pair into its cookie and returns the answer with the rest.
func (x *exchange) keep(p pair) signedIn {
	if p.RefreshToken != "" {
		x.set(refresh, p.RefreshToken, time.Duration(p.RefreshExpiresIn)*time.Second)
	}
	return signedIn{"signed_in", p.UserID, p.AccessToken, p.ExpiresIn}
}

// signOut ends the session of the browser, which stays registered.
func (x *exchange) signOut() (any, error) {
	if err := x.end(); err != nil {
		return nil, err
	}
	x.clear(user)
	return map[string]bool{"signedOut": true}, nil
}

// end ends the session that the browser has, if it has one.
func (x *exchange) end() error {
	if x.tokens[refresh] == "" {
		return nil
	}
	var ended struct{ LoggedOut bool }
	if err := x.call("/sign-out", nil, &ended); err != nil && !isUnauthenticated(err) {
		return err
	}
	x.clear(refresh)
	return nil
}

// forgot sends a code for a new password.
func (x *exchange) forgot() (any, error) {
	var asked struct {
		ID string
		codeSent
	}
	if err := x.onDevice("/forgot", map[string]string{"username": x.sent.Username}, &asked); err != nil {
		return nil, err
	}
	x.set(reset, asked.ID, time.Duration(asked.ExpiresIn)*time.Second)
	return asked.codeSent, nil
}

// reset sets the new password. It ends all sessions of the person.
func (x *exchange) reset() (any, error) {
	if x.tokens[reset] == "" {
		return nil, errs.Field(errs.OTPExpired, "otp", nil)
	}
	secret, err := x.encrypted()
	if err != nil {
		return nil, err
	}
	var profile struct{ Name string }
	err = x.call("/reset", map[string]string{"id": x.tokens[reset], "otp": x.sent.OTP, "password": secret}, &profile)
	if err != nil {
		return nil, err
	}
	x.clear(reset)
	return map[string]bool{"reset": true}, nil
}

// recover sets the new password by the link of an operator, and ends the session that the browser
// has: the person's sessions end anyway.
func (x *exchange) recover() (any, error) {
	secret, err := x.encrypted()
	if err != nil {
		return nil, err
	}
	var done struct{ Recovered bool }
	if err := x.onDevice("/recover", map[string]string{"token": x.sent.Token, "password": secret}, &done); err != nil {
		return nil, err
	}
	return map[string]bool{"recovered": true}, x.end()
}

// encrypted returns the password that was sent as the operations take it.
func (x *exchange) encrypted() (string, error) {
	if x.sent.Password == "" {
		return "", nil // the operation says that it is required
	}
	return x.Encrypt(x.r.Context(), "password", x.sent.Password)
}

// onDevice calls an operation that needs the token of a device. A browser without a valid one
// is registered first.
func (x *exchange) onDevice(path string, body, to any) error {
	if x.tokens[device] != "" {
		err := x.call(path, body, to)
		if failed := (*failure)(nil); !errors.As(err, &failed) || failed.problem.Meta.Token != "device" {
			return err
		}
	}
	delete(x.tokens, device)
	var d struct{ DeviceToken string }
	browser := map[string]string{"deviceId": rand.Text(), "model": browserOf(x.r.UserAgent())}
	if err := x.call("/register", browser, &d); err != nil {
		return err
	}
	x.set(device, d.DeviceToken, deviceLife)
	return x.call(path, body, to)
}
