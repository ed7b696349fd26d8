package deploy

import (
	"crypto/tls"
	"encoding/base64"
	"net"
	"net/http"
	"net/textproto"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"filippo.io/age"
	"github.com/goccy/go-yaml"

	"workforce/internal/certificate/certtest"
	"workforce/internal/scenario/harness"
	"workforce/internal/testdb"
)

// chapter returns the shell lines of a chapter of the manual.
func chapter(t *testing.T, title string) (blocks []string) {
	t.Helper()
	text, err := os.ReadFile("../../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), "\n## "+title+"\n")
	if !found {
		t.Fatalf("there is no chapter %s", title)
	}
	rest, _, _ = strings.Cut(rest, "\n## ")
	for _, m := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(rest, -1) {
		blocks = append(blocks, m[1])
	}
	return blocks
}

// password is that of the mail server, with what means something in a URL, in YAML and in a shell.
const password = `p+/=%41'"$ö @:#`

// stubs stand for what the test must not change on the machine: packages, users and services. The service
// is started as its unit says, the shell of the test being its user. apt-get reads what it is given, as the real
// one does.
const stubs = `
apt-get() { cat >/dev/null; }
useradd() { :; }
chown() { :; }
runuser() { shift 3; "$@" </dev/null; }
timedatectl() { :; }
journalctl() { tail "$STUBS/log"; }
scp() { cp -r "${2#*:}" "$3"; }
install() {
	local args=()
	while [ $# -gt 0 ]; do
		case $1 in -o | -g) shift 2 ;; *) args+=("$1"); shift ;; esac
	done
	command install "${args[@]}"
}
amtool() { test -s "$2"; }
age-keygen() { if [ "$1" = -o ]; then cp "$STUBS/identity" "$2"; else cat "$STUBS/recipient"; fi; }
mariadb() { command mariadb --defaults-file="$STUBS/my.cnf"; }
systemctl() {
	case "$*" in
	"stop workforce")
		kill "$(cat "$STUBS/pid")"
		wait "$(cat "$STUBS/pid")"
		rm "$STUBS/pid"
		;;
	"restart workforce")
		if [ -e "$STUBS/pid" ]; then systemctl stop workforce; fi
		export SSL_CERT_FILE=$STUBS/cert.pem
		$(sed -n 's/^ExecStart=//p' /etc/systemd/system/workforce.service) >"$STUBS/log" 2>&1 &
		echo $! >"$STUBS/pid"
		for i in $(seq 600); do grep -q '"msg":"serving"' "$STUBS/log" && return; sleep 0.1; done
		return 1
		;;
	esac
}
`

// TestManual pastes the lines by which a stranger comes from an empty machine to a company of their own, to a new
// version, and to the same company on another machine. Ports are others, and the certificate is of files.
func TestManual(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("SKIPPED: needs root, for folders of the system of its own")
	}
	if !installed(t, "promtool", "promtool") || !installed(t, "mariadb", "mariadb") {
		return
	}
	dir, work := t.TempDir(), t.TempDir()
	database := testdb.Start(t)
	at, err := url.Parse(database.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	certtest.Files(t, dir, now.Add(-time.Hour), now.Add(time.Hour), "api.contoh.id", "127.0.0.1")
	mail := newMailServer(t, dir)
	identity, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"identity": identity.String() + "\n", "recipient": identity.Recipient().String() + "\n", "stubs": stubs,
		"my.cnf": "[client]\nuser=root\nsocket=" + database.Socket() + "\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	output(t, "cp", harness.Build(t), work+"/workforce")
	output(t, "cp", "-r", folder, work+"/deploy")

	https, plain, admin := harness.FreeAddr(t), harness.FreeAddr(t), harness.FreeAddr(t)
	blocks := append(chapter(t, "From an empty machine"), chapter(t, "A new version, a new machine")...)
	blocks[0] = "DOMAIN=api.contoh.id OWNER=sri@contoh.id MAIL_HOST=127.0.0.1 MAIL_FROM=no-reply@contoh.id MAIL_USER=ops@contoh.id\n" +
		"MAIL_PASSWORD='" + strings.ReplaceAll(password, "'", `'\''`) + "'\n"
	block := func(line string) string {
		i := slices.IndexFunc(blocks, func(block string) bool { return strings.Contains(block, line) })
		if i < 0 {
			t.Fatalf("no block has %q", line)
		}
		return blocks[i]
	}
	moved := block("workforce restore")
	there := slices.DeleteFunc(slices.Clone(blocks), func(block string) bool { return block == moved })
	settings, start := block("workforce.yaml"), slices.Index(there, block("enable workforce"))
	// Pasted again, without the identity that was taken away, the blocks up to the start change nothing.
	there = slices.Concat(there[:start+1], []string{"mv backup-identity.txt elsewhere\n"}, there[1:start+1],
		[]string{"mv elsewhere backup-identity.txt\n"}, there[start+1:])
	text := strings.NewReplacer(
		"addr: :443", "addr: "+https, "http-addr: :80", "http-addr: "+plain, "127.0.0.1:9464", admin, ":3306/", ":"+at.Port()+"/",
		":465\nmail-from", mail.port()+"\nmail-from",
		"tls-domain: $DOMAIN", "tls-cert: "+dir+"/cert.pem\ntls-key: "+dir+"/key.pem",
	).Replace(strings.Join(there, "\n"))
	script := `set -euo pipefail
export STUBS=$1
for folder in /etc/default /etc/profile.d /etc/systemd/system /etc/prometheus /etc/workforce /var/lib/workforce /usr/local/bin; do
	made=$STUBS/root$folder
	mkdir -p "$made" "$folder"
	if [ "$folder" = /usr/local/bin ]; then cp -a /usr/local/bin/. "$made"; fi
	mount --bind "$made" "$folder"
done
. "$STUBS/stubs"
cd "$2"
(set +u; PASSWORD=; eval "$SETTINGS") || :
test ! -e /etc/workforce/workforce.yaml
` + text + `
systemctl stop workforce
cp /var/lib/workforce/secret.key .
cp /var/lib/workforce/backups/before-*.age last.tar.zst.age
rm -rf "$STUBS/root/var/lib/workforce/"*
mariadb <<<'DROP DATABASE workforce; CREATE DATABASE workforce;'
` + moved + block("enable workforce") + `
runuser -u workforce -- workforce user list --json
echo PASTED
while [ ! -e "$STUBS/done" ]; do sleep 0.1; done
kill "$(cat "$STUBS/pid")"; wait
`
	cmd := exec.CommandContext(t.Context(), "unshare", "--mount", "bash", "-s", "--", dir, work)
	cmd.Stdin, cmd.Env = strings.NewReader(script), append(os.Environ(), "SETTINGS="+settings) // as a terminal gives it
	log := &harness.Buffer{}
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	finish := sync.OnceFunc(func() { _ = os.WriteFile(dir+"/done", nil, 0o600) })
	t.Cleanup(finish)

	for deadline := time.Now().Add(2 * time.Minute); !strings.Contains(log.String(), "PASTED"); time.Sleep(50 * time.Millisecond) {
		select {
		case err := <-ended:
			t.Fatalf("%v\n%s\n%s", err, log.String(), logOf(dir))
		default:
		}
		if time.Now().After(deadline) {
			t.Fatalf("it does not end\n%s\n%s", log.String(), logOf(dir))
		}
	}
	for want, times := range map[string]int{
		"/setup?token=": 1, "All sums are right.": 2, "Restored what there was": 1, `"email": "sri@contoh.id"`: 1,
	} {
		if n := strings.Count(log.String(), want); n != times {
			t.Errorf("%d times %q, want %d, in\n%s", n, want, times, log.String())
		}
	}
	for _, bad := range []string{"BAD:", "failure  ", "no certificate"} {
		if strings.Contains(log.String(), bad) {
			t.Errorf("%q in\n%s", bad, log.String())
		}
	}
	signsIn(t, dir)
	forgot(t, dir, https, mail)
	if got, want := mail.signedIn(), "\x00ops@contoh.id\x00"+password; got != want {
		t.Errorf("signed in as %q, want %q", got, want)
	}
	finish()
	if err := <-ended; err != nil {
		t.Errorf("%v\n%s", err, log.String())
	}
}

// signsIn has the alarms sign in at the mail server by the same password.
func signsIn(t *testing.T, dir string) {
	t.Helper()
	text, err := os.ReadFile(dir + "/root/etc/prometheus/alertmanager.yml")
	if err != nil {
		t.Fatal(err)
	}
	var settings struct {
		Global struct {
			Password string `yaml:"smtp_auth_password"`
		}
	}
	if err := yaml.Unmarshal(text, &settings); err != nil || settings.Global.Password != password {
		t.Errorf("the alarms sign in with %q, %v", settings.Global.Password, err)
	}
}

func logOf(dir string) string {
	text, _ := os.ReadFile(dir + "/log")
	return string(text)
}

// forgot has the owner ask for a new password, over HTTPS, which comes by mail.
func forgot(t *testing.T, dir, addr string, mail *mailServer) {
	t.Helper()
	client := &http.Client{Timeout: limit, Transport: &http.Transport{TLSClientConfig: &tls.Config{
		RootCAs: certtest.Pool(t, dir+"/cert.pem"), ServerName: "api.contoh.id",
	}}}
	post := func(path, body string, header http.Header) string {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://"+addr+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header = header
		req.Header.Set("Content-Type", "application/json")
		resp, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		text := &strings.Builder{}
		if err := resp.Write(text); err != nil || resp.StatusCode != http.StatusOK {
			t.Fatalf("%s: %v %s", path, err, text)
		}
		return text.String()
	}
	token := regexp.MustCompile(`"deviceToken":"([^"]+)"`).FindStringSubmatch(
		post("/device/register", `{"deviceId":"one","platform":"web"}`, http.Header{}))
	if token == nil {
		t.Fatal("no token")
	}
	post("/user/forgot-password", `{"username":"sri@contoh.id"}`, http.Header{"X-Device-Token": {token[1]}})
	for deadline := time.Now().Add(limit); !strings.Contains(mail.taken(), "sri@contoh.id"); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("no mail: %q\n%s", mail.taken(), logOf(dir))
		}
	}
}

