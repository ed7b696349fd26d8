package executor

import (
	"context"
	"runtime"

	"entgo.io/ent/dialect"
	"github.com/vektah/gqlparser/v2/ast"

	"workforce/internal/admission"
	"workforce/internal/rootfield"
)

// Lanes bound the operations that run at once, so that each kind has room whatever
// the others do.
type Lanes struct {
	fields rootfield.Fields

	Queries   *admission.Lane
	Mutations *admission.Lane

	// Own is for mutations that run transactions of their own: most of them hash a
	// password.
	Own *admission.Lane
}

// NewLanes returns the lanes of a server. Together, queries and mutations leave some
// of a MySQL pool's 32 connections to tokens and jobs. SQLite's queries are work of
// this process: four for each CPU keep the CPUs busy, since they wait for a lock of
// SQLite's now and then, and more would only make everybody, health checks too, wait
// longer for a CPU. Own is wide enough for password.Hasher to refuse first.
func NewLanes(fields rootfield.Fields, database string) Lanes {
	queries := 14
	if database == dialect.SQLite {
		queries = min(queries, 4*runtime.GOMAXPROCS(0))
	}
	return Lanes{
		fields:    fields,
		Queries:   admission.NewLane(queries, 256),
		Mutations: admission.NewLane(12, 256),
		Own:       admission.NewLane(72, 128),
	}
}

// Of returns the lane of an operation.
func (l Lanes) Of(op *ast.OperationDefinition) *admission.Lane {
	switch {
	case op.Operation != ast.Mutation:
		return l.Queries
	case l.fields.OwnTransactions(op):
		return l.Own
	}
	return l.Mutations
}

// Admit implements operation.Admit.
func (l Lanes) Admit(ctx context.Context, op *ast.OperationDefinition) (leave func(), err error) {
	return l.Of(op).Enter(ctx)
}
