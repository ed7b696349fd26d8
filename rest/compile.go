package rest

import (
	"errors"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"

	"workforce/internal/deprecation"
	"workforce/internal/operation"
	"workforce/internal/variables"
)

// A document is one checked operation document.
type document struct {
	def       *ast.OperationDefinition // without the directives of documents
	query     string                   // the same as text, which tells operations apart
	prepared  operation.Prepared       // def, without variables
	members   []*member                // what a request may hold, as declared
	variables []variables.Variable     // of the members, in their order
	response  *slot                    // where body and headers are in the data
	secret    bool                     // the response holds a secret: never stored
	nullable  bool                     // null is a response
	file      bool                     // the response is a file that the store has

	deprecated *deprecation.Notice                // the operation will go; nil if not
	going      map[*ast.Field]*deprecation.Notice // members of the response that will go
	warns      bool                               // a request may use something that will go
}

// An endpoint is an operation at one method and path.
type endpoint struct {
	Endpoint
	*document
	pos *ast.Position // of @endpoint
}

// A member is one variable of an operation.
type member struct {
	*ast.VariableDefinition
	wire  string // its name in requests
	alias string // name of the argument or input field that it fills
	doc   string // its description, or that of what it fills

	// required: a request must hold the member, by its type or by the schema's
	// @required. The latter is checked by the resolver, unless there are other
	// faults.
	required bool
	digits   int // of text that the schema marks @digits

	deprecated *deprecation.Notice // it will go, or what it fills; nil if not
}

// member returns the member of a variable, or nil.
func (o *document) member(variable string) *member {
	for _, m := range o.members {
		if m.Variable == variable {
			return m
		}
	}
	return nil
}

// A compiler turns one document into endpoints and collects its problems.
type compiler struct {
	schema   *ast.Schema // with the directives of documents
	file     string
	shapes   string // fragments that documents share
	problems problems
}

func (c *compiler) compile(text string) []*endpoint {
	doc, err := parser.ParseQueryWithTokenLimit(&ast.Source{Name: c.file, Input: text}, operation.MaxTokens)
	if err != nil {
		c.note(err)
		return nil
	}
	c.share(doc)
	invalid := validator.ValidateWithRules(c.schema, doc, nil)
	c.problems = append(c.problems, invalid...)
	if !c.single(doc) {
		return nil
	}
	def := doc.Operations[0]
	op := &document{def: def, members: c.members(def)}
	endpoints := c.endpoints(op)
	if len(invalid) > 0 {
		return endpoints
	}
	c.selection(op)
	op.secret = secret(def.SelectionSet)
	describe(op)
	c.going(op)
	for _, m := range op.members {
		op.variables = append(op.variables, variables.Variable{VariableDefinition: m.VariableDefinition, Field: m.wire, Required: m.required, Digits: m.digits})
	}
	strip(doc)
	op.keep(doc)
	return endpoints
}

// share adds the shared fragments that a document uses and does not define.
func (c *compiler) share(doc *ast.QueryDocument) {
	shared, err := parser.ParseQueryWithTokenLimit(&ast.Source{Name: shapesFile, Input: c.shapes}, operation.MaxTokens)
	if err != nil {
		c.note(err)
		return
	}
	for _, op := range shared.Operations {
		c.problems.add(op.Position, "%s holds fragments; this is an operation", shapesFile)
	}
	var use func(set ast.SelectionSet)
	use = func(set ast.SelectionSet) {
		for _, s := range set {
			switch s := s.(type) {
			case *ast.Field:
				use(s.SelectionSet)
			case *ast.InlineFragment:
				use(s.SelectionSet)
			case *ast.FragmentSpread:
				f := shared.Fragments.ForName(s.Name)
				if f != nil && doc.Fragments.ForName(s.Name) == nil {
					doc.Fragments = append(doc.Fragments, f)
					use(f.SelectionSet)
				}
			}
		}
	}
	for _, op := range doc.Operations {
		use(op.SelectionSet)
	}
	for _, f := range slices.Clone(doc.Fragments) {
		use(f.SelectionSet)
	}
}

// single checks that the document is one named query or mutation.
func (c *compiler) single(doc *ast.QueryDocument) bool {
	if len(doc.Operations) == 0 {
		c.problems.add(&ast.Position{Src: &ast.Source{Name: c.file}, Line: 1, Column: 1}, "there is no operation")
		return false
	}
	for _, op := range doc.Operations[1:] {
		c.problems.add(op.Position, "a document holds one operation; this is another")
	}
	op := doc.Operations[0]
	if op.Name == "" {
		c.problems.add(op.Position, "the operation has no name")
	}
	if op.Operation == ast.Subscription {
		c.problems.add(op.Position, "a subscription cannot be an endpoint")
	}
	return true
}

