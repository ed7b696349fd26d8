package graphqlhttp

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/ast"

	"workforce/internal/errs"
	"workforce/internal/variables"
)

// filterName is the argument that filters a connection. Its type is an input
// object as entgql makes it: and, or and not combine such objects, hasXWith holds
// those of an edge, and each other member is a condition.
const filterName = "where"

// filter is what a filter asks of the database.
type filter struct{ conditions, edges, cost int }

// filterOf measures the filter of a field. What is wrong with it is added to the
// meter's faults: objects without a condition, texts that are too long, and
// conditions that the database would not be asked for.
func (m *meter) filterOf(f *ast.Field) filter {
	def, arg := f.Definition.Arguments.ForName(filterName), f.Arguments.ForName(filterName)
	if def == nil || arg == nil {
		return filter{}
	}
	value, err := arg.Value.Value(m.vars)
	if err != nil || value == nil {
		return filter{} // the executor reports the error
	}
	var x filter
	m.predicate(&x, m.schema.Types[def.Type.Name()], value, filterName, 0)
	return x
}

// predicate measures one object of a filter, which is inside a number of edges. It
// stops at the first figure that is over its limit.
func (m *meter) predicate(x *filter, def *ast.Definition, value any, path string, edges int) {
	object, ok := value.(map[string]any)
	if !ok || def == nil {
		return // the executor reports it
	}
	x.edges = max(x.edges, edges)
	empty := true
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if object[name] == nil || x.conditions > MaxConditions || x.edges > MaxEdges {
			continue
		}
		empty = false
		m.condition(x, def, name, object[name], path+"."+name, edges)
	}
	if empty && x.conditions <= MaxConditions && x.edges <= MaxEdges {
		m.fault(path, errs.Required, nil)
	}
}

// condition measures a member of such an object that is not null.
func (m *meter) condition(x *filter, def *ast.Definition, name string, value any, path string, edges int) {
	field := def.Fields.ForName(name)
	if field == nil {
		return // the executor reports it
	}
	inner := m.schema.Types[field.Type.Name()]
	combines := name == "and" || name == "or" || name == "not"
	switch {
	case combines:
	case inner.Kind == ast.InputObject:
		edges++
		x.conditions, x.cost = x.conditions+1, x.cost+edgeCost
	case def.Fields.ForName(name+"With") != nil:
		x.conditions, x.cost = x.conditions+1, x.cost+edgeCost
		return
	default:
		x.conditions, x.cost = x.conditions+1, x.cost+conditionCost
		m.operand(name, value, path)
		return
	}
	list, isList := value.([]any)
	if !isList {
		m.predicate(x, inner, value, path, edges)
		return
	}
	if len(list) == 0 {
		m.fault(path, errs.Required, nil)
	}
	for i, v := range list {
		m.predicate(x, inner, v, path+"["+strconv.Itoa(i)+"]", edges)
	}
}

// operand checks the value that rows are compared with. entgql would leave out an
// empty list, and a test for NULL that is false.
func (m *meter) operand(name string, value any, path string) {
	switch v := value.(type) {
	case []any:
		if len(v) == 0 {
			m.fault(path, errs.Required, nil)
		}
		for i, element := range v {
			if s, ok := element.(string); ok && tooLong(s) {
				m.fault(path+"["+strconv.Itoa(i)+"]", errs.TooLong, errs.Meta{"max": MaxText})
			}
		}
	case string:
		if tooLong(v) {
			m.fault(path, errs.TooLong, errs.Meta{"max": MaxText})
		}
	case bool:
		if !v && (strings.HasSuffix(name, "IsNil") || strings.HasSuffix(name, "NotNil")) {
			m.fault(path, errs.NotOneOf, errs.Meta{"allowed": "true"})
		}
	}
}

func tooLong(s string) bool { return len(s) > MaxText && utf8.RuneCountInString(s) > MaxText }

func (m *meter) fault(path string, reason errs.Reason, meta errs.Meta) {
	if len(m.faults) < variables.MaxFaults {
		m.faults.Add(path, reason, meta)
	}
}
