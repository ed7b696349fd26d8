package faults

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"database/sql"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"net/textproto"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"workforce/internal/apitest"
	"workforce/internal/database"
	"workforce/internal/scenario/harness"
	"workforce/internal/server"
	"workforce/internal/testdb"
)

// TestBadDays has an installation go through the days that operators fear. After each, nothing that
// was acknowledged is lost or doubled, but for what the day itself takes.
func TestBadDays(t *testing.T) {
	if *long == 0 {
		t.Skip("for make faults, since each day takes servers of its own")
	}
	binary := harness.Build(t)
	for name, day := range map[string]func(*testing.T, string){
		"the disk is full": fullDay, "the key file is lost": keylessDay, "last night is restored": restoredDay,
		"an upgrade's migration fails": upgradeDay, "the database's certificate has expired": expiredDay,
		"the mail server's certificate has expired": unmailedDay,
	} {
		t.Run(name, func(t *testing.T) { day(t, binary) })
	}
	t.Run("the database is gone for an hour", goneDay)
	t.Run("the clock goes back by two hours", clockDay)
}

// during runs a day under load, and compares all that was acknowledged with the rows.
func (w *world) during(t *testing.T, url string, day func(l *load)) {
	t.Helper()
	w.startAll(t)
	l := w.load(t)
	l.settle = 0
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	l.start(ctx)
	l.more(t, 50)
	day(l)
	l.more(t, 50)
	stop()
	l.running.Wait()
	l.check(t, url)
}

