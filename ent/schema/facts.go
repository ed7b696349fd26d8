package schema

import (
	"entgo.io/ent/schema"

	"workforce/internal/viewer"
)

// Facts says what the server does with the rows of an entity. The generated code
// in ent/facts.go is made from it, so that no other place lists entities.
type Facts struct {
	// Access says who of the company sees and changes the rows. A collection of the
	// entity gets its @access from it. Nil for an entity that is not Owned.
	Access *viewer.Access `json:",omitempty"`
	// Directory rows are part of the company's directory.
	Directory bool `json:",omitempty"`
	// Audited is the name of the entity in the audit, as in role.updated.
	Audited string `json:",omitempty"`
	// Details are fields of GraphQL that no column or edge has, and that are details
	// (FieldFacts.Detail).
	Details []string `json:",omitempty"`
	// Unlinked rows are linked to by system jobs alone.
	Unlinked bool `json:",omitempty"`
	// UpdatesCredentials is set where only updates and deletions of rows change what
	// a known token stands for: new rows belong to new tokens.
	UpdatesCredentials bool `json:",omitempty"`
	// CleanedBy names the columns whose instants must all be CleanedAfter ago
	// before a row is deleted.
	CleanedBy []string `json:",omitempty"`
	// CleanedAfter is in hours.
	CleanedAfter int `json:",omitempty"`
	// PersonBy is the column that says whom rows are about, an id of PersonOf.
	PersonBy string `json:",omitempty"`
	// PersonOf is the entity that PersonBy refers to: User, Session or Device.
	PersonOf string `json:",omitempty"`
	// Erased rows go with the person; of others, the personal() columns are emptied.
	Erased bool `json:",omitempty"`
	// Mentions names the columns that refer to a person whom the rows are not about.
	Mentions []string `json:",omitempty"`
	// Unexported rows are in no export.
	Unexported bool `json:",omitempty"`
	ByHand     bool // a use case reads or writes rows without ent
}

// Name implements schema.Annotation.
func (Facts) Name() string { return "Facts" }

// Merge implements schema.Merger: mixins add their facts.
func (f Facts) Merge(other schema.Annotation) schema.Annotation {
	o, ok := other.(Facts)
	if !ok {
		return f
	}
	if o.Access != nil {
		f.Access = o.Access
	}
	f.Directory = f.Directory || o.Directory
	f.Unlinked = f.Unlinked || o.Unlinked
	f.UpdatesCredentials = f.UpdatesCredentials || o.UpdatesCredentials
	if len(o.Details) > 0 {
		f.Details = o.Details
	}
	f.UpdatesCredentials = f.UpdatesCredentials || o.UpdatesCredentials
	if o.Audited != "" {
		f.Audited = o.Audited
	}
	if len(o.CleanedBy) > 0 {
		f.CleanedBy, f.CleanedAfter = o.CleanedBy, o.CleanedAfter
	}
	if o.PersonBy != "" {
		f.PersonBy, f.PersonOf, f.Erased = o.PersonBy, o.PersonOf, o.Erased
	}
	f.Mentions = append(f.Mentions, o.Mentions...)
	f.Unexported = f.Unexported || o.Unexported
	f.ByHand = f.ByHand || o.ByHand
	return f
}

// about says that rows are about the person whom a column of user ids names. They stay
// when the person is erased, without what their personal() columns hold.
func about(column string) schema.Annotation { return Facts{PersonBy: column, PersonOf: "User"} }

// erased says that rows are about the person whom a column of user ids names, and go
// when the person is erased.
func erased(column string) schema.Annotation {
	return Facts{PersonBy: column, PersonOf: "User", Erased: true}
}

// erasedWith says that rows go with the Session or Device of a person that a column names.
func erasedWith(entity, column string) schema.Annotation {
	return Facts{PersonBy: column, PersonOf: entity, Erased: true}
}

// mentions says that a column refers to a person by a number alone, whom the rows are
// not about.
func mentions(column string) schema.Annotation { return Facts{Mentions: []string{column}} }

// unexported keeps rows out of exports: what secrets and requests are told by, and the
// server's own records.
func unexported() schema.Annotation { return Facts{Unexported: true} }

// updatesCredentials says that new rows belong to new tokens.
func updatesCredentials() schema.Annotation { return Facts{UpdatesCredentials: true} }

// cleaned has rows deleted a day after the instants in all of some columns.
func cleaned(columns ...string) schema.Annotation {
	return Facts{CleanedBy: columns, CleanedAfter: 24}
}

// FieldFacts says what the server does with a column.
type FieldFacts struct {
	// Unaudited columns are left out of the audit: they follow from others.
	Unaudited bool `json:",omitempty"`
	// Detail columns and edges are shown, and used in filters, only for rows of which
	// the viewer reads more than the directory (viewer.Access.Details).
	Detail bool `json:",omitempty"`
	// Credential columns are part of what a token stands for: their change
	// invalidates what is cached of tokens.
	Credential bool `json:",omitempty"`
	// File columns name a File, which is kept as long as any of them does.
	File bool `json:",omitempty"`
	// Personal columns are emptied when the person is erased, in the rows and in the
	// audit of their changes: they become null, their default, or zero.
	Personal bool `json:",omitempty"`
	// Exported columns are in exports although they are sensitive. All others are in
	// exports unless they are sensitive or bytes: hashes, tokens and what is sealed.
	Exported bool `json:",omitempty"`
	// Inherited lists are null in GraphQL where the row has none of its own; other lists
	// are never null.
	Inherited bool `json:",omitempty"`
}

// Name implements schema.Annotation.
func (FieldFacts) Name() string { return "FieldFacts" }

// unaudited leaves a column out of the audit.
func unaudited() schema.Annotation { return FieldFacts{Unaudited: true} }

// Merge implements schema.Merger: a column may have several facts.
func (f FieldFacts) Merge(other schema.Annotation) schema.Annotation {
	if o, ok := other.(FieldFacts); ok {
		f.Unaudited, f.Detail, f.Credential = f.Unaudited || o.Unaudited, f.Detail || o.Detail, f.Credential || o.Credential
		f.File, f.Personal, f.Exported = f.File || o.File, f.Personal || o.Personal, f.Exported || o.Exported
		f.Inherited = f.Inherited || o.Inherited
	}
	return f
}

// detail keeps a column or an edge out of what the directory shows of a row.
func detail() schema.Annotation { return FieldFacts{Detail: true} }

// credential marks a column as part of what a token stands for.
func credential() schema.Annotation { return FieldFacts{Credential: true} }

// storedFile marks a column as one that names a File.
func storedFile() schema.Annotation { return FieldFacts{File: true} }

// personal marks a column as one that is emptied when the person is erased.
func personal() schema.Annotation { return FieldFacts{Personal: true} }

// exported puts a sensitive column into exports: it is kept out of logs, and no secret.
func exported() schema.Annotation { return FieldFacts{Exported: true} }

// inherited makes a list null in GraphQL where the row has none of its own.
func inherited() schema.Annotation { return FieldFacts{Inherited: true} }
