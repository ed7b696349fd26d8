// Package enttests holds the tests of all entities: of their policies, hooks, audit
// and migrations.
package enttests
