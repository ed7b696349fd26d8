package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"workforce/internal/app/audit"
	definitions "workforce/internal/app/definition"
	"workforce/internal/app/leave"
	"workforce/internal/app/organization"
	"workforce/internal/app/people"
	"workforce/internal/app/roster"
	"workforce/internal/definition"
	"workforce/internal/errs"
	"workforce/internal/server"
)

// applyCmd applies a file that describes a company.
type applyCmd struct {
	databaseFlag
	jsonFlag
	File     string `arg:"" optional:"" help:"YAML or JSON file of at most 1 MiB; - is standard input."`
	Company  int    `help:"Id of the company."`
	DryRun   bool   `help:"Print what would change, and change nothing; ends with status 3 if anything would."`
	Prune    bool   `help:"Delete what the sections of the file do not name."`
	Schema   bool   `help:"Print the JSON Schema of such files, and do nothing else."`
	Language string `default:"en" enum:"en,id" help:"Language of the faults: en or id."`
}

// Validate refuses what lacks the file or the company, by which kong tells wrong flags.
func (c *applyCmd) Validate() error {
	switch {
	case c.Schema:
		return nil
	case c.File == "":
		return errors.New("expected <file>")
	case c.Company == 0:
		return errors.New("missing flags: --company=INT")
	}
	return nil
}

// applyLimit is how long a file is applied at most: 10,000 new businesses take some two minutes.
const applyLimit = 5 * time.Minute

// Run implements the command.
func (c *applyCmd) Run(ctx context.Context, io streams) (err error) {
	if c.Schema {
		return printJSON(io.out, definition.Schema())
	}
	data, err := c.read(io.in)
	if err != nil {
		return err
	}
	s, err := openStore(ctx, c.Database)
	if err != nil {
		return err
	}
	defer func() {
		if closed := s.Close(); closed != nil {
			err = errors.Join(err, closed)
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, applyLimit)
	defer cancel()
	result, err := definitionsOf(s).Apply(ctx, c.Company, data, definitions.Options{DryRun: c.DryRun, Prune: c.Prune})
	if err != nil {
		return noCompany(c.Company, err)
	}
	if err := c.report(io.out, result); err != nil {
		return err
	}
	switch n := len(result.Faults) + result.More; {
	case n > 0:
		return fmt.Errorf("faults: %d; nothing was changed", n)
	case c.DryRun && len(result.Changes) > 0:
		return wouldChange{}
	}
	return nil
}

// read returns the file, or what of it tells that it is too large.
func (c *applyCmd) read(stdin io.Reader) ([]byte, error) {
	in, err := openInput(c.File, stdin)
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }() // it was only read
	return io.ReadAll(io.LimitReader(in, definition.MaxBytes+1))
}

// report prints what changes, and what is wrong.
func (c *applyCmd) report(out io.Writer, r *definitions.Result) error {
	if c.JSON {
		return printJSON(out, c.facts(r))
	}
	count := map[string]int{}
	for _, change := range r.Changes {
		count[change.Action]++
		if len(r.Faults) == 0 {
			fmt.Fprintln(out, changeLine(change))
		}
	}
	for _, f := range r.Faults {
		fmt.Fprintln(out, c.faultLine(f))
	}
	if r.More > 0 {
		fmt.Fprintf(out, "further faults: %d\n", r.More)
	}
	if len(r.Faults) > 0 {
		return nil
	}
	format := "%d created, %d updated, %d deleted, %d unchanged\n"
	if c.DryRun {
		format = "%d would be created, %d updated, %d deleted, %d unchanged\n"
	}
	_, err := fmt.Fprintf(out, format, count[definitions.Create], count[definitions.Update],
		count[definitions.Delete], r.Unchanged)
	return err
}

// changeLine returns a change as text: what is done, to what, and how its members change.
func changeLine(c definitions.Change) string {
	line := c.Action + " " + c.Section + " " + c.Name
	for i, m := range c.Members {
		line += map[bool]string{true: ": ", false: ", "}[i == 0] + m.Name + " " + shown(m.From) + " → " + shown(m.To)
	}
	return line
}

// shown returns a value as JSON.
func shown(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(text)
}

// faultLine returns a fault as text: line, section, element, member, code and what is wrong.
func (c *applyCmd) faultLine(f definition.Fault) string {
	return strings.TrimSpace(fmt.Sprintf("%d\t%s\t%s\t%s\t%s\t%s", f.Line, f.Section, f.Element, f.Field,
		codeOf(f.Fault), messageOf(f.Fault, c.Language)))
}

// facts returns a result as JSON has it.
func (c *applyCmd) facts(r *definitions.Result) map[string]any {
	changes, faults := []any{}, []any{}
	for _, change := range r.Changes {
		members := []any{}
		for _, m := range change.Members {
			members = append(members, map[string]any{"name": m.Name, "from": m.From, "to": m.To})
		}
		changes = append(changes, map[string]any{"action": change.Action, "section": change.Section,
			"name": change.Name, "members": members})
	}
	for _, f := range r.Faults {
		faults = append(faults, map[string]any{
			"line": f.Line, "section": f.Section, "element": f.Element, "member": f.Field, "code": codeOf(f.Fault),
			"message": messageOf(f.Fault, c.Language),
		})
	}
	return map[string]any{
		"applied": r.Applied, "dryRun": c.DryRun, "changes": changes, "unchanged": r.Unchanged, "faults": faults,
		"faultCount": len(faults) + r.More,
	}
}

// definitionsOf returns the service of a store. Whatever jobs it queues, a server runs.
func definitionsOf(s *server.Store) *definitions.Service {
	plans := newPlanner(s.Ent)
	plans.Audit = &audit.Recorder{DB: s.Ent, Now: now}
	return &definitions.Service{
		DB: s.Ent, Now: now, Audit: plans.Audit, Organization: &organization.Service{Now: now, Plans: plans,
			Audit: plans.Audit},
		Roster: &roster.Service{Plans: plans}, Leaves: &leave.Service{Now: now}, People: &people.Service{},
	}
}

type exportDefinitionCmd struct {
	databaseFlag
	outputFlag
	Company int `required:"" help:"Id of the company."`
}

// Run implements the command.
func (c *exportDefinitionCmd) Run(ctx context.Context, out streams) (err error) {
	s, err := openStore(ctx, c.Database)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	return c.write(out.out, func(w io.Writer) error {
		err := noCompany(c.Company, definitionsOf(s).Export(ctx, w, c.Company))
		if e := new(errs.Error); errors.As(err, &e) && len(e.Faults) > 0 { // no flag is at fault
			f := errs.ProblemOf(err, "en").Errors[0]
			return fmt.Errorf("%s: %s", f.Field, f.Detail)
		}
		return err
	})
}
