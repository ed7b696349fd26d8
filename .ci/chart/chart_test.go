// Package chart renders deploy/chart as Helm does, and checks what comes of it. It has a go.mod of its own, so that
// it decides no version of the server's.
package chart

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"helm.sh/helm/v3/pkg/lint"
	"helm.sh/helm/v3/pkg/lint/support"
	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/json"
	"sigs.k8s.io/yaml"
)

const (
	folder  = "../../deploy/chart"
	release = "kantor"
	needed  = "publicUrl: https://api.contoh.id\nfiles: s3://workforce?region=ap-southeast-3\n"

	bodySize = "nginx.ingress.kubernetes.io/proxy-body-size" // an annotation
)

// A serviceMonitor is what the chart says in one, of Prometheus' operator, whose types are no part of Kubernetes.
type serviceMonitor struct {
	meta.TypeMeta   `json:",inline"`
	meta.ObjectMeta `json:"metadata"`
	Spec            struct {
		JobLabel  string             `json:"jobLabel"`
		Selector  meta.LabelSelector `json:"selector"`
		Endpoints []struct {
			Port string `json:"port"`
		} `json:"endpoints"`
	} `json:"spec"`
}

// rendered are the objects of a release.
type rendered struct {
	text       string // all of it
	objects    []meta.Object
	deployment *apps.Deployment
	services   map[string]*core.Service
	budget     *policy.PodDisruptionBudget
	ingress    *networking.Ingress // nil for none
	monitor    *serviceMonitor     // nil for none
}

// render returns what Helm makes of the chart with some values. A value that the chart does not declare fails.
func render(t *testing.T, values string) (*rendered, error) {
	t.Helper()
	c, err := loader.Load(folder)
	if err != nil {
		t.Fatal(err)
	}
	given, err := chartutil.ReadValues([]byte(values))
	if err != nil {
		t.Fatal(err)
	}
	options := chartutil.ReleaseOptions{Name: release, Namespace: "people", Revision: 1, IsInstall: true}
	all, err := chartutil.ToRenderValues(c, given, options, nil)
	if err != nil {
		t.Fatal(err)
	}
	files, err := engine.Engine{Strict: true}.Render(c, all)
	if err != nil {
		return nil, err
	}
	r := &rendered{services: map[string]*core.Service{}}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		r.text += "\n---\n" + files[name]
	}
	for document := range strings.SplitSeq(r.text, "\n---\n") {
		r.add(t, document)
	}
	return r, nil
}

// add reads an object by its type of Kubernetes' API, which knows every member.
func (r *rendered) add(t *testing.T, document string) {
	t.Helper()
	var is meta.TypeMeta
	if err := yaml.Unmarshal([]byte(document), &is); err != nil {
		t.Fatalf("%v in\n%s", err, document)
	}
	read := func(into meta.Object) {
		text, err := yaml.YAMLToJSONStrict([]byte(document))
		if err != nil {
			t.Fatalf("%v in\n%s", err, document)
		}
		unknown, err := json.UnmarshalStrict(text, into) // as Kubernetes reads: the case of members counts
		if err := errors.Join(append(unknown, err)...); err != nil {
			t.Errorf("%v in\n%s", err, document)
		}
		r.objects = append(r.objects, into)
	}
	switch is.APIVersion + " " + is.Kind {
	case " ": // no document
	case "apps/v1 Deployment":
		r.deployment = new(apps.Deployment)
		read(r.deployment)
	case "v1 Service":
		s := new(core.Service)
		read(s)
		r.services[s.Name] = s
	case "policy/v1 PodDisruptionBudget":
		r.budget = new(policy.PodDisruptionBudget)
		read(r.budget)
	case "networking.k8s.io/v1 Ingress":
		r.ingress = new(networking.Ingress)
		read(r.ingress)
	case "monitoring.coreos.com/v1 ServiceMonitor":
		r.monitor = new(serviceMonitor)
		read(r.monitor)
	default:
		t.Errorf("an object of another type:\n%s", document)
	}
}

