package cache

import (
	"crypto/rand"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"workforce/ent/user"
	"workforce/internal/server"
	"workforce/internal/testdb"
	"workforce/internal/token"
	"workforce/internal/viewer"
)

// accessToken signs a user in on a new device, by rows alone, and returns the text of
// an access token.
func accessToken(t testing.TB, s *server.Server, email string) string {
	t.Helper()
	ctx, db, now := viewer.System(t.Context()), s.Store.Ent, s.Services.Now()
	access, err := token.New(token.Access, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	device, err := token.New(token.Device, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	hash, ofDevice := access.Hash(), device.Hash()
	u := db.User.Query().Where(user.Email(email)).OnlyX(ctx)
	d := db.Device.Create().SetDeviceID(email).SetPlatform("android").SetTokenHash(ofDevice[:]).SetCreatedAt(now).SaveX(ctx)
	session := db.Session.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetDeviceID(d.ID).
		SetFamily(hash[:16]).SetCreatedAt(now).SetVerifiedAt(now).SaveX(ctx)
	db.Token.Create().SetCompanyID(u.CompanyID).SetSessionID(session.ID).SetKind("access").SetHash(hash[:]).
		SetGeneration(1).SetIssuedAt(now).SetExpiresAt(now.Add(time.Hour)).ExecX(ctx)
	return access.Text()
}

// BenchmarkTokenInfo asks what an access token stands for, which is next to
// nothing beside finding out who calls.
func BenchmarkTokenInfo(b *testing.B) {
	for name, database := range map[string]func(testing.TB) string{"sqlite": testdb.SQLite, "mysql": testdb.MySQL} {
		url := database(b)
		s := server.Config{Addr: "127.0.0.1:0", Database: url, Migrate: true, SecretKeyFile: b.TempDir() + "/key", Demo: true}
		srv, err := server.New(b.Context(), s, slog.New(slog.NewTextHandler(io.Discard, &slog.HandlerOptions{Level: slog.LevelError})))
		if err != nil {
			b.Fatal(err)
		}
		for _, who := range []string{"budi@demo.test", "siti@demo.test"} {
			access := accessToken(b, srv, who)
			b.Run(name+"/"+who, func(b *testing.B) {
				b.ReportAllocs()
				b.RunParallel(func(pb *testing.PB) {
					for pb.Next() {
						r := httptest.NewRequest("GET", "/user/token-info", nil)
						r.Header.Set("X-Access-Token", access)
						w := httptest.NewRecorder()
						if srv.Handler.ServeHTTP(w, r); w.Code != http.StatusOK {
							b.Fatalf("%d %s", w.Code, w.Body)
						}
					}
				})
			})
		}
		b.Cleanup(func() { _ = srv.Store.Close() })
	}
}
