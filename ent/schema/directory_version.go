package schema

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/mixin"

	gen "workforce/ent"
	"workforce/ent/directoryversion"
	"workforce/internal/audittrail"
	"workforce/internal/database"
)

// DirectoryVersion tells one state of a company's directory from every other:
// whoever read something under a version need not read it again as long as the
// version is the same. A company without a row has version 0.
type DirectoryVersion struct{ ent.Schema }

// Mixin of the DirectoryVersion.
func (DirectoryVersion) Mixin() []ent.Mixin { return []ent.Mixin{Internal{}} }

// Fields of the DirectoryVersion.
func (DirectoryVersion) Fields() []ent.Field {
	return []ent.Field{
		field.Int("id").Annotations(entsql.Annotation{Incremental: new(bool)}).Comment("that of the company"),
		field.Int("version").Comment("drawn at random by every change, so that a restored database repeats none with other rows"),
	}
}

// InDirectory gives the company another DirectoryVersion with every change of an
// entity's rows, in the same transaction; a change outside of one is refused. The
// version is written before the rows, so that the writers of one company's
// directory come one after the other.
type InDirectory struct{ mixin.Schema }

// Annotations of InDirectory.
func (InDirectory) Annotations() []schema.Annotation {
	return []schema.Annotation{Facts{Directory: true}}
}

// Hooks of InDirectory.
func (InDirectory) Hooks() []ent.Hook {
	return []ent.Hook{func(next ent.Mutator) ent.Mutator {
		return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
			return renewDirectory(ctx, m.(directoryMutation), next)
		})
	}}
}

// A directoryMutation is what the mutations of all entities in the directory
// have in common.
type directoryMutation interface {
	mutation
	Tx() (*gen.Tx, error)
	WhereP(...func(*sql.Selector))
}

func renewDirectory(ctx context.Context, m directoryMutation, next ent.Mutator) (ent.Value, error) {
	if _, err := m.Tx(); err != nil {
		return nil, fmt.Errorf("a %s is changed in a transaction only: %w", m.Type(), err)
	}
	if bulk := audittrail.BulkFrom(ctx); bulk != nil {
		return renewOnce(ctx, m, bulk, next)
	}
	companies, err := companiesOf(ctx, m)
	if err != nil {
		return nil, err
	}
	if err := renew(ctx, m, companies...); err != nil {
		return nil, err
	}
	v, err := next.Mutate(ctx, m)
	if err == nil && m.Type() == gen.TypeCompany && m.Op().Is(ent.OpCreate) {
		id, _ := m.ID()
		err = renew(ctx, m, id)
	}
	return v, err
}

// renewOnce renews the directory with the first change of a bulk write, whose rows are
// of one company.
func renewOnce(ctx context.Context, m directoryMutation, bulk *audittrail.Bulk, next ent.Mutator) (ent.Value, error) {
	if !bulk.Renewed {
		if err := renew(ctx, m, bulk.Company); err != nil {
			return nil, err
		}
		bulk.Renewed = true
	}
	return next.Mutate(ctx, m)
}

// companiesOf returns the companies whose rows m changes, as far as they are
// there before and the viewer sees them. It holds m to the rows that it found:
// others, which may match by the time that m runs, could be another company's.
func companiesOf(ctx context.Context, m directoryMutation) ([]int, error) {
	if m.Op().Is(ent.OpCreate) {
		if id, ok := m.Field("company_id"); ok {
			return []int{id.(int)}, nil
		}
		return nil, nil // a company, or a row that will be refused for having none
	}
	ids, err := m.IDs(ctx)
	if err != nil {
		return nil, err
	}
	m.WhereP(sql.FieldIn("id", ids...))
	rows, err := gen.Rows(ctx, m.Client(), m.Type(), ids)
	companies := map[int]bool{}
	for _, row := range rows {
		companies[row.Company] = true
	}
	return slices.Sorted(maps.Keys(companies)), err
}

// renew gives companies another version, in the order of their ids.
func renew(ctx context.Context, m directoryMutation, companies ...int) error {
	if len(companies) == 0 {
		return nil
	}
	cells := make([]any, 0, 2*len(companies))
	for _, id := range companies {
		cells = append(cells, id, rand.Int())
	}
	return database.Upsert{
		Table: directoryversion.Table, Columns: []string{directoryversion.FieldID, directoryversion.FieldVersion},
		Key: []string{directoryversion.FieldID}, Replace: []string{directoryversion.FieldVersion},
	}.Exec(ctx, m.Client(), cells...)
}