// TestChart renders the chart with different values: each object is one of Kubernetes, and they fit together.
func TestChart(t *testing.T) {
	for _, tt := range []struct {
		name, values string
		objects      int
		check        func(t *testing.T, r *rendered)
	}{
		{"what is needed alone", "", 4, isDefault},
		{"one instance", "replicas: 1\n", 4, func(t *testing.T, r *rendered) {
			if n := *r.deployment.Spec.Replicas; n != 1 {
				t.Errorf("%d replicas", n)
			}
		}},
		{"an ingress without TLS", "ingress: {enabled: true}\n", 5, func(t *testing.T, r *rendered) {
			if i := r.ingress; i.Spec.IngressClassName != nil || len(i.Spec.TLS)+len(i.Annotations) != 0 {
				t.Errorf("ingress %+v", i)
			}
		}},
		{"an ingress", "ingress:\n  {enabled: true, className: nginx, tlsSecret: api-tls, annotations: {" +
			bodySize + ": 50m}}\n", 5, hasIngress},
		{"the operator of Prometheus", "serviceMonitor: true\n", 5, func(t *testing.T, r *rendered) {
			if r.monitor == nil {
				t.Error("no ServiceMonitor")
			}
		}},
		{"all of it", "ingress: {enabled: true}\nserviceMonitor: true\nreplicas: 5\n" +
			"image: {repository: registry.test/workforce, tag: 1.2.3}\nservice: {type: LoadBalancer, port: 8443}\n" +
			"resources: {limits: {memory: 2Gi}}\ntrustedProxies: [10.0.0.0/8, 192.168.0.0/16]\n" +
			"mailFrom: no-reply@contoh.id\n", 6, isAll},
		{"another secret", "existingSecret: keys\n", 4, nil},
		{"settings", "settings:\n  {country: ID, registration-limit: 2000000, migrate: false, backup-keep: 30,\n" +
			"   tls-domain: [a.id, b.id], log-format: text}\n",
			4, hasSettings},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := render(t, needed+tt.values)
			if err != nil {
				t.Fatal(err)
			}
			if len(r.objects) != tt.objects {
				t.Errorf("%d objects, want %d", len(r.objects), tt.objects)
			}
			if again, err := render(t, needed+tt.values); err != nil || again.text != r.text {
				t.Errorf("rendered again it is another: %v", err)
			}
			secret := "workforce"
			if strings.HasPrefix(tt.values, "existingSecret: ") {
				secret = "keys"
			}
			r.checkObjects(t)
			r.checkPod(t, secret)
			r.checkNetwork(t)
			if tt.check != nil {
				tt.check(t, r)
			}
		})
	}
}

