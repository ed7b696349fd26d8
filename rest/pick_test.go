package rest

import "testing"

// TestPickOfTheLast shows where a body is taken to end with the object around it:
// only where its key comes last whatever is left out.
func TestPickOfTheLast(t *testing.T) {
	tests := []struct {
		name, selection string
		last            bool
		data            string
	}{
		{"body at the end", `totalCount nodes @body { name }`, true, `{"totalCount":1,"nodes":[{"name":"]}"}]}`},
		{"space around", `totalCount nodes @body { name }`, true, ` { "totalCount" : 1 , "nodes" : [{"name":"]}"}] } `},
		{"body alone", `nodes @body { name }`, true, `{"nodes":[{"name":"]}"}]}`},
		{"something after it", `nodes @body { name } totalCount`, false, `{"nodes":[{"name":"]}"}],"totalCount":1}`},
		{"a list after it", `nodes @body { name } more: nodes { id }`, false, `{"nodes":[{"name":"]}"}],"more":[{"id":"1"}]}`},
		{"in two parts", `nodes @body { name } nodes { name }`, true, `{"nodes":[{"name":"]}"}]}`},
		{"first part left out", `nodes @skip(if: true) { name } more: nodes { id } nodes @body { name }`, false,
			`{"more":[{"id":"1"}],"nodes":[{"name":"]}"}]}`},
		{"first part not left out", `nodes @skip(if: true) { name } more: nodes { id } nodes @body { name }`, false,
			`{"nodes":[{"name":"]}"}],"more":[{"id":"1"}]}`},
		{"first part of another left out", `more: nodes @skip(if: true) { id } nodes @body { name } more: nodes { id }`, false,
			`{"nodes":[{"name":"]}"}],"more":[{"id":"1"}]}`},
		{"what follows left out", `nodes @body { name } totalCount @skip(if: true)`, false, `{"nodes":[{"name":"]}"}]}`},
		{"last in a fragment", `totalCount ... on EmployeePage { nodes @body { name } }`, true, `{"totalCount":1,"nodes":[{"name":"]}"}]}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			query := `query Q @endpoint(method: GET, path: "/q") { employees { ` + tt.selection + ` } }`
			api, err := load(loadSchema(t), documentsOf(map[string]string{"q.graphql": query}))
			if err != nil {
				t.Fatal(err)
			}
			e := api.endpoints["GET /q"]
			if got := e.response.slots[0].child([]byte("nodes")).last; got != tt.last {
				t.Errorf("last is %v, want %v", got, tt.last)
			}
			a, err := e.pick([]byte(`{"employees":` + tt.data + `}`))
			if got := string(a.body); err != nil || got != `[{"name":"]}"}]` {
				t.Errorf("body %s, %v", got, err)
			}
		})
	}
}

// TestPickOfMutationsTakesAnyOrder holds the outcome that a mutation left under
// an older document, whose keys stand otherwise.
func TestPickOfMutationsTakesAnyOrder(t *testing.T) {
	api, err := load(loadSchema(t), documentsOf(map[string]string{
		"q.graphql": `mutation Q @endpoint(method: POST, path: "/q") { saveTask(input: {title: "a"}) { title dueAt @body } }`,
	}))
	if err != nil {
		t.Fatal(err)
	}
	a, err := api.endpoints["POST /q"].pick([]byte(`{"saveTask":{"dueAt":["x"],"title":["y"]}}`))
	if got := string(a.body); err != nil || got != `["x"]` {
		t.Errorf("body %s, %v", got, err)
	}
}
