// Package viewer says who is looking, and what they may see and change.
package viewer

import (
	"context"
	"slices"
	"strings"

	"workforce/internal/errs"
	"workforce/internal/setting"
)

// A Viewer is the caller of one request. The zero value is nobody.
type Viewer struct {
	UserID      int
	CompanyID   int
	SessionID   int
	DeviceID    int
	Locale      string
	Timezone    string         // of the company: an IANA name
	Settings    setting.Values // of the company
	Permissions []string       // sorted: resource.action.scope
	Businesses  []int          // those the viewer manages, and all below them
	Owner       bool           // has the built-in role owner
	Widget      int            // the user whom alone the token of a widget shows; 0 for other tokens
	Key         int            // the API key that is looking, which UserID made; 0 for people
	Bounded     bool           // a key is for people of Businesses alone

	system, operator bool
}

type key struct{}

// NewContext returns a context in which v is looking.
func NewContext(ctx context.Context, v *Viewer) context.Context {
	return context.WithValue(ctx, key{}, v)
}

// From returns who is looking; never nil, nobody when no one is known.
func From(ctx context.Context) *Viewer {
	if v, ok := ctx.Value(key{}).(*Viewer); ok {
		return v
	}
	return &Viewer{}
}

// Require returns who is looking, or UNAUTHENTICATED for nobody.
func Require(ctx context.Context) (*Viewer, error) {
	v := From(ctx)
	if v.UserID == 0 && !v.operator {
		return nil, errs.New(errs.Unauthenticated, errs.Meta{"token": "access", "reason": "missing"})
	}
	return v, nil
}

// Self returns whose rows are the viewer's own: the user's, and nobody's for an API key, which 0 stands for.
func (v *Viewer) Self() int {
	if v.Key != 0 {
		return 0
	}
	return v.UserID
}

// Principal identifies who is looking among users and API keys: the id of a user, or that of a key, negative.
func (v *Viewer) Principal() int {
	if v.Key != 0 {
		return -v.Key
	}
	return v.UserID
}

// System returns a context in which the server itself is looking: it sees and
// changes every row of every company. Only jobs and the steps before a caller
// is known (sign-in, registration) use it.
func System(ctx context.Context) context.Context {
	return NewContext(ctx, &Viewer{system: true})
}

// Operator returns a context in which the operator of the installation changes a company with a command: they
// may what its owners may, and are none of its people.
func Operator(ctx context.Context, company int, timezone string, settings setting.Values) context.Context {
	return NewContext(ctx, &Viewer{
		CompanyID: company, Timezone: timezone, Settings: settings, Permissions: Permissions(Owner), Owner: true,
		operator: true,
	})
}

// IsSystem reports whether the server itself is looking.
func (v *Viewer) IsSystem() bool { return v.system }

// A Scope says whose rows a permission covers. The zero value covers none.
type Scope int

// The scopes, each covering the ones before it.
const (
	None Scope = iota
	Own        // the viewer's own rows
	Team       // those of the users in the businesses the viewer manages, and own
	All        // those of the company
)

var scopes = []string{Own: "own", Team: "team", All: "all"}

// String returns the scope as permissions spell it; "" for none.
func (s Scope) String() string { return scopes[s] }

// Scope returns the widest scope of a permission, such as attendance.read.
func (v *Viewer) Scope(resource, action string) Scope {
	for s := All; s > None; s-- {
		if _, ok := slices.BinarySearch(v.Permissions, resource+"."+action+"."+scopes[s]); ok {
			return s
		}
	}
	return None
}

// ParseScope reads own, team or all; None for anything else.
func ParseScope(text string) Scope {
	if text == "" {
		return None
	}
	return Scope(max(0, slices.Index(scopes, text)))
}

// Reaches reports whether a scope of v's covers a user of the company, who works
// in a business; nil for none.
func (v *Viewer) Reaches(s Scope, userID int, business *int) bool {
	switch {
	case s == All, s >= Own && userID == v.Self():
		return true
	}
	return s == Team && business != nil && slices.Contains(v.Businesses, *business)
}

// Access says who of a company sees and changes the rows of an entity.
type Access struct {
	// Resource names the permission, as in attendance.read.own. An entity
	// without one is changed by system jobs alone.
	Resource string
	// Directory rows are seen by everybody in the company.
	Directory bool
	// Owner is the column that names the user a row is about; "" for rows that
	// are about nobody, which only scope all covers.
	Owner string
	// Also is another column that names a user who sees the row; "" for none.
	Also string
	// Task is the column with the id of a task: who sees the task sees the row, and who
	// changes the task changes it. Those are its creator, its assignees, and whoever has
	// one of them in scope. "" for other rows.
	Task string
	// Ticket is the column with the id of a ticket: who sees the ticket sees the row, and
	// who changes the ticket changes it. Those are its requester, its assignee, and whoever
	// has one of them in scope; its followers see it. "" for other rows.
	Ticket string
	// ReadOnly rows are written by system jobs alone.
	ReadOnly bool
	// People alone see and change the rows: API keys do not, whatever they may.
	People bool
	// Private rows are seen and changed by their owner alone.
	Private bool
	// Decided rows wait for a decision about their owner: those who may change the
	// owner or the rows see them, and so do the managers of the owner.
	Decided bool
}

// Shared returns the column with the id of the task or ticket that decides who sees a row,
// "" for other rows.
func (a Access) Shared() string { return a.Task + a.Ticket }

// Reads returns the scope of rows that v sees.
func (a Access) Reads(v *Viewer) Scope {
	switch {
	case a.People && v.Key != 0:
		return None
	case a.Directory:
		return All
	case a.Private:
		return Own
	case a.Resource == "":
		return None
	case a.Decided:
		return max(Own, v.Scope(a.Resource, "read"), a.Decides(v))
	}
	return v.Scope(a.Resource, "read")
}

// Details returns the scope of rows of which v sees more than the directory shows:
// v's own, and those that v may read or change.
func (a Access) Details(v *Viewer) Scope {
	return max(Own, v.Scope(a.Resource, "read"), v.Scope(a.Resource, "write"))
}

// Decides returns the scope of Decided rows that v decides, but for v's own: that of the
// team for everybody with a permission for a team.
func (a Access) Decides(v *Viewer) Scope {
	s := max(v.Scope(a.Resource, "write"), v.Scope("user", "write"))
	if slices.ContainsFunc(v.Permissions, func(p string) bool { return strings.HasSuffix(p, ".team") }) {
		s = max(s, Team)
	}
	return s
}

// Writes returns the scope of rows that v changes.
func (a Access) Writes(v *Viewer) Scope {
	switch {
	case a.People && v.Key != 0:
		return None
	case a.Private:
		return Own
	case a.Resource == "", a.ReadOnly:
		return None
	}
	return v.Scope(a.Resource, "write")
}
