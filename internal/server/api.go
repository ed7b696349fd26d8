package server

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"sync"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"

	"workforce/docs"
	"workforce/graph"
	"workforce/internal/message"
	"workforce/internal/variables"
	"workforce/rest"
)

// Schema returns the GraphQL schema.
func Schema() *ast.Schema { return (&graph.Resolver{}).Schema().Schema() }

// forGqlgen matches what the schema says to gqlgen alone, such as @goField(forceResolver: true).
var forGqlgen = regexp.MustCompile(`(?m)^directive @go(Field|Model)\(.*\n| @go(Field|Model)\([^)]*\)`)

// SDL returns the GraphQL schema as text, types by name. It is made once.
var SDL = sync.OnceValue(func() []byte {
	var b bytes.Buffer
	formatter.NewFormatter(&b, formatter.WithIndent("  ")).FormatSchema(Schema())
	return forGqlgen.ReplaceAll(b.Bytes(), nil)
})

// LoadAPI loads the operation documents: the built-in ones, and those of an
// operator's folder, unless it is "", which replace or add to them.
func LoadAPI(folder string) (*rest.API, error) {
	if folder == "" {
		api, err := builtIn()
		if err != nil {
			return nil, err
		}
		own := *api // what is set of it is its server's
		return &own, nil
	}
	if _, err := os.ReadDir(folder); err != nil {
		return nil, err
	}
	return loadAPI(os.DirFS(folder))
}

// inputTypes read the variables of all requests.
var inputTypes = sync.OnceValue(func() *variables.Types { return graph.InputTypes(Schema()) })

// builtIn loads the built-in documents, once in a process.
var builtIn = sync.OnceValues(func() (*rest.API, error) { return loadAPI() })

func loadAPI(more ...fs.FS) (*rest.API, error) {
	api, err := rest.Load(Schema(), inputTypes(), append([]fs.FS{rest.Operations()}, more...)...)
	if err != nil {
		return nil, fmt.Errorf("the documents cannot be served:\n%w", err)
	}
	return api, nil
}

// apiVersion is the version of the paths and shapes in openapi.json, not of the
// build.
const apiVersion = "1.0.0"

// localURL is where a server without settings is.
const localURL = "http://127.0.0.1:8080"

// OpenAPI returns openapi.json of the built-in documents, of a server at localURL.
func OpenAPI() ([]byte, error) {
	api, err := LoadAPI("")
	if err != nil {
		return nil, err
	}
	return api.OpenAPI(apiInfo(localURL))
}

// Postman returns a collection for Postman of the built-in documents, of a server at localURL.
func Postman() ([]byte, error) {
	api, err := LoadAPI("")
	if err != nil {
		return nil, err
	}
	return api.Postman("Workforce", localURL, message.CallbackPath, message.CallbackExample())
}

// apiInfo describes the service in openapi.json.
func apiInfo(publicURL string) rest.Info {
	info := rest.Info{
		Title: "Workforce", Version: apiVersion, Description: docs.Introduction(publicURL), Part: message.Describe(),
	}
	if publicURL != "" {
		info.Servers = []string{publicURL}
	}
	return info
}
