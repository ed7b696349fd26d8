//go:build ignore

// Command entc generates the data layer and its part of the GraphQL schema.
package main

import (
	"fmt"
	"log"
	"maps"
	"regexp"
	"slices"
	"strings"

	"entgo.io/contrib/entgql"
	"entgo.io/ent/dialect"
	"entgo.io/ent/entc"
	"entgo.io/ent/entc/gen"
	"entgo.io/ent/entc/load"
	"github.com/vektah/gqlparser/v2/ast"
)

func main() {
	gql, err := entgql.NewExtension(
		entgql.WithSchemaGenerator(),
		entgql.WithSchemaPath("../graph/ent.graphqls"),
		entgql.WithConfigPath("../gqlgen.yml"),
		entgql.WithWhereInputs(true),
		entgql.WithSchemaHook(dropNode, dropTime, neverNullLists, spellIDs, plainDates, declareAccess, nullDetails),
	)
	if err != nil {
		log.Fatalf("entgql: %v", err)
	}
	maps.Copy(gen.Funcs, entgql.TemplateFuncs) // for template/node.tmpl, which replaces one of entgql's
	gen.Funcs["filters"], gen.Funcs["predicates"] = filters, predicates
	gen.Funcs["whole"] = func(*gen.Graph) *gen.Graph { return whole }
	storage, err := gen.NewStorage("sql")
	if err != nil {
		log.Fatalf("ent: %v", err)
	}
	storage.SchemaMode &^= gen.Migrate // template/migrate.tmpl has the tables
	err = entc.Generate("./schema", &gen.Config{
		Storage: storage,
		Features: []gen.Feature{
			gen.FeaturePrivacy, gen.FeatureIntercept, gen.FeatureModifier, gen.FeatureExecQuery,
		},
		Hooks: []gen.Hook{withoutCompany},
	}, entc.Extensions(gql), entc.TemplateDir("./template"), filterInputs)
	if err != nil {
		log.Fatalf("ent: %v", err)
	}
}

// whole is the graph with all edges, of which the tables have a foreign key each.
var whole *gen.Graph

// withoutCompany has ent write no code for the edge of most entities to their company: the
// field company_id is enough, and the code of the edges was a thirtieth of all.
func withoutCompany(next gen.Generator) gen.Generator {
	return gen.GenerateFunc(func(g *gen.Graph) error {
		whole = g
		var schemas []*load.Schema
		for _, s := range g.Schemas {
			plain := *s
			plain.Edges = slices.DeleteFunc(slices.Clone(s.Edges), func(e *load.Edge) bool { return e.Field == "company_id" })
			schemas = append(schemas, &plain)
		}
		g, err := gen.NewGraph(g.Config, schemas...)
		if err != nil {
			return err
		}
		return next.Generate(g)
	})
}

// dropNode removes Query.node and Query.nodes: they need ids that are unique
// over all types, which would outgrow 32 bits.
func dropNode(_ *gen.Graph, s *ast.Schema) error {
	query := s.Types["Query"]
	query.Fields = slices.DeleteFunc(query.Fields, func(f *ast.FieldDefinition) bool {
		return f.Name == "node" || f.Name == "nodes"
	})
	return nil
}

// dropTime removes the scalar Time, which graph/schema.graphqls declares. entgql
// adds it where the schema does not load: where a file in graph names a type that
// this run is about to write.
func dropTime(_ *gen.Graph, s *ast.Schema) error {
	delete(s.Types, "Time")
	return nil
}

// neverNullLists makes every list non-null but the inherited: where there is nothing, it
// is [].
func neverNullLists(g *gen.Graph, s *ast.Schema) error {
	inherited := map[string]bool{}
	for _, n := range g.Nodes {
		for _, f := range n.Fields {
			facts, _ := f.Annotations["FieldFacts"].(map[string]any)
			inherited[n.Name+"."+camel(f.Name)] = facts["Inherited"] == true
		}
	}
	for _, def := range s.Types {
		if def.Kind != ast.Object {
			continue
		}
		for _, f := range def.Fields {
			if inherited[def.Name+"."+f.Name] {
				f.Type.NonNull = false
			} else if f.Type.Elem != nil || strings.HasPrefix(f.Type.NamedType, "[") { // the latter are of JSON
				f.Type.NonNull = true
			}
		}
	}
	return nil
}

// plainDates drops the filters of dates that are for texts from the schema; filters drops
// them from the code.
func plainDates(_ *gen.Graph, s *ast.Schema) error {
	for _, def := range s.Types {
		if def.Kind != ast.InputObject {
			continue
		}
		def.Fields = slices.DeleteFunc(def.Fields, func(f *ast.FieldDefinition) bool {
			return f.Type.Name() == "Date" && textFilter.MatchString(f.Name)
		})
	}
	return nil
}