// execute runs statements on a database beside its servers.
func execute(t *testing.T, url string, statements ...string) {
	t.Helper()
	db, err := database.Open(url, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, statement := range statements {
		if _, err := db.Writer.Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

// fullDay fills the disk of a SQLite file, and makes room again.
func fullDay(t *testing.T, binary string) {
	disk := smallDisk(t, "96m")
	source := "sqlite:" + disk + "/workforce.db"
	w := newWorld(t, binary, source)
	w.during(t, source, func(l *load) {
		filler, err := os.Create(filepath.Join(disk, "filler"))
		if err != nil {
			t.Fatal(err)
		}
		block := make([]byte, 64<<10)
		for err == nil {
			_, err = filler.Write(block)
		}
		w.servers[0].await(t, 503)
		if err := errors.Join(filler.Close(), os.Remove(filler.Name())); err != nil {
			t.Fatal(err)
		}
		w.servers[0].await(t, 200)
	})
}

// keylessDay loses the file of the secret key. The server says what is lost without it and does not
// start; all else can be exported; with the copy everything is as before.
func keylessDay(t *testing.T, binary string) {
	testdb.Each(t, func(t *testing.T, source string) {
		w := newWorld(t, binary, source)
		w.during(t, source, func(l *load) {
			w.servers[0].kill()
			away := w.keyFile() + ".copy"
			if err := os.Rename(w.keyFile(), away); err != nil {
				t.Fatal(err)
			}
			w.servers[0].start(t)
			<-w.servers[0].ended
			log := w.servers[0].log.String()
			for _, want := range []string{"put its copy in place", "faces", "queued messages", "password keys"} {
				if !strings.Contains(tail(log), want) {
					t.Errorf("it does not say %q: %s", want, tail(log))
				}
			}
			if _, err := os.Stat(w.keyFile()); err == nil {
				t.Error("it made another key")
			}
			w.must(t, "export", "company", "--company=1", "--database="+source, "--files=file:data/files",
				"--output=company.zip")
			if err := os.Rename(away, w.keyFile()); err != nil {
				t.Fatal(err)
			}
			w.servers[0].start(t)
			w.servers[0].await(t, 200)
		})
	})
}

// restoredDay restores last night's backup. A phone that sends again what it had sent before does it
// once; what was done later is gone, and can be done anew.
func restoredDay(t *testing.T, binary string) {
	testdb.Each(t, func(t *testing.T, source string) {
		w := newWorld(t, binary, source)
		w.startAll(t)
		admin := newPerson("admin@demo.test")
		w.signIn(t, admin, "admin")
		role := func(key string) answer {
			return admin.ask(w.servers[0].url(), "POST", "/graphql",
				`{"query":"mutation{createRole(input:{name:\"`+key+`\",permissions:[]}){name}}"}`,
				map[string]string{"Idempotency-Key": key})
		}
		want := func(about string, a answer, name string) {
			t.Helper()
			if !a.acknowledged() || !strings.Contains(a.body, `{"data":{"createRole":{"name":"`+name+`"}}}`) {
				t.Errorf("%s: %v", about, a)
			}
		}
		want("in the evening", role("evening"), "evening")
		w.must(t, "backup", "--database="+source, "--files=file:data/files", "--secret-key-file="+w.keyFile(),
			"--output=night")
		want("in the morning", role("morning"), "morning")
		w.servers[0].kill()
		target := empty(t, source)
		w.must(t, "restore", "night", "--database="+target, "--files=file:moved", "--secret-key-file="+w.keyFile())
		w.servers[0].database, w.flags = target, []string{"--files=file:moved"}
		w.startAll(t)
		if a := role("evening"); !strings.Contains(a.body, "UNAUTHENTICATED") {
			t.Errorf("a session of before: %v", a)
		}
		admin.token = ""
		w.signIn(t, admin, "admin again")
		want("in the evening, again", role("evening"), "evening")
		want("in the morning, again", role("morning"), "morning")
		for _, name := range []string{"evening", "morning"} {
			if n := count(t, target, "SELECT COUNT(*) FROM roles WHERE name = '"+name+"'"); n != 1 {
				t.Errorf("%d roles of the %s", n, name)
			}
		}
	})
}

func count(t *testing.T, url, query string) (n int) {
	t.Helper()
	db, err := database.Open(url, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Reader.QueryRow(query).Scan(&n); err != nil && !errors.Is(err, sql.ErrNoRows) {
		t.Fatal(err)
	}
	return n
}

// upgradeDay has the newest migration fail. The server says why, and changes nothing; once the cause is
// gone it migrates.
func upgradeDay(t *testing.T, binary string) {
	testdb.Each(t, func(t *testing.T, source string) {
		w := newWorld(t, binary, source)
		w.during(t, source, func(l *load) {
			w.servers[0].kill()
			execute(t, source, "DELETE FROM goose_db_version WHERE version_id = 46", "DROP TABLE instances",
				"CREATE TABLE instances (theirs INT)", "INSERT INTO instances VALUES (7)")
			w.servers[0].start(t)
			<-w.servers[0].ended
			log := w.servers[0].log.String()
			if !strings.Contains(tail(log), "exist already: instances") ||
				!strings.Contains(tail(log), "Nothing was changed") {
				t.Errorf("log: %s", tail(log))
			}
			if n := count(t, source, "SELECT theirs FROM instances"); n != 7 {
				t.Errorf("the table has %d", n)
			}
			execute(t, source, "DROP TABLE instances")
			w.servers[0].start(t)
			w.servers[0].await(t, 200)
		})
	})
}

// expiredDay has the certificate of the database expire, and renews it.
func expiredDay(t *testing.T, binary string) {
	folder := t.TempDir()
	authority := newAuthority(t, folder)
	authority.issue(t, time.Hour)
	db := testdb.Start(t, "--ssl-cert="+folder+"/cert.pem", "--ssl-key="+folder+"/key.pem")
	plain := db.Database(t)
	w := newWorld(t, binary, plain+"?tls=true")
	w.env = []string{"SSL_CERT_FILE=" + folder + "/ca.pem"}
	w.during(t, plain, func(l *load) {
		db.Stop(t)
		authority.issue(t, -time.Minute)
		db.Start(t)
		w.servers[0].await(t, 503)
		w.servers[0].says(t, "expired")
		db.Stop(t)
		authority.issue(t, time.Hour)
		db.Start(t)
		w.servers[0].await(t, 200)
	})
}

// unmailedDay has the certificate of the mail server expire, and renews it. Nobody but who waits for a
// message notices, and the message goes out once.
func unmailedDay(t *testing.T, binary string) {
	testdb.Each(t, func(t *testing.T, source string) {
		folder := t.TempDir()
		authority := newAuthority(t, folder)
		authority.issue(t, -time.Minute)
		mail := newMailServer(t, folder)
		w := newWorld(t, binary, source)
		w.startAll(t)
		admin := newPerson("admin@demo.test")
		w.signIn(t, admin, "admin") // while codes go to the log
		l := w.load(t)
		l.settle = 0
		w.servers[0].kill()
		w.env = []string{"SSL_CERT_FILE=" + folder + "/ca.pem"}
		w.flags = []string{"--smtp-url=smtps://" + mail.addr, "--mail-from=Workforce <no-reply@wf.test>"}
		w.startAll(t)
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		l.start(ctx)
		const invited = 5
		for i := range invited {
			a := admin.ask(w.servers[0].url(), "POST", "/graphql", apitest.Query(fmt.Sprintf(
				`mutation{createUser(input:{name:"New",email:"new%d@demo.test"}){name}}`, i), nil), nil)
			if !a.acknowledged() || strings.Contains(a.body, "errors") {
				t.Fatal(a)
			}
		}
		w.servers[0].says(t, "message not taken", "certificate has expired")
		l.more(t, 50)
		if got := mail.taken(); len(got) > 0 {
			t.Errorf("mails under an expired certificate: %q", got)
		}
		authority.issue(t, time.Hour)
		for deadline := time.Now().Add(5 * time.Minute); len(mail.taken()) < invited; time.Sleep(100 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("mails to %q", mail.taken())
			}
		}
		l.more(t, 50)
		stop()
		l.running.Wait()
		l.check(t, source)
		got := mail.taken()
		slices.Sort(got)
		if len(got) != invited || len(slices.Compact(got)) != invited {
			t.Errorf("mails to %q", got)
		}
	})
}

// says waits until the log has a line with all of some words.
func (p *process) says(t *testing.T, words ...string) {
	t.Helper()
	for deadline := time.Now().Add(limit); ; time.Sleep(50 * time.Millisecond) {
		for line := range strings.Lines(p.log.String()) {
			if !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(line, word) }) {
				return
			}
		}
		if time.Now().After(deadline) {
			t.Fatalf("no line of the log has %q: %s", words, tail(p.log.String()))
		}
	}
}

// A mailServer takes mail over TLS, under the certificate that its folder has at the time.
type mailServer struct {
	addr string
	mu   sync.Mutex
	to   []string // of each mail
}

func newMailServer(t *testing.T, folder string) *mailServer {
	t.Helper()
	l, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
			pair, err := tls.LoadX509KeyPair(folder+"/cert.pem", folder+"/key.pem")
			return &pair, err
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	s := &mailServer{addr: l.Addr().String()}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			all.Go(func() { s.serve(textproto.NewConn(conn)) })
		}
	})
	t.Cleanup(func() { _ = l.Close(); all.Wait() })
	return s
}

