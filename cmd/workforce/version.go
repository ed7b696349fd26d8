package main

import (
	"cmp"
	"fmt"
	"runtime/debug"
	"strings"
)

type versionCmd struct{}

// Run implements the command.
func (versionCmd) Run(io streams) error {
	_, err := fmt.Fprintln(io.out, "workforce", programVersion())
	return err
}

// programVersion returns the version of this program.
func programVersion() string {
	info, _ := debug.ReadBuildInfo()
	return version(buildVersion, info)
}

// buildVersion is what make build knows of the sources, also where the go command
// finds no repository.
var buildVersion string

const unknownVersion = "(devel)"

// version returns the version of the build, then the revision and its time where the
// go command recorded them. (devel) means that nothing is known; info may be nil.
func version(built string, info *debug.BuildInfo) string {
	if info == nil {
		return cmp.Or(built, unknownVersion)
	}
	recorded := map[string]string{}
	for _, s := range info.Settings {
		recorded[s.Key] = s.Value
	}
	name := built
	if info.Main.Version != unknownVersion {
		name = cmp.Or(built, info.Main.Version)
	}
	revision := recorded["vcs.revision"]
	if revision != "" && recorded["vcs.modified"] == "true" {
		revision += "-modified"
	}
	return cmp.Or(strings.Join(strings.Fields(name+" "+revision+" "+recorded["vcs.time"]), " "), unknownVersion)
}
