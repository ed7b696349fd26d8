package main

import (
	"cmp"
	"fmt"
	"runtime/debug"
	"strings"
)

type versionCmd struct{ jsonFlag }

// Run implements the command.
func (c *versionCmd) Run(io streams) error {
	if c.JSON {
		built, revision, at := thisBuild()
		return printJSON(io.out, map[string]string{"version": built, "revision": revision, "time": at})
	}
	_, err := fmt.Fprintln(io.out, "workforce", programVersion())
	return err
}

// programVersion returns the version of this program.
func programVersion() string {
	name, revision, at := thisBuild()
	return versionText(name, revision, at)
}

// thisBuild returns the release, the revision and its time of this program; "" for what is not known.
func thisBuild() (name, revision, at string) {
	info, _ := debug.ReadBuildInfo()
	return build(buildVersion, info)
}

// buildVersion is what make build knows of the sources, also where the go command
// finds no repository.
var buildVersion string

const unknownVersion = "(devel)"

// build returns the version of the build, then the revision and its time where the
// go command recorded them; "" for what is not known. info may be nil.
func build(built string, info *debug.BuildInfo) (name, revision, at string) {
	if info == nil {
		return built, "", ""
	}
	recorded := map[string]string{}
	for _, s := range info.Settings {
		recorded[s.Key] = s.Value
	}
	name = built
	if info.Main.Version != unknownVersion {
		name = cmp.Or(built, info.Main.Version)
	}
	revision = recorded["vcs.revision"]
	if revision != "" && recorded["vcs.modified"] == "true" {
		revision += "-modified"
	}
	return name, revision, recorded["vcs.time"]
}

// versionText joins what is known of a build; (devel) means that nothing is.
func versionText(parts ...string) string {
	return cmp.Or(strings.Join(strings.Fields(strings.Join(parts, " ")), " "), unknownVersion)
}
