package main

import (
	"fmt"
	"os"
)

// completionCmd prints what a shell needs to complete the command line. The shell then runs the
// program with COMP_LINE set, which kongcompletion answers.
type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// Help implements kong's interface.
func (completionCmd) Help() string {
	return "bash: source <(workforce completion bash)\n\nzsh: source <(workforce completion zsh)\n\n" +
		"fish: workforce completion fish | source"
}

// scripts are for each shell; %[1]s is the path of the program.
var scripts = map[string]string{
	"bash": "complete -o default -o bashdefault -C '%[1]s' workforce\n",
	"zsh": "autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n" +
		"complete -o default -o bashdefault -C '%[1]s' workforce\n",
	"fish": "function __complete_workforce\n" +
		"    set -lx COMP_LINE (commandline -cp)\n" +
		"    test -z (commandline -ct)\n" +
		"    and set COMP_LINE \"$COMP_LINE \"\n" +
		"    '%[1]s'\n" +
		"end\n" +
		"complete -c workforce -a '(__complete_workforce)'\n",
}

// Run implements the command.
func (c completionCmd) Run(io streams) error {
	path, err := os.Executable()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(io.out, scripts[c.Shell], path)
	return err
}
