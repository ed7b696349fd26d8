//go:build ignore

// Command entc generates the data layer and its part of the GraphQL schema.
package main

import (
	"log"
	"maps"
	"regexp"
	"slices"
	"strings"

	"entgo.io/contrib/entgql"
	"entgo.io/ent/entc"
	"entgo.io/ent/entc/gen"
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
	storage, err := gen.NewStorage("sql")
	if err != nil {
		log.Fatalf("ent: %v", err)
	}
	storage.SchemaMode &^= gen.Migrate // template/migrate.tmpl has the tables
	err = entc.Generate("./schema", &gen.Config{
		Storage: storage,
		Features: []gen.Feature{
			gen.FeaturePrivacy, gen.FeatureIntercept, gen.FeatureUpsert, gen.FeatureModifier, gen.FeatureExecQuery,
		},
	}, entc.Extensions(gql), entc.TemplateDir("./template"))
	if err != nil {
		log.Fatalf("ent: %v", err)
	}
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

// plainDates drops the filters of dates that are for texts.
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
			f.Directives = append(f.Directives, &ast.Directive{Name: "access", Arguments: ast.ArgumentList{
				text("resource", resource), text("action", "read"),
			}})
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
			if def := s.Types[n.Name].Fields.ForName(camel(f.Name)); def != nil && def.Type.Elem == nil { // nil: a resolver gives it
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
