package executor

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"workforce/ent"
	"workforce/ent/directoryversion"
	"workforce/internal/rootfield"
	"workforce/internal/viewer"
)

const selectVersion = "SELECT " + directoryversion.FieldVersion + " FROM " + directoryversion.Table + " WHERE " + directoryversion.FieldID + " = ?"

// cache answers a query of the directory from the response cache, as long as the
// company's directory has the version of the cached response. It runs after
// everything that may refuse the caller.
func (e *Executor) cache(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	oc, me := graphql.GetOperationContext(ctx), viewer.From(ctx)
	if e.Responses == nil || me.UserID == 0 || !e.cacheable(oc.Operation) {
		return next(ctx)
	}
	key, ok := cacheKeyOf(oc, me)
	if !ok {
		return next(ctx)
	}
	return single(func(context.Context) *graphql.Response {
		load := func() *graphql.Response { return next(ctx)(ctx) }
		version, err := e.directoryVersion(ctx, me.CompanyID) // before anything else is read
		if err != nil {
			return load() // which says what is wrong, if it still is
		}
		return e.Responses.get(ctx, key, version, load)
	})
}

// directoryVersion returns the version of a company's directory, as of now.
func (e *Executor) directoryVersion(ctx context.Context, company int) (version int, err error) {
	rows, err := e.DB.QueryContext(ctx, selectVersion, company)
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

// cacheable reports whether an operation reads the directory alone: its root fields
// are @cached, and all below them are columns or edges of directory entities, or
// types that are @cached.
func (e *Executor) cacheable(op *ast.OperationDefinition) bool {
	if op.Operation != ast.Query || len(op.Directives) > 0 {
		return false
	}
	for _, f := range rootfield.Selected(op.SelectionSet) {
		if known := e.Fields[f.Name]; known == nil || !known.Cached {
			return false
		}
	}
	return e.selectsDirectory(op.SelectionSet, map[string]bool{})
}

// selectsDirectory reports whether all types of a selection are of the directory,
// and no directive but skip and include stands on it. It visits each fragment once.
func (e *Executor) selectsDirectory(set ast.SelectionSet, seen map[string]bool) bool {
	for _, s := range set {
		var directives ast.DirectiveList
		var below ast.SelectionSet
		switch s := s.(type) {
		case *ast.Field:
			directives, below = s.Directives, s.SelectionSet
			if len(below) > 0 && !e.inDirectory(s.Definition.Type.Name()) {
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
		if !e.selectsDirectory(below, seen) {
			return false
		}
	}
	return true
}

// inDirectory reports whether a type is an entity of the directory, one of its
// connection's types, or @cached.
func (e *Executor) inDirectory(name string) bool {
	entity := strings.TrimSuffix(strings.TrimSuffix(name, "Connection"), "Edge")
	if ent.Facts[entity].Directory || name == "PageInfo" {
		return true
	}
	def := e.schema.Schema().Types[name]
	return def != nil && def.Directives.ForName("cached") != nil
}

// cacheKeyOf returns the cache key of an operation of a viewer. It reports false for
// variables of unknown types.
//
// Of the viewer, the key has company, permissions and team: the directory is the
// same for everybody in a company, but for inactive users, whom only those see who
// may change users. Details of people are shown to themselves too, so that an
// operation that reads any has the user in its key.
func cacheKeyOf(oc *graphql.OperationContext, me *viewer.Viewer) (key cacheKey, ok bool) {
	q := encoder{text: make([]byte, 0, 4096), known: true}
	q.number(me.CompanyID)
	q.number(len(me.Permissions))
	for _, p := range me.Permissions {
		q.string(p)
	}
	q.number(len(me.Businesses))
	for _, id := range me.Businesses {
		q.number(id)
	}
	user := 0
	all := me.Key == 0 && ent.Facts[ent.TypeUser].Access.Details(me) == viewer.All
	if !all && dependsOnDetails(oc.Operation) {
		user = me.Principal()
	}
	q.number(user)
	q.string(oc.RawQuery)
	q.string(oc.Operation.Name)
	q.value(oc.Variables)
	return sha256.Sum256(q.text), q.known
}

// dependsOnDetails reports whether an operation selects details of people, or may
// filter by them.
func dependsOnDetails(op *ast.OperationDefinition) bool {
	return rootfield.Selects(op.SelectionSet, func(f *ast.Field) bool {
		return f.Arguments.ForName("where") != nil || f.ObjectDefinition != nil && slices.Contains(ent.Details[f.ObjectDefinition.Name], f.Name)
	})
}

// An encoder writes a sequence of values so that different sequences have different
// encodings.
type encoder struct {
	text  []byte
	known bool // all values are of known types
}

func (q *encoder) number(n int) { q.text = binary.AppendVarint(q.text, int64(n)) }

func (q *encoder) string(s string) {
	q.number(len(s))
	q.text = append(q.text, s...)
}

// value writes the value of a variable with its type: 1 and "1" may be read
// differently.
func (q *encoder) value(v any) {
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
