package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// configFlag names a file of settings. It is a flag of serve and of the commands that take some of
// serve's flags.
type configFlag struct {
	Config configFile `placeholder:"FILE" help:"YAML file of the flags of serve; flags and the environment win."`
}

// A configFile is the path of a file of settings.
type configFile string

// BeforeResolve implements kong's hook: it has kong ask the file for the flags that are not given.
func (configFile) BeforeResolve(app *kong.Kong, ctx *kong.Context, trace *kong.Path) error {
	path := string(ctx.FlagValue(trace.Flag).(configFile))
	if path == "" {
		return nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("--config: %w", err)
	}
	values, err := parseConfig(text, settingsOf(app.Model))
	if err != nil {
		return fmt.Errorf("--config: %s: %w", path, err)
	}
	ctx.AddResolver(kong.ResolverFunc(func(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
		value, ok := values[flag.Name]
		if !ok || slices.ContainsFunc(flag.Envs, isSet) {
			return nil, nil
		}
		return value, nil
	}))
	return nil
}

func isSet(env string) bool {
	_, ok := os.LookupEnv(env)
	return ok
}

// settingsOf lists the flags of serve.
func settingsOf(app *kong.Application) (names []string) {
	for _, command := range app.Children {
		if command.Name != "serve" {
			continue
		}
		for _, flag := range command.Flags {
			if flag.Name != "config" {
				names = append(names, flag.Name)
			}
		}
	}
	return names
}

// parseConfig reads settings: a value, or a list of values, for each of some names. Faults tell their
// lines.
func parseConfig(text []byte, names []string) (map[string]string, error) {
	file, err := parser.ParseBytes(text, 0)
	if err != nil {
		return nil, errors.New(yaml.FormatError(err, false, false))
	}
	values := map[string]string{}
	var faults []error
	for _, doc := range file.Docs {
		var members []*ast.MappingValueNode
		switch body := doc.Body.(type) {
		case nil, *ast.NullNode, *ast.CommentGroupNode:
		case *ast.MappingNode:
			members = body.Values
		default:
			return nil, errors.New("must have a line NAME: VALUE for each setting")
		}
		for _, m := range members {
			name := m.Key.GetToken().Value
			value, err := scalar(m.Value)
			if !slices.Contains(names, name) {
				err = fmt.Errorf("there is no setting %q; workforce serve --help lists them, here without --", name)
			}
			if err != nil {
				faults = append(faults, fmt.Errorf("line %d: %w", m.Key.GetToken().Position.Line, err))
			} else if value != "" {
				values[name] = value
			}
		}
	}
	return values, errors.Join(faults...)
}

// scalar is the text of a value, or those of a list with commas between them; "" for none.
func scalar(n ast.Node) (string, error) {
	switch n := n.(type) {
	case *ast.NullNode:
		return "", nil
	case *ast.StringNode:
		return n.Value, nil
	case *ast.LiteralNode:
		return strings.TrimSpace(n.Value.Value), nil
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode:
		return n.GetToken().Value, nil
	case *ast.SequenceNode:
		var all []string
		for _, one := range n.Values {
			text, err := scalar(one)
			if err != nil || strings.Contains(text, ",") {
				return "", errors.New("must be a list of values without commas")
			}
			all = append(all, text)
		}
		return strings.Join(all, ","), nil
	}
	return "", errors.New("must be a value, or a list of values")
}
