package telemetry

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// settings are what the standard variables say of the export of traces. The SDK itself reads those of
// samplers, batches, limits and the resource.
type settings struct {
	on      bool
	inbound bool // OTEL_PROPAGATORS has tracecontext
	url     string
	header  http.Header
	timeout time.Duration // of a batch, its retries included
	gzip    bool
	tls     *tls.Config
}

const (
	exporterVar    = "OTEL_TRACES_EXPORTER"
	propagatorsVar = "OTEL_PROPAGATORS"
	otlp           = "OTEL_EXPORTER_OTLP_"
	tracesPath     = "/v1/traces"
	defaultTimeout = 10 * time.Second
)

// of returns the value of a variable of OTLP, that for traces before that for all signals, and its name.
func of(name string) (value, variable string) {
	for _, variable = range []string{otlp + "TRACES_" + name, otlp + name} {
		if value = strings.TrimSpace(os.Getenv(variable)); value != "" {
			return value, variable
		}
	}
	return "", otlp + name
}

// readSettings reads the variables. Without an endpoint and OTEL_TRACES_EXPORTER they are not on.
func readSettings() (s settings, err error) {
	endpoint, variable := of("ENDPOINT")
	exporter := strings.TrimSpace(os.Getenv(exporterVar))
	disabled := strings.EqualFold(strings.TrimSpace(os.Getenv("OTEL_SDK_DISABLED")), "true")
	if disabled || exporter == "none" || exporter == "" && endpoint == "" {
		return s, nil
	}
	if exporter != "" && exporter != "otlp" {
		return s, fmt.Errorf("%s must be otlp or none", exporterVar)
	}
	if p, variable := of("PROTOCOL"); p != "" && p != "http/protobuf" {
		return s, fmt.Errorf("%s must be http/protobuf", variable)
	}
	s.on = true
	propagators := strings.Split(cmp.Or(os.Getenv(propagatorsVar), "tracecontext"), ",")
	s.inbound = slices.ContainsFunc(propagators, func(p string) bool { return strings.TrimSpace(p) == "tracecontext" })
	if s.url, err = urlOf(endpoint, variable); err != nil {
		return s, err
	}
	return s, errors.Join(s.readHeader(), s.readTransport(), s.readTLS(), checkSampler())
}

// samplers are those of the SDK, which writes a wrong one past our log and goes on.
var samplers = []string{
	"", "always_on", "always_off", "traceidratio",
	"parentbased_always_on", "parentbased_always_off", "parentbased_traceidratio",
}

// checkSampler checks the variables of the sampler, which the SDK reads.
func checkSampler() error {
	name := strings.ToLower(strings.TrimSpace(os.Getenv("OTEL_TRACES_SAMPLER")))
	if !slices.Contains(samplers, name) {
		return fmt.Errorf("OTEL_TRACES_SAMPLER must be one of %s", strings.Join(samplers[1:], ", "))
	}
	arg := strings.TrimSpace(os.Getenv("OTEL_TRACES_SAMPLER_ARG"))
	if ratio, err := strconv.ParseFloat(arg, 64); strings.HasSuffix(name, "ratio") && arg != "" &&
		(err != nil || !(0 <= ratio && ratio <= 1)) {
		return errors.New("OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1")
	}
	return nil
}

// urlOf returns where traces are posted: to the path of the variable for traces as it is, else below that
// of the variable for all.
func urlOf(endpoint, variable string) (string, error) {
	u, err := url.Parse(cmp.Or(endpoint, "http://localhost:4318"))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return "", fmt.Errorf("%s must begin with http:// or https:// and name a host", variable)
	}
	if variable == otlp+"ENDPOINT" {
		u.Path = strings.TrimSuffix(u.Path, "/") + tracesPath
	}
	return u.String(), nil
}

// readHeader reads a list such as api-key=secret,tenant=7, whose values are percent-encoded.
func (s *settings) readHeader() error {
	text, variable := of("HEADERS")
	s.header = http.Header{}
	for pair := range strings.SplitSeq(text, ",") {
		if strings.TrimSpace(pair) == "" {
			continue
		}
		name, value, ok := strings.Cut(pair, "=")
		decoded, err := url.PathUnescape(strings.TrimSpace(value))
		if name = strings.TrimSpace(name); !ok || err != nil || name == "" {
			return fmt.Errorf("%s must be a list such as api-key=secret,tenant=7", variable)
		}
		s.header.Set(name, decoded)
	}
	return nil
}

// readTransport reads the timeout in milliseconds, and the compression.
func (s *settings) readTransport() error {
	s.timeout = defaultTimeout
	if text, variable := of("TIMEOUT"); text != "" {
		ms, err := strconv.Atoi(text)
		if err != nil || ms <= 0 {
			return fmt.Errorf("%s must be a number of milliseconds", variable)
		}
		s.timeout = time.Duration(ms) * time.Millisecond
	}
	text, variable := of("COMPRESSION")
	if s.gzip = text == "gzip"; !s.gzip && text != "" && text != "none" {
		return fmt.Errorf("%s must be gzip or none", variable)
	}
	return nil
}

// readTLS reads the files of the certificates: who signed the collector's, and the client's own.
func (s *settings) readTLS() error {
	s.tls = &tls.Config{MinVersion: tls.VersionTLS12}
	if file, variable := of("CERTIFICATE"); file != "" {
		text, err := os.ReadFile(file)
		s.tls.RootCAs = x509.NewCertPool()
		if err != nil || !s.tls.RootCAs.AppendCertsFromPEM(text) {
			return fmt.Errorf("%s must name a file of certificates in PEM", variable)
		}
	}
	if file, variable := of("CLIENT_CERTIFICATE"); file != "" {
		key, keyVariable := of("CLIENT_KEY")
		pair, err := tls.LoadX509KeyPair(file, key)
		if err != nil {
			return fmt.Errorf("%s and %s must name the files of a certificate and of its key in PEM", variable, keyVariable)
		}
		s.tls.Certificates = []tls.Certificate{pair}
	}
	return nil
}