// keep keeps the document, without the directives of documents, for the executor: its
// definitions are those of the plain schema.
func (o *document) keep(doc *ast.QueryDocument) {
	var b strings.Builder
	formatter.NewFormatter(&b, formatter.WithoutDescription(), formatter.WithIndent("")).FormatQueryDocument(doc)
	o.query = b.String()
	o.prepared = operation.New(doc, o.def)
	o.prepared.Trusted = true
}

func (c *compiler) note(err error) {
	var e *gqlerror.Error
	if !errors.As(err, &e) {
		e = gqlerror.Wrap(err)
	}
	if _, ok := e.Extensions["file"]; !ok {
		e.SetFile(c.file)
	}
	c.problems = append(c.problems, e)
}

// text returns a directive's argument, which must be written out.
func (c *compiler) text(d *ast.Directive, name string) string {
	arg := d.Arguments.ForName(name)
	if arg == nil || arg.Value == nil {
		return "" // reported by the validator
	}
	if arg.Value.Kind == ast.Variable {
		c.problems.add(arg.Position, "%s of @%s must be written out", name, d.Name)
		return ""
	}
	return arg.Value.Raw
}

// going reads what documents, and the schema of what they fill and select, say of what will go.
func (c *compiler) going(op *document) {
	op.deprecated = c.notice(op.def.Directives, op.def.Name)
	for _, m := range op.members {
		if n := c.notice(m.Directives, op.def.Name+"."+m.wire); n != nil {
			m.deprecated = n
		}
	}
	op.going = map[*ast.Field]*deprecation.Notice{}
	var walk func(set ast.SelectionSet)
	walk = func(set ast.SelectionSet) {
		fields(set, func(f *ast.Field, _ bool) {
			if n := c.notice(f.Directives, op.def.Name+"."+f.Alias); n != nil {
				op.going[f] = n
			} else if n, _ := deprecation.Read(f.Definition.Directives, f.Alias); n != nil {
				op.going[f] = n
			}
			walk(f.SelectionSet)
		})
	}
	walk(op.def.SelectionSet)
}

// notice reads @deprecated of a document.
func (c *compiler) notice(list ast.DirectiveList, what string) *deprecation.Notice {
	n, err := deprecation.Read(list, what)
	if err != nil {
		c.problems.add(list.ForName(deprecated).Position, "@deprecated: %v", err)
	}
	return n
}

// secret reports whether a selection holds a field that the schema marks @secret.
func secret(set ast.SelectionSet) (found bool) {
	fields(set, func(f *ast.Field, _ bool) {
		found = found || f.Definition.Directives.ForName("secret") != nil || secret(f.SelectionSet)
	})
	return found
}

// describe determines which argument or input field each variable fills.
func describe(op *document) {
	fields(op.def.SelectionSet, func(f *ast.Field, _ bool) { describeField(op, f) })
	for _, m := range op.members {
		if m.Description != "" {
			m.doc = m.Description
		}
	}
}

func describeField(op *document, f *ast.Field) {
	for _, arg := range f.Arguments {
		if def := f.Definition.Arguments.ForName(arg.Name); def != nil {
			gone, _ := deprecation.Read(def.Directives, f.ObjectDefinition.Name+"."+f.Name+"("+arg.Name+":)")
			describeValue(op, arg.Value, arg.Name, filled{doc: def.Description, deprecated: gone})
		}
	}
	fields(f.SelectionSet, func(f *ast.Field, _ bool) { describeField(op, f) })
}

// filled is what a value fills: an argument or, where field is set, a field of an input object.
type filled struct {
	doc        string
	deprecated *deprecation.Notice
	field      *ast.FieldDefinition
}

// describeValue describes the members of a value.
func describeValue(op *document, v *ast.Value, name string, of filled) {
	if m := op.member(v.Raw); v.Kind == ast.Variable && m != nil && m.alias == "" {
		m.alias, m.doc, m.deprecated = name, of.doc, of.deprecated
		if of.field != nil {
			m.required = m.required || of.field.Directives.ForName("required") != nil
			m.digits = variables.Digits(of.field)
		}
	}
	for _, child := range v.Children {
		name, of := name, filled{doc: of.doc, deprecated: of.deprecated}
		if v.Kind == ast.ObjectValue {
			name, of = child.Name, filled{}
			if v.Definition != nil {
				of.field = v.Definition.Fields.ForName(child.Name)
			}
			if of.field != nil {
				of.doc = of.field.Description
				of.deprecated, _ = deprecation.Read(of.field.Directives, v.Definition.Name+"."+name)
			}
		}
		describeValue(op, child.Value, name, of)
	}
}