// A mailServer takes mail over TLS, from whoever signs in.
type mailServer struct {
	listener net.Listener
	mu       sync.Mutex
	to       []string
	auth     string // who signed in last
}

func newMailServer(t *testing.T, dir string) *mailServer {
	t.Helper()
	pair, err := tls.LoadX509KeyPair(dir+"/cert.pem", dir+"/key.pem")
	if err != nil {
		t.Fatal(err)
	}
	l, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{pair}})
	if err != nil {
		t.Fatal(err)
	}
	s := &mailServer{listener: l}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go s.serve(textproto.NewConn(conn))
		}
	}()
	t.Cleanup(func() { _ = l.Close() })
	return s
}

func (s *mailServer) port() string {
	_, port, _ := net.SplitHostPort(s.listener.Addr().String())
	return ":" + port
}

func (s *mailServer) signedIn() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.auth
}

func (s *mailServer) taken() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.to, " ")
}

// serve takes the mail of one connection.
func (s *mailServer) serve(c *textproto.Conn) {
	defer c.Close()
	_ = c.PrintfLine("220 mail.test ESMTP")
	for {
		line, err := c.ReadLine()
		if err != nil {
			return
		}
		answer := "250 ok"
		switch verb, rest, _ := strings.Cut(line, " "); strings.ToUpper(verb) {
		case "EHLO":
			answer = "250-mail.test\r\n250 AUTH PLAIN"
		case "AUTH":
			who, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(rest, "PLAIN "))
			s.mu.Lock()
			s.auth = string(who)
			s.mu.Unlock()
			answer = "235 welcome"
		case "RCPT":
			s.mu.Lock()
			s.to = append(s.to, rest)
			s.mu.Unlock()
		case "DATA":
			_ = c.PrintfLine("354 go on")
			if _, err := c.ReadDotBytes(); err != nil {
				return
			}
		case "QUIT":
			_ = c.PrintfLine("221 bye")
			return
		}
		_ = c.PrintfLine("%s", answer)
	}
}
