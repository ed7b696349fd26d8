// Package rootfield reads the facts about an operation that stand on its root
// fields as directives: who may call it, with which token, in which transaction,
// and what is remembered of it.
package rootfield

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"workforce/internal/token"
	"workforce/internal/viewer"
)

// A Field holds the facts about one root field.
type Field struct {
	Name  string
	Write bool // it is a mutation

	Token  Token
	Access Access

	OwnTransactions bool   // @transaction(none: true): it runs short transactions of its own
	NeverRemembered bool   // @remember(never: true): its answer is never stored or replayed
	Widget          string // @widget: the widget whose tokens are good for it, by GET; "" for none
	Cached          bool   // @cached: its answer holds for one version of the company's directory
	Limit           Limit
}

// A Limit says which events of one network address are limited.
type Limit struct {
	Event  string // "" for none
	Unless token.Kind
}

// A Token says which tokens a field takes.
type Token struct {
	Kinds    []token.Kind
	All      bool         // every kind is needed; else any one
	Optional bool         // works without any token too
	Expired  bool         // an expired access token is as good
	Also     []token.Kind // looked up besides
	Fresh    bool         // looked up in the database, never in the cache
}

// An Access says who may call a field.
type Access struct {
	Public   bool // everybody, signed in or not
	Self     bool // everybody signed in, about themselves
	People   bool // API keys are refused, whatever they may
	Resource string
	Action   string
	Scope    viewer.Scope // the least scope of the permission that a write needs
	Entity   string       // of the row that the argument names; "" for none
	Argument string       // with the id of the row
}

// Fields are the facts about the root fields of a schema, by name.
type Fields map[string]*Field

var tokenKinds = map[string]token.Kind{
	"ACCESS": token.Access, "REFRESH": token.Refresh, "USER": token.User, "DEVICE": token.Device,
}

// Load reads the facts about all root fields of a schema. The error lists every
// field whose @access is missing or wrong.
func Load(schema *ast.Schema) (Fields, error) {
	all := Fields{}
	var faults []error
	for _, root := range []*ast.Definition{schema.Query, schema.Mutation, schema.Subscription} {
		if root == nil {
			continue
		}
		for _, def := range root.Fields {
			if strings.HasPrefix(def.Name, "__") {
				continue
			}
			f := Read(def)
			f.Write = root == schema.Mutation
			if err := f.Access.check(def); err != nil {
				faults = append(faults, fmt.Errorf("%s.%s: %w", root.Name, def.Name, err))
			}
			all[def.Name] = f
		}
	}
	return all, errors.Join(faults...)
}

// Of returns the facts about the root fields of an operation, in order.
func (all Fields) Of(op *ast.OperationDefinition) []*Field {
	var fields []*Field
	for _, f := range Selected(op.SelectionSet) {
		if known := all[f.Name]; known != nil {
			fields = append(fields, known)
		}
	}
	return fields
}

// OwnTransactions reports whether an operation has a field that runs transactions
// of its own. The fields tell; the operation's name is the client's to choose.
func (all Fields) OwnTransactions(op *ast.OperationDefinition) bool {
	return slices.ContainsFunc(all.Of(op), func(f *Field) bool { return f.OwnTransactions })
}

// Needs are the tokens that an operation may use.
type Needs struct {
	Kinds []token.Kind // each once; not nil
	Fresh bool         // at least one field takes no cached look-up

	Widget string // whose tokens are as good as access tokens; "" for none
}

// Needs returns the tokens that an operation may use.
func (all Fields) Needs(op *ast.OperationDefinition) Needs {
	n := Needs{Kinds: []token.Kind{}}
	for _, f := range all.Of(op) {
		n.Kinds = append(append(n.Kinds, f.Token.Kinds...), f.Token.Also...)
		n.Fresh = n.Fresh || f.Token.Fresh
	}
	if fields := all.Of(op); len(fields) == 1 {
		n.Widget = fields[0].Widget
	}
	slices.Sort(n.Kinds)
	n.Kinds = slices.Compact(n.Kinds)
	return n
}

// Selected returns the fields of an operation's own selection, those of fragments
// included, each fragment once.
func Selected(set ast.SelectionSet) []*ast.Field {
	return (&selection{}).fields(nil, set)
}

// Unconditional is Selected without what has directives, such as @skip.
func Unconditional(set ast.SelectionSet) []*ast.Field {
	return (&selection{unconditional: true}).fields(nil, set)
}

// A selection is what Selected has visited.
type selection struct {
	unconditional bool
	fragments     []string
}

