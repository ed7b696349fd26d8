package viewer

// A Kind says what an operation does with rows, and so what becomes of those
// that a caller may not touch.
type Kind int

// The kinds of operations.
const (
	Open   Kind = iota // its tokens are all that it takes
	Self               // about the caller alone; where it needs a permission, in any scope
	Make               // adds something; for others FORBIDDEN
	List               // leaves out what the caller does not see
	One                // NOT_FOUND for what the caller does not see
	Change             // FORBIDDEN for what the caller only sees, NOT_FOUND for the rest
)

// An Operation is one root field of the API, and whom it lets in.
type Operation struct {
	Field  string
	Kind   Kind
	Access Access // of the rows that it is about
}

// Operations returns the one table of who may do what, by root field. The REST
// operations are documents over the same fields.
func Operations() []Operation {
	var (
		users        = Access{Resource: "user", Directory: true, Owner: "id"}
		roles        = Access{Resource: "role", Directory: true}
		organization = Access{Resource: "organization", Directory: true}
		attendances  = Access{Resource: "attendance", Owner: "user_id"}
		plans        = Access{Resource: "shift", Owner: "user_id"}
		shifts       = Access{Resource: "shift", Directory: true}
		sessions     = Access{Resource: "session", Owner: "user_id"}
		devices      = Access{Resource: "device", Owner: "user_id"}
		messages     = Access{Resource: "message", Owner: "user_id", ReadOnly: true}
		audit        = Access{Resource: "audit", ReadOnly: true}
	)
	return []Operation{
		{Field: "registerDevice", Kind: Open},
		{Field: "login", Kind: Open},
		{Field: "verify", Kind: Open},
		{Field: "accessToken", Kind: Open},
		{Field: "refreshToken", Kind: Open},
		{Field: "logout", Kind: Open},
		{Field: "forgotPassword", Kind: Open},
		{Field: "resetPassword", Kind: Open},
		{Field: "encryptionKeys", Kind: Open},
		{Field: "encrypt", Kind: Open},

		{Field: "viewer", Kind: Self},
		{Field: "profile", Kind: Self},
		{Field: "permission", Kind: Self},
		{Field: "tokenInfo", Kind: Self},
		{Field: "changePassword", Kind: Self},
		{Field: "company", Kind: Self},

		{Field: "attendanceToday", Kind: Self},
		{Field: "shiftToday", Kind: Self},
		{Field: "allowedLocations", Kind: Self},
		{Field: "clockIn", Kind: Self, Access: attendances},
		{Field: "clockOut", Kind: Self, Access: attendances},
		{Field: "attendances", Kind: List, Access: attendances},
		{Field: "attendance", Kind: One, Access: attendances},
		{Field: "employeeShifts", Kind: List, Access: plans},
		{Field: "employeeShift", Kind: One, Access: plans},
		{Field: "shiftAssignments", Kind: List, Access: plans},
		{Field: "shiftAssignment", Kind: One, Access: plans},
		{Field: "shifts", Kind: List, Access: shifts},
		{Field: "shift", Kind: One, Access: shifts},

		{Field: "employees", Kind: List, Access: users},
		{Field: "users", Kind: List, Access: users},
		{Field: "user", Kind: One, Access: users},
		{Field: "createUser", Kind: Make, Access: users},
		{Field: "updateUser", Kind: Change, Access: users},
		{Field: "deleteUser", Kind: Change, Access: users},
		{Field: "roleList", Kind: List, Access: roles},
		{Field: "roles", Kind: List, Access: roles},
		{Field: "role", Kind: One, Access: roles},
		{Field: "createRole", Kind: Make, Access: roles},
		{Field: "updateRole", Kind: Change, Access: roles},
		{Field: "deleteRole", Kind: Change, Access: roles},

		{Field: "designations", Kind: List, Access: organization},
		{Field: "designation", Kind: One, Access: organization},
		{Field: "addresses", Kind: List, Access: organization},
		{Field: "address", Kind: One, Access: organization},
		{Field: "businesses", Kind: List, Access: organization},
		{Field: "business", Kind: One, Access: organization},
		{Field: "createBusiness", Kind: Make, Access: organization},
		{Field: "updateBusiness", Kind: Change, Access: organization},
		{Field: "deleteBusiness", Kind: Change, Access: organization},

		{Field: "sessions", Kind: List, Access: sessions},
		{Field: "session", Kind: One, Access: sessions},
		{Field: "revokeSession", Kind: Change, Access: sessions},
		{Field: "revokeAllSessions", Kind: Change, Access: Access{Resource: "session", Directory: true, Owner: "id"}},
		{Field: "devices", Kind: List, Access: devices},
		{Field: "device", Kind: One, Access: devices},
		{Field: "revokeDevice", Kind: Change, Access: devices},
		{Field: "messages", Kind: List, Access: messages},
		{Field: "message", Kind: One, Access: messages},
		{Field: "auditEvents", Kind: List, Access: audit},
		{Field: "auditEvent", Kind: One, Access: audit},
	}
}

// Needs names the permission that decides, without its scope; "" where none
// does.
func (o Operation) Needs() string {
	switch {
	case o.Access.Resource == "", o.Kind >= List && o.Kind <= One && o.Access.Directory:
		return ""
	case o.Kind == Self, o.Kind == Make, o.Kind == Change:
		return o.Access.Resource + ".write"
	}
	return o.Access.Resource + ".read"
}

// Scope returns the widest scope in which an operation lets a viewer touch rows:
// All where it names none and lets everybody in.
func (o Operation) Scope(v *Viewer) Scope {
	if o.Needs() == "" {
		return All
	}
	s := o.Access.Writes(v)
	if o.Kind == List || o.Kind == One {
		s = o.Access.Reads(v)
	}
	if s < All && (o.Access.Owner == "" || o.Kind == Make) {
		return None // of what is about nobody, there is no part
	}
	return s
}

// An Outcome is what becomes of an operation on one row.
type Outcome string

// The outcomes; the last two are the codes of errors.
const (
	Done      Outcome = "done"
	LeftOut   Outcome = "left out"
	Unseen    Outcome = "NOT_FOUND"
	Forbidden Outcome = "FORBIDDEN"
)

// Outcome returns what an operation of a viewer does with a row that lies
// within a scope of theirs and no narrower one; None is another company's.
func (o Operation) Outcome(v *Viewer, row Scope) Outcome {
	within := func(s Scope) bool { return row > None && (s == All || o.Access.Owner != "" && s >= row) }
	switch {
	case o.Kind < List && o.Scope(v) == None:
		return Forbidden
	case o.Kind < List:
		return Done
	case o.Kind == List && !within(o.Access.Reads(v)):
		return LeftOut
	case !within(o.Access.Reads(v)):
		return Unseen
	case o.Kind == Change && !within(o.Access.Writes(v)):
		return Forbidden
	}
	return Done
}

// String returns the scope as permissions spell it; "" for none.
func (s Scope) String() string { return scopes[s] }
