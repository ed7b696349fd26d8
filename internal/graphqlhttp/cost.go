package graphqlhttp

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/vektah/gqlparser/v2/ast"

	"workforce/internal/errs"
)

// What the cost takes for a length that neither an operation nor @cost gives.
const (
	connectionLength = 50     // of a connection
	listLength       = 10_000 // of a list of the query or mutation itself
	innerLength      = 10     // of a list inside an object
)

// Days of a period, for the cost of fields whose work follows people and days.
const (
	weekDays = 7   // without bounds
	mostDays = 366 // fields refuse more
)

// valueBytes is the estimate of a scalar in an answer, without its name: what it
// takes while the answer is made, not just its text.
const valueBytes = 64

// itemCost is what a mutation costs at least for each item that its input lists, up to listLength in
// all: each is read, judged and written.
const itemCost = 100

// hashCost is the cost of a password: its hash takes 30 ms of a CPU, and twenty would
// take as long as an operation may that answers with the most objects.
const hashCost = 2000

// The limits of filters, and what they cost.
const (
	MaxConditions = 200  // of all filters, edges included
	MaxEdges      = 5    // of a filter, inside each other
	MaxText       = 1000 // characters of a text in a filter

	conditionCost = 10
	edgeCost      = 100
)

// An extent is what an operation asks for. No figure goes beyond 2^30.
type extent struct {
	Depth       int // fields inside each other
	RootFields  int
	Fields      int
	Conditions  int // of all filters, edges included
	Edges       int // of a filter, inside each other
	Cost        int // objects that may be returned, filters and passwords
	Bytes       int // of scalars that may be returned, estimated
	Introspects bool
	Defers      bool
	Faults      errs.Faults // of filters
}

// extentOf measures a selection of the query or mutation, with all fragments in place.
func extentOf(schema *ast.Schema, selections ast.SelectionSet, variables map[string]any) extent {
	m := meter{schema: schema, vars: variables, fragments: map[fragmentOf]shape{}}
	s := m.set(selections)
	all := s.total.plus(s.perItem.times(listLength))
	return extent{s.depth, s.width, s.fields, s.conditions, s.edges, all.cost, all.bytes, m.introspects, m.defers, m.faults}
}

// shape is the extent of a selection set, with all fragments in place. No
// figure goes beyond huge.
type shape struct {
	depth   int
	width   int // fields at the top
	fields  int
	total   amount // without perItem
	perItem amount // for each item of the lists at the top that say no length

	conditions int // of filters
	edges      int // of filters, inside each other
}

// amount is what may be returned.
type amount struct {
	cost  int
	bytes int // of scalars, estimated
}

// huge is more than any limit, and huge × huge fits in an int.
const huge = 1 << 30

func addCosts(a, b int) int { return min(a+b, huge) }

func (a amount) plus(b amount) amount {
	return amount{addCosts(a.cost, b.cost), addCosts(a.bytes, b.bytes)}
}

func (a amount) times(n int) amount { return amount{min(n*a.cost, huge), min(n*a.bytes, huge)} }

func (s shape) plus(t shape) shape {
	return shape{
		depth:      max(s.depth, t.depth),
		width:      addCosts(s.width, t.width),
		fields:     addCosts(s.fields, t.fields),
		total:      s.total.plus(t.total),
		perItem:    s.perItem.plus(t.perItem),
		conditions: addCosts(s.conditions, t.conditions),
		edges:      max(s.edges, t.edges),
	}
}

// A meter measures one operation, every fragment of it once.
type meter struct {
	schema              *ast.Schema
	vars                map[string]any
	days                int // of the period of the fields around; 0 where they have none
	fragments           map[fragmentOf]shape
	introspects, defers bool
	faults              errs.Faults // of filters
}

// A fragmentOf is a fragment within a period of some days.
type fragmentOf struct {
	name string
	days int
}

func (m *meter) set(selections ast.SelectionSet) (s shape) {
	for _, sel := range selections {
		switch sel := sel.(type) {
		case *ast.Field:
			s = s.plus(m.field(sel))
		case *ast.InlineFragment:
			m.directives(sel.Directives)
			s = s.plus(m.set(sel.SelectionSet))
		case *ast.FragmentSpread:
			m.directives(sel.Directives)
			s = s.plus(m.fragment(sel.Definition))
		}
	}
	return s
}

