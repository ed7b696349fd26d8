package apitest

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
)

// A Document is an OpenAPI description that answers are held against.
type Document struct {
	doc    *openapi3.T
	router routers.Router

	mu        sync.Mutex
	succeeded map[string]bool // "GET /user" → an answer of 2xx was seen
}

// OpenAPI reads a description, 3.0 or 3.1, and validates it. The servers it
// names play no part.
func OpenAPI(text []byte) (*Document, error) {
	loader := openapi3.NewLoader()
	doc, err := loader.LoadFromData(text)
	if err != nil {
		return nil, err
	}
	doc.Servers = nil
	if err := doc.Validate(loader.Context); err != nil {
		return nil, err
	}
	router, err := gorillamux.NewRouter(doc)
	if err != nil {
		return nil, err
	}
	return &Document{doc: doc, router: router, succeeded: map[string]bool{}}, nil
}

// Check returns an error when an answer of a documented operation, a success or
// a refusal, is not as documented: unknown status, other media type, headers or
// JSON that do not match. Other paths and methods pass, and so do bodies that
// are not JSON. It is a Check for Client.
func (d *Document) Check(req *http.Request, resp *http.Response, body []byte) error {
	route, params, err := d.router.FindRoute(req)
	if errors.Is(err, routers.ErrPathNotFound) || errors.Is(err, routers.ErrMethodNotAllowed) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("OpenAPI: %w", err)
	}
	operation := route.Method + " " + route.Path
	if resp.StatusCode/100 == 2 {
		d.mu.Lock()
		d.succeeded[operation] = true
		d.mu.Unlock()
	}
	options := &openapi3filter.Options{
		IncludeResponseStatus: true,
		MultiError:            true,
		ExcludeResponseBody:   documentsOther(route.Operation, resp),
	}
	options.WithCustomSchemaErrorFunc(func(e *openapi3.SchemaError) string {
		return "/" + strings.Join(e.JSONPointer(), "/") + ": " + e.Reason
	})
	input := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: req, PathParams: params, Route: route},
		Status:                 resp.StatusCode,
		Header:                 resp.Header,
		Options:                options,
	}
	input.SetBodyBytes(body)
	if err := openapi3filter.ValidateResponse(req.Context(), input); err != nil {
		return fmt.Errorf("OpenAPI: %s, status %d: %w", operation, resp.StatusCode, err)
	}
	return nil
}

// documentsOther reports whether an answer is of a documented media type that is
// not JSON.
func documentsOther(operation *openapi3.Operation, resp *http.Response) bool {
	mediaType := resp.Header.Get("Content-Type")
	documented := cmp.Or(operation.Responses.Status(resp.StatusCode), operation.Responses.Default())
	return !strings.Contains(mediaType, "json") &&
		documented != nil && documented.Value.Content.Get(mediaType) != nil
}

// Untried returns the documented operations of which Check has seen no success,
// sorted by path, as "GET /user".
func (d *Document) Untried() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	var untried []string
	for path, item := range d.doc.Paths.Map() {
		for method := range item.Operations() {
			if operation := method + " " + path; !d.succeeded[operation] {
				untried = append(untried, operation)
			}
		}
	}
	slices.SortFunc(untried, func(a, b string) int {
		methodA, pathA, _ := strings.Cut(a, " ")
		methodB, pathB, _ := strings.Cut(b, " ")
		return cmp.Or(cmp.Compare(pathA, pathB), cmp.Compare(methodA, methodB))
	})
	return untried
}
