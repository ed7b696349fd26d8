package graph

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"maps"
	"math"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"workforce/internal/viewer"
)

// directoryFields are the root fields whose answers are kept: they read what
// schema.InDirectory watches, and nothing else.
var directoryFields = []string{
	"employees", "users", "user", "roleList", "roles", "role",
	"designations", "designation", "businesses", "business", "company",
}

// directoryTypes are the types that such an answer is made of.
var directoryTypes = []string{
	"EmployeeList", "User", "UserConnection", "UserEdge", "MobileNumber",
	"RoleEntry", "Role", "RoleConnection", "RoleEdge",
	"Designation", "DesignationConnection", "DesignationEdge",
	"Business", "BusinessConnection", "BusinessEdge",
	"Company", "PageInfo",
}

// validated answers a query of the directory with the data kept for it, as long
// as the company's directory has the version under which that was read. It comes
// after everything that may refuse the caller.
func (r *Resolver) validated(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	oc, me := graphql.GetOperationContext(ctx), viewer.From(ctx)
	if r.Answers == nil || me.UserID == 0 || !ofDirectory(oc.Operation) {
		return next(ctx)
	}
	key, ok := questionOf(oc, me)
	if !ok {
		return next(ctx)
	}
	return single(func(context.Context) *graphql.Response {
		load := func() *graphql.Response { return next(ctx)(ctx) }
		version, err := r.directoryVersion(ctx, me.CompanyID) // before anything else is read
		if err != nil {
			return load() // which says what is wrong, if it still is
		}
		return r.Answers.get(ctx, key, version, load)
	})
}

// directoryVersion returns the version of a company's directory, as of now.
func (r *Resolver) directoryVersion(ctx context.Context, company int) (version int, err error) {
	rows, err := r.DB.QueryContext(ctx, "SELECT version FROM directory_versions WHERE id = ?", company)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	if rows.Next() {
		err = rows.Scan(&version)
	}
	if err == nil {
		err = rows.Err()
	}
	return version, err
}

// ofDirectory reports whether an operation reads the directory alone.
func ofDirectory(op *ast.OperationDefinition) bool {
	if op.Operation != ast.Query || len(op.Directives) > 0 {
		return false
	}
	for _, f := range rootFields(op.SelectionSet) {
		if !slices.Contains(directoryFields, f.Name) {
			return false
		}
	}
	return selectsDirectory(op.SelectionSet, map[string]bool{})
}

// selectsDirectory reports whether all that a selection leads to is of
// directoryTypes, and no directive but skip and include says how. It looks at
// each fragment once.
func selectsDirectory(set ast.SelectionSet, seen map[string]bool) bool {
	for _, s := range set {
		var directives ast.DirectiveList
		var below ast.SelectionSet
		switch s := s.(type) {
		case *ast.Field:
			directives, below = s.Directives, s.SelectionSet
			if len(below) > 0 && !slices.Contains(directoryTypes, s.Definition.Type.Name()) {
				return false
			}
		case *ast.InlineFragment:
			directives, below = s.Directives, s.SelectionSet
		case *ast.FragmentSpread:
			directives = s.Directives
			if !seen[s.Name] {
				seen[s.Name], below = true, s.Definition.SelectionSet
			}
		}
		for _, d := range directives {
			if d.Name != "skip" && d.Name != "include" {
				return false
			}
		}
		if !selectsDirectory(below, seen) {
			return false
		}
	}
	return true
}

// questionOf returns what tells an operation of a viewer from every other whose
// answer may differ. It reports false for variables that it does not know.
//
// Who asks counts by company, permissions and team alone: the directory is the
// same for everybody in a company but for people who are not active, whom only
// those see who may change people.
func questionOf(oc *graphql.OperationContext, me *viewer.Viewer) (key answerKey, ok bool) {
	q := question{text: make([]byte, 0, 4096), known: true}
	q.number(me.CompanyID)
	q.number(len(me.Permissions))
	for _, p := range me.Permissions {
		q.string(p)
	}
	q.number(len(me.Businesses))
	for _, id := range me.Businesses {
		q.number(id)
	}
	q.string(oc.RawQuery)
	q.string(oc.Operation.Name)
	q.value(oc.Variables)
	return sha256.Sum256(q.text), q.known
}

// A question is a sequence of values, written so that no other sequence is
// written alike.
type question struct {
	text  []byte
	known bool // all values are of types that it knows
}

func (q *question) number(n int) { q.text = binary.AppendVarint(q.text, int64(n)) }

func (q *question) string(s string) {
	q.number(len(s))
	q.text = append(q.text, s...)
}

// value writes a value of a variable, with its type: 1 and "1" may be taken
// differently.
func (q *question) value(v any) {
	switch v := v.(type) {
	case nil:
		q.text = append(q.text, '0')
	case bool:
		q.text = append(q.text, 'f')
		if v {
			q.text[len(q.text)-1] = 't'
		}
	case string:
		q.text = append(q.text, '"')
		q.string(v)
	case json.Number:
		q.text = append(q.text, '#')
		q.string(string(v))
	case int:
		q.text = append(q.text, 'i')
		q.number(v)
	case int64:
		q.text = append(q.text, 'l')
		q.number(int(v))
	case float64:
		q.text = binary.AppendUvarint(append(q.text, '.'), math.Float64bits(v))
	case []any:
		q.text = append(q.text, '[')
		q.number(len(v))
		for _, element := range v {
			q.value(element)
		}
	case map[string]any:
		q.text = append(q.text, '{')
		q.number(len(v))
		for _, name := range slices.Sorted(maps.Keys(v)) {
			q.string(name)
			q.value(v[name])
		}
	default:
		q.known = false
	}
}
