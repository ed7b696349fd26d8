package viewer

import "slices"

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
		grant("read", "all", resources...)
		grant("write", "all", resources...)
		grant("approve", "all", resources...)
		slices.Sort(p)
		return p
	}
	grant("read", "own", personal...)
	grant("write", "own", personal...)
	grant("read", "own", "leave", "shift", "device", "session", "message")
	grant("write", "own", "leave", "device", "session")
	if rank >= slices.Index(Builtin, Supervisor) {
		grant("read", "team", personal...)
		grant("read", "team", "leave", "shift")
		grant("write", "team", "task")
	}
	if rank >= slices.Index(Builtin, Manager) {
		grant("approve", "team", "correction", "leave", "time", "attendance")
		grant("write", "team", "shift", "attendance")
	}
	slices.Sort(p)
	return p
}