func (m *meter) directives(d ast.DirectiveList) {
	m.defers = m.defers || d.ForName("defer") != nil
}

func (m *meter) fragment(f *ast.FragmentDefinition) shape {
	of := fragmentOf{f.Name, m.days}
	s, seen := m.fragments[of]
	if !seen {
		m.fragments[of] = shape{} // should it lead back here, it adds nothing
		s = m.set(f.SelectionSet)
		m.fragments[of] = s
	}
	return s
}

// field measures a field and what is below it. A scalar costs nothing; an
// object 1, times the length of its list and of the lists around it. In a
// connection the length is an argument of the object around the lists. @cost
// may say more.
func (m *meter) field(f *ast.Field) shape {
	m.introspects = m.introspects || f.Name == "__schema" || f.Name == "__type"
	below := m.below(f)
	s := shape{depth: 1 + below.depth, width: 1, fields: addCosts(1, below.fields), conditions: below.conditions, edges: below.edges}
	filter := m.filterOf(f)
	s.conditions = addCosts(s.conditions, filter.conditions)
	s.edges = max(s.edges, filter.edges)
	s.total.cost = addCosts(filter.cost, m.hashes(f)*hashCost)
	if len(f.SelectionSet) == 0 {
		s.total.bytes = len(f.Alias) + valueBytes
		return s
	}
	said := saidOf(f.Definition)
	n, sized := m.length(f, said)
	isList := f.Definition.Type.Elem != nil
	inner := n // the length of the lists in one object
	if isList || !sized {
		inner = innerLength
	}
	object := below.total.plus(below.perItem.times(inner)).plus(amount{cost: 1})
	switch {
	case !isList:
		s.total = s.total.plus(object)
	case sized:
		s.total = s.total.plus(object.times(n))
	default:
		s.perItem = object
	}
	s.total.cost = max(s.total.cost, m.work(f, said, n), m.writes(f))
	return s
}

// below measures what is below a field, in its period where it has one.
func (m *meter) below(f *ast.Field) shape {
	around := m.days
	for _, name := range []string{"weeks", "from", "to"} {
		if f.Definition.Arguments.ForName(name) != nil {
			m.days = m.daysOf(f)
		}
	}
	s := m.set(f.SelectionSet)
	m.days = around
	return s
}

// said is what @cost says of a field; zero for nothing.
type said struct {
	length, people, atLeast            int
	perDay, perPersonDay, lengthPerDay float64
}

func saidOf(def *ast.FieldDefinition) (s said) {
	if d := def.Directives.ForName("cost"); d != nil {
		values := d.ArgumentMap(nil)
		number := func(name string) float64 { // 0 where it is absent
			n, _ := strconv.ParseFloat(fmt.Sprint(values[name]), 64)
			return n
		}
		s = said{
			length: int(number("length")), people: int(number("people")), atLeast: int(number("atLeast")),
			perDay: number("perDay"), perPersonDay: number("perPersonDay"), lengthPerDay: number("lengthPerDay"),
		}
	}
	return s
}

// work returns what a field costs at least, whatever it answers. n is the length of its list.
func (m *meter) work(f *ast.Field, said said, n int) int {
	people, least := max(n, said.people), said.atLeast
	ids, named := m.given(f, "userIds").([]any)
	switch {
	case m.given(f, "userId") != nil:
		people, least = 1, 0
	case named && f.Definition.Arguments.ForName("limit") != nil:
		people, least = min(n, len(ids)), 0
	case named:
		people, least = len(ids), 0
	}
	days := float64(m.daysOf(f))
	return max(least, int(min(days*(said.perDay+float64(people)*said.perPersonDay), huge)))
}

