// Package people tests, on the whole server, users, roles and permissions.
package people

import "workforce/internal/scenario/harness"

// Scenarios are the groups of this package.
var Scenarios = []harness.Group{
	{Name: "users", Run: usersScenarios},
	{Name: "permissions", Run: permissionScenarios, SQLite: true},
	{Name: "details", Run: detailScenarios},
	{Name: "texts", Run: textScenarios, SQLite: true},
	{Name: "avatars", Run: AvatarScenarios, SQLite: true},
	{Name: "lifecycle", Run: lifecycleScenarios},
	{Name: "imports", Run: ImportScenarios},
	{Name: "managers", Run: managerScenarios},
}
