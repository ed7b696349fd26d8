// Package auth tests, on the whole server, sign-in, tokens, codes, devices and passwords.
package auth

import "workforce/internal/scenario/harness"

// Scenarios are the groups of this package.
var Scenarios = []harness.Group{
	{Name: "sign-in", Run: signInScenarios},
	{Name: "devices", Run: deviceScenarios},
	{Name: "device administration", Run: deviceAdminScenarios, SQLite: true},
	{Name: "device approval", Run: approvalScenarios, SQLite: true},
	{Name: "login", Run: loginScenarios, SQLite: true},
	{Name: "verify", Run: verifyScenarios, SQLite: true},
	{Name: "tokens", Run: tokenScenarios},
	{Name: "passwords", Run: passwordScenarios, SQLite: true},
	{Name: "encrypted passwords", Run: encryptionScenarios, SQLite: true},
	{Name: "changed passwords", Run: changeScenarios},
	{Name: "recovery", Run: recoveryScenarios},
	{Name: "guessed passwords", Run: guessScenarios},
	{Name: "widgets", Run: widgets},
	{Name: "API keys", Run: apiKeys},
	{Name: "token matrix", Run: tokenMatrixScenarios, SQLite: true},
}
