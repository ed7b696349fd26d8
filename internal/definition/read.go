package definition

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"workforce/internal/errs"
)

const (
	// MaxBytes is how many bytes a file has at most.
	MaxBytes = 1 << 20
	// MaxElements is how many elements all sections of a file have together at most.
	MaxElements = 20_000
	// maxDepth is how deep lists and objects of a file lie in one another at most.
	maxDepth = 8
)

// A Fault is what is wrong with a line of a file.
type Fault struct {
	Line    int    // from 1; 0 for the file as a whole
	Section string // "" where the line is of none
	Element string // what the element is called; "" for none
	errs.Fault
}

// An Element is one thing that a file describes, with the members that are given.
type Element struct {
	Section *Section
	Line    int
	Values  map[string]any // by the name of the field; nil for null
	lines   map[string]int // of the members, and of what is in them, as in breaks.0.start
}

// Has reports whether a member is given.
func (e *Element) Has(member string) bool { _, ok := e.Values[member]; return ok }

// Text returns a text; "" for one that is absent or null.
func (e *Element) Text(member string) string { s, _ := e.Values[member].(string); return s }

// LineOf returns the line of a member, or of the nearest thing around it.
func (e *Element) LineOf(path string) int {
	for {
		if line, ok := e.lines[path]; ok {
			return line
		}
		i := strings.LastIndexByte(path, '.')
		if i < 0 {
			return e.Line
		}
		path = path[:i]
	}
}

// A File is what a file describes.
type File struct {
	// Elements are those of the sections that the file mentions, in its order. A section without
	// any has an empty list.
	Elements map[string][]*Element
	Lines    map[string]int // where the sections begin
}

// Mentions reports whether a file has a section.
func (f *File) Mentions(section string) bool { _, ok := f.Elements[section]; return ok }

// Read reads a file, or returns what is wrong with it, by line.
func Read(data []byte) (*File, []Fault) {
	r := &reader{file: &File{Elements: map[string][]*Element{}, Lines: map[string]int{}}}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if root := r.parse(data); root != nil {
		r.root(root)
	}
	return r.file, r.faults
}

// A reader collects what a file describes, and what is wrong with it.
type reader struct {
	file     *File
	faults   []Fault
	section  *Section
	elements int
}

func (r *reader) fault(line int, path string, reason errs.Reason, meta errs.Meta) {
	f := Fault{Line: line, Fault: errs.Fault{Field: path, Code: errs.Invalid, Reason: reason, Meta: meta}}
	if r.section != nil {
		f.Section = r.section.Name
	}
	r.faults = append(r.faults, f)
}

// parse returns the one document of a file; nil where it cannot be read.
func (r *reader) parse(data []byte) ast.Node {
	if len(data) > MaxBytes {
		r.faults = append(r.faults, Fault{Fault: errs.Fault{Code: errs.PayloadTooLarge,
			Meta: errs.Meta{"limit": MaxBytes}}})
		return nil
	}
	if !utf8.Valid(data) {
		line := 1
		for i, text := range bytes.Split(data, []byte("\n")) {
			if !utf8.Valid(text) {
				line = i + 1
				break
			}
		}
		r.fault(line, "", errs.NotUTF8, errs.Meta{"line": line})
		return nil
	}
	tokens := lexer.Tokenize(string(data))
	if !r.checkTokens(tokens) {
		return nil
	}
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		line := 1
		var malformed yaml.Error
		if errors.As(err, &malformed) && malformed.GetToken() != nil {
			line = malformed.GetToken().Position.Line
		}
		r.fault(line, "", errs.Unreadable, errs.Meta{"line": line})
		return nil
	}
	var root ast.Node
	for _, doc := range file.Docs {
		switch {
		case doc.Body == nil:
		case root != nil:
			line := lineOf(doc.Body)
			r.fault(line, "", errs.Unreadable, errs.Meta{"line": line})
			return nil
		default:
			root = doc.Body
		}
	}
	if root == nil {
		r.fault(0, "", errs.EmptyFile, nil)
	}
	return root
}

// checkTokens reports whether a file has nothing that is not read: aliases, anchors, tags, keys that are
// no text, and what lies so deep, or has so many members, that a parser takes long for it.
func (r *reader) checkTokens(tokens token.Tokens) bool {
	var s shape
	for _, t := range tokens {
		at := t.Position.Line
		switch t.Type {
		case token.AnchorType, token.AliasType, token.TagType, token.MergeKeyType, token.MappingKeyType,
			token.DirectiveType:
			r.fault(at, "", errs.Alias, nil)
			return false
		}
		if !s.add(t) {
			r.fault(at, "", errs.Unreadable, errs.Meta{"line": at})
			return false
		}
	}
	return true
}