func isDefault(t *testing.T, r *rendered) {
	c := r.container(t)
	if n := *r.deployment.Spec.Replicas; n != 2 || c.Image != "workforce:latest" {
		t.Errorf("%d replicas of %s", n, c.Image)
	}
	if r.ingress != nil || r.monitor != nil {
		t.Error("an ingress or a monitor that nobody asked for")
	}
	if s := r.services[release]; s.Spec.Type != core.ServiceTypeClusterIP || s.Spec.Ports[0].Port != 80 {
		t.Errorf("service %+v", s.Spec)
	}
	for name, want := range map[string]string{
		"WORKFORCE_PUBLIC_URL": "https://api.contoh.id", "WORKFORCE_FILES": "s3://workforce?region=ap-southeast-3",
		"WORKFORCE_TRUSTED_PROXIES": "10.0.0.0/8", "WORKFORCE_LOG_FORMAT": "json",
		"WORKFORCE_SECRET_KEY_FILE": "/etc/workforce/secret.key",
	} {
		if got := value(c, name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if c.Resources.Limits.Memory().Cmp(*c.Resources.Requests.Memory()) < 0 || c.Resources.Requests.Cpu().IsZero() {
		t.Errorf("resources %+v", c.Resources)
	}
}

func hasIngress(t *testing.T, r *rendered) {
	i := r.ingress
	if i.Spec.IngressClassName == nil || *i.Spec.IngressClassName != "nginx" || len(i.Spec.TLS) != 1 ||
		i.Spec.TLS[0].SecretName != "api-tls" || !slices.Equal(i.Spec.TLS[0].Hosts, []string{"api.contoh.id"}) ||
		i.Annotations[bodySize] != "50m" {
		t.Errorf("ingress %+v", i)
	}
}

func isAll(t *testing.T, r *rendered) {
	c, s := r.container(t), r.services[release]
	if c.Image != "registry.test/workforce:1.2.3" || value(c, "WORKFORCE_MAIL_FROM") != "no-reply@contoh.id" ||
		value(c, "WORKFORCE_TRUSTED_PROXIES") != "10.0.0.0/8,192.168.0.0/16" ||
		c.Resources.Limits.Memory().String() != "2Gi" {
		t.Errorf("container %+v", c)
	}
	if s.Spec.Type != core.ServiceTypeLoadBalancer || s.Spec.Ports[0].Port != 8443 {
		t.Errorf("service %+v", s.Spec)
	}
	if admin := r.services[release+"-admin"]; admin.Spec.ClusterIP != core.ClusterIPNone {
		t.Errorf("the service of operators is reached from outside: %+v", admin.Spec)
	}
}

// hasSettings finds numbers as they were given, and not as 2e+06, and lists with commas.
func hasSettings(t *testing.T, r *rendered) {
	c := r.container(t)
	for name, want := range map[string]string{
		"WORKFORCE_COUNTRY": "ID", "WORKFORCE_REGISTRATION_LIMIT": "2000000", "WORKFORCE_MIGRATE": "false",
		"WORKFORCE_BACKUP_KEEP": "30", "WORKFORCE_TLS_DOMAIN": "a.id,b.id", "WORKFORCE_LOG_FORMAT": "text",
	} {
		if got := value(c, name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

// TestRequired refuses a release without what is needed, or with a setting that the chart makes itself, in a sentence.
func TestRequired(t *testing.T) {
	for _, tt := range []struct{ name, values, want string }{
		{"nothing", "", "files is needed: the bucket, s3://…|publicUrl is needed: the address that clients use"},
		{"no address", "files: s3://a\n", "publicUrl is needed: the address that clients use"},
		{"what has another value", needed + "settings: {mail-from: a@contoh.id}\n",
			"settings.mail-from is none: another value of the chart, or its secret, has it"},
		{"an address without a scheme", "publicUrl: api.contoh.id\nfiles: s3://a\n",
			"publicUrl begins with https://, such as https://api.contoh.id"},
		{"no bucket", "publicUrl: https://api.contoh.id\n", "files is needed: the bucket, s3://…"},
	} {
		_, err := render(t, tt.values)
		if err == nil || !slices.ContainsFunc(strings.Split(tt.want, "|"), func(s string) bool {
			return strings.Contains(err.Error(), s)
		}) {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
}

// TestLint has helm lint find nothing to warn of.
func TestLint(t *testing.T) {
	for _, values := range []string{"", needed + "ingress: {enabled: true}\nserviceMonitor: true\n"} {
		given, err := chartutil.ReadValues([]byte(values))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range lint.All(folder, given, "people", true).Messages {
			if m.Severity >= support.WarningSev {
				t.Errorf("%v", m)
			}
		}
	}
}

// checkObjects holds all objects to the names and labels of the release.
func (r *rendered) checkObjects(t *testing.T) {
	t.Helper()
	for _, o := range r.objects {
		labels := o.GetLabels()
		if o.GetName() != release && o.GetName() != release+"-admin" || o.GetNamespace() != "" ||
			labels["app.kubernetes.io/name"] != "workforce" || labels["app.kubernetes.io/instance"] != release {
			t.Errorf("object %s/%s with labels %v", o.GetNamespace(), o.GetName(), labels)
		}
	}
}

// container returns the one of the pod.
func (r *rendered) container(t *testing.T) core.Container {
	t.Helper()
	spec := r.deployment.Spec.Template.Spec
	if len(spec.Containers) != 1 || len(spec.InitContainers) != 0 {
		t.Fatalf("containers %v", spec.Containers)
	}
	return spec.Containers[0]
}

// value returns the value of a variable; ? where there is none.
func value(c core.Container, name string) string {
	i := slices.IndexFunc(c.Env, func(e core.EnvVar) bool { return e.Name == name })
	if i < 0 {
		return "?"
	}
	return c.Env[i].Value
}

// checkPod finds a pod that may do little, with the probes, volumes and variables that the server needs.
func (r *rendered) checkPod(t *testing.T, secret string) {
	t.Helper()
	spec, c := r.deployment.Spec.Template.Spec, r.container(t)
	pod, own := spec.SecurityContext, c.SecurityContext
	if pod == nil || pod.RunAsNonRoot == nil || !*pod.RunAsNonRoot || pod.RunAsUser == nil || *pod.RunAsUser == 0 ||
		pod.RunAsGroup == nil || *pod.RunAsGroup == 0 || pod.SeccompProfile == nil ||
		pod.SeccompProfile.Type != core.SeccompProfileTypeRuntimeDefault {
		t.Errorf("the pod's context %+v", pod)
	}
	if own == nil || own.AllowPrivilegeEscalation == nil || *own.AllowPrivilegeEscalation ||
		own.ReadOnlyRootFilesystem == nil || !*own.ReadOnlyRootFilesystem || own.Privileged != nil ||
		own.RunAsNonRoot != nil || own.RunAsUser != nil || own.Capabilities == nil ||
		!slices.Equal(own.Capabilities.Drop, []core.Capability{"ALL"}) || len(own.Capabilities.Add) != 0 {
		t.Errorf("the container's context %+v", own)
	}
	if spec.HostNetwork || spec.HostPID || spec.HostIPC || spec.AutomountServiceAccountToken == nil ||
		*spec.AutomountServiceAccountToken {
		t.Errorf("the pod reaches the host or the cluster: %+v", spec)
	}
	for name, probe := range map[string]*core.Probe{
		"/healthz startup": c.StartupProbe, "/healthz live": c.LivenessProbe, "/readyz ready": c.ReadinessProbe,
	} {
		path, _, _ := strings.Cut(name, " ")
		if probe == nil || probe.HTTPGet == nil || probe.HTTPGet.Path != path || probe.HTTPGet.Port.StrVal != "http" {
			t.Errorf("the probe %s is %+v", name, probe)
		}
	}
	r.checkVolumes(t, secret)
	r.checkVariables(t, secret)
}

func (r *rendered) checkVolumes(t *testing.T, secret string) {
	t.Helper()
	c, volumes := r.container(t), map[string]core.Volume{}
	for _, v := range r.deployment.Spec.Template.Spec.Volumes {
		if volumes[v.Name].Name != "" {
			t.Errorf("volume %s stands twice", v.Name)
		}
		volumes[v.Name] = v
	}
	mounted, paths := map[string]bool{}, map[string]bool{}
	for _, m := range c.VolumeMounts {
		v, ok := volumes[m.Name]
		switch {
		case !ok || paths[m.MountPath]:
			t.Errorf("mount %+v of no volume, or at a path of another", m)
		case v.Secret != nil:
			if mode := v.Secret.DefaultMode; v.Secret.SecretName != secret || !m.ReadOnly || mode == nil || *mode != 0o400 {
				t.Errorf("the secret's volume %+v", v.Secret)
			}
			if file := m.MountPath + "/" + v.Secret.Items[0].Path; file != value(c, "WORKFORCE_SECRET_KEY_FILE") {
				t.Errorf("the secret key is %s", file)
			}
		case v.EmptyDir == nil:
			t.Errorf("volume %+v", v)
		}
		mounted[m.Name], paths[m.MountPath] = true, true
	}
	if len(mounted) != len(volumes) || !paths["/tmp"] || !paths["/data"] {
		t.Errorf("mounts %v of volumes %v", c.VolumeMounts, volumes)
	}
}

func (r *rendered) checkVariables(t *testing.T, secret string) {
	t.Helper()
	described, err := os.ReadFile(folder + "/values.yaml")
	if err != nil {
		t.Fatal(err)
	}
	seen, secrets := map[string]bool{}, 0
	for _, e := range r.container(t).Env {
		if seen[e.Name] || !regexp.MustCompile(`^(WORKFORCE|AWS)_[A-Z][A-Z_]*$`).MatchString(e.Name) {
			t.Errorf("variable %s stands twice, or is none", e.Name)
		}
		seen[e.Name] = true
		if e.ValueFrom == nil {
			continue
		}
		secrets++
		ref := e.ValueFrom.SecretKeyRef
		if ref == nil || ref.Name != secret || e.Value != "" || ref.Optional == nil ||
			!regexp.MustCompile(`(?m)^#.* `+ref.Key+`( \(|[,.])`).Match(described) {
			t.Errorf("variable %s from %+v, which values.yaml does not describe", e.Name, ref)
		}
	}
	for _, name := range []string{"WORKFORCE_DATABASE", "WORKFORCE_BROKER"} {
		if !seen[name] || value(r.container(t), name) != "" {
			t.Errorf("%s is not from the secret", name)
		}
	}
	if secrets != 5 {
		t.Errorf("%d variables are from the secret", secrets)
	}
}

// checkNetwork has services, the ingress and the monitor find the pod and its ports.
func (r *rendered) checkNetwork(t *testing.T) {
	t.Helper()
	pod, c := r.deployment.Spec.Template.Labels, r.container(t)
	selectors := map[string]map[string]string{
		"deployment": r.deployment.Spec.Selector.MatchLabels, "budget": r.budget.Spec.Selector.MatchLabels,
	}
	for _, s := range r.deployment.Spec.Template.Spec.TopologySpreadConstraints {
		selectors["spread by "+s.TopologyKey] = s.LabelSelector.MatchLabels
	}
	for name, s := range r.services {
		selectors["service "+name] = s.Spec.Selector
		for _, p := range s.Spec.Ports {
			if !slices.ContainsFunc(c.Ports, func(own core.ContainerPort) bool { return own.Name == p.TargetPort.StrVal }) {
				t.Errorf("service %s is of the port %v, which the pod has not", name, p.TargetPort)
			}
		}
	}
	if len(r.services) != 2 || len(selectors) != 5 {
		t.Errorf("services and selectors: %v", selectors)
	}
	for name, s := range selectors {
		if !matches(s, pod) {
			t.Errorf("the selector of %s, %v, does not find the pod, %v", name, s, pod)
		}
	}
	for _, p := range c.Ports {
		variable := map[string]string{"http": "WORKFORCE_ADDR", "admin": "WORKFORCE_ADMIN_ADDR"}[p.Name]
		if addr := value(c, variable); addr != fmt.Sprint(":", p.ContainerPort) {
			t.Errorf("port %s is %d, and the server listens on %s", p.Name, p.ContainerPort, addr)
		}
	}
	if i := r.ingress; i != nil {
		rule := i.Spec.Rules[0]
		to := rule.HTTP.Paths[0].Backend.Service
		if len(i.Spec.Rules) != 1 || rule.Host != "api.contoh.id" || to.Name != release ||
			!hasPort(r.services[release], to.Port.Name) {
			t.Errorf("ingress %+v", i.Spec)
		}
	}
	if m := r.monitor; m != nil {
		admin := r.services[release+"-admin"]
		if !matches(m.Spec.Selector.MatchLabels, admin.Labels) || len(m.Spec.Endpoints) != 1 ||
			!hasPort(admin, m.Spec.Endpoints[0].Port) || admin.Labels[m.Spec.JobLabel] != "workforce" {
			t.Errorf("monitor %+v", m.Spec)
		}
	}
}

// matches reports whether a selector, which has something, finds labels.
func matches(selector, labels map[string]string) bool {
	for name, value := range selector {
		if labels[name] != value {
			return false
		}
	}
	return len(selector) > 0
}

func hasPort(s *core.Service, name string) bool {
	return slices.ContainsFunc(s.Spec.Ports, func(p core.ServicePort) bool { return p.Name == name })
}