var textFilter = regexp.MustCompile(`(Contains|ContainsFold|EqualFold|HasPrefix|HasSuffix)$`)

// filters returns the operators by which GraphQL filters a field.
func filters(f *gen.Field) ([]gen.Op, error) {
	var facts entgql.Annotation
	err := facts.Decode(f.Annotations[facts.Name()])
	return slices.DeleteFunc(slices.Clone(f.Ops()), func(op gen.Op) bool {
		return facts.Type == "Date" && textFilter.MatchString(op.Name())
	}), err
}

// predicates returns the operators for which an entity's package has predicates of a field:
// those by which GraphQL filters it, or, where it does not, those that the server asks for.
func predicates(t *gen.Type, f *gen.Field) ([]gen.Op, error) {
	ops, err := filters(f)
	if err != nil {
		return nil, err
	}
	for _, annotations := range []gen.Annotations{t.Annotations, f.Annotations} {
		var facts entgql.Annotation
		if err := facts.Decode(annotations[facts.Name()]); err != nil {
			return nil, err
		}
		if !facts.Skip.Is(entgql.SkipWhereInput) {
			continue
		}
		return slices.DeleteFunc(ops, func(op gen.Op) bool {
			switch op {
			case gen.EQ: // that of others is the function of the field's name
				return !f.IsEnum()
			case gen.NotIn:
				return true
			case gen.GT, gen.GTE, gen.LT, gen.LTE:
				ordered := f.IsTime() || f.IsInt() && !strings.HasSuffix(f.Name, "_id") ||
					f.Column().SchemaType[dialect.MySQL] == "char(10)" // a date
				return !ordered
			}
			return textFilter.MatchString(op.Name())
		}), nil
	}
	return ops, nil
}

// filterInputs has entgql's template of filters ask filters.
func filterInputs(c *gen.Config) error {
	const name, all = "gql_where_input", "$f.Ops"
	text := entgql.WhereTemplate.Lookup(name).Root.String()
	if strings.Count(text, all) != 2 {
		return fmt.Errorf("entgql's template %s names %s %d times, not twice", name, all, strings.Count(text, all))
	}
	t, err := gen.NewTemplate(name).Funcs(gen.Funcs).
		Parse(`{{ define "` + name + `" }}` + strings.ReplaceAll(text, all, "filters $f") + "{{ end }}")
	c.Templates = append(c.Templates, t)
	return err
}

// declareAccess puts @access on the collection of each entity, from its Facts, and
// @cached on those of the directory.
func declareAccess(g *gen.Graph, s *ast.Schema) error {
	for _, n := range g.Nodes {
		facts, _ := n.Annotations["Facts"].(map[string]any)
		access, _ := facts["Access"].(map[string]any)
		for _, f := range s.Types["Query"].Fields {
			if f.Type.Name() != n.Name+"Connection" || access == nil {
				continue
			}
			resource, _ := access["Resource"].(string)
			arguments := ast.ArgumentList{text("resource", resource), text("action", "read")}
			if access["People"] == true {
				arguments = append(arguments, &ast.Argument{Name: "people", Value: &ast.Value{Raw: "true", Kind: ast.BooleanValue}})
			}
			f.Directives = append(f.Directives, &ast.Directive{Name: "access", Arguments: arguments})
			if facts["Directory"] == true {
				f.Directives = append(f.Directives, &ast.Directive{Name: "cached"})
			}
		}
	}
	return nil
}

// nullDetails makes the details of an entity null where the viewer does not see them.
func nullDetails(g *gen.Graph, s *ast.Schema) error {
	for _, n := range g.Nodes {
		for _, f := range n.Fields {
			facts, _ := f.Annotations["FieldFacts"].(map[string]any)
			if facts["Detail"] != true {
				continue
			}
			def := s.Types[n.Name].Fields.ForName(camel(f.Name))
			if def != nil && def.Type.Elem == nil { // nil: a resolver gives it
				def.Type.NonNull = false
			}
		}
	}
	return nil
}

var camel = gen.Funcs["camel"].(func(string) string)

func text(name, value string) *ast.Argument {
	return &ast.Argument{Name: name, Value: &ast.Value{Kind: ast.StringValue, Raw: value}}
}

// capitalID finds an ID at the end of a word.
var capitalID = regexp.MustCompile(`([a-z])ID`)

// spellIDs spells the names of filters as those of fields: subjectId.
func spellIDs(_ *gen.Graph, s *ast.Schema) error {
	for _, def := range s.Types {
		if def.Kind != ast.InputObject {
			continue
		}
		for _, f := range def.Fields {
			f.Name = capitalID.ReplaceAllString(f.Name, "${1}Id")
		}
	}
	return nil
}