// maxMembers is how many members an object has at most.
const maxMembers = 200

// A shape counts how deep the tokens of a file lie, and how many members its objects have.
type shape struct {
	line, entries int         // the entries of lists that begin in a line
	flow          []int       // the members of the objects in brackets around a token
	block         map[int]int // the members of the objects around it that have no brackets, by column
}

// add adds a token, and reports whether there is not too much of anything.
func (s *shape) add(t *token.Token) bool {
	if t.Position.Line != s.line {
		s.line, s.entries = t.Position.Line, 0
	}
	switch t.Type {
	case token.SequenceStartType, token.MappingStartType:
		s.flow = append(s.flow, 0)
	case token.SequenceEndType, token.MappingEndType:
		s.flow = s.flow[:max(0, len(s.flow)-1)]
	case token.SequenceEntryType:
		s.entries++
		s.leave(t.Position.Column)
	case token.MappingValueType:
		if n := len(s.flow); n > 0 {
			s.flow[n-1]++
			return s.flow[n-1] <= maxMembers
		}
		column := t.Position.Column
		if t.Prev != nil && t.Prev.Position.Line == s.line {
			column = t.Prev.Position.Column
		}
		s.leave(column)
		s.block[column]++
		return s.block[column] <= maxMembers && len(s.block) <= 2*maxDepth
	}
	return max(len(s.flow), s.entries) <= maxDepth
}

// leave forgets the objects to the right of a column.
func (s *shape) leave(column int) {
	if s.block == nil {
		s.block = map[int]int{}
	}
	for c := range s.block {
		if c > column {
			delete(s.block, c)
		}
	}
}

// lineOf returns the line where a value begins.
func lineOf(n ast.Node) int {
	if m, ok := n.(*ast.MappingNode); ok && len(m.Values) > 0 && !m.IsFlowStyle {
		return m.Values[0].Key.GetToken().Position.Line
	}
	return n.GetToken().Position.Line
}

// A member is one of an object, as the file has it.
type member struct {
	name  string
	line  int
	value ast.Node
}

