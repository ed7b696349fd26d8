package server

import (
	"context"
	"net/http"

	"workforce/ent"
	"workforce/internal/authentication"
	"workforce/internal/executor"
	"workforce/internal/viewer"
	"workforce/internal/websession"
	"workforce/rest"
)

// sessions returns the endpoints of the web app's session. The operations that they call are no
// operator's to replace. Over HTTP on another machine they refuse all: a browser would keep no
// cookie there.
func (srv *Server) sessions(who *authentication.Authenticator, own origins) (*websession.Sessions, error) {
	api, err := rest.Load(Schema(), inputTypes(), websession.Operations())
	if err != nil {
		return nil, err
	}
	calls, auth := http.NewServeMux(), srv.Services.Auth
	return &websession.Sessions{
		Call:   calls,
		Own:    func(r *http.Request) bool { return own.areSecure() && own.sent(r) },
		Secure: own.areHTTPS(), UserLife: auth.Lifetimes.User,
		Encrypt: func(ctx context.Context, field, text string) (string, error) {
			keys, err := auth.Passwords.Keys.All(viewer.System(ent.NewContext(ctx, srv.Store.Ent)))
			if err != nil {
				return "", executor.Classify(ctx, srv.log, err)
			}
			return keys.Encrypt(field, text)
		},
	}, api.Register(calls, srv.execute(api, who, own))
}
