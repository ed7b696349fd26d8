package main

import (
	"fmt"
	"runtime/debug"
)

type versionCmd struct{}

// Run implements the command.
func (versionCmd) Run(io streams) error {
	_, err := fmt.Fprintln(io.out, "workforce", version())
	return err
}

// version is that of the build: a tag, else the revision it was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
