// Package appversion refuses requests of apps that are older than the minimum
// version of their platform.
package appversion

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"

	"workforce/internal/errs"
	"workforce/internal/request"
)

// A Gate refuses app versions below the minimum of their platform. The zero value
// refuses none. A version that passes grants no permission.
type Gate struct {
	minimum   map[string]*semver.Version // by platform
	updateURL any                        // string; nil when none is set
}

// platforms are the platforms that a device may register as.
var platforms = []string{"android", "ios", "web"}

// ParseGate reads minimum versions, such as "android=2.3.0,ios=2.1.0", and the
// absolute URL of the update; both may be empty. Errors name the flags.
func ParseGate(minimum, updateURL string) (Gate, error) {
	g := Gate{minimum: map[string]*semver.Version{}}
	var failed error
	if updateURL != "" {
		if u, err := url.Parse(updateURL); err != nil || u.Scheme == "" {
			failed = fmt.Errorf("--update-url: %q is not an absolute URL", updateURL)
		}
		g.updateURL = updateURL
	}
	for entry := range strings.SplitSeq(minimum, ",") {
		if entry = strings.TrimSpace(entry); entry == "" {
			continue
		}
		platform, version, _ := strings.Cut(entry, "=")
		if !slices.Contains(platforms, platform) || g.minimum[platform] != nil {
			failed = errors.Join(failed, fmt.Errorf("--min-app-version: %q must name one of %v, each once", entry, platforms))
			continue
		}
		v, err := semver.NewVersion(version)
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("--min-app-version: %q: %w", entry, err))
			continue
		}
		g.minimum[platform] = v
	}
	if failed != nil {
		return Gate{}, failed
	}
	return g, nil
}

// Set reports whether any platform has a minimum.
func (g Gate) Set() bool { return len(g.minimum) > 0 }

// Check returns an UPGRADE_REQUIRED error for a version below the platform's
// minimum. A missing or malformed version passes, and so does an unknown platform.
func (g Gate) Check(platform, version string) error {
	least := g.minimum[platform]
	v, err := semver.NewVersion(version)
	if least == nil || err != nil || !v.LessThan(least) {
		return nil
	}
	return errs.New(errs.UpgradeRequired, errs.Meta{"minimumVersion": least.String(), "updateUrl": g.updateURL})
}

// Admit checks the app version that the request of ctx states. With an error, it
// also sets the response headers that accompany UPGRADE_REQUIRED.
func (g Gate) Admit(ctx context.Context, platform string) error {
	info := request.From(ctx)
	err := g.Check(platform, info.AppVersion)
	if err != nil {
		info.Reply.Set("Upgrade", platform+"/"+g.minimum[platform].String())
		info.Reply.Set("Connection", "Upgrade")
	}
	return err
}