// daysOf returns how many days the period of a field has: as many weeks as it says. Without its
// start it is the week of its end, and without its end it goes to the end of this week.
func (m *meter) daysOf(f *ast.Field) int {
	if weeks, err := strconv.Atoi(fmt.Sprint(m.given(f, "weeks"))); err == nil {
		return min(max(weeks, 1)*weekDays, mostDays)
	}
	from, hasFrom := dateOf(m.given(f, "from"))
	to, hasTo := dateOf(m.given(f, "to"))
	switch {
	case !hasFrom:
		return weekDays
	case !hasTo:
		to = time.Now().AddDate(0, 0, weekDays) // the last day of this week is not after it
	}
	return min(max(int(to.Sub(from).Hours()/24)+1, 1), mostDays)
}

// dateOf returns the date that a text begins with.
func dateOf(value any) (time.Time, bool) {
	text := fmt.Sprint(value)
	at, err := time.Parse(time.DateOnly, text[:min(len(text), len(time.DateOnly))])
	return at, err == nil
}

// given returns the value of an argument of f; nil where it is absent, null, or cannot be read.
func (m *meter) given(f *ast.Field, name string) any {
	arg := f.Arguments.ForName(name)
	if arg == nil {
		return nil
	}
	value, err := arg.Value.Value(m.vars)
	if err != nil {
		return nil
	}
	return value
}

// hashes returns how many passwords the arguments of f hold.
func (m *meter) hashes(f *ast.Field) (n int) {
	for _, arg := range f.Arguments {
		def := f.Definition.Arguments.ForName(arg.Name)
		if def == nil {
			continue // the executor reports it
		}
		value, err := arg.Value.Value(m.vars)
		object, ok := value.(map[string]any)
		if err != nil || !ok {
			continue
		}
		for _, member := range m.schema.Types[def.Type.Name()].Fields {
			if object[member.Name] != nil && member.Directives.ForName("hashed") != nil {
				n++
			}
		}
	}
	return n
}

// length returns how many items f asks for, and whether it can be said: by an argument, by what a
// list answers for one by one, or by @cost.
func (m *meter) length(f *ast.Field, said said) (n int, sized bool) {
	n = -1
	fallback := listLength
	for _, name := range []string{"first", "last", "limit"} {
		if def := f.Definition.Arguments.ForName(name); def != nil {
			sized = true
			n = max(n, m.number(f.Arguments.ForName(name), def.DefaultValue))
			if name != "limit" {
				fallback = connectionLength
			}
		}
	}
	if said.length > 0 {
		fallback, sized = said.length, true
	}
	if said.lengthPerDay > 0 {
		fallback, sized = int(math.Ceil(said.lengthPerDay*float64(max(m.days, 1)))), true
	}
	if n < 0 {
		n = fallback
	}
	if items, ok := m.named(f); ok && f.Definition.Type.Elem != nil {
		n, sized = min(n, items), true
	}
	return n, sized
}

// named returns how many people, rows or items f names, of which its list has at most one object each:
// in an argument, or in a member of its input.
func (m *meter) named(f *ast.Field) (n int, ok bool) {
	if ids, ok := m.given(f, "userIds").([]any); ok {
		return len(ids), true
	}
	return m.items(f)
}

// items returns how many people, rows or items the input of f lists.
func (m *meter) items(f *ast.Field) (n int, ok bool) {
	input, _ := m.given(f, "input").(map[string]any)
	for _, name := range []string{"userIds", "ids", "items"} {
		if items, ok := input[name].([]any); ok {
			return len(items), true
		}
	}
	return 0, false
}

// writes returns what a list of items that f changes costs at least.
func (m *meter) writes(f *ast.Field) int {
	if n, ok := m.items(f); ok && f.Definition.Type.Elem != nil {
		return min(n*itemCost, listLength)
	}
	return 0
}

// number returns the value of an argument: -1 when it is absent or null, huge
// when it is no number, 0 when it is below.
func (m *meter) number(arg *ast.Argument, fallback *ast.Value) int {
	value := fallback
	if arg != nil {
		value = arg.Value
	}
	v, err := value.Value(m.vars)
	if v == nil && arg != nil && value.Kind == ast.Variable {
		if _, given := m.vars[value.Raw]; !given {
			v, err = fallback.Value(m.vars)
		}
	}
	switch {
	case err != nil:
		return huge
	case v == nil:
		return -1
	}
	n, err := strconv.Atoi(fmt.Sprint(v))
	if err != nil {
		return huge
	}
	return min(max(n, 0), huge)
}