// serve takes the mail of one connection.
func (s *mailServer) serve(c *textproto.Conn) {
	defer c.Close()
	if c.PrintfLine("220 mail.test ESMTP") != nil {
		return
	}
	var to string
	for {
		line, err := c.ReadLine()
		if err != nil {
			return
		}
		answer := "250 ok"
		switch verb, rest, _ := strings.Cut(line, " "); strings.ToUpper(verb) {
		case "RCPT":
			to = rest
		case "DATA":
			_ = c.PrintfLine("354 go on")
			if _, err := c.ReadDotBytes(); err != nil {
				return
			}
			s.mu.Lock()
			s.to = append(s.to, to)
			s.mu.Unlock()
		case "QUIT":
			_ = c.PrintfLine("221 bye")
			return
		}
		_ = c.PrintfLine("%s", answer)
	}
}

// taken lists to whom mails were.
func (s *mailServer) taken() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.to)
}

// An authority issues certificates for 127.0.0.1, as files of a folder.
type authority struct {
	folder string
	cert   *x509.Certificate
	key    *ecdsa.PrivateKey
}

func newAuthority(t *testing.T, folder string) *authority {
	t.Helper()
	a := &authority{folder: folder}
	a.cert = &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "authority"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-48 * time.Hour), NotAfter: time.Now().Add(48 * time.Hour), KeyUsage: x509.KeyUsageCertSign,
	}
	a.key = newKey(t)
	a.write(t, "ca.pem", a.cert, a.key)
	return a
}

func newKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// issue writes a certificate that ends so long from now, and its key.
func (a *authority) issue(t *testing.T, life time.Duration) {
	t.Helper()
	key := newKey(t)
	a.write(t, "cert.pem", &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: "127.0.0.1"},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore:   time.Now().Add(-24 * time.Hour), NotAfter: time.Now().Add(life), KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}, key)
	raw, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw})
	if err := os.WriteFile(filepath.Join(a.folder, "key.pem"), text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// write signs a certificate and writes it.
func (a *authority) write(t *testing.T, name string, cert *x509.Certificate, key *ecdsa.PrivateKey) {
	t.Helper()
	raw, err := x509.CreateCertificate(rand.Reader, cert, a.cert, &key.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw})
	if err := os.WriteFile(filepath.Join(a.folder, name), text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// goneDay takes the database away for an hour. Requests are 503 meanwhile; then phones renew their tokens
// and go on.
func goneDay(t *testing.T) {
	db := testdb.Start(t)
	s := harness.New(t, db.Database(t), func(c *server.Config) { c.AccessLife = 2 * time.Hour })
	s.SignIn(t, "budi", "budi@demo.test")
	s.SaveSites(t, "budi")
	s.SaveShift(t, "budi")
	db.Stop(t)
	away := func() {
		t.Helper()
		resp, text := s.Send(t, "GET", "/user/profile", "", s.HeaderOf("budi"))
		if resp.StatusCode != 503 || resp.Header.Get("Retry-After") == "" {
			t.Errorf("without a database: %d %s", resp.StatusCode, text)
		}
	}
	away()
	s.Clock.Advance(time.Hour)
	away()
	db.Start(t)
	for deadline := time.Now().Add(limit); ; time.Sleep(50 * time.Millisecond) {
		if resp, _ := s.Send(t, "GET", "/readyz", "", nil); resp.StatusCode == 200 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the server does not find its database again")
		}
	}
	s.Must(t, []apitest.Scenario{
		{
			Name: "budi goes on", Path: "/authorize/refresh-token", Header: harness.Head("x-Refresh-Token", "{{budi.refresh}}"),
			Want: `"<any>"`, Save: map[string]string{"budi.access": "/accessToken"},
		},
		harness.ClockIn("budi"),
	})
	s.SignIn(t, "admin", "admin@demo.test") // by a message
}

// clockDay sets the clock back by two hours and right again. Nobody is refused for it, and no time that
// was recorded moves.
func clockDay(t *testing.T) {
	harness.Each(t, func(t *testing.T, s *harness.Server) {
		s.SignIn(t, "budi", "budi@demo.test")
		s.SignIn(t, "admin", "admin@demo.test")
		s.SaveSites(t, "budi")
		s.SaveShift(t, "budi")
		s.Must(t, []apitest.Scenario{harness.ClockIn("budi")})
		began := s.Attendances(t, "budi@demo.test")[0].ClockedInAt
		s.Clock.Advance(-2 * time.Hour)
		for _, who := range []string{"budi", "admin"} {
			if resp, text := s.Send(t, "GET", "/user/profile", "", s.HeaderOf(who)); resp.StatusCode != 200 {
				t.Errorf("%s: %d %s", who, resp.StatusCode, text)
			}
		}
		s.SignIn(t, "agus", "agus@demo.test")
		s.Says(t, "admin", `mutation{createRole(input:{name:"earlier",permissions:[]}){name}}`,
			`{"createRole":{"name":"earlier"}}`)
		s.Clock.Advance(2*time.Hour + 10*time.Minute)
		s.Must(t, []apitest.Scenario{harness.ClockOut("budi")})
		all := s.Attendances(t, "budi@demo.test")
		if len(all) != 1 || !all[0].ClockedInAt.Equal(began) || all[0].ClockedOutAt == nil ||
			all[0].ClockedOutAt.Sub(began) != 10*time.Minute {
			t.Errorf("attendances %v", all)
		}
		for _, word := range []string{"panic", "operation failed"} {
			if strings.Contains(s.Log.Lines(), word) {
				t.Errorf("log: %s", tail(s.Log.Lines()))
			}
		}
	})
}
