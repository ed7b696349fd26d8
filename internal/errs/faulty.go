package errs

import (
	"context"
	"slices"
	"strings"
)

type faultyKey struct{}

// WithFaulty returns a context for an operation some of whose members could not be
// read. It runs to find what else is wrong with its members, and changes nothing.
func WithFaulty(ctx context.Context) context.Context {
	return context.WithValue(ctx, faultyKey{}, true)
}

// Faulty reports whether some members of the operation of ctx could not be read. They
// are absent, or hold a placeholder.
func Faulty(ctx context.Context) bool { return ctx.Value(faultyKey{}) != nil }

// FaultsOf returns the faults that a use case begins with: none, or where members could
// not be read one without a field, with which Err fails.
func FaultsOf(ctx context.Context) (f Faults) {
	if Faulty(ctx) {
		f.Add("", Unreadable, nil)
	}
	return f
}

// With adds the faults that a use case found in an operation whose members have the
// faults f, if err is what Err returned there. It leaves out what follows from f: another
// fault of the same member, and that it is missing where another needs it.
func (f Faults) With(err error) Faults {
	found := As(err).Faults
	if err == nil || len(found) == 0 || found[0].Field != "" {
		return f
	}
	all := slices.Clone(f)
	for _, fault := range found[1:] {
		if other, _ := fault.Meta["other"].(string); !f.touch(fault.Field) && !f.touch(other) {
			all = append(all, fault)
		}
	}
	return all
}

// touch reports whether a fault is of a member, of one inside it or of one around it.
func (f Faults) touch(member string) bool {
	return slices.ContainsFunc(f, func(known Fault) bool { return within(known.Field, member) || within(member, known.Field) })
}

// within reports whether the path of a member is that of another or leads into it.
func within(path, other string) bool {
	rest, ok := strings.CutPrefix(path, other)
	return ok && other != "" && (rest == "" || rest[0] == '.' || rest[0] == '[')
}
