package rest

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"workforce/internal/errs"
)

// failure returns the error of a response, or nil. Of several errors it is the one
// with the highest status, with the faults of all that have its code.
func (o *document) failure(resp *graphql.Response) error {
	if resp == nil { // the request's time is over
		return errs.New(errs.Unavailable, nil)
	}
	var worst *errs.Error
	for _, e := range resp.Errors {
		if known := errs.As(e); worst == nil || status(known) > status(worst) {
			worst = known
		}
	}
	if worst == nil {
		return nil
	}
	all := *worst
	all.Faults = nil
	for _, e := range resp.Errors {
		if known := errs.As(e); known.Code == worst.Code {
			all.Faults = merge(all.Faults, o.faults(known, e.Path))
		}
	}
	if all.Code.Status() == 0 { // a code that the catalogue does not know
		all.Code = errs.Internal
	}
	return &all
}

func status(e *errs.Error) int {
	if s := e.Code.Status(); s != 0 {
		return s
	}
	return errs.Internal.Status()
}

// faults returns an error's faults under the names that the request used. An
// error without faults that arose while a member was read is that member's.
func (o *document) faults(e *errs.Error, path ast.Path) []errs.Fault {
	member := o.memberAt(path)
	if len(e.Faults) == 0 && member != "" && e.Code != errs.Internal {
		return []errs.Fault{{Field: member, Code: e.Code, Meta: e.Meta}}
	}
	list := slices.Clone(e.Faults)
	for i, f := range list {
		list[i].Field = cmp.Or(o.wireName(f.Field, path), member)
	}
	return list
}

func merge(all, more []errs.Fault) []errs.Fault {
	for _, f := range more {
		if !slices.ContainsFunc(all, func(known errs.Fault) bool {
			return known.Field == f.Field && known.Code == f.Code && known.Reason == f.Reason
		}) {
			all = append(all, f)
		}
	}
	return all
}

// wireName returns the name in requests of a member that a resolver names in a
// fault. The resolver's name may be a path in the field's arguments, or begin with
// the name of a variable, or of the argument that a variable fills.
func (o *document) wireName(name string, path ast.Path) string {
	inside := parsePath(name)
	if found := o.memberAt(slices.Concat(path, inside)); found != "" {
		return found
	}
	if len(inside) == 0 {
		return name
	}
	head := string(inside[0].(ast.PathName))
	for _, m := range o.members {
		if m.Variable == head {
			return m.wire + pathText(inside[1:])
		}
	}
	for _, m := range o.members {
		if m.alias == head {
			return m.wire + pathText(inside[1:])
		}
	}
	return name
}

var pathStep = regexp.MustCompile(`\[\d+\]|[^.\[]+`)

// parsePath reads a path as in point[3].x; it is empty unless it begins with a
// name.
func parsePath(name string) (path ast.Path) {
	for _, step := range pathStep.FindAllString(name, -1) {
		if n, err := strconv.Atoi(strings.Trim(step, "[]")); err == nil && step[0] == '[' {
			path = append(path, ast.PathIndex(n))
		} else {
			path = append(path, ast.PathName(step))
		}
	}
	if len(path) > 0 {
		if _, ok := path[0].(ast.PathName); !ok {
			return nil
		}
	}
	return path
}

// memberAt returns the member that an error's path points to, or "". The path of
// an error in an argument is the field, then the argument, then the path inside
// its value.
func (o *document) memberAt(path ast.Path) string {
	set := o.def.SelectionSet
	for i, element := range path {
		name, ok := element.(ast.PathName)
		if !ok {
			continue // an index of a list in the data
		}
		field := named(set, string(name))
		if field == nil {
			return ""
		}
		if i+1 < len(path) {
			if next, ok := path[i+1].(ast.PathName); ok {
				if arg := field.Arguments.ForName(string(next)); arg != nil {
					return o.memberInLiteral(arg.Value, path[i+2:])
				}
			}
		}
		set = field.SelectionSet
	}
	return ""
}

func named(set ast.SelectionSet, key string) (found *ast.Field) {
	fields(set, func(f *ast.Field, _ bool) {
		if f.Alias == key && found == nil {
			found = f
		}
	})
	return found
}

// memberInLiteral follows a path into a literal up to a variable.
func (o *document) memberInLiteral(v *ast.Value, path ast.Path) string {
	if v.Kind == ast.Variable {
		if m := o.member(v.Raw); m != nil {
			return m.wire + pathText(path)
		}
		return ""
	}
	if len(path) == 0 {
		return ""
	}
	switch step := path[0].(type) {
	case ast.PathName:
		if child := v.Children.ForName(string(step)); child != nil {
			return o.memberInLiteral(child, path[1:])
		}
	case ast.PathIndex:
		if i := int(step); i >= 0 && i < len(v.Children) {
			return o.memberInLiteral(v.Children[i].Value, path[1:])
		}
	}
	return ""
}

// pathText writes the rest of a path as in [3].x.
func pathText(path ast.Path) string {
	var b strings.Builder
	for _, step := range path {
		switch step := step.(type) {
		case ast.PathName:
			b.WriteString("." + string(step))
		case ast.PathIndex:
			b.WriteString("[" + strconv.Itoa(int(step)) + "]")
		}
	}
	return b.String()
}
