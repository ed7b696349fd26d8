package deploy

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"workforce/internal/scenario/harness"
)

// TestImage builds the image, and serves from its root, of which only /data and /tmp can be written.
func TestImage(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("SKIPPED: needs root, for chroot")
	}
	if !installed(t, "buildah", "buildah") {
		return
	}
	dir := t.TempDir()
	program, root := filepath.Join(dir, "workforce"), filepath.Join(dir, "root")
	// As make build, but from the packages that the tests have compiled already.
	output(t, "go", "build", "-ldflags=-s -w -linkmode=external -extldflags=-static", "-o", program,
		"workforce/cmd/workforce")
	output(t, "sh", folder+"/root.sh", program, root)
	inspect(t, root)

	addr := harness.FreeAddr(t)
	inside := `mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" &&
		for d in data tmp; do mount -t tmpfs tmpfs "$1/$d"; done
		chown 65532:65532 "$1/data" && chmod 1777 "$1/tmp" && shift && exec "$@"`
	cmd := exec.CommandContext(t.Context(), "unshare", "--mount", "sh", "-c", inside, "sh", root,
		"chroot", "--userspec=65532:65532", root, "/workforce", "serve", "--demo")
	cmd.Env = append(settings(t), "WORKFORCE_ADDR="+addr)
	log := start(t, cmd)
	await(t, "http://"+addr, log)
	check := exec.CommandContext(t.Context(), "chroot", "--userspec=65532:65532", root, "/workforce", "healthcheck")
	check.Env = cmd.Env
	if said, err := check.CombinedOutput(); err != nil {
		t.Errorf("%v %s", err, said)
	}
	device := `{"deviceId":"one","platform":"android"}`
	if status, text := ask(t, "POST", "http://"+addr+"/device/register", device, nil); status != 200 {
		t.Errorf("%d %s", status, text)
	}
}

// settings are the environment of the image.
func settings(t *testing.T) (env []string) {
	t.Helper()
	text := strings.ReplaceAll(read(t, "Dockerfile"), "\\\n", "")
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, "ENV "); ok {
			env = append(env, strings.Fields(rest)...)
		}
	}
	if len(env) == 0 {
		t.Fatal("the image has no settings")
	}
	return env
}

// inspect builds the image of a root folder, and reads what a container is started with.
func inspect(t *testing.T, root string) {
	t.Helper()
	store := t.TempDir()
	buildah := func(args ...string) string {
		all := []string{"--root=" + store + "/root", "--runroot=" + store + "/run", "--storage-driver=vfs"}
		return output(t, "buildah", append(all, args...)...)
	}
	t.Cleanup(func() {
		_ = exec.Command("buildah", "--root="+store+"/root", "--runroot="+store+"/run", "--storage-driver=vfs",
			"rmi", "--all", "--force").Run()
	})
	buildah("build", "--isolation=chroot", "--format=docker", "--tag=workforce", "--file="+folder+"/Dockerfile", root)
	var image struct {
		Docker struct {
			Config struct {
				User, WorkingDir string
				Env, Entrypoint  []string
				Cmd              []string
				Volumes          map[string]any
				Healthcheck      struct{ Test []string }
			} `json:"config"`
		}
	}
	if err := json.Unmarshal([]byte(buildah("inspect", "--type=image", "workforce")), &image); err != nil {
		t.Fatal(err)
	}
	c := image.Docker.Config
	if c.User != "65532:65532" || !slices.Equal(c.Entrypoint, []string{"/workforce"}) ||
		!slices.Equal(c.Cmd, []string{"serve"}) ||
		len(c.Volumes) != 2 || !slices.Equal(c.Healthcheck.Test, []string{"CMD", "/workforce", "healthcheck"}) {
		t.Errorf("%+v", c)
	}
	for _, want := range settings(t) {
		if !slices.Contains(c.Env, want) {
			t.Errorf("no %s in %q", want, c.Env)
		}
	}
}
