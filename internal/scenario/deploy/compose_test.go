package deploy

import (
	"bytes"
	"encoding/json"
	"image/color"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"

	"workforce/internal/demo"
	"workforce/internal/scenario/harness"
	"workforce/internal/testdb"
)

// composed is what the test reads of compose.yaml.
type composed struct {
	Services map[string]struct {
		Image       string
		Environment map[string]string
		ReadOnly    bool `yaml:"read_only"`
		Networks    any
	}
	Volumes map[string]any
}

// environment returns that of an instance, with the settings that env.sh writes.
func environment(t *testing.T, instance string) map[string]string {
	t.Helper()
	var file composed
	if err := yaml.UnmarshalWithOptions([]byte(read(t, "compose.yaml")), &file, yaml.AllowDuplicateMapKey()); err != nil {
		t.Fatal(err)
	}
	if s := file.Services[instance]; !s.ReadOnly || len(s.Environment) == 0 {
		t.Fatalf("%s: %+v", instance, s)
	}
	given := map[string]string{}
	for line := range strings.Lines(output(t, "sh", folder+"/env.sh", "https://api.contoh.id")) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		given[name] = value
	}
	all := map[string]string{}
	for name, value := range file.Services[instance].Environment {
		all[name] = regexp.MustCompile(`\$\{(\w+)[^}]*\}`).ReplaceAllStringFunc(value, func(text string) string {
			variable := regexp.MustCompile(`\w+`).FindString(text)
			value, ok := given[variable]
			if !ok {
				t.Errorf("env.sh does not set %s", variable)
			}
			return value
		})
	}
	return all
}

// TestCompose runs the parts of compose.yaml as processes: two instances, MariaDB, Redis and a store of
// objects. What one instance is told the other knows.
func TestCompose(t *testing.T) {
	program, dir := harness.Build(t), t.TempDir()
	bucket := harness.NewBucket(t, time.Now())
	mariadb, redis := testdb.MySQL(t), testdb.StartRedis(t)
	var urls []string
	var logs []*harness.Buffer
	for _, instance := range []string{"one", "two"} {
		env := environment(t, instance)
		addr := harness.FreeAddr(t)
		for name, here := range map[string]struct{ pattern, value string }{
			"WORKFORCE_DATABASE":   {`^mysql://workforce:\w+@mariadb:3306/workforce$`, mariadb},
			"WORKFORCE_BROKER":     {`^redis://:\w+@redis:6379/0$`, redis.URL()},
			"WORKFORCE_FILES":      {`^s3://workforce\?region=us-east-1&endpoint=https://files\.api\.contoh\.id$`, bucket.URL},
			"WORKFORCE_ADMIN_ADDR": {`^:9090$`, harness.FreeAddr(t)},
			"WORKFORCE_BACKUP_TO":  {`^/data/backups$`, filepath.Join(dir, "backups")},
		} {
			if !regexp.MustCompile(here.pattern).MatchString(env[name]) {
				t.Errorf("%s is %q", name, env[name])
			}
			env[name] = here.value
		}
		cmd := exec.CommandContext(t.Context(), program, "serve", "--demo", "--addr="+addr, "--log-format=text",
			"--secret-key-file="+filepath.Join(dir, "secret.key"))
		cmd.Dir, cmd.Env = dir, []string{"PATH=" + os.Getenv("PATH")}
		for name, value := range env {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
		log := start(t, cmd)
		await(t, "http://"+addr, log)
		urls, logs = append(urls, "http://"+addr), append(logs, log)
	}
	token := signIn(t, urls[0], logs)
	bearer := map[string]string{"Authorization": "Bearer " + token}
	made := `{"query":"mutation{createRole(input:{name:\"composed\",permissions:[]}){name}}"}`
	status, text := ask(t, "POST", urls[0]+"/graphql", made, bearer)
	if status != 200 || !strings.Contains(text, `"composed"`) {
		t.Fatalf("%d %s", status, text)
	}
	asked := `{"query":"{roles(first:100){edges{node{name}}}}"}`
	status, text = ask(t, "POST", urls[1]+"/graphql", asked, bearer)
	if status != 200 || !strings.Contains(text, `"composed"`) {
		t.Errorf("the other instance: %d %s", status, text)
	}
	picture(t, urls, bearer)
	for _, said := range logs {
		if strings.Contains(said.String(), "level=ERROR") {
			t.Error(said.String())
		}
	}
}

// signIn signs the demo's owner in on one instance, by the code that either logs.
func signIn(t *testing.T, at string, logs []*harness.Buffer) (access string) {
	t.Helper()
	header := map[string]string{}
	get := func(method, path, body, member string) string {
		t.Helper()
		status, text := ask(t, method, at+path, body, header)
		var got map[string]any
		if err := json.Unmarshal([]byte(text), &got); err != nil || status != 200 {
			t.Fatalf("%s: %d %s", path, status, text)
		}
		value, _ := got[member].(string)
		return value
	}
	header["X-Device-Token"] = get("POST", "/device/register", `{"deviceId":"one","platform":"android"}`, "deviceToken")
	header["x-User-Token"] = get("POST", "/user/login",
		`{"username":"admin@demo.test","password":"`+demo.Password+`"}`, "userToken")
	line := regexp.MustCompile(`msg=message .*to=admin@demo\.test .*text="(\d{6}) `)
	var code string
	for deadline := time.Now().Add(limit); code == ""; time.Sleep(20 * time.Millisecond) {
		for _, log := range logs {
			if found := line.FindStringSubmatch(log.String()); found != nil {
				code = found[1]
			}
		}
		if time.Now().After(deadline) {
			t.Fatal("no code")
		}
	}
	get("POST", "/authorize/verify", `{"otp":"`+code+`"}`, "")
	return get("GET", "/authorize/access-token", "", "accessToken")
}

// picture gives one instance a picture, whose link the other signs, into the store.
func picture(t *testing.T, urls []string, bearer map[string]string) {
	t.Helper()
	body, kind := harness.Upload(t, `mutation($input:SetAvatarInput!){setAvatar(input:$input){id}}`,
		map[string]any{"input": map[string]any{"image": nil}}, "input.image",
		harness.Picture(t, 64, 64, color.RGBA{9, 9, 9, 255}))
	header := map[string]string{"Authorization": bearer["Authorization"], "Content-Type": kind}
	status, text := ask(t, "POST", urls[0]+"/graphql", body, header)
	if status != 200 || strings.Contains(text, "errors") {
		t.Fatalf("%d %s", status, text)
	}
	var own struct{ Image string }
	status, text = ask(t, "GET", urls[1]+"/user/profile", "", bearer)
	if err := json.NewDecoder(bytes.NewBufferString(text)).Decode(&own); err != nil || status != 200 {
		t.Fatalf("%d %s", status, text)
	}
	link, err := url.Parse(own.Image)
	if err != nil || !strings.Contains(link.RawQuery, "X-Amz-Signature") {
		t.Fatalf("the link %q", own.Image)
	}
	if status, _ := ask(t, http.MethodGet, own.Image, "", nil); status != 200 {
		t.Errorf("the picture: %d", status)
	}
}