func (s *selection) fields(all []*ast.Field, set ast.SelectionSet) []*ast.Field {
	for _, one := range set {
		switch one := one.(type) {
		case *ast.Field:
			if s.counts(one.Directives) {
				all = append(all, one)
			}
		case *ast.InlineFragment:
			if s.counts(one.Directives) {
				all = s.fields(all, one.SelectionSet)
			}
		case *ast.FragmentSpread:
			if s.counts(one.Directives) && !slices.Contains(s.fragments, one.Name) {
				s.fragments = append(s.fragments, one.Name)
				all = s.fields(all, one.Definition.SelectionSet)
			}
		}
	}
	return all
}

// Selects reports whether a selection, at any depth, has a field that match accepts.
// It visits each fragment once.
func Selects(set ast.SelectionSet, match func(*ast.Field) bool) bool {
	return (&selection{}).selects(set, match)
}

func (s *selection) selects(set ast.SelectionSet, match func(*ast.Field) bool) bool {
	return slices.ContainsFunc(set, func(one ast.Selection) bool {
		switch one := one.(type) {
		case *ast.Field:
			return match(one) || s.selects(one.SelectionSet, match)
		case *ast.InlineFragment:
			return s.selects(one.SelectionSet, match)
		case *ast.FragmentSpread:
			if slices.Contains(s.fragments, one.Name) {
				return false
			}
			s.fragments = append(s.fragments, one.Name)
			return s.selects(one.Definition.SelectionSet, match)
		}
		return false
	})
}

func (s *selection) counts(d ast.DirectiveList) bool { return !s.unconditional || len(d) == 0 }

// Read reads the facts about one root field from its directives.
func Read(def *ast.FieldDefinition) *Field {
	return &Field{
		Name: def.Name, Token: TokenOf(def), Access: readAccess(def),
		OwnTransactions: directive{def, "transaction"}.flag("none"),
		NeverRemembered: directive{def, "remember"}.flag("never"),
		Widget:          directive{def, "widget"}.text("name"),
		Cached:          def.Directives.ForName("cached") != nil,
		Limit:           readLimit(directive{def, "limit"}),
	}
}

// TokenOf reads @token of a root field; without it, a field takes an access token.
func TokenOf(def *ast.FieldDefinition) Token {
	d := directive{def, "token"}
	if def.Directives.ForName("token") == nil {
		return Token{Kinds: []token.Kind{token.Access}}
	}
	t := Token{
		Kinds: d.kinds("kinds"), Also: d.kinds("also"),
		All: d.flag("all"), Optional: d.flag("optional"), Expired: d.flag("expired"), Fresh: d.flag("fresh"),
	}
	t.Fresh = t.Fresh || slices.ContainsFunc(t.Kinds, func(k token.Kind) bool { return k != token.Access })
	return t
}

func readLimit(d directive) Limit {
	return Limit{Event: d.text("event"), Unless: tokenKinds[d.text("unless")]}
}

func readAccess(def *ast.FieldDefinition) Access {
	d := directive{def, "access"}
	a := Access{
		Public: d.flag("public"), Self: d.flag("self"), Resource: d.text("resource"), Action: d.text("action"),
		Scope: viewer.ParseScope(d.text("scope")), Entity: d.text("row"), Argument: d.text("id"),
	}
	if a.People = a.Public || a.Self; d.argument("people") != nil {
		a.People = d.flag("people")
	}
	if a.Scope == viewer.None {
		a.Scope = viewer.Own
	}
	if a.Entity != "" && a.Argument == "" {
		a.Argument = "id"
	}
	return a
}

func (a Access) check(def *ast.FieldDefinition) error {
	switch {
	case def.Directives.ForName("access") == nil:
		return errors.New("@access is missing")
	case a.Public && a.Self, a.Public && a.Resource != "":
		return errors.New("@access says public and something else")
	case a.Public, a.Self && a.Resource == "":
		return nil
	case !viewer.IsPermission(a.Resource + "." + a.Action + ".own"):
		return fmt.Errorf("@access names no permission: %s.%s", a.Resource, a.Action)
	case a.Entity != "" && def.Arguments.ForName(a.Argument) == nil:
		return fmt.Errorf("@access names no argument: %s", a.Argument)
	}
	return nil
}

// A directive is one of a field, by name; the field may lack it.
type directive struct {
	field *ast.FieldDefinition
	name  string
}

func (d directive) argument(name string) *ast.Value {
	found := d.field.Directives.ForName(d.name)
	if found == nil {
		return nil
	}
	if a := found.Arguments.ForName(name); a != nil {
		return a.Value
	}
	return nil
}

func (d directive) flag(name string) bool {
	v := d.argument(name)
	return v != nil && v.Raw == "true"
}

func (d directive) text(name string) string {
	if v := d.argument(name); v != nil {
		return v.Raw
	}
	return ""
}

func (d directive) kinds(name string) (kinds []token.Kind) {
	if v := d.argument(name); v != nil {
		for _, k := range v.Children {
			kinds = append(kinds, tokenKinds[k.Value.Raw])
		}
	}
	return kinds
}
