package definition

// Schema returns the JSON Schema of files, draft 2020-12.
func Schema() map[string]any {
	members := map[string]any{}
	for _, s := range sections {
		element := schemaOf(s.Fields)
		if s.Name == Assignments {
			element["oneOf"] = []any{map[string]any{"required": []string{"shift", "startsOn"}},
				map[string]any{"required": []string{"rotation", "startsOn"}},
				map[string]any{"required": []string{"roles"}}}
			element["dependentSchemas"] = map[string]any{"roles": map[string]any{"maxProperties": 2}} // and email
		}
		if s.Single {
			element["description"] = s.Doc
			members[s.Name] = element
			continue
		}
		members[s.Name] = map[string]any{"description": s.Doc, "type": []string{"array", "null"}, "items": element}
	}
	return map[string]any{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "A company of Workforce", "type": "object",
		"properties": members, "additionalProperties": false,
	}
}

// schemaOf returns the schema of an object with some fields.
func schemaOf(fields []Field) map[string]any {
	members, required := map[string]any{}, []string{}
	for _, f := range fields {
		members[f.Name] = f.schema()
		if f.Required {
			required = append(required, f.Name)
		}
	}
	s := map[string]any{"type": "object", "properties": members, "additionalProperties": false}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

// schema returns the schema of the values of a field.
func (f *Field) schema() map[string]any {
	s := f.single()
	switch f.Kind {
	case Integers, Texts, Objects:
		s = map[string]any{"type": "array", "items": s}
	case Gaps:
		s["type"] = []string{"string", "null"}
		s = map[string]any{"type": "array", "items": s}
	}
	if f.Null {
		s["type"] = []any{s["type"], "null"}
		if list, ok := s["enum"].([]any); ok {
			s["enum"] = append(list, nil)
		}
	}
	s["description"] = f.Doc
	if f.Default != nil {
		s["default"] = f.Default
	}
	return s
}

// single returns the schema of a value, or of one of a list.
func (f *Field) single() map[string]any {
	s := map[string]any{"type": "string"}
	switch f.Kind {
	case Date:
		s["format"] = "date"
	case Integer, Integers:
		s["type"] = "integer"
		if f.Max > 0 {
			s["minimum"], s["maximum"] = f.Min, f.Max
		}
	case Number:
		s["type"] = "number"
	case Boolean:
		s["type"] = "boolean"
	case Object, Objects:
		return schemaOf(f.Of)
	}
	if f.Allow != nil {
		list := make([]any, len(f.Allow))
		for i, a := range f.Allow {
			list[i] = a
		}
		s["enum"] = list
	}
	return s
}
