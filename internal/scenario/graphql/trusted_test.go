package graphql

import (
	"testing"

	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/server"
)

// TestTrustedDocuments asks a server that runs the operations of a manifest alone, as graphql-codegen
// wrote it: testdata/codegen has what it was written of.
func TestTrustedDocuments(t *testing.T) {
	const listed = `{"extensions":{"persistedQuery":{"version":1,` +
		`"sha256Hash":"sha256:7ab92651a425f7866af6962e695664a9d3e5a934037ceb0aa8475ed99c7463a8"}},"variables":{"first":1}}`
	const other = `{"query":"query Other{viewer{name}}"}`
	harness.OnSQLite(t, func(t *testing.T, s *harness.Server) {
		s.SignIn(t, "budi", "budi@demo.test")
		s.SignIn(t, "andini", "admin@demo.test")
		ask := func(name, who, body, want string, status int) apitest.Scenario {
			return apitest.Scenario{
				Name: name, Path: "/graphql", Header: harness.Bearer(who), Body: body, Status: status, Want: want,
			}
		}
		const people = `{"data":{"users":{"edges":[{"node":{"id":"1","name":"Andini Kusumawardhani"}}],"totalCount":27}}}`
		const refused = `{"errors":[{"message":"<any>","extensions":{"code":"OPERATION_NOT_TRUSTED","errors":[],"meta":{},` +
			`"requestId":"<any>"}}]}`
		s.Run(t, []apitest.Scenario{
			ask("a listed one by its hash", "budi", listed, people, 200),
			ask("another", "budi", other, refused, 403),
			ask("another, of a developer", "andini", other, `{"data":{"viewer":{"name":"Andini Kusumawardhani"}}}`, 200),
			{
				Name: "REST", Path: "/user/permission", Header: harness.Bearer("budi"),
				Want: `{"roles":"<any>","permissions":"<any>"}`,
			},
		})
	}, func(c *server.Config) { c.TrustedDocuments = "testdata/codegen" })
}
