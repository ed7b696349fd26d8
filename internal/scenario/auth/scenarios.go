// Package auth tests, on the whole server, sign-in, tokens, codes, devices and passwords.
package auth

import "workforce/internal/scenario/harness"

// Scenarios are the groups of this package.
var Scenarios = []harness.Group{
	{Name: "sign-in", Run: signInScenarios},
	{Name: "devices", Run: deviceScenarios},
	{Name: "device administration", Run: deviceAdminScenarios},
	{Name: "device approval", Run: approvalScenarios},
	{Name: "login", Run: loginScenarios},
	{Name: "verify", Run: verifyScenarios},
	{Name: "tokens", Run: tokenScenarios},
	{Name: "passwords", Run: passwordScenarios},
	{Name: "encrypted passwords", Run: encryptionScenarios},
	{Name: "changed passwords", Run: changeScenarios},
	{Name: "guessed passwords", Run: guessScenarios},
	{Name: "token matrix", Run: tokenMatrixScenarios},
}