// members returns those of an object; false where a value is none, or names a member twice.
func (r *reader) members(n ast.Node, path string) (list []member, ok bool) {
	m, ok := n.(*ast.MappingNode)
	if !ok {
		r.fault(lineOf(n), path, errs.WrongType, errs.Meta{"expected": "an object"})
		return nil, false
	}
	seen := map[string]bool{}
	for _, v := range m.Values {
		at := member{v.Key.GetToken().Value, v.Key.GetToken().Position.Line, v.Value}
		if seen[at.name] {
			r.fault(at.line, join(path, at.name), errs.Twice, errs.Meta{"value": at.name})
			ok = false
			continue
		}
		seen[at.name] = true
		list = append(list, at)
	}
	return list, ok
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// root reads the sections.
func (r *reader) root(n ast.Node) {
	list, _ := r.members(n, "")
	for _, m := range list {
		r.section = nil
		s := SectionOf(m.name)
		if s == nil {
			var names []string
			for _, s := range sections {
				names = append(names, s.Name)
			}
			r.fault(m.line, m.name, errs.UnknownMember, errs.Meta{"allowed": strings.Join(names, ", ")})
			continue
		}
		r.section = s
		r.file.Elements[s.Name], r.file.Lines[s.Name] = []*Element{}, m.line
		if s.Single {
			r.element(m.value, m.line)
			continue
		}
		seq, ok := m.value.(*ast.SequenceNode)
		if !ok {
			if !isNull(m.value) { // a section without elements, as YAML writes it
				r.fault(m.line, "", errs.WrongType, errs.Meta{"expected": "a list"})
			}
			continue
		}
		for _, v := range seq.Values {
			r.element(v, lineOf(v))
		}
	}
	r.section = nil
}

func isNull(n ast.Node) bool { _, ok := n.(*ast.NullNode); return ok }

// element reads an element of the section.
func (r *reader) element(n ast.Node, line int) {
	if r.elements++; r.elements > MaxElements {
		if r.elements == MaxElements+1 {
			r.fault(line, "", errs.TooMany, errs.Meta{"max": MaxElements})
		}
		return
	}
	before := len(r.faults)
	e := &Element{Section: r.section, Line: line, lines: map[string]int{}}
	e.Values = r.object(n, r.section.Fields, "", line, e.lines)
	name := e.Name()
	for i := range r.faults[before:] {
		r.faults[before+i].Element = name
	}
	r.file.Elements[r.section.Name] = append(r.file.Elements[r.section.Name], e)
}

// object reads the members of an object that lies at a path of its element.
func (r *reader) object(n ast.Node, fields []Field, path string, line int, lines map[string]int) map[string]any {
	values := map[string]any{}
	list, ok := r.members(n, path)
	if !ok && list == nil {
		return values
	}
	for _, m := range list {
		at := join(path, m.name)
		lines[at] = m.line
		f := find(fields, m.name)
		if f == nil {
			r.fault(m.line, at, errs.UnknownMember, errs.Meta{"allowed": names(fields)})
			continue
		}
		if v, ok := r.value(f, m.value, at, m.line, lines); ok {
			values[m.name] = v
		}
	}
	for _, f := range fields {
		if _, given := lines[join(path, f.Name)]; f.Required && !given {
			r.fault(line, join(path, f.Name), errs.Required, nil)
		}
	}
	return values
}

func names(fields []Field) string {
	list := make([]string, len(fields))
	for i, f := range fields {
		list[i] = f.Name
	}
	return strings.Join(list, ", ")
}

// expected says what the values of a kind are.
var expected = map[Kind]string{
	Text: "text", Date: "2026-01-31", Integer: "a whole number", Number: "a number", Boolean: "true or false",
	Integers: "a list of whole numbers", Texts: "a list of texts", Gaps: "a list of texts", Object: "an object",
	Objects: "a list of objects",
}

// value reads the value of a member.
func (r *reader) value(f *Field, n ast.Node, path string, line int, lines map[string]int) (v any, ok bool) {
	if isNull(n) {
		if !f.Null {
			r.fault(line, path, errs.Required, nil)
		}
		return nil, f.Null
	}
	switch f.Kind {
	case Object:
		return r.object(n, f.Of, path, line, lines), true
	case Integers, Texts, Gaps, Objects:
		return r.list(f, n, path, line, lines)
	}
	v, ok = scalar(f, n)
	switch {
	case !ok && f.Kind == Date:
		r.fault(line, path, errs.BadFormat, errs.Meta{"expected": expected[Date]})
	case !ok:
		r.fault(line, path, errs.WrongType, errs.Meta{"expected": expected[f.Kind]})
	case !f.allows(v):
		r.fault(line, path, errs.NotOneOf, errs.Meta{"allowed": strings.Join(f.Allow, ", ")})
		ok = false
	}
	return v, ok
}

func (f *Field) allows(v any) bool {
	text, isText := v.(string)
	if f.Allow == nil || !isText {
		return true
	}
	for _, a := range f.Allow {
		if a == text {
			return true
		}
	}
	return false
}

// list reads the values of a list.
func (r *reader) list(f *Field, n ast.Node, path string, line int, lines map[string]int) (any, bool) {
	seq, ok := n.(*ast.SequenceNode)
	if !ok {
		r.fault(line, path, errs.WrongType, errs.Meta{"expected": expected[f.Kind]})
		return nil, false
	}
	one := Field{Kind: Text, Allow: f.Allow, Of: f.Of, Null: f.Kind == Gaps}
	switch f.Kind {
	case Integers:
		one.Kind = Integer
	case Objects:
		one.Kind = Object
	}
	numbers, texts, objects := []int{}, []string{}, []map[string]any{}
	for i, v := range seq.Values {
		at := join(path, strconv.Itoa(i))
		lines[at] = lineOf(v)
		value, good := r.value(&one, v, at, lines[at], lines)
		ok = ok && good
		switch value := value.(type) {
		case int:
			numbers = append(numbers, value)
		case string:
			texts = append(texts, value)
		case nil:
			texts = append(texts, "")
		case map[string]any:
			objects = append(objects, value)
		}
	}
	switch f.Kind {
	case Integers:
		return numbers, ok
	case Objects:
		return objects, ok
	}
	return texts, ok
}

// scalar returns the value of a scalar as its field has it.
func scalar(f *Field, n ast.Node) (any, bool) {
	text := n.GetToken().Value
	switch n := n.(type) {
	case *ast.LiteralNode:
		text = n.Value.GetToken().Value
	case *ast.MappingNode, *ast.SequenceNode, *ast.MappingValueNode:
		return nil, false
	}
	switch f.Kind {
	case Integer:
		_, isInteger := n.(*ast.IntegerNode)
		i, err := strconv.Atoi(text)
		return i, err == nil && isInteger
	case Number:
		d, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		return d, err == nil && d-d == 0 // neither infinite nor NaN
	case Boolean:
		b, isBool := n.(*ast.BoolNode)
		return isBool && b.Value, isBool
	case Date:
		_, err := time.Parse(time.DateOnly, text)
		return text, err == nil
	}
	return text, true
}
