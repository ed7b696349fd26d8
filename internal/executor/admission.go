package executor

import (
	"context"

	"github.com/vektah/gqlparser/v2/ast"

	"workforce/internal/admission"
)

// Lanes bound the operations that run at once, so that each kind has room whatever
// the others do.
type Lanes struct {
	Queries   *admission.Lane
	Mutations *admission.Lane

	// Own is for mutations that run transactions of their own: most of them hash a
	// password.
	Own *admission.Lane
}

// NewLanes returns the lanes of a server. Together, queries and mutations leave some
// of a MySQL pool's 32 connections to tokens and jobs, and queries some of SQLite's
// 16 readers. Own is wide enough for password.Hasher to refuse first.
func NewLanes() Lanes {
	return Lanes{
		Queries:   admission.NewLane(14, 256),
		Mutations: admission.NewLane(12, 256),
		Own:       admission.NewLane(72, 128),
	}
}

// Lane returns the lane of an operation.
func (e *Executor) Lane(op *ast.OperationDefinition) *admission.Lane {
	switch {
	case op.Operation != ast.Mutation:
		return e.Lanes.Queries
	case e.ownTransactions(op):
		return e.Lanes.Own
	}
	return e.Lanes.Mutations
}

// Admit implements operation.Admit.
func (e *Executor) Admit(ctx context.Context, op *ast.OperationDefinition) (leave func(), err error) {
	return e.Lane(op).Enter(ctx)
}
