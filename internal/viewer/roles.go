package viewer

import (
	"slices"
	"strings"
)

// The built-in roles, the weakest first. Each may what the ones before it may.
const (
	Employee   = "employee"
	Supervisor = "supervisor"
	Manager    = "manager"
	Admin      = "admin"
	Owner      = "owner"
)

// Builtin lists the built-in roles, the weakest first.
var Builtin = []string{Employee, Supervisor, Manager, Admin, Owner}

// personal lists the resources whose rows are about one employee.
var personal = []string{"attendance", "correction", "coordinate", "task", "time", "report", "ticket"}

// resources lists everything a permission can name.
var resources = append(slices.Clone(personal), "leave", "shift", "project", "user", "role", "organization",
	"device", "session", "message", "audit", "company", "developer")

// MakesWidgets is the permission to make tokens of widgets, which API keys alone have.
const MakesWidgets = "widget.create"

// actions lists what one may do with a resource.
var actions = []string{"read", "write", "approve"}

// Permissions returns what a built-in role may, sorted; nil for any other name.
func Permissions(role string) []string {
	var p []string
	grant := func(action, scope string, resources ...string) {
		for _, r := range resources {
			p = append(p, r+"."+action+"."+scope)
		}
	}
	rank := slices.Index(Builtin, role)
	if rank < 0 {
		return nil
	}
	if rank >= slices.Index(Builtin, Admin) {
		for _, action := range actions {
			grant(action, "all", resources...)
		}
		if role != Owner {
			p = slices.DeleteFunc(p, isReserved)
		}
		slices.Sort(p)
		return p
	}
	grant("read", "own", personal...)
	grant("write", "own", personal...)
	grant("read", "own", "leave", "shift", "device", "session", "message")
	grant("write", "own", "leave", "device", "session")
	if rank >= slices.Index(Builtin, Supervisor) {
		grant("read", "team", personal...)
		grant("read", "team", "leave", "shift", "user")
		grant("write", "team", "task")
	}
	if rank >= slices.Index(Builtin, Manager) {
		grant("approve", "team", "correction", "leave", "time", "attendance")
		grant("write", "team", "shift", "attendance")
	}
	slices.Sort(p)
	return p
}

// reserved lists what, of the built-in roles, only owner has. Only owners give it to
// others.
var reserved = []string{"company.write", "developer.read", "developer.write"}

// Reserved reports whether permissions contain one that only owners give.
func Reserved(permissions []string) bool { return slices.ContainsFunc(permissions, isReserved) }

func isReserved(permission string) bool {
	resource, action, _ := split(permission)
	return slices.Contains(reserved, resource+"."+action)
}

// IsPermission reports whether text is resource.action.scope, of those that
// there are.
func IsPermission(text string) bool {
	resource, action, scope := split(text)
	return slices.Contains(resources, resource) && slices.Contains(actions, action) && scope > None
}

// Covers reports whether a viewer may all that permissions say, in the same
// scope or a wider one. What is no permission is not covered.
func (v *Viewer) Covers(permissions []string) bool {
	return !slices.ContainsFunc(permissions, func(p string) bool {
		resource, action, scope := split(p)
		return scope == None || v.Scope(resource, action) < scope
	})
}

// split parts resource.action.scope; the scope is None where it is none.
func split(permission string) (resource, action string, scope Scope) {
	resource, rest, _ := strings.Cut(permission, ".")
	action, name, _ := strings.Cut(rest, ".")
	if name == "" {
		return resource, action, None
	}
	return resource, action, Scope(max(0, slices.Index(scopes, name)))
}
